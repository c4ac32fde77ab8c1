"""Recommended action: the facts' choice, unless playouts show a better one; and the fact that decides.

With the native core the strongest player's race plays the choices on. Hint, advice and what is said of a choice that
costs something read this one race; a review goes on in the same worlds (`rollouts`). Of the choices that are as good
as the best, the one that facts speak for is recommended. Without the core the facts decide alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Action, Discard, Done, EndTurn, Lay, Swap, Tack
from kalooki_tui.engine.permissions import WINDOWS
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import Phase
from kalooki_tui.evaluation.decisions import BLUNDER, SLIP, Decision, judge
from kalooki_tui.evaluation.differences import Fact, has_card, of_throws, why_deny, why_leave, why_take
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import Assessment, RatedOption, assess, way_out, would_double
from kalooki_tui.evaluation.rollouts import SEED, WORLDS
from kalooki_tui.players import seat
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.master import CARD_HANDICAP, CARD_SPREAD, KEEP_FLATTERED, KEEP_HANDICAP, KEEP_SPREAD, Master
from kalooki_tui.players.race import Contender, Race
from kalooki_tui.players.seat import open_card, without
from kalooki_tui.playouts import Mean, PlayoutFault, available
from kalooki_tui.solver import distance

#: Points by which a choice that facts speak for may come out worse and still be recommended.
AS_GOOD: Final = 1.0


class Recommendation(Struct, frozen=True):
    assessment: Assessment
    """Best option first; its fact speaks for it against the alternative."""
    played: Mean | None = None
    as_good: tuple[Action, ...] = ()
    contrary: Fact | None = None
    """Fact that speaks for the alternative, where none speaks for the recommended one."""
    race: Race | None = None

    @property
    def action(self) -> Action:
        return self.assessment.best.action


def recommend(situation: Situation, about: Action | None = None, *, worlds: int = WORLDS) -> Recommendation:
    """Return the advice to the seat; `about`: an action to compare with; errors as in `assess`."""
    found = assess(situation)
    race = _raced(situation, found, worlds)
    if race is None:
        chosen = found.best.action
        return _told(situation, found, chosen, about if about not in (None, chosen) else _next(found, chosen), race)
    worse = {choice.actions[0]: race.worse(number) for number, choice in enumerate(race.choices)}
    least = min(worse.values())
    as_good = tuple(one for one, points in worse.items() if points - least <= AS_GOOD)
    chosen = min(worse, key=worse.__getitem__)
    if found.way_out is not None or found.best.action in as_good or _is_spite(situation, race, chosen):
        chosen = found.best.action
    rival = _rival(situation, chosen, worse)
    counted = _counted(situation, race, chosen, rival) if found.way_out is None else None
    if counted is not None:
        chosen, rival = counted, _rival(situation, counted, worse)
    against = about if about not in (None, chosen) else rival
    return _told(situation, found, chosen, against, race, as_good)


def _told(
    situation: Situation,
    found: Assessment,
    chosen: Action,
    against: Action | None,
    race: Race | None,
    as_good: tuple[Action, ...] = (),
) -> Recommendation:
    assessment = _chosen(situation, found, chosen, against)
    contrary = None
    if against is not None and not assessment.fact.explains:
        contrary = told_apart(situation, chosen, against)[1]
    played = _played(race, chosen, against)
    as_good = as_good if chosen in as_good or race is None else (chosen, *as_good)
    return Recommendation(assessment, None if played is None else played[0], as_good, contrary, race)


def _next(found: Assessment, chosen: Action) -> Action | None:
    return next((one.action for one in found.options if one.action != chosen), None)


def _raced(situation: Situation, found: Assessment, worlds: int) -> Race | None:
    view = situation.view
    if not (available() and worlds) or view.phase is Phase.ADD_ON:
        return None
    master, usual = Master(SEED, worlds=worlds, every=True), found.best.action
    try:
        if not isinstance(usual, Lay | Tack | Swap):
            usual = master.decide(view).action
        if master.raced is not None:
            return master.raced
        choices = _choices(situation, usual)
        if len(choices) < 2:
            return None
        race = master.race(view, choices)
        race.run()
    except (ValueError, PlayoutFault, Refused):
        # A look at one's hand while others are asked: the table is not where it could be played on from.
        return None
    return race


def _choices(situation: Situation, usual: Action) -> list[Contender]:
    """Return what the strongest player does without playouts, and what else could be done."""
    view, first = situation.view, Contender((usual,))
    if isinstance(usual, Lay | Tack | Swap | Discard):
        keeping = [one for one in view.legal if isinstance(one, Discard) and one != usual]
        return [first, *(Contender((one,), KEEP_HANDICAP, KEEP_SPREAD, KEEP_FLATTERED) for one in keeping)]
    others = [one for one in view.legal if has_card(one) != has_card(usual)]
    return [first, *(Contender((one,), CARD_HANDICAP, CARD_SPREAD) for one in others[:1])]


def _counted(situation: Situation, race: Race, chosen: Action, against: Action | None) -> Action | None:
    """Return the alternative where facts speak for it alone, and playouts do not speak for the chosen one.

    A card with which the next seat goes out is thrown only where playouts are sure of it.
    """
    played = _played(race, chosen, against)
    if against is None or played is None or played[0].is_beyond(0.0, 2.0):
        return None
    fact = told_apart(situation, chosen, against)[1]
    if fact is None or (played[1].points >= SLIP and fact.case != "throw-gives-out"):
        return None
    return against


def speaking_for(situation: Situation, action: Action) -> Recommendation:
    """Recommend an action known to be the best, beside the next that the facts would choose."""
    found = assess(situation)
    return _told(situation, found, action, _next(found, action), None)


def points_lost(situation: Situation, action: Action, worlds: int = WORLDS) -> float:
    """Return the points that an action costs, by the race or the fitted value; 0 where a review calls it fine."""
    found = recommend(situation, worlds=worlds)
    played = _played(found.race, found.action, action)
    if played is not None:
        lost = played[1].points if played[1].is_beyond(0.0, 2.0) else 0.0
    elif action == found.action:
        return 0.0
    elif found.assessment.way_out is not None:
        return BLUNDER
    else:
        judged = judge(Decision(0, 1, situation.view, action))
        lost = 0.0 if judged is None else judged.loss
    return lost if lost >= SLIP else 0.0


def fact_for(situation: Situation, action: Action) -> Fact | None:
    """Return the fact for an action against the next that the facts would choose; None: there was no choice."""
    view, found = situation.view, assess(situation)
    if isinstance(action, Discard):
        others = [option.action for option in found.options if option.action != action]
        if not others:
            return None
        fact = difference(situation, action, others[0])
        alone = not (fact.explains or situation.has_laid or action.card == JOKER or situation.mates(action.card))
        return Fact("throw-alone", {"best": action.card}) if alone else fact
    if isinstance(action, Lay | Tack | Swap):
        if found.way_out is not None and action == found.best.action:
            return found.fact
        laying = isinstance(action, Lay) and not situation.has_laid
        return Fact("lay", {"points": view.rules.points(view.hand)}) if laying else Fact("add")
    against = next((one for one in view.legal if has_card(one) != has_card(action)), None)
    return None if against is None or isinstance(action, EndTurn | Done) else difference(situation, action, against)


def _is_spite(situation: Situation, race: Race, action: Action) -> bool:
    """Check for a card that would be thrown again, and is not clearly better than leaving it."""
    view, actions = situation.view, [choice.actions[0] for choice in race.choices]
    if not has_card(action) or view.phase in WINDOWS or action not in actions or Expert("coach").keeps_it(view, action):
        return False
    return not any(race.gain(actions.index(action), number).is_beyond(AS_GOOD, 2.0) for number in range(len(actions)))


def _rival(situation: Situation, chosen: Action, worse: Mapping[Action, float]) -> Action | None:
    """Return of the other choices the best one that facts speak for, or else the best one.

    Where points speak for a throw, the dearest of the cards that stay is compared: it is the one to ask about.
    """
    others = sorted((one for one in worse if one != chosen), key=worse.__getitem__)
    counted = (one for one in others if told_apart(situation, chosen, one)[1] is not None)
    found = next(counted, None) or next(iter(others), None)
    if found is None or not _is_by_points(situation, chosen, found):
        return found
    alike = [one for one in others if _is_by_points(situation, chosen, one)]
    return max(alike, key=lambda one: _points(situation, one))


def _is_by_points(situation: Situation, chosen: Action, other: Action) -> bool:
    return difference(situation, chosen, other).case in ("throw-points", "throw-points-late")


def _points(situation: Situation, action: Action) -> int:
    return situation.rules.values[action.card] if isinstance(action, Discard) else 0


def _played(race: Race | None, chosen: Action, against: Action | None) -> tuple[Mean, Mean] | None:
    """Return the gain of one choice over another, and by how much that is worse, priors included; None: not raced."""
    if race is None or against is None:
        return None
    first, other = race.number(chosen), race.number(against)
    return None if first is None or other is None else (race.gain(first, other), race.apart(other, first))


def _chosen(situation: Situation, found: Assessment, chosen: Action, against: Action | None) -> Assessment:
    if chosen == found.best.action and not isinstance(against, Discard):
        return found
    option = found.option(chosen) or RatedOption(chosen, 0.0)
    rest = [one for one in found.options if one.action not in (chosen, against)]
    second = None if against is None else found.option(against)
    options = (option, *([] if second is None else [second]), *rest)
    fact = difference(situation, chosen, against) if against is not None else found.fact
    return replace(found, options=options, fact=fact)


def told_apart(situation: Situation, better: Action, other: Action) -> tuple[Fact, Fact | None]:
    """Return the fact in which one action is better than another; where there is none, also the contrary fact."""
    fact = difference(situation, better, other)
    if fact.explains or better == other:
        return fact, None
    contrary = difference(situation, other, better)
    return fact, contrary if contrary.explains else None


def difference(situation: Situation, better: Action, other: Action) -> Fact:
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
            return why_take(situation, better) if kept else why_deny(situation)
        return Fact("out-double" if out.doubled else "out", {"card": open_card(view) or 0})
    if has_card(other):
        return why_leave(situation, other)
    if isinstance(other, Discard) and situation.now is not None:
        after = situation.without(other.card).away
        hands = [without(view.hand, (one,)) for one in dict.fromkeys(view.hand)]
        nearest = min(distance(situation.rules, view.contract, hand) for hand in hands)
        if after > nearest:
            return Fact("throw-away", {"card": other.card, "after": after, "best_after": nearest})
    return assess(situation).fact


def _waiting(situation: Situation, throw: Discard) -> Fact:
    """Return why to hold the contract back: cards that would let everything go at once next turn."""
    view, left = situation.view, without(situation.view.hand, (throw.card,))
    lets_out = 0
    for card, copies in enumerate(situation.unseen):
        if copies and seat.way_out(view, (*left, card)):
            lets_out += copies
    if not lets_out:
        return Fact("unexplained-wait")
    slots: dict[str, int] = {"helps": lets_out, "unseen": situation.unseen_total}
    return Fact("wait-outs-double" if would_double(view) else "wait-outs", slots)
