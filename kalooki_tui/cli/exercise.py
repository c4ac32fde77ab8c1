"""A session as lines of text, as ``kalooki exercise``, ``kalooki puzzle`` and ``kalooki learn --plain`` ask it."""

from __future__ import annotations

from time import monotonic
from typing import Final

import click

from kalooki_tui.coach.exercises.making import Drawn, kinds_for, rules_for
from kalooki_tui.coach.exercises.model import Answer, Exercise, How
from kalooki_tui.coach.exercises.words import answer_to, options, question
from kalooki_tui.coach.session import Session
from kalooki_tui.desk.study.occasions import Course, Occasion, Told
from kalooki_tui.notation.cards import parse_cards, parse_groups, print_groups
from kalooki_tui.notation.errors import NotationError
from kalooki_tui.plain.telling import table_text

#: Wrong answers after which a right one is shown.
TRIES: Final = 3
#: What asks for help instead of an answer.
HELP: Final = "?"
HOW: Final[dict[How, str]] = {
    How.CARDS: "cards, such as 5C 5D 5H",
    How.CARD: "one card",
    How.MELDS: "melds, such as 5C 5D 5H | 9S 10S JS QS",
    How.OPTION: "a number",
}


def drawn(ruleset: str, kind: str | None, deal: int | None, count: int) -> Drawn:
    """Exercises that nobody has seen.

    Raises:
        ValueError: there is no such ruleset, kind or deal.
    """
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
    """The exercise in lines: what lies on the table, the cards, the question, the options."""
    faces = exercise.rules.faces
    if exercise.view is not None:
        lines = table_text(exercise.view).splitlines()
    else:
        lines = [f"m{number}  {faces.texts(meld.cards)}" for number, meld in enumerate(exercise.table, start=1)]
    if exercise.hand:
        lines.append(f"cards  {faces.texts(exercise.hand)}")
    lines.append(question(exercise))
    lines += [f"  {number}  {text}" for number, text in enumerate(options(exercise), start=1)]
    return lines


def read_answer(exercise: Exercise, text: str) -> Answer:
    """An answer as it is typed: cards and melds in the notation, options by their number from 1.

    Raises:
        NotationError: it is not an answer, or names cards that are not there.
    """
    faces = exercise.rules.faces
    if exercise.how is How.OPTION:
        count = len(exercise.options)
        if not text.strip().isdecimal() or not 1 <= int(text) <= count:
            raise NotationError(f"answer with a number from 1 to {count}")
        return Answer(option=int(text) - 1)
    groups = parse_groups(text, faces) if exercise.how is How.MELDS else ()
    cards = [card for group in groups for card in group.cards] if groups else list(parse_cards(text, faces))
    left = list(exercise.hand)
    for card in cards:
        if card not in left:
            raise NotationError(f"{faces.text(card)} is not among the cards, or not that often")
        left.remove(card)
    return Answer(groups=groups) if groups else Answer(tuple(cards))


def solution(exercise: Exercise) -> str:
    """A right answer as it is typed."""
    found, faces = exercise.solutions()[0], exercise.rules.faces
    if found.option is not None:
        return f"{found.option + 1}"
    return print_groups(found.groups, faces) if found.groups else faces.texts(found.cards)


def ask(occasion: Occasion) -> None:
    """Ask one exercise after another, each until its answer is right or the tries are used up."""
    session = occasion.session
    while True:
        _show(occasion)
        _ask_one(occasion)
        for line in occasion.told_after:
            click.echo(line)
        if session.is_over:
            break
        session.go_on()
        click.echo()
    if len(session.attempts) > 1:
        click.echo("\n" + "\n".join(occasion.result))


def teach(course: Course) -> None:
    """A chapter from its words to its result, or a practice."""
    click.echo("\n\n".join([course.title, *(_paragraph(course, told) for told in course.opening)]) + "\n")
    ask(course)


def _paragraph(course: Course, told: Told) -> str:
    cards = course.learning.rules.faces.texts(told.cards)
    mark = {None: "", True: "yes", False: "no"}[told.is_meld]
    return "  ".join(filter(None, (mark, cards, told.text)))


def _ask_one(occasion: Occasion) -> None:
    session, exercise, started = occasion.session, occasion.session.exercise, monotonic()
    tries = 0
    while tries < TRIES:
        typed = click.prompt(HOW[exercise.how], prompt_suffix=": ")
        if typed.strip() == HELP:
            click.echo(session.help())
            continue
        tries += 1
        try:
            answer = read_answer(exercise, typed)
        except NotationError as error:
            click.echo(f"Not an answer: {error}.")
            continue
        verdict = session.answer(answer, monotonic() - started)
        occasion.answered()
        if verdict.right:
            click.echo("Right.")
            return
        click.echo(f"Not yet. {answer_to(exercise, verdict, solved=session.is_solved)}")
    session.give_up()
    occasion.answered()
    click.echo(f"One right answer: {solution(exercise)}")


def judge(occasion: Occasion, answer: str) -> int:
    """Judge an answer to the exercise that is open: 0, or 1 if it is wrong, with the solution."""
    _show(occasion)
    exercise = occasion.session.exercise
    verdict = occasion.session.answer(read_answer(exercise, answer))
    right = "\n".join(filter(None, ("Right.", occasion.reason)))
    click.echo(right if verdict.right else f"Not yet. {answer_to(exercise, verdict)}")
    return 0 if verdict.right else 1


def _show(occasion: Occasion) -> None:
    click.echo("\n".join([occasion.heading, *show(occasion.session.exercise)]))


def run(source: Drawn, answer: str | None = None) -> int:
    """Ask exercises for their own sake, or judge an answer to the first."""
    occasion = Occasion(Session(source))
    if answer is not None:
        return judge(occasion, answer)
    ask(occasion)
    return 0
