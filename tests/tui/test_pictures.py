from functools import cache
from pathlib import Path

import pytest

from kalooki_tui.presenter import hints
from scripts.pictures import SCREENSHOTS, screenshot
from scripts.scenes import BY_CORE, SCENES, Scene

hint_found_once = cache(hints.hint)  # the three pictures of a hint are of one moment


@pytest.fixture(autouse=True)
def quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "hint", hint_found_once)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_a_picture_shows_the_app_as_it_is(scene: Scene, home: Path) -> None:
    drawn = await screenshot(scene)
    file = SCREENSHOTS / f"{scene.name}.svg"
    if drawn != file.read_text(encoding="utf-8"):
        today = home / file.name
        today.write_text(drawn, encoding="utf-8")
        pytest.fail(f"{file} is not what is drawn today ({today}): look at it, then `make screenshots`")


def test_no_picture_is_left_of_a_scene_that_is_gone() -> None:
    assert {file.name for file in SCREENSHOTS.iterdir() if not file.name.startswith("page-")} == {
        f"{scene.name}{end}" for scene in (*SCENES, *BY_CORE) for end in (".svg", ".png")
    }
