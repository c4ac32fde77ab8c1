"""Setting up a match: who plays, the game, its options, and how the table is to run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Select, Static

from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.notation.seat_text import wrong_name
from kalooki_tui.presenter.commands import Command, not_open
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import catalogue, load_ruleset
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.session import plan as plans
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.base import Dialog, GameScreen, unless
from kalooki_tui.tui.screens.question import ChoiceDialog
from kalooki_tui.tui.tableside.people import COLOURS, Badge, badges, may_have
from kalooki_tui.tui.widgets.choices import numbered
from kalooki_tui.tui.widgets.fields import Fold, Form, Pick, Row, SeatRow, Tick
from kalooki_tui.wording import capital, counted, whose


def _why_no_names(at: Any) -> Refusal | None:
    if at.row is None:
        return not_open("", "Go to a seat first: known names are for the people there.")
    return None if at.free_names else not_open("", "Nobody else is known here: type a name.")


def _why_no_badge(at: Any) -> Refusal | None:
    row = at.row
    if row is None or not row.plan.is_human:
        return not_open("", "Go to a person's seat first.")
    if sum(one.plan.is_human for one in at.query(SeatRow)) < 2:
        return not_open("", "Nobody shares the keyboard: personal keys are for several people.")
    return None if row.plan.name else not_open("", "The person needs a name first.")


_NO_SEAT: Final = unless(lambda at: at.row is not None, "Go to a seat first.")
COMMANDS: Final = (
    Command("start-match", "ctrl+s,f5", "Start", "Begin the match.", lambda at: at.start(), first=True),
    Command("setup-back", "escape", "Back", "To the first screen.", lambda at: at.app.go(routes.home())),
    Command("known-names", "ctrl+n,f4", "Known names", "Choose the name of somebody who has played here.",
            lambda at: at.choose_name(), _why_no_names),
    Command("person-key", "ctrl+k,f6", "Key and colour", "Choose a person's key and colour at the keyboard.",
            lambda at: at.choose_badge(), _why_no_badge, first=True),
    Command("seat-up", "ctrl+up", "Seat up", "Change places with the seat above.",
            lambda at: at.move_seat(-1), _NO_SEAT, first=True),
    Command("seat-down", "ctrl+down", "Seat down", "Change places with the seat below.",
            lambda at: at.move_seat(1), _NO_SEAT, first=True),
    Command("next-part", "pagedown,f8", "Next part", "To the next part: who plays, the game, the rest.",
            lambda at: at.form.go_part(1)),
    Command("last-part", "pageup,f7", "Part before", "To the previous part.",
            lambda at: at.form.go_part(-1)),
    Command("next-field", "down", "", "To the row below.", lambda at: at.form.go(1)),
    Command("last-field", "up", "", "To the row above.", lambda at: at.form.go(-1)),
)  # fmt: skip
START, BACK, NAMES, BADGE, UP, DOWN, NEXT_PART, LAST_PART = COMMANDS[:8]


class SetupScreen(GameScreen):
    """Form for one game at a time. Whatever is wrong is said in words when the match is to begin."""

    CSS_PATH = "setup.tcss"
    AUTO_FOCUS = ""  # the buttons are there before the fields
    OFFERED = COMMANDS
    takes_typing = True

    form = getters.query_one(Form)
    problem = getters.query_one("#problem", Static)

    def __init__(self, plan: plans.MatchPlan) -> None:
        super().__init__(name="setup")
        self.plan = plan
        self.ruleset: Ruleset
        self._asked: dict[str, plans.AskCalls] = dict(plan.ask_each)
        self._listed = [(entry, entry.ruleset) for entry in catalogue() if entry.ruleset is not None]
        self._begun: plans.MatchPlan | None = None
        self._filled = False
        """Whether every field is there: keys can come before."""
        self._renamed: set[int] = set()
        self._starts = False
        """Whether the match is to begin as soon as the form is filled."""
        self._names_refused: str | None = None

    def compose(self) -> ComposeResult:
        yield Static("New match", id="top")
        yield Form(id="form")
        yield Static("", id="problem")
        with Horizontal(id="buttons"):
            yield Button(f"{START.label} ({START.shown})", id="start", variant="primary", compact=True)
            yield Button(f"{BACK.label} ({BACK.shown})", id="back", compact=True)
            yield Static("", id="more")

    @on(events.Mount)
    async def _begin(self) -> None:
        self.ruleset, known = load_ruleset(self.plan.ruleset), self.app.settings.names
        plan, changed = plans.fitted(self.plan, self.ruleset, known)
        self.watch(self.form, "scroll_y", self._show_more)
        self.watch(self.form, "virtual_size", self._show_more)
        self.plan = replace(plan, seats=plans.named(plan.seats, known))
        await self.form.mount_all(self._make_all())
        if self._is_going or not self.query("#people"):
            return  # a second key has led elsewhere or ended the program, and the fields have not come
        self.query_one("#people").focus()
        self._has_filled()
        self._begun = self.read()
        if changed:
            self.problem.update(f"Changed to fit {self.ruleset.name}: {', '.join(changed)}.")

    def _has_filled(self) -> None:
        self._filled = True
        self._show_badges()
        self._tell()
        if self._starts:
            self.call_after_refresh(self.start)

    @property
    def is_opening(self) -> bool:
        return super().is_opening or (not self.is_away and self._begun is None)

    def _show_more(self) -> None:
        if self.is_here:
            below, above = self.form.scroll_y < self.form.max_scroll_y, self.form.scroll_y > 0
            up, down = LAST_PART.shown, NEXT_PART.shown
            more = f"▲▼ more: {up} {down}" if below else f"▲ more above: {up}"
            self.query_one("#more", Static).update(more if above else f"▼ more below: {down}" if below else "")

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._show_more)

    # What changes

    @on(Select.Changed)
    @on(Checkbox.Changed)
    @on(Input.Changed)
    def _changed(self) -> None:
        if self._filled and self.is_here:
            self._tell()

    @on(Checkbox.Changed, "#rules Checkbox")
    def _option_changed(self, event: Checkbox.Changed) -> None:
        """Leave out what does not go with an option that is chosen."""
        name = (event.checkbox.id or "").removeprefix("option-")
        if not (self._filled and event.value and name in self.ruleset.options):
            return
        for other in plans.excluded_by(self.ruleset, name):
            for box in self.query(f"#option-{other}").results(Checkbox):
                if box.value:
                    box.value = False
                    chosen, left = plans.option_name(name), plans.option_name(other)
                    self.problem.update(f"{chosen} and {left} do not go together: {left} is left out now.")

    @on(Select.Changed, "#people")
    async def _people_changed(self) -> None:
        people = self.query_one("#people", Select).value
        if not self._filled or not isinstance(people, int) or people == plans.people_of(self.seats):
            return
        told, plan, ruleset = "", self.read(), self.ruleset
        if people > max(ruleset.seat_counts):
            room = plans.counts_words(ruleset.seat_counts)
            larger = next(entry.id for entry, game in self._listed if max(game.seat_counts) >= people)
            plan = plans.for_game(plan, larger)
            told, ruleset = f"{ruleset.name} has {room} seats", load_ruleset(plan.ruleset)
            told = f"{told}: the game is {ruleset.name} now."
        seats = plans.with_people(plan.seats, people, ruleset.seat_counts, self.app.settings.names)
        await self._seated(replace(plan, seats=seats), ruleset, told)

    @on(Select.Changed, "#count")
    async def _count_changed(self) -> None:
        count = self.query_one("#count", Select).value
        if self._filled and isinstance(count, int) and count != len(self.plan.seats):
            plan = self.read()
            await self._seated(replace(plan, seats=plans.with_count(plan.seats, count)), self.ruleset)

    @on(Select.Changed, "#ruleset")
    async def _ruleset_changed(self) -> None:
        id_ = self.query_one("#ruleset", Select).value
        if not self._filled or id_ == self.plan.ruleset:
            return
        try:
            ruleset = load_ruleset(str(id_))
        except InputError as error:
            self.problem.update(str(error))
            return
        plan = plans.for_game(self.read(), str(id_))
        seats = plans.with_count(plan.seats, plans.nearest_count(ruleset.seat_counts, len(plan.seats)))
        gone = [seat.name for seat in plan.seats if seat.is_human and seat not in seats]
        told = f"{ruleset.name} has {counted(len(seats), 'seat')}: no room for {', '.join(gone)}." if gone else ""
        await self._seated(replace(plan, seats=seats), ruleset, told)

    async def _seated(self, plan: plans.MatchPlan, ruleset: Ruleset, told: str = "") -> None:
        self.problem.update(told or plans.advice(ruleset, plan))
        self._filled = False
        self._renamed.clear()
        self._asked |= plan.ask_each
        self.plan, self.ruleset = plan, ruleset
        with self.app.batch_update():
            await self._fill()
        self._has_filled()

    @on(Select.Changed, ".seat Select")
    def _player_changed(self, event: Select.Changed) -> None:
        if self._filled and (event.select.id or "").startswith("player-"):
            row = self.row_of(event.select)
            if row is not None and row.is_own and row.seat not in self._renamed and not plans.is_chosen(row.plan.name):
                row.name_field.value = ""
            for one, seat in zip(self.rows, plans.named(self.seats, self.app.settings.names), strict=True):
                if one.plan.name != seat.name:
                    one.name_field.value = seat.name
                    told = f"With several people everybody has a name: seat {one.seat + 1} is {seat.name} now."
                    self.problem.update(told)
            self._show_badges()
            self.query_one("#people", Select).value = plans.people_of(self.seats)

    @on(Input.Changed, ".seat Input")
    def _name_changed(self, event: Input.Changed) -> None:
        """Say while a name is typed that it will not do; over an AI seat's it is that of a person.

        Who then chooses an AI seat of that name has the last word.
        """
        if not self._filled or not self.is_here:
            return
        row = self.row_of(event.input)
        is_typed = row is not None and event.input.has_focus and row.seat not in self._renamed
        if row is not None and is_typed and row.plan.name and row.plan.name != self.plan.seats[row.seat].name:
            self._renamed.add(row.seat)
            self._seat_person(row)
        for one, seat in zip(self.rows, plans.with_own_names(self.seats), strict=True):
            if one.plan.name != seat.name:
                one.name_field.value = seat.name
        wrong = wrong_name(self.names)
        if wrong is not None:
            self._names_refused = wrong.why
            self.problem.update(f"Seat {wrong.seat + 1}: {wrong.why}.")
        elif self._names_refused is not None:
            self._names_refused = None
            self.problem.update("")
        self._show_badges()

    @on(Input.Submitted, ".seat Input")
    def _name_given(self, event: Input.Submitted) -> None:
        row = self.row_of(event.input)
        if row is not None and row.seat + 1 < len(self.rows):
            self.rows[row.seat + 1].name_field.focus()

    @on(Input.Blurred, ".seat Input")
    def _name_left(self, event: Input.Blurred) -> None:
        event.input.cursor_position = 0

    @property
    def _badges(self) -> dict[int, Badge]:
        seats, settings = self.seats, self.app.settings
        people = [row.seat for row in self.rows if row.player == "human"]
        return badges([seat.name for seat in seats], people, settings.person_keys, settings.person_colours)

    def _show_badges(self) -> None:
        own = self._badges
        known = f"{NAMES.shown} known names · " if self.app.settings.names else ""
        several = f"{BADGE.shown} key, colour · " if plans.people_of(self.seats) > 1 else ""
        self.query_one("#seats .hint", Static).update(f"{known}{several}{UP.shown} {DOWN.shown} change seats")
        for row in self.rows:
            row.may_call = bool(self.ruleset.calls.limit)
            row.show_player(own.get(row.seat))

    def _seat_person(self, row: SeatRow) -> None:
        if str(row.player).startswith("ai:"):
            row.player_field.value = "human"

    # The fields

    @property
    def rows(self) -> list[SeatRow]:
        """Seats in their order; none before the fields are there."""
        return [*self.query(SeatRow)]

    @property
    def seats(self) -> tuple[SeatPlan, ...]:
        return tuple(row.plan for row in self.rows)

    @property
    def names(self) -> list[str]:
        """Names of the seats; a seat for whoever comes is called something that no name is."""
        return [row.plan.name or (f"({row.seat})" if row.is_own else "") for row in self.rows]

    @property
    def row(self) -> SeatRow | None:
        return self.row_of(self.focused)

    def row_of(self, field: Widget | None) -> SeatRow | None:
        return next((row for row in self.rows if field is not None and field in row.fields), None)

    @property
    def _held(self) -> dict[str, object]:
        """Values of the fields by id, found in one walk: the form is read at each key."""
        fields = (one for one in self.form.walk_children() if isinstance(one, Checkbox | Input | Select))
        # A list that is taken down holds nothing any more.
        return {field.id: field.value for field in fields if field.id and field.value is not Select.NULL}

    @property
    def is_settled(self) -> bool:
        """True if game, seats and people chosen in the lists are those that are shown."""
        held, plan = self._held, self.plan
        chosen = held.get("ruleset"), held.get("count"), held.get("people")
        return chosen == (plan.ruleset, len(plan.seats), plans.people_of(self.seats))

    def read(self) -> plans.MatchPlan:
        return plans.read_fields(self._people_seated, self.ruleset, self._held)

    @property
    def _people_seated(self) -> plans.MatchPlan:
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
    def _usual_asking(self) -> plans.AskCalls:
        several = plans.people_of(self.plan.seats) > 1
        usual = self.plan.ask_calls or plans.AskCalls(self.app.settings.ask_calls)
        return self.plan.ask_several if several else usual

    def _tell(self) -> None:
        """Show behind each heading what is unusual there; hide fields that do nothing."""
        fields = plans.fields_of(self.read(), self.ruleset)
        for fold in self.query(Fold):
            fold.tell(plans.unusual(fields[fold.part]))
        for field in fields["Table"]:
            for widget in self.query(f"#{field.id}"):
                assert widget.parent is not None
                widget.parent.display = field.shown

    async def _fill(self) -> None:
        """Show what the ruleset, with these seats, leaves to be chosen; what is typed meanwhile keeps its place."""
        plan, rows = self.plan, self.rows
        # A seat's fields stay where they are: somebody may be typing there already.
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
        self.query_one("#people", Select).value = plans.people_of(plan.seats)
        self.query_one("#ruleset", Select).value = plan.ruleset
        self.query_one("#summary", Static).update(self.ruleset.summary)
        race = next(field for field in plans.fields_of(plan, self.ruleset)["Table"] if field.name == "race")
        for box in self.query(f"#{race.id}").results(Checkbox):
            box.value = bool(race.value)

    def _make_all(self) -> Iterator[Widget]:
        plan = self.plan
        yield Static("Who plays", classes="heading -first")
        people = [("nobody: watch", 0), ("1 person", 1)]
        most = max(max(game.seat_counts) for _, game in self._listed)
        people += [(f"{number} people", number) for number in range(2, most + 1)]
        yield Row(
            Static("People", classes="label"),
            Pick.of(people, plans.people_of(plan.seats), "people"),
            Static("at a table of", classes="between"),
            Pick.of(self._counts(), len(plan.seats), "count"),
        )
        yield Vertical(*self._make_seats(), Static(classes="hint"), id="seats", classes="part")
        games = [
            (f"{game.name}{'' if one.builtin else ' (yours)'} · {plans.counts_words(game.seat_counts)} seats", one.id)
            for one, game in self._listed
        ]
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
            yield SeatRow(seat, plan, self.app.settings.names, self._asking(plan), is_own=self._is_own(plan))

    def _is_own(self, plan: SeatPlan) -> bool | None:
        """Tell whether somebody comes to a seat from a screen of their own; None: nobody can."""
        return plan.is_human and plan.name in self.plan.own_screens if self.app.may_host else None

    def _asking(self, plan: SeatPlan) -> plans.AskCalls:
        return self._asked.get(plan.name, self._usual_asking)

    def _make_folds(self, parts: Sequence[str], opened: Collection[str] = ()) -> Iterator[Fold]:
        fields = plans.fields_of(self.plan, self.ruleset)
        options = ", ".join(field.label for field in fields["Options"])
        inside = {
            "Table": "speed of AI moves, curtain, fastest call, teaching",
            "Options": options,
            "Rules": "deals, calls, handicap, referee, seed",
        }
        for part in parts:
            if fields[part]:
                make = partial(self._make_rows, part)
                yield Fold(part, inside[part], make, id=f"fold-{part.lower()}", is_open=part in opened)

    def _make_rows(self, part: str) -> list[Row]:
        plan = self.read() if self._filled else self.plan
        return [_row_of(field) for field in plans.fields_of(plan, self.ruleset)[part]]

    # Commands

    @property
    def free_names(self) -> list[str]:
        return plans.free_names(self.seats, self.app.settings.names)

    def choose_name(self) -> None:
        row = self.row
        assert row is not None

        def chosen(name: str) -> None:
            if row.is_mounted:
                row.name_field.value = name
                self._renamed.add(row.seat)
                self._seat_person(row)

        names = numbered((name, name) for name in self.free_names)
        self.app.overlays.choose(ChoiceDialog(f"Who sits in seat {row.seat + 1}?", "", names, may_close=True), chosen)

    def choose_badge(self) -> None:
        row = self.row
        assert row is not None
        own, names, name = self._badges, [seat.name for seat in self.seats], row.plan.name

        def chosen(badge: Badge) -> None:
            settings = self.app.settings
            keys = {**settings.person_keys, name: badge.key}
            colours = {**settings.person_colours, name: badge.colour}
            self.app.remember(replace(settings, person_keys=keys, person_colours=colours))
            self._show_badges()

        others = {badge.key: names[seat] for seat, badge in own.items() if seat != row.seat}
        self.app.overlays.choose(BadgeDialog(name, own[row.seat], others), chosen)

    async def _exchange(self, seat: int, other: int) -> None:
        plan = self.read()
        first = {seat: other, other: seat}.get(plan.first_turn, plan.first_turn)
        seats = list(plan.seats)
        seats[seat], seats[other] = seats[other], seats[seat]
        plan = replace(plan, seats=tuple(seats), first_turn=first)
        await self._seated(plan, self.ruleset)
        self.query_one(f"#name-{other}").focus()

    def move_seat(self, step: int) -> None:
        row = self.row
        if row is not None and self._filled:
            self.call_next(self._exchange, row.seat, (row.seat + step) % len(self.rows))

    @on(Button.Pressed, "#start")
    def start(self) -> None:
        if not self.is_live:
            return
        # What was chosen a moment ago may still be on its way into the form.
        self._starts = not (self._filled and self.is_settled)
        if self._starts:
            return
        wrong = wrong_name(self.names)
        if wrong is not None:
            self.problem.update(f"Seat {wrong.seat + 1}: {wrong.why}.")
            self.query_one(f"#name-{wrong.seat}").focus()
            return
        nameless = plans.unnamed(self.seats)
        if nameless is not None:
            self.problem.update(f"Seat {nameless + 1}: with several people everybody needs a name.")
            self.query_one(f"#name-{nameless}").focus()
            return
        found = plans.wrong_field(self._people_seated, self.ruleset, self._held)
        if found is not None:
            self.call_next(self._show_wrong, *found)
            return
        plan = self.read()
        try:
            plan.check()
            self.app.go(routes.new_match(plan))
        except ValueError as error:
            self.problem.update(str(error))

    async def _show_wrong(self, field: plans.Field, why: ValueError) -> None:
        self.problem.update(str(why))
        parts = plans.fields_of(self.read(), self.ruleset)
        for fold in self.query(Fold):
            if field.id in {one.id for one in parts[fold.part]}:
                await fold.open()
        self.call_after_refresh(self.query_one(f"#{field.id}").focus)

    @on(Button.Pressed, "#back")
    def back(self) -> None:
        self.app.go(routes.home())

    @property
    def lost(self) -> str:
        if not self._filled or self._begun is None or self.read() == self._begun:
            return ""
        return "What you have chosen here will not be kept."


def _row_of(field: plans.Field) -> Row:
    """Make a field with its name before it and its meaning behind it; a switch has its name in it."""
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


class BadgeDialog(Dialog):
    """Question for a free key, which becomes the person's when it is pressed; dismissed with a `Badge`, or None."""

    OFFERED = (
        Command("next-colour", "right,down,tab", "", "The next colour.", lambda at: at.turn(1)),
        Command("last-colour", "left,up,shift+tab", "", "The colour before.", lambda at: at.turn(-1)),
        Command("take-badge", "enter", "", "Use this key and colour.", lambda at: at.dismiss(at.badge)),
        Command("answer-nothing", "escape", "", "Leave it as it was.", lambda at: at.dismiss(None)),
    )
    foot = "enter keeps it · esc cancels"

    def __init__(self, name: str, badge: Badge, others: Mapping[str, str]) -> None:
        super().__init__(name="badge")
        self.heading = f"{capital(whose(name))} key and colour"
        self._person, self._others = name, dict(others)
        self.badge = badge

    def inside(self) -> ComposeResult:
        yield Static("Press the key you want: a digit, or a letter such as your initial. ← → change the colour.\n")
        yield Static(id="sample")
        yield Static(id="told")

    def on_mount(self) -> None:
        self._show()

    def on_key(self, event: events.Key) -> None:
        key = (event.character or "").lower()
        if not (key.isalnum() or key == "-") or not key.isascii():
            return
        event.stop()
        if key in self._others:
            self._show(f"{key} is {whose(self._others[key])} key.")
        elif not may_have(key):
            self._show(f"{key} does something else between turns.")
        else:
            self.badge = Badge(key, self.badge.colour)
            self._show()

    def turn(self, step: int) -> None:
        names = list(COLOURS)
        colour = names[(names.index(self.badge.colour) + step) % len(names)]
        self.badge = Badge(self.badge.key, colour)
        self._show()

    def _show(self, told: str = "") -> None:
        words = f"  {self._person}: it is your turn · {self.badge.colour}\n"
        self.query_one("#sample", Static).update(Content.assemble(self.badge.chip(wide=True), words))
        line = self.query_one("#told", Static)
        line.update(f"{told}\n" if told else "")
        line.display = bool(told)
