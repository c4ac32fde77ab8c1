"""A player's choices at set-up, from which a table is opened, and what is kept of them and of matches in the store."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final, get_type_hints

import msgspec

from kalooki_tui.engine.actions import Group, Lay
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.actions import parse_action
from kalooki_tui.records.writing import in_effect
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.rulesets.model import Ruleset, Settings
from kalooki_tui.store.player.settings import LastSetup, PlayerSettings
from kalooki_tui.table.seats import USUAL_PLAYER, SeatPlan, parse_seats, usual_count
from kalooki_tui.table.table import Table, TableSetup
from kalooki_tui.wording import AI_NAMES, FIRST_NAME, quote

if TYPE_CHECKING:
    from kalooki_tui.store.live import LiveMatch
    from kalooki_tui.store.matches import Store


LARGEST_SEED: Final = 1_000_000
#: Seconds that several people have to call where whoever is first does.
CALL_SECONDS_OFFERED: Final = (3, 5, 10, 20)
USUAL_CALL_SECONDS: Final = 5
#: In a handicap in the place of points: hints for that person.
HINTS: Final = "hints"
#: Seconds that people at their own screens have for an answer; 0: as long as it takes.
ANSWER_SECONDS_OFFERED: Final = (0, 10, 20, 30, 60)
#: Minutes after which a match ends with the deal that is played then; 0: after the last deal.
MINUTES_OFFERED: Final = (0, 30, 45, 60, 90, 120, 180)


class Speed(StrEnum):
    INSTANT = "instant"
    BRISK = "brisk"
    NATURAL = "natural"


class AskCalls(StrEnum):
    """When a person is asked whether to call."""

    ALWAYS = "always"
    HELPS = "helps"
    """Where the card brings the hand nearer to its contract."""
    TURN = "turn"
    """Not until one's own turn; of several people, not in this deal."""


@dataclass(frozen=True)
class MatchPlan:
    """A match to be opened. `settings` are those chosen otherwise than the ruleset has them."""

    ruleset: str = DEFAULT_RULESET
    seats: tuple[SeatPlan, ...] = ()
    options: tuple[str, ...] = ()
    referee: Referee = Referee.STRICT
    settings: Mapping[str, object] = field(default_factory=dict)
    first_turn: int = 0
    seed: int | None = None
    """None: drawn when the table is opened."""
    speed: Speed = Speed.NATURAL
    ask_calls: AskCalls | None = None
    """Which calls one person alone with AI seats is asked about; None: as the settings say."""
    curtain: bool = True
    """Whether a screen hides hands when several people share the keyboard."""
    open_hands: bool = False
    """Whether somebody who only watches sees all hands from the first card on."""
    teaching: bool = False
    """Whether a person may take back anything done in the deal."""
    ask_several: AskCalls = AskCalls.ALWAYS
    """Default for each of several people, until they choose otherwise."""
    ask_each: Mapping[str, AskCalls] = field(default_factory=dict)
    """Choices of several people, by name, for the whole match."""
    call_seconds: int = USUAL_CALL_SECONDS
    """How long several people may call a card if the first to call gets it."""
    answer_seconds: int = 0
    """How long people at screens of their own have to say whether they call, or allow a call; 0: as they like."""
    hints_for: tuple[str, ...] = ()
    """Names of those who alone have hints; nobody is named: everybody."""
    minutes: int = 0
    """After how long the deal that is played then is the last; 0: all deals are played."""
    own_screens: tuple[str, ...] = ()
    """Names of the people who sit at screens of their own; an empty one is for whoever comes."""

    def check(self) -> tuple[Ruleset, Settings]:
        """The ruleset with its options, and the settings of the match.

        Raises:
            ValueError: one of them is wrong, or does not go with that many seats.
        """
        ruleset = resolve(load_ruleset(self.ruleset), self.options, len(self.seats))
        if self.minutes and ruleset.end.after != "last-deal":
            raise ValueError(f"{ruleset.name} goes on until one seat is left: it does not end by the clock")
        return ruleset, make_settings(ruleset, self.settings)

    def open(self) -> Table:
        """The table, the first deal dealt.

        Raises:
            ValueError: the ruleset, an option, a setting or a seat is wrong; its message says which and why.
        """
        ruleset, settings = self.check()
        seed = SystemRandom().randrange(LARGEST_SEED) if self.seed is None else self.seed
        setup = TableSetup(ruleset, self.seats, seed, self.referee, settings, self.options, self.first_turn)
        return Table.open(setup)


@dataclass(frozen=True)
class Agreed:
    """What a command line says of a match besides its game, seats and seed."""

    referee: Referee = Referee.STRICT
    handicap: tuple[str, ...] = ()
    """Points with which seats begin, ``Kid=-50``, and who alone has hints, ``Kid=hints``."""
    minutes: int = 0
    """After how long the deal that is played then is the last."""
    teaching: bool = False

    def points(self, names: Sequence[str]) -> dict[str, object]:
        """The handicap as a setting.

        Raises:
            ValueError: it names no seat, or no points.
        """
        points, named = dict.fromkeys(names, 0), set[tuple[str, bool]]()
        for text in self.handicap:
            name, _, number = text.rpartition("=")
            if name not in points:
                raise ValueError(f"the handicap {quote(text)} names no seat: write a name, = and points")
            if (name, number == HINTS) in named:
                raise ValueError(f"{quote(name)} has two handicaps")
            named.add((name, number == HINTS))
            if number == HINTS:
                continue
            if not number.removeprefix("-").isdecimal() or len(number) > 5:
                raise ValueError(f"the handicap {quote(text)} has no points: write {name}=-50, or {name}={HINTS}")
            points[name] = int(number)
        return {"handicap": tuple(points.values())} if any(points.values()) else {}

    def applied_to(self, plan: MatchPlan, names: Sequence[str]) -> MatchPlan:
        """The plan with what is agreed, for seats of these names.

        Raises:
            ValueError: the handicap names no seat, or no points.
        """
        points = self.points(names)
        return replace(
            plan, referee=self.referee, settings=points, minutes=self.minutes, teaching=self.teaching,
            hints_for=self.helped,
        )  # fmt: skip

    @property
    def helped(self) -> tuple[str, ...]:
        pairs = (text.rpartition("=") for text in self.handicap)
        return tuple(name for name, _, what in pairs if what == HINTS)


def plan_of(
    ruleset: str | None,
    seats: Sequence[str],
    seed: int | None,
    options: Sequence[str],
    agreed: Agreed | None = None,
) -> MatchPlan:
    """The plan that a command line says.

    Raises:
        ValueError: a seat or a handicap cannot be read, or the ruleset does not exist.
    """
    found = load_ruleset(ruleset or DEFAULT_RULESET)
    plans = parse_seats(tuple(seats)) if seats else usual_seats(found)
    plan = MatchPlan(ruleset=ruleset or DEFAULT_RULESET, seats=plans, options=tuple(options), seed=seed)
    return plan if agreed is None else agreed.applied_to(plan, [seat.name for seat in plans])


def usual_seats(ruleset: Ruleset) -> tuple[SeatPlan, ...]:
    """Four seats, or the ruleset's nearest number: a person, then AI seats."""
    others = (SeatPlan(name, USUAL_PLAYER) for name in AI_NAMES[: usual_count(ruleset) - 1])
    return (SeatPlan(FIRST_NAME), *others)


#: Fields of a plan that are kept with the match, since its record does not say them.
KEPT: Final = (
    "ruleset", "speed", "curtain", "ask_calls", "ask_each", "call_seconds", "own_screens", "hints_for",
    "answer_seconds", "minutes",
)  # fmt: skip
#: The same of what comes to be while it is played.
ASKING: Final = "asking"
PLAYED: Final = "played"
"""Seconds that the match has been played, where it ends by the clock."""


def begin_match(store: Store, plan: MatchPlan) -> LiveMatch:
    """Open a match as planned; what its record does not say is kept beside it.

    Raises:
        ValueError: the plan does not go with its ruleset.
    """
    live = store.begin(plan.open(), teaching=plan.teaching)
    live.keep(**msgspec.to_builtins({name: getattr(plan, name) for name in KEPT}))
    return live


def _usual(settings: PlayerSettings) -> dict[str, Any]:
    """How tables of a person run, by the fields of a plan."""
    return {
        "speed": Speed(settings.ai_speed),
        "curtain": settings.curtain,
        "ask_several": AskCalls(settings.ask_several),
        "call_seconds": settings.call_seconds,
    }


def as_usual(plan: MatchPlan, settings: PlayerSettings) -> MatchPlan:
    """A plan of the command line, which does not say how the table runs: that is as the person has set it."""
    asking = {} if settings.last is None else settings.last.asking
    names = {seat.name for seat in plan.seats}
    each = {name: AskCalls(way) for name, way in asking.items() if name in names}
    return replace(plan, ask_each=each, **_usual(settings))


def plan_of_last(last: LastSetup, settings: PlayerSettings) -> MatchPlan:
    """The last set-up, as the form and `play again` take it.

    Raises:
        ValueError: a seat cannot be any more.
    """
    return MatchPlan(
        ruleset=last.ruleset,
        seats=parse_seats(last.seats),
        options=tuple(last.options),
        referee=Referee(last.referee),
        settings=dict(last.settings),
        first_turn=last.first_turn,
        teaching=last.teaching,
        ask_each={name: AskCalls(way) for name, way in last.asking.items()},
        own_screens=tuple(last.own_screens),
        **_usual(settings),
    )


def plan_of_live(live: LiveMatch, settings: PlayerSettings) -> MatchPlan:
    """The plan of a match that is taken up again; what is kept and cannot be read is as the person has it."""
    setup, hints, kept = live.table.setup, get_type_hints(MatchPlan), dict[str, Any]()
    for name in KEPT:
        with suppress(KeyError, msgspec.ValidationError):
            kept[name] = msgspec.convert(live.ui_state[name], hints[name])
    if kept.get("call_seconds") not in CALL_SECONDS_OFFERED:
        kept.pop("call_seconds", None)
    usual, chosen = vars(setup.ruleset.usual_settings()), {} if setup.settings is None else vars(setup.settings)
    return MatchPlan(
        seats=setup.seats,
        options=setup.options,
        referee=setup.referee,
        # An end by turns is for matches without people (D33).
        settings={name: value for name, value in chosen.items() if value != usual[name] and name != "max_turns"},
        first_turn=setup.first_turn,
        seed=setup.seed,
        teaching=live.teaching,
        **{"ruleset": setup.ruleset.id, "ask_calls": AskCalls(settings.ask_calls), **_usual(settings), **kept},
    )


def with_match(settings: PlayerSettings, plan: MatchPlan) -> PlayerSettings:
    """The settings after a match has been set up: who plays, and how the table runs."""
    last = LastSetup(
        ruleset=plan.ruleset,
        seats=[seat.text for seat in plan.seats],
        options=[*plan.options],
        referee=plan.referee.value,
        first_turn=plan.first_turn,
        teaching=plan.teaching,
        # A handicap is for those who sit there this time.
        settings={name: one for name, one in plan.settings.items() if isinstance(one, int)},
        asking=msgspec.to_builtins(plan.ask_each),
        own_screens=[*plan.own_screens],
    )
    people = [seat.name for seat in plan.seats if seat.is_human]
    chosen: dict[str, Any] = {"last": last, "ai_speed": plan.speed.value, "curtain": plan.curtain}
    chosen |= {"ask_several": plan.ask_several.value, "call_seconds": plan.call_seconds}
    if plan.ask_calls is not None and len(people) == 1:
        chosen["ask_calls"] = plan.ask_calls.value
    return replace(settings.remembering(name for name in people if name != FIRST_NAME), **chosen)


def past_totals(live: LiveMatch) -> list[tuple[int, ...]]:
    names = live.table.match.setup.names
    lines = in_effect(map(json.loads, live.lines))
    return [tuple(line["totals"][name] for name in names) for line in lines if "totals" in line]


def last_lay_down(live: LiveMatch, seat: int) -> tuple[Group, ...]:
    """What a seat laid for its last contract, out of the match's record; empty if it never did."""
    rules, names = live.table.match.rules, live.table.match.names
    mine, laid, is_first = f"{names[seat]}: lay ", "", True
    for line in in_effect(map(json.loads, live.lines)):
        lays = "refused" not in line and line.get("do", "").startswith(mine)
        laid = line["do"] if lays and is_first else laid
        is_first = "deal" in line or (is_first and not lays)
    action = parse_action(laid, names, rules.faces) if laid else None
    return action.groups if isinstance(action, Lay) else ()
