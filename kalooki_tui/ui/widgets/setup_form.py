"""The form for a new match, read: the plan that its fields say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from textual.css.query import NoMatches
from textual.widget import Widget
from textual.widgets import Checkbox, Input, Select

from kalooki_tui.desk.setup import setting_up
from kalooki_tui.desk.setup.plan import CALL_SECONDS_OFFERED, Agreed, AskCalls, MatchPlan, Speed
from kalooki_tui.desk.setup.seating import people_of
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.house import CALLS, DEALS, DOUBLING, with_house
from kalooki_tui.rulesets.loader import make_settings
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.ui.widgets.fields import Form, SeatRow


class Held(dict[str, object]):
    """What the fields of the form hold, by their names; a game has not every field."""

    @property
    def agreed(self) -> Agreed:
        """The handicap, as it is typed."""
        parts = str(self.get("handicap", "")).split(",")
        return Agreed(handicap=tuple(part.strip() for part in parts if part.strip()))

    def house_rules(self) -> Iterator[str]:
        """What of the game's length, calls and points is otherwise, as options."""
        for name in (DEALS, CALLS, DOUBLING):
            value = str(self.get(f"house-{name}", "")).replace(" ", "")
            if value:
                yield f"{name}={value}"

    def settings(self, ruleset: Ruleset) -> Iterator[tuple[str, object]]:
        """The settings of the game that have a field."""
        for name in setting_up.setting_names(ruleset):
            if (field := f"setting-{name}") in self:
                yield name, self[field]


class SetupForm(Form):
    """The fields of a new match; what they hold."""

    @property
    def rows(self) -> list[SeatRow]:
        """The seats, in their order; none before the fields are there."""
        try:
            seats = self.get_widget_by_id("seats")
        except NoMatches:
            return []
        return [row for row in seats.children if isinstance(row, SeatRow)]

    @property
    def seats(self) -> tuple[SeatPlan, ...]:
        """Who sits where."""
        return tuple(row.plan for row in self.rows)

    @property
    def names(self) -> list[str]:
        """Who sits there; a seat for whoever comes is called something that no name is."""
        return [row.plan.name or (f"({row.seat})" if row.is_own else "") for row in self.rows]

    @property
    def row(self) -> SeatRow | None:
        """The seat that has the focus."""
        return self.row_of(self.screen.focused)

    def row_of(self, field: Widget | None) -> SeatRow | None:
        """The seat a field belongs to."""
        return next((row for row in self.rows if field is not None and field in row.fields), None)

    @property
    def held(self) -> Held:
        """What the fields hold, found in one walk: the form is read at each key."""
        fields = (one for one in self.walk_children() if isinstance(one, Checkbox | Input | Select))
        return Held({field.id: field.value for field in fields if field.id})

    def says(self, plan: MatchPlan) -> bool:
        """Whether game, seats and people chosen in the lists are those of the plan, and of the seats shown."""
        held = self.held
        chosen = held.get("ruleset"), held.get("count"), held.get("people")
        return chosen == (plan.ruleset, len(plan.seats), people_of(self.seats))

    def read(
        self, held: Held, before: MatchPlan, ruleset: Ruleset, usual: AskCalls, *, strictly: bool = False
    ) -> MatchPlan:
        """The form as a plan; what it has no field for stays as `before`.

        What cannot be read is left out, or an error where `strictly`. `usual`: when a person is asked about calls who
        has chosen nothing.

        Raises:
            ValueError: a number is no number.
        """
        rows = self.rows
        people = [row for row in rows if row.plan.is_human]
        first = held.get("first-turn", 0)
        seats, agreed = tuple(row.plan for row in rows), held.agreed
        return replace(
            before,
            seats=seats,
            options=(*(name for name in ruleset.options if held[f"option-{name}"]), *held.house_rules()),
            referee=Referee(str(held.get("referee", Referee.STRICT))),
            settings={
                **setting_up.chosen_settings(ruleset, dict(held.settings(ruleset)), strictly=strictly),
                **_handicap(agreed, seats, strictly=strictly),
            },
            first_turn=first if isinstance(first, int) else 0,
            seed=setting_up.read_number("the seed", str(held["seed"]), strictly=strictly),
            speed=Speed(str(held.get("speed", Speed.NATURAL))),
            curtain=bool(held["curtain"]),
            teaching=bool(held["teaching"]),
            ask_calls=people[0].asking if len(people) == 1 else before.ask_calls,
            ask_each={row.plan.name: row.asking for row in people if row.asking is not usual}
            if len(people) > 1
            else {},
            call_seconds=int(str(held.get("call-seconds", CALL_SECONDS_OFFERED[0]))),
            minutes=int(str(held.get("minutes", 0))),
            answer_seconds=int(str(held.get("answer-seconds", 0))),
            hints_for=agreed.helped,
            own_screens=tuple(row.plan.name for row in rows if row.is_own),
        )

    def wrong_field(self, ruleset: Ruleset) -> Widget | None:
        """The first field that holds what cannot be; None: no field by itself."""
        held = self.held
        checks: list[tuple[str, Callable[[], object]]] = [
            (f"house-{option.partition('=')[0]}", partial(with_house, ruleset, (option,)))
            for option in held.house_rules()
        ]
        checks.append(("handicap", partial(_handicap, held.agreed, self.seats, strictly=True)))
        checks += [
            (f"setting-{name}", partial(_setting, ruleset, name, value)) for name, value in held.settings(ruleset)
        ]
        checks.append(("seed", partial(setting_up.read_number, "the seed", str(held["seed"]), strictly=True)))
        return next((self.query_one(f"#{name}") for name, check in checks if _fails(check)), None)


def _handicap(agreed: Agreed, seats: Sequence[SeatPlan], *, strictly: bool) -> dict[str, object]:
    try:
        return agreed.points([seat.name for seat in seats])
    except ValueError:
        if strictly:
            raise
        return {}


def _setting(ruleset: Ruleset, name: str, value: object) -> object:
    return make_settings(ruleset, setting_up.chosen_settings(ruleset, {name: value}, strictly=True))


def _fails(check: Callable[[], object]) -> bool:
    try:
        check()
    except ValueError:
        return True
    return False
