"""``kalooki exercise``: one exercise after another, asked and answered as lines of text."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

import click

from kalooki_tui.coach.exercises.making import code_of, from_code, kinds_for, make_exercise, rules_for
from kalooki_tui.coach.exercises.model import Answer, Exercise, How
from kalooki_tui.coach.exercises.words import answer_to, options, question
from kalooki_tui.notation.cards import parse_cards, parse_groups, print_groups
from kalooki_tui.notation.errors import NotationError
from kalooki_tui.seeds import new_seed
from kalooki_tui.wording import counted

#: Wrong answers after which a right one is shown.
TRIES: Final = 3
HOW: Final[dict[How, str]] = {
    How.CARDS: "cards, such as 5C 5D 5H",
    How.CARD: "one card",
    How.MELDS: "melds, such as 5C 5D 5H | 9S 10S JS QS",
    How.OPTION: "a number",
}


def draw_exercise(ruleset: str, kind: str | None, deal: int | None) -> tuple[Exercise, str]:
    """An exercise nobody has seen, and its code.

    Raises:
        ValueError: there is no such ruleset, kind or deal.
    """
    rules = rules_for(ruleset)
    deals = len(rules.ruleset.deals)
    if deal is not None and not 1 <= deal <= deals:
        raise ValueError(f"--deal: {rules.ruleset.name} has deals 1 to {deals}, not {deal}")
    chosen = deal or 1 + secrets.randbelow(deals)
    kinds = kinds_for(rules, chosen)
    if kind is not None and kind not in kinds:
        raise ValueError(f"--kind: {rules.ruleset.name} has no exercise {kind!r}; choose from: {', '.join(kinds)}")
    seed = new_seed()
    made = make_exercise(rules, kind or secrets.choice(kinds), chosen, seed)
    return made, code_of(made, seed)


def show(exercise: Exercise) -> list[str]:
    """The exercise in lines: what lies on the table, the cards, the question, the options."""
    faces = exercise.rules.faces
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


def ask(exercise: Exercise, read: Callable[[str], str], tell: Callable[[str], None]) -> bool:
    """Ask until the answer is right or the tries are used up; whether the first answer was right."""
    for attempt in range(TRIES):
        try:
            verdict = exercise.judge(read_answer(exercise, read(HOW[exercise.how])))
        except NotationError as error:
            tell(f"Not an answer: {error}.")
            continue
        if verdict.right:
            tell("Right.")
            return attempt == 0
        tell(f"Not yet. {answer_to(exercise, verdict)}")
    tell(f"One right answer: {solution(exercise)}")
    return False


def run(ruleset: str, deal: int | None, kind: str | None, count: int) -> None:
    """Ask so many exercises in a row.

    Raises:
        ValueError: there is no such ruleset, deal or kind.
    """
    right = 0
    for number in range(count):
        made, code = draw_exercise(ruleset, kind, deal)
        if number:
            click.echo()
        right += _ask_at_terminal(made, code)
    if count > 1:
        click.echo(f"\n{right} of {counted(count, 'exercise')} right at the first try.")


def run_code(code: str, answer: str | None) -> int:
    """Ask the exercise of a code, or judge an answer to it: 0, or 1 if that is wrong.

    Raises:
        ValueError: it is not a code of this version.
    """
    made = from_code(code)
    if answer is None:
        _ask_at_terminal(made, code)
        return 0
    _show_at_terminal(made, code)
    verdict = made.judge(read_answer(made, answer))
    click.echo("Right." if verdict.right else f"Not yet. {answer_to(made, verdict)}")
    return 0 if verdict.right else 1


def _ask_at_terminal(made: Exercise, code: str) -> bool:
    _show_at_terminal(made, code)
    return ask(made, lambda how: click.prompt(how, prompt_suffix=": "), click.echo)


def _show_at_terminal(made: Exercise, code: str) -> None:
    click.echo("\n".join([f"{code}  {made.rules.ruleset.name}", *show(made)]))
