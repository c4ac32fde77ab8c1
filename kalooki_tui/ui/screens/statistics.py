"""How everybody has played, by game: numbers, a bar for each contract, ratings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import Command
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.glicko import Rating
from kalooki_tui.store.statistics import PlayerStatistics, Statistics, statistics
from kalooki_tui.ui.screens.page import Page, closing

BAR: Final = 24


class StatisticsScreen(Page):
    """How everybody has played."""

    OFFERED = (
        closing(),
        Command("imported", "i", "Imported", "Count matches taken in from elsewhere, or count them no more.",
                lambda at: at.count_imported()),
    )  # fmt: skip
    heading = "Statistics"

    def __init__(self) -> None:
        super().__init__(name="statistics")
        self._imported = False

    @property
    def hint(self) -> str:
        """What the keys do."""
        close, imported = self.OFFERED
        return f"{imported.shown} counts imported matches too · {close.shown} closes"

    def parts(self) -> ComposeResult:
        """What is there before the matches have been read."""
        yield Static("Reading the matches …", id="page", markup=False)

    def on_mount(self) -> None:
        """Read the matches, once the page is there to say so."""
        self.call_after_refresh(self._read)

    def _read(self) -> None:
        if not self.is_here:
            return
        try:
            page = statistics_page(statistics(self.game.store, imported=self._imported))
        except StoreError as error:
            page = Content(str(error))
        self.query_one("#page", Static).update(page)

    def count_imported(self) -> None:
        """Count matches taken in from elsewhere, or count them no more."""
        self._imported = not self._imported
        self._read()


def statistics_page(found: Statistics) -> Content:
    """Everything there is to tell."""
    if not found.players:
        return Content("No match with a person in it has been finished yet.\n")
    parts: list[Content] = []
    for player in found.players:
        parts += [*_player(player), Content("\n")]
    parts += _ratings(found.ratings)
    parts += [Content.styled(f"Left out: {sentence}\n", "$on-felt-muted") for sentence in found.unreadable]
    return Content("").join(parts)


def _player(player: PlayerStatistics) -> list[Content]:
    places = ", ".join(f"{_ordinal(place)} {times}×" for place, times in sorted(player.places.items()))
    points = "–" if player.points_a_deal is None else f"{player.points_a_deal:.1f}"
    lines = [
        Content.styled(f"{player.name} · {_ruleset_name(player.ruleset)}\n", "bold $gold"),
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


def _ruleset_name(id_: str) -> str:
    try:
        return load_ruleset(id_).name
    except InputError:
        return id_
