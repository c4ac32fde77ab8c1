"""Review of deals that are over: decisions by what they cost, luck apart; one is kept, looked at, tried again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Sparkline, Static

from kalooki_tui.cards import suit_first
from kalooki_tui.coach.rated_advice import played_further, played_on
from kalooki_tui.engine.actions import Pass
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.evaluation.decisions import Judged, Quality
from kalooki_tui.evaluation.rollouts import WORLDS, Rollout
from kalooki_tui.playouts import why_not
from kalooki_tui.presenter.commands import Command, not_open
from kalooki_tui.presenter.prompts import card_in_question
from kalooki_tui.presenter.sentences import better
from kalooki_tui.session.plan import AskCalls
from kalooki_tui.session.turn_loop import wants_asking
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.kept import ReviewedFile
from kalooki_tui.storage.paths import log_fault
from kalooki_tui.storage.summary import plans_of
from kalooki_tui.training import reviews
from kalooki_tui.training.moments import plan_at
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.base import bar, hanging
from kalooki_tui.tui.screens.question import ChoiceDialog, Page
from kalooki_tui.tui.screens.replay import COMMANDS, ReplayScreen
from kalooki_tui.tui.widgets.canvas import shorten
from kalooki_tui.tui.widgets.choices import Choice, numbered
from kalooki_tui.tui.widgets.faces import cards_content
from kalooki_tui.tui.widgets.status import Tone
from kalooki_tui.wording import capital, counted

#: Options of a decision that are asked, at most.
MOST_OPTIONS: Final = 9


class MomentScreen(ReplayScreen):
    """Table as the seat found it; from there the deal can be stepped through. Closing it leads back."""

    lies_over = True
    OFFERED = tuple(
        Command("leave-moment", f"{one.keys},enter", "Back", "Back to the review.", lambda at: at.dismiss(None))
        if one.name == "leave"
        else one
        for one in COMMANDS
    )

    def __init__(self, moment: reviews.ReviewMoment, told: str, record: tuple[str, Sequence[str]]) -> None:
        super().__init__(moment.deals, plans_of(moment.head.names, moment.head.players), moment.at, record=record)
        self.seat, self._at, self._words = moment.found.seat, moment.at, told

    def show_state(self) -> None:
        super().show_state()
        if (self.deal, self.place) == self._at:
            self.status.set_prompt(shorten(self._words, self.size.width - 2), Tone.ASKED)


COLOURS: Final = {
    Quality.BLUNDER: "$error",
    Quality.MISTAKE: "$gold",
    Quality.SLIP: "$on-felt",
    Quality.CLOSE: "$on-felt-muted",
}
MOST: Final = 10
SIGNS_SAID: Final = "· fine  ~ too close to call  ? slip  ▲ mistake  █ blunder"
STILL_OPEN: Final = f"  {reviews.OPEN} to come"
#: Cells of the bar that shows how many decisions have been played out.
BAR: Final = 30
BY_VALUE: Final = "Estimated from the value of positions, which is rough."
BY_WORLDS: Final = f"Each decision was played out in up to {WORLDS:,} worlds."
UNASKED: Final = "Were you not asked about it? Key m at the table sets when you are."
ASKED: Final = " (t: answer)"
KEPT: Final = "Kept: it comes back when it is due. Puzzles on the first screen lists it under Kept decisions."
KEPT_BEFORE: Final = "This decision is kept already."
#: What stands above the decision marked, the decision itself, and what stands below it.
PARTS: Final = ("above", "marked", "below")
#: Columns of a reason, and of the signs of the turns.
WIDTH: Final = 60
TURNS_WIDTH: Final = 65


def _why_none(at: Any) -> Refusal | None:
    if at.marked is None and at.found and at.found[at.deal].open:
        return not_open("", "Nothing is known to have cost anything yet: the decisions are still being played out.")
    return None if at.marked is not None else not_open("", "No decision here cost anything.")


def _why_not_on(at: Any) -> Refusal | None:
    if at.is_last:
        return not_open("", "A match is being played: its review in the list of matches lets you play on from here.")
    return _why_none(at)


def _why_no_more(at: Any) -> Refusal | None:
    why = why_not() or ("" if at.is_whole else "The deals are still being reviewed.")
    return not_open("", why) if why else _why_none(at)


def _joined(parts: Sequence[Content]) -> Content:
    """Join parts without the end of their last line: each stands in a widget of its own."""
    joined = Content("").join(parts)
    return joined[:-1] if joined.plain.endswith("\n") else joined


class ReviewPage(Page):
    """Deal at a time; it comes up at once and is filled when it has been computed."""

    DEFAULT_CSS = "ReviewPage Sparkline { height: 2; display: none; }"
    OFFERED = (
        Command("close", "escape,q", "Close", "Close this page.", lambda at: at.dismiss(None)),
        Command("review-up", "up", "", "The decision above.", lambda at: at.mark(-1)),
        Command("review-down", "down", "", "The decision below.", lambda at: at.mark(1)),
        Command("review-before", "left", "Deal before", "The previous deal.", lambda at: at.go(-1)),
        Command("review-after", "right", "Next deal", "The next deal.", lambda at: at.go(1)),
        Command("review-table", "enter", "Table", "See the moment of the decision on the table.",
                lambda at: at.at_moment(at.show_moment), _why_none),
        Command("review-hands", "o", "Hands", "Show every hand at that moment.",
                lambda at: at.at_moment(partial(at.show_moment, is_open=True)), _why_none),
        Command("review-try", "t", "Try first", "Hide what was better and answer what you would do; or show it.",
                lambda at: at.try_first(), _why_none),
        Command("review-on", "g", "Play on", "Play the deal on from the moment of the decision.",
                lambda at: at.at_moment(at.play_on), _why_not_on),
        Command("review-keep", "p", "Keep", "Keep the decision as a puzzle.", lambda at: at.keep(), _why_none),
        Command("review-more", "m", "More worlds", "Play the decision out in more worlds.",
                lambda at: at.play_more(), _why_no_more),
        Command("review-seat", "tab", "Seat", "The next seat's decisions.", lambda at: at.next_seat()),
    )  # fmt: skip
    heading = "What it cost"
    has_scroll_keys = False

    def __init__(self, lines: Sequence[str], *, last: bool, name: str) -> None:
        super().__init__(name="review")
        self._lines, self.is_last, self._record = tuple(lines), last, name
        self._seat = ""
        """Name of the person whose decisions are shown; empty: the first."""
        self.found: list[reviews.Review] = []
        self.deal = self.at = 0
        self._has_chosen = False
        """Whether the mark was set by a key: then it stays on its decision, whatever the order becomes."""
        self.is_hidden = False
        self._answered: set[tuple[int, int]] = set()
        """Hidden decisions that were answered, by deal and place."""
        self.is_whole = False
        self._races: dict[tuple[int, int], Rollout] = {}
        """By deal and decision: how far it has been played out."""
        self._kept = ReviewedFile.load()
        self._told = "Working out what each decision cost …"

    @property
    def hint(self) -> str:
        return "↑↓ choose · enter table · g play on · t try · o hands · p keep · m more"

    @property
    def shown(self) -> list[Judged]:
        return self.found[self.deal].by_cost[:MOST] if self.found else []

    @property
    def marked(self) -> Judged | None:
        return self.shown[self.at] if self.at < len(self.shown) else None

    def parts(self) -> ComposeResult:
        for part, content in zip(PARTS, self._page(), strict=True):
            yield Static(content, id=part)
        yield Sparkline()
        yield Static(id="trend")

    def on_mount(self) -> None:
        if self._kept.damage:
            self.app.tell_notices(self._kept.damage)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        if self.is_here:
            self._work(self._find)

    def _work(self, work: Callable[[], Awaitable[None]]) -> None:
        self.run_worker(partial(self._watched, work), group="review", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    async def _find(self) -> None:
        seat = self._seat
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
        found = await self.app.compute(reviews.reviews, self._lines, seat, deal, self._record, self.is_last)
        # What can be played out is no result before it has been.
        if not why_not():
            for one in found:
                one.judged = [replace(each, is_open=bool(each.ranked)) for each in one.judged]
        self.found = found
        self.deal, self.at = min(self.deal, len(self.found) - 1), min(self.at, max(0, len(self.shown) - 1))
        self.show()

    # Playing out

    async def _play_out(self) -> None:
        """Play every decision out, where there is a core for it: first in the deal shown, first what looks dear."""
        if why_not():
            return
        while still := [(deal, place) for deal, found in enumerate(self.found) for place in found.open]:
            # Options are compared in every decision before any is valued.
            deal, place = min(
                still,
                key=lambda one: (
                    (one[0] - self.deal) % len(self.found),
                    one in self._races,
                    -self.found[one[0]].judged[one[1]].loss,
                ),
            )
            await self._play(deal, place, played_on)
            if not self.found[deal].open:
                self._put_down(self.found[deal])
            self.show()

    async def _play(self, deal: int, place: int, how: Callable[..., tuple[Rollout, Judged]]) -> None:
        """Play a decision out a step further; the mark stays on the decision it is on."""
        known, marked = self.found[deal].judged[place], self.marked
        race, judged = await self.app.compute(how, known, self._races.get((deal, place)))
        self._races[deal, place], self.found[deal].judged[place] = race, judged
        if deal == self.deal:
            places = [one.decision.place for one in self.shown]
            is_kept = self._has_chosen and marked is not None and marked.decision.place in places
            self.at = places.index(marked.decision.place) if is_kept and marked is not None else 0

    def _put_down(self, found: reviews.Review) -> None:
        if not found.is_person:
            return
        with self.app.telling(ValueError, StoreError):
            self._kept.note(reviews.reviewed_deal(self._lines, found))
            if self.app.settings.keep_mistakes == "by themselves":
                kept = reviews.keep_mistakes(self._lines, found, self.app.progress_file)
                if kept:
                    self.notify(f"{counted(kept, 'mistake')} of {found.deal} kept as puzzles.")

    # What is shown

    def show(self) -> None:
        if self.is_here:
            for part, content in zip(PARTS, self._page(), strict=True):
                self.query_one(f"#{part}", Static).update(content)
            lost = reviews.trend_of(self.found, self.deal, self._kept)
            spark, words = self.query_one(Sparkline), self.query_one("#trend", Static)
            words.display = bool(reviews.trend(lost))
            words.update(reviews.trend(lost))
            spark.display = words.display and not self.app.look.ascii
            spark.styles.width, spark.data = 2 * len(lost), lost

    def _page(self) -> tuple[Content, Content, Content]:
        if not self.found:
            return Content(f"{self._told}\n"), Content(""), Content("")
        found = self.found[self.deal]
        points = "  ".join(f"{name} {points}" for name, points in zip(found.names, found.points, strict=True))
        decisions = [self._decision(place, one) for place, one in enumerate(self.shown)]
        of = len(found.real)
        looked = of - len(found.open)
        looking = Content.assemble("looking  ", bar(looked, of, BAR), f"  {looked} of {of}\n\n")
        above = [
            Content.styled(f"{found.deal} · {found.names[found.seat]}\n", "bold $gold"),
            Content(f"{points}\n{reviews.headline(found)}\n"),
            looking if found.open else Content("\n"),
            Content.styled(
                "\n     ".join(("turn " + reviews.turns_line(found, TURNS_WIDTH)).split("\n")), "$on-felt-muted"
            ),
            Content("\n\n"),
            *decisions[: self.at],
        ]
        below = list(decisions[self.at + 1 :])
        if not decisions and found.open:
            below.append(Content("Looking at each decision …\n"))
        elif not decisions:
            below.append(Content("No decision stands out: as far as can be counted, you lost nothing.\n"))
        kinds = reviews.kinds_line(found)
        if kinds:
            below.append(Content(f"\n{kinds}\n"))
        how = BY_VALUE if why_not() else "" if found.open else BY_WORLDS
        signs = SIGNS_SAID + (STILL_OPEN if found.open else "")
        below.append(Content.styled(f"\n{signs}\n{how}\n", "$on-felt-muted"))
        marked = decisions[self.at] if decisions else Content("")
        return _joined(above), _joined([marked]), _joined(below)

    def _is_hidden(self, one: Judged) -> bool:
        answered = (self.deal, one.decision.place) in self._answered
        return self.is_hidden and one.verdict is not Quality.CLOSE and not answered

    def _decision(self, place: int, one: Judged) -> Content:
        did, told = reviews.line_of(one, one.decision.view.rules.faces)
        is_marked, is_hidden = place == self.at, self._is_hidden(one)
        lines = [
            f"{'▸' if is_marked else ' '} {reviews.SIGNS[one.verdict]} {did}",
            f"what would have been better?{ASKED if is_marked else ''}" if is_hidden else told,
        ]
        if is_marked and not is_hidden:
            decision = one.decision
            is_pass = isinstance(decision.action, Pass) and self.found[self.deal].is_person
            # A person let a card go that nobody is asked about unless they wish to be.
            unasked = is_pass and one.verdict is not Quality.CLOSE and not wants_asking(decision.view, AskCalls.HELPS)
            reasons = (one.why, UNASKED if unasked else "")
            lines.extend(hanging(reason, 0, WIDTH) for reason in reasons if reason)
        return Content.styled("\n".join(lines).replace("\n", "\n        ") + "\n", COLOURS[one.verdict])

    # Commands

    def mark(self, step: int) -> None:
        self.at, self._has_chosen = max(0, min(self.at + step, len(self.shown) - 1)), True
        self.show()
        self.call_after_refresh(self._bring_into_sight)

    def _bring_into_sight(self) -> None:
        """Scroll to the decision marked; with the first to what stands above it, with the last to what stands below."""
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
        deal = max(0, min(self.deal + step, len(self.found) - 1))
        if deal != self.deal:
            self.deal, self.at, self._has_chosen = deal, 0, False
            self.show()
            self._to_the_top()

    def try_first(self) -> None:
        """Hide what was better, and ask the decision marked; where it was answered, show everything again."""
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
        """Ask a decision again, in the order of the options' words, which says nothing of their worth."""
        decision, faces = marked.decision, marked.decision.view.rules.faces
        options = dict.fromkeys((marked.best, decision.action, *marked.ranked[:MOST_OPTIONS]))
        words = {capital(better(one, faces, card_in_question(decision.view)[0])): one for one in options}
        choices = [*numbered(sorted(words.items())), Choice("s", "Show what was better", None)]
        hand = cards_content(sorted(decision.view.hand, key=suit_first), faces)
        text = Content.assemble(f"Turn {decision.turn}. Your hand then:\n", hand, "\n\nWhat would you do?\n")

        def answered(action: object) -> None:
            self._answered.add((self.deal, decision.place))
            if action is not None:
                told = (
                    "Right: nothing was better."
                    if action == marked.best
                    else f"No: {reviews.line_of(marked, faces)[1]}."
                )
                self.notify(told, title="Tried")
            self.show()

        self.app.overlays.show(ChoiceDialog("Try first", text, choices, name="try"), answered)

    def next_seat(self) -> None:
        """Show another seat's decisions: the deal is over, and every hand has been seen."""
        if self.found:
            names, seat = self.found[0].names, self.found[0].seat
            self._seat = names[(seat + 1) % len(names)]
            self.is_whole = self._has_chosen = False
            self._races.clear()
            self._to_the_top()
            self._begin()

    def _to_the_top(self) -> None:
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def keep(self) -> None:
        assert self.marked is not None
        with self.app.telling(ValueError, StoreError):
            path = reviews.keep_as_puzzle(self._lines, self.found[self.deal], self.marked, self.app.progress_file)
            self.notify(KEPT_BEFORE if path is None else KEPT)

    def play_more(self) -> None:
        deal, marked = self.deal, self.marked
        assert marked is not None

        async def play() -> None:
            places = [one.decision.place for one in self.found[deal].judged]
            await self._play(deal, places.index(marked.decision.place), played_further)
            self.show()
            await self._play_out()

        self._work(play)

    def at_moment(self, then: Callable[[reviews.ReviewMoment], object]) -> None:
        found, marked = self.found[self.deal], self.marked
        assert marked is not None

        async def find() -> None:
            moment = await asyncio.to_thread(reviews.moment_of, self._lines, found, marked)
            if self.is_live:
                then(moment)

        self.run_worker(find, group="moment", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    def show_moment(self, moment: reviews.ReviewMoment, *, is_open: bool = False) -> None:
        found, decision = moment.found, moment.judged.decision
        faces = decision.view.rules.faces
        words = f"{found.names[found.seat]} {reviews.done(decision, faces)}"
        screen = MomentScreen(
            moment,
            words if self.is_hidden else f"{words}: {reviews.line_of(moment.judged, faces)[1]}",
            ("", ()) if self.is_last else (self._record, self._lines),
        )
        screen.set_class(is_open, "-all")
        self.app.overlays.show(screen)

    def play_on(self, moment: reviews.ReviewMoment) -> None:
        found, decision = moment.found, moment.judged.decision
        upto = moment.deals[found.number].lines_to(decision.place)
        words, players = f"{self._record}, {found.deal}, turn {decision.turn}", moment.head.players
        with self.app.telling(ValueError):
            self.app.go(routes.play_on(plan_at(moment.before, words, players, self._lines, upto)))
