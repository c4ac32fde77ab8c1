"""The same cards for several people as lines of text: a date's deal, and a duplicate match one person after another."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.desk.setup.keeping import plan_of_live
from kalooki_tui.desk.setup.plan import plan_of
from kalooki_tui.desk.study.duplicates import (
    Duplicate,
    attempts,
    begin,
    begin_daily,
    deal_points,
    duplicates,
    easier_day,
    first_setup,
    setup_for,
)
from kalooki_tui.plain.start import play_match, tell_notices
from kalooki_tui.plain.terminal import Ended, Lines
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.matches import Store, open_store
from kalooki_tui.store.player.settings import SettingsFile
from kalooki_tui.table.dates import daily_id, spoken
from kalooki_tui.table.duplicate import daily_setup, new_duplicate
from kalooki_tui.table.seats import SeatPlan, check_seats
from kalooki_tui.wording import FIRST_NAME


def play_daily(lines: Lines, day: date, person: str | None) -> date | None:
    """Let a person play a date's deal, or go on with it; the date, if its deal has been played to its end.

    `person`: the name; by default the one remembered first. Whoever is new may begin with an easier deal.

    Raises:
        ValueError: nobody can have that name.
    """
    settings = SettingsFile.load().settings
    name = person or next(iter(settings.names), FIRST_NAME)
    check_seats((SeatPlan(name),))
    with open_store() as store:
        own = next((one for one in attempts(store.summaries(), daily_id(day)) if one.name == name), None)
        if own is not None and own.points is not None:
            lines.tell(f"{name} has played this deal: only the first time counts.")
            return day
        easier = easier_day(store.summaries(), day)
        if easier is not None:
            asked, easiest = (_contract(one) for one in (day, easier))
            told = f"This deal asks for {asked}. Begin with an easier one, {easiest}, the deal of {spoken(easier)}?"
            day = easier if lines.confirm(told) else day
        live = begin_daily(store, day, name) if own is None else store.resume(own.summary.id)
        return day if _play(lines, store, live) else None


def _contract(day: date) -> str:
    ruleset = daily_setup(day, FIRST_NAME).ruleset
    return contract_words(ruleset.deals[0], ruleset.vocabulary)


def play_duplicate(
    lines: Lines, *, ruleset: str | None, seats: Sequence[str], seed: int | None, options: Sequence[str]
) -> None:
    """Let everybody named play the same cards, one after another; where nobody is, go on with the last such match.

    Raises:
        ValueError: the match is not one for this, or there is none to go on with.
    """
    with open_store() as store:
        known_by = _known_by(store, ruleset, seats, seed, options)
        while (found := _match_of(store, known_by)).next is not None:
            try:
                lines.clear()
                lines.ask(f"{found.next} plays next. Press enter when nobody else is looking:")
                is_over = _play(lines, store, _table_of(store, found, found.next))
            except Ended:
                is_over = False
            if not is_over:
                lines.tell("kalooki play --duplicate --plain continues it.")
                return
            known_by = found.known_by
        lines.tell(results_text(store, found))


def _match_of(store: Store, known_by: str) -> Duplicate:
    """The match that is known by that, or the last one."""
    found = next((one for one in duplicates(store.summaries()) if known_by in ("", one.known_by)), None)
    if found is None:
        raise ValueError("--duplicate needs the people who play: name each with --seat")
    return found


def _known_by(store: Store, ruleset: str | None, seats: Sequence[str], seed: int | None, options: Sequence[str]) -> str:
    """By which a match that begins is known; empty where nobody is named."""
    if not seats:
        return ""
    plan = plan_of(ruleset, seats, seed, options)
    people = tuple(seat.name for seat in plan.seats if seat.is_human)
    setup = first_setup(plan, people)
    if not store.saves:
        raise ValueError("a duplicate match has to be saved, and nothing can be saved here")
    with begin(store, setup, (new_duplicate(), *people)) as live:
        return live.duplicate[0]


def _table_of(store: Store, found: Duplicate, person: str) -> LiveMatch:
    """The next person's table, begun or gone on with."""
    going = next((one for one in found.attempts if one.name == person), None)
    if going is not None:
        return store.resume(going.summary.id)
    like = found.attempts[0].summary
    return begin(store, setup_for(store, like, person), like.duplicate)


def _play(lines: Lines, store: Store, live: LiveMatch) -> bool:
    """Play a match; whether it is over."""
    try:
        with live:
            play_match(lines, live, plan_of_live(live, SettingsFile.load().settings))
    except Ended:
        lines.tell("\nThe match is saved." if store.saves and live.trouble is None else "\nGoodbye.")
    finally:
        tell_notices(lines, store)
    return live.table.match.finished


def results_text(store: Store, found: Duplicate) -> str:
    """What everybody made of the cards, the best first; told once all have played."""
    lines = ["Everybody has played these cards."]
    for one in sorted(found.attempts, key=lambda one: one.points or 0):
        try:
            each = ", ".join(map(str, deal_points(store, one)))
        except StoreError as error:
            each = str(error)
        lines.append(f"{one.name}: {one.points} points ({each}).")
    return "\n".join(lines)
