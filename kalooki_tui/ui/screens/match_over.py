"""The end of the match: who has won and how, what it came to deal by deal, and what next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Center, Container, Vertical
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.desk.words import SeatSettlement, settlement_words, won_words
from kalooki_tui.engine.actions import Group
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.view import View
from kalooki_tui.store.facts import MatchFacts
from kalooki_tui.ui.screens.question import CONSULT, Quiet
from kalooki_tui.ui.screens.scores import ScorePage, Totals, score_table
from kalooki_tui.ui.widgets.canvas import column
from kalooki_tui.ui.widgets.lay_down import LayDownView
from kalooki_tui.ui.widgets.podium import Podium, Stand
from kalooki_tui.wording import capital, counted, whose

NAME: Final = 14
#: What is told of each seat beside its name.
FACTS: Final = ("went out", "bends", "calls", "points a deal")


class MatchOverScreen(ScorePage):
    """Podium, the last lay-down, totals, and what next: dismissed with `again` or `home`."""

    OFFERED = (
        Command("play-again", "a", "Again", "Play again with the same seats.", lambda at: at.dismiss("again")),
        Command("go-home", "h,escape,q", "Home", "To the first screen.", lambda at: at.dismiss("home")),
        Command("review", "v", "Review", "See what each decision of the match cost.", lambda at: at.review(),
                lambda at: None if at.review is not None else choose("", "This match is not saved.")),
        *CONSULT,
    )  # fmt: skip
    heading = "The match is over"
    clause = "G6"
    quiet = Quiet.AT_FIRST

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
    ) -> None:
        """`lay_down`: a winner, and its last one; `review` opens what each decision of the match cost."""
        super().__init__(name="match-over")
        self._settled, self._lay_down, self.review = tuple(settled), lay_down, review
        self._view, self._winners, self._totals, self._seed, self._facts = view, winners, totals, seed, facts

    @property
    def hint(self) -> str:
        again, home, review = self.OFFERED[:3]
        costs = f"{review.shown} review" if self.review is not None else ""
        keys = (f"{again.shown} plays again", costs, f"{home.shown} goes home", self.consult_words)
        return " · ".join(filter(None, keys))

    def parts(self) -> ComposeResult:
        """Podium, lay-down, chart and table, facts."""
        yield podium(self._view, self._winners, self._facts)
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
            yield Center(Static(facts_table(self._facts), id="facts"))
        yield Center(Static(f"Seed {self._seed}: the same seed deals the same cards.", id="seed", classes="muted"))

    def on_resize(self, event: events.Resize) -> None:
        """Facts that stand beside the podium are not told again."""
        stage = self.query_one(Podium)
        for facts in self.query("#facts"):
            facts.display = not stage.is_beside(stage.size.width)


def podium(view: View, winners: tuple[int, ...], facts: MatchFacts | None = None) -> Podium:
    """The winners on the highest step, then the others by their places."""
    seats = range(len(view.names))
    ranks = view.totals if facts is None else [seat.place for seat in facts.seats]
    losing = sorted((seat for seat in seats if seat not in winners), key=lambda seat: ranks[seat])
    first = " & ".join(view.names[seat] for seat in winners)
    stands = [Stand(1, first, _words(view, winners[0], facts))]
    for seat in losing:
        better = len(winners) + sum(ranks[other] < ranks[seat] for other in losing)
        stands.append(Stand(better + 1, view.names[seat], _words(view, seat, facts)))
    places: list[Stand] = []
    if facts is not None:
        counters = view.rules.ruleset.end.after == "elimination"
        heads = ("counters" if counters else "points", *FACTS)
        for seat in sorted(seats, key=lambda seat: facts.seats[seat].place):
            last = f"{view.money[seat]:+d}" if counters else str(view.totals[seat])
            places.append(Stand(facts.seats[seat].place, view.names[seat], cells=(last, *_cells(facts, seat))))
    return Podium(won_words([view.names[seat] for seat in winners]), stands, places, heads if places else ())


def _words(view: View, seat: int, facts: MatchFacts | None) -> tuple[str, ...]:
    """What stands on a seat's step: what it has in the end, and the deals it went out in."""
    counters = view.rules.ruleset.end.after == "elimination"
    amount = f"{view.money[seat]:+d} counters" if counters else counted(view.totals[seat], "point")
    return (amount,) if facts is None else (amount, f"went out {facts.seats[seat].outs}×")


def settlement_table(seats: Sequence[SeatSettlement]) -> Content:
    """Who took the pool, call-ups and kalookies: in words, then a row a seat."""
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


def facts_table(facts: MatchFacts) -> Content:
    """How everybody played: a row a seat, the best place first."""
    head = f"{'':<22}{'place':>7}" + "".join(f"{head:>{len(head) + 2}}" for head in FACTS)
    parts = [Content.styled(f"{head}\n", "bold $gold")]
    for seat, one in sorted(enumerate(facts.seats), key=lambda pair: pair[1].place):
        cells = "".join(f"{cell:>{len(head) + 2}}" for head, cell in zip(FACTS, _cells(facts, seat), strict=True))
        parts.append(Content(f"{column(one.name, 22)}{one.place:>7}{cells}\n"))
    return Content("").join(parts)


def _cells(facts: MatchFacts, seat: int) -> tuple[str, ...]:
    """What is told of a seat, a cell for each of `FACTS`."""
    one = facts.seats[seat]
    points = f"{one.points / one.deals:.1f}" if one.deals else "–"
    return (str(one.outs), str(one.bends), str(one.calls), points)
