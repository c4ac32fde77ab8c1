import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://games.example/kalooki"


def metadata(**environment: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "metadata"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def building() -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_address_is_named_to_indexes_with_its_pages() -> None:
    found = metadata(KALOOKI_ADDRESS=f"{ADDRESS}/")
    assert found["urls"]["Source"] == ADDRESS
    assert found["urls"]["Issues"] == f"{ADDRESS}/issues"
    assert found["urls"]["Changelog"] == f"{ADDRESS}/blob/v{found['version']}/CHANGELOG.md"
    assert f"]({ADDRESS}/raw/v{found['version']}/screenshots/table-120x36.png)" in found["readme"]["text"]
    assert re.findall(r"\]\((?!https?:)[^)]+\)", found["readme"]["text"]) == []


def test_a_link_leads_to_what_it_names(building: ModuleType) -> None:
    for link, kind in (
        ("docs/api.md#bots", "blob"),
        ("docs/demo.gif", "raw"),
        ("rulesets", "tree"),
        ("LICENSE", "blob"),
    ):
        shown = building.with_addresses(f"[there]({link})", ADDRESS, "v1")
        assert shown == f"[there]({ADDRESS}/{kind}/v1/{link})"
    text = "[uv](https://docs.astral.sh/uv/) [below](#play)"
    assert building.with_addresses(text, ADDRESS, "v1") == text
