"""Make pictures of every screen at three sizes and with few colours, on one page side by side: build/screens/.

For the eye of whoever changes a screen; nothing compares them. What is too faint to be read is listed. Words on the
command line choose screens by their names, sizes (`80x24`) and kinds of terminal (`true`, `256`, `16`, `none`).
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

from textual.pilot import Pilot
from textual.widgets import OptionList

from kalooki_tui.coach.course.progress import today
from kalooki_tui.desk.setup.keeping import last_lay_down, past_totals
from kalooki_tui.desk.setup.plan import MatchPlan
from kalooki_tui.desk.study import duplicates
from kalooki_tui.desk.study.stepping import past_deals
from kalooki_tui.desk.words.settlement import settlement
from kalooki_tui.players import make_player
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.store.facts import MatchFacts
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.scanning import facts_of
from kalooki_tui.table.headless import play_match
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.ui import ways
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.looks.palettes import BUILT_IN, DARK, Depth
from kalooki_tui.ui.screens import question
from kalooki_tui.ui.screens.match_over import MatchOverScreen
from kalooki_tui.ui.screens.replay import ReplayScreen
from kalooki_tui.ui.screens.rules import RulesScreen
from kalooki_tui.ui.screens.scores import DealOverScreen
from scripts.contrast import LISTS, Fault, screen_faults, wear
from scripts.make_screenshots import BY_CORE, SCENES, Pictured, Scene, as_png, asked, at, is_planned, until

FOLDER: Final = Path(__file__).resolve().parents[1] / "build" / "screens"
SIZES: Final = ((80, 24), (120, 36), (200, 50))
NONE: Final = "none"
"""A terminal without colours."""
KINDS: Final = (*Depth, NONE)
PEOPLE: Final = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal")
Act = Callable[[Pilot[None], KalookiApp], Awaitable[None]]


def played(app: KalookiApp, ruleset: str, seats: int, seed: int, people: int = 1) -> LiveMatch:
    """A match that AI players have played in the places of people."""
    plans = parse_seats([name if seat < people else f"{name}=ai:club" for seat, name in enumerate(PEOPLE[:seats])])
    live = app.store.begin(MatchPlan(ruleset=ruleset, seats=plans, seed=seed).open())
    play_match(live.table, None, {seat: make_player("club", str(seat)) for seat in range(seats)})
    return live


def match_over(ruleset: str, seats: int, seed: int = 3) -> Act:
    """The end of a match."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await at("home-screen")(pilot, app)
        live = played(app, ruleset, seats, seed)
        view = live.table.view(0)
        facts: MatchFacts = facts_of("picture", live.lines)
        winner = live.table.match.winners[0]
        laid, money = (winner, last_lay_down(live, winner)), settlement(view, (winner,), live.lines)
        app.push_screen(MatchOverScreen(view, (winner,), tuple(past_totals(live)), seed, facts, money, laid, str))
        await at("match-over")(pilot, app)

    return act


def deal_over(deals: int, seats: int = 4) -> Act:
    """The end of a deal, after so many."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await at("home-screen")(pilot, app)
        live = played(app, "jamaican", seats, 3)
        past = past_deals(Replay(open_lines("picture", list(live.lines))))
        view = past[deals - 1].state(-1).view(0)
        app.push_screen(DealOverScreen(view, tuple(past_totals(live))[:deals]))
        await at("deal-over")(pilot, app)

    return act


def replay(ruleset: str, seats: int) -> Act:
    """A match stepped through, all hands open."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await at("home-screen")(pilot, app)
        played(app, ruleset, seats, 3).close()
        app.go(ways.Replay(app.store.finished()[0]))
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and app.screen.is_mounted)
        await pilot.press(*["down"] * 12, "a")

    return act


async def matches(pilot: Pilot[None], app: KalookiApp) -> None:
    """A list of a dozen matches."""
    await at("home-screen")(pilot, app)
    for seed, (ruleset, seats) in enumerate([("baby", 3), ("kalooki-short", 4), ("baby", 5)] * 3):
        played(app, ruleset, seats, seed).close()
    app.store.begin(MatchPlan(seats=parse_seats(["Ann", "Bob", "ai:club", "ai:club"])).open()).close()
    await pilot.press("m")
    await until(pilot, lambda: app.screen.name == "matches" and app.screen.query_one(OptionList).option_count > 8)


async def statistics(pilot: Pilot[None], app: KalookiApp) -> None:
    """What has come of them."""
    await at("home-screen")(pilot, app)
    for seed, (ruleset, seats) in enumerate([("baby", 3), ("kalooki-short", 3), ("kalookie-40", 3), ("baby", 4)] * 2):
        played(app, ruleset, seats, seed, people=2).close()
    app.go(ways.Statistics())
    await until(pilot, lambda: app.screen.name == "statistics")
    await pilot.pause(3)


async def daily(pilot: Pilot[None], app: KalookiApp) -> None:
    """A day's deal that has been played, and others before it."""
    await at("home-screen")(pilot, app)
    for back in (0, 1, 2, 5):
        live = duplicates.begin_daily(app.store, today() - timedelta(days=back), "You")
        play_match(live.table, None, {seat: make_player("club", str(seat)) for seat in range(4)})
        live.close()
    app.go(ways.Daily(today()))
    await at("daily")(pilot, app)
    await until(pilot, lambda: bool(getattr(app.screen, "cost", "")))


async def duplicate(pilot: Pilot[None], app: KalookiApp) -> None:
    """What several made of the same cards."""
    await at("home-screen")(pilot, app)
    plan = MatchPlan(ruleset="baby", seats=parse_seats(["Ann", "Bob", "ai:club", "ai:club"]), seed=5)
    people = ("Ann", "Bob")
    setup = duplicates.first_setup(plan, people)
    for level in ("club", "novice"):
        live = duplicates.begin(app.store, setup, ("same", *people))
        play_match(live.table, None, {seat: make_player(level, str(seat)) for seat in range(len(live.table.plans))})
        live.close()
        setup = duplicates.setup_for(app.store, app.store.finished()[0], "Bob")
    app.go(ways.DuplicateMatch("same"))
    await at("duplicate")(pilot, app)


def rules(ruleset: str) -> Act:
    """The rules of a game."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await at("home-screen")(pilot, app)
        app.push_screen(RulesScreen(load_ruleset(ruleset)))
        await at("rules")(pilot, app)

    return act


KOOKY: Final = """
ruleset: kooky
deal: 8
dealer: Cat
turn: Ann
phase: play
seats:
  - {name: Ann, hand: AR 13R 12Y 11G 10B 9B 8B 7R 7G 2Y JK, score: 40}
  - {name: Bob, hand: 2R 3R 4B 4G 6Y 6R 9Y 10Y 11B 12B, score: 112}
  - {name: Cat, hand: 4Y 8R 10R 2G, laid: true, score: 86}
  - {name: Dee, hand: AG 3B 5Y 7Y 8G, score: 23}
table:
  - {owner: Cat, cards: 5R 5B 5G}
  - {owner: Cat, cards: 9Y 10Y 11Y JK 13Y}
discard: 12G 3Y
seed: 7
"""


ANY: Final = (0, 0)
SCREENS: Final = (
    Scene("match-over-4", ANY, None, (), match_over("jamaican", 4)),
    Scene("match-over-8", ANY, None, (), match_over("jamaican", 8)),
    Scene("match-over-money", ANY, None, (), match_over("kalookie-40", 5)),
    Scene("deal-over-1", ANY, None, (), deal_over(1)),
    Scene("deal-over-5", ANY, None, (), deal_over(5)),
    Scene("deal-over-8-seats", ANY, None, (), deal_over(5, 8)),
    Scene("replay-all", ANY, None, (), replay("jamaican", 4)),
    Scene("replay-all-8", ANY, None, (), replay("jamaican", 8)),
    Scene("matches", ANY, None, (), matches),
    Scene("statistics", ANY, None, (), statistics),
    Scene("daily", ANY, None, (), daily),
    Scene("duplicate", ANY, None, (), duplicate),
    Scene("kooky", ANY, KOOKY, ("Ann",), asked),
    Scene("rules", ANY, None, (), rules("jamaican")),
    *(scene for scene in LISTS if scene.name != "matches"),
    *(scene for scene in SCENES if not scene.name.startswith("table-")),
    next(scene for scene in SCENES if scene.name == "table-80x24"),
    *BY_CORE,
)


async def picture(scene: Scene, size: tuple[int, int], kind: str) -> tuple[str, list[Fault]]:
    """A screen as SVG, and what on it is too faint to be read: marked rows and fields with the focus too."""
    app = Pictured(scene.position, scene.people)
    async with app.run_test(size=size) as pilot:
        await scene.act(pilot, app)
        await until(pilot, lambda: getattr(app.screen, "hears", True) and is_planned(app))
        depth = Depth.TRUE if kind == NONE else Depth(kind)
        if depth is not Depth.TRUE:
            await wear(pilot, app, DARK, depth)
        await pilot.pause(0.1)
        where = f"{scene.name} {size[0]}x{size[1]} {kind}"
        svg = app.export_screenshot(title=where)
        # What lies dimmed under a question is not what is to be read.
        app.screen.styles.background = "transparent" if app.screen.is_modal else None
        await pilot.pause()
        faults = [] if kind == NONE else screen_faults(app, BUILT_IN[DARK].palettes[depth], depth, where)
        return svg, faults


def page(made: list[tuple[str, list[str]]]) -> str:
    """The page that shows them: a row a screen and kind of terminal, its sizes side by side."""
    rows = "\n".join(
        f"<h2>{name}</h2><div>" + "".join(f'<img src="{file}" title="{file}">' for file in files) + "</div>"
        for name, files in made
    )
    look = "body{background:#222;color:#eee;font:14px sans-serif}div{display:flex;gap:8px;align-items:start}"
    return f"<!doctype html><title>Screens</title><style>{look}img{{max-width:33%}}</style>\n{rows}\n"


def main() -> None:
    """Make the pictures asked for, or all of them."""
    words = set(sys.argv[1:])
    question.QUIET_SECONDS = 0.0
    FOLDER.mkdir(parents=True, exist_ok=True)
    scenes = [scene for scene in SCREENS if scene.name in words] or SCREENS
    sizes = [size for size in SIZES if f"{size[0]}x{size[1]}" in words] or SIZES
    kinds = [kind for kind in KINDS if kind in words] or KINDS
    made: list[tuple[str, list[str]]] = []
    faults: list[Fault] = []
    for scene in scenes:
        for kind in kinds:
            files = []
            for size in sizes:
                with tempfile.TemporaryDirectory() as home:
                    os.environ["KALOOKI_HOME"] = home
                    os.environ.pop("NO_COLOR", None)
                    if kind == NONE:
                        os.environ["NO_COLOR"] = "1"
                    svg, found = asyncio.run(picture(scene, size, kind))
                faults += found
                file = FOLDER / f"{scene.name}-{size[0]}x{size[1]}-{kind}.png"
                as_png(svg, file)
                files.append(file.name)
                print(file)
            made.append((f"{scene.name}, {kind}", files))
    (FOLDER / "index.html").write_text(page(made), encoding="utf-8")
    for fault in faults:
        print(fault)
    print(f"{len(faults)} too faint; the page is {FOLDER / 'index.html'}")


if __name__ == "__main__":
    main()
