"""The fields of the form for a new match: what this game, with these seats, leaves to be chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from kalooki_tui.desk.setup import setting_up
from kalooki_tui.desk.setup.plan import (
    ANSWER_SECONDS_OFFERED,
    CALL_SECONDS_OFFERED,
    HINTS,
    MINUTES_OFFERED,
    AskCalls,
    MatchPlan,
    Speed,
)
from kalooki_tui.desk.setup.seating import people_of
from kalooki_tui.desk.setup.setting_up import CLOCK_MEANS, SWITCHES
from kalooki_tui.desk.words.deals import SETTING_WORDS
from kalooki_tui.rulesets.house import CALLS, DEALS, DOUBLING, value_of
from kalooki_tui.rulesets.loader import Listed
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.ui.widgets.fields import Pick, Row, SeatRow, Tick, labelled, switch
from kalooki_tui.ui.widgets.fold import Fold


@dataclass(frozen=True)
class SetupFields:
    """Data of the fields. `known`: people's names; `seat_keys`: the keys that work on a seat, in words.

    `may_host`: whether people can come from screens of their own.
    """

    plan: MatchPlan
    ruleset: Ruleset
    listed: Sequence[Listed]
    known: Sequence[str]
    asked: Mapping[str, AskCalls]
    usual_asking: AskCalls
    seat_keys: str
    may_host: bool = False
    opened: Collection[str] = ()
    """Parts that are open, by the ids of their folds."""

    def __iter__(self) -> Iterator[Widget]:
        """The fields from the top down."""
        plan = self.plan
        yield Static("Who plays", classes="heading -first")
        people = [(_people_words(number), number) for number in range(setting_up.most_people(self.listed) + 1)]
        yield Row(
            Static("People", classes="label"),
            Pick.of(people, people_of(plan.seats), "people"),
            Static("at a table of", classes="between"),
            Pick.of(self.counts(), len(plan.seats), "count"),
        )
        yield Vertical(*self.seats(), Static(self.seat_keys, classes="hint"), id="seats", classes="part")
        yield from self._game()
        yield self._fold("Table", "speed of AI moves, curtain, fastest call, teaching", self._table())
        yield Vertical(*self.rules(), id="rules", classes="part")

    def counts(self) -> list[tuple[str, object]]:
        """How many seats there may be."""
        return [(f"{count} seats", count) for count in self.ruleset.seat_counts]

    def seats(self, first: int = 0) -> Iterator[SeatRow]:
        """Who sits where, from a seat on."""
        for seat, plan in enumerate(self.plan.seats):
            if seat >= first:
                yield SeatRow(
                    seat, plan, self.known, self.asking(plan), is_own=self.is_own(plan) if self.may_host else None
                )

    def is_own(self, plan: SeatPlan) -> bool:
        """Whether somebody comes to a seat from a screen of their own."""
        return self.may_host and plan.is_human and plan.name in self.plan.own_screens

    def asking(self, plan: SeatPlan) -> AskCalls:
        """When the person at a seat is asked about calls."""
        return self.asked.get(plan.name, self.usual_asking)

    def _game(self) -> Iterator[Widget]:
        games = [(_game_words(entry), entry.id) for entry in self.listed]
        if self.plan.ruleset not in {id_ for _, id_ in games}:
            games.append((self.plan.ruleset, self.plan.ruleset))
        yield Static("Game", classes="heading")
        yield labelled("Game", Pick.of(games, self.plan.ruleset, "ruleset"))
        yield Static(self.ruleset.summary, id="summary", classes="hint")

    def _fold(self, heading: str, inside: str, fields: Iterator[Widget]) -> Fold:
        id_ = f"fold-{heading.lower()}"
        return Fold(heading, inside, *fields, id=id_, is_open=id_ in self.opened)

    def _table(self) -> Iterator[Widget]:
        plan = self.plan
        teaching = Tick("Teaching match", self.plan.teaching, id="teaching", compact=True)
        yield switch(teaching, "Take back anything in the deal, read reasons after it; not rated.")
        yield labelled("AI moves", Pick.of([(str(speed), speed) for speed in Speed], plan.speed, "speed"))
        curtain = Tick("Curtain", plan.curtain, id="curtain", compact=True)
        yield switch(curtain, "Hide hands between people who share this screen.")
        race = Tick(SETTING_WORDS["race"][0], bool(self.setting("race")), id="setting-race", compact=True)
        yield switch(race, SETTING_WORDS["race"][1])
        clock = [(f"{seconds} seconds", seconds) for seconds in CALL_SECONDS_OFFERED]
        time = labelled("Time to call", Pick.of(clock, plan.call_seconds, "call-seconds"))
        time.id, time.display = "time-to-call", bool(self.setting("race"))
        yield time
        offered = sorted({*ANSWER_SECONDS_OFFERED, plan.answer_seconds})
        answers = [(f"{seconds} seconds" if seconds else "as long as it takes", seconds) for seconds in offered]
        clock_row = labelled("To answer", Pick.of(answers, plan.answer_seconds, "answer-seconds"), CLOCK_MEANS)
        clock_row.id, clock_row.display = "time-to-answer", bool(plan.own_screens)
        yield clock_row

    def rules(self) -> Iterator[Widget]:
        """Options and settings of this game with these seats."""
        if self.ruleset.options:
            yield self._fold("Options", ", ".join(map(setting_up.option_name, self.ruleset.options)), self._options())
        yield self._fold("Rules", "deals, calls, handicap, referee, seed", self._rules())

    def _options(self) -> Iterator[Widget]:
        plan, seats = self.plan, len(self.plan.seats)
        for name, option in self.ruleset.options.items():
            may = setting_up.fits(option, seats)
            chosen = may and name in plan.options
            box = Tick(setting_up.option_name(name), chosen, id=f"option-{name}", compact=True, disabled=not may)
            yield switch(box, setting_up.option_words(option, seats))

    def _rules(self) -> Iterator[Widget]:
        ruleset, plan, seats = self.ruleset, self.plan, len(self.plan.seats)
        if ruleset.seating.first_turn == "named-then-winner":
            names = [(seat.name, place) for place, seat in enumerate(plan.seats)]
            first = Pick.of(names, min(plan.first_turn, seats - 1), "first-turn")
            yield labelled("Begins", first, "By the rules, the youngest.")
        if ruleset.infractions is not None:
            referee = Pick.of(setting_up.REFEREES, plan.referee, "referee")
            yield labelled("Referee", referee, setting_up.REFEREE_MEANS)
        yield from self._house_rules()
        for name in setting_up.setting_names(ruleset):
            if name == "race":
                continue
            (label, meaning), value = SETTING_WORDS[name], self.setting(name)
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

    def _house_rules(self) -> Iterator[Widget]:
        """What families agree on without writing a file."""
        ruleset, chosen = self.ruleset, self.plan.options
        if ruleset.end.after == "last-deal":
            deals = value_of(chosen, DEALS)
            field = Input(deals, placeholder="all", id=f"house-{DEALS}", compact=True, max_length=40)
            yield labelled("Deals", field, "1-3: the first three; 2,5,9: these")
            ends = [(f"after {one} minutes" if one else "after the last deal", one) for one in self._minutes]
            pick = Pick.of(ends, self.plan.minutes, "minutes")
            yield labelled("Ends", pick, "The deal in play is finished first.")
        if ruleset.calls.limit:
            usual = str(ruleset.calls.limit)
            field = Input(value_of(chosen, CALLS), placeholder=usual, id=f"house-{CALLS}", compact=True, max_length=2)
            yield labelled("Calls", field, "how many cards each may call in a deal")
        doubling = [("as the game has it", ""), *((words, way) for way, words in setting_up.DOUBLINGS.items())]
        handicap = Input(self._handicap, placeholder="none", id="handicap", compact=True, max_length=80)
        yield labelled("Handicap", handicap, "Kid=-50: 50 points less to begin with; Kid=hints: only Kid has hints")
        pick = Pick.of(doubling, value_of(chosen, DOUBLING), f"house-{DOUBLING}")
        yield labelled("Double points", pick)

    @property
    def _minutes(self) -> list[int]:
        return sorted({*MINUTES_OFFERED, self.plan.minutes})

    @property
    def _handicap(self) -> str:
        """The points with which seats begin, as they are typed."""
        points = self.plan.settings.get("handicap", ())
        pairs = zip(self.plan.seats, points, strict=False) if isinstance(points, (tuple, list)) else ()
        parts = [f"{seat.name}={number}" for seat, number in pairs if number]
        return ", ".join([*parts, *(f"{name}={HINTS}" for name in self.plan.hints_for)])

    def setting(self, name: str) -> Any:
        """A chosen setting of the match."""
        usual = self.ruleset.usual_settings()
        return self.plan.settings.get(name, getattr(usual, name))


def _people_words(number: int) -> str:
    return "nobody: watch" if number == 0 else "1 person" if number == 1 else f"{number} people"


def _game_words(entry: Listed) -> str:
    assert entry.ruleset is not None
    own = "" if entry.builtin else " (yours)"
    return f"{entry.ruleset.name}{own} · {setting_up.counts_words(entry.ruleset.seat_counts)} seats"
