from pathlib import Path

from tests.drivers import damage_matches


def test_no_damage_passes_as_whole_or_touches_another_match(tmp_path: Path) -> None:
    kinds, wrong = damage_matches.run(14, 5, tmp_path)
    assert kinds.total() == 14
    assert wrong == []
    assert len(kinds) >= 5


def test_the_script_sees_what_passes(tmp_path: Path) -> None:
    damage_matches.play_matches(tmp_path)
    before = damage_matches.standing(tmp_path)
    file = min((tmp_path / "matches").glob("*.jsonl"))
    others = {match_id: (told if match_id == file.stem else None) for match_id, told in before.items()}
    wrong = list(damage_matches.look(tmp_path, file, others))
    assert "it is listed as before" in wrong
    assert sum(one.endswith(" is not as it was") for one in wrong) == len(before) - 1
