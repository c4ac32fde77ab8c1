"""What is loaded before the first screen is seen, and what comes after it."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.preload import REST
from tests.tui.conftest import LONGEST_WAIT

#: What no first screen needs: it takes long to load.
NEVER = (
    "importlib.metadata", "importlib.resources", "pydantic", "ruamel", "secrets", "tomlkit",
    "kalooki_tui.evaluation.options", "kalooki_tui.presenter.hints", "kalooki_tui.players.club",
    "kalooki_tui.players.expert", "kalooki_tui.records.reader", "kalooki_tui.records.playback",
    "kalooki_tui.rulesets.validation", "kalooki_tui.rulesets.yaml_source", "kalooki_tui.storage.recovery",
    *(f"kalooki_tui.tui.screens.{name}" for name in ("help", "rules", "scores", "settings", "setup")),
)  # fmt: skip
#: What home does without besides: it takes longer to load than all that it needs.
NOT_AT_HOME = (
    "kalooki_tui.coach.course.chapter", "kalooki_tui.presenter.turn_state", "kalooki_tui.session.match_session",
    "kalooki_tui.engine.events", "kalooki_tui.engine.match", "kalooki_tui.engine.rules", "kalooki_tui.players.thinker",
    "kalooki_tui.rulesets.loader", "kalooki_tui.rulesets.model", "kalooki_tui.solver", "kalooki_tui.match.live_match",
    "kalooki_tui.tui.screens.matches", "kalooki_tui.tui.screens.table",
)  # fmt: skip


OPEN = """
import asyncio, sys
from kalooki_tui.tui import app as module
from kalooki_tui.tui import routes
first = routes.home()
if sys.argv[1] == "table":
    from kalooki_tui.session.plan import plan_of
    plan = plan_of("jamaican", ["Ann", "ai:club", "ai:club"], 3, ())
    plan.open()
    first = routes.new_match(plan)
seen = []
class Drawn(module.KalookiApp):
    # The first frame that shows the screen, before anything that waits for it.
    def _display(self, screen, renderable):
        super()._display(screen, renderable)
        if type(screen).__name__ in ("HomeScreen", "TableScreen") and renderable is not None and not seen:
            seen.extend(sys.modules)
            if self._thinker is not None and self._thinker.process is not None:
                seen.append("thinking")
            self.exit()
asyncio.run(Drawn(first).run_async(headless=True))
print(*seen, sep="\\n")
"""


def loaded(screen: str, home: Path) -> set[str]:
    environment = {**os.environ, "KALOOKI_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", OPEN, screen], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return set(done.stdout.split())


def test_the_first_screen_loads_only_what_it_shows(tmp_path: Path) -> None:
    # Settings, a match and what has been learnt are there.
    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text('bell = false\nnames = ["Ann"]\n[last]\nseats = ["Ann", "ai:club"]\n')
    skill = '{"version": 1, "skills": {"jamaican/melds/spot": {"box": 1, "last": "2020-01-01"}}}'
    (home / "progress.json").write_text(skill)
    (home / "matches").mkdir()
    played = Path(__file__).parents[1] / "playthroughs" / "baby-3.jsonl"
    (home / "matches" / "baby-3.jsonl").write_bytes(played.read_bytes())
    assert "kalooki_tui.storage.match_store" in loaded("home", home)  # a match that is new is read
    found = loaded("home", home)
    assert "kalooki_tui.tui.screens.home" in found
    assert found.isdisjoint({*NEVER, *NOT_AT_HOME}), sorted(found.intersection({*NEVER, *NOT_AT_HOME}))


def test_the_table_loads_only_what_it_shows(tmp_path: Path) -> None:
    found = loaded("table", tmp_path / "home")
    assert "kalooki_tui.tui.screens.table" in found
    assert found.isdisjoint(NEVER), sorted(found.intersection(NEVER))
    # The process that thinks would take its share of the machine.
    assert "thinking" not in found


async def test_the_rest_is_loaded_and_the_thinking_begins_once_home_is_seen() -> None:
    app = KalookiApp()
    async with app.run_test(size=(80, 24)):
        async with asyncio.timeout(LONGEST_WAIT):
            while app._thinker is None:
                await asyncio.sleep(0.02)
        assert set(REST) <= set(sys.modules)
