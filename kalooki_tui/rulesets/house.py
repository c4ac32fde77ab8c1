"""House rules that a game can have without a file of its own, written like its options: ``deals=1-3``, ``calls=2``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kalooki_tui.problems import SourceLocation, nearest, problem
from kalooki_tui.wording import quote

if TYPE_CHECKING:  # the store reads options with this, and the first screen loads no model of a ruleset
    from kalooki_tui.rulesets.model import Ruleset

DEALS: Final = "deals"
CALLS: Final = "calls"
DOUBLING: Final = "doubling"
DOUBLINGS: Final = ("none", "bend", "first-bend")
MOST_CALLS: Final = 20


def is_house(option: str) -> bool:
    return "=" in option


def value_of(options: Iterable[str], rule: str) -> str:
    """Return the value of a house rule; empty: it is not chosen."""
    return next((one.partition("=")[2] for one in options if one.partition("=")[0] == rule), "")


def with_house(ruleset: Ruleset, options: Sequence[str]) -> Ruleset:
    """Apply house rules; raise InputError for one that is unknown, impossible here or repeated."""
    named: set[str] = set()
    for option in options:
        rule, _, value = option.partition("=")
        if rule not in _RULES:
            raise problem(f"there is no house rule {quote(rule)}{nearest(rule, _RULES)}", SourceLocation())
        if rule in named:
            raise problem(f"the house rule {rule} is named twice", SourceLocation())
        named.add(rule)
        ruleset = _RULES[rule](ruleset, value)
    return ruleset


def deal_numbers(options: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of the deals played; empty: all. Raise InputError if they are no numbers."""
    found: list[int] = []
    text = value_of(options, DEALS)
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        if not all(one.isascii() and one.isdigit() and len(one) < 4 for one in (first, last or first)):
            raise problem(f"{quote(text)} names no deals: write 1-3, or 2,5,9", SourceLocation())
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def _deals(ruleset: Ruleset, value: str) -> Ruleset:
    if ruleset.end.after != "last-deal":
        raise problem(
            f"{ruleset.name} goes on until one seat is left: it has no deals to choose from", SourceLocation()
        )
    count, numbers = len(ruleset.deals), deal_numbers([f"{DEALS}={value}"])
    if not numbers or not all(1 <= one <= count for one in numbers) or len({*numbers}) < len(numbers):
        raise problem(
            f"{quote(value)} are not deals of {ruleset.name}: it has 1 to {count}, each once", SourceLocation()
        )
    return replace(ruleset, deals=tuple(replace(ruleset.deals[one - 1], number=one, of=count) for one in numbers))


def _calls(ruleset: Ruleset, value: str) -> Ruleset:
    if not ruleset.calls.limit:
        raise problem(f"nobody calls in {ruleset.name}", SourceLocation())
    if not (value.isascii() and value.isdigit() and len(value) < 4 and 1 <= int(value) <= MOST_CALLS):
        raise problem(f"calls must be a number from 1 to {MOST_CALLS}, not {quote(value)}", SourceLocation())
    deals = tuple(replace(deal, calls=None) for deal in ruleset.deals)
    return replace(ruleset, calls=replace(ruleset.calls, limit=int(value)), deals=deals)


def _doubling(ruleset: Ruleset, value: str) -> Ruleset:
    if value not in DOUBLINGS:
        raise problem(f"doubling is one of {', '.join(DOUBLINGS)}, not {quote(value)}", SourceLocation())
    return replace(ruleset, score=replace(ruleset.score, doubling=value))


_RULES: Final[dict[str, Callable[[Ruleset, str], Ruleset]]] = {DEALS: _deals, CALLS: _calls, DOUBLING: _doubling}
