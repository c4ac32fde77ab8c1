"""Make every picture in screenshots/ anew, from the running app at set positions: the same on every machine.

Only that of the review needs the native core, and may differ by a point where that was built otherwise.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from textual.pilot import Pilot
from textual.widgets import Static

from kalooki_tui.coach.course.chapter import Step
from kalooki_tui.coach.course.lesson import Lesson, Task
from kalooki_tui.coach.course.progress import ChapterState, Progress
from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan, Speed
from kalooki_tui.desk.table.prompt import NOTES
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.cards import parse_cards
from kalooki_tui.players import make_player
from kalooki_tui.players.protocol import Decision
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.setting_up import set_up
from kalooki_tui.table.headless import play_match
from kalooki_tui.table.seats import SeatPlan, parse_seats
from kalooki_tui.table.table import Table, TableSetup
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.playing.coached import Coaching
from kalooki_tui.ui.playing.prompts import DealIntro
from kalooki_tui.ui.screens import question
from kalooki_tui.ui.screens.replay import ReplayScreen
from kalooki_tui.ui.screens.review import ReviewPage
from kalooki_tui.ui.screens.session import SessionScreen
from kalooki_tui.ui.screens.table import TableScreen
from scripts.hosted_scenes import HOSTED

FOLDER: Final = Path(__file__).resolve().parents[1] / "screenshots"
TESTS: Final = FOLDER.with_name("tests")
NARROW: Final = (80, 24)
WIDE: Final = (120, 36)
#: Seconds after which a scene is given up.
LONGEST_WAIT: Final = 300.0

#: What Cat has laid, and the discards.
LAID: Final = """\
table:
  - {owner: Cat, cards: 5C 5D 5S}
  - {owner: Cat, cards: 9S 10S JS JK}
  - {owner: Cat, cards: 3H 4H 5H 6H}
discard: 7H 9D KC 3S
seed: 7
"""
MIDDLE = """
ruleset: jamaican
deal: 3
dealer: Cat
turn: {turn}
phase: {phase}
{more}
seats:
  - {{name: Ann, hand: AS 5H 5D 7C 8C 9C JD QD KD JK 2S, score: 40, calls: 1}}
  - {{name: Bob, hand: 2C 3C 4D 4H 6S 6D 9H 10H JC QC QH KS KC, score: 112, calls: 2}}
  - {{name: Cat, hand: 4S 8D 10D 2H, laid: true, score: 86}}
  - {{name: Dee, hand: AD 3D 5S 7S 8H 10C JH KH AH 2D 6C, score: 23}}
{laid}"""


@dataclass(frozen=True)
class Scene:
    """One picture: where it begins, what is done, what it is called."""

    name: str
    size: tuple[int, int]
    position: str | None
    people: tuple[str, ...]
    act: Callable[[Pilot[None], KalookiApp], Awaitable[None]] | None
    """None: a table at several screens, of apps of its own."""


class Thinks:
    """AI seats that think in this process, so that nothing depends on time."""

    async def decide(self, level: str, seed: str, view: View) -> Decision:
        """The decision of an AI seat."""
        return make_player(level, seed).decide(view)


class Pictured(KalookiApp):
    """The app, beginning at a position."""

    def __init__(self, position: str | None, people: tuple[str, ...], *, notes: bool = False) -> None:
        super().__init__(thinker=Thinks())
        seen = [] if notes else list(NOTES)
        self.settings_file.settings = replace(self.settings, notes_seen=seen)
        self._position, self._people = position, people

    def on_ready(self) -> None:
        """Sit down at the position, if there is one."""
        if self._position is None:
            return
        position = read_position(self._position)
        match = set_up(position)
        plans = tuple(SeatPlan(name, "human" if name in self._people else "ai:club") for name in match.names)
        setup = TableSetup(
            position.rules.ruleset, plans, position.seed, position.rules.referee, position.rules.settings
        )
        # Where nobody plays, the first move is to come late enough to be stopped.
        speed = Speed.INSTANT if self._people else Speed.NATURAL
        plan = MatchPlan(seats=plans, speed=speed, ask_calls=AskCalls.ALWAYS)
        self.go(routes.at_table(plan, Table(setup, match, plans)))


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Let the app run until the condition holds."""
    end = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < end:
        if condition():
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise SystemExit("make_screenshots: a scene did not come about")


def table(app: KalookiApp) -> TableScreen:
    """The table screen."""
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


def is_planned(app: KalookiApp) -> bool:
    """Whether the contract's slots show what the open hand holds: that is found out after all else is drawn."""
    return all(screen.desk.has_plan for screen in app.screen_stack if isinstance(screen, TableScreen))


def at(screen_id: str) -> Callable[[Pilot[None], KalookiApp], Awaitable[None]]:
    """Wait for a screen or a dialog."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await until(pilot, lambda: app.screen.name == screen_id)

    return act


async def choosing(pilot: Pilot[None], app: KalookiApp) -> None:
    """The others have played, a person has drawn and chosen three diamonds."""
    keys = {Phase.CALL_WINDOW: "p", Phase.DRAW: "d"}
    while True:
        await until(
            pilot, lambda: app.screen.name == "decision" or (app.screen.name == "table" and table(app).desk.is_asked)
        )
        screen = table(app)
        if app.screen.name == "table" and screen.desk.view.phase is Phase.PLAY:
            break
        await pilot.press("a" if app.screen.name == "decision" else keys[screen.desk.view.phase])
        await pilot.pause()
    screen.hand.select_cards(parse_cards("JD QD KD", screen.desk.view.rules.faces))
    screen.hand.move_cursor(4)
    await pilot.pause()


async def asked(pilot: Pilot[None], app: KalookiApp) -> None:
    """A person is asked at the table's keys."""
    await until(pilot, lambda: app.screen.name == "table" and table(app).desk.is_asked)


async def staging(pilot: Pilot[None], app: KalookiApp) -> None:
    """The best lay-down lies staged."""
    await asked(pilot, app)
    await pilot.press("L")
    await pilot.pause()


def hinted(steps: int) -> Callable[[Pilot[None], KalookiApp], Awaitable[None]]:
    """So many steps of a hint have been asked for."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await asked(pilot, app)
        for _ in range(steps):
            before = table(app).status.prompt
            await pilot.press("h")
            await until(pilot, lambda before=before: table(app).status.prompt != before)  # type: ignore[misc]

    return act


async def banner(pilot: Pilot[None], app: KalookiApp) -> None:
    """The announcement of the deal."""
    await asked(pilot, app)
    app.push_screen(DealIntro(table(app).desk.view, seconds=1000))
    await until(pilot, lambda: app.screen.name == "deal-intro")


async def going_out(pilot: Pilot[None], app: KalookiApp) -> None:
    """The last card is thrown, and the deal is over."""
    await staging(pilot, app)
    await pilot.press("enter")
    await until(pilot, lambda: table(app).desk.has_laid)
    await pilot.press("x", "x")
    await until(pilot, lambda: app.screen.name == "deal-over")


async def set_up_a_match(pilot: Pilot[None], app: KalookiApp) -> None:
    """The form for a new match."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    await pilot.press("n")
    await until(pilot, lambda: app.screen.name == "setup" and bool(app.screen.query("#seed")))


async def settings(pilot: Pilot[None], app: KalookiApp) -> None:
    """The player's settings."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    await pilot.press("o")
    await until(pilot, lambda: app.screen.name == "settings")
    # Where the file lies is another place each time.
    app.screen.query_one(".keys", Static).update("Saved in settings.toml")
    await pilot.pause()


async def watching(pilot: Pilot[None], app: KalookiApp) -> None:
    """AI seats play, and all hands lie open."""
    await until(pilot, lambda: app.screen.name == "table" and table(app).is_live)
    table(app).sitting.set_paused(True)
    await pilot.press("a")
    await pilot.pause()


async def replaying(pilot: Pilot[None], app: KalookiApp) -> None:
    """A match that has been played, in the middle of its second deal."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    seats = parse_seats(["Ann", "Bob=ai:club", "Cat=ai:club", "Dee=ai:club"])
    live = app.store.begin(MatchPlan(ruleset="baby", seats=seats, seed=3).open())
    play_match(live.table, players={seat: make_player("club", str(seat)) for seat in range(len(seats))})
    live.close()
    app.go(routes.replay(app.store.lists().finished[0]))
    await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and app.screen.is_mounted)
    screen = app.screen
    assert isinstance(screen, ReplayScreen)
    await pilot.press("n", *["down"] * 8, "right")
    # When it was played is another moment each time.
    screen.status.set_title(screen.status.title.rpartition(" · ")[0])
    await pilot.pause()


async def chapters(pilot: Pilot[None], app: KalookiApp) -> None:
    """The map of the chapters, some of them learnt."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    learnt = {"sets": 3, "runs": 3, "kiss": 2, "turn": 2, "mixed": 1}
    standings = {
        f"jamaican/{chapter}": ChapterState(stars, mastered=chapter == "sets") for chapter, stars in learnt.items()
    }
    app.learning().file.save(Progress(standings))
    app.go(routes.course())
    await until(pilot, lambda: app.screen.name == "learn")


async def lesson(pilot: Pilot[None], app: KalookiApp, kind: str, deal: int) -> SessionScreen:
    """An exercise of a lesson."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    learning = app.learning()
    task = Task("mixed", Step(kind, deal))
    app.go(routes.one_lesson(learning, Lesson(learning.rules, (task,) * 4, "PICTURE")))
    await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
    assert isinstance(app.screen, SessionScreen)
    return app.screen


async def wrong(pilot: Pilot[None], app: KalookiApp) -> None:
    """A wrong answer: the rule, and the smallest change that mends it."""
    screen = await lesson(pilot, app, "spot", 4)
    right = min(screen.desk.exercise.solutions(), key=lambda answer: len(answer.cards))
    screen.hand.select_cards(right.cards[:-1])
    await pilot.press("l")
    await pilot.pause()


async def right(pilot: Pilot[None], app: KalookiApp) -> None:
    """A right answer to an exercise at a whole table."""
    screen = await lesson(pilot, app, "call", 2)
    await pilot.press(screen.desk.options[screen.desk.exercise.solutions()[0].option or 0][0])
    await until(pilot, lambda: screen.session.attempt.right)
    screen.put_away()  # so that no other exercise opens meanwhile


async def coached(pilot: Pilot[None], app: KalookiApp) -> None:
    """A coached deal whose hands lie open."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    app.set(ai_speed="instant")
    learning = app.learning("baby")
    app.go(routes.coached_deal(learning, learning.course.chapters[0]))
    await until(pilot, lambda: isinstance(app.screen, TableScreen))
    assert isinstance(app.screen, TableScreen)
    coach = app.screen.beside
    assert isinstance(coach, Coaching)
    await until(pilot, lambda: bool(coach.said))


async def puzzle(pilot: Pilot[None], app: KalookiApp) -> None:
    """A puzzle that waits for its answer."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    app.go(routes.puzzle_series(code="K3-chain-AE"))
    await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")


async def reviewing(pilot: Pilot[None], app: KalookiApp) -> None:
    """The review of a deal, every decision played out."""
    await until(pilot, lambda: app.screen.name == "home-screen")
    app.go(
        routes.review((TESTS / "playthroughs" / "baby-3.jsonl").read_text(encoding="utf-8").splitlines(), name="Baby")
    )
    # The page shows the first deal; all are played out in turn.
    await until(pilot, lambda: isinstance(app.screen, ReviewPage) and app.screen._done == {0, 1, 2})


def middle(turn: str, phase: str, more: str = "") -> str:
    """The middle of a deal, with this seat to move."""
    return MIDDLE.format(turn=turn, phase=phase, more=more, laid=LAID)


READY = middle("Ann", "play").replace("AS 5H 5D 7C 8C 9C JD QD KD JK 2S", "4C 4D 4S 7C 8C 9C 10C JD QD KD 10D 2S")

SCENES: Final = (
    Scene("home", NARROW, None, (), at("home-screen")),
    Scene("setup", NARROW, None, (), set_up_a_match),
    Scene("banner", NARROW, middle("Ann", "draw"), ("Ann",), banner),
    Scene("table-80x24", NARROW, middle("Bob", "draw"), ("Ann",), choosing),
    Scene("table-120x36", WIDE, middle("Bob", "draw"), ("Ann",), choosing),
    Scene("table-160x45", (160, 45), middle("Bob", "draw"), ("Ann",), choosing),
    Scene("table-200x50", (200, 50), middle("Bob", "draw"), ("Ann",), choosing),
    Scene("staged", NARROW, READY, ("Ann",), staging),
    Scene("call", NARROW, middle("Dee", "call-window", "discarded_by: Cat"), ("Ann",), asked),
    Scene("call-two-people", NARROW, middle("Cat", "call-window", "discarded_by: Dee"), ("Ann", "Bob"), at("callers")),
    Scene("allow-or-refuse", NARROW, middle("Ann", "decision", "caller: Bob"), ("Ann",), at("decision")),
    Scene("curtain", NARROW, middle("Ann", "draw"), ("Ann", "Bob"), at("curtain")),
    Scene("replay", NARROW, None, (), replaying),
    Scene("settings", NARROW, None, (), settings),
    Scene("watch", WIDE, middle("Ann", "play"), (), watching),
    Scene("note", NARROW, middle("Ann", "draw"), ("Ann",), asked),
    Scene("deal-over", WIDE, READY, ("Ann",), going_out),
    Scene("hint-1-question", NARROW, middle("Ann", "play"), ("Ann",), hinted(1)),
    Scene("hint-2-action", NARROW, middle("Ann", "play"), ("Ann",), hinted(2)),
    Scene("hint-3-reason", NARROW, middle("Ann", "play"), ("Ann",), hinted(3)),
    Scene("learn", NARROW, None, (), chapters),
    Scene("exercise-wrong", NARROW, None, (), wrong),
    Scene("exercise-right", NARROW, None, (), right),
    Scene("coached-deal", NARROW, None, (), coached),
    Scene("puzzle", NARROW, None, (), puzzle),
    *(Scene(name, NARROW, None, (), None) for name in HOSTED),
)
#: The native core plays what they show, and there is not one everywhere: no test compares them.
BY_CORE: Final = (Scene("review", (100, 30), None, (), reviewing),)


async def make(scene: Scene) -> str:
    """The picture as SVG."""
    if scene.act is None:
        async with HOSTED[scene.name](Thinks(), scene.size) as (_, shown):
            return shown.export_screenshot(title="Kalooki")
    app = Pictured(scene.position, scene.people, notes=scene.name == "note")
    async with app.run_test(size=scene.size) as pilot:
        await scene.act(pilot, app)
        # The screen between people looks otherwise until it hears its keys.
        await until(pilot, lambda: getattr(app.screen, "hears", True) and is_planned(app))
        await pilot.pause(0.1)
        return app.export_screenshot(title="Kalooki")


def as_png(svg: str, file: Path) -> bool:
    """Draw the picture as PNG; False where nothing is there to draw it with."""
    try:
        import resvg_py
    except ImportError:
        return False
    drawn = resvg_py.svg_to_bytes(svg_string=svg, monospace_family="DejaVu Sans Mono", font_family="DejaVu Sans Mono")
    file.write_bytes(bytes(drawn))
    return True


def main() -> None:
    """Make the pictures named on the command line, or all of them."""
    wanted = set(sys.argv[1:]) or {scene.name for scene in (*SCENES, *BY_CORE)}
    question.QUIET_SECONDS = 0.0
    FOLDER.mkdir(exist_ok=True)
    drawn = True
    for scene in (*SCENES, *BY_CORE):
        if scene.name in wanted:
            # A home of its own: what one scene leaves on disk is not to be seen in the next.
            with tempfile.TemporaryDirectory() as home:
                os.environ["KALOOKI_HOME"] = home
                svg = asyncio.run(make(scene))
            (FOLDER / f"{scene.name}.svg").write_text(svg, encoding="utf-8")
            drawn = as_png(svg, FOLDER / f"{scene.name}.png") and drawn
            print(f"screenshots/{scene.name}.svg")
    if not drawn:
        print("resvg-py is not installed: the pictures were made as SVG only", file=sys.stderr)


if __name__ == "__main__":
    main()
