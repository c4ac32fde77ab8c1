"""A duplicate match: everybody plays the same cards in the same seat, one after another; results side by side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from textual.app import ComposeResult
from textual.containers import Center, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.desk.study.duplicates import Attempt, Duplicate, deal_points
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.store.errors import StoreError
from kalooki_tui.ui import routes
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.screens.dialogs import Ask
from kalooki_tui.ui.widgets.canvas import column
from kalooki_tui.ui.widgets.chart import ScoreChart
from kalooki_tui.ui.widgets.choices import numbered
from kalooki_tui.ui.widgets.command_bar import CommandBar

#: Columns of a person, and how many fit beside one another.
COLUMN: Final = 12
MOST: Final = 5


def _why_not_play(at: Any) -> Refusal | None:
    return None if at.found.next is not None else choose("", "Everybody has played.")


def _why_not_look(at: Any) -> Refusal | None:
    return None if at.over else choose("", "Nobody has played to the end yet.")


COMMANDS: Final = (
    Command("duplicate-play", "enter", "Play", "Let the next person play, or continue.",
            lambda at: at.app.go(routes.next_of_duplicate(at.found)), _why_not_play,
            lambda at: "Play" if at.found.next is None else f"{at.found.next} plays"),
    Command("duplicate-look", "v", "Steps", "Step through what somebody has played.",
            lambda at: at.look(), _why_not_look),
    Command("duplicate-back", "escape,q", "Back", "Back to the first screen.", lambda at: at.app.go(routes.home())),
)  # fmt: skip


class DuplicateScreen(GameScreen):
    """Who has played, and the points of each, deal by deal."""

    DEFAULT_CSS = """
    DuplicateScreen { layout: vertical; }
    DuplicateScreen #duplicate-top { height: 1; padding: 0 1; background: $felt-deep; color: $gold; text-style: bold; }
    DuplicateScreen #duplicate { height: 1fr; padding: 1 2; align-horizontal: center; }
    DuplicateScreen Center { height: auto; }
    DuplicateScreen #results { width: auto; min-width: 60; padding: 1 3; background: $felt-deep; }
    DuplicateScreen ScoreChart { margin-top: 1; max-width: 100; }
    """
    OFFERED = COMMANDS

    def __init__(self, found: Duplicate) -> None:
        super().__init__(name="duplicate")
        self.found = found

    @property
    def over(self) -> list[Attempt]:
        """Those who have played to the end."""
        return [one for one in self.found.attempts if one.points is not None]

    def compose(self) -> ComposeResult:
        """A heading, the results, the keys."""
        game = self.found.attempts[0].summary.name
        yield Static(f"Duplicate match · {game}: the same cards for everybody", id="duplicate-top")
        with VerticalScroll(id="duplicate", can_focus=False):
            yield Center(Static(self._results(), id="results"))
            if self.found.next is None:
                yield Center(ScoreChart())
        yield CommandBar()

    def on_mount(self) -> None:
        """Show the keys, and how everybody's points grew."""
        self.bar.show(self.footer_keys(COMMANDS))
        for chart in self.query(ScoreChart):
            grown = [[*accumulate(self._points(one))] for one in self.over]
            deals = min(map(len, grown), default=0)
            chart.show([one.name for one in self.over], [[points[deal] for points in grown] for deal in range(deals)])

    def _results(self) -> Content:
        found, people = self.found, self.found.people[:MOST]
        points = {one.name: self._points(one) for one in found.attempts}
        rows = max(map(len, points.values()), default=0)
        # Whoever is still to play is not to know what these cards brought others.
        shown = {one.name for one in found.attempts} if found.next is None else set()
        lines = [Content.styled(_row("", people), "bold $gold")]
        for deal in range(rows):
            cells = [_cell(points.get(name, []), deal, hidden=name not in shown) for name in people]
            lines.append(Content(_row(f"deal {deal + 1}", cells)))
        states = {one.name: self._state(one) for one in found.attempts}
        lines.append(Content.styled(_row("total", [states.get(name, "to come") for name in people]), "bold"))
        if found.next is None:
            best = min(one.points or 0 for one in found.attempts)
            names = " and ".join(one.name for one in found.attempts if one.points == best)
            lines.append(Content.styled(f"\n{names} made the most of these cards.\n", "$gold"))
        else:
            lines.append(Content.styled("\nResults are shown once everybody has played.\n", "$on-felt-muted"))
            lines.append(
                Content(f"\n{found.next} plays next. Press {COMMANDS[0].shown} when nobody else is looking.\n")
            )
        return Content("").join(lines)

    def _points(self, attempt: Attempt) -> list[int]:
        try:
            return deal_points(self.app.store, attempt)
        except StoreError as error:
            self.notify(str(error), severity="error")
            return []

    def _state(self, attempt: Attempt) -> str:
        if attempt.points is None:
            return "plays"
        return str(attempt.points) if self.found.next is None else "done"

    def look(self) -> None:
        """Whose match?"""

        def chosen(attempt: object) -> None:
            if isinstance(attempt, Attempt):
                self.app.go(routes.replay(attempt.summary))

        choices = numbered((one.name, one) for one in self.over)
        self.app.overlays.show(Ask("Whose match?", "", choices, may_close=True), chosen)


def _row(head: str, cells: Sequence[str]) -> str:
    return f"{head:<8}" + "".join(column(cell, COLUMN, right=True) for cell in cells) + "\n"


def _cell(points: Sequence[int], deal: int, *, hidden: bool) -> str:
    if deal >= len(points):
        return ""
    return "·" if hidden else str(points[deal])
