import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from kalooki_tui.cards import FRENCH
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import Drew, Event, PenaltyCard
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import CODES
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.action_text import parse_action, parse_answer, print_action
from kalooki_tui.notation.card_text import parse_group
from kalooki_tui.notation.messages import ask_message, hello_message, seen_by
from kalooki_tui.players import make_player
from kalooki_tui.positions.position_files import OUTCOMES, Expectations, PositionKeys, SeatAt, read_position
from kalooki_tui.positions.staging import check_position, set_up
from kalooki_tui.records.playback import KINDS, verify
from tests.property.tables import redeal_hidden, start_match


@cache
def spy(ruleset: str, seats: int, referee: Referee) -> list[tuple[Match, int, str]]:
    """A match of novices with, at each decision, a copy of the match, the seat asked and the message it would get."""
    match = start_match(ruleset, seats, 11, referee, cut=True)
    players = [make_player("novice", f"spy {seat}") for seat in range(seats)]
    moments: list[tuple[Match, int, str]] = []
    deals = 0
    while not match.finished and deals < 2:
        seat = match.actor
        if seat is None:
            match.next_deal()
            deals += 1
            continue
        view = match.view(seat)
        moments.append((match.clone(), seat, json.dumps(ask_message(view, match.deal.history))))
        match.apply(players[seat].decide(view).action)
    return moments


@pytest.mark.parametrize("referee", list(Referee))
@pytest.mark.parametrize(("ruleset", "seats"), [("jamaican", 4), ("tuluki", 2), ("trinidad", 3), ("kooky", 3)])
def test_no_message_changes_with_the_hidden_cards(ruleset: str, seats: int, referee: Referee) -> None:
    dice = random.Random(1)
    moments = spy(ruleset, seats, referee)
    assert len(moments) > 100
    dealt = [moment for moment in moments if moment[0].deal.pile]  # before the cut nothing is
    for match, seat, message in dice.sample(dealt, 60):
        again = redeal_hidden(match, seat, dice)
        assert json.dumps(ask_message(again.view(seat), again.deal.history)) == message


@pytest.mark.parametrize("referee", list(Referee))
def test_calls_are_told_by_the_strict_referee_only(referee: Referee) -> None:
    message = json.loads(spy("jamaican", 3, referee)[5][2])
    assert all(("calls" in seat) == (referee is Referee.STRICT) for seat in message["seats"])


def test_every_option_is_an_answer_that_is_accepted() -> None:
    asked = set()
    for match, seat, text in random.Random(2).sample(spy("air-jamaica", 4, Referee.PENALTIES), 80):
        message = json.loads(text)
        asked.add(message["ask"])
        for option in message["options"]:
            action = parse_answer(option, seat, match.names, match.rules.faces)
            assert match.why_not(action) is None
    assert {"call", "draw", "play", "decide"} <= asked


def test_an_ask_holds_what_the_reference_says() -> None:
    match = start_match("jamaican", 3, 5)
    seat = match.actor
    faces = match.rules.faces
    message = ask_message(match.view(seat), match.deal.history)
    names = "ask deal contract hand discard stock table seats turn dealer phase options events"
    assert list(message) == names.split()
    assert message["ask"] == "call"
    assert message["contract"] == {"sets": 3, "runs": 0}
    assert message["hand"] == faces.texts(match.deal.hands[seat])
    assert message["discard"] == faces.text(match.deal.pile[-1])
    assert message["stock"] == len(match.deal.stock)
    assert message["options"] == ["pass", "call"]
    assert message["seats"][0] == {"name": "A", "cards": 9, "calls": 0, "laid": False, "total": 0}
    hello = hello_message(match.view(seat))
    assert hello["rules"]["id"] == "jamaican"
    assert hello["settings"]["max_redeals"] is None


def test_melds_points_and_money_are_told() -> None:
    moments = spy("kalookie-40", 3, Referee.STRICT)
    message = next(json.loads(text) for _, _, text in moments if json.loads(text)["table"])
    assert message["contract"] == {"points": 40}
    assert message["pool"] == 30
    assert message["seats"][0]["money"] == -10
    assert set(message["table"][0]) == {"meld", "owner", "kind", "cards"}
    assert message["table"][0]["meld"] == "m1"


@pytest.mark.parametrize("event", [Drew(1, Source.STOCK, 5), PenaltyCard(1, 5)])
def test_a_seat_sees_the_cards_it_drew_itself(event: Event) -> None:
    assert seen_by(1, event) == event
    assert seen_by(0, event).card is None  # type: ignore[union-attr]


ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")


TULUKI: Final = """\
ruleset: tuluki
referee: penalties
turn: Bob
phase: flip-decision
flip: 8C
caller: Ann
dead: true
seats:
  - {name: Ann, hand: 2C, penalties: 50}
  - {name: Bob, hand: 3C, bend_forbidden: true}
"""


def rows_under(heading: str) -> list[list[str]]:
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
    return [row for row in cells if row[0] and not row[0].startswith("---")]


def first_words(heading: str) -> list[str]:
    return [word for row in rows_under(heading) for word in re.findall(r"`([^`]+)`", row[0])]


@pytest.mark.parametrize("text", [word.replace("\\|", "|") for word in first_words("Actions")])
def test_every_action_is_read_and_written_as_it_stands(text: str) -> None:
    names = ("Ann", "Bob", "Cat")
    assert print_action(parse_action(text, names, FRENCH), names, FRENCH) == text


def test_every_kind_of_action_is_there() -> None:
    names = ("Ann", "Bob", "Cat")
    kinds = {type(parse_action(text.replace("\\|", "|"), names, FRENCH)) for text in first_words("Actions")}
    assert len(kinds) == 15


def test_every_code_is_there_with_its_clauses() -> None:
    documented = {row[0].strip("`"): f"{row[1]}: {row[2]}" for row in rows_under("Refusals")[1:]}
    assert documented == CODES


def test_codes_in_the_engine_are_registered_and_the_other_way_round() -> None:
    engine = ROOT / "kalooki_tui" / "engine"
    quoted = {
        code
        for path in engine.glob("*.py")
        if path.name != "refusals.py"
        for code in re.findall(r'"((?:[a-z]+)\.[a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    assert quoted == set(CODES)


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
def test_every_position_holds(text: str) -> None:
    assert check_position(read_position(text, "notation.md")) is None


def test_every_key_of_a_position_is_there() -> None:
    part = PAGE.partition("\n## Positions\n")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`([a-z_]+)`", part))
    assert set(PositionKeys.__struct_fields__) <= set(first_words("Positions"))
    assert set(Expectations.__struct_fields__) <= set(first_words("Positions"))
    assert set(SeatAt.__struct_fields__) <= documented
    assert all(f"`{outcome}:`" in part for outcome in OUTCOMES)


def test_the_record_follows_its_seed(tmp_path: Path) -> None:
    (example,) = re.findall(r"```jsonl\n(.*?)```", PAGE, re.DOTALL)
    file = tmp_path / "example.jsonl"
    file.write_text(example.replace(', "rules": {…}', ""), encoding="utf-8")
    verdict = verify(str(file))
    assert verdict.ok, str(verdict)
    assert verdict.lines == len(example.splitlines()) > 5


def test_every_line_of_a_record_is_there() -> None:
    assert {"kalooki", *KINDS} == set(first_words("Records"))


def test_every_key_that_a_program_is_told_is_there() -> None:
    part = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8").partition("\n## What the program reads\n")[2]
    stakes = (ROOT / "tests" / "positions" / "P2_kalookie.yaml").read_text(encoding="utf-8")
    for content in (stakes, TULUKI):
        view = set_up(read_position(content)).view(1)
        message: dict[str, Any] = ask_message(view, ())
        keys = {*hello_message(view), *message, *(key for seat in message["seats"] for key in seat)}
        assert {key for key in keys if f'"{key}"' not in part and f"`{key}`" not in part} == set()


def test_the_melds_are_read() -> None:
    for text in ("5C JK 7C 8C", "run: 8C JK JK JK"):
        assert f"`{text}`" in PAGE
        assert len(parse_group(text, FRENCH).cards) == 4
