"""The scenes that pictures, contrast and names are tried on: every screen of the app, and how to come there."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, cast

from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from kalooki_tui.coach.course.chapter import Step
from kalooki_tui.coach.course.lesson import Lesson, Task
from kalooki_tui.coach.course.progress import ChapterState, Progress, today
from kalooki_tui.engine.view import Phase
from kalooki_tui.hosting.apps import GuestApp, HostApp
from kalooki_tui.hosting.doors import Address, GuestTransports, HostedTable, OpenHand
from kalooki_tui.hosting.guest import Guest, Guests, OpenApp
from kalooki_tui.hosting.lobby import Lobby, read_chairs
from kalooki_tui.hosting.screens import BoardScreen, LobbyScreen
from kalooki_tui.match.headless import play_match
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players import make_player
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.presenter.commands import BY_NAME
from kalooki_tui.presenter.prompts import NOTES
from kalooki_tui.presenter.sentences import settlement
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.plan import AskCalls, MatchPlan, Speed, last_lay_down, past_totals
from kalooki_tui.storage.exchange import import_record
from kalooki_tui.storage.journal import MatchJournal, unwritten
from kalooki_tui.storage.kept import Doorway
from kalooki_tui.storage.match_facts import MatchFacts
from kalooki_tui.storage.player.progress_file import kept_folder
from kalooki_tui.storage.scan import facts_of
from kalooki_tui.storage.summary import daily_key
from kalooki_tui.training.same_cards import SameCards, begin_duplicate, same_cards
from kalooki_tui.training.steps import past_deals
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.game_app import GameApp
from kalooki_tui.tui.screens.practice import SessionScreen
from kalooki_tui.tui.screens.replay import ReplayScreen
from kalooki_tui.tui.screens.review import ReviewPage
from kalooki_tui.tui.screens.rule_pages import RulesScreen
from kalooki_tui.tui.screens.scores import DealOverScreen, MatchOverScreen, ScoresDialog
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside.coach import Coaching
from kalooki_tui.tui.tableside.questions import DealIntro
from kalooki_tui.tui.widgets.fields import Fold
from tests.drivers.keyboard import Thinks

TESTS: Final = Path(__file__).resolve().parents[1] / "tests"
NARROW: Final = (80, 24)
WIDE: Final = (120, 36)
#: Seconds after which a scene is given up.
LONGEST_WAIT: Final = 300.0
Act = Callable[[Pilot[None], KalookiApp], Awaitable[None]]
Given = ParamSpec("Given")
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


#: A contract by length, twos wild: Bob's joker and two stand in a run of seven.
SHANGHAI: Final = """
ruleset: {extends: shanghai, options: [twos-wild]}
deal: 5
dealer: Dee
turn: Ann
phase: play
seats:
  - {name: Ann, hand: 3S 3D 2C 5H 6H 7H 8H 9H JH 2S KC QS, score: 40, calls: 1}
  - {name: Bob, hand: 6C 9D, laid: true, score: 112}
  - {name: Cat, hand: 4S 8D 10D 2H AD 3H 5S 7S 8S 10C KD, score: 86, calls: 2}
  - {name: Dee, hand: KH AH AC 2D 6S 3C QC QH 10H 4H 5D, score: 23}
table:
  - {owner: Bob, cards: JD JS JH}
  - {owner: Bob, cards: 5C JK 7C 8C 2D 10C JC}
discard: 7D KS
seed: 7
"""


@dataclass(frozen=True)
class Scene:
    """One picture: where it begins, what is done, what it is called."""

    name: str
    size: tuple[int, int]
    position: str | None
    people: tuple[str, ...]
    act: Act | None
    """From the first screen, if there is no position. None: a table at several screens, of apps of its own."""

    async def come(self, pilot: Pilot[None], app: KalookiApp) -> None:
        assert self.act is not None
        if self.position is None:
            await at("home-screen")(pilot, app)
        await self.act(pilot, app)


class Pictured(KalookiApp):
    def __init__(self, position: str | None, people: tuple[str, ...], *, notes: bool = False) -> None:
        super().__init__(thinker=Thinks())
        if not notes:
            self.settings_file.settings = replace(self.settings, notes_seen=list(NOTES))
        self.position_table: Table | None = None
        if position is None:
            return
        found = read_position(position)
        match, rules = set_up(found), found.rules
        plans = tuple(SeatPlan(name, "human" if name in people else "ai:club") for name in match.names)
        setup = TableSetup(rules.ruleset, plans, found.seed, rules.referee, rules.settings)
        self.position_table = Table(setup, match, plans)
        # Where nobody plays, the first move is to come late enough to be stopped.
        speed = Speed.INSTANT if people else Speed.NATURAL
        self.position_plan = MatchPlan(seats=plans, speed=speed, ask_calls=AskCalls.ALWAYS)

    def on_ready(self) -> None:
        if self.position_table is not None:
            self.go(routes.at_table(self.position_plan, unwritten(self.position_table)))


@contextmanager
def own_home() -> Iterator[None]:
    """A home of its own: what one scene leaves on disk is not to be seen in the next."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["KALOOKI_HOME"] = home
        yield


async def until(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < end:
        if condition():
            await pilot.pause()
            return
        await pilot.pause(0.02)
    raise SystemExit("a scene did not come about")


def table(app: KalookiApp) -> TableScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, TableScreen))


def is_planned(app: KalookiApp) -> bool:
    """Whether the contract's slots show what the open hand holds: that is found out after all else is drawn."""
    return all(screen.state.has_plan for screen in app.screen_stack if isinstance(screen, TableScreen))


def given(does: Callable[Concatenate[Pilot[None], KalookiApp, Given], Awaitable[None]]) -> Callable[Given, Act]:
    """What a scene does, to be told its own arguments beforehand."""
    return lambda *arguments, **named: lambda pilot, app: does(pilot, app, *arguments, **named)


@given
async def at(pilot: Pilot[None], app: KalookiApp, screen_id: str) -> None:
    await until(pilot, lambda: app.screen.name == screen_id)


async def choosing(pilot: Pilot[None], app: KalookiApp) -> None:
    """The others have played, a person has drawn and chosen three diamonds."""
    keys = {Phase.CALL_WINDOW: "p", Phase.DRAW: "d"}
    while True:
        await until(
            pilot, lambda: app.screen.name == "decision" or (app.screen.name == "table" and table(app).state.is_asked)
        )
        screen = table(app)
        if app.screen.name == "table" and screen.state.view.phase is Phase.PLAY:
            break
        await pilot.press("a" if app.screen.name == "decision" else keys[screen.state.view.phase])
        await pilot.pause()
    screen.hand.select_cards(parse_cards("JD QD KD", screen.state.view.rules.faces))
    screen.hand.move_cursor(4)
    await pilot.pause()


async def asked(pilot: Pilot[None], app: KalookiApp) -> None:
    await until(pilot, lambda: app.screen.name == "table" and table(app).state.is_asked)


async def staging(pilot: Pilot[None], app: KalookiApp) -> None:
    await asked(pilot, app)
    await pilot.press("L")
    await pilot.pause()


@given
async def hinted(pilot: Pilot[None], app: KalookiApp, steps: int) -> None:
    """So many steps of a hint have been asked for."""
    await asked(pilot, app)
    for _ in range(steps):
        before = table(app).status.prompt
        await pilot.press("h")
        await until(pilot, lambda before=before: table(app).status.prompt != before)  # type: ignore[misc]


async def banner(pilot: Pilot[None], app: KalookiApp) -> None:
    await asked(pilot, app)
    app.push_screen(DealIntro(table(app).state.view, seconds=1000))
    await until(pilot, lambda: app.screen.name == "deal-intro")


async def going_out(pilot: Pilot[None], app: KalookiApp) -> None:
    """The last card is thrown, and the deal is over."""
    await staging(pilot, app)
    await pilot.press("enter")
    await until(pilot, lambda: table(app).state.has_laid)
    await pilot.press("x", "x")
    await until(pilot, lambda: app.screen.name == "deal-over")


async def set_up_a_match(pilot: Pilot[None], app: KalookiApp) -> None:
    await pilot.press("n")
    await until(pilot, lambda: app.screen.name == "setup" and bool(app.screen.query("#fold-rules")))


async def settings(pilot: Pilot[None], app: KalookiApp) -> None:
    await pilot.press("o")
    await at("settings")(pilot, app)
    # Where the file lies is another place each time.
    app.screen.query_one(".keys", Static).update("Saved in settings.toml")
    await pilot.pause()


async def watching(pilot: Pilot[None], app: KalookiApp) -> None:
    """AI seats play, and all hands lie open."""
    await until(pilot, lambda: app.screen.name == "table" and table(app).is_live)
    table(app).session.set_paused(True)
    await pilot.press("a")
    await pilot.pause()


async def replaying(pilot: Pilot[None], app: KalookiApp) -> None:
    """A match that has been played, in the middle of its second deal."""
    played(app, "baby", 4, 3).close()
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
    learnt = {"sets": 3, "runs": 3, "kiss": 2, "turn": 2, "mixed": 1}
    standings = {
        f"jamaican/{chapter}": ChapterState(stars, mastered=chapter == "sets") for chapter, stars in learnt.items()
    }
    app.learning().file.save(Progress(standings))
    app.go(routes.course())
    await until(pilot, lambda: app.screen.name == "learn")


async def lesson(pilot: Pilot[None], app: KalookiApp, kind: str, deal: int) -> SessionScreen:
    learning = app.learning()
    task = Task("mixed", Step(kind, deal))
    app.go(routes.one_lesson(learning, Lesson(learning.rules, (task,) * 4, "PICTURE")))
    await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")
    assert isinstance(app.screen, SessionScreen)
    return app.screen


async def wrong(pilot: Pilot[None], app: KalookiApp) -> None:
    """A wrong answer: the rule, and the smallest change that mends it."""
    screen = await lesson(pilot, app, "spot", 4)
    right = min(screen.state.exercise.solutions(), key=lambda answer: len(answer.cards))
    screen.hand.select_cards(right.cards[:-1])
    await pilot.press("l")
    await pilot.pause()


async def right(pilot: Pilot[None], app: KalookiApp) -> None:
    """A right answer to an exercise at a whole table."""
    screen = await lesson(pilot, app, "call", 2)
    await pilot.press(screen.state.options[screen.state.exercise.solutions()[0].option or 0][0])
    await until(pilot, lambda: screen.session.attempt.right)
    screen.put_away()  # so that no other exercise opens meanwhile


async def coached(pilot: Pilot[None], app: KalookiApp) -> None:
    """A coached deal whose hands lie open."""
    app.set(ai_speed="instant")
    learning = app.learning("baby")
    app.go(routes.coached_deal(learning, learning.course.chapters[0]))
    await until(pilot, lambda: isinstance(app.screen, TableScreen))
    assert isinstance(app.screen, TableScreen)
    coach = app.screen.beside
    assert isinstance(coach, Coaching)
    await until(pilot, lambda: bool(coach.said))


async def puzzle(pilot: Pilot[None], app: KalookiApp) -> None:
    app.go(routes.puzzle_series(code="K3-chain-AE"))
    await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.stage == "exercise")


async def reviewing(pilot: Pilot[None], app: KalookiApp) -> None:
    """The review of a deal, every decision played out."""
    app.go(
        routes.review((TESTS / "playthroughs" / "baby-3.jsonl").read_text(encoding="utf-8").splitlines(), name="Baby")
    )

    # The page shows the first deal; all are played out in turn.
    def is_played_out() -> bool:
        found = app.screen.found if isinstance(app.screen, ReviewPage) else []
        return len(found) > 0 and not any(one.open for one in found)

    await until(pilot, is_played_out)


def middle(turn: str, phase: str, more: str = "") -> str:
    return MIDDLE.format(turn=turn, phase=phase, more=more, laid=LAID)


READY = middle("Ann", "play").replace("AS 5H 5D 7C 8C 9C JD QD KD JK 2S", "4C 4D 4S 7C 8C 9C 10C JD QD KD 10D 2S")


# A table at several screens: nothing listens.
SEATS = ("Ann", "Bob@", "@", "ai:club")
Shown = tuple[Pilot[None], GameApp]


class DrawnDoors:
    """Doors that are only drawn."""

    doorway = Doorway()
    addresses = (Address("ssh", "ssh -p 2222 192.168.1.20"), Address("browser", "http://192.168.1.20:8000/"))

    async def close(self, sentence: str) -> None:
        """Nothing is open."""


class DrawnHouse(HostedTable):
    """Opens nothing."""

    async def open(self, open_app: OpenApp, open_hand: OpenHand) -> None:
        self.doors = cast("GuestTransports", DrawnDoors())


def hosted(seats: Sequence[str] = SEATS) -> HostApp:
    plan = MatchPlan(seed=11, speed=Speed.INSTANT)
    app = HostApp(DrawnHouse(Lobby(plan, read_chairs(seats)), Doorway((), None, None), Guests("7QK4")))
    app.thinker = Thinks()
    return app


@asynccontextmanager
async def lobby(size: tuple[int, int]) -> AsyncIterator[Shown]:
    """The lobby, one of two guests there."""
    app = hosted()
    async with app.run_test(size=size) as pilot:
        bob = Guest("Bob", "key")
        app.lobby.sit_down(app.lobby.chairs[1], bob, bob.name)
        await until(pilot, lambda: isinstance(app.screen, LobbyScreen) and "has come" in str(app.screen.words.render()))
        await pilot.pause(0.1)
        yield pilot, app


@asynccontextmanager
async def coming(size: tuple[int, int]) -> AsyncIterator[Shown]:
    """A guest who has not sat down."""
    host = hosted()
    async with _visiting(host, size) as (pilot, guest):
        yield pilot, guest


@asynccontextmanager
async def guest(size: tuple[int, int]) -> AsyncIterator[Shown]:
    """A guest's own screen, while a card can be called."""
    host = hosted()
    async with _visiting(host, size) as (pilot, guest):
        guest.visitor.sit(2)
        host.lobby.turn(host.lobby.chairs[2])
        host.begin_match()
        await until(pilot, lambda: guest.screen.name == "call")
        await pilot.pause(0.3)
        yield pilot, guest


@asynccontextmanager
async def board(size: tuple[int, int]) -> AsyncIterator[Shown]:
    """The table in the middle, without a hand."""
    app = hosted(("Ann@", "Bob@", "ai:club"))
    async with app.run_test(size=size) as pilot:
        for chair in app.lobby.chairs[:2]:
            app.lobby.sit_down(chair, Guest(chair.kept_for, chair.kept_for), chair.kept_for)
        app.begin_match()
        await until(pilot, lambda: isinstance(app.screen, BoardScreen) and app.screen.is_mounted)
        await pilot.pause(0.5)
        yield pilot, app


@asynccontextmanager
async def _visiting(host: HostApp, size: tuple[int, int]) -> AsyncIterator[tuple[Pilot[None], GuestApp]]:
    bob = Guest("Bob", "cookie")
    guest = GuestApp(bob, host.lobby, host.thinker, host._looks.of(bob), "Ann's table", host.begin_match)
    async with host.run_test(size=size), guest.run_test(size=size) as pilot:
        await until(pilot, lambda: guest.screen.name == "come")
        await pilot.pause(0.1)
        yield pilot, guest


#: By the names of their scenes.
HOSTED: Final = {"lobby": lobby, "own-screen": guest, "come": coming, "board": board}


# The scenes that there are pictures of in screenshots/
SCENES: Final = (
    Scene("home", NARROW, None, (), at("home-screen")),
    Scene("setup", NARROW, None, (), set_up_a_match),
    Scene("banner", NARROW, middle("Ann", "draw"), ("Ann",), banner),
    Scene("table-80x24", NARROW, middle("Bob", "draw"), ("Ann",), choosing),
    Scene("table-120x36", WIDE, middle("Bob", "draw"), ("Ann",), choosing),
    Scene("table-160x45", (160, 45), middle("Bob", "draw"), ("Ann",), choosing),
    Scene("table-200x50", (200, 50), middle("Bob", "draw"), ("Ann",), choosing),
    Scene("contract-rummy", WIDE, SHANGHAI, ("Ann",), staging),
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
    *(Scene(name, NARROW, None, (), None) for name in ("lobby", "own-screen")),
)
#: The native core plays what they show, and there is not one everywhere: no test compares them.
BY_CORE: Final = (Scene("review", (100, 30), None, (), reviewing),)


# Lists and menus


@given
async def pressing(pilot: Pilot[None], app: KalookiApp, *keys: str, screen: str) -> None:
    """Press keys on the first screen, and wait for a screen."""
    await pilot.press(*keys)
    await at(screen)(pilot, app)


async def listing(pilot: Pilot[None], app: KalookiApp) -> None:
    """The list of matches: one that goes on, two that are over."""
    for name in ("baby-3", "jamaican-3"):
        import_record(app.store, TESTS / "playthroughs" / f"{name}.jsonl")
    app.store.begin(MatchPlan(seats=parse_seats(["Ann", "ai:club", "ai:club", "ai:club"])).open()).close()
    await pilot.press("m")
    await until(pilot, lambda: app.screen.name == "matches" and app.screen.query_one(OptionList).option_count > 2)


async def picking(pilot: Pilot[None], app: KalookiApp) -> None:
    """A list of the form for a new match, open."""
    await set_up_a_match(pilot, app)
    app.screen.query_one("#count").focus()
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.focused, OptionList))


async def finding(pilot: Pilot[None], app: GameApp) -> None:
    await pilot.press("f2", "t")
    await until(pilot, lambda: app.screen.name == "finder" and app.screen.query_one(OptionList).option_count > 1)


#: Lists and menus that there are no pictures of, a row of each marked.
LISTS: Final = (
    Scene("matches", NARROW, None, (), listing),
    Scene("list-in-set-up", NARROW, None, (), picking),
    Scene("palette", NARROW, None, (), finding),
    Scene("games", NARROW, None, (), pressing("r", screen="question")),
    Scene("puzzles", NARROW, None, (), pressing("z", screen="puzzles")),
)
#: Those that there are.
MENUS: Final = tuple(scene for scene in SCENES if scene.name in ("home", "settings", "learn"))


# Every other screen
PEOPLE: Final = ("Ann", "Bob", "Cat", "Dee", "Eve", "Fay", "Gus", "Hal")
NAMES: Final = ("Ann", "Augusta", "Cat", "Dee", "Eleanor", "Fay", "Gus", "Hal", "Ines", "Joe", "Kim")


def played(app: KalookiApp, ruleset: str, seats: int, seed: int, people: int = 1) -> MatchJournal:
    """A match that AI players have played in the places of people."""
    plans = parse_seats([name if seat < people else f"{name}=ai:club" for seat, name in enumerate(PEOPLE[:seats])])
    live = app.store.begin(MatchPlan(ruleset=ruleset, seats=plans, seed=seed).open())
    play_match(live.table, None, {seat: make_player("club", str(seat)) for seat in range(seats)})
    return live


@given
async def match_over(pilot: Pilot[None], app: KalookiApp, ruleset: str, seats: int, seed: int = 3) -> None:
    live = played(app, ruleset, seats, seed)
    view = live.table.view(0)
    facts: MatchFacts = facts_of("picture", live.lines)
    winner = live.table.match.winners[0]
    laid, money = (winner, last_lay_down(live, winner)), settlement(view, (winner,), live.lines)
    app.push_screen(MatchOverScreen(view, (winner,), tuple(past_totals(live)), seed, facts, money, laid, str))
    await at("match-over")(pilot, app)


@given
async def deal_over(pilot: Pilot[None], app: KalookiApp, deals: int, seats: int = 4) -> None:
    live = played(app, "jamaican", seats, 3)
    past = past_deals(Replay(open_lines("picture", list(live.lines))))
    view = past[deals - 1].state(-1).view(0)
    app.push_screen(DealOverScreen(view, tuple(past_totals(live))[:deals]))
    await at("deal-over")(pilot, app)


@given
async def replay(pilot: Pilot[None], app: KalookiApp, ruleset: str, seats: int) -> None:
    """A match stepped through, all hands open."""
    played(app, ruleset, seats, 3).close()
    app.go(routes.replay(app.store.lists().finished[0]))
    await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and app.screen.is_mounted)
    await pilot.press(*["down"] * 12, "a")


async def matches(pilot: Pilot[None], app: KalookiApp) -> None:
    """A list of a dozen matches."""
    for seed, (ruleset, seats) in enumerate([("baby", 3), ("kalooki-short", 4), *[("baby", 5)] * 7]):
        played(app, ruleset, seats, seed).close()
    app.store.begin(MatchPlan(seats=parse_seats(["Ann", "Bob", "ai:club", "ai:club"])).open()).close()
    await pilot.press("m")
    await until(pilot, lambda: app.screen.name == "matches" and app.screen.query_one(OptionList).option_count > 8)


@given
async def statistics(pilot: Pilot[None], app: KalookiApp, matches: int, *keys: str) -> None:
    """What has come of so many matches, and what keys lead to from there."""
    games = [("baby", 3), ("kalooki-short", 3), ("kalookie-40", 3), ("baby", 4)] * 2
    for seed, (ruleset, seats) in enumerate(games[:matches]):
        played(app, ruleset, seats, seed, people=2).close()
    app.go(routes.statistics())
    await until(pilot, lambda: app.screen.name == "statistics")
    await until(pilot, lambda: getattr(app.screen, "_found", None) is not None or not matches)
    await pilot.press(*keys)


async def daily(pilot: Pilot[None], app: KalookiApp) -> None:
    """A day's deal that has been played, and others before it."""
    for back in (0, 1, 2, 5):
        live = SameCards((daily_key(today() - timedelta(days=back)),)).sit(app.store, "You")
        play_match(live.table, None, {seat: make_player("club", str(seat)) for seat in range(4)})
        live.close()
    app.go(routes.same_cards())
    await at("same-cards")(pilot, app)
    await until(pilot, lambda: bool(getattr(app.screen, "cost", "")))


async def duplicate(pilot: Pilot[None], app: KalookiApp) -> None:
    """What several made of the same cards."""
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


@given
async def rules(pilot: Pilot[None], app: KalookiApp, ruleset: str) -> None:
    app.push_screen(RulesScreen(load_ruleset(ruleset)))
    await at("rules")(pilot, app)


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
        await fold.open()
    await pilot.pause()


@given
async def opening_chapter(pilot: Pilot[None], app: KalookiApp, chapter: str) -> None:
    app.go(routes.course(chapter=chapter))
    await until(pilot, lambda: isinstance(app.screen, SessionScreen) and app.screen.is_mounted)


async def skills(pilot: Pilot[None], app: KalookiApp) -> None:
    """The skills of a course, some of them practised."""
    await chapters(pilot, app)
    app.go(routes.skills(app.learning()))
    await at("skills")(pilot, app)


async def kept(pilot: Pilot[None], app: KalookiApp) -> None:
    kept_folder().mkdir(parents=True, exist_ok=True)
    for number, turn in enumerate(("Ann", "Bob", "Dee")):
        text = f"title: 'A match, deal 3, turn {4 + number}'\n{middle(turn, 'play')}"
        (kept_folder() / f"kept-{number}.yaml").write_text(text, encoding="utf-8")
    app.go(routes.puzzles())
    await at("puzzles")(pilot, app)
    await pilot.press("p")
    await until(pilot, lambda: app.screen.name != "puzzles")


@given
async def reviewed(pilot: Pilot[None], app: KalookiApp, *keys: str) -> None:
    """What keys lead to from a review."""
    await reviewing(pilot, app)
    await pilot.press(*keys)
    await until(pilot, lambda: not isinstance(app.screen, ReviewPage))


async def looking(pilot: Pilot[None], app: KalookiApp) -> None:
    """A review whose decisions are still being played out."""
    live = played(app, "jamaican", 4, 3)
    app.go(routes.review(list(live.lines), name="A match"))
    await until(pilot, lambda: isinstance(app.screen, ReviewPage) and len(app.screen._races) > 2)


@given
async def at_table(pilot: Pilot[None], app: KalookiApp, *keys: str, screen: str) -> None:
    """What keys lead to from the table."""
    await asked(pilot, app)
    await pilot.press(*keys)
    await at(screen)(pilot, app)


async def scores(pilot: Pilot[None], app: KalookiApp) -> None:
    live = played(app, "jamaican", 4, 3)
    totals = tuple(past_totals(live))[:4]
    app.overlays.show(ScoresDialog(totals, replace(live.table.view(0), totals=totals[-1])))
    await at("scores")(pilot, app)


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
    Scene("statistics-person", ANY, None, (), statistics(4, "right")),
    Scene("statistics-none", ANY, None, (), statistics(0)),
    Scene("daily", ANY, None, (), daily),
    Scene("duplicate", ANY, None, (), duplicate),
    Scene("kooky", ANY, KOOKY, ("Ann",), asked),
    Scene("rules", ANY, None, (), rules("jamaican")),
    Scene("rules-kooky", ANY, None, (), rules("kooky")),
    Scene("setup-open", ANY, None, (), unfolded),
    Scene("chapter", ANY, None, (), opening_chapter("sets")),
    Scene("skills", ANY, None, (), skills),
    Scene("kept", ANY, None, (), kept),
    Scene("keys", ANY, middle("Ann", "play"), ("Ann",), at_table("question_mark", screen="help")),
    Scene("words", ANY, middle("Ann", "play"), ("Ann",), at_table(BY_NAME["words"].keys.split(",")[0], screen="words")),
    Scene("leave", ANY, middle("Ann", "play"), ("Ann",), at_table("q", screen="question")),
    Scene("scores", ANY, None, (), scores),
    *(Scene(f"table-{seats}-seats", ANY, crowd(seats), ("Ann",), choosing) for seats in (6, 8, 11)),
    *(scene for scene in LISTS if scene.name != "matches"),
    *(scene for scene in SCENES if not scene.name.startswith("table-")),
    next(scene for scene in SCENES if scene.name == "table-80x24"),
    *(Scene(name, ANY, None, (), None) for name in ("come", "board")),
    *BY_CORE,
    Scene("review-looking", ANY, None, (), looking),
    Scene("review-try", ANY, None, (), reviewed("t", "t")),
    Scene("review-hands", ANY, None, (), reviewed("o")),
    Scene("review-moment", ANY, None, (), reviewed("enter")),
)
