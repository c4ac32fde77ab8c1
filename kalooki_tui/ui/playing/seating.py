"""Changing who plays, at the table: an AI for a person, a person for an AI, another name, another level."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kalooki_tui.players import LEVELS
from kalooki_tui.table.seats import SeatChange, SeatPlan, changes_of, player_words
from kalooki_tui.ui.screens.base import Dialog
from kalooki_tui.ui.screens.dialogs import Ask, AskLine
from kalooki_tui.ui.widgets.choices import numbered

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class Seating:
    """Asks for a seat and for what is to change there, and changes it."""

    def __init__(self, table: TableScreen, then: Callable[[SeatPlan, SeatPlan], object] = lambda *plans: None) -> None:
        """`then`: is told of a seat before and after."""
        self._table, self._then = table, then

    def open(self) -> None:
        plans, here = self._table.sitting.plans, self._table.place.here
        seats = ((f"{plan.name}: {player_words(seat, plan, here)}", seat) for seat, plan in enumerate(plans))
        self._ask("Who plays", "Which seat do you want to change?", seats, self._ask_what)

    def _ask_what(self, seat: int) -> None:
        plan = self._table.sitting.plans[seat]
        asks = {SeatChange.PERSON: self._ask_person, SeatChange.AI: self._ask_level, SeatChange.NAME: self._ask_name}
        self._ask(plan.name, "What is to change?", changes_of(plan), lambda change: asks[change](seat))

    def _ask_level(self, seat: int) -> None:
        name = self._table.sitting.plans[seat].name
        self._ask(
            name, "Which AI is to play?", ((level, level) for level in LEVELS),
            lambda level: self._change(seat, player=f"ai:{level}"),
        )  # fmt: skip

    def _ask_name(self, seat: int) -> None:
        name = self._table.sitting.plans[seat].name
        self._show(AskLine(name, "The new name:\n", name, "a name"), lambda typed: self._change(seat, name=typed))

    def _ask_person(self, seat: int) -> None:
        name = self._table.sitting.plans[seat].name
        words = "Who takes the seat? Its cards and points stay as they are.\n"
        self._show(
            AskLine(name, words, name, "a name"), lambda typed: self._change(seat, name=typed, player="human")
        )  # fmt: skip

    def _change(self, seat: int, **changed: str) -> None:
        table = self._table
        before = table.sitting.plans[seat]
        plan = replace(before, **changed)
        if plan == before:
            return
        why = table.place.reseat(seat, plan)
        if why:
            table.tell(why)
        else:
            self._then(before, plan)

    def _ask(self, title: str, text: str, answers: Iterable[tuple[str, Any]], then: Callable[[Any], None]) -> None:
        self._show(Ask(title, f"{text}\n", numbered(answers), may_close=True, name="seats"), then)

    def _show(self, dialog: Dialog, then: Callable[[Any], None]) -> None:
        self._table.app.overlays.show(dialog, lambda value: None if value is None else then(value))
