"""How everybody has played: at a glance by families of games, ratings, then each person in each game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import Static
from textual.worker import get_current_worker

from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.shelf.overview import FamilyOverview, name_of, overview
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.glicko import Rating
from kalooki_tui.store.matches import Store
from kalooki_tui.store.statistics import PlayerStatistics, Statistics, statistics
from kalooki_tui.ui.screens.page import Page, closing
from kalooki_tui.ui.widgets.canvas import shorten
from kalooki_tui.values import dataclass

BAR: Final = 24


#: Cells of the bar that shows how far reading has come, of a person's name and of the columns.
READING: Final = 40
NAME: Final = 18
COLUMNS: Final = (9, 6, 8, 6, 11, 10)


class _Left(Exception):
    """Nobody waits for the numbers any more."""


class StatisticsScreen(Page):
    """How everybody has played; the matches are read by a thread of its own, and the page can be left meanwhile."""

    OFFERED = (
        closing(),
        Command("imported", "i", "Imported", "Count imported matches too, or stop counting them.",
                lambda at: at.count_imported()),
    )  # fmt: skip
    heading = "Statistics"

    @dataclass
    class Told(Message):
        """Something is to be shown."""

        page: Content

    def __init__(self) -> None:
        super().__init__(name="statistics")
        self._imported = False

    @property
    def hint(self) -> str:
        """What the keys do."""
        close, imported = self.OFFERED
        does = "leaves imported matches out" if self._imported else "counts imported matches too"
        return f"{imported.shown} {does} · {close.shown} closes"

    def parts(self) -> ComposeResult:
        """What is there before the matches have been read."""
        yield Static("Reading the matches …", id="page", markup=False)

    def on_mount(self) -> None:
        """Read the matches, once the page is there to say so."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        store = self.app.store
        if not self.is_here:
            return
        if store.home is None or not store.saves:
            # What is only in memory nobody else can read.
            self._show(_told(store, imported=self._imported))
        else:
            self._read(store.home, imported=self._imported)

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _read(self, home: Path, *, imported: bool) -> None:
        """Read the matches from disk as another program would: the app's store belongs to the app's thread."""
        worker = get_current_worker()

        def progress(done: int, of: int) -> None:
            if worker.is_cancelled:
                raise _Left
            if done % max(1, of // READING) == 0:
                self.post_message(self.Told(reading(done, of)))

        try:
            with Store.look(home) as store:
                store.read_all(progress)
                page = _told(store, imported=imported)
        except StoreError as error:
            page = Content(str(error))
        except _Left:
            return
        if not worker.is_cancelled:
            self.post_message(self.Told(page))

    def on_statistics_screen_told(self, event: Told) -> None:
        """Show what has been read, or how far reading has come."""
        self._show(event.page)

    def _show(self, page: Content) -> None:
        if self.is_here:
            self.query_one("#page", Static).update(page)

    def count_imported(self) -> None:
        """Count imported matches too, or stop counting them."""
        self._imported = not self._imported
        self.query_one(".dialog").border_subtitle = self.hint
        self._begin()


def _told(store: Store, *, imported: bool) -> Content:
    """The page, or why there is none."""
    try:
        return statistics_page(statistics(store, imported=imported))
    except StoreError as error:
        return Content(str(error))


def reading(done: int, of: int) -> Content:
    """How far reading has come."""
    full = round(READING * done / of) if of else 0
    return Content.assemble(
        f"Reading {done} of {of} matches\n",
        Content.styled("█" * full, "$gold"), Content.styled("░" * (READING - full), "$felt-line"),
    )  # fmt: skip


def statistics_page(found: Statistics) -> Content:
    """Everything there is to tell."""
    if not found.players:
        return Content("No match with a person in it has been finished yet.\n")
    parts: list[Content] = []
    for family in overview(found.players):
        parts += _family(family)
    parts += _ratings(found.ratings)
    for player in found.players:
        parts += [*_player(player), Content("\n")]
    parts += [Content.styled(f"Left out: {sentence}\n", "$on-felt-muted") for sentence in found.unreadable]
    return Content("").join(parts)


def _family(family: FamilyOverview) -> list[Content]:
    lines = [Content.styled(f"{family.name}{' and its variants' if len(family.games) > 1 else ''}\n", "bold $gold")]
    for game in family.games:
        heads = ["matches", "won", "points", "out", "kalookies" if game.has_counters else "bends"]
        heads += ["counters"] if game.has_counters else ["calls"]
        lines.append(Content.styled(_line(f"  {game.name}", heads), "$on-felt-muted"))
        for player in game.players:
            points = "–" if player.points_a_deal is None else f"{player.points_a_deal:.1f}"
            last = "–" if player.money is None else f"{player.money:+d}"
            cells = [player.matches, player.wins, points, player.outs, player.bends]
            lines.append(Content(_line(f"  {player.name}", [*cells, last if game.has_counters else player.calls])))
    if len(family.games) > 1:
        lines.append(Content.styled(_line("  all of these", []), "$on-felt-muted"))
        lines += [Content(_line(f"  {name}", [matches, wins])) for name, matches, wins in family.totals]
    return [*lines, Content("\n")]


def _line(head: str, cells: Sequence[object]) -> str:
    head = shorten(head, NAME)
    return (
        head
        + " " * (NAME - cell_len(head))
        + "".join(f"{cell!s:>{width}}" for cell, width in zip(cells, COLUMNS, strict=False))
        + "\n"
    )


def _player(player: PlayerStatistics) -> list[Content]:
    places = ", ".join(f"{_ordinal(place)} {times}×" for place, times in sorted(player.places.items()))
    points = "–" if player.points_a_deal is None else f"{player.points_a_deal:.1f}"
    lines = [
        Content.styled(f"{player.name} · {name_of(player.ruleset)}\n", "bold $gold"),
        Content(f"  matches {player.matches}, won {player.wins}   places: {places}\n"),
        Content(
            f"  points a deal {points} in {player.deals} deals   out {player.outs}, of these bends {player.bends}\n"
        ),
        Content(f"  calls {player.calls}{_worth(player.call_worth)}\n"),
    ]
    if player.laid:
        lines.append(Content.styled("  contracts laid\n", "$on-felt-muted"))
    for deal, (laid, dealt) in sorted(player.laid.items()):
        full = round(BAR * laid / dealt) if dealt else 0
        lines.append(
            Content.assemble(
                f"  deal {deal:>2}  ",
                Content.styled("█" * full, "$gold"), Content.styled("░" * (BAR - full), "$felt-line"),
                f"  {laid} of {dealt}\n",
            )
        )  # fmt: skip
    return lines


def _worth(worth: float | None) -> str:
    if worth is None:
        return ""
    words = "fewer" if worth >= 0 else "more"
    return f": deals with a call cost {abs(worth):.1f} points {words} than those without"


def _ratings(ratings: Mapping[str, Rating]) -> list[Content]:
    if not ratings:
        return []
    order = sorted(ratings.items(), key=lambda item: -item[1].rating)
    lines = [Content.styled("Ratings (Glicko-2)\n", "bold $gold")]
    lines += [Content(f"  {name:<22}{one.rating:6.0f} ± {2 * one.deviation:.0f}\n") for name, one in order]
    return lines


def _ordinal(place: int) -> str:
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"
