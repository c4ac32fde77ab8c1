from pathlib import Path

from tests.drivers import damage_matches


def test_no_damage_passes_as_whole_or_touches_another_match(tmp_path: Path) -> None:
    figures = damage_matches.run(14, 5, tmp_path)
    assert figures.damages == 14
    assert figures.failures == []
    assert len(figures.kinds) >= 5


def test_the_script_sees_what_passes(tmp_path: Path) -> None:
    damage_matches.play_matches(tmp_path)
    before, figures = damage_matches.standing(tmp_path), damage_matches.Figures()
    file = min((tmp_path / "matches").glob("*.jsonl"))
    others = {match_id: (told if match_id == file.stem else None) for match_id, told in before.items()}
    damage_matches.look(tmp_path, file, others, "nothing", figures)
    assert any("it is listed as before" in one for one in figures.passed)
    assert len(figures.touched) == len(before) - 1
