"""A monkey at the keyboard: nothing it does makes the app fall over, or stand still. Longer: `make monkey`."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from tests.drivers.monkey import Tally, spell


@pytest.mark.parametrize("seed", [11])
async def test_a_monkey_breaks_nothing(seed: int, own_home: Path) -> None:
    assert os.environ["KALOOKI_HOME"] == str(own_home)
    tally = Tally(seed)
    await spell(random.Random(f"monkey {seed}"), tally, 60, time.monotonic() + 12)
    assert tally.wrong == []
    assert tally.keys > 0
