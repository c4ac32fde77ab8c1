import json
import re
import shutil
from dataclasses import fields
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from kalooki_tui.cli.main import kalooki
from kalooki_tui.presenter.commands import BY_NAME, HAND
from kalooki_tui.tui.looks.own import read_own
from kalooki_tui.tui.looks.palettes import BUILT_IN, Depth
from kalooki_tui.tui.looks.themes import make_theme
from kalooki_tui.tui.screens.curtain import CurtainAction
from kalooki_tui.tui.screens.table import TableScreen
from scripts.scenes import middle
from tests.commands import Golden
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


#: Files of themes and keys, one after another: what is read of each, and what is wrong with it, stands in a text.
FILES = [
    ("themes/sea.toml", SEA),
    ("themes/mine.toml", '[colours]\nfelt-deep = "#FFFFF0"\n[colours-256]\ntile = "#111111"\nfelt-deep = "#222222"'),
    *(("themes/mine.toml", f'[colours]\nfelt = "{felt}"') for felt in ("#808080", "#7f8080", "#ff5e00", "#0094ff")),
    ("themes/mine.toml", 'base = "kalooki-fel"'),
    ("themes/mine.toml", "base = 3\ncolour = 4\nnothing = 5"),
    ("themes/mine.toml", '[colours]\nfellt = "#000000"\nfelt = "green"\ngold = "#1234567"\nback = 7'),
    ("themes/mine.toml", "colours = 3"),
    ("themes/mine.toml", "a = = b"),
    ("themes/mine.toml", "b = 'é"),
    ("themes/kalooki-felt.toml", ""),
    ("themes/other.toml/inside", ""),
    ("themes", ""),
    ("keys.toml/inside", ""),
    ("keys.toml", 'draw-stock = "t"\ntake-discard = "d"\nundo = ["y", "f3"]'),
    ("keys.toml", '\ndrawstock = "s"\n[table]\nx = 1'),
    ("keys.toml", 'undo = []\nscores = 3\nlay = ["y", 4]'),
    ("keys.toml", 'undo = "d"'),
    ("keys.toml", 'undo = "y"\nscores = "y"\nhint = "u"'),
    ("keys.toml", 'confirm = "space"\nchoose-meld = "y"\nchoose-card = "y"'),
    *(("keys.toml", f'undo = "{key}"') for key in (
        "A", "J", "Q", "K", "B", "z", "1", "f1", "f2", "f3", "f9", "f10", "f12", "f13", "yy", "space", "alt+c", "alt+C",
        *(f"ctrl+{letter}" for letter in "abcghijklmnopqrsz"),
    )),
]  # fmt: skip


def test_what_is_read_of_files_of_ones_own(home: Path, golden: Golden) -> None:
    lines = []
    for name, text in FILES:
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        own = read_own(home)
        lines += [f"── {name}: {text!r}", *(f"   {problem}".replace(str(home), "") for problem in own.problems)]
        lines += [f"   {command}: {keys}" for command, keys in own.keys.items()]
        for called, theme in own.themes.items():
            base = BUILT_IN["kalooki-midnight" if "midnight" in text else "kalooki-felt"].palettes
            for depth, palette in theme.palettes.items():
                usual = base[depth].variables()
                other = [f"{key} {value}" for key, value in palette.variables().items() if value != usual[key]]
                lines.append(f"   {called} {'dark' if theme.dark else 'light'} {depth}: {', '.join(other)}".rstrip())
        top = home / Path(name).parts[0]
        shutil.rmtree(top) if top.is_dir() else top.unlink()
    golden("own-looks", "\n".join(lines))


def test_config_tells_where_files_of_ones_own_are_and_what_is_wrong_in_them(home: Path) -> None:
    told = json.loads(CliRunner().invoke(kalooki, ["config", "--json"]).output)
    assert (told["themes_folder"], told["keys_file"]) == (str(home / "themes"), str(home / "keys.toml"))
    write(home, "keys.toml", "undo = []")
    told = CliRunner().invoke(kalooki, ["config"])
    assert told.exit_code == 2
    assert "it needs a key" in told.output


def test_the_examples_of_the_document_can_be_used_as_they_stand(home: Path) -> None:
    theme, keys = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    write(home, "themes/mine.toml", theme)
    write(home, "keys.toml", keys)
    own = read_own(home)
    assert own.problems == ()
    assert own.keys == {"draw-stock": "s", "scores": "ctrl+s", "take-discard": "t,f3"}


def test_what_themes_of_the_framework_are_made_of(golden: Golden) -> None:
    lines = []
    for name, depth in product(("kalooki-felt", "kalooki-paper"), (Depth.TRUE, Depth.FEW)):
        palette = BUILT_IN[name].palettes[depth].variables()
        names = {colour: key for key, colour in reversed(palette.items())}
        theme = make_theme(name, BUILT_IN[name], depth)
        lines.append(f"── {theme.name} {depth}: {'dark' if theme.dark else 'light'}")
        given = {one.name: value for one in fields(theme) if isinstance(value := getattr(theme, one.name), str)}
        given |= {key: value for key, value in theme.variables.items() if palette.get(key) != value}
        lines += [f"   {key}: {names.get(value, value)}" for key, value in given.items()]
    golden("themes", "\n".join(lines))
