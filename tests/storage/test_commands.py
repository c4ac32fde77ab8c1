import json
from pathlib import Path

import pytest

from kalooki_tui.storage.match_store import Store
from tests.commands import Run
from tests.storage.tables import played_two


@pytest.fixture
def played(home: Path) -> tuple[str, str]:
    return played_two()


def test_with_nothing_played_nothing_is_made(run: Run, home: Path) -> None:
    assert run("matches") == (0, "There are no matches yet.\n", "")
    assert run("stats") == (0, "No match has been finished yet (imported ones count with --imported).\n", "")
    assert list(home.iterdir()) == []


def test_export_and_import(run: Run, played: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    code, out, err = run("export", played[1][-8:], str(file))
    assert (code, out, "--open exports it anyway" in err) == (2, "", True)
    code, out, _ = run("export", "--open", played[1][-8:], str(file))
    assert (code, out) == (0, f"{file}: {len(file.read_text().splitlines())} lines\n")
    assert run("export", "--open", played[1], str(file)) == (2, "", f"{file} is there already\n")
    assert run("export", "--force", "--open", played[1], str(file))[0] == 0
    assert run("verify", str(file))[0] == 0
    code, out, _ = run("import", str(file))
    assert (code, out) == (0, f"{file}: the match is already in the list, as {played[1][-8:]}\n")
    with Store.open() as store:
        store.forget(played[1])
    code, out, _ = run("import", str(file))
    assert code == 0
    assert "an unfinished match" in out
    _, out, _ = run("import", "--json", str(file))
    assert json.loads(out)["cut_off"] is False
    file.write_text(file.read_text().replace('"do"', '"did"', 1))
    code, out, err = run("import", str(file))
    assert (code, out) == (2, "")
    assert err.startswith(f"{file}:")


def test_config_says_where_and_what(run: Run, home: Path) -> None:
    code, out, err = run("config")
    assert (code, err) == (0, "")
    assert out.startswith(f"settings: {home / 'settings.toml'} (not there yet)\n")
    assert str(home / "matches") in out
    (home / "settings.toml").write_text('bell = false\nnames = ["Ann", "Bob"]\n')
    _, out, _ = run("config")
    rows = [line.split() for line in out.splitlines()]
    assert ["bell", "no"] in rows
    assert ["names", "Ann,", "Bob"] in rows
    assert ["ai_speed", "natural", "default"] in rows
    _, out, _ = run("config", "--json")
    data = json.loads(out)
    assert (data["settings"]["bell"], data["chosen"], data["problems"]) == (False, ["bell", "names"], [])


def test_a_damaged_match_is_listed_and_what_can_be_read_of_it_is_exported(
    run: Run, played: tuple[str, str], home: Path, tmp_path: Path
) -> None:
    file = home / "matches" / f"{played[0]}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:50], *lines[51:]]))
    code, out, err = run("matches")
    (aside,) = (home / "matches").glob("*.damaged-*.jsonl")
    assert code == 0
    assert err == (
        f"{file.name} is damaged ({file.name}:51: line 51 is missing: this is line 52). It is kept as {aside.name}; "
        "its first 50 lines can be exported.\n"
    )
    assert [played[1][-8:] in out, "damaged: " in out.splitlines()[-1]] == [True, True]
    assert run("matches")[2] == ""
    record = tmp_path / "saved"
    assert run("export", "--open", aside.stem, str(record)) == (0, f"{record}: 50 lines\n", "")
    assert run("import", str(record))[0] == 0
    code, _, err = run("stats")
    assert (code, err.startswith(f"left out: {file.name}:51: ")) == (0, True)
