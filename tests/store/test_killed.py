"""The process may be killed at any moment: nothing that was acknowledged is lost."""

from pathlib import Path

from tests.store.killing import kill_again_and_again


def test_nothing_acknowledged_is_lost_when_the_program_is_killed(home: Path) -> None:
    figures = kill_again_and_again(home, kills=12, seed=3, longest=0.3)
    assert (figures.kills, figures.lost, figures.different) == (12, 0, 0)
    assert figures.acknowledged >= 12
