"""Scores: the end of a deal, the score so far, and the end of the match."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Center, Container, Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from kalooki_tui.cards import Card, suit_first
from kalooki_tui.engine.actions import Group
from kalooki_tui.engine.events import Charged, Scored
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.commands import BY_NAME, Command, not_open
from kalooki_tui.presenter.recap import ending
from kalooki_tui.presenter.sentences import (
    CHARGES,
    SeatSettlement,
    at_once_word,
    deal_words,
    headline,
    how_scored,
    last_score,
    score_sheet,
    settlement_words,
    won_words,
)
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.storage.match_facts import MatchFacts
from kalooki_tui.tui.looks.themes import Palette
from kalooki_tui.tui.screens.base import unless
from kalooki_tui.tui.screens.question import BETWEEN, CONSULT, LinesPage, Page, QuietPeriod, closing
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, column, shorten, style
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.faces import SMALL
from kalooki_tui.tui.widgets.meld_rows import LayDownView
from kalooki_tui.tui.widgets.row import LeftRow
from kalooki_tui.wording import capital, counted, whose

if TYPE_CHECKING:
    from kalooki_tui.engine.refusals import Refusal

NAME: Final = 14
#: Most seats beside whose columns there is room for the contracts' words.
MOST_WITH_CONTRACTS: Final = 6
#: Columns left of the seats', with the contracts' words and without.
LONG_LABEL: Final = 26
SHORT_LABEL: Final = 8
#: Columns of the table, at most: what a dialog has in the smallest terminal.
WIDEST: Final = 74
#: Least cells of a name and the points below it.
NARROWEST: Final = 8
#: Rows for the last round: the page covers the table as soon as a deal ends.
ENDING_ROWS: Final = 2
#: Rows of a terminal with room for them; in a lower one there is one.
ROOMY: Final = 30
#: Cards left in a hand, the largest first, with the columns that each must show; the last ones lie on a line. They are
#: no larger than this: the page is the winner's.
LEFT: Final = ((SMALL, 4), ((6, 3), 4), ((6, 2), 4), ((4, 1), 0))
#: Rows of the frame, and the free one above the chart.
FRAME: Final = 3
#: Columns of a name above its cards, at most.
LONGEST: Final = 24
Totals = Sequence[Sequence[int]]


class ScorePage(Page):
    fills = True
    """Whether it is as high as the screen, and the chart takes the rows that nothing else has."""
    _view: View
    _totals: Totals

    @property
    def _scroll(self) -> VerticalScroll:
        return self.query_one(VerticalScroll)

    def chart(self) -> ComposeResult:
        if self._totals:
            yield ScoreChart()

    def on_mount(self) -> None:
        self.watch(self._scroll, "virtual_size", self._fill)
        for chart in self.query(ScoreChart):
            chart.show(self._view.names, self._totals, self._view.seat, self._view.rules.settings.handicap)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._fill)

    def _fill(self) -> None:
        if not self.is_here:
            return
        if self._totals:
            end = "end scrolls down · " if self._scroll.max_scroll_y > 0 else ""
            self.query_one(".dialog").border_subtitle = f"{end}{self.hint}"
        parts = [part.virtual_region_with_margin for part in self._scroll.children if part.display]
        used = max((part.bottom for part in parts), default=0) - min((part.y for part in parts), default=0)
        for chart in self.query(ScoreChart):
            if self.fills:
                chart.grow(self._scroll.size.height - used + chart.grown)


class DealOverScreen(ScorePage):
    OFFERED = (
        Command("go-on", "enter,space,escape", "Go on", "To the next deal.", lambda at: at.dismiss(True)),
        Command("reasons", "w", "Why", "Read why AI seats moved as they did.",
                lambda at: at.app.overlays.show(LinesPage("Why they moved as they did", at.reasons)),
                unless(lambda at: at.reasons, "AI seats give their reasons after the deals of a teaching match.")),
        Command("review", "v", "Review", "See what each decision cost.", lambda at: at.review(),
                unless(lambda at: at.review, "This deal is not saved.")),
        Command("stay", "z", "Stay", "If the match continues by itself: keep this page until a key is pressed.",
                lambda at: at.stay(), unless(lambda at: at.goes_by_itself, "This page stays until a key is pressed.")),
        *BETWEEN,
    )  # fmt: skip
    clause = "G2"
    quiet = QuietPeriod.AT_FIRST

    def __init__(
        self,
        view: View,
        totals: Totals,
        seconds: float | None = None,
        remark: Callable[[], Awaitable[str]] | None = None,
        reasons: Sequence[str] = (),
        review: Callable[[], object] | None = None,
    ) -> None:
        """`remark`: what a person could have done better; it takes a while, and is shown when it is there.

        `reasons`: why AI seats moved as they did, a line each. `review` opens what each decision cost.
        """
        super().__init__(name="deal-over")
        self.reasons, self.review = tuple(reasons), review
        self._view, self._totals, self._seconds, self._remark = view, totals, seconds, remark
        self.goes_by_itself = seconds is not None
        self.heading = f"{deal_words(view)} is over"
        scored = last_score(view)
        self._report = [] if scored is None else seat_reports(view, scored)

    @property
    def hint(self) -> str:
        goes_on, why, review, stay = self.OFFERED[:4]
        keys = f"{goes_on.shown} goes on"
        if self.goes_by_itself:
            keys = f"goes on by itself · {stay.shown} stays · {keys}"
        tells = f"{why.shown} why they moved" if self.reasons else ""
        costs = f"{review.shown} review" if self.review is not None else ""
        return " · ".join(filter(None, (keys, tells, costs, self.consult_words)))

    def parts(self) -> ComposeResult:
        view = self._view
        scored = last_score(view)
        yield Static(headline(view, scored), id="headline", classes="bend" if scored and scored.bent else "")
        last_round = ending(view, WIDEST, ENDING_ROWS if self.app.size.height >= ROOMY else 1)
        if last_round:
            yield Static(last_round, classes="muted")
        melds = [meld for meld in view.melds if scored is not None and meld.owner == scored.out]
        # The winner is the first of those without cards, and the melds are the winner's.
        reports = [Static(words, classes="report") for words, hand in self._report if not hand]
        yield from reports[:1]
        if melds:
            yield LayDownView("", melds, view.rules.faces)
        yield from reports[1:]
        with Container(id="hands"):
            for told, hand in self._report:
                if hand:
                    with Vertical(classes="left"):
                        yield Static(told, classes="report")
                        row = LeftRow()
                        row.show(hand, view.rules.faces)
                        yield row
        if self._remark is not None:
            yield Static(id="remark")
        if view.rules.ruleset.end.after == "elimination":
            yield Static(ledger(view), id="ledger")
        yield from self.chart()

    def on_mount(self) -> None:
        if self._seconds is not None:
            self.set_timer(self._seconds, self._go_by_itself)
        if self._remark is not None:
            # Once the screen counts as mounted: a remark that is there at once would not be shown.
            self.call_after_refresh(self.run_worker, partial(self._show_remark, self._remark), exit_on_error=False)
        self.call_after_refresh(gc.collect)

    def on_resize(self, event: events.Resize) -> None:
        """Show what was left in the largest cards with which all is in sight, side by side where that allows larger."""
        rows = [*self.query(LeftRow)]
        words = [told.plain.split("\n") for told, hand in self._report if hand]
        longest = max((cell_len(line) for lines in words for line in lines), default=0)
        parts = [*self.query(Static), *self.query(LayDownView)]
        others = sum(part.size.height for part in parts if part.parent is self._scroll)
        spare = event.size.height - others - sum(chart.asked(event.size) for chart in self.query(ScoreChart)) - FRAME

        def fits(size: tuple[int, int], step: int, columns: int) -> bool:
            wide = self._scroll.size.width // columns - 1
            told = [max(map(len, words[first : first + columns])) for first in range(0, len(rows), columns)]
            is_wide = columns == 1 or (longest <= wide and size[1] > 1)
            return (
                is_wide
                and sum(told) + len(told) * size[1] <= spare
                and all(row.step(wide, size) >= step for row in rows)
            )

        ways = ((size, columns) for size, step in LEFT for columns in (2, 1) if fits(size, step, columns))
        size, columns = next(ways, (LEFT[-1][0], 1))
        self.query_one("#hands").set_class(columns > 1, "-two")
        for row in rows:
            row.show_as(size)

    def _go_by_itself(self) -> None:
        if self.goes_by_itself:
            self.dismiss(True)

    def stay(self) -> None:
        self.goes_by_itself = False
        self.query_one(".dialog").border_subtitle = self.hint

    async def _show_remark(self, remark: Callable[[], Awaitable[str]]) -> None:
        words = await remark()
        if self.is_here and words:
            self.query_one("#remark", Static).update(f"{words}\n")
            # It may have taken the last rows that were free.
            self.call_after_refresh(self._fill)

    def on_click(self) -> None:
        self.run_command("go-on")


def seat_reports(view: View, scored: Scored) -> list[tuple[Content, Sequence[Card]]]:
    order = sorted(range(len(view.names)), key=lambda seat: (scored.points[seat], seat != scored.out))
    width = min(LONGEST, max(NAME, *(cell_len(name) + 1 for name in view.names)))
    return [(_seat_words(view, scored, seat, width), sorted(scored.hands[seat], key=suit_first)) for seat in order]


def _seat_words(view: View, scored: Scored, seat: int, width: int) -> Content:
    points, total = scored.points[seat], scored.totals[seat]
    name = Content.styled(column(view.names[seat], width), "bold")
    sum_line = Content.styled(f"{points:>+5d}  = {total:>4d}", "bold $gold")
    leads = scored.totals[seat] == min(scored.totals) < max(scored.totals)
    how = Content.styled(how_scored(view, scored, seat), "$on-felt-muted")
    lines = [Content.assemble(name, sum_line, "  ", how, Content.styled("  leads" if leads else "", "bold $gold"))]
    lines += [
        Content.styled(
            f"  {event.points:+d}: {CHARGES.get(event.clause, event.clause)} ({event.clause})", "$on-felt-muted"
        )
        for event in view.history
        if isinstance(event, Charged) and event.seat == seat
    ]
    return Content("\n").join(lines)


def ledger(view: View) -> str:
    lines = [f"  {column(name, 21)}{money:+5d}" for name, money in zip(view.names, view.money, strict=True)]
    return "\n".join(["Counters", *lines, f"  {'pool':<20} {view.pool:5d}", ""])


class ScoresDialog(ScorePage):
    OFFERED = (
        closing("scores"),
        Command("scores-seats", BY_NAME["seats"].keys, "Seats", BY_NAME["seats"].sentence,
                lambda at: at.change_seats(), lambda at: at.why_no_seats()),
    )  # fmt: skip
    heading = "Scores"
    fills = False

    def __init__(self, totals: Totals, view: View) -> None:
        super().__init__(name="scores")
        self._totals, self._view = totals, view

    @property
    def hint(self) -> str:
        seats = "" if self.why_no_seats() else f" · {self.OFFERED[1].shown} changes who plays"
        return f"{super().hint}{seats}"

    def why_no_seats(self) -> Refusal | None:
        table = self.consulted
        return not_open("", "There is no table here.") if table is None else table.why_no_seats()

    def change_seats(self) -> None:
        table = self.consulted
        self.dismiss(None)
        if table is not None:
            table.open_seats()

    def parts(self) -> ComposeResult:
        yield Static(score_table(self._view, self._totals), id="score-table")
        yield from self.chart()


def score_table(view: View, totals: Totals) -> Content:
    names, sheet = view.names, score_sheet(view, totals)
    label = SHORT_LABEL
    if len(names) <= MOST_WITH_CONTRACTS:
        longest = max((len(named) for named, _ in sheet), default=0) + 5
        label = max(LONG_LABEL + (len(totals) > 9), min(longest, WIDEST - NARROWEST * len(names)))
    width = min(10, (WIDEST - label) // len(names))
    word = view.rules.ruleset.vocabulary.deal.capitalize()
    head = f"{word:<{label}}" + "".join(column(name, width, right=True) for name in names)
    parts = [Content.styled(head + "\n", "bold $gold")]
    for number, (named, points) in enumerate(sheet, 1):
        contract = "" if label < LONG_LABEL else shorten(named, label - 4)
        cells = "".join(f"{one:>+{width}d}" for one in points)
        parts.append(Content(f"{f'{number}  {contract}'[: label - 1]:<{label}}{cells}\n"))
    parts.append(
        Content.styled(f"{'Total':<{label}}" + "".join(f"{total:>{width}d}" for total in view.totals) + "\n", "bold")
    )
    if view.rules.ruleset.end.after == "elimination":
        counters = "".join(f"{money:>+{width}d}" for money in view.money)
        parts.append(Content(f"{'Counters':<{label}}{counters}\n"))
    return Content("").join(parts)


def heads_of(ruleset: Ruleset) -> tuple[str, ...]:
    """Return what is told of each seat beside its name."""
    return "went out", at_once_word(ruleset), *["calls"] * bool(ruleset.calls.limit), "points a deal"


def has_counts(facts: MatchFacts, seat: int) -> bool:
    """Tell whether a seat's counts are of as many deals as anybody's: not if it changed hands."""
    counted_in = [one.deals for one in facts.seats]
    return counted_in[seat] > 0 and (facts.seats[seat].money is not None or counted_in[seat] == max(counted_in))


class MatchOverScreen(ScorePage):
    """Podium, the last lay-down, totals, and what next: dismissed with `again`, `practise` or `home`."""

    OFFERED = (
        Command("play-again", "a", "Again", "Play again with the same seats.", lambda at: at.dismiss("again")),
        Command("go-home", "h,escape,q", "Home", "To the first screen.", lambda at: at.dismiss("home")),
        Command("review", "v", "Review", "See what each decision of the match cost.", lambda at: at.review(),
                unless(lambda at: at.review, "This match is not saved.")),
        Command("practise", "p", "Practise", "Play the contract that cost most once more, in a teaching match.",
                lambda at: at.dismiss("practise"), unless(lambda at: at.practice, "No contract has cost anything.")),
        *CONSULT,
    )  # fmt: skip
    heading = "The match is over"
    clause = "G6"
    quiet = QuietPeriod.AT_FIRST

    def __init__(
        self,
        view: View,
        winners: tuple[int, ...],
        totals: Totals,
        seed: int,
        facts: MatchFacts | None = None,
        settled: Sequence[SeatSettlement] = (),
        lay_down: tuple[int, Sequence[Group]] = (0, ()),
        review: Callable[[], object] | None = None,
        practice: str = "",
    ) -> None:
        """`lay_down`: a winner, and its last one; `review` opens what each decision of the match cost.

        `practice`: the contract that cost most, in words; empty: none did.
        """
        super().__init__(name="match-over")
        self.practice = practice
        self._settled, self._lay_down, self.review = tuple(settled), lay_down, review
        self._view, self._winners, self._totals, self._seed, self._facts = view, winners, totals, seed, facts

    @property
    def hint(self) -> str:
        again, home, review, practise = self.OFFERED[:4]
        costs = f"{review.shown} review" if self.review is not None else ""
        next_one = f"{practise.shown} practise {self.practice}" if self.practice else ""
        keys = (f"{again.shown} again", costs, next_one, f"{home.shown} home", self.consult_words)
        return " · ".join(filter(None, keys))

    def parts(self) -> ComposeResult:
        with Container(id="stage"):
            yield podium(self._view, self._winners, self._facts)
            if self._facts is not None:
                yield Static(facts_table(self._facts, self._view.rules.ruleset), id="beside")
        seat, groups = self._lay_down
        if groups:
            rules = self._view.rules
            melds = [make_meld(rules.ruleset, seat, group) for group in groups]
            yield LayDownView(f"{capital(whose(self._view.names[seat]))} last lay-down", melds, rules.faces)
        with Container(id="numbers"):
            with Vertical(id="course"):
                yield from self.chart()
                if self._settled:
                    yield Center(Static(settlement_table(self._settled), id="settlement"))
            yield Center(Static(score_table(self._view, self._totals), id="score-table"))
        if self._facts is not None:
            yield Center(Static(facts_table(self._facts, self._view.rules.ruleset), id="facts"))
        yield Center(Static(f"Seed {self._seed}: the same seed deals the same cards.", id="seed", classes="muted"))

    def on_resize(self, event: events.Resize) -> None:
        """Show the facts beside the podium where there is room, else at the end."""
        self.set_class(event.size.width >= BESIDE, "-beside")


def podium(view: View, winners: tuple[int, ...], facts: MatchFacts | None = None) -> Podium:
    """Return the podium: the winners on the highest step, then the others by their places."""
    seats = range(len(view.names))
    ranks = view.totals if facts is None else [seat.place for seat in facts.seats]
    losing = sorted((seat for seat in seats if seat not in winners), key=lambda seat: ranks[seat])
    first = " & ".join(view.names[seat] for seat in winners)
    stands = [Stand(1, first, _words(view, winners[0], facts))]
    for seat in losing:
        better = len(winners) + sum(ranks[other] < ranks[seat] for other in losing)
        stands.append(Stand(better + 1, view.names[seat], _words(view, seat, facts)))
    return Podium(won_words([view.names[seat] for seat in winners]), stands)


def _words(view: View, seat: int, facts: MatchFacts | None) -> tuple[str, ...]:
    counters = view.rules.ruleset.end.after == "elimination"
    amount = f"{view.money[seat]:+d} counters" if counters else counted(view.totals[seat], "point")
    if facts is None or not has_counts(facts, seat):
        return (amount,)
    return amount, f"went out {facts.seats[seat].outs}×"


def settlement_table(seats: Sequence[SeatSettlement]) -> Content:
    words = "".join(f"{sentence}\n" for sentence in settlement_words(seats))
    heads = ("stake", "came back", "call-ups", "kalookies", "pool", "counters")
    widths = [max(7, len(head) + 2) for head in heads]
    title = f"{'Settlement':<{NAME}}" + "".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))
    parts = [Content(words), Content.styled(title, "bold $gold")]
    for one in sorted(seats, key=lambda one: -one.total):
        cells = (one.stake, one.bought, one.call_ups, one.kalookies, one.pool, one.total)
        numbers = "".join(
            f"{cell:>+{width}d}" if cell else f"{'–':>{width}}" for cell, width in zip(cells, widths, strict=True)
        )
        parts.append(Content(f"\n{column(one.name, NAME)}{numbers}"))
    return Content("").join([*parts, Content("\n")])


def facts_table(facts: MatchFacts, ruleset: Ruleset) -> Content:
    heads = heads_of(ruleset)
    head = f"{'':<{NAME}}{'place':>7}" + "".join(f"{head:>{len(head) + 2}}" for head in heads)
    parts = [Content.styled(f"{head}\n", "bold $gold")]
    for seat in sorted(range(len(facts.seats)), key=lambda seat: facts.seats[seat].place):
        one, counts = facts.seats[seat], ("–",) * len(heads)
        if has_counts(facts, seat):
            calls = [str(one.calls)] * bool(ruleset.calls.limit)
            counts = (str(one.outs), str(one.bends), *calls, f"{one.points / one.deals:.1f}")
        told = "".join(f"{cell:>{len(head) + 2}}" for head, cell in zip(heads, counts, strict=True))
        parts.append(Content(f"{column(one.name, NAME)}{one.place:>7}{told}\n"))
    return Content("").join(parts)


#: Columns of a terminal from which on the facts stand beside the steps.
BESIDE: Final = 116
#: Columns of a step, at least and at most.
STEP: Final = (14, 24)
#: Rows of the steps, the highest first; above each stands a name.
HEIGHTS: Final = (6, 4, 3)
#: Which step stands where, from the left.
ORDER: Final = (1, 0, 2)
#: Ground and ink of each step.
GROUNDS: Final = (("gold", "felt_deep"), ("on_felt_muted", "felt_deep"), ("felt_raised", "on_felt"))
#: Rows above the steps: the headline and a free one.
HEAD: Final = 2


class Stand(Struct, frozen=True):
    place: int
    name: str
    words: tuple[str, ...] = ()


class Podium(CanvasWidget):
    DEFAULT_CSS = "Podium { height: auto; width: 1fr; }"
    GROUND = "felt_deep"

    def __init__(self, headline: str, stands: Sequence[Stand]) -> None:
        """`stands`: those of the steps and below, the winner first."""
        super().__init__()
        self._headline, self._stands = headline, tuple(stands)

    def _others(self, width: int) -> list[str]:
        lines: list[str] = []
        for stand in self._stands[len(HEIGHTS) :]:
            one = f"{stand.place} {stand.name}  {stand.words[0] if stand.words else ''}".rstrip()
            if lines and cell_len(lines[-1]) + cell_len(one) + 3 <= width:
                lines[-1] += f" · {one}"
            else:
                lines.append(one)
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        others = len(self._others(width))
        return HEAD + HEIGHTS[0] + 1 + (others + 1 if others else 0) + 1

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        gold = style(palette.gold, palette.felt_deep, True)
        canvas.centred(0, shorten(f"★ {self._headline} ★", canvas.width - 1), gold)
        wide = max(STEP[0], min(STEP[1], canvas.width // len(HEIGHTS)))
        count = min(len(self._stands), len(HEIGHTS))
        x = (canvas.width - count * wide) // 2
        for rank in ORDER:
            if rank < count:
                self._paint_step(canvas, palette, x, wide, rank)
                x += wide
        for row, line in enumerate(self._others(canvas.width), HEAD + HEIGHTS[0] + 2):
            canvas.centred(row, shorten(line, canvas.width - 1), style(palette.on_felt, palette.felt_deep))

    def _paint_step(self, canvas: Canvas, palette: Palette, x: int, wide: int, rank: int) -> None:
        stand, height = self._stands[rank], HEIGHTS[rank]
        ground, ink = (getattr(palette, name) for name in GROUNDS[rank])
        top = HEAD + 1 + HEIGHTS[0] - height
        name = shorten(stand.name, wide - 1)
        canvas.centred(top - 1, name, style(palette.on_felt, palette.felt_deep, True), x, wide)
        canvas.fill(x, top, wide, height, style(ink, ground))
        for row, words in enumerate((str(stand.place), *stand.words), top + (1 if rank == 0 else 0)):
            canvas.centred(row, shorten(words, wide - 1), style(ink, ground, row == top or rank == 0), x, wide)
