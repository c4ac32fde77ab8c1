"""Widgets that are drawn cell by cell: what stands in them, its inks, and what is said of what lies there."""

from collections.abc import Callable
from itertools import groupby
from string import ascii_letters
from typing import Any

import pytest
from msgspec.structs import asdict, replace
from textual.containers import Container

from kalooki_tui.cards import COLOURS, FRENCH
from kalooki_tui.coach.clauses import Picture
from kalooki_tui.engine.actions import Kind
from kalooki_tui.presenter.sentences import LogLine, empty_slots
from kalooki_tui.tui.looks.palettes import Look
from kalooki_tui.tui.tableside.people import COLOURS as GROUNDS
from kalooki_tui.tui.tableside.people import Badge
from kalooki_tui.tui.widgets.banner import ContractBanner, DealBanner
from kalooki_tui.tui.widgets.canvas import CanvasWidget
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.hand import HandsView, HandView
from kalooki_tui.tui.widgets.meld_rows import MeldsView
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.row import PictureRow
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.tui.widgets.status import LogView, StatusView, Tone
from kalooki_tui.wording import ASCII_TABLE
from tests.commands import Golden
from tests.tui import samples
from tests.tui.widgets.conftest import OneWidget, rows_of

Case = tuple[str, CanvasWidget, Callable[[Any], object], tuple[int, int], Look]
PLAIN, FOUR, IN_ASCII = Look(), Look(four_colours=True), Look(ascii=True)
VIEW, CROWD = samples.view(), samples.crowded()
FORTY, TULUKI = samples.view("kalookie-40", 4, 1), samples.view("tuluki", 2, melds=(), flip=12, stock=108)
KOOKY = samples.view("kooky", 3, 2, hand="AR 13R 12Y 11G JK", melds=[(1, "9Y 10Y 11Y JK 13Y")], discard="12Y")
STAGED = [samples.meld(VIEW.rules, 0, "JD QD KD JK", Kind.RUN)]


def piles() -> list[Case]:
    views = {
        "two": VIEW, "dead": replace(VIEW, dead=True), "nothing": replace(VIEW, discard=None, stock=0, pile=0),
        "three": TULUKI, "one card": replace(TULUKI, stock=1, pile=1), "colours": KOOKY,
    }  # fmt: skip
    sizes = ((26, 6), (40, 8), (60, 14), (14, 3))
    return [
        (name, PilesView(), lambda one, view=view: one.show(view), size, look)
        for size, look in zip(sizes, (PLAIN, FOUR, PLAIN, IN_ASCII), strict=True)
        for name, view in views.items()
        if size == sizes[0] or name in ("two", "three")
    ]


def seats() -> list[Case]:
    first, second, *_ = GROUNDS
    badges = {1: Badge("2", first), 3: Badge("z", second)}
    views = {
        "four": VIEW, "no calls": replace(VIEW, calls=None, totals=(40, 12, 12, 50)), "money": FORTY, "colours": KOOKY,
        "away": replace(FORTY, in_deal=(True, False) * 2, eliminated=(False,) * 3 + (True,)),
        "charged": replace(VIEW, totals=(40,) * 4, penalties=(190, 0, 0, -5), caller=2, out=1, actor=3),
    }  # fmt: skip
    found: list[Case] = []
    for rows, width in ((2, 64), (3, 100), (4, 140), (2, 160)):

        def act(strip: SeatsStrip, view: Any, rows: int = rows) -> None:
            strip.tile_rows = rows
            strip.show(view, badges if view is VIEW else {})

        found += [
            (name, SeatsStrip(), lambda one, view=view, act=act: act(one, view), (width, rows), PLAIN)
            for name, view in views.items()
        ]
    for width, look in ((80, PLAIN), (120, IN_ASCII), (160, PLAIN)):
        found.append(("eleven", SeatsStrip(), lambda one: one.show(CROWD), (width, 4), look))
    return found


def melds() -> list[Case]:
    def act(one: MeldsView) -> None:
        one.show(VIEW, STAGED, {2})
        one.lit = {1}
        one.focus()

    sizes = ((126, 22), (150, 11), (60, 22), (126, 6), (54, 4), (30, 9))
    found: list[Case] = [("four", MeldsView(), act, size, PLAIN) for size in sizes]
    found += [("many", MeldsView(), lambda one: one.show(CROWD), size, FOUR) for size in ((80, 16), (200, 40))]
    found += [("colours", MeldsView(), lambda one: one.show(KOOKY), size, IN_ASCII) for size in ((80, 16), (40, 3))]
    longest = (1, "AS 2S 3S 4S 5S JK 7S 8S 9S 10S JS JK KS AS")
    long = samples.view(melds=[longest, *((2, "5C 5D 5S") for _ in range(9))])
    found.append(("long", MeldsView(), lambda one: one.show(long), (44, 9), PLAIN))
    return [*found, ("none", MeldsView(), lambda one: one.show(TULUKI), (40, 3), PLAIN)]


def hands() -> list[Case]:
    held = VIEW.hand

    def chosen(one: HandView) -> None:
        one.set_hand(held[:-2])
        one.set_hand(held)
        one.gather([samples.cards("9C 8C 7C"), samples.cards("5H 5D")], [["10♣"], ["5"]])
        one.select_cards(samples.cards("KD QD"))
        one.focus()

    found: list[Case] = [
        ("chosen", HandView(), chosen, size, look)
        for size, look in (((80, 6), PLAIN), ((120, 9), FOUR), ((200, 12), PLAIN), ((44, 10), PLAIN), ((60, 3), PLAIN))
    ]
    found += [
        (f"{count}", HandView(), lambda one, count=count: one.set_hand(range(count)), size, PLAIN)
        for count, size in ((30, (80, 6)), (30, (80, 12)), (20, (60, 2)), (7, (40, 1)))
    ]
    found.append(("backs", HandView(), lambda one: one.turn_down(5), (80, 6), PLAIN))
    found.append(("colours", HandView(), lambda one: one.set_hand(KOOKY.hand, faces=COLOURS), (60, 6), IN_ASCII))
    everyone = [(name, held[: 11 - 3 * seat]) for seat, name in enumerate(samples.NAMES[:4])]
    many = [(name, held) for name in samples.NAMES]
    for size, of in (((80, 24), everyone), ((160, 60), everyone), ((120, 36), [*everyone[:3], ("Dee", ())]),
                     ((100, 30), many)):  # fmt: skip
        found.append((
            "all", HandsView(), lambda one, of=of, size=size: one.show(of, 1, FRENCH, size), (size[0], 0), PLAIN,
        ))  # fmt: skip
    return found


def charts() -> list[Case]:
    totals = [[(deal * (seat * 13 + 7)) % 97 - 20 for seat in range(11)] for deal in range(1, 10)]
    found: list[Case] = []
    for players, deals, size, look in (
        (4, 9, (80, 10), PLAIN), (11, 9, (120, 14), PLAIN), (4, 3, (40, 8), PLAIN), (6, 9, (60, 20), IN_ASCII),
        (3, 2, (80, 5), PLAIN), (3, 1, (40, 5), PLAIN), (11, 2, (60, 12), PLAIN), (4, 9, (80, 3), PLAIN),
    ):  # fmt: skip
        rows = [row[:players] for row in totals[:deals]]
        starts = (50, *(0,) * (players - 1)) if deals < 3 else ()
        found.append((
            f"{players} after {deals}", ScoreChart(),
            lambda one, rows=rows, starts=starts: one.show(samples.NAMES[: len(rows[0])], rows, 1, starts), size, look,
        ))  # fmt: skip
    level = [[5] * 11] * 3
    return [*found, ("level", ScoreChart(), lambda one: one.show(samples.NAMES, level), (80, 12), PLAIN)]


def banners() -> list[Case]:
    slots = [replace(slot, have=place, held=2) for place, slot in enumerate(empty_slots(VIEW))]
    long = "It is your move: throw a card, lay down the contract, or look at what the others have left on the table."
    lines = [LogLine("Bob calls 7♥ and takes a penalty card from the stock", call=True), LogLine("Ann discards 7♥"),
             LogLine("Cat draws from the stock and thinks for a long while about it")]  # fmt: skip
    found: list[Case] = [
        ("contract", ContractBanner(), lambda one, width=width: one.show(VIEW, slots, "A note.", waits=width > 80),
         (width, 2), PLAIN) for width in (50, 70, 80, 120)
    ]  # fmt: skip
    found += [("points", ContractBanner(), lambda one: one.show(FORTY), (width, 1), IN_ASCII) for width in (60, 100)]
    found += [
        (f"deal {view.deal}", DealBanner(), lambda one, view=view: one.show(view), size, FOUR)
        for view, size in (
            (VIEW, (80, 12)), (VIEW, (120, 18)), (FORTY, (60, 11)), (samples.view(deal=9, melds=()), (60, 14)),
            (KOOKY, (120, 16)),
        )
    ]  # fmt: skip
    for tone, words in ((Tone.ASKED, "Your move:"), (Tone.QUIET, long), (Tone.REFUSED, f"{long} {long}")):
        found.append(
            ("status", StatusView(), lambda one, of=(words, tone): (one.set_title("11 cards"), one.set_prompt(*of)),
             (70, 2), PLAIN)
        )  # fmt: skip
    found += [
        ("log", LogView(), lambda one, of=of: (one.set_lines(of), one.focus()), (26, 8), PLAIN)
        for of in (lines, lines[1:])
    ]
    pictures = [
        Picture(samples.cards("5C JK JK 8C"), wrong=True), Picture(samples.cards("7S 8S"), lacks=samples.cards("9S")),
        Picture(samples.cards("7H"), add=samples.cards("8H"), back=True),
    ]  # fmt: skip
    return found + [
        ("pictures", PictureRow(pictures, FRENCH), lambda one: None, (width, 3), PLAIN) for width in (90, 50)
    ]


def painted(widget: CanvasWidget, *, inks: bool) -> list[str]:
    """Return the rows of a widget; with `inks` a letter for the ink of each cell below, and every tip."""
    rows = rows_of(widget)
    canvas = widget._canvas
    assert canvas is not None
    rows = [row.translate(ASCII_TABLE) if widget.look.ascii else row for row in rows]
    names = {value: name for name, value in reversed(asdict(widget.palette).items()) if isinstance(value, str)}
    letters: dict[str, str] = {}
    found = []
    for y, row in enumerate(rows):
        found.append(f"|{row}|")
        if not inks or y >= len(canvas.styles):
            continue
        line = ""
        for style, run in groupby(canvas.styles[y]):
            on = [str(colour and names.get(colour.name, colour.name)) for colour in (style.color, style.bgcolor)]
            looks = [look for look in ("bold", "italic", "underline", "strike") if getattr(style, look)]
            ink = " ".join([*on, *looks])
            line += letters.setdefault(ink, ascii_letters[len(letters)]) * len(list(run))
        found.append(f" {line}")
    found += [f"{letter}: {ink}" for ink, letter in letters.items()]
    targets = {str(target): target for row in canvas.targets for target in row if target is not None}
    return found + [tip for tip in map(widget.tip, targets.values()) if tip and inks]


@pytest.mark.parametrize("area", [piles, seats, melds, hands, charts, banners])
async def test_widgets_are_painted(area: Callable[[], list[Case]], golden: Golden) -> None:
    app, pages, seen = OneWidget(Container()), [], set()
    async with app.run_test(size=(200, 60)) as pilot:
        for name, widget, act, (width, height), look in area():
            app.look = look
            widget.styles.width = width
            if height:
                widget.styles.height = height
            await app.widget.mount(widget)
            act(widget)
            await pilot.pause()
            lines = painted(widget, inks=name not in seen)
            pages.append("\n".join([f"{name}, {width} × {widget.size.height}", *lines]))
            seen.add(name)
            await widget.remove()
    golden(f"widgets-{area.__name__}", "\n\n".join(pages))
