"""A hint at the table names the key that does what it says."""

from __future__ import annotations

import asyncio

import pytest

from kalooki_tui.coach.hinting import Hint
from kalooki_tui.desk.table.hints import Hints
from kalooki_tui.engine.actions import Action, Allow, Call, Discard, Draw, Lay, Source, Tack
from tests.ui import samples


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Draw(0, Source.FLIP), "Take it (f)."),
        (Draw(0, Source.DISCARD), "Take it (t)."),
        (Draw(0, Source.STOCK), "Take it (d)."),
        (Discard(0, 5), "Take it (x)."),
        (Call(0), "Take it (c)."),
        (Tack(0, (5,), 0), "Take it (k)."),
        (Lay(0, ()), "Take it (l)."),
        (Allow(0), "Take it."),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_key_stands_behind_the_action(action: Action, said: str) -> None:
    async def told() -> list[str]:
        async def consult(*asked: object) -> Hint:
            return Hint("Look?", "Take it.", "It helps.", action)

        hints, view = Hints(consult), samples.view()
        return [await hints.next_step(view) for _ in range(3)]

    assert asyncio.run(told()) == [
        "Hint: Look? h tells more.",
        f"Hint: {said} h tells more.",
        f"Hint: {said} It helps.",
    ]
