"""An exercise at the desk: cards chosen become an answer by the table's own keys. No screen."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final

from kalooki_tui.cards import Card
from kalooki_tui.coach.exercises.model import Answer, Exercise, How, Say, Verdict, answer_to, fill, options, question
from kalooki_tui.coach.session import Session
from kalooki_tui.desk.commands import choose, key_of
from kalooki_tui.desk.table.desk import Groups, Staging, arrangements
from kalooki_tui.engine.melds import Meld, make_meld
from kalooki_tui.engine.refusals import Refusal

#: Options up to this length stand side by side.
SHORT: Final = 12


class ExerciseDesk(Staging):
    def __init__(self, session: Session[Any]) -> None:
        super().__init__()
        self.session = session
        self.said = ""
        """What was said to the last answer, or a step of help."""
        self._since = monotonic()

    @property
    def exercise(self) -> Exercise:
        return self.session.exercise

    def begin(self) -> None:
        self.staged, self.said = [], ""
        self._since = monotonic()

    # What is shown

    @property
    def question(self) -> str:
        return question(self.exercise, shown=True)

    @property
    def options(self) -> list[tuple[str, str]]:
        texts = options(self.exercise)
        return list(zip(self.exercise.keys, texts, strict=False))

    @property
    def option_keys(self) -> str:
        keys = [key for key, _ in self.options]
        return " or ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))

    @property
    def in_a_row(self) -> bool:
        return all(len(text) <= SHORT for _, text in self.options)

    @property
    def staged_melds(self) -> tuple[Meld, ...]:
        return tuple(make_meld(self.exercise.rules.ruleset, 0, group) for group in self.staged)

    @property
    def keys(self) -> str:
        exercise, how = self.exercise, self.exercise.how
        if how is How.OPTION:
            return ""
        case = "by-more-melds" if how is How.MELDS and self.staged else f"by-{how}"
        keys = {name: key_of(name) for name in ("lay", "confirm", "take-back")}
        key = key_of(exercise.command) if exercise.command else ""
        return fill(exercise, Say(case, {**keys, "key": key, "does": [Say("key")]}))

    @property
    def label(self) -> str:
        return fill(self.exercise, Say("label")) if self.exercise.command else ""

    # What is done

    def why_not(self, command: str, selected: Sequence[Card]) -> Refusal | None:
        """Why one of the table's commands does not answer this exercise now."""
        how = self.exercise.how
        if self.session.attempt.right:
            return choose("", "That was right: the next exercise opens.")
        if how is How.MELDS and command == "confirm":
            return None if self.staged else choose("L1", "Nothing is put together yet.")
        wanted = "lay" if how is How.MELDS else self.exercise.command
        if command != wanted:
            return choose("", "This exercise does not ask for that. " + (self.keys or "Choose one of the answers."))
        if how in (How.CARDS, How.MELDS) and not selected and not self.staged:
            return choose("", "First choose the cards: space, or a click.")
        return None

    def take(self, answer: Answer) -> Verdict:
        """Judge an answer; `said` tells what there is to say to it."""
        verdict = self.session.answer(answer, monotonic() - self._since)
        if verdict.right:
            self.said = ""
            return verdict
        told = answer_to(self.exercise, verdict, solved=self.session.is_solved)
        options = self.options
        # Of two answers the other one is right: there is nothing left to try.
        other = options[1 - (answer.option or 0)][0] if len(options) == 2 else ""
        self.said = f"{told} {f'Press {other}.' if other else 'Try again.'}"
        return verdict

    def take_cards(self, cards: Sequence[Card]) -> Verdict:
        return self.take(Answer(tuple(cards)))

    def ask_again(self, card: Card) -> None:
        """Say that the card under the cursor is chosen now, and what the same key does."""
        key, symbol = key_of(self.exercise.command), self.exercise.rules.faces.symbol(card)
        self.said = f"{key} again answers {symbol}; {key_of('take-back')} takes it back."

    def take_staged(self) -> Verdict:
        return self.take(Answer(groups=tuple(self.staged)))

    def arrange(self, cards: Sequence[Card]) -> list[Groups] | Refusal:
        """The ways in which cards make melds beside those staged: as at the table."""
        exercise = self.exercise
        return arrangements(exercise.rules, exercise.contract, 0, cards, self.staged_melds)

    def help(self) -> str:
        self.said = self.session.help()
        return self.said
