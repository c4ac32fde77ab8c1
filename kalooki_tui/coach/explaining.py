"""Why the better choice of a reviewed decision was better, in the coach's words, against what was done.

The sentences are those of the hints (`texts/en/hints.yaml`). Where what can be counted does not speak for the choice,
one sentence says that it came out better when it was played out, and no reason is made up.
"""

from __future__ import annotations

from dataclasses import replace

from kalooki_tui.coach.hinting import Words
from kalooki_tui.engine.actions import Action, Call, Discard, Draw, Lay, Refuse, Source, Swap, Tack
from kalooki_tui.judging.decisions import Judged, Quality
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.options import Assessment, Option, Reason, assess, with_facts
from kalooki_tui.judging.playing_out import WORLDS, settled
from kalooki_tui.players.club import Club
from kalooki_tui.players.weighing import tipped

_LATER = (Lay, Tack, Swap)
_NOT_WANTED = (Reason.NO_NEARER, Reason.READY, Reason.FITS_NOWHERE)


def explained(judged: Judged) -> Judged:
    """With the reason why the best option was better."""
    return replace(judged, why=why_better(judged))


def played_out(judged: Judged, worlds: int = WORLDS) -> Judged:
    """The decision after its whole race, with the reason."""
    return explained(settled(judged, worlds))


def why_better(judged: Judged) -> str:
    """The reason, as one or two sentences; empty where nothing was better."""
    decision = judged.decision
    if judged.verdict in (Quality.FINE, Quality.CLOSE) or judged.best == decision.action:
        return ""
    situation = Situation(decision.view)
    best, done = judged.best, decision.action
    if isinstance(best, Discard) and isinstance(done, Discard):
        return _throw(situation, best, done, is_played=judged.error is not None)
    assessment = assess(situation)
    if assessment.best.action == best or _are_alike(assessment.best.action, best):
        words = Words(situation, assessment)
        return words.fill("why", words.why())
    if judged.error is None:
        return ""
    words = Words(situation, assessment)
    if isinstance(best, Discard) and isinstance(done, _LATER):
        return words.fill("why", "worlds-wait" if isinstance(done, Lay) else "worlds-keep")
    if _has_card(done) and assessment.reason in (Reason.NEARER, Reason.COMPLETES):
        return words.fill("why", "worlds-against-nearer")
    if assessment.counted in _NOT_WANTED and not _has_card(best):
        # What practice advises was no better here: what can be counted has it right.
        return words.fill("why", assessment.counted.value)
    if _has_card(best) and assessment.reason is Reason.NO_NEARER:
        return words.fill("why", "worlds-for-no-nearer")
    return words.fill("why", "worlds")


def _are_alike(one: Action, other: Action) -> bool:
    """Whether both are lay-downs: which melds, the reason leaves open."""
    return isinstance(one, Lay) and isinstance(other, Lay)


def _has_card(action: Action) -> bool:
    """Whether it gives the seat the open card."""
    return isinstance(action, Call | Refuse) or (isinstance(action, Draw) and action.source is not Source.STOCK)


def _throw(situation: Situation, best: Discard, done: Discard, *, is_played: bool) -> str:
    """The two throws beside each other, term by term."""
    weighed = {one.card: one for one in Club("coach").weigh_throws(situation.view)}
    if best.card in weighed and done.card in weighed:
        better, other = weighed[best.card], weighed[done.card]
        term = tipped(better, other)
        options = [
            with_facts(situation, Option(action, one.total, (action.card,), None, one))
            for action, one in ((best, better), (done, other))
        ]
        assessment = Assessment((options[0], options[1]), Reason(term.value), situation.now)
        # Terms that all speak for the card that was thrown are no reason to throw the other.
        if better.terms.get(term, 0.0) > other.terms.get(term, 0.0) and not assessment.is_even:
            words = Words(situation, assessment)
            return words.fill("why", words.why())
        if is_played and situation.collector(done.card) and not situation.collector(best.card):
            return Words(situation, assessment).fill("why", "throw-feed-taken")
    return Words(situation, assess(situation)).fill("why", "worlds") if is_played else ""
