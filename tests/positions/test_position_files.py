import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kalooki_tui.engine.match import Match
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.positions.position_files import position_text, read_position
from kalooki_tui.positions.staging import check_files, check_position, set_up
from kalooki_tui.problems import InputError
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_record
from kalooki_tui.training.steps import past_deals
from tests.commands import Run
from tests.moments import there

GOOD = """\
ruleset: jamaican
deal: 3
dealer: Cat
turn: Ann
phase: play
seats:
  - {name: Ann, hand: KS 8S 2D 4H, laid: true}
  - {name: Bob, hand: 5H 6H 7H QC, calls: 1, score: 40}
  - {name: Cat, hand: 9D 9C 3S}
table:
  - {owner: Ann, cards: 9S 10S JS QS}
  - {owner: Ann, cards: 4C 4D 4S}
stock: 7C 2H AS 3D
discard: 5D 6C
steps:
  - Ann: tack 8S m1
    refused: tack.low-closed
  - Ann: tack KS m1
  - Ann: discard 2D
expect:
  hands: {Ann: 8S 4H}
  table: {m1: 9S 10S JS QS KS}
  turn: Bob
  calls: {Bob: 1}
  out: null
  discard: 2D
"""


def failure_of(text: str) -> str | None:
    failure = check_position(read_position(text, "p.yaml"))
    return None if failure is None else str(failure)


def error_of(text: str) -> str:
    with pytest.raises(InputError) as caught:
        set_up(read_position(text, "p.yaml"))
    return str(caught.value)


def with_line(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def test_the_good_position_holds_however_its_last_step_is_written() -> None:
    assert failure_of(GOOD) is None
    assert failure_of(with_line("  - Ann: discard 2D", '  - "Ann: discard 2D"')) is None


def test_defaults() -> None:
    position = read_position(
        "ruleset: jamaican\nturn: Cat\nseats:\n  - name: Ann\n    hand: 2C\n  - {name: Bob, hand: 3C}\n"
        "  - {name: Cat, hand: 4C}\ndiscard: 5H"
    )
    assert position.phase is Phase.DRAW
    assert position.discarded_by == 1
    assert position.deal == 1
    assert not position.rules.penalties
    match = set_up(position)
    assert match.actor == 2
    assert len(match.deal.stock) == 104
    assert list(map(len, match.deal.hands)) == [1, 1, 1]


SEATS = "seats: [{name: Ann, hand: 2C}, {name: Bob, hand: 3C}, {name: Cat, hand: 4C}, {name: Dee, hand: 5C}]"


@pytest.mark.parametrize(("turn", "dealer"), [("Ann", "Dee"), ("Bob", "Ann"), ("Cat", "Bob"), ("Dee", "Cat")])
def test_the_dealer_is_by_default_the_seat_before_the_turn_seat(turn: str, dealer: str) -> None:
    position = read_position(f"ruleset: jamaican\nturn: {turn}\n{SEATS}\ndiscard: 5H")
    assert position.names[position.dealer] == dealer
    named = read_position(f"ruleset: jamaican\ndealer: Bob\nturn: {turn}\n{SEATS}\ndiscard: 5H")
    assert (named.names[named.dealer], named.names[named.turn]) == ("Bob", turn)


@pytest.mark.parametrize(("dealer", "turn"), [("Ann", "Bob"), ("Bob", "Cat"), ("Cat", "Dee"), ("Dee", "Ann")])
def test_once_a_deal_is_over_the_turn_is_by_default_the_seat_after_the_dealer(dealer: str, turn: str) -> None:
    named = "" if dealer == "Dee" else f"dealer: {dealer}\n"  # the last seat has dealt where nobody is named
    position = read_position(f"ruleset: jamaican\nphase: over\n{named}out: Ann\n{SEATS}\ndiscard: 5H")
    assert (position.names[position.dealer], position.names[position.turn]) == (dealer, turn)


def test_the_thrower_is_by_default_the_seat_before_that_is_in_the_deal() -> None:
    seats = "seats:\n  - {name: Ann, hand: 2C}\n  - {name: Bob, hand: 3C}\n  - {name: Cat, dropped: true}\n"
    text = f"ruleset: trinidad\nturn: Ann\n{seats}discard: 5H"
    assert read_position(text).discarded_by == 1
    assert read_position(text + "\ndiscarded_by: null").discarded_by is None


def test_the_top_comes_first() -> None:
    match = set_up(read_position(GOOD))
    faces = match.rules.faces
    assert faces.texts(match.deal.stock[-4:]) == "3D AS 2H 7C"
    assert faces.texts(match.deal.pile) == "6C 5D"
    assert match.deal.laid[0] is HasLaid.EARLIER
    assert faces.texts(set_up(read_position(GOOD + "stock_only: true\n")).deal.stock) == "3D AS 2H 7C"


def test_the_seed_shuffles_only_what_is_not_named() -> None:
    one, same, other = (set_up(read_position(GOOD + f"seed: {seed}\n")).deal.stock for seed in (1, 1, 2))
    assert one == same == set_up(read_position(GOOD)).deal.stock
    assert one != other
    assert one[-4:] == other[-4:]
    assert sorted(one) == sorted(other)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("ruleset: jamaican\n", "", 1, "ruleset is missing"),
        ("ruleset: jamaican", "ruleset: jamacian", 1, "did you mean 'jamaican'"),
        ("ruleset: jamaican", "ruleset: {extends: jamaican, options: [one-joker]}", 1, "no option 'one-joker'"),
        ("ruleset: jamaican", "ruleset: {extends: jamaican, settings: {dealer_cut: true}}", 1, "no setting"),
        ("ruleset: jamaican", "ruleset: tuluki", 1, "played with 2 seats"),
        ("ruleset: jamaican", "ruleset: {extends: tuluki}", 1, "played with 2 seats"),
        ("ruleset: jamaican", "ruleset: [jamaican]", 1, "must be an id"),
        ("deal: 3", "deal: 10", 2, "deal must be from 1 to 9"),
        ("deal: 3", "deal: three", 2, "whole number"),
        ("deal: 3", "deal: true", 2, "whole number"),
        ("deal: 3", "deal: 3.0", 2, "whole number"),
        ("deal: 3", "deel: 3", 2, "unknown key 'deel'; did you mean 'deal'"),
        ("deal: 3", "deal: 3\ndeal: 4", 3, "twice"),
        ("dealer: Cat", "dealer: Kat", 3, "no seat is called 'Kat'; did you mean 'Cat'"),
        ("turn: Ann\n", "", 1, "turn is missing"),
        ("turn: Ann", "turn: [Ann]", 4, "must be a seat's name"),
        ("phase: play", "phase: playing", 5, "phase is 'playing', it must be 'cut', 'call-window'"),
        ("phase: play", "phase: decision", 5, "caller: the phase decision needs the seat that called"),
        ("phase: play", "phase: flip-window", 5, "needs the flip"),
        ("phase: play", "phase: flip-window\nflip: 9H", 6, "has no flip"),
        ("phase: play", "phase: play\nflip: 9H", 6, "no flip lies open"),
        ("phase: play", "phase: add-on", 5, "needs the seat that went out"),
        ("phase: play", "phase: play\nout: Ann", 6, "nobody has gone out"),
        ("phase: play", "phase: play\ncaller: Bob", 6, "nobody has called in phase play"),
        ("phase: play", "phase: cut", 5, "dealer_cut is off"),
        ("phase: play", "phase: play\ndead: perhaps", 6, "true or false"),
        ("phase: play", "phase: play\nreferee: lenient", 6, "must be 'strict' or 'penalties'"),
        ("phase: play", "phase: buy-in", 4, "is not eliminated"),
        ("laid: true}", "laid: perhaps}", 7, "this-turn"),
        ("calls: 1, score: 40}", "laid: this-turn}", 8, "cannot have laid this turn"),
        ("calls: 1, score: 40}", "calls: 4}", 8, "more than 3 calls"),
        ("calls: 1, score: 40}", "dropped: true}", 8, "holds no cards"),
        ("calls: 1, score: 40}", "call: 1}", 8, "unknown key 'seats.2.call'; did you mean 'calls'"),
        ("calls: 1, score: 40}", "score: lots}", 8, "whole number"),
        ("name: Bob,", "name: Bo  b,", 8, "has extra spaces"),
        ("name: Bob,", 'name: " Bob",', 8, "has extra spaces"),
        ("name: Bob,", 'name: "Bo:b",', 8, "holds a colon"),
        ("name: Bob,", "name: ann,", 8, "differ only in capital letters"),
        ("name: Bob,", "name: Ann,", 8, "two seats are called 'Ann'"),
        ("name: Bob,", "name: 7,", 8, "must be text, not 7"),
        ("hand: 9D 9C 3S", "hand: 9D 9C 3X", 9, "'3X' is not a card"),
        ("hand: 9D 9C 3S", "hand: [9D, 9C]", 9, "cards separated by spaces"),
        ("hand: 9D 9C 3S", "hand: 5D 5D", 14, "5D is here more often than the deck has it, 2 times"),
        ("hand: 9D 9C 3S", "hand: JK JK JK JK JK", 9, "JK is here more often than the deck has it, 4 times"),
        ("{owner: Ann, cards: 9S 10S JS QS}", "{owner: Ann, cards: 9S 10S QS JS}", 11, "run.order, M2"),
        ("{owner: Ann, cards: 9S 10S JS QS}", "{cards: 9S 10S JS QS}", 11, "table.1.owner is missing"),
        ("{owner: Ann, cards: 9S 10S JS QS}", "9S 10S JS QS", 11, "must be a mapping"),
        ("stock: 7C 2H AS 3D", "stock: 7", 13, "cards separated by spaces"),
        ("  - Ann: discard 2D", "  - Ann: discrad 2D", 19, "did you mean 'discard'"),
        ("  - Ann: discard 2D", "  - Anne: discard 2D", 19, "no seat is called 'Anne'"),
        ("  - Ann: discard 2D", "  - Ann: discard 2D\n    Bob: draw stock", 19, "must be one line 'name: action'"),
        ("  - Ann: discard 2D", "  - refused: true", 19, "must be one line 'name: action'"),
        ("  - Ann: discard 2D", "  - discard 2D", 19, "whose action"),
        ("  - Ann: discard 2D", "  - Ann: [discard, 2D]", 19, "must be the text of an action"),
        ("  - Ann: discard 2D", "  - 17", 19, "must be one line 'name: action'"),
        (
            "refused: tack.low-closed",
            "refused: tack.low-close",
            17,
            "unknown code 'tack.low-close'; did you mean 'tack.low-closed'",
        ),
        ("refused: tack.low-closed", "refused: false", 17, "must be true or a code"),
        ("refused: tack.low-closed", "charged: true\n    refused: true", 16, "not both"),
        ("  turn: Bob", "  trun: Bob", 23, "unknown key 'expect.trun'; did you mean 'turn'"),
        ("  turn: Bob", "  void: never", 23, "true or false"),
        ("  turn: Bob", "  winners: Bob", 23, "must be a list"),
        ("  calls: {Bob: 1}", "  calls: {Bib: 1}", 24, "no seat is called 'Bib'"),
        ("  calls: {Bob: 1}", "  calls: 1", 24, "must be a mapping"),
        ("  table: {m1: 9S 10S JS QS KS}", "  table: {1: 9S 10S JS QS KS}", 22, "is not a meld on the table"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, line: int, says: str) -> None:
    error = error_of(with_line(old, new))
    assert error.startswith(f"p.yaml:{line}: "), error
    assert says in error
    assert "\n" not in error


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("- 1\n- 2\n", "must be a mapping"),
        ("a: [1, 2\n", "is not YAML"),
    ],
)
def test_what_is_no_position(text: str, says: str) -> None:
    error = error_of(text)
    assert error.startswith("p.yaml:"), error
    assert says in error


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        (
            "    refused: tack.low-closed",
            "    refused: tack.gap",
            16,
            "must be refused with tack.gap, not tack.low-closed",
        ),
        ("    refused: tack.low-closed\n", "", 16, "'Ann: tack 8S m1' was refused: tack.low-closed (K2)"),
        ("    refused: tack.low-closed", "    charged: true", 16, "without a charge"),
        ("  - Ann: tack KS m1", "  - Ann: tack KS m1\n    refused: true", 18, "was accepted"),
        ("  hands: {Ann: 8S 4H}", "  hands: {Ann: 8S}", 21, "hands.Ann is 4H 8S, not 8S"),
        ("  hands: {Ann: 8S 4H}", '  hands: {Ann: ""}', 21, "hands.Ann is 4H 8S, not empty"),
        ("  table: {m1: 9S 10S JS QS KS}", "  table: {m1: 9S 10S JS KS QS}", 22, "table.m1 is the run"),
        ("  table: {m1: 9S 10S JS QS KS}", "  table: {m2: 4C 4D 4H}", 22, "table.m2 is the set 4C 4D 4S"),
        ("  table: {m1: 9S 10S JS QS KS}", "  table: {m3: 4C 4D 4H}", 22, "only 2 melds"),
        ("  turn: Bob", "  turn: Cat", 23, "turn is Bob, not Cat"),
        ("  turn: Bob", "  phase: draw", 23, "phase is call-window, not draw"),
        ("  turn: Bob", "  stock_size: 3", 23, "stock_size is"),
        ("  turn: Bob", "  dealer: Bob", 23, "dealer is Cat, not Bob"),
        ("  turn: Bob", "  winners: [Bob]", 23, "winners is nobody, not Bob"),
        ("  turn: Bob", "  void: true", 23, "void is false, not true"),
        ("  turn: Bob", "  scores: {Bob: 0}", 23, "scores.Bob is not scored yet"),
        ("  turn: Bob", "  totals: {Bob: 41}", 23, "totals.Bob is 40, not 41"),
        ("  turn: Bob", "  penalties: {Bob: 50}", 23, "penalties.Bob is 0, not 50"),
        ("  turn: Bob", "  pool: 30", 23, "pool is 0, not 30"),
        ("  turn: Bob", "  money: {Bob: 3}", 23, "money.Bob is 0, not 3"),
        ("  calls: {Bob: 1}", "  calls: {Bob: 2}", 24, "calls.Bob is 1, not 2"),
        ("  out: null", "  out: Ann", 25, "out is null, not Ann"),
        ("  discard: 2D", "  discard: null", 26, "discard is 2D, not null"),
    ],
)
def test_what_does_not_hold_is_said_with_its_line(old: str, new: str, line: int, says: str) -> None:
    failure = there(failure_of(with_line(old, new)))
    assert failure.startswith(f"p.yaml:{line}: "), failure
    assert says in failure


def test_sets_are_compared_as_multisets_and_kinds_where_they_are_said() -> None:
    table = "  table: {m1: 9S 10S JS QS KS}"
    assert failure_of(with_line(table, "  table: {m2: 4S 4C 4D}")) is None
    assert failure_of(with_line(table, '  table: {m2: "set: 4S 4C 4D", m1: "run: 9S 10S JS QS KS"}')) is None
    failure = there(failure_of(with_line(table, '  table: {m2: "run: 4S 4C 4D"}')))
    assert "table.m2 is the set 4C 4D 4S, not run: 4S 4C 4D" in failure


def test_a_seat_called_null_is_not_nobody() -> None:
    text = with_line("name: Ann,", 'name: "null",').replace("Ann", '"null"')
    text = text[: text.index("steps:")] + 'steps:\n  - "null": discard 2D\nexpect:\n  turn: Bob\n'
    assert failure_of(text) is None
    assert failure_of(text + '  out: "null"\n') == "p.yaml:19: expect: out is null, not null"
    assert failure_of(text + "  out: null\n") is None


def test_a_charged_attempt_is_not_only_refused() -> None:
    text = with_line("laid: true}", "laid: false}").replace("deal: 3", "deal: 3\nreferee: penalties")
    steps = text.index("steps:")
    text = text[:steps] + "steps:\n  - Ann: lay KS 8S 2D\n    refused: true\n"
    failure = there(failure_of(text))
    assert "was charged 50 points, not only refused" in failure
    assert failure_of(text.replace("refused: true", "charged: true")) is None


def test_check_answers_for_files_and_folders(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "positions"
    folder.mkdir()
    (folder / "good.yaml").write_text(GOOD, encoding="utf-8")
    (folder / "fails.yml").write_text(with_line("  turn: Bob", "  turn: Cat"), encoding="utf-8")
    bad = tmp_path / "bad.yaml"
    bad.write_bytes(b"title: \xff\n")
    results = list(check_files([folder, bad, tmp_path / "none.yaml"]))
    assert [result.ok for result in results] == [False, True, False, False]
    for arguments, code in (([folder / "good.yaml"], 0), ([folder], 1), ([folder, bad], 2), ([tmp_path / "x"], 2)):
        assert run("check", *arguments)[0] == code
    _, out, err = run("check", folder, bad)
    assert f"{folder / 'fails.yml'}:23: expect: turn is Bob, not Cat" in out
    assert f"{bad}:1: is not UTF-8 text" in err


def test_check_as_json(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(with_line("  turn: Bob", "  turn: Cat"), encoding="utf-8")
    assert json.loads(run("check", "--json", file)[1]) == {
        "ok": False,
        "files": [{"file": str(file), "ok": False, "title": "", "line": 23, "message": "expect: turn is Bob, not Cat"}],
    }


def test_a_folder_without_positions_and_a_file_too_big_are_errors(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    big = tmp_path / "big.yaml"
    big.write_bytes(b"# " + b"x" * 10_000_000)
    errors = [str(result.error) for result in check_files([tmp_path / "empty", big])]
    assert "no position in this folder" in errors[0]
    assert "too big for a position" in errors[1]


PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"


def moments(name: str, every: int) -> Iterator[Match]:
    record = open_record(str(PLAYTHROUGHS / name))
    with record.stream:
        deals = past_deals(Replay(record))
    for past in deals[:3]:
        for place in range(0, len(past.actions), every):
            yield past.at(place)


@pytest.mark.parametrize("name", ["jamaican-4.jsonl", "tuluki-2.jsonl"])
def test_what_is_written_is_read_as_the_same_moment(name: str) -> None:
    count = 0
    for match in moments(name, 11):
        text = position_text(match, "a moment")
        again = set_up(read_position(text))
        before, after = match.view(match.actor), again.view(match.actor)
        for part in ("phase", "actor", "turn", "caller", "discard", "melds", "laid", "calls", "stock", "flip", "dead"):
            assert getattr(after, part) == getattr(before, part), (part, text)
        assert sorted(after.hand) == sorted(before.hand)
        assert again.deal.stock == match.deal.stock
        count += 1
    assert count > 5


def test_the_end_of_a_deal_is_no_position() -> None:
    record = open_record(str(PLAYTHROUGHS / "baby-3.jsonl"))
    with record.stream:
        over = past_deals(Replay(record))[0].state(-1)
    with pytest.raises(ValueError, match="no deal is being played"):
        position_text(over, "over")


def test_nobody_has_laid_and_holds_cards_in_a_deal_of_whole_hands() -> None:
    seats = "seats: [{name: Ann, hand: 5C}, {name: Bob, hand: 6C, laid: true}, {name: Cat, hand: 7C}]"
    with pytest.raises(InputError, match=r"Bob cannot have laid and hold cards: every card is laid .* \(H9\)"):
        read_position(f"ruleset: contract-rummy\ndeal: 7\nturn: Ann\nphase: draw\n{seats}\ndiscard: 9D\n")
