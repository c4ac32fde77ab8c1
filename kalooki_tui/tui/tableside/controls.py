"""Changes while a match is played: speed of AI seats, what people are asked about, settings, who plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from kalooki_tui.match.seating import SeatChange, SeatPlan, changes_of, player_words
from kalooki_tui.players import LEVELS
from kalooki_tui.session.plan import AskCalls, Speed
from kalooki_tui.session.turn_loop import ASK_WORDS
from kalooki_tui.tui.screens.question import AskLine, ChoiceDialog
from kalooki_tui.tui.widgets.choices import numbered

if TYPE_CHECKING:
    from kalooki_tui.tui.screens.table import TableScreen


class Tuning:
    def __init__(self, screen: TableScreen) -> None:
        self._screen, self._session = screen, screen.session

    def cycle_speed(self) -> None:
        screen, speeds = self._screen, list(Speed)
        self._set_speed(speeds[(speeds.index(self._session.speed) + 1) % len(speeds)])
        screen.app.remember(replace(screen.app.settings, ai_speed=self._session.speed.value))
        screen.tell(f"AI seats move at {self._session.speed} speed.", briefly=True)

    def cycle_asking(self) -> None:
        """Go to the next rule of asking about calls, for this match and the next; of several people, each has one."""
        screen = self._screen
        if len(self._session.people) != 1:
            screen.begin(screen.questions.choose_when)
            return
        rules = list(AskCalls)
        self._set_asking(rules[(rules.index(self._session.ask_calls) + 1) % len(rules)])
        screen.app.remember(replace(screen.app.settings, ask_calls=self._session.ask_calls.value))
        screen.tell(f"From now on you are asked {ASK_WORDS[self._session.ask_calls]}.", briefly=True)

    def show_settings(self) -> None:
        """Show the settings; those of the table hold at once, where the match is the player's own."""
        screen = self._screen
        before = screen.app.settings

        def closed(_: object) -> None:
            settings = screen.app.settings
            if screen.client.is_host and settings.ai_speed != before.ai_speed:
                self._set_speed(Speed(settings.ai_speed))
            if screen.client.is_host and settings.ask_calls != before.ask_calls:
                self._set_asking(AskCalls(settings.ask_calls))
            if screen.client.is_host and settings.curtain != before.curtain:
                screen.plan = replace(screen.plan, curtain=settings.curtain)
                self._session.keep(curtain=settings.curtain)
            screen.refresh_table()

        from kalooki_tui.tui.screens.settings import SettingsScreen

        screen.app.overlays.show(SettingsScreen(), closed)

    def _set_speed(self, speed: Speed) -> None:
        self._session.speed = speed
        self._session.keep(speed=speed)

    def _set_asking(self, ask: AskCalls) -> None:
        self._session.ask_calls = ask
        self._session.keep(ask_calls=ask)


class Seating:
    def __init__(self, table: TableScreen, then: Callable[[SeatPlan, SeatPlan], object] = lambda *plans: None) -> None:
        """`then` is told of a seat before and after."""
        self._table, self._then, self._choose = table, then, table.app.overlays.choose

    def open(self) -> None:
        plans, here = self._table.session.plans, self._table.client.here
        seats = ((f"{plan.name}: {player_words(seat, plan, here)}", seat) for seat, plan in enumerate(plans))
        self._ask("Who plays", "Which seat do you want to change?", seats, self._ask_what)

    def _ask_what(self, seat: int) -> None:
        plan = self._table.session.plans[seat]
        self._ask(plan.name, "What is to change?", changes_of(plan), lambda change: self._ask_new(seat, change))

    def _ask_new(self, seat: int, change: SeatChange) -> None:
        name = self._table.session.plans[seat].name
        if change is SeatChange.AI:
            levels = ((level, level) for level in LEVELS)
            self._ask(name, "Which AI is to play?", levels, lambda level: self._change(seat, player=f"ai:{level}"))
            return
        words, player = "The new name:\n", dict[str, str]()
        if change is SeatChange.PERSON:
            words, player = "Who takes the seat? Its cards and points stay as they are.\n", {"player": "human"}
        ask = AskLine(name, words, name, "a name")
        self._choose(ask, lambda typed: self._change(seat, name=typed, **player))

    def _change(self, seat: int, **changed: str) -> None:
        table = self._table
        before = table.session.plans[seat]
        plan = replace(before, **changed)
        if plan == before:
            return
        why = table.client.reseat(seat, plan)
        if why:
            table.tell(why)
        else:
            self._then(before, plan)

    def _ask(self, title: str, text: str, answers: Iterable[tuple[str, Any]], then: Callable[[Any], None]) -> None:
        self._choose(ChoiceDialog(title, f"{text}\n", numbered(answers), may_close=True, name="seats"), then)
