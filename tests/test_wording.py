"""What the table says in the recorded matches, and the forms of its words."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui.engine.actions import Action, Allow, BuyIn, Call, Done, Draw, EndTurn, Leave, Pass, Refuse, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.permissions import DECISIONS, WINDOWS
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.plain import narration, orders
from kalooki_tui.presenter import prompts, recap, sentences
from kalooki_tui.presenter.turn_state import TurnState, doubling_now
from kalooki_tui.wording import FIRST_NAME, Person, does, doing, past, says_of, whom, whose
from tests.commands import Golden, checksum
from tests.playthroughs.golden import FOLDER, played
from tests.property.tables import wild_action

#: What sentences of one shape differ in: cards, and numbers.
SAME = re.compile(r"(?:10|[2-9AJQK])?[♣♦♥♠★☻]|\b(?:1[0-3]|[1-9A])(?:R|B|Go|Gr)\b|[\d.]+|\bcards?\b")
#: Steps of a record that are looked at; after them, those in which something happens for the first time.
STEPS = 60


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


@pytest.mark.parametrize("first", [FIRST_NAME, "Ann"])
def test_what_is_said_in_recorded_matches(first: str, golden: Golden) -> None:
    """Each shape of sentence is told once, where it comes up first; each fits the person it is about."""
    shapes, told = set[str](), list[str]()
    for path in sorted(FOLDER.glob("*-3*.jsonl" if first == FIRST_NAME else "kooky-3-penalties.jsonl")):
        told.append(f"── {path.stem}")
        whole = list[str]()
        for number, (match, action, events) in enumerate(steps(path)):
            for what, words in said(match, action, events, (first, *match.names[1:])):
                whole.append(f"{number} {what} {words}")
                shape = re.sub(rf"\b({'|'.join(match.names)})\b", "N", f"{what} {words}")
                shape = re.sub("#( #)+", "#", SAME.sub("#", shape))
                if words and shape not in shapes:
                    shapes.add(shape)
                    told.append(f"{number} {what}: {words}")
        told.append(f"── all of it {checksum(''.join(whole))}")
    assert WRONG_OF_YOU.search("you refuse and takes 5♣")
    assert CAPITAL_INSIDE.search("Bea challenges You: wrongly")
    wrong = (WRONG_OF_YOU, CAPITAL_INSIDE) if first == FIRST_NAME else (WRONG_OF_ANN,)
    assert [text for text in told if any(pattern.search(text.partition(": ")[2]) for pattern in wrong)] == []
    if first == FIRST_NAME:
        golden("said", "\n".join(told))


def steps(path: Path) -> Iterator[tuple[Match, Action | None, tuple[Event, ...]]]:
    seen = set[type[Event]]()
    for number, (match, step) in enumerate(played(path), 1):
        new = {type(event) for event in step.events} - seen
        if new or number < STEPS:
            seen |= new
            yield match, step.action, step.events


def said(
    match: Match, action: Action | None, events: tuple[Event, ...], names: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What is said of a step, then to two seats, and of what they may not do."""
    actor, rules, dice = match.actor, match.rules, random.Random(len(match.deal.history))
    seats = dict.fromkeys((actor or 0, ((actor or 0) + 1) % len(names)))
    match = match.clone()
    match.names = match.deal.names = names
    views = [match.view(seat) for seat in seats]
    for line in sentences.log_lines(events, names, rules):
        yield "log", f"{line.text}{' (call)' if line.call else ''}"
    if action is not None:
        yield "step", sentences.step_words(action, names, rules)
        yield "deed", sentences.deed(action, rules.faces)
        yield "better", sentences.better(action, rules.faces, getattr(events[0], "card", None) if events else None)
    for view in views:
        mine = view.seat == actor
        for one in (*recap.recap(view), *recap.fitting(view, 44, 2)):
            yield from (("recap", part) for part in one.whole.split(", "))
        yield "ending", recap.ending(view, 70, 2)
        yield "call", recap.last_call(view)
        yield "challenge", recap.last_challenge(view)
        yield "cut", recap.last_cut(view)
        yield "deal", sentences.deal_words(view)
        yield "doubles", f"{sentences.reminder(view)} | {doubling_now(view)}"
        note = prompts.due_note(view, (), mine=True) if mine else None
        yield "note", "" if note is None else f"{note.text} ({note.clause})"
        yield from asked(view, match)
        state = TurnState(view, match.why_not)
        plans = [SeatPlan(name) for name in names]
        yield "waiting", prompts.prompt_for(state, plans)[0]
        state.open(view)
        yield "prompt", prompts.prompt_for(state, plans)[0]
        yield "hand", prompts.hand_title(state)
        yield "keys", " ".join(prompts.footer_names(state, shared=mine))
        yield "plain", narration.deal_text(view)
        yield "plain prompt", orders.prompt_words(view, "7") if view.legal else ""
        yield "plain again", orders.again_words(view, "It is longer than all that is said again.") if view.legal else ""
        yield "plain hand", narration.hand_text(view, view.hand[1:], view.hand[:1])
        for line in (*narration.plan_text(view).splitlines(), *narration.table_text(view).splitlines()):
            yield "plain table", line
        yield "plain end", narration.deal_over_text(view) if match.deal.phase is Phase.OVER else ""
        for line in typed(view) if mine and view.phase is Phase.PLAY else ():
            try:
                ways = orders.ways_to(match.why_not, view, line)
            except (Refused, NotationError) as error:
                yield f"typed {line.partition(' ')[0]}", f"✕ {error}"
            else:
                yield f"typed {line.partition(' ')[0]}", " / ".join(f"{way[0]}: {way[1]}" for way in ways)
        for tried in (*answers(view.seat), *(wild_action(match, dice) for _ in range(6) if actor is not None)):
            refusal = match.why_not(tried)
            yield "refused", "" if refusal is None else f"{refusal.message} ({refusal.clause} {refusal.charged})"
        yield "slots", "·".join(f"{s.kind and s.kind.name} {s.have} {s.held}/{s.needed}" for s in state.slots())
        for chosen in ((), view.hand[:1], view.hand[1:3]) if mine and view.phase is Phase.PLAY else ():
            state.selected = chosen
            for why in (state.why_lay, state.why_best, state.why_tack, state.why_swap, state.why_discard):
                found = why()
                found = found() if callable(found) else found
                yield f"{why.__name__} {len(chosen)}", "" if found is None else f"{found.message} ({found.clause})"


def typed(view: View) -> Iterator[str]:
    """Orders about a card or two of the hand."""
    first, second, *_ = *view.rules.faces.texts(view.hand).split(), "5C", "6C"
    for what in ("lay", "tack", "swap"):
        yield from (what, f"{what} {first}", f"{what} {first} {second}", f"{what} {second} m2")
    yield from (f"tack {second} high", f"tack {first} m1 low", f"throw {first}")


def asked(view: View, match: Match) -> Iterator[tuple[str, str]]:
    question = None
    if view.phase in WINDOWS:
        question = prompts.whether_to_call(view)
    elif view.phase in DECISIONS:
        question = prompts.whether_to_allow(view)
    elif match.buying:
        question = prompts.whether_to_buy_in(view, match.buying[0])
    elif view.phase is Phase.CUT:
        yield "to cut", prompts.cut_words(view)
    if question is not None:
        parts = [part if isinstance(part, str) else view.rules.faces.symbol(part) for part in question.text]
        ways = " / ".join(f"{way.key} {way.words}" for way in question.ways)
        yield "question", f"{question.title} {''.join(parts)} {ways} ({question.clause})"


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
    assert sentences.won_words(["You"]) == "You win the match"
    assert sentences.won_words(["Ann"]) == "Ann wins the match"
    assert sentences.won_words(["You", "Ann"]) == "You and Ann win the match"
