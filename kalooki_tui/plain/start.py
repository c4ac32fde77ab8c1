"""`kalooki play --plain`: which match is played as text, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence

from kalooki_tui.desk.setup.keeping import as_usual, begin_match, plan_of_live, with_match
from kalooki_tui.desk.setup.plan import Agreed, MatchPlan, plan_of
from kalooki_tui.desk.shelf.listing import progress_words, seats_words
from kalooki_tui.plain.play import PlainMatch, at_match
from kalooki_tui.plain.terminal import Ended, Lines
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.matches import Store, open_store
from kalooki_tui.store.player.settings import PlayerSettings, SettingsFile


def play_plain(
    lines: Lines,
    *,
    ruleset: str | None,
    seats: Sequence[str],
    seed: int | None,
    options: Sequence[str],
    agreed: Agreed | None = None,
) -> None:
    """Play a match by lines; where nothing is named, the last one may be gone on with.

    Where nothing can be saved it is played all the same, and a line says so.

    Raises:
        ValueError: the ruleset, an option or a seat is wrong.
    """
    file = SettingsFile.load()
    live: LiveMatch | None = None
    with open_store() as store:
        try:
            tell_notices(lines, store)
            named = bool(ruleset or seats or options or agreed or seed is not None)
            live = None if named else _last(lines, store)
            if live is None:
                plan = as_usual(plan_of(ruleset, seats, seed, options, agreed), file.settings)
                live = begin_match(store, plan)
                if not file.problems and live.table.people:
                    _remember(lines, file, with_match(file.settings, plan))
            with live:
                play_match(lines, live, plan_of_live(live, file.settings))
        except Ended:
            is_saved = store.saves and live is not None and live.trouble is None
            lines.tell("The match is saved. To continue it, run kalooki." if is_saved else "Goodbye.")
        finally:
            tell_notices(lines, store)


def tell_notices(lines: Lines, store: Store) -> None:
    """Say what the store has to say."""
    for notice in store.take_notices():
        lines.tell(notice)


def _remember(lines: Lines, file: SettingsFile, settings: PlayerSettings) -> None:
    """Write settings down; where that fails they hold until the program ends, and a line says so."""
    try:
        file.save(settings)
    except StoreError as error:
        lines.tell(f"{error}.")


def _last(lines: Lines, store: Store) -> LiveMatch | None:
    """The match played last that goes on and has a person in it, if the person wants it."""
    for match in store.unfinished():
        if not match.elsewhere and any(seat.player == "human" for seat in match.seats):
            told = f"{match.name}, {progress_words(match)}: {seats_words(match)}."
            if lines.confirm(f"Continue your last match? {told}"):
                try:
                    return store.resume(match.id)
                except StoreError as error:
                    lines.tell(str(error))
            return None
    return None


def play_match(lines: Lines, live: LiveMatch, plan: MatchPlan) -> None:
    """Play a match of the store.

    Raises:
        Ended: the person leaves.
    """
    table = live.table
    seats = [plan.name if plan.is_human else f"{plan.name}, played by {plan.player}" for plan in table.plans]
    lines.tell(f"{load_ruleset(plan.ruleset).name}. {'; '.join(seats)}. Type ? for what you can do.")
    PlainMatch(lines, at_match(plan, live)).play()
