"""Exercises about what the rules allow: at a moment of play, may this be done now? The engine is asked."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import ClassVar, Final, Self

from kalooki_tui.cards import JOKER, RANK
from kalooki_tui.coach.exercises.judging import NAMES
from kalooki_tui.coach.exercises.model import Say, YesOrNo, symbols
from kalooki_tui.engine.actions import Action, Call, Discard, Draw, Group, Kind, Lay, Refuse, Source, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.melds import judge_set
from kalooki_tui.engine.moments import has_laid
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players import make_player
from kalooki_tui.values import dataclass
from kalooki_tui.wording import Person

#: Decisions of a deal that are looked at.
MOST_DECISIONS: Final = 200
#: Refusals that teach nothing: whose turn it is to be asked, or a moment that could not come at a table.
DULL: Final = frozenset({"turn.not-yours", "turn.wrong-phase"})
#: What is asked about.
TOPICS: Final = ("call", "refuse", "take", "throw", "tack", "lay")


@dataclass(frozen=True, kw_only=True)
class May(YesOrNo):
    """Say whether the rules allow something now (T1, L1, L9, C1-C9, S1, K1-K5)."""

    kind: ClassVar[str] = "may"
    mend: ClassVar[str] = "may"
    topic: str
    action: Action

    @classmethod
    def make(cls, rules: Rules, deal: int, dice: random.Random) -> Self | None:
        """Something that the first seat might try in a deal of novices: as often refused as allowed."""
        refused = dice.random() < 0.5
        found: dict[str, list[tuple[View, Action, Refusal | None]]] = {}
        for view, topic, action, why in _tries(rules, deal, str(dice.random())):
            if (why is not None) == refused and (why is None or why.code not in DULL):
                found.setdefault(topic, []).append((view, action, why))
        if not found:
            return None
        topic = dice.choice(sorted(found))
        # A rule that comes up at every turn is asked about no oftener than one that rarely does.
        by_rule: dict[str, list[tuple[View, Action, Refusal | None]]] = {}
        for one in found[topic]:
            by_rule.setdefault("" if one[2] is None else one[2].clause, []).append(one)
        view, action, why = dice.choice(by_rule[dice.choice(sorted(by_rule))])
        hand = tuple(sorted(view.hand))
        return cls(
            rules=rules, deal=deal, hand=hand, table=view.melds, view=view, topic=topic, action=action, refusal=why
        )

    @property
    def ask(self) -> Say:
        """The question, with what is to be done."""
        view, action = self.view, self.action
        assert view is not None
        slots = {"card": "" if view.discard is None else symbols(self.rules, [view.discard])}
        slots["name"] = Person("" if view.discarded_by is None else view.names[view.discarded_by])
        match action:
            case Discard(card=card):
                slots["card"] = symbols(self.rules, [card])
            case Tack(cards=cards, meld=meld):
                slots |= {"card": symbols(self.rules, cards), "meld": f"m{meld + 1}"}
            case Lay(groups=groups):
                slots["card"] = " | ".join(symbols(self.rules, group.cards) for group in groups)
            case Refuse() if view.caller is not None:
                slots["name"] = Person(view.names[view.caller])
        slots["turn"] = Person(view.names[view.turn])
        return Say(f"{self.kind}-{self.topic}{self._case(view)}", slots)

    def _case(self, view: View) -> str:
        """What a call is late for, or that nobody threw the card."""
        if self.topic != "call":
            return ""
        if view.phase is not Phase.CALL_WINDOW:
            return "-late"
        return "-turned" if view.discarded_by is None else ""


def _tries(rules: Rules, number: int, seed: str) -> Iterator[tuple[View, str, Action, Refusal | None]]:
    """What the first seat might try at the moments of a deal, and what the engine says to it."""
    deal = Deal.blank(rules, NAMES[: rules.seats], number, rules.seats - 1, 0, f"may/{seed}")
    deal.begin()
    player = make_player("novice", "may")
    for _ in range(MOST_DECISIONS):
        if deal.actor is None:
            return
        at = _caller_waits(deal)
        view = at.view(0)
        for topic, action in _candidates(view):
            yield view, topic, action, at.why_not(action)
        deal.apply(player.decide(deal.view(deal.actor)).action)


def _caller_waits(deal: Deal) -> Deal:
    """The deal as it stands; where the first seat has laid and is to draw, with another seat's call to be answered.

    The engine allows such a call at once (C7), so that the moment in which somebody wants to refuse never stays.
    """
    if deal.phase is not Phase.CALL_WINDOW or deal.turn != 0 or not has_laid(deal, 0) or deal.actor in (None, 0):
        return deal
    waits = deal.clone()
    waits.caller, waits.phase, waits.actor, waits.asked = deal.actor, Phase.DECISION, 0, []
    return waits


def _candidates(view: View) -> Iterator[tuple[str, Action]]:
    """What a learner may think of at this moment."""
    match view.phase:
        case Phase.DECISION if view.turn == 0:
            yield "refuse", Refuse(0)
        case Phase.CALL_WINDOW if view.turn != 0 and (view.actor == 0 or not _is_asked_later(view)):
            yield "call", Call(0)
        case Phase.DRAW if view.turn == 0 and view.discard is not None:
            yield "take", Draw(0, Source.DISCARD)
        case Phase.PLAY if view.turn == 0:
            yield from _plays(view)
        case Phase.PLAY if view.discard is not None and not view.dead:
            yield "call", Call(0)


def _is_asked_later(view: View) -> bool:
    """Whether the first seat is still to be asked about the card, or has passed it."""
    limit, calls = view.rules.ruleset.calls, view.calls
    out_of_it = (has_laid(view, 0) and not limit.laid_seat) or view.discarded_by == 0
    return not out_of_it and calls is not None and calls[0] < limit.limit


def _plays(view: View) -> Iterator[tuple[str, Action]]:
    if JOKER in view.hand:
        yield "throw", Discard(0, JOKER)
    natural = next((card for card in view.hand if card != JOKER), None)
    if natural is not None and any(isinstance(one, Discard) and one.card == natural for one in view.legal):
        yield "throw", Discard(0, natural)
    for number, meld in enumerate(view.melds):
        if meld.kind is Kind.SET:
            card = next((card for card in view.hand if card != JOKER and RANK[card] == meld.rank), None)
        else:
            card = next((card for card in view.hand if card != JOKER and card // 13 == meld.suit), None)
        if card is not None:
            yield "tack", Tack(0, (card,), number)
    if not has_laid(view, 0) and not view.contract.points:
        groups = _sets_held(view)[: view.contract.sets + 1]
        if groups:
            yield "lay", Lay(0, groups)


def _sets_held(view: View) -> tuple[Group, ...]:
    """Sets that lie in the hand, as a learner would see them first."""
    by_rank: dict[int, list[int]] = {}
    for card in sorted(view.hand):
        if card != JOKER:
            by_rank.setdefault(RANK[card], []).append(card)
    found = (tuple(cards) for cards in by_rank.values() if judge_set(view.rules.ruleset, cards) is None)
    return tuple(Group(cards, Kind.SET) for cards in found)
