"""What is at stake under the penalties referee, in words: told before anything is charged or a challenge made."""

from __future__ import annotations

from kalooki_tui.engine.actions import Action, Lay
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import View
from kalooki_tui.rulesets.model import OverCall
from kalooki_tui.wording import does, says_of, whom


def charge_words(view: View, action: Action, refusal: Refusal | None) -> str:
    """What an attempt would be charged, and for what; empty where it costs nothing (F1, F1a, F4).

    `refusal` is the engine's answer if it were made.
    """
    infractions = view.rules.ruleset.infractions
    if refusal is None or infractions is None or not (refusal.charged or refusal.changed):
        return ""
    if refusal.charged:
        clause = "F1" if isinstance(action, Lay) else "F4"
        return f"{_plain(refusal.message)} Trying it costs {refusal.charged} points ({clause})."
    points = 0 if infractions.bad_lay is None else infractions.bad_lay.points
    return f"{_plain(refusal.message)} Unless you lay the contract in this turn, trying it costs {points} points (F1a)."


def _plain(message: str) -> str:
    """The reason alone, without what the engine adds about a charge already made."""
    return message.partition(" It costs ")[0]


def challenge_rule(rules: Rules) -> OverCall | None:
    """What a challenge is decided by; None where there is none."""
    infractions = rules.ruleset.infractions
    return infractions.over_call if rules.penalties and infractions is not None else None


def over_call_points(rules: Rules, rule: OverCall) -> int:
    """Points for each call too many that is found."""
    return rule.points if rules.settings.over_call is None else rules.settings.over_call


def challenge_stake(view: View, target: int, *, open_hand: bool) -> str:
    """What a challenge of a seat is about: what either side loses (F2, F3, D13).

    `open_hand`: the view's hand lies open before its person, who is spoken to, and what it is worth may be named.
    """
    rules, name = view.rules, view.names[target]
    you = "you" if open_hand else whom(view.names[view.seat])
    rule = challenge_rule(rules)
    if rule is None:
        return ""
    words, limit = rules.ruleset.vocabulary, rules.ruleset.calls.limit
    right = f"If {does(name, 'have', inside=True)} made more than {limit} {words.call}s,"
    if rule.loser == "drops-out":
        worth = f", {rules.points(view.hand) + rule.points} points now" if open_hand else ""
        return (
            f"{right} {does(name, 'score', inside=True)} the hand and {rule.points} points more, "
            f"and {says_of(name, 'be')} out of the {words.deal}.\n"
            f"If not, the same happens to {you}{worth}."
        )
    wrong = f"it costs {you} {rule.wrong_challenge} points" if rule.wrong_challenge else "it costs nothing"
    ban = f" and {whom(name)} may not {words.bend}" if rule.forbids_bend else ""
    return f"{right} each one too many costs {over_call_points(rules, rule)} points{ban}.\nIf not, {wrong}."
