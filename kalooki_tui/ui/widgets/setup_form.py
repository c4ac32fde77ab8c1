"""The form for a new match: its fields, and the plan that they say."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.css.query import NoMatches
from textual.widget import Widget
from textual.widgets import Checkbox, Collapsible, Input, Select, Static
from textual.widgets._collapsible import CollapsibleTitle

from kalooki_tui.desk.setup.plan import (
    AskCalls,
    Field,
    MatchPlan,
    counts_words,
    fields_of,
    most_people,
    people_of,
    read_fields,
    unusual,
    usual_asking,
    wrong_field,
)
from kalooki_tui.rulesets.loader import Listed
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.store.player.settings import PlayerSettings
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.ui.widgets.canvas import Whole, whole_items
from kalooki_tui.ui.widgets.fields import Form, Pick, Row, SeatRow, Tick


class SetupForm(Form):
    """The fields of a new match for one game at a time. `plan` is what they were last made for."""

    def __init__(self, plan: MatchPlan, settings: PlayerSettings, listed: Sequence[Listed], *, may_host: bool) -> None:
        """`may_host`: people can come from screens of their own."""
        super().__init__(id="form")
        self.plan = plan
        self._settings, self._listed, self._may_host = settings, listed, may_host
        self.ruleset: Ruleset
        self._asked: dict[str, AskCalls] = dict(plan.ask_each)
        """When people are asked about calls, by name, where they have chosen."""

    # What is there

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
    def _held(self) -> dict[str, object]:
        """What the fields hold by their ids, found in one walk: the form is read at each key."""
        fields = (one for one in self.walk_children() if isinstance(one, Checkbox | Input | Select))
        return {field.id: field.value for field in fields if field.id}

    @property
    def is_settled(self) -> bool:
        """Whether game, seats and people chosen in the lists are those that are shown."""
        held, plan = self._held, self.plan
        chosen = held.get("ruleset"), held.get("count"), held.get("people")
        return chosen == (plan.ruleset, len(plan.seats), people_of(self.seats))

    def read(self) -> MatchPlan:
        """The form as a plan; what cannot be read is as usual."""
        return read_fields(self._seated, self.ruleset, self._held)

    def find_wrong(self) -> tuple[Widget, str] | None:
        """The first field that holds what cannot be, and why."""
        found = wrong_field(self._seated, self.ruleset, self._held)
        return None if found is None else (self.query_one(f"#{found[0].id}"), str(found[1]))

    @property
    def _seated(self) -> MatchPlan:
        rows = self.rows
        people = [row for row in rows if row.plan.is_human]
        asked = {row.plan.name: row.asking for row in people if row.asking is not self._usual_asking}
        return replace(
            self.plan,
            seats=tuple(row.plan for row in rows),
            ask_calls=people[0].asking if len(people) == 1 else self.plan.ask_calls,
            ask_each=asked if len(people) > 1 else {},
            own_screens=tuple(row.plan.name for row in rows if row.is_own),
        )

    @property
    def _usual_asking(self) -> AskCalls:
        """When a person is asked about calls who has not chosen."""
        return usual_asking(self.plan, AskCalls(self._settings.ask_calls))

    def tell(self) -> None:
        """Say behind each heading what is chosen there otherwise than usual; hide fields that do nothing."""
        fields = fields_of(self.read(), self.ruleset)
        for fold in self.query(Fold):
            fold.tell(unusual(fields[fold.part]))
        for field in fields["Table"]:
            row = self.query_one(f"#{field.id}").parent
            assert row is not None
            row.display = field.shown

    # Making the fields

    async def fill(self, plan: MatchPlan, ruleset: Ruleset) -> None:
        """Show what this ruleset, with these seats, leaves to be chosen; what is typed meanwhile keeps its place."""
        is_new = not self.children
        self._asked |= plan.ask_each
        self.plan, self.ruleset = plan, ruleset
        if is_new:
            await self.mount_all(self._make_all())
            return
        # A seat's fields stay where they are: somebody may be typing there already.
        rows = self.rows
        for row in rows[len(plan.seats) :]:
            await row.remove()
        for row, seat in zip(rows, plan.seats, strict=False):
            row.seat_other(seat, self._asking(seat), is_own=bool(self._is_own(seat)))
        await self.query_one("#seats").mount_all([*self._make_seats()][len(rows) :], before="#seats .hint")
        rules = self.query_one("#rules", Vertical)
        opened = {fold.part for fold in self.query(Fold) if not fold.collapsed}
        await rules.remove_children()
        await rules.mount_all(self._make_folds(("Options", "Rules"), opened))
        count = self.query_one("#count", Select)
        count.set_options(self._counts())
        count.value = len(plan.seats)
        self.query_one("#people", Select).value = people_of(plan.seats)
        self.query_one("#ruleset", Select).value = plan.ruleset
        self.query_one("#summary", Static).update(ruleset.summary)
        race = next(field for field in fields_of(plan, ruleset)["Table"] if field.name == "race")
        self.query_one(f"#{race.id}", Checkbox).value = bool(race.value)

    def _make_all(self) -> Iterator[Widget]:
        plan = self.plan
        yield Static("Who plays", classes="heading -first")
        people = [(_people_words(number), number) for number in range(most_people(self._listed) + 1)]
        yield Row(
            Static("People", classes="label"),
            Pick.of(people, people_of(plan.seats), "people"),
            Static("at a table of", classes="between"),
            Pick.of(self._counts(), len(plan.seats), "count"),
        )
        yield Vertical(*self._make_seats(), Static(classes="hint"), id="seats", classes="part")
        games = [(_game_words(entry), entry.id) for entry in self._listed]
        if plan.ruleset not in {id_ for _, id_ in games}:
            games.append((plan.ruleset, plan.ruleset))
        yield Static("Game", classes="heading")
        yield Row(Static("Game", classes="label"), Pick.of(games, plan.ruleset, "ruleset"))
        yield Static(self.ruleset.summary, id="summary", classes="hint")
        yield from self._make_folds(("Table",))
        yield Vertical(*self._make_folds(("Options", "Rules")), id="rules", classes="part")

    def _counts(self) -> list[tuple[str, object]]:
        return [(f"{count} seats", count) for count in self.ruleset.seat_counts]

    def _make_seats(self) -> Iterator[SeatRow]:
        for seat, plan in enumerate(self.plan.seats):
            yield SeatRow(seat, plan, self._settings.names, self._asking(plan), is_own=self._is_own(plan))

    def _is_own(self, plan: SeatPlan) -> bool | None:
        """Whether somebody comes to a seat from a screen of their own; None: nobody can."""
        return plan.is_human and plan.name in self.plan.own_screens if self._may_host else None

    def _asking(self, plan: SeatPlan) -> AskCalls:
        return self._asked.get(plan.name, self._usual_asking)

    def _make_folds(self, parts: Sequence[str], opened: Collection[str] = ()) -> Iterator[Fold]:
        fields = fields_of(self.plan, self.ruleset)
        options = ", ".join(field.label for field in fields["Options"])
        inside = {
            "Table": "speed of AI moves, curtain, fastest call, teaching",
            "Options": options,
            "Rules": "deals, calls, handicap, referee, seed",
        }
        for part in parts:
            if fields[part]:
                rows = map(_row_of, fields[part])
                yield Fold(part, inside[part], *rows, id=f"fold-{part.lower()}", is_open=part in opened)


def _row_of(field: Field) -> Row:
    """A field with its name before it and its meaning behind it; a switch has its name in it."""
    beside = [Static(field.help, classes="beside")] if field.help else []
    if isinstance(field.value, bool):
        row = Row(Tick(field.label, field.value, id=field.id, compact=True, disabled=field.disabled), *beside)
    else:
        if field.choices:
            widget: Widget = Pick.of(field.choices, field.value, field.id)
        else:
            text = "" if field.value is None else str(field.value)
            widget = Input(text, placeholder=field.placeholder, id=field.id, compact=True, max_length=field.longest)
        row = Row(Static(field.label, classes="label"), widget, *beside)
    row.display = field.shown
    return row


def _people_words(number: int) -> str:
    return "nobody: watch" if number == 0 else "1 person" if number == 1 else f"{number} people"


def _game_words(entry: Listed) -> str:
    assert entry.ruleset is not None
    own = "" if entry.builtin else " (yours)"
    return f"{entry.ruleset.name}{own} · {counts_words(entry.ruleset.seat_counts)} seats"


#: Cells of a heading, so that what stands behind it begins where fields do, and of the symbol before it.
HEADING: Final = 16
SYMBOL: Final = 4
#: What is said where nothing is chosen otherwise, and what parts it from the rest.
USUAL: Final = "as usual"
BETWEEN: Final = " · "


class Fold(Whole, Collapsible):
    """A heading, and fields that are out of sight until it is opened with enter, space or a click."""

    DEFAULT_CSS = """
    Fold { background: transparent; border: none; padding: 0; }
    Fold:focus-within { background-tint: transparent; }
    Fold > Contents { padding: 0; }
    Fold > CollapsibleTitle { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "fold", "Open or close", show=False)]

    def __init__(self, heading: str, inside: str, *fields: Widget, id: str, is_open: bool = False) -> None:  # noqa: A002
        """`inside`: what it holds, in a few words."""
        super().__init__(*fields, id=id, collapsed=not is_open, collapsed_symbol="▸", expanded_symbol="▾")
        self.part, self._inside, self._told = heading, inside, ""

    @property
    def heading(self) -> Widget:
        """What opens and closes it."""
        return self.query_one(CollapsibleTitle)

    def tell(self, unusual: str) -> None:
        """Say what is chosen otherwise than usual; empty: nothing."""
        self._told = unusual
        self._show_line()

    def on_mount(self) -> None:
        self._show_line()

    def on_resize(self) -> None:
        self._show_line()

    def on_descendant_focus(self) -> None:
        self._show_line()

    def on_descendant_blur(self) -> None:
        self._show_line()

    def watch_collapsed(self) -> None:
        if self.is_mounted:
            self._show_line()

    def scroll_visible(self, *args: Any, **options: Any) -> None:
        """What its heading opens comes into sight; where a field in it is gone to, that one does."""
        if self.heading.has_focus:
            super().scroll_visible(*args, **options)

    def action_fold(self) -> None:
        """Open or close it, where its heading has the focus."""
        if self.heading.has_focus:
            self.collapsed = not self.collapsed

    def _show_line(self) -> None:
        has_focus = self.is_mounted and self.heading.has_focus
        room = self.size.width - HEADING - SYMBOL
        behind = ""
        if has_focus:
            behind = f"enter {'opens' if self.collapsed else 'closes'}"
            room -= len(BETWEEN + behind)
        elif self.collapsed and not self._told:
            behind = whole_items(self._inside, room - len(USUAL + BETWEEN))
        # With the focus the whole line has its colours.
        heading, told = ("", "") if has_focus else ("bold $gold", "$on-felt")
        said = [(whole_items(self._told, room), told) if self._told else (USUAL, "")]
        said += [(f"{BETWEEN}{behind}", "")] if behind else []
        self.title = Content.assemble((f"{self.part:<{HEADING}}", heading), *said)  # type: ignore[assignment]
