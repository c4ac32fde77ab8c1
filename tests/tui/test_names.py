"""People may be called almost anything: no name ends a screen, steers the terminal or moves what stands beside it."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partialmethod
from itertools import islice

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot
from textual.strip import Strip

from kalooki_tui.hosting.guest import Guest
from kalooki_tui.hosting.lobby import Chair, read_chairs
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.looks.palettes import AsciiFilter
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, column, shorten
from scripts import scenes
from scripts.scenes import Pictured, Scene
from tests.tui.conftest import LONGEST_WAIT, text_of
from tests.tui.openings import running

NAMES = (
    # What would be markup, and what stumbles over it.
    *("[/]", "[bold]", "[@click=app.quit]x[/]", "[red]x[/red]", "[/x]", "[link=x]y", "\\[b]", "[$gold", "a] [b", "["),
    # What other languages take for their own.
    *("{name}", "%s %d", "$HOME", "`ls`", "<b>x</b>", "&lt;", "</script>", "'", '"', "O'Neil", "'; --", "a\\b", "\\n"),
    *("- x", "#x", "@", "=", "a=b", "..", "/", "null", "~", "0", "-1", "2", "You", "human", "ai", "?", "*"),
    # Other directions, joiners, marks, wide signs and emoji.
    *("שרה", "محمد", "می\u200cخواهم", "ශ්\u200dරී", "क्\u200dष", "Zoe\u0308", "Z\u0338a\u0337", "ไก่", "日本語", "김철수"),
    *("Ａｎｎ", "👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "❤\ufe0f", "1\ufe0f\u20e3", "👍🏽", "🇯🇲"),
    # As long as a name may be.
    *("W" * 40, "日" * 40, "👨\u200d👩\u200d👧" * 8, "x y " * 9 + "x y"),
)  # fmt: skip
#: Names in the scenes; those of a table of four stand first.
SCENES_NAMES = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal", "Augusta", "Eleanor", "Ines", "Joe", "Kim")
SCENES = {scene.name: scene for scene in scenes.SCREENS}
#: Those in which names stand in titles, frames, questions, tables and lists.
SHOWN = (
    "table-8-seats", "call-two-people", "allow-or-refuse", "deal-over", "match-over-4",
    "replay-all", "statistics-person", "duplicate", "scores", "lobby", "board", "own-screen",
)  # fmt: skip
AT_ONCE = len(SCENES_NAMES)
#: Of each kind some, at one table.
WORST = tuple(name for pair in zip(NAMES[:7], NAMES[-19:], strict=False) for name in pair)[:AT_ONCE]


@contextmanager
def called(names: Sequence[str]) -> Iterator[dict[str, str]]:
    """While it lasts, the people of the scenes have these names."""
    others = dict(zip(SCENES_NAMES, names, strict=True))

    def renamed(texts: Sequence[str]) -> tuple[SeatPlan, ...]:
        return tuple(replace(plan, name=others.get(plan.name, plan.name)) for plan in parse_seats(texts))

    def seated(texts: Sequence[str]) -> list[Chair]:
        chairs = read_chairs(texts)
        for chair in chairs:
            chair.name, chair.kept_for = (others.get(name, name) for name in (chair.name, chair.kept_for))
        return chairs

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenes, "parse_seats", renamed)
        patch.setattr(scenes, "LONGEST_WAIT", LONGEST_WAIT)
        patch.setattr(KalookiApp, "run_test", partialmethod(KalookiApp.run_test, tooltips=True, notifications=True))
        patch.setattr(scenes, "read_chairs", seated)
        patch.setattr(scenes, "Guest", lambda name, *known: Guest(others.get(name, name), *known))
        yield others


async def take_through(scene: Scene, names: Sequence[str]) -> str:
    """Come to a scene with these names, and open and point at what can be there; everything that was shown."""
    seen: list[str] = []
    size = scene.size if all(scene.size) else (80, 24)
    with called(names) as others:
        if scene.act is None:
            async with scenes.HOSTED[scene.name](size) as (pilot, app):
                await probe(pilot, app, seen)
            return "\n".join(seen)
        known = re.compile(r"\b(?:" + "|".join(SCENES_NAMES) + r")\b")
        position = scene.position and known.sub(
            lambda found: json.dumps(others[found[0]], ensure_ascii=False), scene.position
        )
        async with running(Pictured(position, tuple(others[name] for name in scene.people)), size=size) as (pilot, app):
            await scene.come(pilot, app)
            await probe(pilot, app, seen)
    return "\n".join(seen)


async def probe(pilot: Pilot[None], app: KalookiApp, seen: list[str]) -> None:
    """Look at a screen: itself, its tooltips, and at a table who plays."""
    app.TOOLTIP_DELAY = 0.01
    look_at(app, seen)
    for painted in app.screen.query(CanvasWidget):
        targets = {target for row in (painted._canvas.targets if painted._canvas else ()) for target in row}
        for target in islice((one for one in targets if one is not None and painted.tip(one)), 4):
            cell = painted.find(lambda here, target=target: here == target)
            if cell is not None and app.screen.region.contains_point(cell):
                await pilot.hover(offset=cell)
                await pilot.pause(0.02)
                look_at(app, seen)
    if isinstance(app.screen, TableScreen):
        for key in ("ctrl+o", "1", "escape", "escape", "s", "escape"):
            await pilot.press(key)
            await pilot.pause(0.05)
            look_at(app, seen)


def look_at(app: KalookiApp, seen: list[str]) -> None:
    """Every row has the width of the screen, and nothing in it steers a terminal."""
    text = text_of(app)
    for row in text.split("\n"):
        assert cell_len(row) == app.size.width, row
        steering = {sign for sign in row if unicodedata.category(sign) in ("Cc", "Cf")} - {"\u200c", "\u200d"}
        assert not steering, row
    seen.append(text)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("scene", SHOWN)
async def test_people_are_called_what_they_are_called_on_every_screen(scene: str) -> None:
    # As far as there is room.
    assert shorten(WORST[0], 6).rstrip("…") in await take_through(SCENES[scene], WORST)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_drawn_whole_with_its_marks_and_in_its_cells(name: str) -> None:
    ink, width = Style(), cell_len(name)
    canvas = Canvas(width + 2, 1, ink)
    assert canvas.text(1, 0, name, ink) == width + 1
    assert canvas.strips()[0].text == f" {name} "
    (plain,) = AsciiFilter().apply([Segment(name)], Color.parse("black"))
    assert (plain.text.isascii(), cell_len(plain.text)) == (True, width)
    for room in range(width):
        assert cell_len(shorten(name, room)) <= room
        assert cell_len(column(name, room + 1)) == room + 1


@pytest.mark.parametrize("name", NAMES)
def test_what_covers_a_name_in_part_moves_nothing_beside_it(name: str) -> None:
    width = cell_len(name) + 2
    for cut in range(1, width):
        left, right = Strip([Segment(f"<{name}>")]).divide([cut, width])
        assert (cell_len(left.text), cell_len(right.text)) == (cut, width - cut), cut
        assert (left.text[0], right.text[-1]) == ("<", ">")
