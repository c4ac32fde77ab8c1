"""Chapters: a few words, a worked example, exercises, a coached deal, when it is mastered; and their files."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Annotated, Any, Final, TypeAlias

from msgspec import field

from kalooki_tui.cards import FRENCH, Card
from kalooki_tui.coach.clauses import RULE, fact_or_policy, rule_names, rule_slots
from kalooki_tui.coach.course.progress import ALONE
from kalooki_tui.coach.exercises.definition import Exercise
from kalooki_tui.coach.exercises.kinds.turn_questions import TOPICS, MomentExercise
from kalooki_tui.coach.exercises.registry import KINDS
from kalooki_tui.coach.vocabulary import TEXTS, vocabulary_slots
from kalooki_tui.engine.actions import Kind
from kalooki_tui.engine.rules import Rules
from kalooki_tui.notation.card_text import cards_of
from kalooki_tui.problems import nearest, shown
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import MOST_POINTS, Contract, Part, Read, Ruleset, Vocabulary, Within
from kalooki_tui.rulesets.possible import Impossible
from kalooki_tui.rulesets.trees import without_empty
from kalooki_tui.rulesets.yaml_source import Node, read_text, read_yaml
from kalooki_tui.wording import escaped, quote

#: Most words before the first exercise.
MOST_WORDS: Final = 30
#: Most lines of a worked example.
MOST_EXAMPLES: Final = 7
#: Deals by what their contract asks for.
DEALS: Final = ("first", "sets", "runs", "mixed", "last")
#: The largest number of a deal, and most jokers among the cards of an exercise.
MOST_DEALS: Final = 50
MOST_JOKERS: Final = 10
#: Keys of an exercise at a moment that is set up.
MOMENT_KEYS: Final = ("at", "do", "ask")
#: Moments of a coached deal at which something can be said.
MOMENTS: Final = ("cut", "draw", "call", "decision", "play", "add-on")
#: What the coach may recommend at such a moment.
ADVICE: Final = (
    "call", "pass", "allow", "refuse", "take", "stock", "lay", "tack", "swap", "throw", "out", "end", "done",
)  # fmt: skip
#: Seats of a coached deal, unless it says otherwise.
SEATS: Final = 3
#: Prefix of a slot that names a key of the table by its command: ``{key discard}``.
KEY: Final = "key "
#: The slot of a remark that names a person, and may have a verb with it: ``{name:Want}``.
NAME: Final = "name"


#: The slot of an example that is what its cards cost.
COST: Final = "cost"
#: The clauses of the rules that a chapter may name.
CLAUSES: Final = frozenset(
    f"{letter}{number}"
    for letter, most in (
        ("T", 3), ("M", 9), ("L", 9), ("C", 10), ("K", 11), ("S", 3), ("G", 6), ("P", 4), ("F", 4), ("B", 1), ("U", 5),
        ("V", 2), ("D", 33), ("H", 15),
    )
    for number in range(1, most + 1)
) - {"D25"} | {"D1a", "D26a", "F1a"}  # fmt: skip


def _one_of(*known: str) -> Read:
    def read(value: object, _: object) -> object:
        if value not in known:
            raise ValueError(f"must be one of {', '.join(known)}, not {shown(value)}")
        return value

    return Read(read)


def _sentence(*more: str) -> Read:
    """Return a reader of texts whose slots are all known; its context: the commands it may name, None for any."""

    def read(text: str, keys: Collection[str] | None) -> str:
        found = " ".join(text.split())
        if not found:
            raise ValueError("is empty")
        wrong = [why for slot in dict.fromkeys(slots_of(found)) if (why := _why_no_slot(slot, more, keys))]
        if wrong:
            raise ValueError("\n".join(wrong))
        return found

    return Read(read, str)


def _why_no_slot(slot: str, more: tuple[str, ...], keys: Collection[str] | None) -> str:
    name, _, verb = slot.partition(":")
    known: Collection[str] = (*vocabulary_slots(Vocabulary()), *more)
    if name.startswith(KEY) and slot == name:
        command = name.removeprefix(KEY)
        if keys is None or command in keys:
            return ""
        return f"{{{escaped(name)}}}: there is no command {quote(command)}{nearest(command, keys)}"
    if name.startswith(RULE) and slot == name:
        rule = name.removeprefix(RULE)
        if rule in rule_names() | CLAUSES:
            return ""
        return f"{{{escaped(name)}}}: no rule is called {quote(rule)}{nearest(rule, rule_names())}"
    if name in known and (not verb or name == NAME):
        return ""
    return f"there is no slot {{{escaped(slot)}}}{nearest(name, known)}"


def _words(text: str, _: object) -> str:
    count = len(re.sub(r"\{[^}]*\}", "x", text).split())
    if count > MOST_WORDS:
        raise ValueError(f"{count} words, at most {MOST_WORDS} are allowed")
    return text


def _clause(text: str, _: object) -> str:
    if text not in CLAUSES:
        raise ValueError(f"there is no clause {quote(text)}")
    return text


def _deal(value: object, _: object) -> object:
    if value not in DEALS and (type(value) is not int or not 1 <= value <= MOST_DEALS):
        raise ValueError(f"must be from 1 to {MOST_DEALS}, or one of {', '.join(DEALS)}, not {shown(value)}")
    return value


def _jokers(value: object, _: object) -> tuple[int, int]:
    fewest, most = value if isinstance(value, list) and len(value) == 2 else (value, value)
    if type(fewest) is not int or type(most) is not int or not 0 <= fewest <= most <= MOST_JOKERS:
        raise ValueError(f"must be a number up to {MOST_JOKERS}, or the smallest and the largest number")
    return fewest, most


def _ruleset(name: str, _: object) -> str:
    load_ruleset(name)
    return name


def _policy(path: str, _: object) -> str:
    try:
        fact_or_policy(load_ruleset(DEFAULT_RULESET), path)
    except KeyError:
        raise ValueError(f"there is no policy {quote(path)}") from None
    return path


Clauses: TypeAlias = tuple[Annotated[str, Read(_clause, str)], ...]
DealNamed: TypeAlias = Annotated[str | int, Read(_deal)]
RulesetId: TypeAlias = Annotated[str, Read(_ruleset, str)]


class Example(Part, frozen=True):
    cards: Annotated[tuple[Card, ...], Read(lambda value, _: cards_of(value, FRENCH))] = ()
    kind: Kind | None = field(default=None, name="is")
    """Judged as a meld of this kind; the refusal is shown where it is none."""
    words: Annotated[str, _sentence(COST)] = field(default="", name="say")

    def __post_init__(self) -> None:
        if not self.cards and not self.words:
            raise ValueError("has neither cards nor say")


class Step(Part, frozen=True):
    """Exercises of one kind, easy ones first."""

    kind: Annotated[str, _one_of(*KINDS, MomentExercise.kind)]
    deal: DealNamed = DEALS[0]
    """One of `DEALS`, or a number."""
    count: Annotated[int, Within(ge=1, le=12)] = 1
    jokers: Annotated[tuple[int, int], Read(_jokers)] | None = None
    clauses: Clauses = ()
    """A refusal is by one of them."""
    topic: Annotated[str, _one_of(*TOPICS)] = ""
    at: dict[str, Any] = field(default_factory=dict)
    """Of an exercise `moment`: setup, action and question."""
    do: str = ""
    ask: Annotated[str, _sentence()] = ""

    def __post_init__(self) -> None:
        for key, kind in {"topic": "may", **dict.fromkeys(MOMENT_KEYS, MomentExercise.kind)}.items():
            if getattr(self, key) and self.kind != kind:
                raise Impossible(f"only exercises of the kind {kind!r} have it, not {self.kind!r}", (key,))
        if self.is_posed and (self.deal, self.count, self.jokers, self.clauses) != (DEALS[0], 1, None, ()):
            raise ValueError(f"an exercise of the kind {MomentExercise.kind!r} has only {', '.join(MOMENT_KEYS)}")

    @property
    def is_posed(self) -> bool:
        return self.kind == MomentExercise.kind

    def number(self, ruleset: Ruleset) -> int:
        if isinstance(self.deal, int):
            return min(self.deal, len(ruleset.deals))
        return _deal_of(ruleset.deals, self.deal)

    def fits(self, exercise: Exercise) -> bool:
        if self.topic and getattr(exercise, "topic", "") != self.topic:
            return False
        refusal = getattr(exercise, "refusal", None)
        if self.clauses and refusal is not None and refusal.clause not in self.clauses:
            return False
        return self.jokers is None or self.jokers[0] <= exercise.jokers <= self.jokers[1]


def _deal_of(deals: tuple[Contract, ...], which: str) -> int:
    if which in ("first", "last"):
        return 1 if which == "first" else len(deals)
    wanted = {"sets": (True, False), "runs": (False, True), "mixed": (True, True)}[which]
    asked = [(bool(deal.sets), bool(deal.runs)) for deal in deals]
    return asked.index(wanted) + 1 if wanted in asked else 1


class Remark(Part, frozen=True):
    at: Annotated[str, _one_of(*MOMENTS)]
    words: Annotated[str, _sentence("card", "advice", "game", NAME)]
    advice: Annotated[str, _one_of(*ADVICE)] = ""
    """Only where the coach recommends this; `out` is a throw of the last card."""
    again: bool = False


class Coached(Part, frozen=True, kw_only=True):
    """Deal against AI seats in which the chapter's point comes up early."""

    deal: DealNamed = DEALS[0]
    seeds: dict[RulesetId, Annotated[int, Within(ge=0, le=MOST_POINTS)]]
    """By ruleset; one without a seed has no coached deal."""
    seats: Annotated[int, Within(ge=2, le=11)] = SEATS
    remarks: tuple[Remark, ...] = field(default=(), name="say")
    open_hands: bool = field(default=False, name="open")
    arrows: bool = False
    calls: bool = True
    ruleset: RulesetId = ""
    penalties: bool = False
    guess: bool = False
    cut: bool = False
    """The learner deals, and cuts for the bonus (B1)."""


class Mastery(Part, frozen=True):
    """Condition beyond three stars: so many right of the last ones of a kind, within a time for all of them."""

    kind: Annotated[str, _one_of(*KINDS, *ALONE)]
    right: Annotated[int, Within(ge=1, le=10)]
    of: Annotated[int, Within(ge=1, le=10)]
    seconds: Annotated[int, Within(ge=1, le=3600)] | None = None

    def __post_init__(self) -> None:
        if self.right > self.of:
            raise Impossible(f"must be from 1 to {self.of}, not {self.right}", ("right",))


class Chapter(Part, frozen=True, kw_only=True):
    """Chapter as its file has it: texts with slots."""

    id: Annotated[str, Within(pattern=r"^[a-z][a-z0-9-]{0,30}$")]
    order: Annotated[int, Within(ge=0, le=999)] = 0
    evening: Annotated[int, Within(ge=0, le=9)] = 0
    """0: it belongs to no evening."""
    title: Annotated[str, _sentence()]
    clauses: Clauses
    words: Annotated[str, Read(_words, Annotated[str, _sentence()])]
    examples: Annotated[tuple[Example, ...], Within(min_length=1, max_length=MOST_EXAMPLES)] = field(name="example")
    steps: tuple[Step, ...] = field(default=(), name="exercises")
    mixed: Annotated[int, Within(ge=0, le=6)] = 0
    coached: Coached | None = field(default=None, name="deal")
    mastery: Mastery | None = field(default=None, name="mastered")
    when: dict[
        Annotated[str, Read(_policy, str)],
        Annotated[tuple[Any, ...], Read(lambda values, _: tuple(values) if isinstance(values, list) else (values,))],
    ] = field(default_factory=dict)
    """Rulesets by values of policies and facts; empty: it belongs to the whole course."""
    always: bool = False

    def __post_init__(self) -> None:
        if not self.steps and not self.mixed:
            raise ValueError("has neither exercises nor mixed")


def slots_of(text: str) -> list[str]:
    """Return the names in braces, each with its verb; raise ValueError for an open brace."""
    found = [(name, verb, how) for _, name, verb, how in Formatter().parse(text) if name is not None]
    return [f"{name}{f'!{how}' if how else ''}{f':{verb}' if verb else ''}" for name, verb, how in found]


def fill(text: str, rules: Rules, more: Mapping[str, str]) -> str:
    """Fill the slots of a chapter's text; `more`: keys of the table, and slots of the moment."""
    quoted = rule_slots(rules.ruleset) if RULE in text else {}
    return text.format_map(
        vocabulary_slots(rules.ruleset.vocabulary, rules.ruleset.calls.penalty) | quoted | dict(more)
    )


@cache
def shipped() -> tuple[Chapter, ...]:
    files = (TEXTS / "chapters").glob("*.yaml")
    found = [read_chapter(file.read_text(encoding="utf-8"), file.name) for file in files]
    return tuple(sorted(found, key=lambda chapter: chapter.order))


def read_file(path: str, keys: Collection[str] | None = None) -> Chapter:
    """Load the chapter of a file; `keys` and errors as in `read_chapter`."""
    return read_chapter(read_text(Path(path), "chapter"), path, keys)


def read_chapter(text: str, file: str, keys: Collection[str] | None = None) -> Chapter:
    """Parse a chapter; `keys`: commands whose keys it may name, None for any; raise InputError with all faults."""
    from kalooki_tui.rulesets.validation import checked

    keys_of = set(Chapter.__struct_encode_fields__)
    tree = without_empty(read_yaml(text, file, "chapter"), keys_of)
    steps = tree.value.get("exercises") if isinstance(tree.value, dict) else None
    for step in steps.value if steps is not None and isinstance(steps.value, list) else ():
        if isinstance(step.value, dict) and "kind" in step.value and step.value["kind"].value == MomentExercise.kind:
            # Other exercises have none of these keys, and it has all.
            step.value = {key: Node(None, step.place) for key in MOMENT_KEYS} | step.value
    return checked(Chapter, tree, context=keys)
