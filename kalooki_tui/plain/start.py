"""Matches played as text: a new one, the last one, a date's deal, or one with the same cards for several."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from kalooki_tui.coach.vocabulary import contract_words
from kalooki_tui.match.seating import SeatPlan, check_seats
from kalooki_tui.plain.console import Ended, Lines
from kalooki_tui.plain.plain_match import PlainMatch, at_match
from kalooki_tui.presenter.match_list import progress_words, seats_words
from kalooki_tui.session.plan import MatchPlan, as_usual, begin_match, plan_of, plan_of_live, start_words, with_match
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store, open_store
from kalooki_tui.storage.player.settings_file import SettingsFile
from kalooki_tui.storage.summary import daily_key
from kalooki_tui.training.same_cards import (
    SameCards,
    begin_duplicate,
    daily_ruleset,
    deal_points,
    easier_day,
    played,
    same_cards,
    spoken,
)
from kalooki_tui.wording import FIRST_NAME


def play_plain(lines: Lines, plan: MatchPlan | None = None) -> None:
    """Play a match by lines: the last one if none is planned, or a new one; raise ValueError for a wrong plan."""
    file = SettingsFile.load()
    live: MatchJournal | None = None
    with open_store() as store:
        try:
            tell_notices(lines, store)
            live = None if plan is not None else _last(lines, store)
            if live is None:
                plan = as_usual(plan or plan_of(None, (), None, ()), file.settings)
                live = begin_match(store, plan)
                if not file.problems and live.table.people and plan.start is None:
                    try:
                        file.save(with_match(file.settings, plan))
                    except StoreError as error:
                        lines.tell(f"{error}.")
            with live:
                play_match(lines, live, plan if plan is not None else plan_of_live(live, file.settings))
        except Ended:
            is_saved = store.saves and live is not None and live.trouble is None
            lines.tell("The match is saved. To continue it, run kalooki." if is_saved else "Goodbye.")
        finally:
            tell_notices(lines, store)


def tell_notices(lines: Lines, store: Store) -> None:
    for notice in store.take_notices():
        lines.tell(notice)


def _last(lines: Lines, store: Store) -> MatchJournal | None:
    for match in store.lists().unfinished:
        if not match.elsewhere and any(seat.player == "human" for seat in match.seats):
            told = f"{match.name}, {progress_words(match)}: {seats_words(match)}."
            if lines.confirm(f"Continue your last match? {told}"):
                try:
                    return store.resume(match.id)
                except StoreError as error:
                    lines.tell(str(error))
            return None
    return None


def play_match(lines: Lines, live: MatchJournal, plan: MatchPlan) -> None:
    table = live.table
    seats = [plan.name if plan.is_human else f"{plan.name}, played by {plan.player}" for plan in table.plans]
    lines.tell(f"{table.match.rules.ruleset.name}. {'; '.join(seats)}. Type ? for what you can do.")
    if plan.start is not None:
        lines.tell(start_words(plan.start))
    PlainMatch(lines, at_match(plan, live)).play()


def play_daily(lines: Lines, day: date, person: str | None) -> date | None:
    """Let a person play a date's deal, or an easier one; return the date if it was played to its end."""
    name = person or next(iter(SettingsFile.load().settings.names), FIRST_NAME)
    check_seats((SeatPlan(name),))
    with open_store() as store:
        found = same_cards(store.summaries(), daily_key(day))
        own = found.of(name)
        if own is not None and own.points is not None:
            lines.tell(f"{name} has played this deal: only the first time counts.")
            return day
        easier = easier_day(store.summaries(), day)
        if easier is not None:
            games = (daily_ruleset(one) for one in (day, easier))
            asked, easiest = (contract_words(game.deals[0], game.vocabulary) for game in games)
            told = f"This deal asks for {asked}. Begin with an easier one, {easiest}, the deal of {spoken(easier)}?"
            try:
                is_wanted = lines.confirm(told)
            except Ended:
                lines.tell("Goodbye.")
                return None
            if is_wanted:
                day, found = easier, same_cards(store.summaries(), daily_key(easier))
        return day if _play(lines, store, found, name) else None


def play_duplicate(
    lines: Lines, *, ruleset: str | None, seats: Sequence[str], seed: int | None, options: Sequence[str]
) -> None:
    """Let everybody named play the same cards in turn, or resume the last such match; raise ValueError."""
    with open_store() as store:
        if seats:
            if not store.saves:
                raise ValueError("a duplicate match has to be saved, and nothing can be saved here")
            with begin_duplicate(store, plan_of(ruleset, seats, seed, options)) as live:
                known_by = live.duplicate[0]
        else:
            known_by = next((one.key[0] for one in played(store.summaries()) if one.people), "")
        if not known_by:
            raise ValueError("--duplicate needs the people who play: name each with --seat")
        while (person := (found := same_cards(store.summaries(), known_by)).next) is not None:
            try:
                lines.clear()
                lines.ask(f"{person} plays next. Press enter when nobody else is looking:")
                is_over = _play(lines, store, found, person)
            except Ended:
                is_over = False
            if not is_over:
                lines.tell("kalooki play --duplicate --plain continues it.")
                return
        lines.tell(results_text(store, found))


def _play(lines: Lines, store: Store, found: SameCards, person: str) -> bool:
    live = found.sit(store, person)
    try:
        with live:
            play_match(lines, live, plan_of_live(live, SettingsFile.load().settings))
    except Ended:
        lines.tell("\nThe match is saved." if store.saves and live.trouble is None else "\nGoodbye.")
    finally:
        tell_notices(lines, store)
    return live.table.match.finished


def results_text(store: Store, found: SameCards) -> str:
    lines = ["Everybody has played these cards."]
    for one in found.over:
        try:
            each = ", ".join(map(str, deal_points(store, one)))
        except StoreError as error:
            each = str(error)
        lines.append(f"{one.name}: {one.points} points ({each}).")
    return "\n".join(lines)
