"""Chapter files read: each mistake is an error with its file and line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from kalooki_tui.cards import FRENCH
from kalooki_tui.coach.catalogue import ENGLISH
from kalooki_tui.coach.course.chapter import (
    ADVICE,
    DEALS,
    KEY,
    MOMENTS,
    MOST_EXAMPLES,
    MOST_WORDS,
    POINTS,
    Chapter,
    Coached,
    Example,
    Mastery,
    Remark,
    Step,
    policy,
    slots_of,
    vocabulary_slots,
)
from kalooki_tui.coach.course.progress import ALONE
from kalooki_tui.coach.exercises.making import KINDS
from kalooki_tui.coach.exercises.permitted import TOPICS
from kalooki_tui.coach.exercises.posed import Moment, Posed
from kalooki_tui.engine.actions import Kind
from kalooki_tui.notation import nodes
from kalooki_tui.problems import InputError, Place, nearest, problem
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.rulesets.lines import Node, read_text, read_yaml
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.rulesets.model import Vocabulary

#: The clauses of the rules that a chapter may name.
CLAUSES: Final = frozenset(
    f"{letter}{number}"
    for letter, most in (
        ("T", 3), ("M", 9), ("L", 9), ("C", 10), ("K", 11), ("S", 3), ("G", 6), ("P", 4), ("F", 4), ("B", 1), ("U", 5),
        ("V", 2), ("D", 31),
    )
    for number in range(1, most + 1)
) - {"D25"} | {"D1a", "D26a", "F1a"}  # fmt: skip
_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,30}")
_KEYS: Final = ("id", "order", "evening", "title", "clauses", "when", "words", "example", "exercises", "mixed", "deal",
                "mastered", "always")  # fmt: skip
#: Keys of an exercise of the kind `moment`.
_OF_MOMENTS: Final = ("at", "do", "ask")
#: Keys of a coached deal.
_OF_DEALS: Final = ("deal", "ruleset", "seeds", "point", "open", "arrows", "calls", "penalties", "guess", "say")
#: The slot of an example that is what its cards cost.
COST: Final = "cost"
#: Slots of remarks beside the vocabulary.
_MOMENT_SLOTS: Final = ("card", "advice", "name")


@cache
def shipped(language: str = ENGLISH) -> tuple[Chapter, ...]:
    """Every chapter there is, in its order."""
    folder = resources.files("kalooki_tui.coach") / "texts" / language / "chapters"
    files = [file for file in folder.iterdir() if file.name.endswith(".yaml")]
    found = [read_chapter(file.read_text(encoding="utf-8"), file.name) for file in files]
    return tuple(sorted(found, key=lambda chapter: chapter.order))


def read_file(path: str) -> Chapter:
    """The chapter of a file.

    Raises:
        InputError: with file and line, it is no chapter.
    """
    return read_chapter(read_text(Path(path), "chapter"), path)


def read_chapter(text: str, file: str) -> Chapter:
    """The chapter that a text says.

    Raises:
        InputError: with file and line, it is none.
    """
    node = read_yaml(text, file, "chapter")
    at = nodes.mapping(node, "the chapter", _KEYS)
    for key in ("id", "title", "clauses", "words", "example", "exercises"):
        if key not in at:
            raise problem(f"the chapter has no {key}", node.place)
    return Chapter(
        id=_id(at["id"]),
        order=_number(at, "order", 0, 999),
        evening=_number(at, "evening", 0, 9),
        title=_sentence(at["title"], "title"),
        clauses=_clauses(at["clauses"]),
        words=_words(at["words"]),
        examples=_examples(at["example"]),
        steps=_steps(at["exercises"]),
        mixed=_number(at, "mixed", 0, 6),
        coached=_coached(at["deal"]) if "deal" in at else None,
        mastery=_mastery(at["mastered"]) if "mastered" in at else None,
        when=_when(at["when"]) if "when" in at else {},
        always=_is(at, "always"),
    )


def _is(at: Mapping[str, Node], key: str) -> bool:
    return key in at and nodes.boolean(at[key], key)


def _number(at: Mapping[str, Node], key: str, low: int, high: int, usual: int = 0) -> int:
    return nodes.integer(at[key], key, low, high) if key in at else usual


def _id(node: Node) -> str:
    found = nodes.text(node, "id")
    if not _ID.fullmatch(found):
        raise problem(f"id must be small letters, digits and hyphens, not {found!r}", node.place)
    return found


def _sentence(node: Node, what: str, more: tuple[str, ...] = ()) -> str:
    """A text whose slots are all known."""
    found = " ".join(nodes.text(node, what).split())
    if not found:
        raise problem(f"{what} is empty", node.place)
    try:
        names = slots_of(found)
    except ValueError as error:
        raise problem(f"{what}: {error}", node.place) from None
    known = (*vocabulary_slots(Vocabulary()), *more)
    for name in names:
        if name not in known and not name.startswith(KEY):
            raise problem(f"{what}: there is no slot {{{name}}}{nearest(name, known)}", node.place)
    return found


def _words(node: Node) -> str:
    found = _sentence(node, "words")
    count = len(re.sub(r"\{[^}]*\}", "x", found).split())
    if count > MOST_WORDS:
        raise problem(f"words: {count} words, at most {MOST_WORDS} are allowed", node.place)
    return found


def _clauses(node: Node) -> tuple[str, ...]:
    found = []
    for one in nodes.sequence(node, "clauses"):
        clause = nodes.text(one, "a clause")
        if clause not in CLAUSES:
            raise problem(f"there is no clause {clause!r}", one.place)
        found.append(clause)
    return tuple(found)


def _examples(node: Node) -> tuple[Example, ...]:
    found = []
    for one in nodes.sequence(node, "example"):
        at = nodes.mapping(one, "a line of the example", ("cards", "is", "say"))
        cards = nodes.cards(at["cards"], "cards", FRENCH) if "cards" in at else ()
        kind = Kind(nodes.choice(at["is"], "is", tuple(Kind))) if "is" in at else None
        words = _sentence(at["say"], "say", (COST,)) if "say" in at else ""
        if not cards and not words:
            raise problem("a line of the example has neither cards nor say", one.place)
        found.append(Example(cards, kind, words))
    if not 1 <= len(found) <= MOST_EXAMPLES:
        raise problem(f"example must have from 1 to {MOST_EXAMPLES} lines, not {len(found)}", node.place)
    return tuple(found)


def _deal(at: Mapping[str, Node], usual: str = "first") -> str | int:
    if "deal" not in at:
        return usual
    node = at["deal"]
    return nodes.choice(node, "deal", DEALS) if isinstance(node.value, str) else nodes.integer(node, "deal", 1, 50)


def _steps(node: Node) -> tuple[Step, ...]:
    found = []
    for one in nodes.sequence(node, "exercises"):
        known = ("kind", "deal", "count", "jokers", "clauses", "topic", *_OF_MOMENTS)
        at = nodes.mapping(one, "an exercise", known)
        if "kind" not in at:
            raise problem("an exercise has no kind", one.place)
        if at["kind"].value == Posed.kind:
            found.append(_moment(one, at))
            continue
        kind = nodes.choice(at["kind"], "kind", tuple(KINDS))
        topic = nodes.choice(at["topic"], "topic", TOPICS) if "topic" in at else ""
        if topic and kind != "may":
            raise problem(f"only exercises of the kind 'may' have a topic, not {kind!r}", at["topic"].place)
        jokers = _jokers(at["jokers"]) if "jokers" in at else None
        clauses = _clauses(at["clauses"]) if "clauses" in at else ()
        found.append(Step(kind, _deal(at), _number(at, "count", 1, 12, 1), jokers, clauses, topic))
    if not found:
        raise problem("there are no exercises", node.place)
    return tuple(found)


def _moment(node: Node, at: Mapping[str, Node]) -> Step:
    """An exercise at a moment that is set up: position, action and question."""
    for key in _OF_MOMENTS:
        if key not in at:
            raise problem(f"an exercise of the kind {Posed.kind!r} has no {key}", node.place)
    for key in at:
        if key not in ("kind", *_OF_MOMENTS):
            raise problem(f"an exercise of the kind {Posed.kind!r} has no use for {key}", nodes.key_place(node, key))
    nodes.mapping(at["at"], "at")
    position = at["at"].plain()
    assert isinstance(position, dict)
    moment = Moment(position, nodes.text(at["do"], "do"), _sentence(at["ask"], "ask"))
    return Step(Posed.kind, 1, moment=moment)


def _jokers(node: Node) -> tuple[int, int]:
    """A number, or the fewest and the most."""
    if isinstance(node.value, list):
        numbers = [nodes.integer(one, "jokers", 0, 10) for one in node.value]
        if len(numbers) == 2 and numbers[0] <= numbers[1]:
            return numbers[0], numbers[1]
        raise problem("jokers must be a number, or the smallest and the largest number", node.place)
    number = nodes.integer(node, "jokers", 0, 10)
    return number, number


def _coached(node: Node) -> Coached:
    at = nodes.mapping(node, "deal", _OF_DEALS)
    for key in ("seeds", "point"):
        if key not in at:
            raise problem(f"the coached deal has no {key}", node.place)
    seeds = {
        _ruleset(name, nodes.key_place(at["seeds"], name)): nodes.integer(seed, "a seed", 0)
        for name, seed in nodes.mapping(at["seeds"], "seeds").items()
    }
    return Coached(
        deal=_deal(at),
        seeds=seeds,
        point=nodes.choice(at["point"], "point", POINTS),
        remarks=_remarks(at["say"]) if "say" in at else (),
        open_hands=_is(at, "open"),
        arrows=_is(at, "arrows"),
        calls="calls" not in at or _is(at, "calls"),
        penalties=_is(at, "penalties"),
        guess=_is(at, "guess"),
        ruleset=_ruleset(nodes.text(at["ruleset"], "ruleset"), at["ruleset"].place) if "ruleset" in at else "",
    )


def _ruleset(name: str, place: Place) -> str:
    try:
        load_ruleset(name)
    except InputError as error:
        raise problem(str(error), place) from None
    return name


def _remarks(node: Node) -> tuple[Remark, ...]:
    found = []
    for one in nodes.sequence(node, "say"):
        at = nodes.mapping(one, "a remark", ("at", "advice", "again", "words"))
        for key in ("at", "words"):
            if key not in at:
                raise problem(f"a remark has no {key}", one.place)
        advice = nodes.choice(at["advice"], "advice", ADVICE) if "advice" in at else ""
        words = _sentence(at["words"], "words", _MOMENT_SLOTS)
        found.append(Remark(nodes.choice(at["at"], "at", MOMENTS), words, advice, _is(at, "again")))
    return tuple(found)


def _mastery(node: Node) -> Mastery:
    at = nodes.mapping(node, "mastered", ("kind", "right", "of", "seconds"))
    for key in ("kind", "right", "of"):
        if key not in at:
            raise problem(f"mastered has no {key}", node.place)
    of = nodes.integer(at["of"], "of", 1, 10)
    right = nodes.integer(at["right"], "right", 1, of)
    seconds = nodes.integer(at["seconds"], "seconds", 1, 3600) if "seconds" in at else None
    return Mastery(nodes.choice(at["kind"], "kind", (*KINDS, *ALONE)), right, of, seconds)


def _when(node: Node) -> dict[str, tuple[object, ...]]:
    """Values of policies; the path of each must lead to one."""
    usual = load_ruleset(DEFAULT_RULESET)
    found: dict[str, tuple[object, ...]] = {}
    for path, values in nodes.mapping(node, "when").items():
        try:
            policy(usual, path)
        except KeyError:
            raise problem(f"when: there is no policy {path!r}", nodes.key_place(node, path)) from None
        plain = values.plain()
        found[path] = tuple(plain) if isinstance(plain, list) else (plain,)
    return found
