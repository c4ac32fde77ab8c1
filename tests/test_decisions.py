import re
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "decisions"
LIST = (FOLDER / "README.md").read_text(encoding="utf-8")
DECISIONS = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")


def test_the_list_has_every_decision_once_under_its_room() -> None:
    listed = {}
    for room, lines in re.findall(r"^## (.+)\n\n((?:- .+\n)+)", LIST, re.MULTILINE):
        for title, name in re.findall(r"^- \[(.+)\]\((.+)\)$", lines, re.MULTILINE):
            assert name not in listed
            listed[name] = (title, room)
    there = {}
    for path in DECISIONS:
        head, _, second, *_ = path.read_text(encoding="utf-8").splitlines()
        there[path.name] = (head.removeprefix("# "), second.partition(" · ")[0])
    assert listed == there


def test_a_decision_has_a_state_that_its_text_bears_out() -> None:
    for path in DECISIONS:
        text = path.read_text(encoding="utf-8")
        state = text.splitlines()[2].partition(" · ")[2]
        assert re.fullmatch(r"in force|changed|superseded by \[.+\]\([a-z0-9_-]+\.md\)", state), path
        assert ("**Changed:** " in text) is (state == "changed"), path
