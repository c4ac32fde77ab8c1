import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from kalooki_tui.cli.main import kalooki
from kalooki_tui.presenter.commands import BY_NAME, HAND
from kalooki_tui.tui.looks.own import read_own
from kalooki_tui.tui.looks.palettes import BUILT_IN, Depth
from kalooki_tui.tui.screens.curtain import CurtainAction
from kalooki_tui.tui.screens.table import TableScreen
from scripts.scenes import middle
from tests.tui.conftest import press, table_of, text_of, wait_until
from tests.tui.openings import AppAtPosition, at_home, at_table, between, together

DOCS = Path(__file__).resolve().parents[2] / "docs" / "looks.md"
SEA = """base = "kalooki-midnight"
[colours]
felt = "#103A5A"
[colours-16]
felt = "#0000aa"
"""


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(text)
    return file


async def test_a_theme_of_ones_own_is_chosen_in_the_settings_and_worn(home: Path) -> None:
    write(home, "themes/sea.toml", SEA)
    write(home, "settings.toml", 'theme = "sea"\n')
    async with at_home() as (pilot, app):
        assert app.theme == "sea"
        assert app.theme_variables["felt"] == "#103a5a"
        assert tuple(app.available_themes) == (*BUILT_IN, "sea")
        await press(pilot, "o", until=lambda: app.screen.name == "settings")
        assert "sea" in text_of(app)
        await press(pilot, "t", until=lambda: app.theme == "kalooki-felt")
        await press(pilot, "left", until=lambda: app.theme == "sea")


def test_terminals_of_fewer_colours_have_those_of_the_base(home: Path) -> None:
    write(home, "themes/sea.toml", SEA)
    sea, base = read_own(home).themes["sea"].palettes, BUILT_IN["kalooki-midnight"].palettes
    assert sea[Depth.MANY] == base[Depth.MANY]
    assert (sea[Depth.FEW].felt, sea[Depth.FEW].gold) == ("#0000aa", base[Depth.FEW].gold)
    assert sea[Depth.TRUE].gold == base[Depth.TRUE].gold


async def test_a_key_of_ones_own_works_and_is_named_everywhere(home: Path) -> None:
    write(home, "keys.toml", 'discard = ["f3", "y"]\nscores = "x"\n')
    async with at_table(AppAtPosition(middle("Ann", "play"))) as (pilot, app, _):
        assert "f3 Discard" in text_of(app)
        assert "9 f3 throws a nine" in text_of(app)
        await press(pilot, "x", until=lambda: app.screen.name == "scores")
        await press(pilot, "escape", until=lambda: isinstance(app.screen, TableScreen))
        before = len(table_of(app).hand.cards)
        await press(pilot, "space", "y", "f3", until=lambda: len(table_of(app).hand.cards) < before)


async def test_keys_for_cards_and_melds_can_be_ones_own(home: Path) -> None:
    write(home, "keys.toml", 'choose-card = "y"\ncard-to-right = "r"\nmeld-after = "y"\nlay = "r"\n')
    async with at_table(AppAtPosition(middle("Ann", "play"))) as (pilot, app, table):
        # `lay` shares its key with one of the hand's, which stays as it was.
        shown: list[str] = []
        keys = (BY_NAME["lay"], *(one for one in HAND if one.name == "card-to-right"))
        app.call_later(lambda: shown.extend(command.shown for command in keys))
        await wait_until(pilot, lambda: shown == ["r", "]"])
        first = table.hand.cursor_card
        await pilot.press("y", "space")
        assert table.hand.selected == (first,)
        table.melds.focus()
        await pilot.press("y")
        assert table.melds.cursor_meld == 1


@pytest.mark.parametrize(("key", "named"), [("y", "y"), ("n", "m")])
async def test_a_key_of_ones_own_counts_between_people_too(home: Path, key: str, named: str) -> None:
    write(home, "keys.toml", f'asking = "{key}"\nspeed = "ctrl+v"\ncover = "ctrl+b"\npass = "ctrl+n"\n')
    async with between(together(), "callers") as (pilot, app, screen):
        assert [choice.key for choice in screen.choices if choice.value.doing is CurtainAction.WHEN] == [named]
        await wait_until(pilot, lambda: screen.is_heard)
        await press(pilot, named, until=lambda: "Who wants to change it?" in text_of(app))


@pytest.mark.parametrize(
    ("name", "text", "line", "says"),
    [
        ("themes/a.toml", 'base = "kalooki-fel"', 1, "there is no theme 'kalooki-fel'"),
        ("themes/a.toml", '[colours]\nfellt = "#000000"', 2, "there is no colour 'fellt'"),
        ("themes/a.toml", '[colours]\nfelt = "green"', 2, "felt must be a colour such as"),
        ("themes/a.toml", "colours = 3", 1, "colours must be a table of colours"),
        ("themes/a.toml", "a = = b", 1, "is not valid TOML"),
        ("themes/kalooki-felt.toml", "", 0, "give yours another name"),
        ("keys.toml", '\ndrawstock = "s"', 2, "there is no command 'drawstock'"),
        ("keys.toml", 'undo = "A"', 1, "'A' cannot be a key: letters but A J Q K"),
        ("keys.toml", '\nundo = ["y", "f2"]', 2, "'f2' cannot be a key: letters but A J Q K may be, f1 and f3 to f12"),
        ("keys.toml", 'undo = "ctrl+i"', 1, "'ctrl+i' cannot be a key"),
        ("keys.toml", "undo = []", 1, "it needs a key"),
        ("keys.toml", 'undo = "d"', 1, "undo: the key d is that of draw-stock too"),
    ],
)
def test_what_is_wrong_is_named_with_its_line_and_left_out(
    name: str, text: str, line: int, says: str, home: Path
) -> None:
    file = write(home, name, text)
    own = read_own(home)
    (problem,) = own.problems
    assert (problem.file, problem.line) == (str(file), line)
    assert says in problem.message
    assert own.keys == {}
    assert all(theme.palettes == BUILT_IN["kalooki-felt"].palettes for theme in own.themes.values())
    told = CliRunner().invoke(kalooki, ["config"])
    assert told.exit_code == 2
    assert says in told.output


def test_keys_may_be_exchanged_and_config_says_where_they_are(home: Path) -> None:
    write(home, "keys.toml", 'draw-stock = "t"\ntake-discard = "d"\n')
    own = read_own(home)
    assert (own.keys, own.problems) == ({"draw-stock": "t", "take-discard": "d"}, ())
    told = json.loads(CliRunner().invoke(kalooki, ["config", "--json"]).output)
    assert (told["themes_folder"], told["keys_file"]) == (str(home / "themes"), str(home / "keys.toml"))


def test_the_examples_of_the_document_can_be_used_as_they_stand(home: Path) -> None:
    theme, keys = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    write(home, "themes/mine.toml", theme)
    write(home, "keys.toml", keys)
    own = read_own(home)
    assert own.problems == ()
    assert own.keys == {"draw-stock": "s", "scores": "ctrl+s", "take-discard": "t,f3"}


def test_a_key_that_is_not_available_is_refused(home: Path) -> None:
    for key in ("A", "J", "Q", "K", "f2", *(f"ctrl+{letter}" for letter in "cqphijm")):
        write(home, "keys.toml", f'undo = "{key}"')
        assert read_own(home).keys == {}, key
