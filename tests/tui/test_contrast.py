"""What is written can be read: in every theme, in truecolor, 256 and 16 colours, and without colours."""

import io

import pytest
from rich.color import Color
from rich.console import Console

from kalooki_tui.tui.looks import themes
from kalooki_tui.tui.looks.palettes import BUILT_IN, Depth
from scripts.contrast import SYSTEMS, palette_faults, ratio, scene_faults, screen_faults
from scripts.scenes import LISTS, MENUS, SCENES, Scene
from tests.tui.conftest import table_of
from tests.tui.openings import alone, asked

SCANNED = ("table-80x24", "deal-over")


@pytest.fixture
def drawn_when_read() -> None:
    """Draw every frame: colours are read off them."""


def test_every_pair_of_colours_has_contrast_enough() -> None:
    assert palette_faults() == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.name in SCANNED], ids=lambda scene: scene.name)
async def test_whatever_is_written_on_a_screen_can_be_read(scene: Scene) -> None:
    assert await scene_faults(scene) == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("scene", [*LISTS, *MENUS], ids=lambda scene: scene.name)
async def test_the_marked_row_of_every_list_can_be_read(scene: Scene) -> None:
    assert await scene_faults(scene, (Depth.FEW,)) == []


async def test_what_cannot_be_read_is_found() -> None:
    async with asked(alone()) as (pilot, app):
        table_of(app).status.styles.background = "#000000"
        palette = BUILT_IN["kalooki-felt"].palettes[Depth.TRUE]
        assert screen_faults(app, palette, Depth.TRUE, "here") == []
        table_of(app).trouble.update("faint")
        table_of(app).trouble.display = True
        table_of(app).trouble.styles.color = palette.felt
        await pilot.pause()
        assert [fault.what.split()[0] for fault in screen_faults(app, palette, Depth.TRUE, "here")] == ["'faint'"]


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("depth", [Depth.MANY, Depth.FEW])
def test_palettes_for_few_colours_are_made_of_colours_that_such_terminals_have(name: str, depth: Depth) -> None:
    colours = BUILT_IN[name].palettes[depth].variables().values()
    if depth is Depth.FEW:
        channels = {colour[start : start + 2] for colour in colours for start in (1, 3, 5)}
        assert channels <= {"00", "55", "aa", "ff"}
        return
    for colour in map(Color.parse, colours):
        # A grey may come out as the grey beside it.
        shown, meant = colour.downgrade(SYSTEMS[depth]).get_truecolor(), colour.get_truecolor()
        assert max(abs(one - other) for one, other in zip(shown, meant, strict=True)) <= 10


async def test_what_is_not_open_is_told_by_more_than_its_colour() -> None:
    async with asked(alone()) as (_, app):
        bar = table_of(app).bar
        bold = {segment.text for segment in bar.render_line(0) if segment.style is not None and segment.style.bold}
        assert {key.key for key in bar.keys if key.enabled} >= bold != set()
        assert any(not key.enabled for key in bar.keys)


def test_a_terminal_tells_how_many_colours_it_has_and_a_light_one_has_a_light_theme() -> None:
    for term, colorterm, depth in (
        ("xterm-256color", "truecolor", Depth.TRUE),
        ("screen-256color", "", Depth.MANY),
        ("xterm-16color", "", Depth.FEW),
        ("xterm", "", Depth.FEW),
    ):
        environ = {"TERM": term, "COLORTERM": colorterm}
        assert themes.depth_of(Console(file=io.StringIO(), force_terminal=True, _environ=environ)) is depth, term
    for background, name in (("0;15", "paper"), ("0;default;7", "paper"), ("15;0", "felt"), ("", "felt")):
        assert themes.usual_theme({"COLORFGBG": background}) == f"kalooki-{name}"
    assert themes.usual_theme({}) == "kalooki-felt"


def test_a_ratio_is_that_of_the_web_guidelines() -> None:
    black, white = Color.parse("#000000"), Color.parse("#ffffff")
    assert ratio(black, white, Depth.TRUE) == pytest.approx(21)
    assert ratio(Color.parse("#767676"), white, Depth.TRUE) == pytest.approx(4.54, abs=0.01)
