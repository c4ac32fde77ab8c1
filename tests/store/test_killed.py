"""The process may be killed at any moment: nothing that was acknowledged is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kalooki_tui.store.errors import MatchBusy
from kalooki_tui.store.matches import Store
from tests.store.killing import ROOT, kill_again_and_again


def test_nothing_acknowledged_is_lost_when_the_program_is_killed(home: Path) -> None:
    figures = kill_again_and_again(home, kills=12, seed=4, longest=0.3)
    assert (figures.kills, figures.lost, figures.different, figures.damaged) == (12, 0, 0, 0)
    assert figures.early < figures.kills
    assert figures.acknowledged >= figures.kills - figures.early


def test_the_match_that_another_process_plays_is_busy_until_that_is_dead(home: Path, store: Store) -> None:
    command = [sys.executable, "-m", "tests.store.driver", "1"]
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "KALOOKI_HOME": str(home)}, stdout=subprocess.PIPE
    ) as driver:
        assert driver.stdout is not None
        match_id = driver.stdout.readline().split()[0].decode()
        with pytest.raises(MatchBusy):
            store.resume(match_id)
        assert store.summary(match_id).elsewhere
        driver.kill()
        driver.stdout.read()
    assert not store.summary(match_id).elsewhere
    store.resume(match_id).close()
