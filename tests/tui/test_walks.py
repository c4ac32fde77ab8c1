"""What each screen shows after each of its keys, kept in tests/golden/tui-*.txt."""

import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from random import Random
from unittest.mock import Mock

import pytest
from textual._compositor import visible_screen_stack
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input

from kalooki_tui import __version__
from kalooki_tui.cards import FACES
from kalooki_tui.coach.course.chapter import Step
from kalooki_tui.coach.course.lesson import Lesson, Task, lesson_of
from kalooki_tui.storage.summary import daily_key
from kalooki_tui.training import reviews
from kalooki_tui.training.same_cards import SameCards, begin_duplicate
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.screens import matches, practice, question, review, table
from kalooki_tui.tui.screens.curtain import PassScreen
from kalooki_tui.tui.tableside import questions
from scripts.scenes import KOOKY, LISTS, READY, SCREENS, TESTS, Pictured, Scene, middle
from tests.commands import Golden, checksum, groups_of
from tests.moments import CALLED, VOID, buy_in, call_window
from tests.tui.conftest import is_asked, wait_until
from tests.tui.driving import play_until
from tests.tui.frames import Frame, Frames, painted_text
from tests.tui.openings import USUAL, plan, running
from tests.tui.test_learn import answer
from tests.tui.test_moves import CONTRACT, laid
from tests.tui.test_same_cards import DAY, Here, play_day
from tests.tui.test_sharing import assert_nothing_private

PEOPLE = ("Ann", "Zoe", "You")
SCENES = {scene.name: scene for scene in (*SCREENS, *LISTS)}
RECORD = (TESTS / "playthroughs" / "baby-3-penalties.jsonl").read_text(encoding="utf-8").splitlines()


def lesson(*kinds: str, deal: int = 2) -> Callable[[KalookiApp], routes.Route]:
    """An exercise of each of these kinds."""

    def made(app: KalookiApp) -> routes.Route:
        tasks = tuple(Task("sets", Step(kind, deal)) for kind in kinds)
        return routes.one_lesson(app.learning(), Lesson(app.learning().rules, tasks, "B"))

    return made


def first_chapter(app: KalookiApp) -> routes.Route:
    learning = app.learning()
    return routes.one_lesson(learning, lesson_of(learning.course.chapter("sets"), (), learning.rules, "B"))


def coached(chapter: str, own_seed: int | None = None) -> Callable[[KalookiApp], routes.Route]:
    """A coached deal of a chapter, or the learner's own."""

    def opened(app: KalookiApp) -> routes.Route:
        app.set(ai_speed="instant")
        learning = app.learning()
        return routes.coached_deal(learning, learning.course.chapter(chapter), own_seed)

    return opened


def played_day(app: KalookiApp) -> routes.Route:
    """The first screen, from which a day's deal is opened that two people have played."""
    play_day(app.store, You="novice", Augusta="club")
    return routes.home()


def waiting(app: KalookiApp) -> routes.Route:
    """The first screen with a match to go on with, which another person is to play too, and a day's deal begun."""
    play_day(app.store, Augusta="club")
    SameCards((daily_key(DAY),)).sit(app.store, "Zed").close()
    begin_duplicate(app.store, plan("Ann", "Bob")).close()
    return routes.home()


def known(app: KalookiApp) -> routes.Route:
    """The set-up where people have played before."""
    app.set(names=["Ann", "Zoe"])
    return routes.set_up()


#: Where a walk begins: a scene, a position or a route; one named as a scene begins there.
STARTS: dict[str, str | Callable[[KalookiApp], routes.Route]] = {
    "known": known,
    "names": known,
    "people": "setup",
    "options": "setup-open",
    "daily": lambda app: routes.same_cards(daily_key(DAY)),
    "played-day": played_day,
    "waiting": waiting,
    "chapter": first_chapter,
    "practice": lesson("may", "build", "throw", "tack", "spot", "repair", "complete"),
    "clicks": lesson("throw", "tack", "call", "allow", "out"),
    "statistics": "statistics-person",
    "review": lambda app: routes.review(RECORD, name="Baby"),
    "table": middle("Ann", "play"),
    "laying": READY,
    "kooky": KOOKY,
    "tacking": laid("JK 2D 4H 8H 9H", "Bob: 4C 4D 4S", "Bob: 9C 9D 9S"),
    "choosing": laid("7C 2D KD", "Ann: 3C 4C 5C 6C", "Bob: 7H 7D 7S"),
    "chain": laid("AS KS 8S 4H 2D", "Ann: 9S 10S JS QS", "Bob: 4C 4D 4S"),
    "swap": laid("6S 2D 4H", "Bob: 5S JK 7S 8S"),
    "ends": laid("JK 2D 4H", "Ann: 5S 6S 7S 8S", ruleset="air-jamaica"),
    "swapping": laid("6S 2D 4H", "Bob: 5S JK 7S 8S", "Bob: 9C 9D 9S", ruleset="kalookie-40"),
    "contract": CONTRACT,
    "penalties": CONTRACT.replace("phase", "referee: penalties\nphase", 1),
    "void": VOID,
    "together": lambda app: routes.new_match(plan("Ann", "Bob", "Cat")),
    "call": middle("Dee", "call-window", "discarded_by: Cat"),
    "decision": CALLED,
    "two": middle("Cat", "call-window", "discarded_by: Dee").replace("Bob", "Zoe"),
    "cut": lambda app: routes.new_match(plan("Ann", "Bob", ruleset="tuluki", settings={"dealer_cut": True}, seed=2)),
    "challenge": call_window(second="Zoe").replace("phase:", "referee: penalties\nphase:"),
    "reseated": lambda app: routes.new_match(plan("MumDad", "ai:club", "ai:club")),
    "curtain": middle("Ann", "draw").replace("Bob", "Zoe"),
    "buy-in": buy_in("Ann", "Zoe"),
    "eleven": "table-11-seats",
    "eight": "table-8-seats",
    "coached": "coached-deal",
    "guess": coached("distance"),
    "own-deal": coached("turn", 11),
    "many": CONTRACT.replace(
        "5C 5D 5H KS KD KH 7C 8C 9C JK 2D",
        " ".join(f"{rank}{suit}" for suit in "SH" for rank in FACES["french"].rank_names),
    ),
    "deal-over": "deal-over-5",
    "match-over": "match-over-money",
}
#: Sizes at which a walk looks at its first screen before it begins.
SIZES = ((110, 32), (150, 44))
#: The steps of each: keys, (words) clicked on, ^words pointed at, =letters typed, @screen or ~words waited for, +size,
#: or how an exercise is answered.
WALKS = groups_of(Path(__file__).with_name("walks.txt"))


@pytest.fixture(autouse=True)
def _noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is always the same time of the same day, and nothing is played out."""
    noon = Mock(now=lambda tz=None: datetime(2026, 11, 21, 12, tzinfo=tz))
    monkeypatch.setattr("kalooki_tui.presenter.match_list.datetime", noon)
    monkeypatch.setattr("kalooki_tui.storage.match_store.datetime", noon)
    monkeypatch.setattr("kalooki_tui.coach.course.progress.date", Mock(today=lambda: DAY))
    monkeypatch.setattr("kalooki_tui.training.modes.monotonic", lambda: 0.0)
    monkeypatch.setattr(review, "why_not", lambda: "There is no core.")
    monkeypatch.chdir("/")
    monkeypatch.setattr(Input, "_toggle_cursor", lambda field: None)
    monkeypatch.setattr(question, "random", Mock(Random=partial(Random, 1)))
    monkeypatch.setattr("kalooki_tui.storage.player.settings_file.SettingsFile.where", "Saved in settings.toml")
    monkeypatch.setattr(questions, "SECOND_RING", 3600.0)
    monkeypatch.setattr(table, "MOMENT", 3600.0)
    monkeypatch.setattr(practice, "GO_ON_SECONDS", 60.0)
    monkeypatch.setattr(matches, "SEARCH_SECONDS", 3600.0)
    monkeypatch.setattr(reviews, "available", lambda: False)


def timeless(text: str) -> str:
    text = text.replace(__version__, "VERSION")
    return re.sub(r"\d{4}-\d\d-\d\d([ -])\d\d(:?)\d\d", r"yyyy-mm-dd\1hh\2mm", text)


class Walk:
    """A way through the app and what was seen on it, of a screen that was seen before only what has changed."""

    def __init__(self, pilot: Pilot[None], app: KalookiApp) -> None:
        self.pilot, self.app = pilot, app
        self.lines: list[str] = []
        self.seen: dict[object, Frame] = {}
        self.last: Frame = []
        self.at = ""
        self.frames = Frames(app)

    def strips(self) -> list[Strip]:
        visible_screen_stack.set(self.app._background_screens)
        return self.app.screen._compositor.render_strips()

    def is_quiet(self) -> bool:
        """Nothing is being found out that would be shown."""
        planned = all(getattr(getattr(at, "state", None), "has_plan", True) for at in self.app.screen_stack)
        screen, workers = self.app.screen, self.app.workers
        is_laid_out = screen.is_mounted and screen._compositor.size == self.app.size
        return is_laid_out and planned and not any(one.is_running and one.group != "match" for one in workers)

    async def at_rest(self) -> list[Strip]:
        """Return what is seen once nothing changes any more."""
        await wait_until(self.pilot, self.is_quiet)
        strips, before = self.strips(), None
        while strips != before:
            await self.pilot.pause()
            strips, before = self.strips(), strips
        return strips

    async def take(self, step: str) -> None:
        words = step[1:].rstrip(")").replace("_", " ")
        if step == "end!":
            await play_until(self.pilot, self.app, lambda: self.app.screen.name == "deal-over")
        elif step in ("right!", "wrong!"):
            await answer(self.pilot, self.app.screen, right=step == "right!")
        elif step[0] == "+":
            await self.pilot.resize_terminal(*map(int, step[1:].split("x")))
        elif len(step) == 1 or step[0] not in "(^=@~":
            await self.pilot.press(step)
        elif step[0] in "(^":
            rows = [strip.text for strip in self.strips()]
            x, y = place = next((row.index(words), y) for y, row in enumerate(rows) if words in row)
            await (self.pilot.click if step[0] == "(" else self.pilot.hover)(offset=place)
            if step[0] == "^":
                await self.pilot.pause()
                self.lines.append(f"   » {self.app.screen.get_widget_at(x, y)[0].tooltip}")
        elif step[0] == "=":
            await self.pilot.press(*("space" if letter == " " else letter for letter in words))
        elif step[0] == "@":
            await wait_until(self.pilot, lambda: self.app.screen.name == words)
        else:
            await wait_until(self.pilot, lambda: any(words in strip.text for strip in self.strips()))
        await self.look(step)
        if isinstance(self.app.screen, PassScreen):
            assert_nothing_private(self.app)

    def told(self, does: str, text: str = "", title: str = "", severity: str = "", **_: object) -> None:
        """Write what is told beside the screen."""
        self.lines.append(f"   ▹ {' · '.join(filter(None, (does, severity, title, text)))}")

    async def look(self, step: str) -> None:
        """Write what has become of a step."""
        strips = await self.at_rest()
        frame = self.frames.frame(strips)
        screen, blank = self.app.screen, [("", [])] * len(frame)
        known = self.last if screen.lies_over and screen not in self.seen else self.seen.get(screen, blank)
        known = known if len(known) == len(frame) else blank
        self.lines.append(f"── {step} · {screen.name}")
        focused = screen.focused
        at = "" if focused is None else f"{type(focused).__name__} {focused.id or ''}".rstrip()
        if at != self.at:
            self.lines.append(f"   → {at}")
        self.at = at
        if screen.name == "home-screen" and self.seen and screen not in self.seen:
            return  # another walk begins there
        if screen not in self.seen:
            looks = Counter(look for _, row in frame for look in row)
            self.lines.append("   " + ", ".join(f"{look} {count}" for look, count in sorted(looks.items())))
        for number, (now, was) in enumerate(zip(frame, known, strict=True)):
            if now[0].rstrip() != was[0].rstrip():
                self.lines.append(f"{number:2}│{now[0].rstrip()}")
            elif was[1]:
                cells = zip(now[0], now[1], was[1], strict=False)
                runs = groupby(cells, lambda cell: cell[1] if cell[1] != cell[2] and "~" not in cell[1] else "")
                changed = [(look, "".join(sign for sign, *_ in run).strip()) for look, run in runs if look]
                told = ", ".join(f"{text} {look}" for look, text in changed if text)
                self.lines.extend([f"{number:2}~{told}"] if told else [])
        self.seen[screen] = self.last = frame

    async def resize(self) -> None:
        """Write a checksum of what is seen at other sizes."""
        usual, told = self.app.size, list[str]()
        for size in (*SIZES, usual):
            await self.pilot.resize_terminal(*size)
            told.append(f"{size[0]}×{size[1]} {checksum(timeless(painted_text(await self.at_rest())))}")
        self.lines.append(f"   {', '.join(told)}")


async def is_there(pilot: Pilot[None], app: KalookiApp) -> None:
    await wait_until(pilot, lambda: is_asked(app))


@pytest.mark.parametrize("name", WALKS)
async def test_a_walk(name: str, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    start = STARTS.get(name, name)
    scene = SCENES.get(start if isinstance(start, str) else "home", Scene("", USUAL, start, PEOPLE, is_there))
    app = Pictured(scene.position, scene.people, notes=True)
    app._reckoner = Here()
    async with running(app) as (pilot, _):
        walk = Walk(pilot, app)
        for does in ("notify", "bell", "copy_to_clipboard"):
            monkeypatch.setattr(app, does, partial(walk.told, does))
        app.set(bell=True)
        await scene.come(pilot, app)
        if not isinstance(start, str):
            app.go(start(app))
        steps = WALKS[name].split()
        if steps[0][0] == "@":
            await wait_until(pilot, lambda: app.screen.name == steps[0][1:])
        await walk.look(name)
        await walk.resize()
        for step in steps:
            await walk.take(step)
    golden(f"tui-{name}", timeless("\n".join(walk.lines)))
