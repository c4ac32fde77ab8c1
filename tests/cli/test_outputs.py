import io
import re
import shlex
from pathlib import Path

import pytest

from kalooki_tui.cli.example import FOLDER as EXAMPLES
from kalooki_tui.storage.match_store import Store
from tests.commands import Golden, Run
from tests.storage.tables import played_two
from tests.tui.test_same_cards import play_day

TESTS = Path(__file__).parents[1]

#: What is asked for, group by group; {over} and {going} are matches in the list.
COMMANDS = {
    "rules": """
        --help
        solve --help
        meld "5C 5D 5H" "5C 5D 6H" "9S 10S JK QS KS" "JK QS KS AS" "KC AC 2C 3C"
        meld "JK JK 6H" --json
        meld "5H 7H 6H 8H"
        meld --any-order "5H 7H 6H 8H"
        meld --ruleset tuluki "4C 5C 6C JK" "QH QS QD" "JK JK 4H"
        meld 5X
        meld --ruleset nothing 5C
        solve --deal 1 --hand "5C 5D 5H 7C 7D 7S 9C jk 9S KH"
        solve --deal 1 --hand "5C 5C 5H 7C 7D 7S 9C 9C KH" --table "9D 9D 9S | 9H 10H JK QH"
        solve --deal 1 --hand "5C 5C 5H 7C 7D 7S 9C 9C KH" --table "9D 9D 9S | 9H 10H JK QH" --json
        solve --deal 3 --hand "5C 6C 7C 8C 9D 10D JD JK KD 2H 2S" --json
        solve --ruleset kalookie-40 --deal 1 --hand "KC KD KH 5C 6C 7C 2H 2D 3S 4S 9D 10D QD"
        solve --ruleset kalookie-40 --deal 1 --hand "KC KD 2H 5C 6C 8C 2H 2D 3S 4S 9D 10D QD" --json
        solve --ruleset kooky --deal 2 --hand "2R 2B 2G 5R 6R 7R 9B 10B JK 4Y"
        solve --ruleset trinidad --seats 8 --deal 5 --hand "5C 5D 5H 7C 7D 7S 9C 9D KH 2C 3C 4C JK"
        solve --deal 12 --hand "5C"
        solve --deal 1 --hand "5C 5Z"
        solve --deal 1 --hand "5C 5C 5C"
        solve --deal 1 --seats 20 --hand 5C
        solve --deal 1 --hand 5C --table "5C 6D"
        rules
        rules list
        rules list --json
        rules show baby
        rules show nothing
        check {tests}/positions/C10_no-calls.yaml
        check {tests}/positions/C10_no-calls.yaml --json
        check {tests}/nothing.yaml
    """,
    "study": """
        review {tests}/playthroughs/baby-3.jsonl --deal 1 --worlds 0
        review {tests}/playthroughs/baby-3.jsonl --deal 1 --worlds 0 --json
        review {tests}/playthroughs/baby-3.jsonl --deal 9
        review {tests}/playthroughs/baby-3.jsonl --seat Nobody
        advise {examples}/position.yaml --worlds 0
        advise {examples}/position.yaml --worlds 0 --level novice --json
        advise {tests}/playthroughs/tuluki-2.jsonl --deal 1 --at 2 --worlds 0
        advise {tests}/playthroughs/kalookie-40-3.jsonl --deal 1 --at 3 --worlds 0
        advise {tests}/playthroughs/kooky-3.jsonl --deal 2 --at 1 --worlds 0 --level expert
        advise {tests}/playthroughs/baby-3.jsonl --at 300
        replay {tests}/playthroughs/baby-3-penalties.jsonl
        verify {tests}/playthroughs/baby-3.jsonl {tests}/nothing.jsonl
        verify {tests}/playthroughs/baby-3.jsonl --json
    """,
    "matches": """
        matches
        matches --json
        stats
        stats --json
        replay {over}
        replay {going}
        replay --open {going}
        export --scores {over} scores.csv
        export {going} going.jsonl
        export --open {going} going.jsonl
        export --open {going} going.jsonl
        import going.jsonl
        import {tests}/playthroughs/kalookie-40-3.jsonl
        import --json {tests}/playthroughs/trinidad-3.jsonl
        stats --imported
        stats --imported --json
        review nothing
        sim --ruleset baby --matches 15 --deal 1 --seat ai:novice --seat ai:club --seat ai:novice
        sim --ruleset jamaican --matches 2 --deal 2 --seat ai:club --seat Bob=ai:novice --seat ai:novice
        sim --ruleset kalookie-40 --matches 1 --seat ai:novice --seat ai:club
        sim --matches 1 --seat ai:nobody
    """,
    "learn": """
        learn --list
        learn --list --ruleset kooky
        learn --skills
        learn --plain sets
        learn --plain nothing
        exercise --kind nothing
        puzzle K3-best-2LAE --plain --answer "4C 4H 4C"
        puzzle K3-best-2LAE --plain --answer "4C 4H 4C | 6C 6D 6S"
        puzzle K3-best-2LAE --plain --answer "5C"
        puzzle K3-best-2LAE --plain --answer "4C 4C 4H | 6C 6D 6D 6S | JD QD KD AD"
        puzzle K9-A
        puzzle --kind sing
        puzzle K3-7F3Q@nothing
        puzzle nothing
        puzzle --kind nothing
        daily --list
        daily --day 2026-11-20
        daily --day 2026-11-21
        daily --day 2026-11-21 --json
        daily --list --json
        config
        config --json
    """,
}


def told(text: str, names: dict[str, str]) -> str:
    """What was written, without what another day or machine says."""
    for name, value in names.items():
        text = text.replace(value, f"<{name}>")
    text = re.sub(r"\b[0-9a-f]{8}\b", "<id>", text)
    text = re.sub(r"\d{4}-\d{2}-\d{2}(T[\d:.+Z]+| \d{2}:\d{2})?", "<day>", text)
    text = re.sub(r"(\d\.\d{3})\d+", r"\1", text)
    text = re.sub(r"[\d.,]+( thousand)? (seconds?|ms)\b", "<time>", text)
    return re.sub(r" +(?=median|p99|longest|<time>)", " ", text)


@pytest.mark.parametrize("group", COMMANDS)
def test_all_that_commands_write(
    group: str, run: Run, home: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    over, going = played_two()
    names = {"tests": str(TESTS), "examples": str(EXAMPLES), "over": over, "going": going}
    shown = {**names, "  over": over[-8:], " going": going[-8:], "home": str(home), "here": str(TESTS.parent)}
    if group == "learn":
        play_day(Store.open(), You="novice", Augusta="novice")
    lines = []
    for line in filter(None, map(str.strip, COMMANDS[group].split("\n"))):
        code, out, err = run(*shlex.split(line.format(**names)))
        lines.append(f"$ kalooki {line}\n{told(out, shown)}{told(err, shown)}[{code}]\n")
    golden(f"commands-{group}", "\n".join(lines))
