"""What each widget paints by itself, kept in tests/golden/painted-*.txt: below each row its looks by letter."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from string import ascii_letters, digits
from typing import Any, Final

import pytest
from msgspec.structs import replace
from rich.segment import Segment
from textual._context import active_app
from textual.color import Color
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from kalooki_tui.cards import COLOURS, FRENCH, JOKER
from kalooki_tui.coach.clauses import Picture
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.view import HasLaid
from kalooki_tui.presenter.commands import use_keys
from kalooki_tui.presenter.sentences import LogLine, Slot
from kalooki_tui.storage.match_facts import MatchFacts, SeatFacts
from kalooki_tui.tui.looks.palettes import BUILT_IN, AsciiFilter, Depth, Look, Palette
from kalooki_tui.tui.screens.scores import podium
from kalooki_tui.tui.tableside.people import Badge
from kalooki_tui.tui.widgets.banner import ContractBanner, DealBanner
from kalooki_tui.tui.widgets.canvas import (
    Canvas,
    CanvasWidget,
    column,
    in_rows,
    shorten,
    style,
    whole_clauses,
    whole_items,
    wrapped,
)
from kalooki_tui.tui.widgets.chart import ScoreChart
from kalooki_tui.tui.widgets.choices import (
    Choice,
    ChoiceLine,
    by_command,
    note_keys,
    numbered,
    two_lines,
)
from kalooki_tui.tui.widgets.command_bar import CommandBar, FooterKey
from kalooki_tui.tui.widgets.faces import (
    HUGE,
    LARGE,
    SMALL,
    Brush,
    card_content,
    card_face,
    cards_content,
    draw_back,
    draw_empty,
)
from kalooki_tui.tui.widgets.hand import HandsView, HandView
from kalooki_tui.tui.widgets.meld_rows import LayDownView, MeldsView
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.row import CardRow, PictureRow
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.tui.widgets.status import LogView, NoteStrip, StatusView, Tone
from tests.commands import Golden, checksum
from tests.tui import samples
from tests.tui.frames import Frames, painted_text
from tests.tui.widgets.conftest import OneWidget

cards = samples.cards
LETTERS: Final = ascii_letters + digits
SCREEN: Final = Size(80, 24)
#: Columns and rows by which a widget is also painted narrower, wider, lower or higher, in short; the fewest columns.
WIDER: Final = (-21, -8, -3, -2, -1, 1, 2, 5, 13, 40)
HIGHER: Final = (-2, -1, 1, 2, 6)
LEAST: Final = 15
#: Looks by name, each with how many colours its terminal has.
LOOKS: Final = {
    "": (Depth.TRUE, Look()),
    "256 colours": (Depth.MANY, Look()),
    "16 colours": (Depth.FEW, Look()),
    "ASCII": (Depth.TRUE, Look(ascii=True)),
    "four colours": (Depth.TRUE, Look(four_colours=True)),
}


class Bench(OneWidget):
    """An app that never runs, which widgets ask for its looks."""

    def __init__(self, name: str, size: Size) -> None:
        depth, look = LOOKS[name]
        self.palette: Palette = BUILT_IN["kalooki-felt"].palettes[depth]
        self.look_name, self.screen_size = name, size
        super().__init__(Widget(), look)

    @property
    def size(self) -> Size:
        return self.screen_size

    def get_css_variables(self) -> dict[str, str]:
        return {**super().get_css_variables(), **self.palette.variables()}


bench_of = cache(Bench)


@dataclass
class Sheet:
    """A text of what is painted."""

    lines: list[str] = field(default_factory=list)
    letters: dict[str, str] = field(default_factory=dict)

    def add(self, title: str, canvas: Canvas, bench: Bench) -> None:
        strips = canvas.strips()
        if bench.look.ascii:
            plain = AsciiFilter()
            strips = [Strip(plain.apply([*strip], Color.parse("black")), strip.cell_length) for strip in strips]
        self.lines.append(f"── {title} · {canvas.width}×{canvas.height} {bench.look_name}".rstrip())
        looks = targets = ""
        for (text, row), under in zip(Frames(bench).frame(strips), canvas.targets, strict=True):
            before, looks = looks, "".join(self.letters.setdefault(look, LETTERS[len(self.letters)]) for look in row)
            beneath, targets = targets, "".join(map(sign_of, under)).rstrip()
            self.lines += [f"  │{text.rstrip()}"]
            self.lines += [f"  ~{looks}"] if looks != before else []
            self.lines += [f"  @{targets}"] if targets != beneath else []

    def sizes(self, width: int, height: int) -> list[tuple[int, int]]:
        return [(width, height)]

    def text(self) -> str:
        return "\n".join([*(f"{letter} {look}" for look, letter in self.letters.items()), *self.lines])


class Sums(Sheet):
    """A checksum of what is painted under each title, at sizes around those that the text shows."""

    def sizes(self, width: int, height: int) -> list[tuple[int, int]]:
        found = [*((width + more, height) for more in WIDER), *((width, height + more) for more in HIGHER)]
        return [(width, height) for width, height in found if width > LEAST and height > 0]

    def add(self, title: str, canvas: Canvas, bench: Bench) -> None:
        targets = ("".join(map(sign_of, row)) for row in canvas.targets)
        self.lines.append(f"── {title}\n{'|'.join([painted_text(canvas.strips()), *targets])}")

    def text(self) -> str:
        """A line a title; what is told beside a canvas belongs to the title above it."""
        parts, title = defaultdict[str, list[str]](list), ""
        for line in self.lines:
            title = line.partition("\n")[0] if line.startswith("── ") else title
            parts[title].append(line)
        return "\n".join(f"{title} {checksum(' '.join(lines))}" for title, lines in parts.items())


def sign_of(target: Any) -> str:
    """A letter for what a click would hit."""
    if target is None:
        return " "
    if isinstance(target, int):
        return LETTERS[::-1][target]
    return str(getattr(target, "label", target))[-1]


def paint(
    sheet: Sheet,
    title: str,
    widget: CanvasWidget,
    width: int,
    height: int,
    *,
    look: str = "",
    focus: bool = False,
    hovered: Any = None,
    screen: Size = SCREEN,
    top: int = 0,
    tips: bool = False,
) -> None:
    """Paint a widget of that size without any app, as a mounted one is painted."""
    bench = bench_of(look, screen)
    before = active_app.set(bench)
    widget.set_reactive(Widget.has_focus, focus)
    widget.hovered = hovered
    ground = style(bench.palette.on_felt, getattr(bench.palette, widget.GROUND))
    for columns, rows in sheet.sizes(width, height):
        widget._size = Size(columns, rows)
        canvas = Canvas(columns, max(1, widget.canvas_height(columns, rows)), ground, top, rows)
        widget.paint(canvas, bench.palette)
        sheet.add(title, canvas, bench)
    active_app.reset(before)
    if tips:
        hit = dict.fromkeys(target for row in canvas.targets for target in row if target is not None)
        sheet.lines += [f"   » {widget.tip(target)}" for target in hit]


HELD: Final = cards("AS 10D QD JD 9C 8C 7C 5H 5D 2S JK")
MANY: Final = (*range(0, 52, 2), JOKER)


def hand(held: Sequence[int] = HELD, *, faces: Any = FRENCH, chosen: str = "", cursor: int = 0) -> HandView:
    made = HandView()
    made.set_hand(held, faces=faces)
    made.select_cards(cards(chosen))
    made.move_cursor(cursor)
    return made


def hands(sheet: Sheet) -> None:
    for width, height in ((60, 1), (60, 3), (60, 6), (80, 6), (80, 9), (150, 13)):
        paint(sheet, "a hand", hand(chosen="10D 7C", cursor=1), width, height, focus=True, hovered=3)
    for count, (width, height) in product((3, 14, 27), ((60, 8), (80, 10), (120, 9))):
        paint(sheet, f"{count} cards", hand(MANY[:count], cursor=2), width, height)
    paint(sheet, "seen through", hand(MANY), 42, 6, hovered=2)
    for look in ("ASCII", "four colours", "16 colours"):
        paint(sheet, "a hand", hand(HELD[:5], chosen="9C"), 60, 9, look=look)
    kooky = cards("7R 10B 13Y 7G JK", "colours")
    for width, height in ((36, 6), (18, 6), (80, 9)):
        paint(sheet, "kooky", hand(kooky, faces=COLOURS), width, height)
    staged = hand(chosen="QD")
    staged.set_staged(cards("8C 7C 9C"))
    paint(sheet, "staged", staged, 60, 6)
    new = hand(HELD[:4])
    for held in ("AS 10D QD JD 4C", "AS 10D QD JD 4C 6H KH KH KH 3C 3D 3S 3H 2H"):
        new.set_hand(cards(held))
        paint(sheet, "new", new, 60, 6)
    paint(sheet, "new", new, 60, 3)
    gathered = hand(cards("KS 5C 9H 5D 8S 7S"))
    gathered.gather([cards("5C 5D"), cards("9H")], [["5"], ["10♥", "J♥"]])
    for width, height in ((60, 6), (40, 6), (30, 10), (80, 9), (150, 13)):
        paint(sheet, "planned", gathered, width, height)
    paired = hand(MANY)
    paired.gather([MANY[20:23], MANY[3:6], MANY[10:12]])
    for width, height in ((60, 10), (80, 8), (160, 9)):
        paint(sheet, "gathered", paired, width, height)
    down = hand()
    down.turn_down(9)
    for width, height in ((60, 6), (80, 9)):
        paint(sheet, "face down", down, width, height)
    paint(sheet, "no hand", HandView(), 60, 2)


def all_hands(sheet: Sheet) -> None:
    people = [("Ann", HELD), ("Fitzgerald", MANY[:13]), ("Cat", MANY[20:24]), ("Dee", ())]
    for count, screen in ((2, (120, 40)), (2, (80, 24)), (4, (160, 60)), (4, (200, 40)), (4, (80, 24)), (3, (80, 30))):
        shown = HandsView()
        shown.show(people[-count:], 1, FRENCH, screen)
        sheet.lines.append(f"   {shown.styles.height}")
        paint(sheet, f"{count} hands on {screen[0]}×{screen[1]}", shown, screen[0], int(shown.styles.height.value))
    many = HandsView()
    for width in (160, 80):
        many.show([(name, MANY[:4]) for name in samples.NAMES], 5, FRENCH, (width, 24))
        paint(sheet, "11 hands", many, width, int(many.styles.height.value))
    row = CardRow()
    for held, width in product((HELD, HELD[:3]), (40, 60)):
        row.show(held, FRENCH)
        paint(sheet, "a row", row, width, 4)
    pictures = [
        Picture(cards("5C JK 7C"), wrong=True), Picture(cards("7S 8S"), lacks=cards("9S"), dead=True),
        Picture(cards("7H JK 7D"), add=cards("8H"), back=True),
    ]  # fmt: skip
    paint(sheet, "pictures", PictureRow(pictures, FRENCH), 100, 3)
    rules = samples.view().rules
    melds = [samples.meld(rules, 0, text) for text in ("JD QD KD AD", "5C 5D 5S", "9S 10S JK QS KS", "4H 4D JK")]
    for words, (count, width, height) in product(
        ("Ann goes out", ""), ((1, 80, 24), (4, 34, 24), (4, 80, 24), (3, 80, 30), (4, 120, 46), (2, 150, 60))
    ):
        down = LayDownView(words, melds[:count], FRENCH)
        rows = down.get_content_height(Size(width, height), Size(width, height), width)
        paint(sheet, f"{count} laid down on {width}×{height}", down, width, rows, screen=Size(width, height))


def melds(sheet: Sheet) -> None:
    view = samples.view()
    own = [samples.meld(view.rules, 0, "JD QD KD JK", Kind.RUN)]
    for width, height in ((54, 4), (54, 8), (80, 12), (90, 20), (150, 40)):
        shown = MeldsView()
        shown.show(view, own, {2})
        shown.lit = {1}
        paint(sheet, "melds", shown, width, height, focus=True, hovered=shown._items[1], tips=width == 90)
    run = "AS 2S 3S 4S 5S JK 7S 8S 9S 10S JS JK KS AS"
    long = samples.view(melds=[(1, run), *((2, "5C 5D JK") for _ in range(9))])
    few = samples.view("trinidad", 6, 7, melds=[(s, t) for s in (0, 3, 5) for t in ("5C 5D 5S", "9S 10S JS JK")])
    for name, seen, sizes in (
        ("a long run", long, ((44, 9), (60, 8), (80, 16))),
        ("few", few, ((44, 3), (44, 6), (60, 6), (100, 12), (120, 22))),
        ("a crowd", samples.crowded(), ((54, 9), (120, 24))),
        ("no meld", samples.view(melds=()), ((20, 2), (54, 2))),
    ):
        for width, height in sizes:
            shown = MeldsView()
            shown.show(seen)
            paint(sheet, name, shown, width, height, hovered=shown._items[0] if shown._items else None)
    for width in (34, 37, 41, 42, 43, 55, 56):
        shown = MeldsView()
        shown.show(replace(long, melds=long.melds[:2]), [samples.meld(view.rules, 0, "7D 8D 9D 10D JK QD")])
        paint(sheet, "narrow", shown, width, 3)
    shown.show(samples.crowded())
    paint(sheet, "scrolled", shown, 54, 6, top=5, focus=True)
    kooky = samples.view("kooky", 4, 1, hand="7R", melds=[(1, "9Y 10Y 11Y JK 13Y"), (2, "5R 5G JK")], discard="7R")
    for width, height in ((54, 3), (54, 9), (130, 22)):
        shown = MeldsView()
        shown.show(kooky)
        paint(sheet, "kooky", shown, width, height, look="16 colours", tips=True)


def piles(sheet: Sheet) -> None:
    view = samples.view()
    tuluki = samples.view("tuluki", 2, melds=(), flip=12, stock=108)
    for name, seen, sizes in (
        ("piles", view, ((26, 6), (26, 3), (26, 2), (30, 10), (40, 14), (24, 9), (20, 5))),
        ("dead", replace(view, dead=True, stock=1, pile=1), ((26, 6),)),
        ("empty", replace(view, discard=None, stock=0, pile=0), ((26, 6), (26, 3), (30, 10))),
        ("dead and empty", replace(view, discard=None, dead=True, stock=20), ((26, 6),)),
        ("high", replace(view, stock=37, pile=60), ((26, 6), (30, 10))),
        ("flip", tuluki, ((26, 7), (40, 9), (60, 13))),
    ):
        for width, height in sizes:
            shown = PilesView()
            shown.show(seen)
            paint(sheet, name, shown, width, height, hovered="discard", tips=(width, height) == sizes[0])
    for look in ("ASCII", "16 colours", "256 colours"):
        shown.show(replace(view, dead=look == "ASCII"))
        paint(sheet, "piles", shown, 30, 9, look=look, hovered="stock")


def faces(sheet: Sheet) -> None:
    """Cards side by side."""

    def row(
        title: str, size: tuple[int, int], drawn: Iterable[dict[str, Any]], look: str = "", deck: Any = FRENCH
    ) -> None:
        bench, drawn = bench_of(look, SCREEN), [*drawn]
        brush = Brush(bench.palette, deck, bench.look)
        canvas = Canvas((size[0] + 1) * len(drawn), size[1], style(bench.palette.on_felt, bench.palette.felt))
        for place, options in enumerate(drawn):
            canvas.stamp(place * (size[0] + 1), 0, card_face(brush=brush, size=size, **options), place)
        sheet.add(title, canvas, bench)

    deck = [{"card": card} for card in (*range(13), 13, 26, 39, JOKER)]
    for size in (SMALL, LARGE):
        row("clubs", size, deck)
    for part in (deck[:8], deck[8:13], deck[13:]):
        row("large", HUGE, part)
    for name in ("ASCII", "four colours", "16 colours"):
        row("courts", LARGE, deck[9:], name)
    row("huge courts", HUGE, deck[10:], "ASCII")
    kooky = [{"card": card} for card in (0, 9, 12, 13, 22, 35, 45, JOKER)]
    for size in ((6, 1), (6, 2), (6, 3), SMALL, LARGE, HUGE):
        row("kooky", size, kooky, deck=COLOURS)
        row("a queen, a ten and a joker as a ten, covered, muted", size, [
            {"card": card, "shown": shown, "muted": shown == 3, "stands_for": 9 if card == JOKER else None}
            for shown in (2, 3, 4, size[0] - 1, size[0]) for card in (11, 22, JOKER)
        ][:12 if size[0] > 7 else None])  # fmt: skip
    for shown in (2, 3, 4, 5, 6):
        row(f"{shown} seen", SMALL, [{**one, "shown": shown} for one in kooky], deck=COLOURS)
    bench = bench_of("", SCREEN)
    canvas = Canvas(60, 7, style(bench.palette.on_felt, bench.palette.felt))
    for place, size in enumerate((SMALL, LARGE, (6, 1), (5, 2))):
        draw_back(canvas, place * 14, 0, Brush(bench.palette), size, target=place)
    sheet.add("backs", canvas, bench)
    for at_top in (True, False):
        canvas = Canvas(60, 7, style(bench.palette.on_felt, bench.palette.felt))
        for place, size in enumerate((SMALL, LARGE, (6, 1), (5, 2))):
            draw_empty(canvas, place * 14, 0, Brush(bench.palette), size, "empty", at_top=at_top, target=place)
        sheet.add("empty places", canvas, bench)


SENTENCE: Final = "Three short deals of Air Jamaica Kalooki, with two melds each, made for teaching the 日本 game."


def drawing(sheet: Sheet) -> None:
    """What canvases and sentences make of too little room."""
    bench = bench_of("", SCREEN)
    ink, felt = (style(getattr(bench.palette, name), bench.palette.felt) for name in ("gold", "on_felt"))
    small, canvas = Canvas(4, 2, ink), Canvas(12, 6, felt, 2, 3)
    small.fill(0, 0, 4, 2, ink, "#")
    for x, y in ((-2, 1), (10, 4), (5, 3), (12, 3), (-4, 3), (3, 5)):
        canvas.stamp(x, y, small, y)
        canvas.text(x + 1, y, "a日本e\u0301👩‍🚀z", felt, x % 7)
    ends = [canvas.text(8, y, "日x日y", ink) for y in (1, 2, 5)]
    canvas.centred(4, "mid", ink)
    canvas.centred(4, "ab", ink, 9, 3)
    canvas.mark(10, 3, 4, 9, "m")
    canvas.mark(-1, 1, 2, 2, "n")
    sheet.add("clipped", canvas, bench)
    hit = [canvas.target(x, y) for x in (-1, 0, 11, 12) for y in range(1, 6)]
    sheet.lines.append(f"   {ends} {canvas.extent} {hit}")
    emoji = Segment("a日本e\u0301👩‍🚀z★☻", ink)
    for cut in range(12):
        sheet.lines.append("   " + " | ".join(f"{part.text!r}" for part in emoji.split_cells(cut)))
    (plain,) = AsciiFilter().apply([emoji], Color.parse("black"))
    sheet.lines.append(f"   {plain.text} {plain.style == ink}")
    for width in (0, 1, 2, 12, 41, 42, 60, 62, 63, 90, 95):
        sheet.lines.append(f"── {width}")
        sheet.lines += [f"  │{made(SENTENCE, width)}│" for made in (shorten, whole_clauses, whole_items, column)]
        sheet.lines += [f"  │{line}" for line in wrapped(SENTENCE, width)]
        sheet.lines.append(f"   {in_rows([5, 7, 3, 30, 1], width, 2)} {column('日本', width, right=True)!r}")
    for deck, held in ((FRENCH, (0, 22, 35, JOKER)), (COLOURS, (9, 22, 35, JOKER))):
        for look in (Look(), Look(four_colours=True)):
            sheet.lines += [f"   {card_content(card, deck, look)!r}" for card in held]
            sheet.lines += [f"   {cards_content(held[:count], deck, look)!r}" for count in (0, 3)]


def choices(sheet: Sheet) -> None:
    """Answers with their keys."""
    for look, live in product(("", "short", "wide", "large"), (True, False)):
        line = ChoiceLine(3, Choice("k", "words", 1), look, live=live)
        sheet.lines.append(f"── {look} {live} {line.index} {sorted(line.classes)}\n   {line.content!r}")
        line.show_choice(Choice("esc", two_lines("name", SENTENCE, 50), 2, ground="#123456"))
        sheet.lines.append(f"   {line.content!r}")
        line.show_live(live=not live)
        sheet.lines.append(f"   {line.content!r}")
    sheet.lines.append(" ".join(f"{one.key}={one.text}" for one in numbered([(f"{n}", n) for n in range(40)])))
    for beside in ("", "x", "ux"):
        sheet.lines.append(f"   {by_command('undo', 'Undo', 1, beside=beside)}")
    use_keys({"undo": "x", "note-away": "f3"})
    for beside in ("", "x", "ux"):
        sheet.lines.append(f"   {by_command('undo', 'Undo', 1, beside=beside)} {note_keys()!r}")


def seats(sheet: Sheet) -> None:
    view = samples.view(deal=3)
    badges = {1: Badge("2", "gold"), 3: Badge("z", "blue")}
    away = replace(view, in_deal=(True, False) * 2, eliminated=(False,) * 3 + (True,))
    busy = replace(view, turn=1, actor=3, caller=1, out=2, penalties=(190, 0, -5, 0), calls=None)
    forty = replace(samples.view("kalookie-40", 4, 1), in_deal=(True, True, False, True))
    crowd = replace(samples.crowded(), in_deal=tuple(seat != 3 for seat in range(11)))
    for name, seen, keys, sizes in (
        ("seats", view, {}, ((80, 2), (160, 3), (60, 4), (100, 2))),
        ("keys", samples.view(melds=()), badges, ((64, 2), (130, 4))),
        ("away", away, badges, ((80, 2), (120, 4))),
        ("busy", busy, {}, ((80, 2), (120, 3), (52, 2))),
        ("money", forty, {}, ((64, 2), (52, 2), (120, 4))),
        ("a crowd", crowd, badges, ((80, 2), (180, 2), (180, 4), (240, 3))),
        ("two", replace(samples.view("tuluki", 2, 3), laid=(HasLaid.THIS_TURN, HasLaid.NO)), {}, ((150, 4), (20, 2))),
    ):
        for width, rows in sizes:
            strip = SeatsStrip()
            strip.tile_rows = rows
            strip.show(seen, keys)
            height = strip.get_content_height(SCREEN, SCREEN, width)
            paint(sheet, name, strip, width, height, hovered=2, tips=(width, rows) == sizes[0])
    for look in ("16 colours", "ASCII"):
        paint(sheet, "seats", strip, 40, 2, look=look)


SLOTS: Final = (Slot(Kind.SET, 3, 3), Slot(Kind.SET, 3, 1, 2), Slot(Kind.RUN, 4, 0, 3), Slot(Kind.RUN, 4))


def bars(sheet: Sheet) -> None:
    for width in (50, 64, 80, 120):
        banner = ContractBanner()
        banner.show(samples.view(), note="A note about what the table waits for, which may be long.", waits=width != 80)
        paint(sheet, "contract", banner, width, 2)
    for slots in (SLOTS, [Slot(None, 40, 32)], [Slot(None, 40, 45)], [Slot(None, 0, 0)], []):
        banner.show(samples.view(), slots)
        paint(sheet, "slots", banner, 90, 1, tips=True)
    seen = ((1, 80, 12), (9, 80, 12), (5, 60, 10), (3, 80, 14), (1, 120, 17), (9, 120, 20), (2, 50, 8))
    for deal, width, height in seen:
        start = DealBanner()
        start.show(samples.view(deal=deal, melds=()))
        paint(sheet, f"deal {deal}", start, width, height)
    paint(sheet, "no deal", DealBanner(), 30, 1)
    long = "Your turn: draw from the stock, or take the 7 of hearts that Dee has thrown away just now."
    for tone, (prompt, title), (width, height) in product(
        Tone, (("Draw.", "11 cards, 86 points"), (long, "11 cards"), ("", "11 cards, worth 86 points in all")),
        ((40, 2), (80, 2), (22, 3)),
    ):  # fmt: skip
        status = StatusView()
        status.set_title(title)
        status.set_prompt(prompt, tone)
        paint(sheet, f"{tone}", status, width, height)
    for width in (30, 60, 90):
        note = NoteStrip()
        note.text = "The contract asks for two sets: three cards of one rank each."
        paint(sheet, "note", note, width, 2)
    keys = [
        FooterKey(name, key, label, enabled, matters=matters, tooltip=str)
        for name, key, label, enabled, matters in (
            ("draw", "d", "Draw", True, True), ("take", "t", "Take the discard", False, True),
            ("sort", "s", "Sort", True, False), ("undo", "u", "Undo", False, False),
            ("lay", "l", "Lay", False, True), ("hint", "h", "Hint", True, False),
            ("scores", "g", "Scores", True, False), ("help", "?", "Help", True, False),
        )
    ]  # fmt: skip
    for rows, width in product((1, 2), (12, 24, 31, 32, 45, 46, 60, 90)):
        bar = CommandBar(rows)
        bar.show(keys)
        paint(sheet, "footer", bar, width, rows, hovered="take")
    bar.show_only({"draw", "help"})
    paint(sheet, "few keys", bar, 60, 1, hovered="help")
    log = LogView()
    log.set_lines([
        LogLine("Bob calls 7♥ and takes a penalty card from the stock", True), LogLine("Ann discards 7♥"),
        LogLine("Ann lays 5♣ 5♦ 5♠ and 9♠ 10♠ J♠ ★, and has three cards left"), LogLine("Cat calls", True),
        *(LogLine(f"line {number}") for number in range(4)),
    ])  # fmt: skip
    for width, height, top, focus in ((26, 6, 0, False), (26, 5, 3, True), (60, 12, 0, True), (9, 4, 8, False)):
        paint(sheet, "log", log, width, height, top=top, focus=focus)


def charts(sheet: Sheet) -> None:
    four = [[deal * (seat * 13 + 7) for seat in range(4)] for deal in range(1, 10)]
    eleven = [[(deal * 7 * (seat + 3)) % 90 + deal * 20 for seat in range(11)] for deal in range(1, 8)]
    tied = [[0, 10, 10, 10, 10]] * 4
    for name, totals, own, starts, sizes in (
        ("first deal", four[:1], 1, (), ((60, 5), (24, 5))),
        ("handicap", [(60, 65)], 0, (50, 0), ((60, 3),)),
        ("two deals", [(10, 40, -30), (-5, 80, -60)], 2, (), ((60, 4),)),
        ("three deals", four[:3], 0, (), ((60, 9), (20, 9))),
        ("nine deals", four, 2, (5, 0, 0, 0), ((80, 12), (120, 21), (40, 10))),
        ("eleven seats", eleven, 6, (), ((80, 12), (110, 20))),
        ("tied", tied, 1, (), ((70, 9),)),
        ("below nothing", [[-120, 90], [-400, 12], [-1900, 500]], 0, (), ((60, 10),)),
        ("one seat", [[3], [4], [4]], 0, (), ((60, 10),)),
        ("nothing yet", [], 0, (), ((20, 1),)),
    ):
        for width, height in sizes:
            chart = ScoreChart()
            chart.show(samples.NAMES[: len(totals[0]) if totals else 2], totals, own, starts)
            asked = [chart.asked(Size(width, high)) for high in (12, 24, 27, 40)]
            paint(sheet, f"{name} ({asked} rows)", chart, width, height)
    paint(sheet, "ASCII", chart, 20, 1, look="ASCII")
    chart.show(samples.NAMES[:4], four, 0)
    paint(sheet, "nine deals", chart, 60, 10, look="ASCII")


def podiums(sheet: Sheet) -> None:
    places = zip(samples.NAMES, (1, 3, 2, 4), strict=False)
    facts = MatchFacts(tuple(SeatFacts(name, place) for name, place in places))
    forty = samples.view("kalookie-40", 4, 1, eliminated=(False, True, True, True))
    for name, view, winners, told, widths in (
        ("four", samples.view(), (3,), None, (80, 50)),
        ("two", samples.view("tuluki", 2, 3), (0,), None, (80,)),
        ("a tie", samples.view(totals=(9, 9, 9, 12)), (0, 1), None, (80,)),
        ("eliminated", forty, (0,), facts, (80,)),
        ("a crowd", samples.crowded(), (9,), None, (80, 160)),
    ):
        for width in widths:
            stand = podium(view, winners, told)
            paint(sheet, name, stand, width, stand.get_content_height(SCREEN, SCREEN, width))


PAINTED: Final = (hands, all_hands, melds, piles, seats, bars, charts, podiums)


@pytest.mark.parametrize("painted", [*PAINTED, faces, drawing, choices])
def test_what_is_painted(painted: Callable[[Sheet], None], golden: Golden) -> None:
    painted(sheet := Sheet())
    golden(f"painted-{painted.__name__.replace('_', '-')}", sheet.text())


def test_what_is_painted_at_other_sizes(golden: Golden) -> None:
    told = list[str]()
    for painted in PAINTED:
        painted(sheet := Sums())
        told.append(sheet.text())
    golden("sums-painted", "\n".join(told))
