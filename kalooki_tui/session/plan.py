"""Plan of a match, and the fields of its form without drawing: what a table is opened from, what is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from itertools import chain
from itertools import count as numbers
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final, Literal, get_type_hints

import msgspec
from msgspec import Struct, field
from msgspec.structs import asdict, replace

from kalooki_tui.engine.actions import Group, Lay
from kalooki_tui.engine.rules import Referee, Rules
from kalooki_tui.match.live_match import Table, TableSetup
from kalooki_tui.match.seating import USUAL_PLAYER, SeatPlan, parse_seats, usual_count
from kalooki_tui.notation.action_text import parse_action
from kalooki_tui.problems import InputError
from kalooki_tui.records.lines import POSITION
from kalooki_tui.records.writer import in_effect
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.house import CALLS, DEALS, DOUBLING, value_of, with_house
from kalooki_tui.rulesets.loader import SETTING_MEANINGS, load_ruleset, make_settings, resolve
from kalooki_tui.rulesets.model import OptionRule, Ruleset, Settings
from kalooki_tui.storage.player.settings_file import LastSetup, PlayerSettings
from kalooki_tui.wording import AI_NAMES, FIRST_NAME, counted, quote

if TYPE_CHECKING:
    from kalooki_tui.storage.journal import MatchJournal
    from kalooki_tui.storage.match_store import Store

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
    ALWAYS = "always"
    HELPS = "helps"
    """If the card brings the hand nearer to its contract."""
    TURN = "turn"
    """On the own turn only; of several people, not in this deal."""


class MatchStart(Struct, frozen=True):
    """Moment at which a match begins: a position, or the end of `lines` of another match's record."""

    rules: Rules
    moment: str
    """What it is, in words, such as ``2026-11-27-jamaican-0a1b2c3d 3.12``."""
    position: Mapping[str, Any] | None = None
    lines: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    """AI level of each seat, where no person plays it."""


def start_words(start: MatchStart) -> str:
    return f"This match begins at {start.moment}. It is saved, and does not count in statistics."


class MatchPlan(Struct, frozen=True):
    """Match to be opened; `settings` are those that differ from the ruleset's."""

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
    """For one person alone with AI seats; None: as in the player's settings."""
    curtain: bool = True
    """Hide hands when several people share the keyboard."""
    open_hands: bool = False
    """Show the hands of AI seats from the first card on: to somebody who only watches, or learns."""
    teaching: bool = False
    teach: bool = False
    """For somebody who teaches others: a teaching match in which all hands may lie open."""
    ask_several: AskCalls = AskCalls.ALWAYS
    """Default of several people, until they choose otherwise."""
    ask_each: Mapping[str, AskCalls] = field(default_factory=dict)
    call_seconds: int = USUAL_CALL_SECONDS
    """Length of the window in which the first to call gets the card."""
    answer_seconds: int = 0
    """Time to call or to allow a call at screens of their own; 0: unlimited."""
    hints_for: tuple[str, ...] = ()
    """Names of the only people with hints; empty: everybody has them."""
    minutes: int = 0
    """Length of the match, which ends with the deal in play; 0: unlimited."""
    own_screens: tuple[str, ...] = ()
    """Names of people who sit at screens of their own; an empty name is for anybody."""
    start: MatchStart | None = None
    """None: with the first deal."""

    @property
    def is_teaching(self) -> bool:
        return self.teaching or self.teach

    def check(self) -> tuple[Ruleset, Settings]:
        """Resolve ruleset and settings; raise ValueError if they are wrong or do not fit the seats."""
        start = self.start
        ruleset = (
            resolve(load_ruleset(self.ruleset), self.options, len(self.seats)) if start is None else start.rules.ruleset
        )
        if self.minutes and ruleset.end.after != "last-deal":
            raise ValueError(f"{ruleset.name} goes on until one seat is left: it does not end by the clock")
        return ruleset, make_settings(ruleset, self.settings) if start is None else start.rules.settings

    def open(self) -> Table:
        """Deal the first deal; raise ValueError if the plan is wrong."""
        ruleset, settings = self.check()
        seed = SystemRandom().randrange(LARGEST_SEED) if self.seed is None else self.seed
        begins = None
        if self.start is not None and self.start.position is not None:
            begins = {**self.start.position, "seed": seed}
        setup = TableSetup(ruleset, self.seats, seed, self.referee, settings, self.options, self.first_turn, begins)
        return Table.open(setup)


class Agreed(Struct, frozen=True):
    """Command-line options of a match besides its game, seats and seed."""

    referee: Referee = Referee.STRICT
    handicap: tuple[str, ...] = ()
    """Points to begin with, ``Kid=-50``, and who alone has hints, ``Kid=hints``."""
    minutes: int = 0
    teaching: bool = False
    teach: bool = False

    def points(self, names: Sequence[str]) -> dict[str, object]:
        """Return the handicap as a setting; raise ValueError if it names no seat or no points."""
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
        """Return the plan with these options; raise ValueError if the handicap is wrong."""
        points = self.points(names)
        return replace(
            plan, referee=self.referee, settings=points, minutes=self.minutes, teaching=self.teaching,
            teach=self.teach, hints_for=self.helped,
        )  # fmt: skip

    @property
    def helped(self) -> tuple[str, ...]:
        pairs = (text.rpartition("=") for text in self.handicap)
        return tuple(name for name, _, what in pairs if what == HINTS)


def practice_plan(plan: MatchPlan, deal: int) -> MatchPlan:
    """Plan one deal of the game once more with the same seats and other cards, in a teaching match."""
    options = (*(one for one in plan.options if not one.startswith(f"{DEALS}=")), f"{DEALS}={deal}")
    return replace(plan, options=options, seed=None, teaching=True, minutes=0, start=None)


def plan_of(
    ruleset: str | None,
    seats: Sequence[str],
    seed: int | None,
    options: Sequence[str],
    agreed: Agreed | None = None,
) -> MatchPlan:
    """Plan the match of a command line; raise ValueError if a seat, a handicap or the ruleset is wrong."""
    found = load_ruleset(ruleset or DEFAULT_RULESET)
    plans = parse_seats(tuple(seats)) if seats else usual_seats(found)
    plan = MatchPlan(ruleset=ruleset or DEFAULT_RULESET, seats=plans, options=tuple(options), seed=seed)
    return plan if agreed is None else agreed.applied_to(plan, [seat.name for seat in plans])


def usual_seats(ruleset: Ruleset) -> tuple[SeatPlan, ...]:
    """Return four seats, or the ruleset's nearest number: a person, then AI seats."""
    others = (SeatPlan(name, USUAL_PLAYER) for name in AI_NAMES[: usual_count(ruleset) - 1])
    return (SeatPlan(FIRST_NAME), *others)


#: Fields of a plan that are kept with the match, since its record does not say them.
KEPT: Final = (
    "ruleset", "speed", "curtain", "ask_calls", "ask_each", "call_seconds", "own_screens", "hints_for",
    "answer_seconds", "minutes", "teach",
)  # fmt: skip
#: The same of what comes to be while it is played.
ASKING: Final = "asking"
PLAYED: Final = "played"
CLOSED: Final = "hands_closed"
"""Seconds played, in a match that ends by the clock."""


def begin_match(store: Store, plan: MatchPlan) -> MatchJournal:
    """Open a match as planned; raise ValueError if the plan does not fit its ruleset, StoreError its record."""
    lines, moment = ((), "") if plan.start is None else (plan.start.lines, plan.start.moment)
    live = store.begin(plan.open(), teaching=plan.is_teaching, lines=lines, moment=moment)
    live.keep(**msgspec.to_builtins({name: getattr(plan, name) for name in KEPT}))
    return live


def _usual(settings: PlayerSettings) -> dict[str, Any]:
    return {
        "speed": Speed(settings.ai_speed),
        "curtain": settings.curtain,
        "ask_several": AskCalls(settings.ask_several),
        "call_seconds": settings.call_seconds,
    }


def as_usual(plan: MatchPlan, settings: PlayerSettings) -> MatchPlan:
    asking = {} if settings.last is None else settings.last.asking
    names = {seat.name for seat in plan.seats}
    each = {name: AskCalls(way) for name, way in asking.items() if name in names}
    return replace(plan, ask_each=each, **_usual(settings))


def plan_of_last(last: LastSetup, settings: PlayerSettings) -> MatchPlan:
    """Plan the last set-up once more; raise ValueError if a seat is no longer possible."""
    data = msgspec.to_builtins(last)
    seats, asking = parse_seats(data.pop("seats")), data.pop("asking")
    return replace(msgspec.convert({**data, "ask_each": asking}, MatchPlan), seats=seats, **_usual(settings))


def plan_of_live(live: MatchJournal, settings: PlayerSettings) -> MatchPlan:
    """Plan a resumed match; what was kept and cannot be read comes from the person's settings."""
    setup, hints, kept = live.table.setup, get_type_hints(MatchPlan), dict[str, Any]()
    for name in KEPT:
        with suppress(KeyError, msgspec.ValidationError):
            kept[name] = msgspec.convert(live.ui_state[name], hints[name])
    if kept.get("call_seconds") not in CALL_SECONDS_OFFERED:
        kept.pop("call_seconds", None)
    begins, start = json.loads(live.lines[0]).get(POSITION), None
    if begins is not None:
        moment = begins if isinstance(begins, str) else "a position"
        start = MatchStart(live.table.match.rules, moment, setup.position)
    usual, chosen = asdict(setup.ruleset.usual_settings()), {} if setup.settings is None else asdict(setup.settings)
    return MatchPlan(
        seats=setup.seats,
        options=setup.options,
        referee=setup.referee,
        # An end by turns is for matches without people (D33).
        settings={name: value for name, value in chosen.items() if value != usual[name] and name != "max_turns"},
        first_turn=setup.first_turn,
        seed=setup.seed,
        teaching=live.teaching,
        start=start,
        **{"ruleset": setup.ruleset.id, "ask_calls": AskCalls(settings.ask_calls), **_usual(settings), **kept},
    )


def with_match(settings: PlayerSettings, plan: MatchPlan) -> PlayerSettings:
    """Return the settings after a match was set up: who plays, and how the table runs."""
    data = {name: one for name, one in msgspec.to_builtins(plan).items() if name in LastSetup.__struct_fields__}
    data |= {"seats": [seat.text for seat in plan.seats], "asking": msgspec.to_builtins(plan.ask_each)}
    # A handicap is for those who sit there this time.
    data["settings"] = {name: one for name, one in plan.settings.items() if isinstance(one, int)}
    last = msgspec.convert(data, LastSetup)
    people = [seat.name for seat in plan.seats if seat.is_human]
    chosen: dict[str, Any] = {"last": last, "ai_speed": plan.speed.value, "curtain": plan.curtain}
    chosen |= {"ask_several": plan.ask_several.value, "call_seconds": plan.call_seconds}
    if plan.ask_calls is not None and len(people) == 1:
        chosen["ask_calls"] = plan.ask_calls.value
    return replace(settings.remembering(name for name in people if name != FIRST_NAME), **chosen)


def past_totals(live: MatchJournal) -> list[tuple[int, ...]]:
    names = live.table.match.setup.names
    lines = in_effect(map(json.loads, live.lines))
    rows = [tuple(line["totals"][name] for name in names) for line in lines if "totals" in line]
    begins = live.table.setup.position
    if begins is None:
        return rows
    return [tuple(seat.get("score", 0) for seat in begins["seats"])] * (begins["deal"] - 1) + rows


def last_lay_down(live: MatchJournal, seat: int) -> tuple[Group, ...]:
    """Find what a seat laid for its last contract; empty: it never did."""
    rules, names = live.table.match.rules, live.table.match.names
    mine, laid, is_first = f"{names[seat]}: lay ", "", True
    for line in in_effect(map(json.loads, live.lines)):
        lays = "refused" not in line and line.get("do", "").startswith(mine)
        laid = line["do"] if lays and is_first else laid
        is_first = "deal" in line or (is_first and not lays)
    action = parse_action(laid, names, rules.faces) if laid else None
    return action.groups if isinstance(action, Lay) else ()


_MADE: Final = "Player"
Seats = tuple[SeatPlan, ...]


def people_of(seats: Iterable[SeatPlan]) -> int:
    return sum(seat.is_human for seat in seats)


def with_count(seats: Sequence[SeatPlan], count: int) -> Seats:
    """Add AI seats with free names, or drop the last seats, AI seats before people."""
    kept = list(seats)
    while len(kept) > count:
        machines = [place for place, seat in enumerate(kept) if not seat.is_human]
        del kept[machines[-1] if machines else -1]
    free = free_names(kept, AI_NAMES)[: count - len(kept)]
    return (*kept, *(SeatPlan(name, USUAL_PLAYER) for name in free))


def nearest_count(counts: Sequence[int], count: int) -> int:
    """Return the nearest possible number of seats; of two, the larger: nobody has to get up."""
    return min(counts, key=lambda number: (abs(number - count), -number))


def with_people(seats: Sequence[SeatPlan], people: int, counts: Sequence[int], known: Sequence[str] = ()) -> Seats:
    """Return the table with that many people, a little larger if it is too small or `counts` lacks its size."""
    found = list(seats)
    places = [place for place, seat in enumerate(found) if seat.is_human]
    for place in reversed(places[people:]):
        found[place] = SeatPlan(free_names(found, AI_NAMES)[0], USUAL_PLAYER)
    if people > 1:
        found = _without_you(found, known)
    for place, seat in enumerate(found):
        if people_of(found) < people and not seat.is_human:
            found[place] = SeatPlan(_new_name(found, known), "human")
    while len(found) < people:
        found.append(SeatPlan(_new_name(found, known), "human"))
    return with_count(found, min([count for count in counts if count >= len(found)] or [max(counts)]))


def named(seats: Sequence[SeatPlan], known: Sequence[str] = ()) -> Seats:
    return tuple(_without_you(seats, known) if people_of(seats) > 1 else seats)


def with_own_names(seats: Sequence[SeatPlan]) -> Seats:
    found = list(seats)
    people = {seat.name.casefold() for seat in found if seat.is_human}
    for place, seat in enumerate(found):
        if not seat.is_human and seat.name in AI_NAMES and seat.name.casefold() in people:
            found[place] = SeatPlan(free_names(found, AI_NAMES)[0], seat.player)
    return tuple(found)


def _without_you(seats: Sequence[SeatPlan], known: Sequence[str]) -> list[SeatPlan]:
    found = list(seats)
    for place, seat in enumerate(found):
        if seat == SeatPlan(FIRST_NAME):
            others = [*found[:place], *found[place + 1 :]]
            found[place] = SeatPlan(_new_name(others, known, people_of(found[:place]) + 1))
    return found


def _new_name(seats: Sequence[SeatPlan], known: Sequence[str], number: int | None = None) -> str:
    """Return a free known name, or a numbered one, by default the next person's number."""
    taken = {seat.name.casefold() for seat in seats}
    made = (f"{_MADE} {number}" for number in numbers(number or people_of(seats) + 1))
    return next(name for name in chain(free_names(seats, known), made) if name.casefold() not in taken)


def is_chosen(name: str) -> bool:
    """Return False for names made by the program and for those of AI seats."""
    word, _, number = name.partition(" ")
    return name not in (FIRST_NAME, *AI_NAMES) and not (word == _MADE and number.isdigit())


def free_names(seats: Sequence[SeatPlan], known: Sequence[str]) -> list[str]:
    taken = {seat.name.casefold() for seat in seats}
    return [name for name in known if name.casefold() not in taken]


#: When a person is asked about calls, in a column of the form.
ASK_SHORT: Final = {
    AskCalls.ALWAYS: "asks: every card",
    AskCalls.HELPS: "asks: useful cards",
    AskCalls.TURN: "asks: on my turn only",
}


def counts_words(counts: Sequence[int]) -> str:
    """Return the numbers of seats in words: ``3 to 8``."""
    return str(counts[0]) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def unnamed(seats: Sequence[SeatPlan]) -> int | None:
    found = (place for place, seat in enumerate(seats) if seat.is_human and seat.name == FIRST_NAME)
    return next(found, None) if people_of(seats) > 1 else None


def is_recommended(option: OptionRule, seats: int) -> bool:
    return fits(option, seats) and option.recommended_from is not None and seats >= option.recommended_from


def fits(option: OptionRule, seats: int) -> bool:
    return option.seats is None or seats in option.seats


def excluded_by(ruleset: Ruleset, name: str) -> list[str]:
    """Return the options that do not go with one, whichever of the two says so."""
    options = ruleset.options
    return [other for other, rule in options.items() if name in rule.excludes or other in options[name].excludes]


def option_name(name: str) -> str:
    return name.replace("-", " ").capitalize()


def advice(ruleset: Ruleset, plan: MatchPlan) -> str:
    """Recommend options for this many seats; empty if all of them are chosen."""
    seats = len(plan.seats)
    left = (name for name in ruleset.options if name not in plan.options)
    names = ", ".join(option_name(name) for name in left if is_recommended(ruleset.options[name], seats))
    return f"With {seats} seats the option {names} is recommended: two packs run out often." if names else ""


def for_game(plan: MatchPlan, ruleset_id: str) -> MatchPlan:
    return replace(plan, ruleset=ruleset_id, options=(), referee=Referee.STRICT, settings={}, first_turn=0)


def fitted(plan: MatchPlan, ruleset: Ruleset, known: Sequence[str] = ()) -> tuple[MatchPlan, tuple[str, ...]]:
    """Adapt a plan to its ruleset, which may have changed; return it and the changes in words."""
    changed: list[str] = []
    counts = ruleset.seat_counts
    first = SeatPlan(known[0] if known else FIRST_NAME)
    seats = plan.seats or with_count([first], usual_count(ruleset))
    count = nearest_count(counts, len(seats))
    if count != len(seats):
        seats = with_count(seats, count)
        changed.append("seats")
    resolved = resolve(ruleset, (), count)
    options: list[str] = []
    for name in plan.options:
        with suppress(InputError):
            resolved = resolve(ruleset, (*options, name), count)
            options.append(name)
    if len(options) < len(plan.options):
        changed.append("options")
    settings = {name: value for name, value in plan.settings.items() if _is_setting(resolved, name, value)}
    if len(seats) != len(plan.seats):
        settings.pop("handicap", None)
    if len(settings) < len(plan.settings):
        changed.append("settings")
    referee = plan.referee if ruleset.infractions is not None else Referee.STRICT
    if referee is not plan.referee:
        changed.append("referee")
    first_turn = plan.first_turn if plan.first_turn < count else 0
    if first_turn != plan.first_turn and ruleset.seating.first_turn == "named-then-winner":
        changed.append("who begins")
    fitting = replace(
        plan, seats=seats, options=tuple(options), settings=settings, referee=referee, first_turn=first_turn
    )
    return fitting, tuple(changed)


def _is_setting(ruleset: Ruleset, name: str, value: object) -> bool:
    try:
        make_settings(ruleset, {name: value})
    except InputError:
        return False
    return True


#: Settings that are on or off.
SWITCHES: Final = ("dealer_cut", "race")
DOUBLINGS: Final = {
    "none": "never",
    "bend": "for all in hand at once",
    "first-bend": "the same, if nobody has laid",
}
SETTING_WORDS: Final[dict[str, tuple[str, str]]] = {
    "bad_lay": ("Wrong lay-down", "points for laying melds that are not the contract"),
    "over_call": ("Too many calls", "points for calling a card with no calls left"),
    "max_redeals": ("Cards run out", "times the deal is dealt again before it is skipped; empty: ask"),
    "max_buy_ins": ("Come back", "how often a seat that is out may pay to come back"),
    "initial_stake": ("Stake", "what each seat pays at the start"),
    "call_up": ("Each deal pays", "what the winner of a deal gets from every other seat"),
    "kalookie": ("Kalookie pays", "the same, for going out in one turn with all cards"),
    "buy_in_stake": ("Price to return", "what coming back costs"),
    "dealer_cut": ("Dealer's cut", "The dealer cuts the deck, and scores if the packet is just what is dealt."),
    "handicap": ("Handicap", "points with which each seat begins"),
    "race": ("Fastest call wins", "The first to press gets the card; otherwise seats are asked in turn."),
}
USUAL: Final = MatchPlan()


def _always(words: str) -> Callable[[Any], str]:
    return lambda _: words


class Field(Struct, frozen=True):
    """Choice in the form: a list if it has `choices`, a switch if `value` is a bool, else a text."""

    scope: Literal["plan", "option", "house", "setting"]
    name: str
    label: str
    help: str = ""
    value: object = ""
    usual: object = ""
    choices: Sequence[tuple[str, object]] = ()
    words: Callable[[Any], str] = str
    """Text of a value that is not the usual one."""
    check: Callable[[Any], object] = lambda value: None
    """Raises ValueError for an impossible value."""
    number: str = ""
    """Name of a whole number in sentences; empty: the text is none."""
    placeholder: str = ""
    longest: int = 6
    shown: bool = True
    disabled: bool = False

    @property
    def id(self) -> str:
        return self.name.replace("_", "-") if self.scope == "plan" else f"{self.scope}-{self.name}"

    def parse(self, held: object) -> object:
        """Read what the widget holds; raise ValueError if it should be a number and is none."""
        if not isinstance(held, str) or self.choices:
            return held
        if not self.number:
            return held.replace(" ", "") if self.scope == "house" else held
        if not held.strip():
            return None if self.placeholder else self.usual
        try:
            return int(held)
        except ValueError:
            raise ValueError(f"{self.number} must be a whole number, not {held.strip()!r}") from None


def fields_of(plan: MatchPlan, ruleset: Ruleset) -> dict[str, list[Field]]:
    parts = {"Table": _table(plan, ruleset), "Options": _options(plan, ruleset), "Rules": _rules(plan, ruleset)}
    return {part: [*fields] for part, fields in parts.items()}


def unusual(fields: Sequence[Field]) -> str:
    return ", ".join(one.words(one.value) for one in fields if one.shown and one.value != one.usual)


def read_fields(plan: MatchPlan, ruleset: Ruleset, held: Mapping[str, object]) -> MatchPlan:
    """Read a plan from the widgets, by field id; what cannot be read has its usual value."""
    chosen: dict[str, dict[str, Any]] = {"plan": {}, "option": {}, "house": {}, "setting": {}}
    for one in chain(*fields_of(plan, ruleset).values()):
        try:
            value = one.parse(held.get(one.id, one.value))
        except ValueError:
            value = one.usual
        if one.scope in ("plan", "option") or value != one.usual:
            chosen[one.scope][one.name] = value
    agreed = _agreed(chosen["plan"].pop("handicap"))
    with suppress(ValueError):
        chosen["setting"] |= agreed.points([seat.name for seat in plan.seats])
    options = [name for name, is_chosen in chosen["option"].items() if is_chosen]
    options += [f"{rule}={value}" for rule, value in chosen["house"].items()]
    return replace(plan, options=tuple(options), settings=chosen["setting"], hints_for=agreed.helped, **chosen["plan"])


def wrong_field(plan: MatchPlan, ruleset: Ruleset, held: Mapping[str, object]) -> tuple[Field, ValueError] | None:
    for one in chain(*fields_of(plan, ruleset).values()):
        try:
            value = one.parse(held.get(one.id, one.value))
            if value != one.usual:
                one.check(value)
        except ValueError as error:
            return one, error
    return None


def _agreed(text: str) -> Agreed:
    return Agreed(handicap=tuple(part.strip() for part in text.split(",") if part.strip()))


def _handicap(plan: MatchPlan) -> str:
    points = plan.settings.get("handicap", ())
    pairs = zip(plan.seats, points, strict=False) if isinstance(points, (tuple, list)) else ()
    parts = [f"{seat.name}={number}" for seat, number in pairs if number]
    return ", ".join([*parts, *(f"{name}={HINTS}" for name in plan.hints_for)])


# fmt: off
def _table(plan: MatchPlan, ruleset: Ruleset) -> Iterator[Field]:
    race = _setting(plan, ruleset, "race")
    clock = [(f"{seconds} seconds", seconds) for seconds in CALL_SECONDS_OFFERED]
    offered = sorted({*ANSWER_SECONDS_OFFERED, plan.answer_seconds})
    answers = [(f"{seconds} seconds" if seconds else "as long as it takes", seconds) for seconds in offered]
    yield Field("plan", "teaching", "Teaching match",
                "Take back anything in the deal, read reasons after it; not rated.",
                plan.teaching, USUAL.teaching, words=_always("teaching match"))
    yield Field("plan", "teach", "Teach others",
                "All hands open, contracts in cards, questions to one person; a teaching match.",
                plan.teach, USUAL.teach, words=_always("you teach"))
    yield Field("plan", "speed", "AI moves", "", plan.speed, USUAL.speed, [(str(one), one) for one in Speed],
                lambda speed: f"AI moves {speed}")
    yield Field("plan", "curtain", "Curtain", "Hide hands between people who share this screen.",
                plan.curtain, USUAL.curtain, words=_always("no curtain"))
    yield replace(race, words=_always("fastest call wins"), shown=bool(ruleset.calls.limit))
    yield Field("plan", "call_seconds", "Time to call", "", plan.call_seconds, USUAL.call_seconds, clock,
                lambda seconds: f"{seconds} seconds to call", shown=bool(race.value))
    yield Field("plan", "answer_seconds", "To answer",
                "At their own screens: then a card is let go, and a call is allowed.",
                plan.answer_seconds, USUAL.answer_seconds, answers,
                lambda seconds: f"{seconds} seconds to answer", shown=bool(plan.own_screens))


def _options(plan: MatchPlan, ruleset: Ruleset) -> Iterator[Field]:
    seats = len(plan.seats)
    for name, option in ruleset.options.items():
        label, is_open, words = option_name(name), fits(option, seats), option.summary
        if is_recommended(option, seats):
            words += " Recommended with this many seats, so that the stock lasts."
        elif option.seats is not None and not is_open:
            words += f" Only for {', '.join(map(str, option.seats))} seats."
        yield Field("option", name, label, words, is_open and name in plan.options,
                    False, words=_always(label), disabled=not is_open)


def _rules(plan: MatchPlan, ruleset: Ruleset) -> Iterator[Field]:
    vocabulary, names = ruleset.vocabulary, [seat.name for seat in plan.seats]
    if ruleset.seating.first_turn == "named-then-winner":
        yield Field("plan", "first_turn", "Begins", "By the rules, the youngest.", min(plan.first_turn, len(names) - 1),
                    0, [(name, place) for place, name in enumerate(names)], lambda place: f"{names[place]} begins")
    if ruleset.infractions is not None:
        yield Field("plan", "referee", "Referee",
                    "strict: what is forbidden is refused; penalties: it may be tried, and costs points",
                    plan.referee, Referee.STRICT, [(str(one), one) for one in Referee], lambda one: f"{one} referee")
    house = partial(_house_rule, plan, ruleset)
    if ruleset.end.after == "last-deal":
        yield house(DEALS, "Deals", "1-3: the first three; 2,5,9: these", "all", 40,
                    lambda deals: f"{vocabulary.deal}s {deals}")
        ends = sorted({*MINUTES_OFFERED, plan.minutes})
        yield Field("plan", "minutes", "Ends", "The deal in play is finished first.", plan.minutes, 0,
                    [(f"after {one} minutes" if one else "after the last deal", one) for one in ends],
                    lambda minutes: f"ends after {minutes} minutes")
    if ruleset.calls.limit:
        yield house(CALLS, "Calls", "how many cards each may call in a deal", str(ruleset.calls.limit), 2,
                    lambda one: counted(int(one), vocabulary.call) if one.isdigit() else f"{vocabulary.call}s {one}")
    yield Field("plan", "handicap", "Handicap",
                "Kid=-50: 50 points less to begin with; Kid=hints: only Kid has hints", _handicap(plan),
                check=lambda text: _agreed(text).points(names), placeholder="none", longest=80)
    doublings = [("as the game has it", ""), *((words, way) for way, words in DOUBLINGS.items())]
    yield replace(house(DOUBLING, "Double points", "", "", 0, lambda one: f"double points {DOUBLINGS[one]}"),
                  choices=doublings)
    for name in SETTING_MEANINGS:
        if name != "race" and (name in ruleset.settings or name == "max_redeals"):
            yield _setting(plan, ruleset, name)
    yield Field("plan", "seed", "Seed", "The same seed deals the same cards.", plan.seed, None,
                words=lambda seed: f"seed {seed}", number="the seed", placeholder="random", longest=18)


def _house_rule(
    plan: MatchPlan, ruleset: Ruleset, rule: str, label: str, means: str, empty: str, longest: int,
    words: Callable[[Any], str],
) -> Field:
    return Field("house", rule, label, means, value_of(plan.options, rule), words=words,
                 check=lambda value: with_house(ruleset, (f"{rule}={value}",)), placeholder=empty,
                 longest=longest)


def _setting(plan: MatchPlan, ruleset: Ruleset, name: str) -> Field:
    (label, means), usual = SETTING_WORDS[name], getattr(ruleset.usual_settings(), name)
    value, low = plan.settings.get(name, usual), label[0].lower() + label[1:]
    if name in SWITCHES:
        return Field("setting", name, label, means, bool(value), usual, words=lambda on: low if on else f"no {low}")
    return Field("setting", name, label, means, value, usual,
                 words=lambda value: f"{low} {'ask' if value is None else value}",
                 check=lambda value: make_settings(ruleset, {name: value}),
                 number=name.replace("_", " "), placeholder="ask" if name == "max_redeals" else "")
# fmt: on
