"""The form for a new match, read: the plan that its fields say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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


class SetupForm(Form):
    """The fields of a new match; what they hold."""

    @property
    def rows(self) -> list[SeatRow]:
        """The seats, in their order."""
        return [*self.query(SeatRow)]

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

    def picked(self, name: str, usual: object = None) -> object:
        """The choice in a list, if the form has that list."""
        try:
            return self.query_one(f"#{name}", Select).value
        except NoMatches:
            return usual

    def says(self, plan: MatchPlan) -> bool:
        """Whether game, seats and people chosen in the lists are those of the plan, and of the seats shown."""
        chosen = self.picked("ruleset"), self.picked("count"), self.picked("people")
        return chosen == (plan.ruleset, len(plan.seats), people_of(self.seats))

    def read(self, before: MatchPlan, ruleset: Ruleset, usual: AskCalls, *, strictly: bool = False) -> MatchPlan:
        """The form as a plan; what it has no field for stays as `before`.

        What cannot be read is left out, or an error where `strictly`. `usual`: when a person is asked about calls who
        has chosen nothing.

        Raises:
            ValueError: a number is no number.
        """
        people = [row for row in self.rows if row.plan.is_human]
        first = self.picked("first-turn", 0)
        return replace(
            before,
            seats=self.seats,
            options=(
                *(name for name in ruleset.options if self.query_one(f"#option-{name}", Checkbox).value),
                *self._house_rules(),
            ),
            referee=Referee(str(self.picked("referee", Referee.STRICT))),
            settings={
                **setting_up.chosen_settings(ruleset, dict(self._settings(ruleset)), strictly=strictly),
                **self._handicap(strictly=strictly),
            },
            first_turn=first if isinstance(first, int) else 0,
            seed=setting_up.read_number("the seed", self.query_one("#seed", Input).value, strictly=strictly),
            speed=Speed(str(self.picked("speed", Speed.NATURAL))),
            curtain=self.query_one("#curtain", Checkbox).value,
            teaching=self.query_one("#teaching", Checkbox).value,
            ask_calls=people[0].asking if len(people) == 1 else before.ask_calls,
            ask_each={row.plan.name: row.asking for row in people if row.asking is not usual}
            if len(people) > 1
            else {},
            call_seconds=int(str(self.picked("call-seconds", CALL_SECONDS_OFFERED[0]))),
            minutes=int(str(self.picked("minutes", 0))),
            answer_seconds=int(str(self.picked("answer-seconds", 0))),
            hints_for=self.agreed.helped,
            own_screens=tuple(row.plan.name for row in self.rows if row.is_own),
        )

    @property
    def agreed(self) -> Agreed:
        """The handicap, as it is typed."""
        text = next((field.value for field in self.query("#handicap").results(Input)), "")
        return Agreed(handicap=tuple(part.strip() for part in text.split(",") if part.strip()))

    def _handicap(self, *, strictly: bool) -> dict[str, object]:
        try:
            return self.agreed.points([seat.name for seat in self.seats])
        except ValueError:
            if strictly:
                raise
            return {}

    def wrong_field(self, ruleset: Ruleset) -> Widget | None:
        """The first field that holds what cannot be; None: no field by itself."""
        checks: list[tuple[str, Callable[[], object]]] = [
            (f"house-{option.partition('=')[0]}", partial(with_house, ruleset, (option,)))
            for option in self._house_rules()
        ]
        checks.append(("handicap", partial(self._handicap, strictly=True)))
        checks += [
            (f"setting-{name}", partial(self._setting, ruleset, name, value)) for name, value in self._settings(ruleset)
        ]
        seed = self.query_one("#seed", Input).value
        checks.append(("seed", partial(setting_up.read_number, "the seed", seed, strictly=True)))
        return next((self.query_one(f"#{name}") for name, check in checks if _fails(check)), None)

    def _setting(self, ruleset: Ruleset, name: str, value: object) -> object:
        return make_settings(ruleset, setting_up.chosen_settings(ruleset, {name: value}, strictly=True))

    def _house_rules(self) -> Iterator[str]:
        for name in (DEALS, CALLS, DOUBLING):
            for field in self.query(f"#house-{name}"):
                value = str(field.value).replace(" ", "") if isinstance(field, (Input, Select)) else ""
                if value:
                    yield f"{name}={value}"

    def _settings(self, ruleset: Ruleset) -> Iterator[tuple[str, object]]:
        for name in setting_up.setting_names(ruleset):
            for field in self.query(f"#setting-{name}"):
                if isinstance(field, (Checkbox, Input)):
                    yield name, field.value


def _fails(check: Callable[[], object]) -> bool:
    try:
        check()
    except ValueError:
        return True
    return False
