"""Logic of the form for a new match, without drawing: the meaning of its fields, and which choices fit together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from kalooki_tui.desk.setup.plan import AskCalls, MatchPlan
from kalooki_tui.desk.setup.seating import people_of
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.loader import SETTING_MEANINGS, Listed
from kalooki_tui.rulesets.model import OptionRule, Ruleset
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.wording import FIRST_NAME

#: Settings that are on or off.
SWITCHES: Final = ("dealer_cut", "race")
#: When a person is asked about calls, in a column of the form.
ASK_SHORT: Final = {
    AskCalls.ALWAYS: "asks: every card",
    AskCalls.HELPS: "asks: useful cards",
    AskCalls.TURN: "asks: on my turn only",
}
CLOCK_MEANS: Final = "At their own screens: then a card is let go, and a call is allowed."
DOUBLINGS: Final = {
    "none": "never",
    "bend": "for all in hand at once",
    "first-bend": "the same, if nobody has laid",
}
REFEREES: Final = (("strict", Referee.STRICT), ("penalties", Referee.PENALTIES))
REFEREE_MEANS: Final = "strict: what is forbidden is refused; penalties: it may be tried, and costs points"


def counts_words(counts: Sequence[int]) -> str:
    """How many can sit at a game: ``3 to 8``."""
    return str(counts[0]) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"


def most_people(listed: Sequence[Listed]) -> int:
    """How many people the largest table holds."""
    return max(max(entry.ruleset.seat_counts) for entry in listed if entry.ruleset is not None)


def game_for(people: int, listed: Sequence[Listed]) -> str:
    """The first listed game for that many people; there must be one."""
    rulesets = ((entry.id, entry.ruleset) for entry in listed)
    return next(id_ for id_, ruleset in rulesets if ruleset is not None and max(ruleset.seat_counts) >= people)


def usual_asking(plan: MatchPlan, usual: AskCalls) -> AskCalls:
    """When a person is asked about calls who has chosen nothing; `usual` for one alone with AI seats."""
    return plan.ask_several if people_of(plan.seats) > 1 else plan.ask_calls or usual


def unnamed(seats: Sequence[SeatPlan]) -> int | None:
    """The seat of one of several people who is still called You."""
    people = [place for place, seat in enumerate(seats) if seat.is_human]
    found = (place for place in people if seats[place].name == FIRST_NAME and len(people) > 1)
    return next(found, None)


def is_recommended(option: OptionRule, seats: int) -> bool:
    """Whether an option is advised with that many seats (D15)."""
    return fits(option, seats) and option.recommended_from is not None and seats >= option.recommended_from


def fits(option: OptionRule, seats: int) -> bool:
    """Whether an option can be had with that many seats."""
    return option.seats is None or seats in option.seats


def option_name(name: str) -> str:
    """An option as the form calls it."""
    return name.replace("-", " ").capitalize()


def option_words(option: OptionRule, seats: int) -> str:
    """An option's effect, and whether it is recommended or not available."""
    if is_recommended(option, seats):
        return f"{option.summary} Recommended with this many seats, so that the stock lasts."
    if not fits(option, seats) and option.seats is not None:
        return f"{option.summary} Only for {', '.join(map(str, option.seats))} seats."
    return option.summary


def advice(ruleset: Ruleset, plan: MatchPlan) -> str:
    """Recommended options for this many seats that are not chosen, in words; empty if all are."""
    seats = len(plan.seats)
    advised = (name for name, option in ruleset.options.items() if is_recommended(option, seats))
    names = [option_name(name) for name in advised if name not in plan.options]
    if not names:
        return ""
    return f"With {seats} seats the option {', '.join(names)} is recommended: two packs run out often."


def setting_names(ruleset: Ruleset) -> list[str]:
    """The settings of a match that the form offers."""
    return [name for name in SETTING_MEANINGS if name in ruleset.settings or name in ("race", "max_redeals")]


def chosen_settings(ruleset: Ruleset, values: Mapping[str, object], *, strictly: bool) -> dict[str, object]:
    """The settings that differ from the ruleset's own: of each its switch, or its text.

    Raises:
        ValueError: a number is no number, where it is read `strictly`.
    """
    usual = ruleset.usual_settings()
    chosen: dict[str, object] = {}
    for name, value in values.items():
        read = read_number(name.replace("_", " "), value, strictly=strictly) if isinstance(value, str) else value
        if (read is not None or name == "max_redeals") and read != getattr(usual, name):
            chosen[name] = read
    return chosen


def read_number(what: str, text: str, *, strictly: bool) -> int | None:
    """A whole number; None for an empty field, and for one that holds something else unless it is read `strictly`.

    Raises:
        ValueError: it holds something else.
    """
    text = text.strip()
    if not text:
        return None
    try:
        return int(text)
    except ValueError:
        if strictly:
            raise ValueError(f"{what} must be a whole number, not {text!r}") from None
        return None


def for_game(plan: MatchPlan, ruleset_id: str) -> MatchPlan:
    """The plan for another game: who plays and how the table runs stays, what belongs to the rules is as usual."""
    return replace(plan, ruleset=ruleset_id, options=(), referee=Referee.STRICT, settings={}, first_turn=0)
