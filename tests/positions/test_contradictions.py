from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.cards import full_deck
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.view import Phase
from kalooki_tui.positions.position_files import load_position, read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.problems import InputError
from tests.commands import Run

TAKEN: Final = """\
ruleset: jamaican
referee: strict
turn: Ann
phase: decision
caller: Bob
discarded_by: Dee
dead: false
seats:
  - {name: Ann, hand: 2C 3C}
  - {name: Bob, hand: 4C 5C}
  - {name: Cat, hand: 6C 7C}
  - {name: Dee, hand: 8C 9C}
discard: 5H 6H
"""

FLIPPED: Final = """\
ruleset: tuluki
turn: Ann
phase: flip-window
flip: 9H
discarded_by: Bob
seats:
  - {name: Ann, hand: 2C 3C}
  - {name: Bob, hand: 4C 5C}
discard: 5H 6H
"""

NO_CALLS: Final = """\
ruleset: kalookie-40
turn: Ann
phase: draw
seats:
  - {name: Ann, hand: 2C 3C}
  - {name: Bob, hand: 4C 5C}
discard: 5H 6H
"""


def stood(text: str) -> Match:
    return set_up(read_position(text, "p.yaml"))


def changed(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


WINDOW: Final = ("phase: decision\ncaller: Bob\n", "phase: call-window\n")
DRAW: Final = ("phase: decision\ncaller: Bob\n", "phase: draw\n")
OVER: Final = ("phase: decision\ncaller: Bob\n", "phase: over\nout: Cat\n")
DISCARD_WINDOW: Final = ("phase: flip-window\nflip: 9H", "phase: call-window")
LAID_SEATS_CALL: Final = ("ruleset: jamaican", "ruleset: {extends: jamaican, calls: {laid_seat: true}}")
ALL_LAID: Final = (("6C 7C}", "6C 7C, laid: true}"), ("4C 5C}", "4C 5C, laid: true}"))


@pytest.mark.parametrize(
    ("text", "changes", "line", "says"),
    [
        (TAKEN, [("caller: Bob", "caller: Ann")], 5, "caller: Ann is the turn seat"),
        (TAKEN, [("caller: Bob", "caller: Dee")], 5, "caller: Dee threw the card"),
        (TAKEN, [("caller: Bob\ndiscarded_by: Dee", "caller: Dee\n")], 5, "caller: Dee threw the card"),
        (TAKEN, [("4C 5C}", "4C 5C, calls: 3}")], 5, "caller: Bob has made all 3 calls of this deal"),
        (TAKEN, [("4C 5C}", "4C 5C, laid: true}")], 5, "caller: Bob has laid"),
        (TAKEN, [("hand: 4C 5C", "dropped: true")], 5, "caller: Bob is out of the deal"),
        (TAKEN, [("caller: Bob\n", "")], 4, "caller: the phase decision needs the seat that called"),
        (TAKEN, [("dead: false", "dead: true")], 7, "dead: in phase decision"),
        (TAKEN, [WINDOW, ("dead: false", "dead: true")], 6, "dead: in phase call-window"),
        (TAKEN, [WINDOW, *ALL_LAID], 4, "phase: nobody may call here"),
        (TAKEN, [("4C 5C}", "4C 5C, found_out: true}")], 10, "found_out: over-calls are found out only under"),
        (TAKEN, [("hand: 6C 7C", "calls: 1")], 11, "hand: Cat is in the deal and holds no cards"),
        (TAKEN, [("hand: 6C 7C", 'hand: ""')], 11, "hand: Cat is in the deal and holds no cards"),
        (TAKEN, [DRAW, ("hand: 6C 7C", "hand: null")], 10, "hand: Cat is in the deal and holds no cards"),
        (TAKEN, [WINDOW, ("hand: 2C 3C", "laid: true")], 8, "hand: Ann is in the deal and holds no cards"),
        (FLIPPED, [("4C 5C}", "4C 5C, laid: true}")], 3, "phase: nobody may call here"),
        (FLIPPED, [("4C 5C}", "4C 5C, calls: 3}")], 3, "phase: nobody may call here"),
        (FLIPPED, [("flip-window", "flip-decision\ncaller: Ann")], 4, "caller: Ann is the turn seat"),
        (FLIPPED, [DISCARD_WINDOW, ("2C 3C}", "2C 3C, laid: true}")], 3, "nobody"),
        (NO_CALLS, [("phase: draw", "phase: call-window")], 3, "phase: nobody may call here"),
        (NO_CALLS, [("phase: draw", "phase: decision\ncaller: Bob\ndiscarded_by: null")], 4, "there are no calls"),
    ],
)
def test_a_contradiction_is_an_error_with_its_line(
    text: str, changes: list[tuple[str, str]], line: int, says: str
) -> None:
    with pytest.raises(InputError) as caught:
        stood(changed(text, *changes))
    assert str(caught.value).startswith(f"p.yaml:{line}: "), str(caught.value)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "changes", "phase", "actor"),
    [
        (TAKEN, [], Phase.DECISION, 0),
        (TAKEN, [("caller: Bob", "caller: Cat")], Phase.DECISION, 0),
        (TAKEN, [("caller: Bob", "caller: Dee"), ("discarded_by: Dee", "discarded_by: null")], Phase.DECISION, 0),
        (TAKEN, [("4C 5C}", "4C 5C, calls: 2}")], Phase.DECISION, 0),
        (TAKEN, [("referee: strict", "referee: penalties"), ("4C 5C}", "4C 5C, calls: 3}")], Phase.DECISION, 0),
        (TAKEN, [("2C 3C}", "2C 3C, laid: true}")], Phase.DECISION, 0),
        (TAKEN, [LAID_SEATS_CALL, ("4C 5C}", "4C 5C, laid: true}")], Phase.DECISION, 0),
        (TAKEN, [DRAW, ("dead: false", "dead: true")], Phase.DRAW, 0),
        (TAKEN, [DRAW, *ALL_LAID], Phase.DRAW, 0),
        (TAKEN, [WINDOW], Phase.CALL_WINDOW, 1),
        (TAKEN, [WINDOW, ALL_LAID[0]], Phase.CALL_WINDOW, 1),
        (TAKEN, [WINDOW, ALL_LAID[1]], Phase.CALL_WINDOW, 2),
        (TAKEN, [WINDOW, *ALL_LAID, ("discarded_by: Dee", "discarded_by: null")], Phase.CALL_WINDOW, 3),
        (
            TAKEN,
            [("referee: strict", "referee: penalties"), ("4C 5C}", "4C 5C, calls: 4, found_out: true}")],
            Phase.DECISION,
            0,
        ),
        (TAKEN, [("ruleset: jamaican", "ruleset: trinidad"), ("hand: 6C 7C", "dropped: true")], Phase.DECISION, 0),
        (TAKEN, [OVER, ("hand: 6C 7C", "laid: true")], Phase.OVER, None),
        (FLIPPED, [], Phase.FLIP_WINDOW, 1),
        (FLIPPED, [("flip: 9H", "flip: 9H\ndead: true")], Phase.FLIP_WINDOW, 1),
        (FLIPPED, [("4C 5C}", "4C 5C, calls: 2}")], Phase.FLIP_WINDOW, 1),
        (FLIPPED, [("flip-window", "flip-decision\ncaller: Bob")], Phase.FLIP_DECISION, 0),
        (FLIPPED, [DISCARD_WINDOW], Phase.CALL_WINDOW, 0),
        (NO_CALLS, [], Phase.DRAW, 0),
    ],
)
def test_what_is_next_to_a_contradiction_stands(
    text: str, changes: list[tuple[str, str]], phase: Phase, actor: int | None
) -> None:
    match = stood(changed(text, *changes))
    assert (match.phase, match.actor) == (phase, actor)


@pytest.mark.parametrize("text", [TAKEN, changed(TAKEN, WINDOW), FLIPPED, changed(FLIPPED, DISCARD_WINDOW), NO_CALLS])
def test_standing_up_plays_no_step(text: str) -> None:
    position = read_position(text)
    match = set_up(position)
    deal = match.deal
    assert deal.history == []
    assert deal.flip == position.flip
    assert [tuple(hand) for hand in deal.hands] == [seat.hand for seat in position.seats]
    assert tuple(reversed(deal.pile)) == position.discard


def test_a_contradiction_ends_the_command_with_2(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(changed(TAKEN, WINDOW, *ALL_LAID), encoding="utf-8")
    code, _, err = run("check", file)
    assert (code, err) == (2, f"{file}:4: phase: nobody may call here, so there is no window\n")


RULES: Final = "extends: jamaican\nid: mine\nname: Mine\n"


@pytest.mark.parametrize(
    "named", ["mine.yaml", "./mine.yaml", "{extends: ./mine.yaml}", "jamaican", "{extends: jamaican}"]
)
def test_a_ruleset_is_an_id_or_lies_beside_the_position(named: str, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(RULES, encoding="utf-8")
    file = tmp_path / "p.yaml"
    file.write_text(changed(TAKEN, ("ruleset: jamaican", f"ruleset: {named}")), encoding="utf-8")
    assert load_position(file).rules.ruleset.name == ("Mine" if "mine" in named else "Jamaican Kalooki")


ELSEWHERE: Final = (
    "{folder}/mine.yaml",
    "../mine.yaml",
    "./../mine.yaml",
    "sub/mine.yaml",
    "./sub/../../mine.yaml",
    "/etc/hostname",
)


@pytest.mark.parametrize("form", ["{}", "{{extends: {}}}"])
@pytest.mark.parametrize("path", ELSEWHERE)
def test_no_file_elsewhere_is_opened_for_a_position(form: str, path: str, tmp_path: Path) -> None:
    folder = tmp_path / "positions"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "mine.yaml").write_text(RULES, encoding="utf-8")
    (folder / "sub" / "mine.yaml").write_text(RULES, encoding="utf-8")
    named = form.format(path.format(folder=tmp_path))
    file = folder / "p.yaml"
    file.write_text(changed(TAKEN, ("ruleset: jamaican", f"ruleset: {named}")), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_position(file)
    assert str(caught.value).startswith(f"{file}:1: ")
    assert "neither an id, such as jamaican, nor a file in the same folder" in str(caught.value)


def test_the_flip_is_one_of_the_decks_cards() -> None:
    text = FLIPPED.replace("seats:", "stock: 9H 9H\nseats:", 1)
    with pytest.raises(InputError, match="9H is here more often than the deck has it"):
        read_position(text)
    assert read_position(FLIPPED.replace("seats:", "stock: 9H\nseats:", 1)).flip is not None


def test_a_hand_given_as_a_number_is_dealt_from_the_cards_named_nowhere() -> None:
    text = changed(TAKEN, ("hand: 6C 7C", "hand: 11"), ("hand: 8C 9C", "hand: 9"))
    deal = stood(text).deal
    assert [len(hand) for hand in deal.hands] == [2, 2, 11, 9]
    assert deal.hands == stood(text).deal.hands
    assert deal.hands != stood(f"{text}seed: 2\n").deal.hands
    every = [*deal.stock, *deal.pile, *(card for hand in deal.hands for card in hand)]
    assert sorted(every) == sorted(full_deck(deal.rules.packs, deal.rules.jokers))
    stock = stood(f"{text}stock: 2D 3D\nstock_only: true\n").deal
    assert (len(stock.stock), [len(hand) for hand in stock.hands]) == (2, [2, 2, 11, 9])


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("101", "p.yaml:11: hand: only 100 cards are left for it"),
        ("-1", "p.yaml:11: seats.3.hand must be cards separated by spaces, or how many they are, not -1"),
        ("true", "p.yaml:11: seats.3.hand must be cards separated by spaces, or how many they are, not true"),
        ("0", "Cat is in the deal and holds no cards"),
    ],
)
def test_a_number_of_cards_that_cannot_be_dealt_is_an_error_with_its_line(hand: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        stood(changed(TAKEN, ("hand: 6C 7C", f"hand: {hand}")))
    assert said in str(caught.value)
