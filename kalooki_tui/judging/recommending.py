"""What to do now: the facts' choice, unless playing the choices on shows a better one; and the fact that decides.

With the native core the strongest player plays the choices on for a part of a second. Of those that are as good as the
best, the one that facts speak for is recommended. Without the core the facts decide alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from kalooki_tui.engine.actions import Action, Discard, Done, EndTurn, Lay, Swap, Tack
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase
from kalooki_tui.judging.differences import Fact, has_card, of_denying, of_having, of_leaving, of_throws
from kalooki_tui.judging.facts import Situation
from kalooki_tui.judging.going_out import goes_out_with, way_out, would_double
from kalooki_tui.judging.options import Assessment, Option, assess, with_facts
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.master import Master
from kalooki_tui.players.open_actions import hand_without
from kalooki_tui.players.racing import Race
from kalooki_tui.players.seat import open_card
from kalooki_tui.playouts import available
from kalooki_tui.playouts.means import Mean
from kalooki_tui.values import dataclass

#: Most worlds in which the choices are played on: at most some 300 ms of processor time.
WORLDS: Final = 360
#: Points by which a choice that facts speak for may come out worse and still be recommended.
AS_GOOD: Final = 1.0


@dataclass(frozen=True, slots=True)
class Recommendation:
    """What to do, why, and what would do as well."""

    assessment: Assessment
    """Its best option is what is recommended; its fact speaks for it against what else was thought of."""
    played: Mean | None = None
    """By how much it came out better than what it is compared with; None: nothing was played on."""
    as_good: tuple[Action, ...] = ()
    """What came out as good where the choices were played on, the recommended one among it."""

    @property
    def action(self) -> Action:
        """What is recommended."""
        return self.assessment.best.action


def recommend(
    situation: Situation, about: Action | None = None, *, worlds: int = WORLDS, threads: int | None = None
) -> Recommendation:
    """What the seat is advised to do; `about`: what it thinks of doing, to be compared with.

    Raises:
        ValueError: it is not this seat's decision, or one that no facts speak to (a cut, buying in).
    """
    view, found = situation.view, assess(situation)
    if found.way_out is not None or situation.has_laid or view.phase is Phase.ADD_ON:
        return Recommendation(_compared(situation, found, about))
    if not (available() and worlds):
        return Recommendation(_compared(situation, found, about))
    master = Master("coach", worlds=worlds, threads=threads)
    try:
        action = master.decide(view).action
    except (ValueError, Refused):
        # A look at one's hand while others are asked: the table is not where it could be played on from.
        return Recommendation(_compared(situation, found, about))
    race = master.raced
    if race is None:
        # Nothing was worth playing on: the strongest player does what it always does there.
        return Recommendation(_chosen(situation, found, action, about))
    worse = {choice.actions[0]: race.worse(number) for number, choice in enumerate(race.choices)}
    least = min(worse.values())
    as_good = tuple(one for one, points in worse.items() if points - least <= AS_GOOD)
    chosen = found.best.action if found.best.action in as_good or _is_spite(situation, race, action) else action
    against = _against(chosen, about, worse)
    assessment = _chosen(situation, found, chosen, against)
    return Recommendation(assessment, _played(race, chosen, against), as_good)


def speaking_for(situation: Situation, action: Action) -> Recommendation:
    """The recommendation of an action that is known to be the best, beside the next that the facts would choose."""
    found = assess(situation)
    against = next((one.action for one in found.options if one.action != action), None)
    return Recommendation(_chosen(situation, found, action, against))


def fact_for(situation: Situation, action: Action) -> Fact | None:
    """The fact that speaks for an action that was taken, against the next that the facts would choose; None: there was
    nothing to choose.

    Raises:
        ValueError: as `assess`.
    """
    view, found = situation.view, assess(situation)
    if isinstance(action, Discard):
        others = [option.action for option in found.options if option.action != action]
        if not others:
            return None
        fact = difference(situation, action, others[0])
        alone = not fact.explains and not situation.has_laid and not situation.mates(action.card)
        return Fact("throw-alone", {"best": action.card}) if alone else fact
    if isinstance(action, Lay | Tack | Swap):
        if found.way_out is not None and action == found.best.action:
            return found.fact
        laying = isinstance(action, Lay) and not situation.has_laid
        return Fact("lay", {"points": view.rules.points(view.hand)}) if laying else Fact("add")
    against = next((one for one in view.legal if has_card(one) != has_card(action)), None)
    return None if against is None or isinstance(action, EndTurn | Done) else difference(situation, action, against)


def _is_spite(situation: Situation, race: Race, action: Action) -> bool:
    """Whether the action has a card that would be thrown again, and is not clearly better than leaving it."""
    view, actions = situation.view, [choice.actions[0] for choice in race.choices]
    if not has_card(action) or view.phase in WINDOWS or action not in actions or Expert("coach").keeps_it(view, action):
        return False
    return not any(race.gain(actions.index(action), number).is_beyond(AS_GOOD, 2.0) for number in range(len(actions)))


def _against(chosen: Action, about: Action | None, worse: Mapping[Action, float]) -> Action | None:
    """What the recommended choice is compared with: what the person thinks of, else the best of the others."""
    if about is not None and about != chosen:
        return about
    return min((one for one in worse if one != chosen), key=worse.__getitem__, default=None)


def _played(race: Race, chosen: Action, against: Action | None) -> Mean | None:
    numbers = {choice.actions[0]: number for number, choice in enumerate(race.choices)}
    if chosen not in numbers or against not in numbers:
        return None
    return race.gain(numbers[chosen], numbers[against])


def _compared(situation: Situation, found: Assessment, about: Action | None) -> Assessment:
    """The assessment, its fact against what the person thinks of, where that is another throw."""
    return found if about is None else _chosen(situation, found, found.best.action, about)


def _chosen(situation: Situation, found: Assessment, chosen: Action, against: Action | None) -> Assessment:
    """The assessment with this choice first, and the fact that speaks for it."""
    if chosen == found.best.action and not isinstance(against, Discard):
        return found
    option = found.option(chosen) or Option(chosen, 0.0, (chosen.card,) if isinstance(chosen, Discard) else ())
    if isinstance(chosen, Discard):
        option = with_facts(situation, option)
    rest = [one for one in found.options if one.action not in (chosen, against)]
    second = None if against is None else found.option(against)
    options = (option, *([] if second is None else [second]), *rest)
    fact = difference(situation, chosen, against) if against is not None else found.fact
    return replace(found, options=options, fact=fact)


def difference(situation: Situation, better: Action, other: Action) -> Fact:
    """The fact in which one action is better than another that the seat may take in the same moment."""
    if better == other:
        return Fact("only")
    if isinstance(better, Lay) and isinstance(other, Lay):
        return Fact("unexplained")
    view = situation.view
    if isinstance(better, Discard) and isinstance(other, Discard):
        return of_throws(situation, better.card, other.card)
    if isinstance(better, Discard):
        return _waiting(situation, better) if isinstance(other, Lay) else Fact("unexplained-wait")
    if has_card(better):
        out = None if view.phase in WINDOWS else way_out(view, better)
        if out is None:
            kept = view.phase in WINDOWS or Expert("coach").keeps_it(view, better)
            return of_having(situation, better) if kept else of_denying(situation)
        return Fact("out-double" if out.doubled else "out", {"card": open_card(view) or 0})
    if has_card(other):
        return of_leaving(situation, other)
    return assess(situation).fact


def _waiting(situation: Situation, throw: Discard) -> Fact:
    """Why to keep the contract in the hand: the cards that would let everything go at once next turn."""
    view, left = situation.view, hand_without(situation.view.hand, (throw.card,)) or []
    lets_out = 0
    for card, copies in enumerate(situation.unseen):
        if copies and goes_out_with(view, (*left, card)):
            lets_out += copies
    if not lets_out:
        return Fact("unexplained-wait")
    slots: dict[str, int] = {"helps": lets_out, "unseen": situation.unseen_total}
    return Fact("wait-outs-double" if would_double(view) else "wait-outs", slots)
