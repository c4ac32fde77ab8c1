import os
import re
import tomllib
from pathlib import Path

import pytest
from msgspec.structs import fields, replace

from kalooki_tui.engine.rules import Referee
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.session.plan import AskCalls, MatchPlan, plan_of_last, with_match
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.paths import config_folder, data_folder
from kalooki_tui.storage.player.settings_file import (
    HEADER,
    MOST_NAMES,
    LastSetup,
    PlayerSettings,
    SettingsFile,
)
from tests.commands import Golden

EVERYTHING = PlayerSettings(
    # Every switch as it is not by itself.
    **{one.name: not one.default for one in fields(PlayerSettings) if isinstance(one.default, bool)},  # type: ignore[arg-type]
    theme="night",
    ai_speed="brisk",
    ask_calls="always",
    keep_mistakes="by themselves",
    notes_seen=["flip"],
    ask_several="helps",
    call_seconds=10,
    names=["Ann", 'Zo\u00eb "the \\ shark"', "\x07"],
    person_keys={"Zoe": "z"},
    person_colours={"Zoe": "blue"},
    last_done="home-learn",
    last=LastSetup(
        ruleset="my rules/x.yaml",
        seats=["Ann", "Bob=ai:club", "exec:./bot --fast 'x y'"],
        options=["six-jokers"],
        referee="penalties",
        first_turn=2,
        teaching=True,
        teach=True,
        settings={"bad_lay": 100, "dealer_cut": True},
    ),
)


def messages(file: SettingsFile) -> list[str]:
    return [str(problem).removeprefix(f"{file.path}:") for problem in file.problems]


def test_a_home_may_be_named_by_its_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/ann")
    for named, found in (("~/x", "/ann/x"), ("~nobody-is-called-so/x", "~nobody-is-called-so/x")):
        monkeypatch.setenv("KALOOKI_HOME", named)
        assert [str(data_folder()), str(config_folder())] == [found, found]


def test_what_is_saved_is_read_again(home: Path) -> None:
    assert SettingsFile.load().save(EVERYTHING) is None
    again = SettingsFile.load()
    assert (again.settings, again.problems) == (EVERYTHING, ())
    assert again.chosen == set(PlayerSettings.__struct_fields__)
    assert again.path.read_text().startswith(HEADER)
    assert [path.name for path in home.iterdir()] == ["settings.toml"]


def test_without_a_file_everything_is_usual_and_only_what_was_chosen_is_written(home: Path) -> None:
    file = SettingsFile.load()
    assert (file.settings, file.problems, file.chosen) == (PlayerSettings(), (), frozenset())
    assert file.path == home / "settings.toml"
    assert not file.path.exists()
    file.save(PlayerSettings(bell=False, four_colour=False))
    assert tomllib.loads(file.path.read_text()) == {"bell": False}
    assert file.chosen == {"bell"}


TEXTS = (
    "bell = true\ntheme = \n", 'theme = "a', 'bell = true\ntheme = "a', "bell = true\nbell = false\n", "bell = 3\n",
    "bell = 1.5\n", '\n\nai_speed = "quick"\n', "call_seconds = 4\n", "call_seconds = '5'\n", "them = 1\n",
    "theme = []\n", 'names = [\n  "Ann",\n  4,\n]\n', "names = 'Ann'\n",
    "names = [4]\nbell = true\n", "[person_keys]\nZoe = 3\n", "bell = true\n[last]\nseat = []\n",
    '[last.settings]\nbad_lay = "much"\n', 'last.first_turn = "Ann"\n', "[last]\nfirst_turn = 2\nseats = []\n",
    '[last]\nfirst_turn = 2\nseats = ["Ann", "ai:club"]\n', '[last]\nfirst_turn = 1\nseats = ["Ann", "ai:club"]\n',
    '[last]\nfirst_turn = -1\nseats = ["Ann"]\n', '[last.asking]\nAnn = "never"\n', "[[last]]\nruleset = 'baby'\n",
    'bell = 3\nfour_colour = true\nthem = "x"\nascii = "no"\n', "".join(f"a{number} = 1\n" for number in range(22)),
    "# Ours\ntheme = 'night' # for the evening\n\n# Too loud\nbell = false\nnames = []\n\n# Fridays\n[last]\n",
    "last.ruleset = 'baby'\nlast.teaching = true\n", "last = {ruleset = 'baby'}\n", "\ufeffbell = false\r\n[last]\r\n",
    "[last.settings]\nbad_lay = 3\n[last]\nruleset = 'baby'\n",
    "bell = true\nx = " + "[" * 50_000, "x = " + "9" * 5_000 + "\n", "# " + "a" * 199_999,
)  # fmt: skip


def test_what_is_read_and_said_of_a_file_and_how_it_is_written_anew(golden: Golden, home: Path) -> None:
    path, told = home / "settings.toml", list[str]()
    for text in TEXTS:
        path.write_text(text, encoding="utf-8", newline="")
        file = SettingsFile.load()
        shown = repr(text) if len(text) < 400 else f"{text[:20]}... {len(text)}"
        told += ["", shown, f"? {' '.join(sorted(file.chosen))}"]
        told += [f"! {message}" for message in messages(file)]
        told += [f"= {file.settings.last}"] * (file.settings.last is not None)
        last = LastSetup("tuluki", first_turn=1, seats=["Ann", "Bob"])
        aside = file.save(replace(file.settings, bell=True, names=["Ann"], last=last))
        told += ["kept aside"] if aside is not None else ["-", path.read_text(encoding="utf-8")]
        assert SettingsFile.load().settings == file.settings
    golden("settings-files", "\n".join(told))


def test_a_file_with_problems_is_set_aside_and_not_overwritten(home: Path) -> None:
    content = b"bell = \xff\n"
    (home / "settings.toml").write_bytes(content)
    file = SettingsFile.load()
    assert messages(file) == ["1: is not UTF-8 text"]
    aside = file.save(PlayerSettings(bell=False))
    assert aside is not None
    assert aside.read_bytes() == content
    assert SettingsFile.load().problems == ()
    assert file.save(PlayerSettings()) is None
    (home / "settings.toml").write_bytes(content)
    second = SettingsFile.load().save(PlayerSettings())
    assert second not in (None, aside)


def test_a_disk_that_is_full_leaves_the_old_settings(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = SettingsFile.load()
    file.save(PlayerSettings(bell=False))
    before = file.path.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match=r"cannot be saved: .*No space left on device"):
        file.save(EVERYTHING)
    assert file.path.read_bytes() == before
    assert [path.name for path in home.iterdir()] == ["settings.toml"]
    assert file.settings == EVERYTHING


def test_a_linked_file_stays_where_it_is(home: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles" / "kalooki.toml"
    real.write_text("bell = false\n")
    real.chmod(0o640)
    (home / "settings.toml").symlink_to(real)
    SettingsFile.load().save(PlayerSettings(ascii=True))
    assert (home / "settings.toml").is_symlink()
    assert tomllib.loads(real.read_text()) == {"ascii": True}
    assert real.stat().st_mode & 0o777 == 0o640


def test_names_are_remembered_the_last_first() -> None:
    settings = PlayerSettings(names=["Ann", "Bob"]).remembering(["Cat", "Bob"])
    assert settings.names == ["Cat", "Bob", "Ann"]
    many = settings.remembering([f"Player{number}" for number in range(30)])
    assert len(many.names) == MOST_NAMES


def test_the_last_setup_is_how_the_table_was_set_up() -> None:
    plan = MatchPlan(
        "air-jamaica",
        parse_seats(["Ann", "Bob=ai:novice", "Cat=ai:club"]),
        ("six-jokers",),
        Referee.PENALTIES,
        {"dealer_cut": True, "handicap": (-50, 0, 0)},
        first_turn=2,
        teaching=True,
        ask_each={"Ann": AskCalls.HELPS},
    )
    last = with_match(PlayerSettings(), plan).last
    assert last is not None
    assert plan_of_last(last, PlayerSettings()) == replace(plan, settings={"dealer_cut": True})
    file = SettingsFile.load()
    file.save(PlayerSettings(last=last))
    assert SettingsFile.load().settings.last == last


def test_what_was_spoilt_while_the_program_runs_is_set_aside(home: Path) -> None:
    file = SettingsFile.load()
    file.save(PlayerSettings(bell=False))
    file.path.write_text("bell = fal")
    aside = file.save(PlayerSettings(ascii=True))
    assert aside is not None
    assert aside.read_text() == "bell = fal"
    assert SettingsFile.load().settings == PlayerSettings(ascii=True)


def test_settings_that_are_no_file(home: Path) -> None:
    for make, said in ((Path.mkdir, "a folder"), (os.mkfifo, "a device, a pipe or a socket, not a file")):
        make(home / "settings.toml")
        assert messages(SettingsFile.load()) == [f" cannot be read: it is {said}"]
        (home / "settings.toml").rename(home / said[:8])


PAGE = Path(__file__).resolve().parents[2] / "docs" / "storage.md"


def first_cells(heading: str) -> set[str]:
    _, _, after = PAGE.read_text(encoding="utf-8").partition(f"{heading}\n")
    rows = re.search(r"\n(\|.*\n)+", after)
    assert rows is not None
    return {
        name for row in rows[0].splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1:2][0] if row else "")
    }


def test_every_setting_is_documented() -> None:
    # A table of the file stands in brackets.
    documented = {name.strip("[]") for name in first_cells("## Settings")}
    assert documented == set(PlayerSettings.__struct_fields__)
    last = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `[last]`"))
    assert {*LastSetup.__struct_fields__} - {"settings"} <= set(re.findall(r"`(\w+)`", last))
