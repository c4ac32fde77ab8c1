"""Chapter files read: each mistake is an error with its file and line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from kalooki_tui.cards import FRENCH
from kalooki_tui.coach.catalogue import ENGLISH
from kalooki_tui.coach.clauses import RULE, policy, rule_names
from kalooki_tui.coach.course.chapter import (
    ADVICE,
    DEALS,
    ENDS,
    KEY,
    MOMENTS,
    MOST_EXAMPLES,
    MOST_WORDS,
    NAME,
    POINTS,
    SEATS,
    Chapter,
    Coached,
    Example,
    Mastery,
    Remark,
    Step,
    slots_of,
)
from kalooki_tui.coach.course.progress import ALONE
from kalooki_tui.coach.exercises.kinds import KINDS
from kalooki_tui.coach.exercises.kinds.may import TOPICS
from kalooki_tui.coach.exercises.posed import Moment, Posed
from kalooki_tui.coach.vocabulary import vocabulary_slots
from kalooki_tui.engine.actions import Kind
from kalooki_tui.notation import nodes
from kalooki_tui.problems import InputError, Place, Problem, nearest, problem
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Vocabulary
from kalooki_tui.rulesets.yaml_source import Node, read_text, read_yaml
from kalooki_tui.wording import escaped, quote

#: The clauses of the rules that a chapter may name.
CLAUSES: Final = frozenset(
    f"{letter}{number}"
    for letter, most in (
        ("T", 3), ("M", 9), ("L", 9), ("C", 10), ("K", 11), ("S", 3), ("G", 6), ("P", 4), ("F", 4), ("B", 1), ("U", 5),
        ("V", 2), ("D", 33),
    )
    for number in range(1, most + 1)
) - {"D25"} | {"D1a", "D26a", "F1a"}  # fmt: skip
_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,30}")
#: The slot of an example that is what its cards cost.
COST: Final = "cost"
#: Slots of remarks beside the vocabulary.
_MOMENT_SLOTS: Final = ("card", "advice", "game", NAME)


@cache
def shipped(language: str = ENGLISH) -> tuple[Chapter, ...]:
    """Every chapter there is, in its order."""
    folder = resources.files("kalooki_tui.coach") / "texts" / language / "chapters"
    files = [file for file in folder.iterdir() if file.name.endswith(".yaml")]
    found = [read_chapter(file.read_text(encoding="utf-8"), file.name) for file in files]
    return tuple(sorted(found, key=lambda chapter: chapter.order))


def read_file(path: str, keys: Collection[str] | None = None) -> Chapter:
    """The chapter of a file; `keys` as `read_chapter` takes them.

    Raises:
        InputError: with file and line, everything for which it is no chapter.
    """
    return read_chapter(read_text(Path(path), "chapter"), path, keys)


def read_chapter(text: str, file: str, keys: Collection[str] | None = None) -> Chapter:
    """The chapter that a text says; `keys`: the commands whose keys it may name, None for any.

    Raises:
        InputError: with file and line, everything for which it is none.
    """
    readers = _Readers(keys)
    given = nodes.record(
        read_yaml(text, file, "chapter"),
        "the chapter",
        {
            "id": _id,
            "order": _number("order", 0, 999),
            "evening": _number("evening", 0, 9),
            "title": readers.sentence("title"),
            "clauses": _clauses,
            "when": _when,
            "words": readers.words,
            "example": readers.examples,
            "exercises": readers.steps,
            "mixed": _number("mixed", 0, 6),
            "deal": readers.coached,
            "mastered": _mastery,
            "always": _is("always"),
        },
        ("id", "title", "clauses", "words", "example", "exercises"),
    )
    return Chapter(
        id=given["id"],
        order=given.get("order", 0),
        evening=given.get("evening", 0),
        title=given["title"],
        clauses=given["clauses"],
        words=given["words"],
        examples=given["example"],
        steps=given["exercises"],
        mixed=given.get("mixed", 0),
        coached=given.get("deal"),
        mastery=given.get("mastered"),
        when=given.get("when", {}),
        always=given.get("always", False),
    )


def _is(what: str) -> Callable[[Node], bool]:
    return lambda node: nodes.boolean(node, what)


def _number(what: str, low: int, high: int = nodes.MOST_POINTS) -> Callable[[Node], int]:
    return lambda node: nodes.integer(node, what, low, high)


def _one_of(what: str, known: Sequence[str]) -> Callable[[Node], str]:
    return lambda node: nodes.choice(node, what, known)


def _id(node: Node) -> str:
    found = nodes.text(node, "id")
    if not _ID.fullmatch(found):
        raise problem(f"id must be small letters, digits and hyphens, not {quote(found)}", node.place)
    return found


def _clause(node: Node) -> str:
    clause = nodes.text(node, "a clause")
    if clause not in CLAUSES:
        raise problem(f"there is no clause {quote(clause)}", node.place)
    return clause


def _clauses(node: Node) -> tuple[str, ...]:
    return tuple(nodes.each(node, "clauses", _clause))


def _deal(node: Node) -> str | int:
    return nodes.choice(node, "deal", DEALS) if isinstance(node.value, str) else nodes.integer(node, "deal", 1, 50)


class _Readers:
    """Readers of what has sentences in it, with the keys that these may name."""

    def __init__(self, keys: Collection[str] | None) -> None:
        self._keys = keys

    def sentence(self, what: str, more: tuple[str, ...] = ()) -> Callable[[Node], str]:
        """The reader of a text whose slots are all known."""
        return lambda node: self._sentence(node, what, more)

    def _sentence(self, node: Node, what: str, more: tuple[str, ...] = ()) -> str:
        found = " ".join(nodes.text(node, what).split())
        if not found:
            raise problem(f"{what} is empty", node.place)
        try:
            slots = list(dict.fromkeys(slots_of(found)))
        except ValueError as error:
            raise problem(f"{what}: {error}", node.place) from None
        known = (*vocabulary_slots(Vocabulary()), *more)
        wrong = [said for said in (self._why_no_slot(slot, known) for slot in slots) if said]
        if wrong:
            raise InputError(Problem(*node.place, f"{what}: {said}") for said in wrong)
        return found

    def _why_no_slot(self, slot: str, known: Collection[str]) -> str:
        """What is wrong with a name in braces; empty if it can be filled in. Only a person's name takes a verb."""
        name, _, verb = slot.partition(":")
        if name.startswith(KEY) and slot == name:
            key = name.removeprefix(KEY)
            if self._keys is None or key in self._keys:
                return ""
            return f"{{{escaped(name)}}}: there is no command {quote(key)}{nearest(key, self._keys)}"
        if name.startswith(RULE) and slot == name:
            rule = name.removeprefix(RULE)
            if rule in rule_names() | CLAUSES:
                return ""
            return f"{{{escaped(name)}}}: no rule is called {quote(rule)}{nearest(rule, rule_names())}"
        if name in known and (not verb or name == NAME):
            return ""
        return f"there is no slot {{{escaped(slot)}}}{nearest(name, known)}"

    def words(self, node: Node) -> str:
        """What stands before the first exercise."""
        found = self._sentence(node, "words")
        count = len(re.sub(r"\{[^}]*\}", "x", found).split())
        if count > MOST_WORDS:
            raise problem(f"words: {count} words, at most {MOST_WORDS} are allowed", node.place)
        return found

    def examples(self, node: Node) -> tuple[Example, ...]:
        """The worked example."""
        found = nodes.each(node, "example", self._example)
        if not 1 <= len(found) <= MOST_EXAMPLES:
            raise problem(f"example must have from 1 to {MOST_EXAMPLES} lines, not {len(found)}", node.place)
        return tuple(found)

    def _example(self, node: Node) -> Example:
        given = nodes.record(
            node,
            "a line of the example",
            {
                "cards": lambda one: nodes.cards(one, "cards", FRENCH),
                "is": lambda one: Kind(nodes.choice(one, "is", tuple(Kind))),
                "say": self.sentence("say", (COST,)),
            },
        )
        if not given.get("cards") and not given.get("say"):
            raise problem("a line of the example has neither cards nor say", node.place)
        return Example(given.get("cards", ()), given.get("is"), given.get("say", ""))

    def steps(self, node: Node) -> tuple[Step, ...]:
        """The exercises."""
        found = tuple(nodes.each(node, "exercises", self._step))
        if not found:
            raise problem("there are no exercises", node.place)
        return found

    def _step(self, node: Node) -> Step:
        at = nodes.mapping(node, "an exercise")
        if "kind" in at and at["kind"].value == Posed.kind:
            return self._moment(node)
        given = nodes.record(
            node,
            "an exercise",
            {
                "kind": _one_of("kind", (*KINDS, Posed.kind)),
                "deal": _deal,
                "count": _number("count", 1, 12),
                "jokers": _jokers,
                "clauses": _clauses,
                "topic": _one_of("topic", TOPICS),
            },
            ("kind",),
        )
        if "topic" in given and given["kind"] != "may":
            raise problem(f"only exercises of the kind 'may' have a topic, not {given['kind']!r}", at["topic"].place)
        jokers, clauses = given.get("jokers"), given.get("clauses", ())
        deal, count = given.get("deal", DEALS[0]), given.get("count", 1)
        return Step(given["kind"], deal, count, jokers, clauses, given.get("topic", ""))

    def _moment(self, node: Node) -> Step:
        """An exercise at a moment that is set up: position, action and question."""
        readers = {
            "kind": _one_of("kind", (Posed.kind,)),
            "at": lambda one: nodes.mapping(one, "at") and one.plain(),
            "do": lambda one: nodes.text(one, "do"),
            "ask": self.sentence("ask"),
        }
        given = nodes.record(node, f"an exercise of the kind {Posed.kind!r}", readers, tuple(readers))
        return Step(Posed.kind, 1, moment=Moment(given["at"], given["do"], given["ask"]))

    def coached(self, node: Node) -> Coached:
        """The coached deal."""
        given = nodes.record(
            node,
            "the coached deal",
            {
                "deal": _deal,
                "ruleset": lambda one: _ruleset(nodes.text(one, "ruleset"), one.place),
                "seeds": _seeds,
                "point": _one_of("point", POINTS),
                "ends": _one_of("ends", ENDS),
                "seats": _number("seats", 2, 11),
                "open": _is("open"),
                "arrows": _is("arrows"),
                "calls": _is("calls"),
                "penalties": _is("penalties"),
                "guess": _is("guess"),
                "say": lambda one: tuple(nodes.each(one, "say", self._remark)),
            },
            ("seeds", "point"),
        )
        return Coached(
            deal=given.get("deal", DEALS[0]),
            seeds=given["seeds"],
            point=given["point"],
            ends=given.get("ends", ""),
            seats=given.get("seats", SEATS),
            remarks=given.get("say", ()),
            open_hands=given.get("open", False),
            arrows=given.get("arrows", False),
            calls=given.get("calls", True),
            penalties=given.get("penalties", False),
            guess=given.get("guess", False),
            ruleset=given.get("ruleset", ""),
        )

    def _remark(self, node: Node) -> Remark:
        given = nodes.record(
            node,
            "a remark",
            {
                "at": _one_of("at", MOMENTS),
                "advice": _one_of("advice", ADVICE),
                "again": _is("again"),
                "words": self.sentence("words", _MOMENT_SLOTS),
            },
            ("at", "words"),
        )
        return Remark(given["at"], given["words"], given.get("advice", ""), given.get("again", False))


def _jokers(node: Node) -> tuple[int, int]:
    """A number, or the fewest and the most."""
    if isinstance(node.value, list):
        numbers = [nodes.integer(one, "jokers", 0, 10) for one in node.value]
        if len(numbers) == 2 and numbers[0] <= numbers[1]:
            return numbers[0], numbers[1]
        raise problem("jokers must be a number, or the smallest and the largest number", node.place)
    number = nodes.integer(node, "jokers", 0, 10)
    return number, number


def _seeds(node: Node) -> dict[str, int]:
    """Seeds by ruleset."""
    mistakes, found = nodes.Mistakes(), {}
    for name, seed in nodes.mapping(node, "seeds").items():
        with mistakes.gathered():
            found[_ruleset(name, nodes.key_place(node, name))] = nodes.integer(seed, "a seed", 0)
    mistakes.tell()
    return found


def _ruleset(name: str, place: Place) -> str:
    try:
        load_ruleset(name)
    except InputError as error:
        raise problem(str(error), place) from None
    return name


def _mastery(node: Node) -> Mastery:
    readers = {
        "kind": _one_of("kind", (*KINDS, *ALONE)),
        "right": _number("right", 1),
        "of": _number("of", 1, 10),
        "seconds": _number("seconds", 1, 3600),
    }
    given = nodes.record(node, "mastered", readers, ("kind", "right", "of"))
    if given["right"] > given["of"]:
        raise problem(f"right must be from 1 to {given['of']}, not {given['right']}", node.place)
    return Mastery(given["kind"], given["right"], given["of"], given.get("seconds"))


def _when(node: Node) -> dict[str, tuple[object, ...]]:
    """Values of policies; the path of each must lead to one."""
    usual = load_ruleset(DEFAULT_RULESET)
    found: dict[str, tuple[object, ...]] = {}
    mistakes = nodes.Mistakes()
    for path, values in nodes.mapping(node, "when").items():
        with mistakes.gathered():
            try:
                policy(usual, path)
            except KeyError:
                raise problem(f"when: there is no policy {quote(path)}", nodes.key_place(node, path)) from None
            plain = values.plain()
            found[path] = tuple(plain) if isinstance(plain, list) else (plain,)
    mistakes.tell()
    return found
