import json
import random
from collections.abc import Iterator

import pytest

from kalooki_tui.cards import FRENCH, JOKER, Card, Faces
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.events import Event, public
from kalooki_tui.engine.melds import judge_run
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.notation.event_text import print_event
from kalooki_tui.notation.judgement import arrange_run, judge
from kalooki_tui.rulesets.loader import load_ruleset
from tests.commands import run
from tests.records.record_play import NAMES, head_of, play_record


@pytest.mark.parametrize(
    ("ruleset", "cards", "is_set", "is_run", "codes"),
    [
        ("jamaican", "5C JK 7C 8C", False, True, ["set.rank"]),
        ("jamaican", "5C 5D 5C", True, False, ["run.suit"]),
        ("jamaican", "9C JK JK", False, False, ["set.naturals", "run.size"]),
        ("jamaican", "5C JK JK 8C", False, False, ["set.rank", "run.kiss"]),
        ("jamaican", "KC AC 2C 3C", False, False, ["set.rank", "run.wrap"]),
        ("trinidad", "9C JK JK JK", True, True, []),
        ("kalookie-40", "5C 5D 5H 5S", True, False, ["run.suit"]),
        ("kalookie-40", "5C 5D 5D", False, False, ["set.suit-repeated", "run.suit"]),
        ("kooky", "10g 11g 12g 13g", False, True, ["set.rank"]),
        ("air-jamaica", "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC", False, False, ["set.rank", "run.length"]),
    ],
)
def test_meld_as_json(
    ruleset: str, cards: str, is_set: bool, is_run: bool, codes: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "meld", "--ruleset", ruleset, "--json", cards)
    data = json.loads(out)
    assert code == 0
    assert data["cards"] == load_ruleset(ruleset).faces.texts(parse_cards(cards, load_ruleset(ruleset).faces))
    assert (data["set"], data["run"]) == (is_set, is_run)
    assert [refusal["code"] for refusal in data["refusals"]] == codes
    assert all(refusal["clause"] and refusal["message"] for refusal in data["refusals"])


def test_one_line_a_group(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "meld", "5C JK 7C 8C", "9C JK JK", "5C 5D 5H")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "5C JK 7C 8C: a run (four)"
    assert lines[1].startswith("9C JK JK: neither a set (three) nor a run (four). ")
    assert "(set.naturals, M7)" in lines[1]
    assert lines[2] == "5C 5D 5H: a set (three)"


def test_any_order_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "meld", "--any-order", "--json", "8C 5C JK 7C")[1])["cards"] == "5C JK 7C 8C"
    assert json.loads(run(capsys, "meld", "--any-order", "--json", "JK 8C 7C 6C")[1])["cards"] == "6C 7C 8C JK"
    circle = ("meld", "--ruleset", "tests/solver/circle.yaml", "--any-order", "--json")
    for cards, arranged in (("JK 3C 2C AC", "AC 2C 3C JK"), ("2C KC AC QC", "QC KC AC 2C"), ("AC JK KC", "KC AC JK")):
        assert json.loads(run(capsys, *circle, cards)[1])["cards"] == arranged
    assert json.loads(run(capsys, "meld", "--json", "8C 5C JK 7C")[1])["run"] is False
    _, out, _ = run(capsys, "meld", "--option", "one-joker-fours", "--json", "5C JK 7C JK")
    assert [refusal["code"] for refusal in json.loads(out)["refusals"]] == ["set.rank", "run.jokers"]


def runs_of(ruleset_id: str) -> Iterator[tuple[Card, ...]]:
    ruleset = load_ruleset(ruleset_id)
    chance = random.Random(1)
    for _ in range(300):
        low = chance.randint(1, 11)
        length = chance.randint(ruleset.runs.minimum, 15 - low) if 15 - low >= ruleset.runs.minimum else 0
        suit = chance.randrange(4)
        run = tuple(
            JOKER if chance.random() < 0.2 else suit * 13 + (position - 1) % 13 for position in range(low, low + length)
        )
        if run and judge_run(ruleset, run) is None:
            yield run


@pytest.mark.parametrize("ruleset_id", ["jamaican", "air-jamaica", "trinidad", "kalookie-40"])
def test_a_shuffled_run_is_arranged_into_a_run_of_the_same_cards(ruleset_id: str) -> None:
    ruleset = load_ruleset(ruleset_id)
    runs = list(runs_of(ruleset_id))
    assert len(runs) > 50
    for cards in runs:
        shuffled = random.Random(2).sample(cards, len(cards))
        arranged = arrange_run(ruleset, shuffled)
        assert arranged is not None, FRENCH.texts(cards)
        assert sorted(arranged) == sorted(cards)
        assert judge(ruleset, shuffled, any_order=True).no_run is None


def test_what_is_no_run_in_any_order_is_left_as_it_is() -> None:
    ruleset = load_ruleset("jamaican")
    for text in ("5C 5C 6C 7C", "5C 6C 7C 9D", "JK JK JK JK", "5C JK 9C 10C", "AC AC 2C 3C"):
        cards = parse_cards(text, FRENCH)
        assert arrange_run(ruleset, cards) is None
        assert judge(ruleset, cards, any_order=True).cards == cards


def all_events() -> Iterator[tuple[Faces, Event]]:
    for ruleset, seats in (("jamaican", 3), ("tuluki", 2), ("kooky", 3), ("trinidad", 4), ("kalookie-40", 3)):
        _, match = play_record(head_of(ruleset, seats, 3), 400)
        yield from ((match.rules.faces, event) for event in match.deal.history)


def test_every_event_is_one_line() -> None:
    for faces, event in all_events():
        text = print_event(event, NAMES, faces)
        assert text
        assert "\n" not in text


SEAT_EVENTS: list[tuple[Event, str]] = [
    (happened.Discarded(2, 32), "Cat: discard 7H"),
    (happened.Drew(0, Source.STOCK, 32), "Ann: draw stock (7H)"),
    (happened.Drew(0, Source.DISCARD, 32), "Ann: draw discard (7H)"),
    (happened.Called(1, 32), "Bob: call (7H)"),
    (happened.CallAllowed(0, 1, 32, asked=True), "Ann: allow (Bob takes 7H)"),
    (happened.PenaltyCard(1, 32), "Bob: takes a penalty card (7H)"),
    (happened.Charged(1, 50, "F2"), "Bob: is charged 50 points (F2)"),
    (happened.WentOut(0, bent=True), "Ann: goes out and bends the table"),
    (happened.Eliminated(0), "Ann: is eliminated"),
    (happened.SeatLeft(0), "Ann: leave"),
    (happened.BoughtIn(0, 94), "Ann: buy-in (at 94 points)"),
    (happened.AddedOn(0), "Ann: done"),
    (happened.CutMade(2, 27, exact=True), "Cat: cut (exact)"),
    (happened.Challenged(0, 1, 2, already=False), "Ann: challenge Bob (2 over-calls found)"),
    (happened.Challenged(0, 1, 0, already=True), "Ann: challenge Bob (charged already)"),
    (happened.Challenged(0, 1, 0, already=False), "Ann: challenge Bob (nothing found)"),
    (happened.DroppedOut(1, (32, 33)), "Bob: drops out of the deal (7H 8H)"),
    (happened.Reshuffled(2, (32, 33)), "reshuffled: 2 cards (7H 8H)"),
    (happened.Voided(4, 2), "void: deal 4, try 2"),
    (happened.Voided(4, 2, 200), "void: deal 4, try 2, 200 turns"),
    (
        happened.PassedOver(4, (0, 50, 0), (1, 52, 3)),
        "passed over: deal 4; Ann 0, Bob 50, Cat 0; totals Ann 1, Bob 52, Cat 3",
    ),
    (happened.Paid("pool", (30, 0, 0), -30), "paid (pool): Ann 30, Bob 0, Cat 0; pool -30"),
    (happened.MatchOver((0, 1), (3, 3, 9)), "result: Ann and Bob won; totals Ann 3, Bob 3, Cat 9"),
]


@pytest.mark.parametrize(("event", "line"), SEAT_EVENTS)
def test_lines_of_events(event: Event, line: str) -> None:
    assert print_event(event, ("Ann", "Bob", "Cat"), FRENCH) == line


@pytest.mark.parametrize("hidden", [event for event, _ in SEAT_EVENTS if public(event) != event])
def test_a_public_event_says_nothing_that_is_hidden(hidden: Event) -> None:
    line = print_event(public(hidden), ("Ann", "Bob", "Cat"), FRENCH)
    assert "7H" not in line
    assert "8H" not in line
