"""The same cards for several people: who has played what, the next one's table, results side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, Lay, Pass, Refuse, Source, Swap, Tack
from kalooki_tui.store.summary import Summary
from kalooki_tui.table.dates import FIRST_DAY, daily_id, day_of, spoken
from kalooki_tui.wording import doing, past

if TYPE_CHECKING:
    from kalooki_tui.cards import Faces
    from kalooki_tui.desk.setup.plan import MatchPlan
    from kalooki_tui.store.live import LiveMatch
    from kalooki_tui.store.matches import Store
    from kalooki_tui.table.duplicate import Fork, Line
    from kalooki_tui.table.table import TableSetup

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


@dataclass(frozen=True, slots=True)
class Attempt:
    """One person's match of those with the same cards."""

    name: str
    seat: int
    summary: Summary

    @property
    def points(self) -> int | None:
        """The person's points; None while the match goes on."""
        return self.summary.totals[self.seat] if self.summary.finished else None

    @property
    def margin(self) -> float | None:
        """The points less the mean of the others'; below zero is good."""
        from kalooki_tui.table.duplicate import margin

        return margin(self.summary.totals, self.seat) if self.summary.finished else None


def attempts(summaries: Iterable[Summary], known_by: str) -> list[Attempt]:
    """The matches known by that name, one a person: the first that each began, in the order in which they did."""
    found: dict[str, Attempt] = {}
    for summary in sorted(summaries, key=lambda one: one.started):
        seat = next((seat for seat, plan in enumerate(summary.seats) if plan.is_human), None)
        if summary.duplicate[:1] == (known_by,) and seat is not None:
            name = summary.seats[seat].name
            found.setdefault(name, Attempt(name, seat, summary))
    return list(found.values())


def days(summaries: Iterable[Summary]) -> dict[date, list[Summary]]:
    """The daily deals that were played here."""
    found: dict[date, list[Summary]] = {}
    for summary in summaries:
        day = day_of(summary.duplicate)
        if day is not None:
            found.setdefault(day, []).append(summary)
    return found


def easier_day(summaries: Iterable[Summary], day: date) -> date | None:
    """The day whose deal is offered to whoever has finished no match and begun no daily deal, in the place of this
    one; None: they have, this one is as easy, or there was none yet. Each day's deal stays the same for everybody."""
    from kalooki_tui.table.duplicate import easy_day

    if any(one.finished or day_of(one.duplicate) for one in summaries):
        return None
    easy = easy_day(day)
    return easy if FIRST_DAY <= easy < day else None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A duplicate match: everybody who plays it, and how far each is."""

    known_by: str
    people: tuple[str, ...]
    attempts: tuple[Attempt, ...]

    @property
    def next(self) -> str | None:
        """Whose turn it is to play: who has begun and not finished, else the first who has not begun."""
        going = [one.name for one in self.attempts if one.points is None]
        begun = {one.name for one in self.attempts}
        return next(iter([*going, *(name for name in self.people if name not in begun)]), None)


def duplicates(summaries: Iterable[Summary]) -> list[Duplicate]:
    """The duplicate matches played here, the one played last first."""
    listed = list(summaries)
    known = dict.fromkeys(one.duplicate for one in listed if len(one.duplicate) > 1)
    return [Duplicate(name, tuple(people), tuple(attempts(listed, name))) for name, *people in known]


def begin_daily(store: Store, day: date, person: str) -> LiveMatch:
    """The table of a date's deal for a person.

    Raises:
        ValueError: nobody can have that name.
    """
    from kalooki_tui.table.duplicate import daily_setup

    return begin(store, daily_setup(day, person), (daily_id(day),))


def begin(store: Store, setup: TableSetup, duplicate: tuple[str, ...]) -> LiveMatch:
    """Open the table and write it down."""
    from kalooki_tui.table.table import Table

    return store.begin(Table.open(setup), duplicate=duplicate)


def first_setup(plan: MatchPlan, people: Sequence[str]) -> TableSetup:
    """The table of a duplicate match for the first of its people: AI seats take the others' places.

    Raises:
        ValueError: there are too few people, or a program is to play.
    """
    from dataclasses import replace

    from kalooki_tui.rulesets.loader import load_ruleset
    from kalooki_tui.table.duplicate import seats_for

    if len(people) < 2:
        raise ValueError("a duplicate match is for two people or more: name each with --seat")
    if any(plan.is_outside for plan in plan.seats):
        raise ValueError("in a duplicate match the other seats must be AI seats, which play the same way for everybody")
    others = [seat.player for seat in plan.seats if not seat.is_human]
    counts = load_ruleset(plan.ruleset).seat_counts
    count = len(others) + 1 if others else min(counts, key=lambda number: abs(number - 4))
    return replace(plan, seats=seats_for(people[0], count, others)).open().setup


def setup_for(store: Store, of: Summary, person: str) -> TableSetup:
    """The table of that match, with another person in its person's seat.

    Raises:
        StoreError: its record cannot be read.
        ValueError: nobody can have that name.
    """
    from kalooki_tui.engine.match import draw_seats
    from kalooki_tui.table.duplicate import seats_for
    from kalooki_tui.table.table import TableSetup

    head = store.replay(of.id).head
    rules, plans = head.rules, list(of.seats)
    if rules.ruleset.seating.first_dealer == "ace-draw":
        drawn = draw_seats(tuple(plan.name for plan in plans), head.seed or 0)
        plans = [plan for _, plan in sorted(zip(drawn, plans, strict=True))]
    others = [plan.player for plan in plans if not plan.is_human]
    seats = seats_for(person, len(plans), others)
    return TableSetup(
        rules.ruleset, seats, head.seed or 0, rules.referee, rules.settings, head.options, head.first_turn
    )


def deal_points(store: Store, attempt: Attempt) -> list[int]:
    """The person's points in each deal that has been scored, out of the record."""
    found = []
    for line in store.lines(attempt.summary.id):
        if '"scored": ' in line:
            data: dict[str, Any] = json.loads(line)
            found.append(int(data["scored"][attempt.name]))
    return found


def fork_of(store: Store, attempt: Attempt, line: Line) -> Fork | None:
    """Where the person left an AI player's line; None: never.

    Raises:
        StoreError, InputError: the record cannot be played again.
    """
    from kalooki_tui.desk.study.stepping import past_deals
    from kalooki_tui.desk.table.prompt import card_in_question
    from kalooki_tui.table.duplicate import fork

    replay = store.replay(attempt.summary.id)
    for _ in replay.steps():
        pass
    found = fork(replay.checkpoints.actions, line.actions, attempt.seat)
    if found is None:
        return None
    (past, *_) = past_deals(store.replay(attempt.summary.id))
    return replace(found, card=card_in_question(past.at(found.place).view(attempt.seat))[0])


def fork_words(found: Fork | None, faces: Faces) -> str:
    """The fork in a sentence."""
    if found is None:
        return "You did what the club player does, from the first card to the last."
    number = _ORDINALS[found.throw - 1] if found.throw <= len(_ORDINALS) else f"{found.throw}th"
    both = isinstance(found.mine, Discard) and isinstance(found.theirs, Discard)
    where = f"{'at' if both else 'before'} your {number} throw"
    mine, theirs = (deed(action, faces, found.card) for action in (found.mine, found.theirs))
    return f"You left the club's line {where}: you {mine}, it {theirs}."


def deed(action: Action, faces: Faces, card_open: Card | None = None) -> str:
    """What somebody did, in the past; `card_open`: the card that lay open, if it is to be named."""
    verb, rest = _verb_of(action, faces, card_open)
    return f"{past(verb)}{rest}"


def better(action: Action, faces: Faces, card_open: Card | None = None) -> str:
    """The better thing to do, as the subject of a sentence."""
    if isinstance(action, Draw) and action.source is Source.STOCK:
        return "the stock"
    verb, rest = _verb_of(action, faces, card_open if isinstance(action, Draw) else None)
    return f"{doing(verb)}{rest}"


def _verb_of(action: Action, faces: Faces, card_open: Card | None) -> tuple[str, str]:
    """The verb for an action, and what follows it in any tense."""
    symbol = "" if card_open is None else faces.symbol(card_open)
    match action:
        case Discard(card=card):
            return "throw", f" {faces.symbol(card)}"
        case Draw(source=source):
            return ("draw", " from the stock") if source is Source.STOCK else ("take", f" {symbol or 'the open card'}")
        case Call():
            return "call", f" {symbol}" if symbol else ""
        case Pass():
            return "let", f" {symbol or 'the card'} go"
        case Allow() | Refuse():
            verb = "allow" if isinstance(action, Allow) else "refuse"
            return verb, f" the call of {symbol}" if symbol else " the call"
        case Lay(groups=groups):
            return "lay", f" {' | '.join(faces.symbols(group.cards) for group in groups)}"
        case Tack(cards=cards):
            return "add", f" {faces.symbols(cards)}"
        case Swap(card=card):
            return "swap", f" {faces.symbol(card)} for a joker"
    return "end", " the turn"


def margin_words(margin: float) -> str:
    """Points beside the mean of the other seats' points."""
    if abs(margin) < 0.5:
        return "the others' mean"
    return f"{abs(margin):.0f} {'over' if margin > 0 else 'under'} the others' mean"


def par_words(lines: Sequence[Line]) -> str:
    """The par as a range: ``0–32``."""
    points = sorted(line.points for line in lines)
    return f"{points[0]}–{points[-1]}" if points[0] != points[-1] else f"{points[0]}"


def share_line(day: date, number: int, word: str, attempt: Attempt, lines: Sequence[Line], lost: str = "") -> str:
    """One line to send to others; `lost`: what the review says."""
    short = spoken(day).rpartition(" ")[0]
    parts = [f"Kalooki daily {short}", f"{word} {number}", f"me {attempt.points}, par {par_words(lines)}"]
    return " · ".join([*parts, *([lost] if lost else [])])
