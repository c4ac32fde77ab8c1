import shutil
from pathlib import Path

import pytest

from kalooki_tui.engine.actions import Discard
from kalooki_tui.engine.legal import legal_actions
from kalooki_tui.engine.state import State
from kalooki_tui.rulesets.folders import available
from tests.playthroughs import golden
from tests.playthroughs.tracing import Differs, compare

NAMES = sorted(golden.wanted())
EXAMPLE = "jamaican-3.jsonl"


def test_every_ruleset_and_number_of_seats_has_a_playthrough() -> None:
    builtin = {entry.id for entry in available() if entry.builtin}
    assert builtin == set(golden.RULESETS)
    assert {path.name for path in golden.FOLDER.glob("*.jsonl")} == set(NAMES)
    assert {path.stem for path in golden.FOLDER.glob("*.trace")} == {Path(name).stem for name in NAMES}


@pytest.mark.parametrize("ruleset_id", golden.RULESETS)
def test_a_whole_match_of_every_ruleset_is_among_them(ruleset_id: str) -> None:
    plans = golden.wanted()
    records = [golden.FOLDER / name for name in NAMES if plans[name][0] == ruleset_id]
    ends = [record.read_text(encoding="utf-8").splitlines()[-1] for record in records]
    assert any(end.startswith('{"result":') for end in ends)


@pytest.mark.parametrize("name", NAMES)
def test_playthrough_follows_line_by_line(name: str) -> None:
    compare(golden.FOLDER / name)


def difference(record: Path) -> str:
    with pytest.raises(Differs) as caught:
        compare(record)
    return str(caught.value)


def test_a_change_of_what_is_legal_is_named_with_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_ace_of_clubs(state: State, seat: int) -> list[object]:
        actions = legal_actions(state, seat)
        return [action for action in actions if not (isinstance(action, Discard) and action.card == 0)]

    monkeypatch.setattr("kalooki_tui.engine.deal.legal_actions", no_ace_of_clubs)
    said = difference(golden.FOLDER / EXAMPLE)
    assert said.startswith(f"{EXAMPLE}:65: after 'Bea: draw stock': legal is 13, not 14 (")
    assert "; actions is " in said
    assert "; state is " not in said
    assert "; listed now: Bea: discard 3C, Bea: discard 3D, " in said


def test_a_line_that_does_not_follow_and_one_too_few_are_named(tmp_path: Path) -> None:
    record = tmp_path / EXAMPLE
    for name in (record, record.with_suffix(".trace")):
        shutil.copyfile(golden.FOLDER / name.name, name)
    lines = record.read_text(encoding="utf-8").splitlines()
    record.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert difference(record) == f"{EXAMPLE} is cut off"
    del lines[3]
    record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert difference(record).startswith(f"{record}:4: ")
