"""The game in a terminal is killed in every way: nothing shown is lost, nothing is left behind."""

from pathlib import Path

from tests.drivers import kills


def test_a_few_kills(tmp_path: Path) -> None:
    unfound: list[str] = []
    for seed in (5, 6, 7):
        home = tmp_path / str(seed)
        home.mkdir()
        figures = kills.kill_again_and_again(home, len(kills.WAYS), seed=seed)
        assert figures.kills == len(kills.WAYS)
        assert figures.shown > 0
        unfound += figures.unfound
        if not figures.lost:
            break
    # On a machine that stands still for seconds one screen may be misread; what is lost is lost again.
    assert not figures.lost, unfound
    assert (figures.left, figures.locked, figures.unrestored) == (0, 0, 0)
    assert figures.wrong_codes == []


def test_a_step_that_is_not_in_the_record_is_noticed() -> None:
    told = ["a", "b", "c", "a", "b"]
    assert kills.missing(["c", "a", "b"], told) == 0
    assert kills.missing(["c", "a", "b", "d"], told) == 1
    assert kills.missing(["b", "a"], told) == 1
    assert kills.missing(["x", "y"], told) == 2
    assert kills.missing(["a", "b drawn by ha"], ["a", "b drawn by halves"]) == 0
