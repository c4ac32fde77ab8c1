"""What a plan has otherwise than usual, in a few words for each part of the form that can be folded."""

from __future__ import annotations

from collections.abc import Iterator

from kalooki_tui.desk.setup.plan import USUAL_CALL_SECONDS, Agreed, MatchPlan, Speed
from kalooki_tui.desk.setup.setting_up import DOUBLINGS, option_name
from kalooki_tui.desk.words.deals import SETTING_WORDS
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.house import CALLS, DEALS, DOUBLING, is_house, value_of
from kalooki_tui.rulesets.model import Ruleset
from kalooki_tui.wording import counted


def table_words(plan: MatchPlan) -> str:
    """How the table runs; empty: as usual."""
    return ", ".join(_of_table(plan))


def _of_table(plan: MatchPlan) -> Iterator[str]:
    if plan.teaching:
        yield "teaching match"
    if plan.speed is not Speed.NATURAL:
        yield f"AI moves {plan.speed}"
    if not plan.curtain:
        yield "no curtain"
    if plan.settings.get("race"):
        yield "fastest call wins"
        if plan.call_seconds != USUAL_CALL_SECONDS:
            yield f"{plan.call_seconds} seconds to call"
    if plan.answer_seconds:
        yield f"{plan.answer_seconds} seconds to answer"


def option_words(plan: MatchPlan) -> str:
    """The options of the game that are chosen; empty: none."""
    return ", ".join(option_name(name) for name in plan.options if not is_house(name))


def rules_words(plan: MatchPlan, ruleset: Ruleset, handicap: Agreed) -> str:
    """The rules that this match has otherwise; empty: none."""
    return ", ".join(_of_rules(plan, ruleset, handicap))


def _of_rules(plan: MatchPlan, ruleset: Ruleset, handicap: Agreed) -> Iterator[str]:
    vocabulary = ruleset.vocabulary
    if plan.first_turn:
        yield f"{plan.seats[plan.first_turn].name} begins"
    if plan.referee is not Referee.STRICT:
        yield f"{plan.referee} referee"
    if deals := value_of(plan.options, DEALS):
        yield f"{vocabulary.deal}s {deals}"
    if plan.minutes:
        yield f"ends after {plan.minutes} minutes"
    if calls := value_of(plan.options, CALLS):
        yield counted(int(calls), vocabulary.call) if calls.isdigit() else f"{vocabulary.call}s {calls}"
    yield from handicap.handicap
    if doubling := value_of(plan.options, DOUBLING):
        yield f"double points {DOUBLINGS[doubling]}"
    for name, value in plan.settings.items():
        if name not in ("race", "handicap"):
            label = SETTING_WORDS[name][0]
            label = label[0].lower() + label[1:]
            yield label if value is True else f"no {label}" if value is False else f"{label} {_said(value)}"
    if plan.seed is not None:
        yield f"seed {plan.seed}"


def _said(value: object) -> str:
    return "ask" if value is None else str(value)
