"""The review of deals that are over: decisions by what they cost, luck apart; one is kept, looked at, tried again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Sparkline, Static

from kalooki_tui.coach.explaining import explained
from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.setup.plan import AskCalls
from kalooki_tui.desk.study.kept_reviews import (
    ReviewedMoment,
    keep_as_puzzle,
    keep_mistakes,
    mark_of,
    moment_of,
    played_on,
    reviewed_deal,
    trend_of,
    trend_words,
)
from kalooki_tui.desk.study.reviewing import (
    OPEN,
    SIGNS,
    Review,
    done,
    headline,
    kinds_line,
    line_of,
    reviews,
    turns_line,
)
from kalooki_tui.desk.table.asking import wants_asking
from kalooki_tui.engine.actions import Pass
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.judging.decisions import Judged, Quality
from kalooki_tui.judging.playing_out import WORLDS, Race, further, go_on, look
from kalooki_tui.playouts import why_not
from kalooki_tui.store.errors import StoreError
from kalooki_tui.store.reviewed import ReviewedFile
from kalooki_tui.ui import routes
from kalooki_tui.ui.screens.base import hanging
from kalooki_tui.ui.screens.moment import HandsPage, MomentScreen, what_would_you_do
from kalooki_tui.ui.screens.page import Page
from kalooki_tui.wording import counted

Found = TypeVar("Found")

COLOURS: Final = {
    Quality.BLUNDER: "$error",
    Quality.MISTAKE: "$gold",
    Quality.SLIP: "$on-felt",
    Quality.CLOSE: "$on-felt-muted",
}
MOST: Final = 10
SIGNS_SAID: Final = "· fine  ~ too close to call  ? slip  ▲ mistake  █ blunder"
STILL_OPEN: Final = f"  {OPEN} to come"
#: Cells of the bar that shows how many decisions have been played out.
BAR: Final = 30
BY_VALUE: Final = "Estimated from the value of positions, which is rough."
BY_WORLDS: Final = f"Each decision was played out in up to {WORLDS:,} worlds."
UNASKED: Final = "You are asked about such a card only if you want: press m at the table."
ASKED: Final = " (t: answer)"
KEPT: Final = "Kept: you will be asked it when it is due; puzzles on the first screen lists it under Kept decisions."
KEPT_BEFORE: Final = "This decision is kept already."
#: What stands above the decision marked, the decision itself, and what stands below it.
PARTS: Final = ("above", "marked", "below")
#: Columns of a reason, and of the signs of the turns.
WIDTH: Final = 60
TURNS_WIDTH: Final = 65


def _why_none(at: Any) -> Refusal | None:
    if at.marked is None and at.is_looking:
        return choose("", "Nothing is known to have cost anything yet: the decisions are still being played out.")
    return None if at.marked is not None else choose("", "No decision here cost anything.")


def _why_not_on(at: Any) -> Refusal | None:
    if at.is_last:
        return choose("", "A match is being played: its review in the list of matches lets you play on from here.")
    return _why_none(at)


def _why_no_more(at: Any) -> Refusal | None:
    why = why_not() or ("" if at.is_whole else "The deals are still being reviewed.")
    return choose("", why) if why else _why_none(at)


def _joined(parts: Sequence[Content]) -> Content:
    """The parts without the end of their last line: each stands in a widget of its own."""
    joined = Content("").join(parts)
    return joined[:-1] if joined.plain.endswith("\n") else joined


class ReviewPage(Page):
    """A deal at a time; it comes up at once and is filled when it has been computed."""

    DEFAULT_CSS = """
    ReviewPage Sparkline { height: 2; display: none; }
    """
    OFFERED = (
        Command("close", "escape,q", "Close", "Close this page.", lambda at: at.dismiss(None)),
        Command("review-up", "up", "", "The decision above.", lambda at: at.mark(-1)),
        Command("review-down", "down", "", "The decision below.", lambda at: at.mark(1)),
        Command("review-before", "left", "Deal before", "The previous deal.", lambda at: at.go(-1)),
        Command("review-after", "right", "Next deal", "The next deal.", lambda at: at.go(1)),
        Command("review-table", "enter", "Table", "See the moment of the decision on the table.",
                lambda at: at.show_moment(), _why_none),
        Command("review-hands", "o", "Hands", "Show every hand at that moment.",
                lambda at: at.show_hands(), _why_none),
        Command("review-try", "t", "Try first", "Hide what was better and answer what you would do; or show it.",
                lambda at: at.try_first(), _why_none),
        Command("review-on", "g", "Play on", "Play the deal on from the moment of the decision.",
                lambda at: at.play_on(), _why_not_on),
        Command("review-keep", "p", "Keep", "Keep the decision as a puzzle.", lambda at: at.keep(), _why_none),
        Command("review-more", "m", "More worlds", "Play the decision out in more worlds.",
                lambda at: at.play_more(), _why_no_more),
        Command("review-seat", "tab", "Seat", "The next seat's decisions.", lambda at: at.next_seat()),
    )  # fmt: skip
    heading = "What it cost"
    has_scroll_keys = False

    def __init__(self, lines: Sequence[str], *, last: bool, name: str) -> None:
        """`last`: only the last deal."""
        super().__init__(name="review")
        self._lines, self.is_last, self._record = tuple(lines), last, name
        self._seat = ""
        """Whose decisions; empty: the first person's."""
        self.found: list[Review] = []
        self.deal = self.at = 0
        self._has_chosen = False
        """Whether the mark was set by a key: then it stays on its decision, whatever the order becomes."""
        self.is_hidden = False
        self._answered: set[tuple[int, int]] = set()
        """Of the decisions hidden those that were answered, by deal and place."""
        self.is_whole = False
        """Whether all deals have been counted."""
        self._progress = ""
        self._races: dict[tuple[int, int], Race] = {}
        """By deal and decision: how far it has been played out."""
        self._done: set[int] = set()
        """Deals all of whose decisions have been."""
        self._kept = ReviewedFile.load()
        self._told = "Working out what each decision cost …"

    @property
    def hint(self) -> str:
        """What the keys do."""
        return "↑↓ choose · enter table · g play on · t try · o hands · p keep · m more"

    @property
    def is_looking(self) -> bool:
        """Whether decisions of the deal shown are still to be played out."""
        return bool(self.found) and bool(self.found[self.deal].open)

    @property
    def shown(self) -> tuple[Judged, ...]:
        """The decisions listed."""
        return self.found[self.deal].by_cost[:MOST] if self.found else ()

    @property
    def marked(self) -> Judged | None:
        """The decision that keys are about."""
        return self.shown[self.at] if self.at < len(self.shown) else None

    def parts(self) -> ComposeResult:
        """What there is to read, and the trend."""
        for part, content in zip(PARTS, self._page(), strict=True):
            yield Static(content, id=part)
        yield Sparkline()
        yield Static(id="trend")

    def on_mount(self) -> None:
        """Begin to count, once the page is there to say so."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if self.is_here:
            self._work(partial(self._watched, partial(self._find, self._seat)))

    def _work(self, what: Any) -> None:
        self.run_worker(what, group="review", exclusive=True, exit_on_error=False)

    async def _find(self, seat: str) -> None:
        if not self.is_last:
            # The first answer comes at once, the other deals after it.
            await self._show_found(seat, 1)
        await self._show_found(seat, 0)
        self.is_whole = True
        await self._play_out()

    async def _watched(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except ValueError as error:
            self._told = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a record holds, the page can be closed
            log_fault(error)
            self._told = "This cannot be reviewed because of an error in the program, which has been logged."
        self.show()

    async def _show_found(self, seat: str, deal: int) -> None:
        """Count one deal, or (0) all that are wanted, and show them."""
        found = await self.app.compute(reviews, self._lines, seat, deal, self._record, self.is_last)
        # What can be played out is no result before it has been.
        self.found = found if why_not() else [one.to_be_played_out() for one in found]
        self.deal, self.at = min(self.deal, len(self.found) - 1), min(self.at, max(0, len(self.shown) - 1))
        self.show()

    # Playing out

    async def _play_out(self) -> None:
        """Play every decision out, where there is a core to do it: the deal shown first, then the others."""
        if why_not():
            return
        while len(self._done) < len(self.found):
            open_ones = set(range(len(self.found))) - self._done
            await self._play_deal(min(open_ones, key=lambda deal: (deal - self.deal) % len(self.found)))
        self._progress = ""
        self.show()

    async def _play_deal(self, deal: int) -> None:
        judged = self.found[deal].judged
        places = sorted(
            (place for place, one in enumerate(judged) if one.ranked), key=lambda place: -judged[place].loss
        )
        for number, place in enumerate(places, start=1):
            if (deal, place) not in self._races:
                self._tell(deal, "looking at", number, len(places))
                self._take(deal, place, await self.app.compute(look, judged[place], WORLDS))
        open_ones = [place for place in places if not self._races[deal, place].is_over]
        for number, place in enumerate(open_ones, start=1):
            while not (race := self._races[deal, place]).is_over:
                self._tell(deal, "playing out", number, len(open_ones))
                self._take(deal, place, await self.app.compute(go_on, race))
        for place in open_ones:
            told = await self.app.compute(explained, self.found[deal].judged[place])
            self.found[deal] = self.found[deal].with_judged(place, told)
        self._done.add(deal)
        self._note(deal)
        if self.found[deal].is_person and self.app.settings.keep_mistakes == "by themselves":
            with self._told_errors():
                kept = keep_mistakes(self._lines, self._record, self.found[deal], self.app.progress_file)
                if kept:
                    self.notify(f"{counted(kept, 'mistake')} of {self.found[deal].deal} kept as puzzles.")

    def _tell(self, deal: int, what: str, number: int, of: int) -> None:
        self._progress = f"{self.found[deal].deal}: {what} decision {number} of {of} …"
        self.show()

    def _take(self, deal: int, place: int, race: Race) -> None:
        """What is known of a decision now; the mark stays on the decision it is on."""
        marked = self.marked
        self._races[deal, place] = race
        if race.is_over:
            self.found[deal] = self.found[deal].with_judged(place, race.result)
        if deal == self.deal:
            self.at = mark_of(self.shown, marked) if marked is not None and self._has_chosen else 0

    def _note(self, deal: int) -> None:
        """Put down what a person lost in the deal, for the trend."""
        if self.found[deal].is_person:
            with self._told_errors():
                self._kept.note(reviewed_deal(self._lines, self.found[deal]))

    # What is shown

    def show(self) -> None:
        """Show the deal as it is known."""
        if self.is_here:
            for part, content in zip(PARTS, self._page(), strict=True):
                self.query_one(f"#{part}", Static).update(content)
            self._show_trend()

    def _show_trend(self) -> None:
        lost = trend_of(self.found, self.deal, self._kept)
        spark, words = self.query_one(Sparkline), self.query_one("#trend", Static)
        spark.display = bool(lost) and not self.app.look.ascii
        if lost:
            spark.styles.width = 2 * len(lost)
            spark.data = lost
        words.display = bool(lost)
        words.update(trend_words(lost))

    def _page(self) -> tuple[Content, Content, Content]:
        """What stands above the decision marked, the decision, and what stands below it."""
        if not self.found:
            return Content(f"{self._told}\n"), Content(""), Content("")
        found = self.found[self.deal]
        points = "  ".join(f"{name} {points}" for name, points in zip(found.names, found.points, strict=True))
        decisions = [self._decision(place, one) for place, one in enumerate(self.shown)]
        above = [
            Content.styled(f"{found.deal} · {found.names[found.seat]}\n", "bold $gold"),
            Content(f"{points}\n{headline(found)}\n"),
            self._bar(found),
            Content.styled("\n     ".join(("turn " + turns_line(found, TURNS_WIDTH)).split("\n")), "$on-felt-muted"),
            Content("\n\n"),
            *decisions[: self.at],
        ]
        below = list(decisions[self.at + 1 :])
        if not decisions and found.open:
            below.append(Content("Looking at each decision …\n"))
        elif not decisions:
            below.append(Content("No decision stands out: as far as can be counted, you lost nothing.\n"))
        kinds = kinds_line(found)
        if kinds:
            below.append(Content(f"\n{kinds}\n"))
        how = self._progress or (BY_WORLDS if self.deal in self._done else BY_VALUE)
        signs = SIGNS_SAID + (STILL_OPEN if found.open else "")
        below.append(Content.styled(f"\n{signs}\n{how}\n", "$on-felt-muted"))
        marked = decisions[self.at] if decisions else Content("")
        return _joined(above), _joined([marked]), _joined(below)

    def _bar(self, found: Review) -> Content:
        """How many decisions have been played out, until all have been."""
        if not found.open:
            return Content("\n")
        done, of = len(found.settled), len(found.real)
        full = round(BAR * done / of)
        bar = (Content.styled("█" * full, "$gold"), Content.styled("░" * (BAR - full), "$on-felt-muted"))
        return Content.assemble("looking  ", *bar, f"  {done} of {of}\n\n")

    def _is_hidden(self, one: Judged) -> bool:
        answered = (self.deal, one.decision.place) in self._answered
        return self.is_hidden and one.verdict is not Quality.CLOSE and not answered

    def _decision(self, place: int, one: Judged) -> Content:
        """A decision in two lines; the one marked with the reason why the other was better."""
        did, told = line_of(one, one.decision.view.rules.faces)
        is_marked, is_hidden = place == self.at, self._is_hidden(one)
        lines = [
            f"{'▸' if is_marked else ' '} {SIGNS[one.verdict]} {did}",
            f"what would have been better?{ASKED if is_marked else ''}" if is_hidden else told,
        ]
        if is_marked and not is_hidden:
            reasons = (one.why, UNASKED if self._was_unasked(one) else "")
            lines.extend(hanging(reason, 0, WIDTH) for reason in reasons if reason)
        return Content.styled("\n".join(lines).replace("\n", "\n        ") + "\n", COLOURS[one.verdict])

    def _was_unasked(self, one: Judged) -> bool:
        """Whether a person let a card go that nobody is asked about unless they wish to be."""
        decision = one.decision
        is_pass = isinstance(decision.action, Pass) and self.found[self.deal].is_person
        return is_pass and one.verdict is not Quality.CLOSE and not wants_asking(decision.view, AskCalls.HELPS)

    # Commands

    def mark(self, step: int) -> None:
        """To another decision."""
        self.at, self._has_chosen = max(0, min(self.at + step, len(self.shown) - 1)), True
        self.show()
        self.call_after_refresh(self._bring_into_sight)

    def _bring_into_sight(self) -> None:
        """The decision marked; with the first what stands above it all, with the last what stands below."""
        if not self.is_here:
            return
        page = self.query_one(VerticalScroll)
        if self.at == 0:
            page.scroll_home(animate=False)
        elif self.at >= len(self.shown) - 1:
            page.scroll_end(animate=False)
        else:
            self.query_one("#marked").scroll_visible(animate=False)

    def go(self, step: int) -> None:
        """To another deal, which is played out next."""
        deal = max(0, min(self.deal + step, len(self.found) - 1))
        if deal != self.deal:
            self.deal, self.at, self._has_chosen = deal, 0, False
            self.show()
            self._to_the_top()
            self._work(partial(self._watched, self._play_out))

    def try_first(self) -> None:
        """Hide what was better, and let the decision marked be answered; where it has been, show everything again."""
        assert self.marked is not None
        if not self.is_hidden:
            self.is_hidden = True
            self._answered.clear()
        elif not self._is_hidden(self.marked):
            self.is_hidden = False
        else:
            self._ask(self.marked)
        self.show()

    def _ask(self, marked: Judged) -> None:
        def answered(action: object) -> None:
            self._answered.add((self.deal, marked.decision.place))
            if action is not None:
                faces = marked.decision.view.rules.faces
                told = "Right: nothing was better." if action == marked.best else f"No: {line_of(marked, faces)[1]}."
                self.notify(told, title="Tried")
            self.show()

        self.app.overlays.show(what_would_you_do(marked), answered)

    def next_seat(self) -> None:
        """Another seat's decisions: the deal is over, and every hand has been seen."""
        if self.found:
            names, seat = self.found[0].names, self.found[0].seat
            self._seat, self._progress = names[(seat + 1) % len(names)], ""
            self.is_whole = self._has_chosen = False
            self._races.clear()
            self._done.clear()
            self._to_the_top()
            self._begin()

    def _to_the_top(self) -> None:
        """What is shown now is read from its beginning."""
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def keep(self) -> None:
        """The decision marked, as a position file among the puzzles."""
        assert self.marked is not None
        found, file = self.found[self.deal], self.app.progress_file
        with self._told_errors():
            path = keep_as_puzzle(self._lines, self._record, found, self.marked, file)
            self.notify(KEPT_BEFORE if path is None else KEPT)

    @contextmanager
    def _told_errors(self) -> Iterator[None]:
        """What cannot be kept is told, and the page stays."""
        try:
            yield
        except (ValueError, StoreError) as error:
            self.notify(str(error), severity="error")

    def play_more(self) -> None:
        """The decision marked, in more worlds."""
        assert self.marked is not None
        self._work(partial(self._watched, partial(self._play_more, self.deal, self.marked)))

    async def _play_more(self, deal: int, marked: Judged) -> None:
        places = [one.decision.place for one in self.found[deal].judged]
        place = places.index(marked.decision.place)
        race = self._races.get((deal, place)) or await self.app.compute(look, marked, WORLDS)
        self._progress = f"{self.found[deal].deal}: the decision marked, in more worlds …"
        self.show()
        race = await self.app.compute(further, race)
        self._take(deal, place, race)
        told = await self.app.compute(explained, self.found[deal].judged[place])
        self.found[deal] = self.found[deal].with_judged(place, told)
        await self._play_out()

    def show_hands(self) -> None:
        """Every hand as it was at the decision marked."""
        assert self.marked is not None
        found, decision = self.found[self.deal], self.marked.decision
        self.app.overlays.show(HandsPage(found, decision))

    def show_moment(self) -> None:
        """The decision marked, on the table."""
        self._at_moment(moment_of, self._show_moment)

    def play_on(self) -> None:
        """The deal played on from the decision marked."""
        review = routes.review(self._lines, name=self._record)
        self._at_moment(played_on, lambda found, marked, deal_again: self.app.go(routes.played_on(deal_again, review)))

    def _at_moment(self, find: Callable[..., Found], then: Callable[[Review, Judged, Found], object]) -> None:
        """Find what there is at the moment of the decision marked, and go on with it."""
        assert self.marked is not None
        finding = partial(self._find_moment, self.found[self.deal], self.marked, find, then)
        self.run_worker(finding, group="moment", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    async def _find_moment(
        self, found: Review, marked: Judged, find: Callable[..., Found], then: Callable[[Review, Judged, Found], object]
    ) -> None:
        try:
            moment = await asyncio.to_thread(find, self._lines, self._record, found, marked)
        except ValueError as error:
            self.notify(str(error), severity="error")
            return
        if self.is_live:
            then(found, marked, moment)

    def _show_moment(self, found: Review, marked: Judged, moment: ReviewedMoment) -> None:
        faces = marked.decision.view.rules.faces
        did, told = f"{found.names[found.seat]} {done(marked.decision, faces)}", line_of(marked, faces)[1]
        self.app.overlays.show(MomentScreen(moment, found.seat, did if self.is_hidden else f"{did}: {told}"))
