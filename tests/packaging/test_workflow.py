import re
from pathlib import Path
from typing import Any, Final

import pytest
from ruamel.yaml import YAML

from scripts.release_notes import notes

ROOT: Final = Path(__file__).resolve().parents[2]
FILE: Final = ROOT / ".github" / "workflows" / "test.yml"


@pytest.fixture(scope="module")
def workflow() -> dict[str, Any]:
    found: dict[str, Any] = YAML(typ="safe").load(FILE.read_text(encoding="utf-8"))
    return found


def test_what_others_have_written_is_named_by_its_content() -> None:
    used = re.findall(r"uses: (\S+)(.*)", FILE.read_text(encoding="utf-8"))
    assert used
    assert [name for name, _ in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name)] == []
    assert [name for name, version in used if not re.fullmatch(r" # v\d+\.\d+\.\d+", version)] == []


def test_only_the_release_may_write(workflow: dict[str, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert [name for name, job in workflow["jobs"].items() if "permissions" in job] == ["release"]
    assert workflow["jobs"]["release"]["if"] == "startsWith(github.ref, 'refs/tags/v')"


def test_nothing_is_released_that_has_not_been_tested_and_tried(workflow: dict[str, Any]) -> None:
    jobs, needed, waiting = workflow["jobs"], set(), ["release"]
    while waiting:
        wanted = jobs[waiting.pop()].get("needs", [])
        for name in [wanted] if isinstance(wanted, str) else wanted:
            needed.add(name)
            waiting.append(name)
    assert needed == set(jobs) - {"release"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "kalooki_tui").mkdir()
    (tmp_path / "kalooki_tui" / "__init__.py").write_text('__version__ = "1.2.0"\n', encoding="utf-8")
    (tmp_path / "CITATION.cff").write_text("version: 1.2.0\n", encoding="utf-8")
    changes = "# Changes\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n- New.\n\n## [1.1.0] - 2026-11-01\n\n- Old.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    return tmp_path


def test_a_release_is_described_by_its_section_of_the_changes(project: Path) -> None:
    assert notes("v1.2.0", project) == "- New.\n"


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("kalooki_tui/__init__.py", '__version__ = "1.2.0.dev0"\n', "__init__.py has version 1.2.0.dev0"),
        ("CITATION.cff", "version: 1.1.0\n", "CITATION.cff has version 1.1.0"),
        ("CHANGELOG.md", "## [1.1.0]\n\n- Old.\n", "CHANGELOG.md has no section for 1.2.0"),
        ("CHANGELOG.md", "## [1.2.0]\n\n## [1.1.0]\n", "CHANGELOG.md has no section for 1.2.0"),
    ],
)
def test_a_tag_that_does_not_agree_is_not_released(file: str, content: str, reason: str, project: Path) -> None:
    (project / file).write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(reason)):
        notes("v1.2.0", project)
