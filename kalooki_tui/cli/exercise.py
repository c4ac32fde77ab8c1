"""Exercises as lines of text, for ``kalooki exercise`` and ``kalooki puzzle``."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

import click

from kalooki_tui.coach.exercises.definition import AnswerForm, Exercise, LearnerAnswer, answer_to, options, question
from kalooki_tui.coach.exercises.registry import Drawn, kinds_for, rules_for
from kalooki_tui.notation.card_text import NotationError, parse_cards, parse_groups, print_groups
from kalooki_tui.plain.narration import table_text
from kalooki_tui.training.modes import TrainingMode

if TYPE_CHECKING:
    from kalooki_tui.plain.console import Lines

#: Wrong answers after which a right one is shown.
TRIES: Final = 3
HOW: Final[dict[AnswerForm, str]] = {
    AnswerForm.CARDS: "cards, such as 5C 5D 5H",
    AnswerForm.CARD: "one card",
    AnswerForm.MELDS: "melds, such as 5C 5D 5H | 9S 10S JS QS",
    AnswerForm.OPTION: "a number",
}


def drawn(ruleset: str, kind: str | None, deal: int | None, count: int) -> Drawn:
    """Draw new exercises; raise ValueError for an unknown ruleset, kind or deal."""
    rules = rules_for(ruleset)
    deals = len(rules.ruleset.deals)
    if deal is not None and not 1 <= deal <= deals:
        raise ValueError(f"--deal: {rules.ruleset.name} has deals 1 to {deals}, not {deal}")
    possible = {one for number in ([deal] if deal else range(1, deals + 1)) for one in kinds_for(rules, number)}
    if kind is not None and kind not in possible:
        listed = ", ".join(sorted(possible))
        raise ValueError(f"--kind: {rules.ruleset.name} has no exercise {kind!r}; choose from: {listed}")
    return Drawn(rules, count, kind or "", deal or 0)


def show(exercise: Exercise) -> list[str]:
    faces, view = exercise.rules.faces, exercise.view
    if view is None:
        lines = [f"m{number}  {faces.texts(meld.cards)}" for number, meld in enumerate(exercise.table, start=1)]
    else:
        lines = table_text(view).split("\n")
    if exercise.hand:
        lines.append(f"cards  {faces.texts(exercise.hand)}")
    lines.append(question(exercise))
    lines += [f"  {number}  {text}" for number, text in enumerate(options(exercise), start=1)]
    return lines


def read_answer(exercise: Exercise, text: str) -> LearnerAnswer:
    """Read an answer: cards and melds in the notation, options by number from 1; raise NotationError."""
    faces = exercise.rules.faces
    if exercise.how is AnswerForm.OPTION:
        count = len(exercise.options)
        if not text.strip().isdecimal() or not 1 <= int(text) <= count:
            raise NotationError(f"answer with a number from 1 to {count}")
        return LearnerAnswer(option=int(text) - 1)
    groups = parse_groups(text, faces) if exercise.how is AnswerForm.MELDS else ()
    cards = [card for group in groups for card in group.cards] if groups else list(parse_cards(text, faces))
    left = list(exercise.hand)
    for card in cards:
        if card not in left:
            raise NotationError(f"{faces.text(card)} is not among the cards, or not that many times")
        left.remove(card)
    return LearnerAnswer(groups=groups) if groups else LearnerAnswer(tuple(cards))


def solution(exercise: Exercise) -> str:
    found, faces = exercise.solutions()[0], exercise.rules.faces
    if found.option is not None:
        return f"{found.option + 1}"
    return print_groups(found.groups, faces) if found.groups else faces.texts(found.cards)


def ask(occasion: TrainingMode, lines: Lines | None = None) -> None:
    """Ask the exercises one after another, until each is right or its tries are used up."""
    session, tell = occasion.session, click.echo if lines is None else lines.tell

    def read(words: str) -> str:
        return str(click.prompt(words.removesuffix(":"), prompt_suffix=": ")) if lines is None else lines.ask(words)

    while True:
        tell("\n".join([occasion.heading, *show(session.exercise)]))
        _ask_one(occasion, tell, read)
        for line in occasion.told_after:
            tell(line)
        if session.is_over:
            break
        session.go_on()
        tell("")
    if len(session.attempts) > 1:
        tell("\n" + "\n".join(occasion.result))


def _ask_one(occasion: TrainingMode, tell: Callable[[str], object], read: Callable[[str], str]) -> None:
    session, exercise, started, tries, asked = occasion.session, occasion.session.exercise, monotonic(), 0, ""
    while tries < TRIES:
        asked = "again:" if asked else f"{HOW[exercise.how]}, or h for help:"
        text = read(asked)
        if text.strip().lower() in ("h", "help"):
            tell(session.help())
            continue
        try:
            answer = read_answer(exercise, text)
        except NotationError as error:  # a slip of typing is no try
            tell(f"Not an answer: {error}.")
            continue
        tries += 1
        verdict = session.answer(answer, monotonic() - started)
        occasion.answered()
        if verdict.right:
            tell("Right.")
            return
        tell(f"Not right. {answer_to(exercise, verdict, solved=session.is_solved)}")
    session.give_up()
    occasion.answered()
    tell(f"One right answer: {solution(exercise)}")


def run(occasion: TrainingMode, answer: str | None = None) -> int:
    """Ask the exercises, or judge an answer to the first: return 0, or 1 if it is wrong."""
    if answer is None:
        ask(occasion)
        return 0
    exercise = occasion.session.exercise
    click.echo("\n".join([occasion.heading, *show(exercise)]))
    verdict = occasion.session.answer(read_answer(exercise, answer))
    right = "\n".join(filter(None, ("Right.", occasion.reason)))
    click.echo(right if verdict.right else f"Not right. {answer_to(exercise, verdict)}")
    return 0 if verdict.right else 1
