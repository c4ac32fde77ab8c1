import random
import re
from collections.abc import Iterator
from typing import Final

import pytest

from kalooki_tui.coach.rated_advice import hint
from kalooki_tui.engine.actions import Action, Allow, BuyIn, Call, Done, Draw, EndTurn, Leave, Pass, Refuse, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.plain.narration import deal_text
from kalooki_tui.plain.orders import prompt_words
from kalooki_tui.presenter.prompts import NOTES, is_due, note_about, prompt_for
from kalooki_tui.presenter.recap import ending, last_call, last_challenge, last_cut, recap
from kalooki_tui.presenter.sentences import log_line, won_words
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.rulesets.loader import load_ruleset, make_settings
from kalooki_tui.wording import FIRST_NAME, Person, does, doing, past, says_of, whom, whose
from tests.property.tables import RULESETS, sensible_action, wild_action

OTHERS: Final = ("Bea", "Cy", "Dee")
#: Steps of a match that is listened to, and at every which of them the hint is.
STEPS: Final = 64
BETWEEN_HINTS: Final = 16
_VERBS: Final = (
    "add", "allow", "are", "begin", "bend", "buy", "call", "challenge", "come", "deal", "discard", "do", "draw", "free",
    "get", "go", "have", "hold", "lay", "leave", "pass", "refuse", "score", "swap", "tack", "take", "throw", "turn",
    "want", "win",
)  # fmt: skip
#: What nobody says of a seat called Ann, and what nobody says to the one called You.
WRONG_OF_ANN: Final = re.compile(rf"\bAnn ({'|'.join(_VERBS)})\b")
_THIRD: Final = r"(?!others\b)(?:is|has|was|does|goes|\w+[^s\W]s|passes)"
WRONG_OF_YOU: Final = re.compile(
    rf"\byou {_THIRD}\b|\byou (?!can|cannot|may|must)[^.;:!]* (?:and|or) {_THIRD}\b(?! (?:left|are|have))|\byou's\b",
    re.IGNORECASE,
)
#: The name inside a sentence, where only its beginning is written with a capital; a list may have it with a number.
CAPITAL_INSIDE: Final = re.compile(r"(?<=[a-z0-9,;♠♥♦♣] )You\b(?! [+-]\d)")


def answers(seat: int) -> Iterator[Action]:
    yield from (kind(seat) for kind in (Call, Pass, Allow, Refuse, EndTurn, Done, BuyIn, Leave))
    yield from (Draw(seat, source) for source in Source)


def told_at(table: Table, dice: random.Random, hints: bool) -> Iterator[str]:
    """Everything that is said at one moment: to each seat, and of what each may not do."""
    match = table.match
    for seat in range(match.rules.seats):
        view = match.view(seat)
        tried = [*answers(seat), *(wild_action(match, dice) for _ in range(6))]
        yield from (why.message for why in map(match.why_not, tried) if why is not None)
        state = TurnState(view, match.why_not)
        yield prompt_for(state, table.plans)[0]
        state.open(view)
        yield prompt_for(state, table.plans)[0]
        yield from (f"{one.whole}." for one in recap(view))
        yield from (last_call(view), last_challenge(view), last_cut(view), ending(view, 200, 3), deal_text(view))
        yield from (note_about(name, view).text for name in NOTES if name != "cut" and is_due(name, view, mine=True))
        yield prompt_words(view, "") if view.legal else ""
        yield from hint(view, worlds=20).steps if hints and view.legal else ()


def told_in(ruleset_id: str, first: str, referee: Referee) -> Iterator[str]:
    """Everything that is said in a match of dice in which the first seat has this name."""
    ruleset, dice = load_ruleset(ruleset_id), random.Random(f"{ruleset_id}/{referee}")
    seats = min(ruleset.seat_counts, key=lambda count: abs(count - 3))
    changes = {"dealer_cut": True} if ruleset.dealer_cut_bonus is not None else {}
    plans = parse_seats([f"{name}=ai:novice" for name in (first, *OTHERS)[:seats]])
    table = Table.open(TableSetup(ruleset, plans, 7, referee, make_settings(ruleset, changes)))
    heard: list[Event] = []
    table.listen(lambda step: heard.extend(step.events))
    match = table.match
    for step in range(STEPS):
        if match.finished:
            break
        if match.actor is None:
            table.next_deal()
        else:
            yield from told_at(table, dice, not step % BETWEEN_HINTS)
            try:
                table.apply(wild_action(match, dice))
            except Refused as refused:
                yield refused.message
        if match.actor is not None:
            table.apply(sensible_action(match, dice))
    lines = (log_line(event, match.names, match.rules) for event in heard)
    yield from (line.text for line in lines if line is not None)


def played() -> list[tuple[str, Referee]]:
    both = [one for one in RULESETS if load_ruleset(one).infractions is not None]
    return [*((one, Referee.STRICT) for one in RULESETS), *((one, Referee.PENALTIES) for one in both)]


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("ruleset_id", "referee"), played())
def test_every_sentence_of_a_match_fits_the_person_it_is_about(ruleset_id: str, referee: Referee) -> None:
    if_you, if_ann = (set(told_in(ruleset_id, first, referee)) for first in (FIRST_NAME, "Ann"))
    assert len(if_you) > 100
    assert len(if_ann) > 100
    assert WRONG_OF_YOU.search("you refuse and takes 5♣")
    assert CAPITAL_INSIDE.search("Bea challenges You: wrongly")
    assert [text for text in if_you if WRONG_OF_YOU.search(text) or CAPITAL_INSIDE.search(text)] == []
    assert [text for text in if_ann if WRONG_OF_ANN.search(text)] == []


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("be", ("is", "are", "was", "being")),
        ("have", ("has", "have", "had", "having")),
        ("take", ("takes", "take", "took", "taking")),
        ("lay", ("lays", "lay", "laid", "laying")),
        ("refuse", ("refuses", "refuse", "refused", "refusing")),
        ("pass", ("passes", "pass", "passed", "passing")),
        ("carry", ("carries", "carry", "carried", "carrying")),
        ("play", ("plays", "play", "played", "playing")),
        ("go out", ("goes out", "go out", "went out", "going out")),
        ("put down", ("puts down", "put down", "put down", "putting down")),
        ("bend the table", ("bends the table", "bend the table", "bended the table", "bending the table")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_verb_in_every_form(verb: str, forms: tuple[str, ...]) -> None:
    assert (says_of("Ann", verb), says_of("You", verb), past(verb), doing(verb)) == forms


def test_a_seat_called_you_is_spoken_to() -> None:
    assert (does("You", "take"), does("You", "take", inside=True), whom("You"), whose("You")) == (
        "You take", "you take", "you", "your",
    )  # fmt: skip
    assert (does("Not-You", "take"), whom("Ann"), whose("Ann")) == ("Not-You takes", "Ann", "Ann's")


def test_a_sentence_that_is_data_names_its_verbs() -> None:
    text = "{name:Want} it; {name:have} laid; it is {name:'s} turn: ask {name}"
    assert text.format(name=Person("You")) == "You want it; you have laid; it is your turn: ask you"
    assert text.format(name=Person("Ann")) == "Ann wants it; Ann has laid; it is Ann's turn: ask Ann"


def test_who_has_won_is_told() -> None:
    assert won_words(["You"]) == "You win the match"
    assert won_words(["Ann"]) == "Ann wins the match"
    assert won_words(["You", "Ann"]) == "You and Ann win the match"
