"""What keys and the pointer do to each widget by itself, kept in tests/golden/keyed-*.txt."""

from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from textual.geometry import Offset
from textual.message import Message
from textual.pilot import Pilot

from kalooki_tui.cards import FACES
from kalooki_tui.engine.actions import Kind
from kalooki_tui.presenter.hand_order import Arrangement
from kalooki_tui.presenter.sentences import LogLine
from kalooki_tui.tui.widgets.canvas import CanvasWidget
from kalooki_tui.tui.widgets.command_bar import CommandBar, FooterKey
from kalooki_tui.tui.widgets.hand import HandView, no_card_words
from kalooki_tui.tui.widgets.meld_rows import MeldsView
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.tui.widgets.status import LogView
from tests.commands import Golden
from tests.tui import samples
from tests.tui.widgets.conftest import OneWidget, rows_of

#: What a hand is told to do, by the step.
CALLED = {
    "hold": "set_hand", "stage": "set_staged", "choose": "select_cards", "put": "put_in_order",
    "suits": "sort_by_suit", "ranks": "sort_by_rank",
}  # fmt: skip
WITH_CARDS = ("hold", "stage", "choose", "put", "order", "gather")
VIEW = samples.view()
CROWD = samples.crowded()
STAGED = [samples.meld(VIEW.rules, 0, "JD QD KD JK", Kind.RUN)]
FOOTER = [
    FooterKey(name, key, label, enabled, tooltip=lambda name=name: f"why {name}")
    for name, key, label, enabled in (("draw", "d", "Draw", True), ("lay", "l", "Lay", False))
]
#: Where each begins, and its steps: keys; click:, shift: or over: something, down: and up: with the button, out: to
#: nowhere; what it is shown, as hold: cards. The longer ones by the widget's name.
STEPS: dict[str, tuple[type[CanvasWidget], tuple[int, int], str]] = {
    "hand": (HandView, (80, 24), """
        hold:KS,2C,9H,5D right right space [ shift+left end ] [ enter right right left up down home end
        hold:KS,2C,9H,5D,9H hold:KS,2C,9H,5D,9H stage:9H,KS hold:KS,2C,5D space hold:5D,2C,KS,5D stage:
        choose:KS,5D stage:KS stage:KS,2C stage: click:1 click:1 click:0 shift:2 shift:1 choose:
        over:1 over:2 out: down:0 over:2 up:2 down:1 out: over:0 out: up: down:2 out: over:1 up:1
        down:3 hold:KS,2C over:0 up:0 down:0 hold: up: space right
        hold:KS,10C,9H,10D,JK,QH 0 0 Q * 7 1 j a q 0 left 0
        deck:colours 1 0 1 1 1 3 2 1 2 J K 1 * 3 2 1 3 left 1 3 deck:french
        hold:9H,JK,2S,9D,9C,2D gather:9H,9D,9C/2S,2D,JK left [ suits: right ranks: put:2D,JK end
        gather:9H,9D/2S/5C right hold:9H,JK,2S,9D,9C,2D space right space
        order:KS,9H,2D,JK hold:9H,JK,2S,9D,9C,2D,3D over:1 back:5 space right ] K over:1 hold:KS,2C down:0 back:2 up:0
        """),
    "long hand": (HandView, (44, 24), """
        hold:AS,2S,3S,4S,5S,6S,7S,8S,9S,10S,JS,QS,KS,AH,2H,3H,4H,5H,6H,7H,8H,9H tall: down right up end up down home up
        """),
    "melds": (MeldsView, (54, 12), """
        staged: right right right left down up end home enter over:m2 over:s1 out: click:m3 click:s1 1
        lit:1,2 2 3 4 left right space end home up lit:2 lit: view: end lit:0 click:m2
        """),
    "many melds": (MeldsView, (54, 9), """
        crowd: end enter home down down right up up lit:4,30,31 3 1 2 5 a 5 left left right right end down up home lit:
        end few:24 end few:0 right down home enter
        """),
    "seats": (SeatsStrip, (80, 24), "crowd: over:3 click:6 over:6 over:0 out:"),
    "piles": (PilesView, (80, 24), "view: over:stock click:stock over:discard click:discard out:"),
    "footer": (CommandBar, (80, 24), "keys: over:draw over:lay click:lay out: click:draw"),
    "log": (LogView, (40, 6), "lines: end up pageup down home pagedown write: down down write:"),
}  # fmt: skip


def said(message: Message) -> str:
    """A message and what it holds."""
    values = [getattr(message, one.name) for one in fields(message)] if is_dataclass(message) else []
    return f"{type(message).__name__} {' '.join(map(str, values))}".strip()


class Keyed:
    def __init__(self, pilot: Pilot[None], widget: Any) -> None:
        self.pilot, self.widget = pilot, widget
        self.nowhere = Offset(*pilot.app.size) - (2, 1)

    def place(self, what: str) -> Offset:
        """A cell of what is named so; the last of the screen without a name."""
        found = self.widget.find(lambda target: str(getattr(target, "label", target)) == what) if what else None
        return self.nowhere if found is None else found + Offset(1, 0)

    async def take(self, step: str) -> None:
        name, is_given, given = step.partition(":")
        many = [samples.cards(part.replace(",", " ")) for part in given.split("/")] if name in WITH_CARDS else []
        pilot, widget = self.pilot, self.widget
        match name:
            case "click" | "shift":
                await pilot.click(offset=self.place(given), shift=name == "shift")
            case "over" | "out":
                await pilot.hover(offset=self.place(given))
            case "down" | "up" if is_given:
                await (pilot.mouse_down if name == "down" else pilot.mouse_up)(offset=self.place(given))
            case _ if name in CALLED:
                getattr(widget, CALLED[name])(*many)
            case "order":
                widget.set_hand(widget.cards, order=Arrangement(*many))
            case "gather":
                widget.gather(many, [["K♥"]])
            case "deck":
                widget.set_hand(widget.cards, faces=FACES[given])
            case "back":
                widget.turn_down(int(given))
            case "tall":
                widget.styles.height = 10
            case "view" | "crowd":
                widget.show(CROWD if name == "crowd" else VIEW)
            case "staged":
                widget.show(VIEW, STAGED, {2})
            case "few":
                widget.set_melds(CROWD.melds[: int(given)], CROWD.names)
            case "lit":
                widget.lit = {int(number) for number in given.split(",") if number}
            case "keys":
                widget.show(FOOTER)
            case "lines":
                widget.set_lines([LogLine(f"line {number}") for number in range(40, 0, -1)])
            case "write":
                widget.write("line", call=True)
            case _:
                await pilot.press(step)

    def state(self) -> str:
        widget = self.widget
        if isinstance(widget, HandView):
            held = [
                widget.faces.symbol(one.card)
                + ("+" if one.chosen else "")
                + ("▾" if one.new else "")
                + ("^" if place == widget.cursor else "")
                + ("" if one.bundle < 0 else f"({one.bundle})")
                for place, one in enumerate(widget.in_sight)
            ]
            named = "" if widget.named_card is None else " named"
            return " ".join([*held, *map(str, widget.lacks)]) + named + (" missed" if widget.has_missed else "")
        rows = [row.strip() for row in rows_of(widget)]
        at = f"{widget.cursor_meld} of {len(widget._items)} " if isinstance(widget, MeldsView) else ""
        return f"{at}{widget.scroll_offset.y}/{widget.virtual_size.height} │{rows[0]}│{rows[-1]}│"


@pytest.mark.parametrize("name", STEPS)
async def test_what_is_keyed(name: str, golden: Golden) -> None:
    kind, size, steps = STEPS[name]
    app = OneWidget(kind())
    app.animation_level = "none"
    lines = []
    async with app.run_test(size=size) as pilot:
        keyed = Keyed(pilot, app.widget)
        app.widget.focus()
        for step in steps.split():
            app.messages.clear()
            await keyed.take(step)
            await (pilot.pause() if ":" in step else pilot._wait_for_screen())
            app.widget.paint_now()
            told = [said(one) for one in app.messages if type(one).__module__.startswith("kalooki_tui.")]
            over = [] if app.widget.hovered is None else [f"» {app.widget.tooltip or app.widget.hovered}"]
            lines.append(" · ".join([f"{step:10} {keyed.state()}", *over, *told]))
    golden(f"keyed-{name.replace(' ', '-')}", "\n".join(lines))


def test_what_is_said_of_a_rank_that_is_not_held(golden: Golden) -> None:
    lines = [
        f"{deck} {key}: {no_card_words(key, 'Kooky Kard', faces)}"
        for deck, faces in FACES.items()
        for key in ("A", "1", "2", "9", "0", "J", "Q", "K", "j", "*", *(("10", "12") if faces.has_numbers else ()))
    ]
    golden("keyed-no-card", "\n".join(lines))
