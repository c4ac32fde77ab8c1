"""Same cards for several people, each alone against AI seats: the deal of a date with its par, or a duplicate match."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.coach.exercises.registry import new_seed
from kalooki_tui.engine.actions import Discard
from kalooki_tui.engine.match import HEADLESS_REDEALS, draw_seats
from kalooki_tui.match.headless import play_match
from kalooki_tui.match.live_match import Table, TableSetup, record
from kalooki_tui.match.seating import USUAL_PLAYER, USUAL_SEATS, SeatPlan, usual_count
from kalooki_tui.presenter.prompts import card_in_question
from kalooki_tui.presenter.sentences import deed
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.simulation.runner import single_deal
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from kalooki_tui.storage.summary import Summary, day_of
from kalooki_tui.training.steps import PastDeal, past_deals
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

#: The first day that has a deal.
FIRST_DAY: Final = date(2026, 1, 1)
#: Of the way a date gives its cards: another one gives others.
DAILY_VERSION: Final = 1
#: Whose results are the par of a daily deal.
PAR_LEVELS: Final = ("club", "expert")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class DuplicateEntry(Struct, frozen=True):
    name: str
    seat: int
    summary: Summary

    @property
    def points(self) -> int | None:
        return self.summary.totals[self.seat] if self.summary.finished else None

    @property
    def margin(self) -> float:
        """Points less the mean of the others'; below zero is good."""
        return margin(self.summary.totals, self.seat)


class SameCards(Struct, frozen=True):
    """Matches with the same cards, and the people to play them."""

    key: tuple[str, ...]
    """As their records have it: ``daily 2026-11-21`` or an id, then the people, where they are named."""
    attempts: tuple[DuplicateEntry, ...] = ()
    """First match of each person, in order of start."""

    @property
    def day(self) -> date | None:
        """Date of a daily deal; None: a duplicate match."""
        return day_of(self.key)

    @property
    def people(self) -> tuple[str, ...]:
        return self.key[1:]

    @property
    def by_points(self) -> list[DuplicateEntry]:
        return sorted(self.attempts, key=lambda one: (one.points is None, one.points or 0))

    @property
    def over(self) -> list[DuplicateEntry]:
        return [one for one in self.by_points if one.points is not None]

    @property
    def next(self) -> str | None:
        """Person to play next: who has begun and not finished, else the first who has not begun."""
        going = (one.name for one in self.attempts if one.points is None)
        return next(going, next((name for name in self.people if self.of(name) is None), None))

    def of(self, person: str) -> DuplicateEntry | None:
        return next((one for one in self.attempts if one.name == person), None)

    def sit(self, store: Store, person: str) -> MatchJournal:
        """Begin a person's match, or take it up again; raise StoreError, or ValueError for a bad name."""
        own = self.of(person)
        if own is not None:
            return store.resume(own.summary.id)
        day = self.day
        setup = _setup_like(store, self.attempts[0].summary, person) if day is None else daily_setup(day, person)
        return store.begin(Table.open(setup), duplicate=self.key)


def played(summaries: Iterable[Summary]) -> list[SameCards]:
    """Group matches by their cards, the last played first."""
    known = [summary for summary in summaries if summary.duplicate]
    found: dict[tuple[str, ...], dict[str, DuplicateEntry]] = {summary.duplicate: {} for summary in known}
    for summary in sorted(known, key=lambda one: one.started):
        for seat, plan in enumerate(summary.seats):
            if plan.is_human:
                found[summary.duplicate].setdefault(plan.name, DuplicateEntry(plan.name, seat, summary))
    return [SameCards(key, tuple(attempts.values())) for key, attempts in found.items()]


def same_cards(summaries: Iterable[Summary], known_by: str) -> SameCards:
    """Return the matches of a date's deal, or of a duplicate match."""
    return next((one for one in played(summaries) if one.key[0] == known_by), SameCards((known_by,)))


# Who sits where


def begin_duplicate(store: Store, plan: MatchPlan) -> MatchJournal:
    people = tuple(seat.name for seat in plan.seats if seat.is_human)
    return store.begin(Table.open(first_setup(plan)), duplicate=(new_seed(6), *people))


def first_setup(plan: MatchPlan) -> TableSetup:
    """Return a duplicate match's table for the first of its people; raise ValueError for too few, or programs."""
    people = [seat.name for seat in plan.seats if seat.is_human]
    if len(people) < 2:
        raise ValueError("a duplicate match is for two people or more: name each with --seat")
    if any(plan.is_outside for plan in plan.seats):
        raise ValueError("in a duplicate match the other seats must be AI seats, which play the same way for everybody")
    others = [seat.player for seat in plan.seats if not seat.is_human]
    count = len(others) + 1 if others else usual_count(load_ruleset(plan.ruleset))
    return replace(plan, seats=_seats_for(people[0], count, others)).open().setup


def _setup_like(store: Store, of: Summary, person: str) -> TableSetup:
    """Return the table of a match with another person in its person's seat."""
    head = store.replay(of.id).head
    rules, plans = head.rules, list(of.seats)
    if rules.ruleset.seating.first_dealer == "ace-draw":
        drawn = draw_seats(tuple(plan.name for plan in plans), head.seed or 0)
        plans = [plan for _, plan in sorted(zip(drawn, plans, strict=True))]
    seats = _seats_for(person, len(plans), [plan.player for plan in plans if not plan.is_human])
    return TableSetup(
        rules.ruleset, seats, head.seed or 0, rules.referee, rules.settings, head.options, head.first_turn
    )


def daily_setup(day: date, person: str) -> TableSetup:
    """Return the table of a date's deal: one person and AI seats, with the same cards for everybody."""
    ruleset = daily_ruleset(day)
    settings = replace(ruleset.usual_settings(), max_redeals=HEADLESS_REDEALS)
    return TableSetup(ruleset, _seats_for(person, USUAL_SEATS), int(f"{DAILY_VERSION}{day:%Y%m%d}"), settings=settings)


def _seats_for(person: str, count: int, others: Sequence[str] = ()) -> tuple[SeatPlan, ...]:
    """Seat a person and AI players, `count` in all; `others`: their players, club players by default."""
    names = (name for name in AI_NAMES if name.casefold() != person.casefold())
    players = [*others, *[USUAL_PLAYER] * (count - 1 - len(others))]
    return (SeatPlan(person), *(SeatPlan(next(names), player) for player in players))


# The deal of a date


@lru_cache(maxsize=4)
def daily_ruleset(day: date) -> Ruleset:
    number = daily_number(day)
    whole = resolve(load_ruleset(DEFAULT_RULESET), (), USUAL_SEATS)
    name = f"Daily deal {spoken(day)} · {whole.vocabulary.deal} {number}"
    return replace(single_deal(whole, number), name=name)


def daily_number(day: date) -> int:
    """Return the contract of a date: each comes once in as many days as there are."""
    count = len(load_ruleset(DEFAULT_RULESET).deals)
    block, place = divmod(day.toordinal(), count)
    return random.Random(f"daily/{DAILY_VERSION}/{block}").sample(range(1, count + 1), count)[place]


def easier_day(summaries: Iterable[Summary], day: date) -> date | None:
    """Return the last day of the easiest contract, for whoever has finished no match and begun no daily deal.

    None: they have, this day's is as easy, or there was none yet. Each day's deal stays the same for everybody.
    """
    if any(one.finished or day_of(one.duplicate) for one in summaries):
        return None
    easy = day
    while daily_number(easy) > 1:
        easy -= timedelta(days=1)
    return easy if FIRST_DAY <= easy < day else None


def spoken(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


class StandingRow(Struct, frozen=True):
    level: str
    seats: tuple[SeatPlan, ...]
    seat: int
    totals: tuple[int, ...]
    record: tuple[str, ...]

    @property
    def points(self) -> int:
        return self.totals[self.seat]

    def past(self) -> PastDeal:
        return past_deals(Replay(open_lines(self.level, self.record)))[-1]


@lru_cache(maxsize=60)
def daily_par(day: date) -> tuple[StandingRow, ...]:
    return tuple(play_line(daily_setup(day, FIRST_NAME), level) for level in PAR_LEVELS)


def play_line(setup: TableSetup, level: str) -> StandingRow:
    person, *others = setup.seats
    table = Table.open(replace(setup, seats=(replace(person, player=f"ai:{level}"), *others)))
    lines = list[str]()
    record(table, lines.append)
    play_match(table)
    seat = next(seat for seat, plan in enumerate(table.plans) if plan.name == person.name)
    return StandingRow(level, table.plans, seat, tuple(table.match.totals), tuple(lines))


# Results


def margin(points: Sequence[float], seat: int) -> float:
    """Return a seat's points less the mean of the others'; below zero is good."""
    return points[seat] - (sum(points) - points[seat]) / (len(points) - 1)


def deal_points(store: Store, attempt: DuplicateEntry) -> list[int]:
    lines = (json.loads(line) for line in store.lines(attempt.summary.id) if '"scored": ' in line)
    return [int(line["scored"][attempt.name]) for line in lines]


def fork_of(store: Store, attempt: DuplicateEntry, line: StandingRow) -> tuple[int, str]:
    """Return how many actions the person's play and an AI player's share, and a sentence on where they part."""
    past = past_deals(store.replay(attempt.summary.id))[-1]
    both = [*zip(past.actions, line.past().actions, strict=False)]
    place = next((place for place, (mine, theirs) in enumerate(both) if mine != theirs), None)
    if place is None:
        return 0, "You did what the club player does, from the first card to the last."
    mine, theirs = both[place]
    throws = 1 + sum(isinstance(one, Discard) and one.seat == attempt.seat for one, _ in both[:place])
    view = past.at(place).view(attempt.seat)
    number = _ORDINALS[throws - 1] if throws <= len(_ORDINALS) else f"{throws}th"
    where = "at" if isinstance(mine, Discard) and isinstance(theirs, Discard) else "before"
    did, does = (deed(one, view.rules.faces, card_in_question(view)[0]) for one in (mine, theirs))
    return place, f"You left the club's line {where} your {number} throw: you {did}, it {does}."


def margin_words(margin: float) -> str:
    if abs(margin) <= 0.5:
        return "the others' mean"
    return f"{abs(margin):.0f} {'over' if margin > 0 else 'under'} the others' mean"


def par_words(lines: Sequence[StandingRow]) -> str:
    each = ", ".join(f"{line.level} {line.points}" for line in lines)
    return f"{par_range(lines)} ({each})"


def par_range(lines: Sequence[StandingRow]) -> str:
    return "–".join(map(str, sorted({line.points for line in lines})))


def share_line(day: date, attempt: DuplicateEntry, lines: Sequence[StandingRow], lost: str = "") -> str:
    short, word = spoken(day).rpartition(" ")[0], daily_ruleset(day).vocabulary.deal
    parts = [f"Kalooki daily {short}", f"{word} {daily_number(day)}", f"me {attempt.points}, par {par_range(lines)}"]
    return " · ".join([*parts, *([lost] if lost else [])])
