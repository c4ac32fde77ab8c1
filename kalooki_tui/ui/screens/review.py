"""The review of deals that are over: decisions by what they cost, luck apart; one is kept as a puzzle or looked at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.coach.reviewing import Judged, Verdict, suspects
from kalooki_tui.coach.worlds import WORLDS, played_out
from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.reviewing import SIGNS, Review, headline, keep_as_puzzle, line_of, reviews, trend, turns_line
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.playouts import why_not
from kalooki_tui.store.errors import StoreError
from kalooki_tui.ui.screens.page import Page

COLOURS: Final = {
    Verdict.BLUNDER: "$error",
    Verdict.MISTAKE: "$gold",
    Verdict.SLIP: "$on-felt",
    Verdict.CLOSE: "$on-felt-muted",
}
MOST: Final = 10
SIGNS_SAID: Final = "· fine  ~ too close to call  ? slip  ▲ mistake  █ blunder"
BY_VALUE: Final = "Read from the value of positions, which is rough."
BY_WORLDS: Final = "Those with ± were played out, the others read from the value."


def _why_none(at: Any) -> Refusal | None:
    return None if at.marked is not None else choose("", "There is no decision here that cost anything.")


class ReviewPage(Page):
    """A deal at a time; it comes up at once and is filled when it has been computed."""

    OFFERED = (
        Command("close", "escape,q,enter", "Close", "Close this page.", lambda at: at.dismiss(None)),
        Command("review-up", "up", "", "The decision above.", lambda at: at.mark(-1)),
        Command("review-down", "down", "", "The decision below.", lambda at: at.mark(1)),
        Command("review-before", "left", "Deal before", "The deal before.", lambda at: at.go(-1)),
        Command("review-after", "right", "Next deal", "The next deal.", lambda at: at.go(1)),
        Command("review-try", "t", "Try first", "Hide what was better, to find it first; or show it.",
                lambda at: at.turn_hidden()),
        Command("review-keep", "p", "Keep", "Keep the decision as a puzzle.", lambda at: at.keep(), _why_none),
        Command("review-seat", "tab", "Seat", "The next seat's decisions.", lambda at: at.next_seat()),
    )  # fmt: skip
    heading = "What it cost"

    def __init__(self, lines: Sequence[str], seat: str, *, last: bool, name: str) -> None:
        """`last`: only the last deal; `seat`: whose decisions, empty for the first person's."""
        super().__init__(name="review")
        self._lines, self._seat, self._last, self._record = tuple(lines), seat, last, name
        self.found: list[Review] = []
        self.deal = self.at = 0
        self.is_hidden = False
        self._progress = ""
        self._played: set[int] = set()
        """Deals whose suspects have been played out, or are."""
        self._told = "Counting what each decision cost …"

    @property
    def hint(self) -> str:
        """What the keys do."""
        return "← → deal · t try first · p keep · tab seat · esc closes"

    @property
    def shown(self) -> tuple[Judged, ...]:
        """The decisions listed."""
        return self.found[self.deal].by_cost[:MOST] if self.found else ()

    @property
    def marked(self) -> Judged | None:
        """The decision that keys are about."""
        return self.shown[self.at] if self.at < len(self.shown) else None

    def parts(self) -> ComposeResult:
        """What there is to read."""
        yield Static(self._page(), id="review", markup=False)

    def on_mount(self) -> None:
        """Begin to count, once the page is there to say so."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if self.is_here:
            self.run_worker(partial(self._find, self._seat), group="review", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    async def _find(self, seat: str) -> None:
        try:
            if not self._last:
                # The first answer comes at once, the other deals after it.
                await self._show_found(seat, 1)
            await self._show_found(seat, 0)
            await self._play_out()
        except ValueError as error:
            self._told = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a record holds, the page can be closed
            log_fault(error)
            self._told = "This cannot be reviewed: the program is at fault, and it has been written down."
        self.show()

    async def _show_found(self, seat: str, deal: int) -> None:
        """Count one deal, or (0) all that are wanted, and show them."""
        self.found = await self.game.compute(reviews, self._lines, seat, deal, self._record, self._last)
        self.deal, self.at = min(self.deal, len(self.found) - 1), min(self.at, max(0, len(self.shown) - 1))
        self.show()

    async def _play_out(self) -> None:
        """Play the suspects of the deal shown out over many worlds, where there is a core to do it."""
        deal = self.deal
        if why_not() or deal in self._played:
            return
        self._played.add(deal)
        places = suspects(self.found[deal].judged)
        for number, place in enumerate(places, start=1):
            self._progress = f"playing decision {number} of {len(places)} out in {WORLDS:,} worlds …"
            self.show()
            judged = await self.game.compute(played_out, self.found[deal].judged[place], WORLDS)
            self.found[deal] = self.found[deal].with_judged(place, judged)
        self._progress = ""
        self.show()

    def show(self) -> None:
        """Show the deal as it is known."""
        if self.is_here:
            self.query_one("#review", Static).update(self._page())

    def _page(self) -> Content:
        if not self.found:
            return Content(f"{self._told}\n")
        found = self.found[self.deal]
        faces = found.judged[0].decision.view.rules.faces if found.judged else None
        points = "  ".join(f"{name} {points}" for name, points in zip(found.names, found.points, strict=True))
        parts = [
            Content.styled(f"{found.deal} · {found.names[found.seat]}\n", "bold $gold"),
            Content(f"{points}\n{headline(found)}\n\n"),
            Content.styled(f"turn {turns_line(found)}\n\n", "$on-felt-muted"),
        ]
        for place, one in enumerate(self.shown):
            did, told = line_of(one, faces)
            told = "what would have been better?" if self.is_hidden and one.verdict is not Verdict.CLOSE else told
            mark = "▸" if place == self.at else " "
            parts.append(Content.styled(f"{mark} {SIGNS[one.verdict]} {did}\n        {told}\n", COLOURS[one.verdict]))
        if not self.shown:
            parts.append(Content("No decision stands out: for all that can be counted you lost nothing.\n"))
        more = trend(self.found)
        if more:
            parts.append(Content(f"\n{more}\n"))
        how = self._progress or (BY_WORLDS if self.deal in self._played else BY_VALUE)
        parts.append(Content.styled(f"\n{SIGNS_SAID}\n{how}\n", "$on-felt-muted"))
        return Content("").join(parts)

    # Commands

    def mark(self, step: int) -> None:
        """To another decision."""
        self.at = max(0, min(self.at + step, len(self.shown) - 1))
        self.show()

    def go(self, step: int) -> None:
        """To another deal."""
        self.deal, self.at = max(0, min(self.deal + step, len(self.found) - 1)), 0
        self.show()
        if self.found and not self._progress:
            self.run_worker(self._play_out, group="review", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    def turn_hidden(self) -> None:
        """Hide the better option, or show it."""
        self.is_hidden = not self.is_hidden
        self.show()

    def next_seat(self) -> None:
        """Another seat's decisions: the deal is over, and every hand has been seen."""
        if self.found:
            names, seat = self.found[0].names, self.found[0].seat
            self._seat, self._progress = names[(seat + 1) % len(names)], ""
            self._played.clear()
            self._begin()

    def keep(self) -> None:
        """The decision marked, as a position file among the puzzles."""
        assert self.marked is not None
        try:
            path = keep_as_puzzle(self._lines, self._record, self.found[self.deal], self.marked)
        except (ValueError, StoreError) as error:
            self.notify(str(error), severity="error", markup=False)
        else:
            self.notify(f"Kept among the puzzles as {path.stem}.", markup=False)
