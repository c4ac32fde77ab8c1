"""Where routes lead, and what is said where they lead nowhere, kept in tests/golden/routes.txt."""

import re
from collections.abc import Callable
from enum import Enum
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from textual._context import active_app
from textual.screen import Screen

from kalooki_tui.coach.puzzles import Code
from kalooki_tui.problems import Problem
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.storage.match_store import Store, open_store
from kalooki_tui.storage.player.settings_file import LastSetup
from kalooki_tui.storage.summary import daily_key
from kalooki_tui.training.modes import CourseMode, Puzzles
from kalooki_tui.training.same_cards import SameCards
from kalooki_tui.training.skills import Learning
from kalooki_tui.tui import routes
from kalooki_tui.tui.app import KalookiApp
from kalooki_tui.tui.looks.themes import register
from kalooki_tui.tui.overlays import Overlays
from tests.commands import Golden
from tests.drivers.keyboard import Thinks
from tests.tui.openings import plan
from tests.tui.test_same_cards import DAY

SIMPLE = (str, int, Enum, MatchPlan, routes.Route, SameCards, Code, Learning, CourseMode, Puzzles)


class Pointing(KalookiApp):
    """An app that never runs, and writes down what would be opened."""

    def __init__(self, store: Store) -> None:
        super().__init__(thinker=Thinks())
        self.store, self.lines = store, list[str]()
        self.opened: Any = None
        self.overlays = Signpost(self)

    @property
    def screen(self) -> Any:
        return self.opened

    def notify(self, message: str, *, severity: str = "", timeout: float | None = None, **_: Any) -> None:
        self.lines.append(f"   ▹ {severity} {timeout or ''}: {message}")

    def exit(self, *_: Any, **__: Any) -> None:
        self.lines.append(f"   ends, and goes on to {told(self.onward)}")

    def call_after_refresh(self, then: Callable[[], object], *_: Any, **__: Any) -> bool:
        then()
        return True


class Signpost(Overlays):
    _app: Pointing

    def show(self, overlay: Any, then: Any = None, layer: Any = None) -> None:
        overlay.then = then
        self._write("over it", overlay)

    def go_to(self, screen: Any) -> None:
        self._write("to", screen)

    def _write(self, how: str, screen: Any) -> None:
        self._app.opened = screen
        usual = {*vars(Screen()), *(f"_reactive_{name}" for name in Screen._reactives)}
        held = {name: value for name, value in vars(screen).items() if name not in usual and isinstance(value, SIMPLE)}
        named = ", ".join(f"{name} {told(value)}" for name, value in held.items())
        self._app.lines.append(f"   {how} {type(screen).__name__}: {named}")


def told(value: Any) -> str:
    if isinstance(value, routes.Route):
        return f"{value.name}({', '.join(map(told, [*value.arguments, *value.named.values()]))})"
    if isinstance(value, MatchPlan):
        seats = ", ".join(f"{seat.name or '?'}={seat.player}" for seat in value.seats)
        return f"{value.ruleset} {seats} seed {value.seed} {value.speed}"
    if isinstance(value, Learning):
        return value.course.rules.ruleset.id
    if isinstance(value, (CourseMode, Puzzles)):
        return f"{type(value).__name__} {value.heading}"
    return f"{value}" if isinstance(value, (*SIMPLE, Path)) else getattr(value, "id", type(value).__name__)


def last(**given: Any) -> LastSetup:
    return LastSetup(seats=["Ann", "ai:club", "ai:club"], **given)


async def test_where_routes_lead(home: Path, golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "today", lambda: DAY)
    monkeypatch.setattr("kalooki_tui.coach.exercises.registry.new_seed", lambda: 7)
    app = Pointing(open_store())
    before = active_app.set(app)
    register(app)
    people, alone = plan("Ann", "Bob", "ai:club"), plan("Ann", "ai:club", "ai:club")
    several = plan("Ann", "Bob", "ai:club", "ai:club")
    hosts = replace(alone, own_screens=("Ann",))
    (home / "puzzle.yaml").write_text("kind: none")

    def then(answer: Any) -> Callable[[], object]:
        return lambda: app.opened.then(answer)

    def settings(**chosen: Any) -> Callable[[], object]:
        return lambda: setattr(app.settings_file, "settings", replace(app.settings, **chosen))

    def block(name: str) -> Path:
        if (home / name).exists():
            (home / name).rename(home / f"old-{name}")
        return home / name

    steps: dict[str, routes.Route | Callable[[], object]] = {
        "home": routes.home(), "home, marked": routes.home("m1"), "set-up": routes.set_up(),
        "set-up of a plan": routes.set_up(people), "again without a last": routes.same_seats(),
        "names": settings(names=["Zoe", "Ann"]), "set-up by name": routes.set_up(),
        "a last": settings(last=last(ruleset="baby")), "set-up as the last": routes.set_up(),
        "again": routes.same_seats(), "again, of a plan": routes.same_seats(alone),
        "again, of a plan that cannot be": routes.same_seats(plan("Ann")),
        "a last that is none": settings(last=last(ruleset="nowhere")), "set-up without it": routes.set_up(),
        "again without it": routes.same_seats(), "no last": settings(last=None),
        "a match": routes.new_match(alone), "a match to host": routes.new_match(hosts),
        "AI seats": routes.watch_ai(), "a match that is not there": routes.resume("nowhere"),
        "matches": routes.matches(), "statistics": routes.statistics(), "settings": routes.settings(),
        "rules": routes.rules(load_ruleset("baby")), "rules of which game": routes.rules_of_game(),
        "of this one": then(load_ruleset("tuluki")), "keys": routes.keys({}), "course": routes.course(),
        "another course": routes.course("baby"), "a chapter": routes.course("jamaican", "sets"),
        "no such chapter": routes.course("jamaican", "nothing"), "practice": routes.practice(),
        "skills": routes.skills(app.learning()), "puzzles": routes.puzzles(),
        "today's puzzle": routes.puzzle_series(daily=True), "of a kind": routes.puzzle_series("out"),
        "of a code": routes.puzzle_series(code="K3-out-AB"), "of no code": routes.puzzle_series(code="[K3]"),
        "no puzzle": routes.kept_puzzle(home / "puzzle.yaml"), "a puzzle": routes.solve(Code(7, "out"), alone=True),
        "review": routes.review([], last=True), "today": routes.same_cards(),
        "a day": routes.same_cards(daily_key(DAY)), "a duplicate that is not there": routes.same_cards("nothing"),
        "play it": routes.play_same_cards(SameCards((daily_key(DAY),)), "Zoe"),
        "play it again": routes.play_same_cards(SameCards((daily_key(DAY),)), "Zoe"),
        "a duplicate": routes.new_duplicate(several), "a duplicate for AI seats": routes.new_duplicate(plan("ai:club")),
        "nothing is kept": lambda: setattr(app, "store", Store(None, saves=False)),
        "a duplicate, unkept": routes.new_duplicate(several), "a match, unkept": routes.new_match(alone),
        "who played": lambda: app.lines.append(f"   {app.settings.names}"),
        "a host's keys": lambda: setattr(app, "is_host", True), "its match": routes.new_match(hosts),
        "stop for a while": app.action_suspend_process, "themes": app.search_themes, "leave": app.action_quit,
        "no": then(False), "yes": then(True), "the palette": app.action_command_palette,
        "a theme": settings(theme="[sea]"),
        "what is wrong at the start": lambda: app._tell_problems(Problem("keys.toml", 3, "[/x] is no key")),
        "no room for matches": lambda: block("matches").write_text(""),
        "another start": lambda: setattr(app, "store", open_store()), "what is told": partial(app.tell_notices, "more"),
        "no room for settings": lambda: block("settings.toml").mkdir(), "a choice": lambda: app.set(ascii=True),
        "what is remembered": lambda: app.remember(replace(app.settings, names=["Zoe"])),
        "the same": lambda: app.remember(app.settings), "a fault": lambda: app._handle_exception(ValueError("[/x]")),
        "and then": lambda: app.lines.append(f"   {app.return_code}: {app.fault}"),
        **{command.title: command.callback for command in app.get_system_commands(app)},
    }  # fmt: skip
    for name, step in steps.items():
        app.lines.append(f"── {name}" + (f": {told(step)}" if isinstance(step, routes.Route) else ""))
        try:
            done = app.go(step) if isinstance(step, routes.Route) else step()
            if isawaitable(done):
                await done
        except ValueError as error:
            app.lines.append(f"   ✕ {error}")
    active_app.reset(before)
    text = "\n".join(app.lines).replace(str(home), "HOME")
    golden("routes", re.sub(r"(?<=damaged-)[\d-]+|(?<=key=\(')\w{6}(?=')", "…", text))
