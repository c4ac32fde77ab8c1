"""Setting up a match: the game, its options, who sits where, and how the table is to run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from textual import events, getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Select, Static

from kalooki_tui.desk.asking import SEVERAL_WORDS
from kalooki_tui.desk.commands import Command
from kalooki_tui.desk.fitting import fitted, with_count
from kalooki_tui.desk.plan import CALL_SECONDS_OFFERED, AskCalls, MatchPlan, Speed, usual_seats
from kalooki_tui.desk.words import SETTING_WORDS
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.seats import LONGEST_NAME, wrong_name
from kalooki_tui.players import LEVEL_TEXTS
from kalooki_tui.problems import InputError
from kalooki_tui.rulesets.loader import SETTING_MEANINGS, Listed, catalogue, load_ruleset
from kalooki_tui.rulesets.model import OptionRule, Ruleset, Settings
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.ui.commands import Commanded
from kalooki_tui.ui.screens.base import GameScreen
from kalooki_tui.ui.widgets.fields import Form, Pick, Tick

SWITCHES: Final = ("dealer_cut", "race")


COMMANDS: Final = (
    Command("start-match", "ctrl+s,f5", "Start", "Begin the match.", lambda at: at.start(), first=True),
    Command("setup-back", "escape", "Back", "To the first screen.", lambda at: at.game.go_home()),
    Command("next-field", "down", "", "To the next field.", lambda at: at.focus_next()),
    Command("last-field", "up", "", "To the field before.", lambda at: at.focus_previous()),
)
START, BACK = COMMANDS[:2]


class SetupScreen(Commanded, GameScreen):
    """A form. Whatever is wrong with it is said in words when the match is to begin."""

    CSS_PATH = "setup.tcss"
    OFFERED = COMMANDS

    form = getters.query_one(Form)
    problem = getters.query_one("#problem", Static)

    def __init__(self, plan: MatchPlan) -> None:
        super().__init__(name="setup")
        self._plan = plan
        self._listed: list[Listed] = []
        self._ruleset: Ruleset
        self._changed: tuple[str, ...] = ()
        """What of the plan did not fit its ruleset."""
        self._filled = False
        """Whether every field is there: keys can come before."""
        self._renamed: set[int] = set()
        """Seats over whose names something was typed."""
        self._starts = False
        """Whether the match is to begin as soon as the form is filled."""
        self._names_refused: str | None = None
        """What was last said of a name that will not do."""

    def compose(self) -> ComposeResult:
        """The form; its middle is filled for the ruleset chosen."""
        yield Static("New match", id="title")
        with Form(id="form"):
            yield from self._top()
            yield Vertical(id="details")
        yield Static("", id="problem", markup=False)
        with Horizontal(id="buttons"):
            yield Button(f"{START.label} ({START.shown})", id="start", variant="primary", compact=True)
            yield Button(f"{BACK.label} ({BACK.shown})", id="back", compact=True)
            yield Static("", id="more")

    def _top(self) -> Iterator[Widget]:
        self._listed = [entry for entry in catalogue() if entry.ruleset is not None]
        known = {entry.id: entry.ruleset.name for entry in self._listed if entry.ruleset is not None}
        options = [_prompt(name if self._is_builtin(id_) else f"{name} (yours)", id_) for id_, name in known.items()]
        if self._plan.ruleset not in known:
            options.append(_prompt(self._plan.ruleset, self._plan.ruleset))
        self._ruleset = load_ruleset(self._plan.ruleset)
        self._plan, self._changed = fitted(self._plan, self._ruleset, self.game.settings.names)
        yield _row("Game", Pick(options, value=self._plan.ruleset, allow_blank=False, compact=True, id="ruleset"))
        yield Static(self._ruleset.summary, id="summary", classes="hint", markup=False)

    def _is_builtin(self, id_: str) -> bool:
        return next(entry.builtin for entry in self._listed if entry.id == id_)

    @on(events.Mount)
    async def _begin(self) -> None:
        """Fill the form."""
        self.watch(self.form, "scroll_y", self._show_more)
        self.watch(self.form, "virtual_size", self._show_more)
        await self._fill()
        self.query_one("#ruleset").focus()
        if self._changed:
            self.problem.update(f"What does not fit {self._ruleset.name} is set otherwise: {', '.join(self._changed)}.")

    async def _fill(self) -> None:
        """Show what this ruleset, with this many seats, leaves to be chosen."""
        self._filled = False
        self._renamed.clear()
        details = self.query_one("#details", Vertical)
        await details.remove_children()
        await details.mount_all(list(self._details()))
        self._filled = True
        if self._starts:
            self.call_after_refresh(self.start)

    def _show_more(self) -> None:
        """Say in which direction the form goes on."""
        if self.is_here:
            below, above = self.form.scroll_y < self.form.max_scroll_y, self.form.scroll_y > 0
            more = "▲▼ more above and below" if above and below else "▼ more below: ↓" if below else "▲ more above"
            self.query_one("#more", Static).update(more if above or below else "")

    def on_resize(self, event: events.Resize) -> None:
        """Another part of the form is seen."""
        self.call_after_refresh(self._show_more)

    def _details(self) -> Iterator[Widget]:
        ruleset, plan = self._ruleset, self._plan
        counts = [(f"{count} seats", count) for count in ruleset.seat_counts]
        yield Static("Seats", classes="heading")
        yield _row("How many", Pick(counts, value=len(plan.seats), allow_blank=False, compact=True, id="count"))
        for seat, seat_plan in enumerate(plan.seats):
            yield _seat_row(seat, seat_plan, self.game.settings.names)
        if ruleset.seating.first_turn == "named-then-winner":
            seats = [_prompt(seat_plan.name, seat) for seat, seat_plan in enumerate(plan.seats)]
            first = min(plan.first_turn, len(seats) - 1)
            yield _row("Begins (youngest)", Pick(seats, value=first, allow_blank=False, compact=True, id="first-turn"))
        yield Static("Table", classes="heading")
        yield _row(
            "AI moves",
            Pick(
                [(str(speed), speed) for speed in Speed], value=plan.speed, allow_blank=False, compact=True, id="speed"
            ),
        )
        curtain = Tick("Curtain", plan.curtain, id="curtain", compact=True)
        yield _switch_row(curtain, "Hide hands between people who share this screen.")
        teaching = Tick("Teaching match", plan.teaching, id="teaching", compact=True)
        yield _switch_row(teaching, "Take back anything done in the deal, as often as you like; not rated.")
        asking = [(SEVERAL_WORDS[way].replace("me", "them"), way) for way in (AskCalls.ALWAYS, AskCalls.HELPS)]
        several = Pick(asking, value=plan.ask_several, allow_blank=False, compact=True, id="asking")
        yield _row("Ask of calls", several, "Of several people; at the table each may choose.")
        clock = [(f"{seconds} seconds", seconds) for seconds in CALL_SECONDS_OFFERED]
        yield _row(
            "Time to call",
            Pick(clock, value=plan.call_seconds, allow_blank=False, compact=True, id="call-seconds"),
            "For several people, where the fastest call wins.",
        )
        if ruleset.options:
            yield Static("Options", classes="heading")
            for name, option in ruleset.options.items():
                yield from self._option(name, option)
        yield Static("Rules of this match", classes="heading")
        yield from self._referee()
        yield from self._settings()
        seed = "" if plan.seed is None else str(plan.seed)
        yield _row("Seed", Input(seed, placeholder="random", id="seed", compact=True, max_length=18))

    def _option(self, name: str, option: OptionRule) -> Iterator[Widget]:
        seats = len(self._plan.seats)
        fits = option.seats is None or seats in option.seats
        advice = ""
        if _is_recommended(option, seats):
            advice = " Recommended with this many seats: the stock lasts."
        if not fits and option.seats is not None:
            advice = f" Only for {', '.join(map(str, option.seats))} seats."
        chosen = name in self._plan.options and fits
        box = Tick(name.replace("-", " ").capitalize(), chosen, id=f"option-{name}", compact=True, disabled=not fits)
        yield _switch_row(box, f"{option.summary}{advice}")

    def _referee(self) -> Iterator[Widget]:
        if self._ruleset.infractions is None:
            return
        referees = [
            ("strict: what is forbidden is refused", Referee.STRICT),
            ("penalties: attempts are charged", Referee.PENALTIES),
        ]
        yield _row("Referee", Pick(referees, value=self._plan.referee, allow_blank=False, compact=True, id="referee"))

    def _settings(self) -> Iterator[Widget]:
        defaults = Settings.model_validate(self._ruleset.settings)
        names = [name for name in SETTING_MEANINGS if name in self._ruleset.settings or name in ("race", "max_redeals")]
        for name in names:
            value = self._plan.settings.get(name, getattr(defaults, name))
            label, meaning = SETTING_WORDS[name]
            if name in SWITCHES:
                yield _switch_row(Tick(label, bool(value), id=f"setting-{name}", compact=True), meaning)
            else:
                text = "" if value is None else str(value)
                field = Input(
                    text,
                    placeholder="ask" if name == "max_redeals" else "",
                    id=f"setting-{name}",
                    compact=True,
                    max_length=6,
                )
                yield _row(label, field, meaning)

    # What changes

    @on(Input.Changed, ".seat Input")
    def _names_changed(self) -> None:
        """Say while a name is typed that it will not do."""
        if self._filled and self.is_here:
            wrong = wrong_name([seat.name for seat in self._read_seats()])
            if wrong is not None:
                self._names_refused = wrong.why
                self.problem.update(f"Seat {wrong.seat + 1}: {wrong.why}.")
            elif self._names_refused is not None:
                self._names_refused = None
                self.problem.update("")

    @on(Select.Changed, "#ruleset")
    async def _ruleset_changed(self, event: Select.Changed) -> None:
        if event.value == self._plan.ruleset or not self.is_here:
            return
        names = self._read_seats()
        try:
            self._ruleset = load_ruleset(str(event.value))
        except InputError as error:
            self.problem.update(str(error))
            return
        self.query_one("#summary", Static).update(self._ruleset.summary)
        usual = usual_seats(self._ruleset)
        seats = tuple(names[seat] if seat < len(names) else usual[seat] for seat in range(len(usual)))
        kept = {
            "speed": self._plan.speed,
            "curtain": self._plan.curtain,
            "ask_several": self._plan.ask_several,
            "call_seconds": self._plan.call_seconds,
            "seed": self._plan.seed,
            "teaching": self._plan.teaching,
        }
        self._plan = MatchPlan(ruleset=str(event.value), seats=seats, **kept)  # type: ignore[arg-type]
        await self._fill()

    @on(Select.Changed, "#count")
    async def _count_changed(self, event: Select.Changed) -> None:
        count = event.value
        if not isinstance(count, int) or count == len(self._plan.seats) or not self.is_here:
            return
        self._plan = self._read(with_count(self._read_seats(), count))
        recommended = {name for name, option in self._ruleset.options.items() if _is_recommended(option, count)}
        if recommended - set(self._plan.options):
            names = ", ".join(sorted(recommended))
            self.problem.update(f"With {count} seats the option {names} is recommended: two packs run out often (D15).")
        else:
            self.problem.update("")
        await self._fill()
        self.query_one("#count").focus()

    @on(Input.Changed)
    def _named(self, event: Input.Changed) -> None:
        """A name typed over an AI seat's is that of a person, unless the player is chosen otherwise afterwards."""
        place = (event.input.id or "").removeprefix("name-")
        if not place.isdigit() or not event.input.has_focus or int(place) in self._renamed:
            return
        seat, player = int(place), self.query_one(f"#player-{place}", Select)
        if event.value.strip() and event.value != self._plan.seats[seat].name:
            self._renamed.add(seat)
            if str(player.value).startswith("ai:"):
                player.value = "human"

    @on(Button.Pressed, "#start")
    def start(self) -> None:
        """Begin the match, or say what is wrong."""
        if not self.is_live:
            return
        game, count = self.query_one("#ruleset", Select), self.query("#count").results(Select)
        told = game.value == self._plan.ruleset and all(one.value == len(self._plan.seats) for one in count)
        # What was chosen a moment ago may still be on its way into the form.
        self._starts = not (self._filled and told)
        if self._starts:
            return
        try:
            plan = self._read(self._read_seats(), strictly=True)
            self.game.play(plan)
        except ValueError as error:
            self.problem.update(str(error))

    @on(Button.Pressed, "#back")
    def back(self) -> None:
        """Home."""
        self.game.go_home()

    # Reading the form

    def _read_seats(self) -> tuple[SeatPlan, ...]:
        seats = []
        for seat in range(len(self._plan.seats)):
            name = self.query_one(f"#name-{seat}", Input).value.strip()
            player = self.query_one(f"#player-{seat}", Select).value
            seats.append(SeatPlan(name, str(player)))
        return tuple(seats)

    def _read(self, seats: tuple[SeatPlan, ...], *, strictly: bool = False) -> MatchPlan:
        """The form as a plan; what cannot be read is left out, or an error where `strictly`.

        Raises:
            ValueError: a number is no number.
        """
        options = tuple(name for name in self._ruleset.options if self.query_one(f"#option-{name}", Checkbox).value)
        referees = self.query("#referee").results(Select)
        referee = next((Referee(str(select.value)) for select in referees), Referee.STRICT)
        first = next((select.value for select in self.query("#first-turn").results(Select)), 0)
        return MatchPlan(
            ruleset=self._plan.ruleset,
            seats=seats,
            options=options,
            referee=referee,
            settings=self._read_settings(strictly),
            first_turn=first if isinstance(first, int) else 0,
            seed=_number("the seed", self.query_one("#seed", Input).value, strictly),
            speed=Speed(str(self.query_one("#speed", Select).value)),
            curtain=self.query_one("#curtain", Checkbox).value,
            teaching=self.query_one("#teaching", Checkbox).value,
            ask_several=AskCalls(str(self.query_one("#asking", Select).value)),
            call_seconds=int(str(self.query_one("#call-seconds", Select).value)),
        )

    def _read_settings(self, strictly: bool) -> dict[str, object]:
        """The settings that differ from the ruleset's own."""
        defaults = Settings.model_validate(self._ruleset.settings)
        chosen: dict[str, object] = {}
        for name in SETTING_MEANINGS:
            for widget in self.query(f"#setting-{name}"):
                value: object
                if isinstance(widget, Checkbox):
                    value = widget.value
                else:
                    assert isinstance(widget, Input)
                    value = _number(name.replace("_", " "), widget.value, strictly)
                    if value is None and name != "max_redeals":
                        continue
                if value != getattr(defaults, name):
                    chosen[name] = value
        return chosen


def _is_recommended(option: OptionRule, seats: int) -> bool:
    """Whether an option is advised with that many seats (D15)."""
    fits = option.seats is None or seats in option.seats
    return fits and option.recommended_from is not None and seats >= option.recommended_from


def _number(what: str, text: str, strictly: bool) -> int | None:
    text = text.strip()
    if not text:
        return None
    try:
        return int(text)
    except ValueError:
        if strictly:
            raise ValueError(f"{what} must be a whole number, not {text!r}") from None
        return None


def _prompt(text: str, value: object) -> tuple[Content, object]:
    """A line of a list, whose text is nobody's markup."""
    return Content(text), value


def _row(label: str, widget: Widget, hint: str = "") -> Horizontal:
    parts = [Static(label, classes="label"), widget]
    if hint:
        parts.append(Static(hint, classes="beside", markup=False))
    return Horizontal(*parts, classes="row")


def _switch_row(box: Checkbox, hint: str) -> Horizontal:
    return Horizontal(box, Static(hint, classes="beside", markup=False), classes="row")


def _seat_row(seat: int, plan: SeatPlan, known: Sequence[str]) -> Horizontal:
    players = [_prompt("a person", "human")]
    players += [_prompt(f"AI, {text.replace('/', ', ')}", f"ai:{text}") for text in LEVEL_TEXTS]
    if plan.is_outside:
        players.append(_prompt(plan.player, plan.player))
    return Horizontal(
        Static(f"Seat {seat + 1}", classes="label"),
        Input(
            plan.name,
            placeholder="name",
            id=f"name-{seat}",
            compact=True,
            max_length=LONGEST_NAME,
            suggester=SuggestFromList(known, case_sensitive=False),
        ),
        Pick(players, value=plan.player, allow_blank=False, compact=True, id=f"player-{seat}"),
        classes="row seat",
    )
