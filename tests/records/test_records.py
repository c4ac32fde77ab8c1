import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kalooki_tui.engine.rules import Referee
from kalooki_tui.problems import Failure, InputError, SourceLocation, nearest, problem
from kalooki_tui.records.lines import unsealed
from kalooki_tui.records.playback import Replay, verify
from kalooki_tui.records.reader import DoesNotFollow, open_lines, open_record
from kalooki_tui.records.text import CLOSED, replay_json, replay_text
from kalooki_tui.records.writer import Line, RecordHead, dump, in_effect
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.scan import scan_file
from tests.commands import Golden, run
from tests.moments import there
from tests.property.tables import RULESETS
from tests.records.record_play import head_of, load_match, play_record

GAMES = dict.fromkeys(RULESETS, 3) | {"classic": 4, "air-jamaica": 5, "tuluki": 2, "trinidad": 4}
WITH_AN_ELIMINATED_SEAT = Path(__file__).parents[1] / "playthroughs" / "kalookie-40-3.jsonl"


def write(path: Path, lines: list[Line], ending: str = "\n") -> str:
    path.write_text("".join(dump(line) + ending for line in lines), encoding="utf-8")
    return str(path)


def index_of(lines: list[Line], key: str, number: int = 0) -> int:
    return [index for index, line in enumerate(lines) if key in line][number]


@pytest.fixture(scope="module")
def played() -> tuple[RecordHead, list[Line]]:
    head = head_of("jamaican", 3, 5)
    return head, play_record(head, 1100)[0]


@pytest.fixture
def lines(played: tuple[RecordHead, list[Line]]) -> list[Line]:
    return json.loads(json.dumps(played[1]))  # type: ignore[no-any-return]


def games() -> Iterator[RecordHead]:
    for ruleset, seats in GAMES.items():
        settings: dict[str, object] = {"dealer_cut": True} if ruleset in ("baby", "tuluki") else {}
        yield head_of(ruleset, seats, 5, settings=settings)
        if load_ruleset(ruleset).infractions is not None:
            yield head_of(ruleset, seats, 6, Referee.PENALTIES, settings)


@pytest.mark.parametrize("head", games(), ids=lambda head: f"{head.rules.ruleset.id}-{head.rules.referee}")
def test_what_is_written_is_followed_with_its_seed_and_without(head: RecordHead, tmp_path: Path) -> None:
    lines, match = play_record(head, 400)
    path = write(tmp_path / "record", lines)
    verdict = verify(path)
    assert verdict.failure is None, str(verdict)
    assert verdict.lines == len(lines)
    assert not verdict.cut_off
    _, again = load_match(path)
    assert (again.deal.hands, again.deal.stock, again.totals) == (match.deal.hands, match.deal.stock, match.totals)
    assert again.deal.history == match.deal.history
    lines[0]["seed"] = None
    verdict = verify(write(tmp_path / "no-seed", lines))
    assert verdict.failure is None, str(verdict)


def test_a_record_cut_off_is_read_up_to_its_last_whole_line(lines: list[Line], tmp_path: Path) -> None:
    path = tmp_path / "record"
    write(path, lines[:60])
    whole = path.read_bytes()
    last = len(dump(lines[59])) + 1
    for missing in range(1, last + 1):
        path.write_bytes(whole[:-missing])
        verdict = verify(str(path))
        assert verdict.ok, str(verdict)
        # Without its line end alone the last line is whole all the same.
        assert verdict.lines == (60 if missing == 1 else 59)
        assert verdict.cut_off == (1 < missing < last)


def said(lines: list[Line], text: str) -> int:
    return next(index for index, line in enumerate(lines) if text in line.get("do", ""))


def change(lines: list[Line], index: int, **values: object) -> None:
    lines[index] |= values


def change_draw(lines: list[Line], other: Callable[[str], object]) -> None:
    index = index_of(lines, "got")
    change(lines, index, got=other(lines[index]["got"]))


def illegal_move(lines: list[Line]) -> int:
    """Insert a second draw; the number of its line."""
    index = index_of(lines, "got")
    seat = lines[index]["do"].partition(":")[0]
    lines.insert(index + 1, {"do": f"{seat}: draw stock"})
    return index + 2


NO_SCORE: Line = {"scored": {"Ann": 0, "Bob": 0, "Cat": 0}, "out": "Ann", "bent": False, "totals": {}}
Edit = Callable[[list[Line]], object]
FORGED_DRAWS: dict[str, Edit] = {
    "another card": lambda lines: change_draw(lines, lambda got: "JK" if got != "JK" else "2C"),
    "two cards": lambda lines: change_draw(lines, lambda got: f"{got} 2C"),
    "no text": lambda lines: change_draw(lines, lambda got: [got]),
    "got by a pass": lambda lines: change(lines, said(lines, ": pass"), got="7C"),
    "got by a discard": lambda lines: change(
        lines, index := said(lines, ": discard "), got=lines[index]["do"].split()[-1]
    ),
}
EDITS: dict[str, Edit] = FORGED_DRAWS | {
    "a hand": lambda lines: change(lines, 1, hands=lines[1]["hands"] | {"Ann": lines[1]["hands"]["Bob"]}),
    "true for one": lambda lines: change(lines, index_of(lines, "void"), **{"try": True}),
    "one as a fraction": lambda lines: change(lines, 1, deal=1.0),
    "an illegal move": illegal_move,
    "a line left out": lambda lines: lines.pop(index_of(lines, "got")),
    "a wrong score": lambda lines: change(lines, index_of(lines, "void"), **{"try": 7}),
    "a missing score": lambda lines: lines.pop(index_of(lines, "void")),
    "a score out of the blue": lambda lines: lines.insert(5, NO_SCORE),
    "a wrong dealer": lambda lines: change(
        lines, index := index_of(lines, "deal", 1), dealer="Ann" if lines[index]["dealer"] != "Ann" else "Bob"
    ),
    "a wrong reshuffle": lambda lines: change(
        lines, index := index_of(lines, "reshuffled"), reshuffled=" ".join(lines[index]["reshuffled"].split()[::-1])
    ),
    "a second deal at once": lambda lines: lines.insert(2, lines[1]),
    "a claimed refusal": lambda lines: change(lines, index_of(lines, "got"), refused="draw.laid"),
    "passed over too early": lambda lines: lines.insert(index_of(lines, "void") + 1, {"passed_over": 1}),
}


def test_a_draw_need_not_say_its_card(lines: list[Line], tmp_path: Path) -> None:
    without = [{key: value for key, value in line.items() if key != "got"} for line in lines]
    assert without != lines
    assert verify(write(tmp_path / "record", without)).ok


def test_a_number_and_a_truth_are_not_the_same_however_deep(tmp_path: Path) -> None:
    record = (Path(__file__).parents[1] / "playthroughs" / "baby-3.jsonl").read_text(encoding="utf-8")
    for key in ("scored", "totals", "bent"):
        lines = [json.loads(line) for line in record.splitlines()]
        number = next(number for number, line in enumerate(lines) if 0 in line.get("scored", {}).values())
        within, name = lines[number], key
        if key != "bent":
            within, name = within[key], next(name for name, points in within[key].items() if points in (0, 1))
        within[name] = int(within[name]) if key == "bent" else bool(within[name])
        failure = there(verify(write(tmp_path / "record", lines)).failure)
        assert (failure.place.line, failure.message.startswith(f"{key} is ")) == (number + 1, True)


def test_the_same_cards_in_another_order_are_other_deals_but_the_same_hands(lines: list[Line], tmp_path: Path) -> None:
    hands = lines[1]["hands"]
    hands["Ann"] = " ".join(sorted(hands["Ann"].lower().split()))
    assert verify(write(tmp_path / "hands", lines[:20])).ok
    lines[1]["stock"] = " ".join(sorted(lines[1]["stock"].split()))
    assert not verify(write(tmp_path / "stock", lines[:20])).ok


def test_without_a_seed_a_deal_must_be_the_whole_deck_and_a_reshuffle_the_pile(
    lines: list[Line], tmp_path: Path
) -> None:
    lines[0]["seed"] = None
    index, dealt = index_of(lines, "reshuffled"), lines[1]["stock"]
    first, *others = lines[index]["reshuffled"].split()
    lines[index]["reshuffled"] = " ".join(["JK" if first != "JK" else "2C", *others])
    verdict = verify(write(tmp_path / "record", lines))
    assert "not the discard pile" in there(verdict.failure).message
    lines[1]["stock"] = dealt.rpartition(" ")[0]
    failure = there(verify(write(tmp_path / "record", lines)).failure)
    assert ("not the whole deck" in failure.message, failure.place.line) == (True, 2)
    played = [unsealed(json.loads(line)) for line in WITH_AN_ELIMINATED_SEAT.read_text().splitlines()]
    assert verify(write(tmp_path / "eliminated", [played[0] | {"seed": None}, *played[1:]])).ok


HEADS: list[dict[str, object]] = [
    {"kalooki": ...}, {"kalooki": 2}, {"kalooki": True}, {"kalooki": [[]]}, {"rules": ..., "ruleset": "jamacian"},
    {"rules": ..., "ruleset": ...}, {"rules": ...}, {"rules": []}, {"rules": {"id": "x"}}, {"ruleset": ...},
    {"ruleset": "classic"}, {"ruleset": 7}, {"seats": [{"name": "Ann"}, {"name": "Bob", "player": " "}]},
    {"settings": {"max_redeals": True}}, {"settings": None}, {"settings": {"dealer_cut": True}}, {"first_turn": True},
    {"first_turn": "Bob"}, {"options": [True]}, {"options": None}, {"options": ["\x1b[31m"]}, {"seats": ...},
    {"seats": [{"name": "Ann"}]}, {"seats": [{"name": "A  B"}, {"name": "Bob"}, {"name": "Cat"}]},
    {"seats": "Ann Bob Cat"}, {"seats": [{"name": name, "player": "\x1b[31m"} for name in "ABC"]}, {"seed": "7"},
    {"seed": None}, {"referee": "mild"}, {"referee": ...}, {"started": 7}, {"home": "\x1b"}, {"duplicate": [7]},
]  # fmt: skip
#: Lines by their number, which end a record.
LINES = [
    (1, b""), (1, b"\n"), (1, b'{"a": "\x01"}'), (1, b"x" * 2_000_000), (1, b'{"kalooki": 1}\n'), (1, b"[]\n"),
    (1, b'{"kalooki": 1, "seed": NaN}\n'), (1, b'{"seed": 2, "kalooki": 1, "kalooki": 1}\n'), (1, b'{"n": "\xff"}\n'),
    (3, b'{"do": "Ann: pass", "do": "Ann: pass"}\n'), (3, b'{"hello": 1}\n'), (3, b'{"do": 7}\n'),
    (3, b'{"do": "Ann: fly"}\n'), (3, b'{"do": "Dan: draw stock"}\n'), (3, b'{"do": "Ann: pass"'), (3, b"\n\n"),
    (3, b"x" * 2_000_000), (3, b'{"undone": 1}\n'), (3, b'{"undone": true}\n'), (3, b'{"last_deal": 2}\n'),
    (3, b'{"last_deal": 1}\n'), (3, b'{"seat": "Ann", "name": "Bob", "player": "human"}\n'),
    (3, b'{"seat": "Ann", "name": "Zoe", "player": ""}\n'), (3, b'{"seat": "Zoe", "name": "Ann", "player": "ai"}\n'),
    (3, b'{"seat": "Ann", "name": "Zoe", "player": "ai:x"}\n'), (3, b'{"passed_over": 1}\n'), (3, b'{"result": 1}\n'),
    (2, b'{"do": "Ann: pass"}\n'), (2, b'{"do": "Ann: cut 41"}\n'), (2, b'{"undone": 1}\n'), (2, b'{"last_deal": 1}\n'),
    (2, b'{"seat": "Ann", "name": "Zoe", "player": "ai:club"}\n'), (2, b'{"passed_over": 1}\n'),
]  # fmt: skip


def told_of(path: Path) -> str:
    """What is said of a record by verifying it, and by the list of matches."""
    try:
        found = verify(str(path))
        says = f"{found.state}: {found}"
    except InputError as error:
        says = str(error)
    try:
        scan = scan_file(path)
        listed = f"{scan.lines} lines, torn {scan.torn}: {scan.problem}"
    except StoreError as error:
        listed = str(error)
    return f"{says}; {listed}".replace(str(path), path.name)


def test_what_is_said_of_records_that_are_wrong(golden: Golden, lines: list[Line], tmp_path: Path) -> None:
    path, told = tmp_path / "record", list[str]()
    for seed, edits in ((lines[0]["seed"], EDITS), (None, EDITS)):
        for name, edit in edits.items():
            edited = json.loads(json.dumps([lines[0] | {"seed": seed}, *lines[1:]]))
            edit(edited)
            write(path, edited)
            told.append(f"{name}, seed {seed}: {told_of(path)}")
    for changes in HEADS:
        head = {key: value for key, value in (lines[0] | changes).items() if value is not ...}
        write(path, [head, *lines[1:9]])
        told.append(f"{changes}: {told_of(path)}")
    for number, content in LINES:
        write(path, lines[: number - 1])
        path.write_bytes(path.read_bytes() + content)
        told.append(f"{number} {content[:60]!r}: {told_of(path)}")
    golden("records", "\n".join(told))


def test_the_verify_command(lines: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(tmp_path / "good", lines)
    illegal_move(lines)
    edited = write(tmp_path / "edited", lines)
    assert run(capsys, "verify", good)[0] == 0
    code, out, _ = run(capsys, "verify", good, edited)
    assert code == 1
    assert "every line follows" in out
    assert "is refused: turn.wrong-phase" in out
    code, _, err = run(capsys, "verify", good, str(tmp_path / "none"))
    assert code == 2
    assert "no such file" in err
    code, out, _ = run(capsys, "verify", "--json", good, edited)
    assert code == 1
    assert [file["ok"] for file in json.loads(out)["files"]] == [True, False]


def test_the_replay_command(lines: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(tmp_path / "good", lines)
    code, out, _ = run(capsys, "replay", "--open", good)
    assert code == 0
    assert out.startswith("Jamaican Kalooki, strict referee, seed 5: Ann (human), Bob (human), Cat (human)\n")
    assert "    contract: 3 threes" in out
    got = lines[index_of(lines, "got")]
    assert f"{got['do']} ({got['got']})" in out
    code, out, _ = run(capsys, "replay", "--open", "--json", good)
    data = json.loads(out)
    assert code == 0
    assert data["error"] is None
    assert len(data["steps"]) == len(lines) - 1
    assert data["steps"][0]["record"] == lines[1]
    line = illegal_move(lines)
    edited = write(tmp_path / "edited", lines)
    code, out, err = run(capsys, "replay", edited)
    assert code == 1
    assert f"{edited}:{line}: " in err
    code, out, _ = run(capsys, "replay", "--json", edited)
    assert code == 1
    assert f"{edited}:{line}: " in json.loads(out)["error"]
    assert run(capsys, "replay", str(tmp_path))[0] == 2


#: Games of which a record is kept as it is written and shown, and the actions of each.
SHOWN = {
    ("tuluki", 2, Referee.PENALTIES, True): 20, ("kalookie-40", 3, Referee.STRICT, False): 30,
    ("air-jamaica", 3, Referee.PENALTIES, False): 45, ("baby", 3, Referee.STRICT, True): 0,
}  # fmt: skip


def test_records_as_they_are_written_and_shown(golden: Golden) -> None:
    """Lines of the record, then as people and programs are shown it; taken back at the end, and with another name."""
    told = list[str]()
    for (ruleset, seats, referee, cut), steps in SHOWN.items():
        head = head_of(ruleset, seats, 7, referee, {"dealer_cut": True} if cut else {})
        lines, _ = play_record(head, steps)
        told += [dump({key: value for key, value in line.items() if key != "rules"}) for line in lines]
        last = last_action(lines) if steps else 0
        lines += [{"undone": len(lines) - last}] * bool(steps) + [{"last_deal": 1}]
        lines += [{"seat": "Ann", "name": "Zoe", "player": "ai:club"}]
        for opens in (False, True):
            told += replay_text(Replay(open_lines("it", map(dump, lines))), open_hands=opens)
            data = json.loads("".join(replay_json(Replay(open_lines("it", map(dump, lines))), open_hands=opens)))
            shown = [step for step in data.pop("steps") if "refused" in step or step["line"] % 25 == 0]
            told += [str({**data, "head": [*data["head"]]}), *map(str, shown)]
    golden("records-shown", "\n".join(told))


def test_the_deal_that_goes_on_is_shown_only_where_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played, match = play_record(head_of("baby", 3, 5), 5000)
    assert match.finished
    third = index_of(played, "deal", 2)
    going, over = write(tmp_path / "going", played[: third + 30]), write(tmp_path / "over", played)
    _, out, _ = run(capsys, "replay", going)
    assert "seed" not in out.splitlines()[0]
    assert out.splitlines()[-1] == CLOSED
    assert out.casefold().count("contract: ") == 2
    assert run(capsys, "replay", "--open", going)[1].casefold().count("contract: ") == 3
    _, out, _ = run(capsys, "replay", "--json", going)
    data = json.loads(out)
    assert ("seed" in data["head"], data["closed"], len(data["steps"])) == (False, True, third - 1)
    _, out, _ = run(capsys, "replay", "--json", over)
    data = json.loads(out)
    assert (data["head"]["seed"], data["closed"], len(data["steps"])) == (5, False, len(played) - 1)
    # Between two deals nothing has to be hidden.
    between = write(tmp_path / "between", played[:third])
    out = run(capsys, "replay", between)[1]
    assert CLOSED not in out
    assert out.casefold().count("contract: ") == 2


HEAD: dict[str, Any] = {
    "kalooki": 1,
    "ruleset": "jamaican",
    "seed": 3,
    "seats": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cat"}],
}


def error_of(path: str) -> str:
    with pytest.raises(InputError) as caught:
        verify(path)
    return str(caught.value)


@pytest.mark.parametrize(
    "error", [problem("is none", SourceLocation("it", 3)), DoesNotFollow(Failure(SourceLocation("it", 3), "no"))]
)
def test_what_another_process_found_wrong_is_the_same_here(error: InputError) -> None:
    there = pickle.loads(pickle.dumps(error))
    assert (type(there), str(there), there.problems) == (type(error), str(error), error.problems)


def test_a_folder_is_no_record_and_that_is_said_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        open_record(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder, not a record"


@pytest.mark.parametrize("how", ["absolute", "relative", "here", "nowhere"])
def test_a_record_names_no_file_to_be_opened(how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.yaml").write_text("extends: jamaican\nid: mine\nname: Mine\n")
    monkeypatch.chdir(tmp_path)
    name = {
        "absolute": str(tmp_path / "mine.yaml"),
        "relative": "./mine.yaml",
        "here": "mine.yaml",
        "nowhere": "/nowhere/at/all",
    }[how]
    path = write(tmp_path / "record", [HEAD | {"ruleset": name}])
    assert error_of(path).startswith(f"{path}:1: there is no ruleset ")


def test_the_id_of_an_installed_ruleset_is_enough(tmp_path: Path) -> None:
    assert verify(write(tmp_path / "record", [HEAD])).ok


def test_a_ruleset_of_ones_own_is_found_and_where_it_is_broken_the_record_is_named(tmp_path: Path) -> None:
    own = tmp_path / "rulesets" / "mine.yaml"
    own.parent.mkdir()
    own.write_text("extends: jamaican\nid: mine\nname: Mine\n")
    path = write(tmp_path / "record", [HEAD | {"ruleset": "mine"}])
    assert verify(path).ok
    own.write_text("extends: jamaican\nid: mine\nnam: Mine\n")
    assert error_of(path).startswith(f"{path}:1: the ruleset mine cannot be used: {own}:3: ")
    # A file of two endings would have an id that is read as a path.
    own.with_name("jamaican.yaml.yaml").write_text("extends: jamaican\n")
    path = write(tmp_path / "record", [HEAD | {"ruleset": "jamaican.yaml"}])
    assert error_of(path).startswith(f"{path}:1: there is no ruleset 'jamaican.yaml'")


def last_action(lines: list[dict[str, object]]) -> int:
    return max(index for index, line in enumerate(lines) if "do" in line)


@pytest.fixture
def head() -> RecordHead:
    return head_of("jamaican", 3, 5)


def test_only_a_pass_is_made_for_a_person(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 30)
    passes = next(index for index, line in enumerate(lines) if str(line.get("do")).endswith(": pass"))
    for value, follows in ((True, True), (1, False), (False, False), ("yes", False)):
        lines[passes]["unasked"] = value
        assert verify(write(tmp_path / "pass", lines)).ok is follows, value
    draws = next(index for index, line in enumerate(lines) if "draw" in str(line.get("do")))
    lines[passes]["unasked"], lines[draws]["unasked"] = True, True
    assert not verify(write(tmp_path / "draw", lines)).ok


def test_a_count_that_is_none_is_refused_with_its_line_and_taking_back_is_shown(
    head: RecordHead, tmp_path: Path
) -> None:
    lines, _ = play_record(head, 5)
    for count in (True, "2", None):
        with pytest.raises(ValueError, match=f":{len(lines) + 1}: undone"):
            verify(write(tmp_path / "record", [*lines, {"undone": count}]))
    # Nothing reaches back before the cards were dealt.
    for count in (0, -1, len(lines) - 1, 10_000_000):
        failure = verify(write(tmp_path / "record", [*lines, {"undone": count}])).failure
        assert failure.place.line == len(lines) + 1
    record = open_record(write(tmp_path / "record", [*lines, {"undone": 1}]))
    with record.stream:
        told = list(replay_text(Replay(record), open_hands=True))
    assert told[-1] == "Taken back: the record's last line."


def test_what_was_taken_back_no_longer_counts(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 30)
    first = last_action(lines)
    before = load_match(write(tmp_path / "before", lines[:first]))[1]
    undone = [*lines, {"undone": len(lines) - first}]
    after = load_match(write(tmp_path / "after", undone))[1]
    assert (after.deal.hands, after.deal.stock, after.actor) == (before.deal.hands, before.deal.stock, before.actor)
    assert after.deal.history == before.deal.history
    assert verify(write(tmp_path / "redone", [*undone, *lines[first:]])).ok


def test_taking_back_twice_counts_only_lines_in_effect(head: RecordHead, tmp_path: Path) -> None:
    lines, _ = play_record(head, 30)
    last = last_action(lines)
    one_before = last_action(lines[:last])
    undone = [*lines, {"undone": len(lines) - last}, {"undone": last - one_before}, *lines[one_before:]]
    assert verify(write(tmp_path / "record", undone)).ok
    too_far = [*undone[:-2], {"undone": len(lines)}]
    assert not verify(write(tmp_path / "too-far", too_far)).ok


@pytest.mark.parametrize(
    ("at", "undone", "follows"), [("deal", 3, False), ("reshuffled", 1, False), ("reshuffled", 2, True)]
)
def test_only_whole_actions_of_this_deal_are_taken_back(at: str, undone: int, follows: bool, tmp_path: Path) -> None:
    lines, _ = play_record(head_of("baby", 3, 4), 2000)
    line = [index for index, line in enumerate(lines) if at in line][at == "deal"]
    assert verify(write(tmp_path / "before", lines[: line + 1])).ok
    verdict = verify(write(tmp_path / "record", [*lines[: line + 1], {"undone": undone}]))
    assert verdict.ok is follows
    assert verdict.failure is None or verdict.failure.place.line == line + 2


def test_lines_taken_back_are_not_in_effect() -> None:
    steps = [{"do": f"Ann: {text}"} for text in ("draw stock", "discard 5C", "pass", "call")]
    assert in_effect([*steps[:3], {"undone": 1}, steps[3]]) == [*steps[:2], steps[3]]
    assert in_effect([*steps, {"undone": 3}]) == steps[:1]


@pytest.mark.parametrize(
    ("name", "said"),
    [("kalook", "did you mean 'kalookie'?"), ("kaloo", "choose from: id, kalookie"), ("ids", "did you mean 'id'?")],
)
def test_a_name_is_near_where_a_third_of_it_differs(name: str, said: str) -> None:
    assert nearest(name, ["kalookie", "id"]) == f"; {said}"
