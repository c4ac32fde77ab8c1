"""What a chapter is: a few words, a worked example, exercises, a coached deal, and when it is mastered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter
from typing import Final

from kalooki_tui.cards import Card
from kalooki_tui.coach.clauses import RULE, rule_slots
from kalooki_tui.coach.exercises.model import Exercise
from kalooki_tui.coach.exercises.posed import Moment
from kalooki_tui.coach.vocabulary import vocabulary_slots
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract, Ruleset

#: Most words before the first exercise.
MOST_WORDS: Final = 30
#: Most characters of a title, of a line on the screen, and of a remark of two rows, slots filled.
TITLE: Final = 26
LINE: Final = 72
REMARK: Final = 144
#: Most lines of a worked example.
MOST_EXAMPLES: Final = 7
#: Deals by what their contract asks for.
DEALS: Final = ("first", "sets", "runs", "mixed", "last")
#: Moments of a coached deal at which something can be said.
MOMENTS: Final = ("cut", "draw", "call", "decision", "play", "add-on")
#: What the coach may recommend at such a moment.
ADVICE: Final = (
    "call", "pass", "allow", "refuse", "take", "stock", "lay", "tack", "swap", "throw", "out", "end", "done",
)  # fmt: skip
#: What a seed is chosen for, so that it comes up in the first turns of a coached deal.
POINTS: Final = (
    "lays", "jokers", "call", "decisions", "tack", "swap", "take", "laid-take", "tack-low", "tack-joker",
    "throw-joker", "out", "bend", "add-on", "flip", "cut", "waits",
)  # fmt: skip
#: How a coached deal ends for a learner who does what the coach says: the learner goes out, another seat does, after
#: the learner has laid or before that, or the stock is empty twice.
ENDS: Final = ("out", "beaten", "caught", "void")
#: Seats of a coached deal, unless it says otherwise.
SEATS: Final = 3
#: Prefix of a slot that names a key of the table by its command: ``{key discard}``.
KEY: Final = "key "
#: The slot of a remark that names a person, and may have a verb with it: ``{name:Want}``.
NAME: Final = "name"


@dataclass(frozen=True, slots=True)
class Example:
    """A line of the worked example: cards, what they are said to be, a few words."""

    cards: tuple[Card, ...] = ()
    kind: Kind | None = None
    """Judged as a meld of this kind, the refusal shown where they are none."""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """Exercises of one kind, easy ones first."""

    kind: str
    deal: str | int
    """One of `DEALS`, or a number."""
    count: int = 1
    jokers: tuple[int, int] | None = None
    """Fewest and most jokers among its cards."""
    clauses: tuple[str, ...] = ()
    """What is refused is refused by one of them."""
    topic: str = ""
    """What an exercise `may` asks about."""
    moment: Moment | None = None
    """Of an exercise `moment`: what is set up and asked."""

    def number(self, ruleset: Ruleset) -> int:
        """The deal that is meant."""
        if isinstance(self.deal, int):
            return min(self.deal, len(ruleset.deals))
        return _deal_of(ruleset.deals, self.deal)

    def fits(self, exercise: Exercise) -> bool:
        """Whether an exercise is as this step wants it."""
        if self.topic and getattr(exercise, "topic", "") != self.topic:
            return False
        refusal = getattr(exercise, "refusal", None)
        if self.clauses and refusal is not None and refusal.clause not in self.clauses:
            return False
        return self.jokers is None or self.jokers[0] <= exercise.jokers <= self.jokers[1]


def _deal_of(deals: tuple[Contract, ...], which: str) -> int:
    numbers = range(1, len(deals) + 1)

    def fits(number: int) -> bool:
        deal = deals[number - 1]
        return {
            "first": True,
            "sets": bool(deal.sets) and not deal.runs,
            "runs": bool(deal.runs) and not deal.sets,
            "mixed": bool(deal.sets and deal.runs),
        }[which]

    return len(deals) if which == "last" else next(filter(fits, numbers), 1)


@dataclass(frozen=True, slots=True)
class Remark:
    """What the chapter says at a moment of its coached deal."""

    at: str
    words: str
    advice: str = ""
    """Only where the coach recommends this; `out` is a throw of the last card."""
    again: bool = False
    """Whether it is said every time, not only once."""


@dataclass(frozen=True, slots=True)
class Coached:
    """A real deal against AI seats in which the chapter's point comes up early."""

    deal: str | int
    seeds: Mapping[str, int]
    """By ruleset; a ruleset that is not there has no coached deal."""
    point: str
    """Why these seeds: what comes up."""
    ends: str = ""
    """How these deals end, one of `ENDS`; empty: in any way."""
    seats: int = SEATS
    """Seats at the table, where the game is played with so many."""
    remarks: tuple[Remark, ...] = ()
    open_hands: bool = False
    arrows: bool = False
    """Whether every choice is pointed at."""
    calls: bool = True
    """Whether cards may be called: the first chapters do without."""
    ruleset: str = ""
    """Another one than the course's."""
    penalties: bool = False
    """Whether the penalties referee is asked."""
    guess: bool = False
    """Whether the number of cards away is asked before it is shown."""


@dataclass(frozen=True, slots=True)
class Mastery:
    """What is asked beyond three stars: so many right of the last ones of a kind, within a time for all of them."""

    kind: str
    """A kind of exercise, or one of `ALONE`."""
    right: int
    of: int
    seconds: int | None = None


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter, as its file has it: texts with slots."""

    id: str
    order: int
    evening: int
    """0: it belongs to no evening."""
    title: str
    clauses: tuple[str, ...]
    words: str
    examples: tuple[Example, ...]
    steps: tuple[Step, ...]
    mixed: int
    """Exercises from earlier chapters at the end."""
    coached: Coached | None
    mastery: Mastery | None
    when: Mapping[str, tuple[object, ...]]
    """For which rulesets: values of their policies; empty: it belongs to the whole course."""
    always: bool = False
    """Whether it is called for even where the whole course's ruleset has the same policies."""

    @property
    def texts(self) -> list[tuple[str, str, int]]:
        """Every text: what it is, its words with slots, and most characters of its place, 0 for no limit."""
        found = [("title", self.title, TITLE), ("words", self.words, 0)]
        found += [("example", one.words, LINE) for one in self.examples if one.words]
        found += [("question", step.moment.ask, REMARK) for step in self.steps if step.moment is not None]
        if self.coached is not None:
            found += [("remark", one.words, REMARK) for one in self.coached.remarks]
        return found


def slots_of(text: str) -> list[str]:
    """The names in braces, with the verb that a person's may have.

    Raises:
        ValueError: a brace is not closed.
    """
    found = [(name, verb, how) for _, name, verb, how in Formatter().parse(text) if name is not None]
    return [f"{name}{f'!{how}' if how else ''}{f':{verb}' if verb else ''}" for name, verb, how in found]


def fill(text: str, rules: Rules, more: Mapping[str, str]) -> str:
    """A text of a chapter with its slots filled; `more` are keys of the table and what belongs to a moment."""
    quoted = rule_slots(rules.ruleset) if RULE in text else {}
    return text.format_map(vocabulary_slots(rules.ruleset.vocabulary) | quoted | dict(more))
