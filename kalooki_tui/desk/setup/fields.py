"""The fields of the form for a new match: each is named once, with its words and its place in a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Final, Literal

from kalooki_tui.desk.setup import setting_up
from kalooki_tui.desk.setup.plan import (
    ANSWER_SECONDS_OFFERED,
    CALL_SECONDS_OFFERED,
    HINTS,
    MINUTES_OFFERED,
    Agreed,
    MatchPlan,
    Speed,
)
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.house import CALLS, DEALS, DOUBLING, value_of, with_house
from kalooki_tui.rulesets.loader import SETTING_MEANINGS, make_settings
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.wording import counted

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
    "race": (
        "Fastest call wins",
        "The first to press gets the card; otherwise seats are asked in turn.",
    ),
}
USUAL: Final = MatchPlan()


def _accept(_value: Any) -> None:
    pass


def _always(words: str) -> Callable[[Any], str]:
    return lambda _: words


@dataclass(frozen=True)
class Field:
    """One choice. It is a list where it has `choices`, a switch where its `value` is a bool, and a text otherwise."""

    scope: Literal["plan", "option", "house", "setting"]
    name: str
    label: str
    help: str = ""
    value: object = ""
    usual: object = ""
    choices: Sequence[tuple[str, object]] = ()
    words: Callable[[Any], str] = str
    """Says what is chosen, where it is not the usual value."""
    check: Callable[[Any], object] = _accept
    """Raises ValueError for a value that cannot be."""
    number: str = ""
    """The text is a whole number, and this is its name in sentences."""
    placeholder: str = ""
    longest: int = 6
    shown: bool = True
    disabled: bool = False

    @property
    def id(self) -> str:
        """The id of its widget."""
        return self.name.replace("_", "-") if self.scope == "plan" else f"{self.scope}-{self.name}"

    def parse(self, held: object) -> object:
        """Read what its widget holds; an empty text is the usual value.

        Raises:
            ValueError: it is no number, where one is asked for.
        """
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
    """All fields that this game has with these seats, by their part of the form."""
    parts = {"Table": _table(plan, ruleset), "Options": _options(plan, ruleset), "Rules": _rules(plan, ruleset)}
    return {part: [*fields] for part, fields in parts.items()}


def unusual(fields: Sequence[Field]) -> str:
    """Say what is chosen otherwise than usual; empty: nothing."""
    return ", ".join(field.words(field.value) for field in fields if field.shown and field.value != field.usual)


def read_fields(plan: MatchPlan, ruleset: Ruleset, held: Mapping[str, object]) -> MatchPlan:
    """Read the plan as the widgets say, by the ids of the fields; what cannot be read has its usual value."""
    chosen: dict[str, dict[str, Any]] = {"plan": {}, "option": {}, "house": {}, "setting": {}}
    for field in chain(*fields_of(plan, ruleset).values()):
        try:
            value = field.parse(held.get(field.id, field.value))
        except ValueError:
            value = field.usual
        if field.scope in ("plan", "option") or value != field.usual:
            chosen[field.scope][field.name] = value
    agreed = _agreed(chosen["plan"].pop("handicap"))
    with suppress(ValueError):
        chosen["setting"] |= agreed.points([seat.name for seat in plan.seats])
    options = [name for name, is_chosen in chosen["option"].items() if is_chosen]
    options += [f"{rule}={value}" for rule, value in chosen["house"].items()]
    return replace(plan, options=tuple(options), settings=chosen["setting"], hints_for=agreed.helped, **chosen["plan"])


def wrong_field(plan: MatchPlan, ruleset: Ruleset, held: Mapping[str, object]) -> tuple[Field, ValueError] | None:
    """Find the first field that holds what cannot be, and why; None: no field by itself."""
    for field in chain(*fields_of(plan, ruleset).values()):
        try:
            value = field.parse(held.get(field.id, field.value))
            if value != field.usual:
                field.check(value)
        except ValueError as error:
            return field, error
    return None


def _agreed(text: str) -> Agreed:
    return Agreed(handicap=tuple(part.strip() for part in text.split(",") if part.strip()))


def _handicap(plan: MatchPlan) -> str:
    """The points with which seats begin, as they are typed."""
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
    yield Field("plan", "speed", "AI moves", "", plan.speed, USUAL.speed, [(str(one), one) for one in Speed],
                lambda speed: f"AI moves {speed}")
    yield Field("plan", "curtain", "Curtain", "Hide hands between people who share this screen.",
                plan.curtain, USUAL.curtain, words=_always("no curtain"))
    yield replace(race, words=_always("fastest call wins"))
    yield Field("plan", "call_seconds", "Time to call", "", plan.call_seconds, USUAL.call_seconds, clock,
                lambda seconds: f"{seconds} seconds to call", shown=bool(race.value))
    yield Field("plan", "answer_seconds", "To answer",
                "At their own screens: then a card is let go, and a call is allowed.",
                plan.answer_seconds, USUAL.answer_seconds, answers,
                lambda seconds: f"{seconds} seconds to answer", shown=bool(plan.own_screens))


def _options(plan: MatchPlan, ruleset: Ruleset) -> Iterator[Field]:
    seats = len(plan.seats)
    for name, option in ruleset.options.items():
        label, fits = setting_up.option_name(name), setting_up.fits(option, seats)
        yield Field("option", name, label, setting_up.option_words(option, seats), fits and name in plan.options,
                    False, words=_always(label), disabled=not fits)


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
