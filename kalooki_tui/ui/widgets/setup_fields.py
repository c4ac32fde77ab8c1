"""The fields of the form for a new match: what this game, with these seats, leaves to be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual.widget import Widget
from textual.widgets import Input, Static

from kalooki_tui.desk import setting_up
from kalooki_tui.desk.plan import CALL_SECONDS_OFFERED, AskCalls, MatchPlan, Speed
from kalooki_tui.desk.seating import people_of
from kalooki_tui.desk.setting_up import SWITCHES
from kalooki_tui.desk.words import SETTING_WORDS
from kalooki_tui.rulesets.loader import Listed
from kalooki_tui.rulesets.model import Ruleset, Settings
from kalooki_tui.ui.widgets.fields import Pick, Row, SeatRow, Tick, labelled, switch


@dataclass(frozen=True)
class SetupFields:
    """What the fields are made of. `known` are people's names, `seat_keys` the keys that work on a seat, in words."""

    plan: MatchPlan
    ruleset: Ruleset
    listed: Sequence[Listed]
    known: Sequence[str]
    asked: Mapping[str, AskCalls]
    usual_asking: AskCalls
    seat_keys: str

    def __iter__(self) -> Iterator[Widget]:
        """The fields from the top down."""
        yield from self._people()
        yield from self._game()
        yield from self._table()
        yield from self._rules()

    def _people(self) -> Iterator[Widget]:
        plan = self.plan
        yield Static("Who plays", classes="heading -first")
        people = [(_people_words(number), number) for number in range(setting_up.most_people(self.listed) + 1)]
        counts = [(f"{count} seats", count) for count in self.ruleset.seat_counts]
        yield Row(
            Static("People", classes="label"),
            Pick.of(people, people_of(plan.seats), "people"),
            Static("at a table of", classes="between"),
            Pick.of(counts, len(plan.seats), "count"),
        )
        for seat, seat_plan in enumerate(plan.seats):
            yield SeatRow(seat, seat_plan, self.known, self.asked.get(seat_plan.name, self.usual_asking))
        yield Static(self.seat_keys, classes="hint", markup=False)

    def _game(self) -> Iterator[Widget]:
        games = [(_game_words(entry), entry.id) for entry in self.listed]
        if self.plan.ruleset not in {id_ for _, id_ in games}:
            games.append((self.plan.ruleset, self.plan.ruleset))
        yield Static("Game", classes="heading")
        yield labelled("Game", Pick.of(games, self.plan.ruleset, "ruleset"))
        yield Static(self.ruleset.summary, id="summary", classes="hint", markup=False)
        if self.ruleset.seating.first_turn == "named-then-winner":
            seats = [(seat.name, place) for place, seat in enumerate(self.plan.seats)]
            first = min(self.plan.first_turn, len(seats) - 1)
            yield labelled("Begins", Pick.of(seats, first, "first-turn"), "The youngest, by the rules.")
        teaching = Tick("Teaching match", self.plan.teaching, id="teaching", compact=True)
        yield switch(teaching, "Take back anything done in the deal; not rated.")

    def _table(self) -> Iterator[Widget]:
        plan = self.plan
        yield Static("Table", classes="heading")
        yield labelled("AI moves", Pick.of([(str(speed), speed) for speed in Speed], plan.speed, "speed"))
        curtain = Tick("Curtain", plan.curtain, id="curtain", compact=True)
        yield switch(curtain, "Hide hands between people who share this screen.")
        race = Tick(SETTING_WORDS["race"][0], bool(self._setting("race")), id="setting-race", compact=True)
        yield switch(race, SETTING_WORDS["race"][1])
        clock = [(f"{seconds} seconds", seconds) for seconds in CALL_SECONDS_OFFERED]
        yield labelled(
            "Time to call", Pick.of(clock, plan.call_seconds, "call-seconds"), "Where the fastest call wins."
        )

    def _rules(self) -> Iterator[Widget]:
        ruleset, plan, seats = self.ruleset, self.plan, len(self.plan.seats)
        if ruleset.options:
            yield Static("Options", classes="heading")
        for name, option in ruleset.options.items():
            may = setting_up.fits(option, seats)
            box = Tick(
                name.replace("-", " ").capitalize(),
                may and name in plan.options,
                id=f"option-{name}",
                compact=True,
                disabled=not may,
            )
            yield switch(box, setting_up.option_words(option, seats))
        yield Static("Rules of this match", classes="heading")
        if ruleset.infractions is not None:
            referee = Pick.of(setting_up.REFEREES, plan.referee, "referee")
            yield labelled("Referee", referee, setting_up.REFEREE_MEANS)
        for name in setting_up.setting_names(ruleset):
            if name == "race":
                continue
            (label, meaning), value = SETTING_WORDS[name], self._setting(name)
            if name in SWITCHES:
                yield switch(Tick(label, bool(value), id=f"setting-{name}", compact=True), meaning)
            else:
                text, empty = "" if value is None else str(value), "ask" if name == "max_redeals" else ""
                field = Input(text, placeholder=empty, id=f"setting-{name}", compact=True, max_length=6)
                yield labelled(label, field, meaning)
        seed = Input(
            "" if plan.seed is None else str(plan.seed), placeholder="random", id="seed", compact=True, max_length=18
        )
        yield labelled("Seed", seed, "The same seed deals the same cards.")

    def _setting(self, name: str) -> Any:
        usual = Settings.model_validate(self.ruleset.settings)
        return self.plan.settings.get(name, getattr(usual, name))


def _people_words(number: int) -> str:
    return "nobody: watch" if number == 0 else "one person" if number == 1 else f"{number} people"


def _game_words(entry: Listed) -> str:
    assert entry.ruleset is not None
    own = "" if entry.builtin else " (yours)"
    return f"{entry.ruleset.name}{own} · {setting_up.counts_words(entry.ruleset.seat_counts)} seats"
