import re
from pathlib import Path

import pytest

from scripts.make_docs import gather
from tests.test_documents import DOCUMENTS

ROOT = Path(__file__).parents[1]
NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
PLACED = re.findall(r"([\w./-]+\.md)$", NAV, re.MULTILINE)


def test_every_page_has_one_place() -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in DOCUMENTS}
    reached = {page for page in pages if page.startswith("docs/decisions/") and not page.endswith("README.md")}
    assert sorted(PLACED) == sorted(pages - reached)


@pytest.fixture(scope="module")
def gathered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    gather(folder)
    return folder


def test_what_a_page_links_to_is_gathered_with_it(gathered: Path) -> None:
    missing = []
    for page in gathered.rglob("*.md"):
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        targets = re.findall(r"\]\((?![a-z]+:|#)([^)\s#]+)", text)
        missing += [f"{page.name}: {target}" for target in targets if not (page.parent / target).exists()]
    assert missing == []
