"""The scenes of `make screens`: every screen that there are no pictures of in screenshots/, and how to come there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from textual.pilot import Pilot
from textual.widgets import OptionList

from kalooki_tui.coach.course.progress import today
from kalooki_tui.coach.exercises.making import KINDS
from kalooki_tui.desk.commands import BY_NAME
from kalooki_tui.desk.setup.plan import MatchPlan, last_lay_down, past_totals
from kalooki_tui.desk.study.same_cards import SameCards, begin_duplicate, same_cards
from kalooki_tui.desk.study.stepping import past_deals
from kalooki_tui.desk.words import settlement
from kalooki_tui.players import make_player
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.store.facts import MatchFacts
from kalooki_tui.store.live import LiveMatch
from kalooki_tui.store.player.puzzles import kept_folder
from kalooki_tui.store.scanning import facts_of
from kalooki_tui.store.summary import daily_key
from kalooki_tui.table.headless import play_match
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.ui import routes
from kalooki_tui.ui.app import KalookiApp
from kalooki_tui.ui.screens.replay import ReplayScreen
from kalooki_tui.ui.screens.review import ReviewPage
from kalooki_tui.ui.screens.rules import RulesScreen
from kalooki_tui.ui.screens.scores import DealOverScreen, MatchOverScreen, ScoresDialog
from kalooki_tui.ui.screens.session import SessionScreen
from kalooki_tui.ui.widgets.setup_form import Fold
from scripts.contrast import LISTS
from scripts.hosted_scenes import FURTHER
from scripts.make_screenshots import (
    BY_CORE,
    LAID,
    SCENES,
    Scene,
    asked,
    at,
    chapters,
    choosing,
    lesson,
    middle,
    reviewing,
    set_up_a_match,
    until,
)

PEOPLE: Final = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal")
NAMES: Final = ("Ann", "Augusta", "Cat", "Dee", "Eleanor", "Fay", "Gus", "Hal", "Ines", "Joe", "Kim")
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
        app.go(routes.replay(app.store.lists().finished[0]))
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


def statistics(matches: int, *keys: str) -> Act:
    """What has come of so many matches, and what keys lead to from there."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await at("home-screen")(pilot, app)
        games = [("baby", 3), ("kalooki-short", 3), ("kalookie-40", 3), ("baby", 4)] * 2
        for seed, (ruleset, seats) in enumerate(games[:matches]):
            played(app, ruleset, seats, seed, people=2).close()
        app.go(routes.statistics())
        await until(pilot, lambda: app.screen.name == "statistics")
        await pilot.pause(3)
        await pilot.press(*keys)

    return act


async def daily(pilot: Pilot[None], app: KalookiApp) -> None:
    """A day's deal that has been played, and others before it."""
    await at("home-screen")(pilot, app)
    for back in (0, 1, 2, 5):
        live = SameCards((daily_key(today() - timedelta(days=back)),)).sit(app.store, "You")
        play_match(live.table, None, {seat: make_player("club", str(seat)) for seat in range(4)})
        live.close()
    app.go(routes.same_cards())
    await at("same-cards")(pilot, app)
    await until(pilot, lambda: bool(getattr(app.screen, "cost", "")))


async def duplicate(pilot: Pilot[None], app: KalookiApp) -> None:
    """What several made of the same cards."""
    await at("home-screen")(pilot, app)
    plan = MatchPlan(ruleset="baby", seats=parse_seats(["Ann", "Bob", "ai:club", "ai:club"]), seed=5)
    live = begin_duplicate(app.store, plan)
    for level in ("club", "novice"):
        play_match(live.table, None, {seat: make_player(level, str(seat)) for seat in range(len(live.table.plans))})
        live.close()
        found = same_cards(app.store.summaries(), live.duplicate[0])
        if found.next:
            live = found.sit(app.store, found.next)
    app.go(routes.same_cards(live.duplicate[0]))
    await at("same-cards")(pilot, app)


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


async def unfolded(pilot: Pilot[None], app: KalookiApp) -> None:
    """The set-up with everything that it folds."""
    await set_up_a_match(pilot, app)
    for fold in app.screen.query(Fold):
        fold.collapsed = False
    await pilot.pause()


def opening_chapter(chapter: str) -> Act:
    """The words of a chapter."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await at("home-screen")(pilot, app)
        app.go(routes.course(chapter=chapter))
        await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.is_mounted)

    return act


async def learnt(pilot: Pilot[None], app: KalookiApp) -> None:
    """What a lesson came to."""
    screen = await lesson(pilot, app, "call", 2)
    screen.show_result()
    await pilot.pause()


async def skills(pilot: Pilot[None], app: KalookiApp) -> None:
    """The skills of a course, some of them practised."""
    await chapters(pilot, app)
    app.go(routes.skills(app.learning()))
    await at("skills")(pilot, app)


async def kinds(pilot: Pilot[None], app: KalookiApp) -> None:
    """The menu of puzzles of somebody who has solved some."""
    await at("home-screen")(pilot, app)
    solved = app.puzzle_file.solved
    for number, kind in enumerate(sorted(KINDS)[:5] * 4):
        solved = solved.noted(kind, 1500.0, right=number % 3 > 0)
    app.puzzle_file.save(solved)
    app.go(routes.puzzles())
    await at("puzzles")(pilot, app)


async def kept(pilot: Pilot[None], app: KalookiApp) -> None:
    """Decisions that were kept."""
    await at("home-screen")(pilot, app)
    kept_folder().mkdir(parents=True, exist_ok=True)
    for number, turn in enumerate(("Ann", "Bob", "Dee")):
        text = f"title: 'A match, deal 3, turn {4 + number}'\n{middle(turn, 'play')}"
        (kept_folder() / f"kept-{number}.yaml").write_text(text, encoding="utf-8")
    app.go(routes.puzzles())
    await at("puzzles")(pilot, app)
    await pilot.press("p")
    await until(pilot, lambda: app.screen.name != "puzzles")


def reviewed(*keys: str) -> Act:
    """What keys lead to from a review."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await reviewing(pilot, app)
        await pilot.press(*keys)
        await until(pilot, lambda: not isinstance(app.screen, ReviewPage))

    return act


async def looking(pilot: Pilot[None], app: KalookiApp) -> None:
    """A review whose decisions are still being played out."""
    await at("home-screen")(pilot, app)
    live = played(app, "jamaican", 4, 3)
    app.go(routes.review(list(live.lines), name="A match"))
    await until(pilot, lambda: isinstance(app.screen, ReviewPage) and len(app.screen._races) > 2)


def at_table(*keys: str, screen: str) -> Act:
    """What keys lead to from the table."""

    async def act(pilot: Pilot[None], app: KalookiApp) -> None:
        await asked(pilot, app)
        await pilot.press(*keys)
        await at(screen)(pilot, app)

    return act


async def scores(pilot: Pilot[None], app: KalookiApp) -> None:
    """The scores in the middle of a match."""
    await at("home-screen")(pilot, app)
    live = played(app, "jamaican", 4, 3)
    totals = tuple(past_totals(live))[:4]
    app.overlays.show(ScoresDialog(totals, replace(live.table.view(0), totals=totals[-1])))
    await at("scores")(pilot, app)


def wearing(theme: str, act: Act) -> Act:
    """The same in another theme."""

    async def worn(pilot: Pilot[None], app: KalookiApp) -> None:
        await act(pilot, app)
        app.theme = theme
        await pilot.pause()

    return worn


def crowd(seats: int) -> str:
    """The middle of a deal at a full table."""
    hands = [
        "AS 5H 5D 7C 8C 9C JD QD KD JK 2S", "2C 3C 4D 4H 6S 6D 9H", "4S 8D 10D 2H", "AD 3D 5S 7S 8H 10C",
        "JC QC QH KS KC 9S", "4C 4C 6H 6C 9D", "7D 7D 8S 8S JH KH", "2D 2D 3S QS QS",
        "AC AC 10H 10H 5D", "3C 3H 6S 9C 9C KS", "10C JS JC 2C 8D",
    ]  # fmt: skip
    lines = [
        f"  - {{name: {name}, hand: {hand}, score: {17 * number}, laid: {'true' if number == 2 else 'false'}}}"
        for number, (name, hand) in enumerate(zip(NAMES[:seats], hands, strict=False))
    ]
    seated = "\n".join(lines)
    return f"""
ruleset: {"jamaican" if seats < 9 else "trinidad"}
deal: 3
dealer: Cat
turn: Augusta
phase: draw
seats:
{seated}
{LAID}"""


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
    Scene("statistics", ANY, None, (), statistics(8)),
    Scene("statistics-few", ANY, None, (), statistics(1)),
    Scene("statistics-person", ANY, None, (), statistics(8, "right")),
    Scene("statistics-none", ANY, None, (), statistics(0)),
    Scene("daily", ANY, None, (), daily),
    Scene("duplicate", ANY, None, (), duplicate),
    Scene("kooky", ANY, KOOKY, ("Ann",), asked),
    Scene("rules", ANY, None, (), rules("jamaican")),
    Scene("rules-kooky", ANY, None, (), rules("kooky")),
    Scene("setup-open", ANY, None, (), unfolded),
    Scene("chapter", ANY, None, (), opening_chapter("sets")),
    Scene("lesson-over", ANY, None, (), learnt),
    Scene("skills", ANY, None, (), skills),
    Scene("puzzles-solved", ANY, None, (), kinds),
    Scene("kept", ANY, None, (), kept),
    Scene("keys", ANY, middle("Ann", "play"), ("Ann",), at_table("question_mark", screen="help")),
    Scene("words", ANY, middle("Ann", "play"), ("Ann",), at_table(BY_NAME["words"].keys.split(",")[0], screen="words")),
    Scene("leave", ANY, middle("Ann", "play"), ("Ann",), at_table("q", screen="question")),
    Scene("scores", ANY, None, (), scores),
    Scene("midnight", ANY, middle("Bob", "draw"), ("Ann",), wearing("kalooki-midnight", choosing)),
    *(Scene(f"table-{seats}-seats", ANY, crowd(seats), ("Ann",), choosing) for seats in (6, 8, 11)),
    *(scene for scene in LISTS if scene.name != "matches"),
    *(scene for scene in SCENES if not scene.name.startswith("table-")),
    next(scene for scene in SCENES if scene.name == "table-80x24"),
    *(Scene(name, ANY, None, (), None) for name in FURTHER),
    *BY_CORE,
    Scene("review-looking", ANY, None, (), looking),
    Scene("review-try", ANY, None, (), reviewed("t", "t")),
    Scene("review-hands", ANY, None, (), reviewed("o")),
    Scene("review-moment", ANY, None, (), reviewed("enter")),
)
