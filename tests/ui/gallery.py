"""All widgets with made-up views, for looking at: `python -m tests.ui.gallery [scene] [theme] [ascii] [four]`."""

from __future__ import annotations

import sys
from collections.abc import Callable

from textual.app import App, ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from kalooki_tui.cards import JOKER
from kalooki_tui.desk.words import LogLine, Slot
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.view import View
from kalooki_tui.ui.looks import themes
from kalooki_tui.ui.looks.glyphs import Look
from kalooki_tui.ui.widgets.banner import ContractBanner, DealBanner
from kalooki_tui.ui.widgets.chart import ScoreChart
from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.log import LogView
from kalooki_tui.ui.widgets.melds import MeldsView
from kalooki_tui.ui.widgets.piles import PilesView
from kalooki_tui.ui.widgets.seats import SeatsStrip
from tests.ui import samples


class Gallery(App[None]):
    """A table made of the widgets alone."""

    CSS = """
    Screen { background: $felt; }
    #side { width: 28; padding: 0 0 0 1; }
    #table { height: 1fr; padding: 1 0 0 0; }
    #hint { height: 1; background: $felt-deep; color: $on-felt; }
    HandView { height: 7; }
    .tall HandView { height: 10; }
    .tall PilesView { height: 10; }
    .tall #side { width: 32; }
    .tall PilesView { width: 32; }
    DealBanner, ScoreChart { display: none; }
    .deal DealBanner { display: block; margin: 1 0; }
    .deal #table { display: none; }
    .chart ScoreChart { display: block; height: 1fr; margin: 1 2; }
    .chart #table { display: none; }
    """

    def __init__(self, view: View | None = None, look: Look | None = None, theme: str = themes.DEFAULT_THEME) -> None:
        super().__init__()
        self.look = look or Look()
        self._view = view or samples.view()
        self._theme_name = theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    def compose(self) -> ComposeResult:
        yield ContractBanner()
        yield SeatsStrip()
        with Horizontal(id="table"):
            yield MeldsView()
            with Vertical(id="side"):
                yield PilesView()
                yield LogView()
        yield DealBanner()
        yield ScoreChart()
        yield HandView()
        yield Static(" d Stock  t Take  l Lay  k Tack  x Discard  o Sort  h Hint  u Undo  ? Help", id="hint")

    def on_mount(self) -> None:
        themes.register(self)
        self.theme = self._theme_name
        view = self._view
        self.screen.set_class(self.size.height >= 32, "tall")
        slots = [Slot(Kind.SET, 3, 3), Slot(Kind.RUN, 4, 3), Slot(Kind.RUN, 4, 2)] if view.deal == 3 else None
        self.query_one(ContractBanner).show(view, slots)
        self.query_one(SeatsStrip).show(view)
        self.query_one(MeldsView).show(view)
        self.query_one(PilesView).show(view)
        self.query_one(DealBanner).show(view)
        hand = self.query_one(HandView)
        hand.set_hand(view.hand, faces=view.rules.faces)
        hand.focus()
        log = self.query_one(LogView)
        log.set_lines(
            [
                LogLine("Dee discards 7♥"),
                LogLine("Bob calls 6♣ and gets it, with a penalty card", call=True),
                LogLine("Cat tacks 6♥ on m3"),
                LogLine("Cat lays 5♣ 5♦ 5♠, 9♠ 10♠ J♠ ★Q♠ and 3♥ 4♥ 5♥"),
                LogLine("Bob discards 2♦"),
            ]
        )
        self.query_one(ScoreChart).show(
            view.names,
            [[(deal * (seat * 13 + 7)) % 90 + deal * 20 for seat in range(len(view.names))] for deal in range(1, 8)],
        )


def _plain(app: Gallery) -> None:
    hand = app.query_one(HandView)
    hand.sort_by_suit()
    hand.select_cards(samples.cards("KD QD JD JK"))
    hand.move_cursor(4)


def _staged(app: Gallery) -> None:
    view = app._view
    hand = app.query_one(HandView)
    staged = [samples.meld(view.rules, 0, "5H 5D JK"), samples.meld(view.rules, 0, "JD QD KD JK")]
    hand.set_hand((*view.hand, JOKER))
    hand.gather([samples.cards("7C 8C 9C")])
    hand.set_staged([card for meld in staged for card in meld.cards])
    melds = app.query_one(MeldsView)
    melds.show(view, staged)
    melds.lit = {1}


def _deal(app: Gallery) -> None:
    app.screen.add_class("deal")
    app.query_one(HandView).turn_down(12)


def _chart(app: Gallery) -> None:
    app.screen.add_class("chart")


def _many(app: Gallery) -> None:
    hand = app.query_one(HandView)
    hand.set_hand((*app._view.hand, *samples.cards("2C 2D 3S 4S 10H 10C 10D 10S KH KS QS 6C 6D 6H 8D 8H 9D JS 3C")))
    hand.sort_by_rank()
    hand.select_cards(samples.cards("6C 6D 6H"))


#: Scenes: the view shown, and what is done to the widgets then.
SCENES: dict[str, tuple[Callable[[], View], Callable[[Gallery], None]]] = {
    "plain": (samples.view, _plain),
    "staged": (samples.view, _staged),
    "many": (samples.view, _many),
    "crowd": (samples.crowded, _plain),
    "deal": (lambda: samples.view(deal=8), _deal),
    "chart": (samples.view, _chart),
    "tuluki": (
        lambda: samples.view("tuluki", 2, 2, melds=[(1, "5C 5D 5S 5H"), (1, "9S 10S JS QS KS AS")], flip=12, dead=True),
        _plain,
    ),
    "kooky": (
        lambda: samples.view(
            "kooky",
            5,
            8,
            hand="AR 13R 12Y 11G 10B 9B 8B 7R 7G 2Y JK",
            melds=[(1, "5R 5B 5G"), (3, "9Y 10Y 11Y JK 13Y")],
            discard="12G",
        ),
        lambda app: app.query_one(HandView).select_cards(samples.cards("7R 7G JK", "colours")),
    ),
    "money": (
        lambda: samples.view(
            "kalookie-40",
            5,
            1,
            eliminated=(False, False, False, True, False),
            in_deal=(True, True, True, False, True),
            melds=[(2, "5C 5D 5S"), (4, "9S 10S JK")],
        ),
        _plain,
    ),
}


def gallery(scene: str, look: Look | None = None, theme: str = themes.DEFAULT_THEME) -> Gallery:
    """The gallery showing one scene."""
    view, act = SCENES[scene]
    app = Gallery(view(), look, theme)
    app.call_later(lambda: app.call_after_refresh(act, app))
    return app


if __name__ == "__main__":
    words = sys.argv[1:]
    chosen = next((word for word in words if word in SCENES), "plain")
    theme = next((word for word in words if word.startswith("kalooki-")), themes.DEFAULT_THEME)
    gallery(chosen, Look(ascii="ascii" in words, four_colours="four" in words), theme).run()
