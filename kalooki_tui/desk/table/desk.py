"""What a person is doing at the table: whose hand lies open, the cards chosen, the melds put together but not yet laid.

The desk knows no widgets. It answers what may be done and why not, and makes actions of the cards chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.desk.commands import Why, by_pointer, choose, key_of
from kalooki_tui.desk.words import Slot, empty_slots
from kalooki_tui.engine.actions import (
    Action,
    Call,
    Challenge,
    Discard,
    Done,
    Draw,
    EndTurn,
    Group,
    Kind,
    Lay,
    Pass,
    Source,
    Swap,
    Tack,
)
from kalooki_tui.engine.additions import Addition, reach_of, swaps, tacks_of, uses
from kalooki_tui.engine.melds import Meld, check_repeats, contract_text, judge_run, judge_set, make_meld, meld_points
from kalooki_tui.engine.moments import has_laid, why_no_lay, why_no_swap, why_no_tack
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Referee, Rules
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.solver import best_lay, distance, partition, tack_plan
from kalooki_tui.solver.lay import Laydown, goes_out
from kalooki_tui.solver.witness import NearestPlan, nearest_plan
from kalooki_tui.wording import counted, does

WhyNot = Callable[[Action], Refusal | None]
WhyNoUndo = Callable[[], str | None]
Groups = tuple[Group, ...]

#: Why nothing can be done for the moment, at a disk so slow that anybody notices.
WRITING: Final = "The last step is still being written to the disk: one moment."
#: A person is asked to choose among at most this many ways.
MOST_WAYS: Final = 12
NOTHING_KEPT: Final = "Nothing is saved at this table, so nothing can be taken back."


def _takes(slot: Slot, kind: Kind) -> bool:
    """Whether nothing is in a slot of this kind yet."""
    return slot.kind is kind and not slot.have and not slot.held


def face_down(view: View) -> View:
    """The view of a table at which no hand lies open."""
    return replace(view, hand=(), legal=(), may_lay=False, may_add=False, may_challenge=(), bend_forbidden=False)


class Desk:
    """One person's place at the screen; `seat` is None while no hand lies open."""

    def __init__(self, view: View, why_not: WhyNot, why_no_undo: WhyNoUndo = lambda: NOTHING_KEPT) -> None:
        self.view = face_down(view)
        self.seat: int | None = None
        self.has_laid = False
        """Whether the seat has laid in this deal."""
        self.staged: list[Group] = []
        self.selected: tuple[Card, ...] = ()
        self.choosing = False
        """Whether one of several melds is being chosen: that can be taken back."""
        self.hides_plan: Callable[[View], bool] = lambda view: False
        """Whether nothing is told of how far the contract is."""
        self._why_not = why_not
        self._why_no_undo = why_no_undo
        self._distance: tuple[tuple[object, ...], int] | None = None
        self._ending: tuple[View, str] | None = None
        self._plan: tuple[tuple[object, ...], NearestPlan | None] | None = None
        self._best: tuple[View, tuple[Group, ...] | None] | None = None
        self._tackable: tuple[View, bool] | None = None

    # What lies open

    def open(self, view: View) -> None:
        """Show the hand of the view's seat, as it is now."""
        if view.seat != self.seat:
            self.staged, self.selected = [], ()
        if (view.seat, view.deal, view.attempt) != (self.seat, self.view.deal, self.view.attempt):
            self._plan = None
        self.seat, self.view = view.seat, view
        self.has_laid = has_laid(view, view.seat)
        self._drop_missing()

    def close(self, view: View) -> None:
        """Let no hand lie open: nothing private is left here."""
        self.seat, self.staged, self.selected, self._distance, self._plan = None, [], (), None, None
        self._ending = self._best = self._tackable = None
        self.view, self.has_laid = face_down(view), False

    def _drop_missing(self) -> None:
        """Take back staged melds and choices whose cards have left the hand, and melds that may not be laid now."""
        if not self.view.may_lay:
            self.staged = []
        left = Counter(self.view.hand)
        kept: list[Group] = []
        for group in self.staged:
            needed = Counter(group.cards)
            if all(left[card] >= count for card, count in needed.items()):
                left -= needed
                kept.append(group)
        self.staged = kept

    @property
    def my_seat(self) -> int:
        """The seat whose hand lies open.

        Raises:
            Refused: none does.
        """
        if self.seat is None:
            raise Refused(choose("V1", "No hand is open: wait until you are asked."))
        return self.seat

    @property
    def is_asked(self) -> bool:
        """Whether it is this person's decision."""
        return self.seat is not None and bool(self.view.legal)

    @property
    def staged_cards(self) -> tuple[Card, ...]:
        """The cards of the staged melds."""
        return tuple(card for group in self.staged for card in group.cards)

    @property
    def staged_melds(self) -> list[Meld]:
        """The staged melds, as they would lie on the table."""
        if self.seat is None:
            return []
        return [make_meld(self.view.rules.ruleset, self.seat, group) for group in self.staged]

    @property
    def own_melds(self) -> list[Meld]:
        """The seat's melds on the table."""
        return [meld for meld in self.view.melds if meld.owner == self.seat]

    def slots(self, *, at_once: bool = False) -> tuple[Slot, ...]:
        """The contract's slots as the staged melds, or those laid, fill them, with what the hand holds for the rest.

        `at_once`: without looking for the hand's plan, which takes a while (`has_plan`): by the one known last.
        """
        slots = list(empty_slots(self.view))
        if self.seat is None:
            return tuple(slots)
        melds = self.own_melds + self.staged_melds
        if self.view.contract.points:
            worth = sum(meld_points(self.view.rules, meld) for meld in melds)
            return (replace(slots[0], have=max(worth, slots[0].needed) if self.has_laid else worth),)
        if self.has_laid:
            return tuple(replace(slot, have=max(slot.needed, slot.have)) for slot in slots)
        for meld in melds:
            for index, slot in enumerate(slots):
                if slot.kind is meld.kind and slot.have == 0:
                    slots[index] = replace(slot, have=len(meld.cards))
                    break
        if not at_once:
            self.plan()
        return tuple(slots if self._plan is None else self._with_held(slots, self._plan[1]))

    def _with_held(self, slots: list[Slot], plan: NearestPlan | None) -> list[Slot]:
        """Slots without a meld, with what the hand holds for them by the plan, beside the staged cards."""
        staged = Counter(self.staged_cards)
        for meld in () if plan is None else plan.melds:
            held = Counter(meld.held)
            used = held & staged
            staged -= used
            count = sum((held - used).values())
            index = next((place for place, slot in enumerate(slots) if _takes(slot, meld.kind)), None)
            if index is not None and count:
                slots[index] = replace(slots[index], held=min(count, slots[index].needed))
        return slots

    def ending(self) -> str:
        """How the deal can be ended in this turn, and what that doubles; empty where it cannot."""
        if self.seat is None or not self.view.legal:
            return ""
        if self._ending is None or self._ending[0] is not self.view:
            found = ending(self.view)
            self._ending = (self.view, "" if found is None else ending_words(self.view, found))
        return self._ending[1]

    @property
    def has_plan(self) -> bool:
        """Whether `plan` need not look for one: it is known, or there is none to look for."""
        return not self._is_planning or (self._plan is not None and self._plan[0] == self._hand_key)

    def plan(self) -> NearestPlan | None:
        """The nearest plan for the contract; None once it is laid, where no hand lies open, or where there is none."""
        if not self._is_planning:
            return None
        view, key = self.view, self._hand_key
        if self._plan is None or self._plan[0] != key:
            self._plan = (key, nearest_plan(view.rules, view.contract, view.hand))
        return self._plan[1]

    @property
    def _is_planning(self) -> bool:
        view, laid = self.view, self.has_laid
        return self.seat is not None and not (laid or view.contract.points or not view.hand or self.hides_plan(view))

    @property
    def _hand_key(self) -> tuple[object, ...]:
        return (self.view.deal, self.view.attempt, tuple(sorted(self.view.hand)))

    def distance(self) -> int | None:
        """How many cards the hand is from the contract; None once it is laid, or where no hand lies open."""
        view = self.view
        if self.seat is None or self.has_laid or not view.hand or self.hides_plan(view):
            return None
        key = self._hand_key
        if self._distance is None or self._distance[0] != key:
            self._distance = (key, distance(view.rules, view.contract, view.hand))
        return self._distance[1]

    # Why not

    def why_not(self, action: Action) -> Refusal | None:
        """Why an action would be refused."""
        return self._why_not(action)

    def why_no_hand(self) -> Refusal | None:
        """Nothing to do with a hand where none lies open: raises `Refused` then."""
        _ = self.my_seat
        return None

    def _listed(self, action: Action) -> Why:
        """Why an action is not among those the view lists; whoever wants the reason asks the engine."""
        return None if action in self.view.legal else partial(self._why_not, action)

    def why_draw(self, source: Source) -> Why:
        """Why the seat may not draw from there now."""
        return self._listed(Draw(self.my_seat, source))

    def why_call(self) -> Why:
        """Why the seat may not call now."""
        return self._listed(Call(self.my_seat))

    def why_pass(self) -> Why:
        """Why there is nothing to pass."""
        return self._listed(Pass(self.my_seat))

    def why_lay(self) -> Refusal | None:
        """Why the seat may not lay now."""
        why = why_no_lay(self.view, self.my_seat)
        if why is None and not self.staged and not self.selected:
            words = self.view.rules.ruleset.vocabulary
            how = by_pointer("space")
            return choose("L1", f"First choose the cards of a {words.set} or {words.run} ({how}), then lay.")
        return why

    def why_best(self) -> Refusal | None:
        """Why no best lay-down is looked for."""
        why = why_no_lay(self.view, self.my_seat)
        if why is None and not self.has_laid:
            away = self.distance()
            if away:
                asked = contract_text(self.view.rules.ruleset.vocabulary, self.view.contract)
                cards = counted(away, "card")
                return Refusal("lay.contract", "L1", f"The contract is {asked}: this hand is {cards} short of it.")
        if why is None and self.has_laid and self.best() is None:
            return choose("L8", "There is nothing more to lay.")
        return why

    def why_tack(self) -> Why:
        """Why nothing may be added to a meld now."""
        seat = self.my_seat
        if not self.view.may_add:
            return why_no_tack(self.view, seat)
        if not self.selected:
            # The key means the card under the cursor then.
            return None if self._tacks_any() else choose("K1", "None of your cards alone fits a meld here.")
        return None if self.tacks() or self.spread() else partial(why_no_place, self.view, self.selected, self._why_not)

    def why_swap(self) -> Why:
        """Why no joker may be swapped now."""
        seat = self.my_seat
        if not self.view.may_add:
            return why_no_swap(self.view, seat)
        if len(self.selected) != 1:
            joker = self.view.rules.ruleset.vocabulary.joker
            return choose("K7", f"First choose the one card that is to take a {joker}'s place.")
        return None if self.swaps() else partial(why_no_joker, self.view, self.selected[0], self._why_not)

    def why_discard(self) -> Why:
        """Why the chosen card, or any card, may not be thrown now."""
        seat = self.my_seat
        if self.staged:
            return choose("L1", f"Lay the staged melds first, or take them back with {key_of('take-back')}.")
        if len(self.selected) > 1:
            return choose("S1", "Choose one card only: a turn ends with one discard.")
        card = self.selected[0] if self.selected else next((card for card in self.view.hand if card != JOKER), None)
        why = self._listed(Discard(seat, JOKER if card is None else card))
        if callable(why) and self.selected and self.view.rules.referee is Referee.PENALTIES:
            found = why()
            # What the penalties referee charges is the player's to risk.
            return None if found is not None and found.charged else found
        return why

    def why_end(self) -> Why:
        """Why the turn may not be ended without a discard, or one's part in the add-on."""
        return self._listed(self.end_action())

    def end_action(self) -> Action:
        """How the seat ends: its turn, or its part in the final add-on."""
        return Done(self.my_seat) if self.view.phase is Phase.ADD_ON else EndTurn(self.my_seat)

    def why_challenge(self) -> Why:
        """Why nobody may be challenged now."""
        seat = self.my_seat
        if self.view.may_challenge:
            return None
        other = next(other for other in range(len(self.view.names)) if other != seat)
        return partial(self._why_not, Challenge(seat, other))

    def why_no_undo(self) -> Refusal | None:
        """Why no step can be taken back now."""
        if self.seat is None:
            return choose("V1", "No hand is open: wait until you are asked.")
        why = None if self.choosing else self._why_no_undo()
        return None if why is None else choose("", why)

    def why_no_hint(self) -> Refusal | None:
        """Why there is nothing to advise."""
        _ = self.my_seat
        return None if self.is_asked else choose("", "You can ask for a hint when it is your move.")

    # Laying

    def arrange(self) -> list[tuple[Group, ...]] | Refusal:
        """The ways in which all the chosen cards make melds that go with those staged and laid."""
        view, others = self.view, self.own_melds + self.staged_melds
        return arrangements(view.rules, view.contract, self.my_seat, self.selected, others, laid=self.has_laid)

    def stage(self, groups: Sequence[Group]) -> None:
        """Put melds together, beside those staged already."""
        self.staged += groups
        self.selected = ()

    def unstage(self) -> Group | None:
        """Take the meld staged last back into the hand."""
        return self.staged.pop() if self.staged else None

    def unstage_at(self, index: int) -> Group | None:
        """Take one staged meld back."""
        return self.staged.pop(index) if 0 <= index < len(self.staged) else None

    def lay_action(self) -> Lay:
        """All staged melds at once."""
        return Lay(self.my_seat, tuple(self.staged))

    def best(self) -> tuple[Group, ...] | None:
        """The lay-down that leaves fewest points, or None where there is none."""
        view = self.view
        if self._best is None or self._best[0] is not view:
            found = best_lay(view.rules, view.contract, view.hand, own_melds=self.own_melds, laid=self.has_laid)
            self._best = (view, found.groups if found is not None and found.groups else None)
        return self._best[1]

    # Tacking and swapping

    def tacks(self, cards: Sequence[Card] | None = None) -> list[Addition]:
        """The ways in which one meld takes all the chosen cards, or `cards`."""
        reach = reach_of(self.view)
        return [] if reach is None else tacks_of(reach, self.selected if cards is None else cards)

    def _tacks_any(self) -> bool:
        """Whether a meld takes any card of the hand by itself."""
        if self._tackable is None or self._tackable[0] is not self.view:
            self._tackable = (self.view, any(self.tacks((card,)) for card in {*self.view.hand}))
        return self._tackable[1]

    def spread(self) -> list[Action]:
        """Tacks of the chosen cards one by one, if each of several has just one place to go."""
        places = [self.tacks((card,)) for card in self.selected]
        if len(places) < 2 or any(len(ways) != 1 for ways in places):
            return []
        return [ways[0].action for ways in places]

    def swaps(self) -> list[Addition]:
        """The ways in which the chosen card takes a joker's place, with the use of one that must be used at once."""
        reach, card = reach_of(self.view), self.selected[0]
        return [] if reach is None else [*swaps(reach, card), *uses(reach, card)]


def why_no_place(view: View, cards: Sequence[Card], why_not: WhyNot) -> Refusal:
    """Why no meld takes all the cards: the reason of a meld of the card's own suit or rank before any other."""
    if not view.melds:
        return Refusal("tack.gap", "K1", "There is no meld on the table to add to.")
    reasons = [why_not(Tack(view.seat, tuple(cards), index)) for index in range(len(view.melds))]
    far = ("tack.suit", "tack.rank")
    near = [reason for reason in reasons if reason is not None and reason.code not in far]
    if near:
        return near[0]
    text = view.rules.faces.symbols(cards)
    together = " together" if len(cards) > 1 else ""
    return Refusal("tack.rank", "K1", f"No meld on the table takes {text}{together}.")


def why_no_joker(view: View, card: Card, why_not: WhyNot) -> Refusal:
    """Why no joker gives its place to the card."""
    joker = view.rules.ruleset.vocabulary.joker
    nothing = Refusal("swap.no-joker", "K7", f"No {joker} on the table stands for {view.rules.faces.symbol(card)}.")
    reasons = (why_not(Swap(view.seat, card, index)) for index, meld in enumerate(view.melds) if JOKER in meld.cards)
    told = (why for why in reasons if why is not None)
    return next((why for why in told if why.code not in ("swap.card", "swap.which-end", "swap.set")), nothing)


def swap_words(view: View, way: Addition, *, known: bool = False) -> str:
    """What becomes of the joker, in words that tell one way to swap from the others.

    `known`: all ways take it out of one meld, which is named elsewhere.
    """
    symbols, joker = view.rules.faces.symbols, view.rules.ruleset.vocabulary.joker
    action = way.action
    here = f"m{action.meld + 1}"
    if way.frees:
        return f"{here}: the {joker} comes to your hand"
    first = "" if known else f"{here}, and "
    if way.laid is not None:
        return f"{first}a new meld {symbols(way.laid.cards)}"
    if isinstance(action, Swap) and action.use is not None:
        return f"{first}m{action.use + 1} becomes {symbols(way.changed[action.use].cards)}"
    return f"{here} becomes {symbols(way.changed[action.meld].cards)}"


def arrangements(
    rules: Rules, contract: Contract, seat: int, cards: Sequence[Card], others: Sequence[Meld], *, laid: bool = False
) -> list[Groups] | Refusal:
    """The ways in which all the cards make melds beside the seat's `others` (M1-M9); a reason where there is none.

    Ways differ in what the melds are, or in what a joker of a run stands for.
    """
    found = partition(rules, contract, cards, MOST_WAYS, own_melds=others, laid=laid)
    if found:
        return found
    alone = partition(rules, contract, cards, 1, laid=laid)
    if alone:
        try:
            check_repeats(rules.ruleset, [*others, *(make_meld(rules.ruleset, seat, group) for group in alone[0])])
        except Refused as refused:
            return refused.refusal
    return _reason(rules.ruleset, cards)


def _reason(ruleset: Ruleset, cards: Sequence[Card]) -> Refusal:
    """Why the cards make no melds: judged as the one meld they look like."""
    naturals = [card for card in cards if card != JOKER]
    words, symbols = ruleset.vocabulary, ruleset.faces.symbols
    why: Refusal | None = None
    if len({RANK[card] for card in naturals}) <= 1:
        why = judge_set(ruleset, cards)
    elif len({SUIT[card] for card in naturals}) == 1:
        why = _no_run(ruleset, cards, sorted(naturals))
    return why or Refusal("lay.melds", "M1, M2", f"{symbols(cards)} do not all fit into {words.sets} and {words.runs}.")


def _no_run(ruleset: Ruleset, cards: Sequence[Card], naturals: list[Card]) -> Refusal | None:
    """Why cards of one suit are no run: of the orders from each of them upwards, that which says most."""
    jokers = (JOKER,) * (len(cards) - len(naturals))
    turned = (naturals[start:] + naturals[:start] for start in range(len(naturals)))
    reasons = [why for why in (judge_run(ruleset, (*order, *jokers)) for order in turned) if why is not None]
    return next((why for why in reasons if why.code != "run.order"), reasons[0])


def ending(view: View) -> Laydown | None:
    """A lay-down, tacks and swaps that leave nothing, or a card to throw; None where the seat cannot go out now.

    A seat that may not bend the table (F2) does not go out in the turn of its first lay-down.
    """
    laid = view.laid[view.seat]
    if view.phase is not Phase.PLAY or not (view.may_lay or view.may_add):
        return None
    if view.bend_forbidden and laid is not HasLaid.EARLIER:
        return None
    if laid is not HasLaid.NO and goes_out(view.rules, view.hand):
        return Laydown((), view.hand, view.rules.points(view.hand))
    if view.added:
        # Cards added to the end of a run count against K6, which a lay-down from scratch would not know.
        plan = tack_plan(view.rules, view.hand, view.melds, view.seat, added=dict(view.added))
        found: Laydown | None = Laydown((), plan.left, plan.points_left, plan.actions)
    elif laid is HasLaid.NO and distance(view.rules, view.contract, view.hand):
        return None
    else:
        own = [meld for meld in view.melds if meld.owner == view.seat]
        found = best_lay(
            view.rules,
            view.contract,
            view.hand,
            own_melds=own,
            table=view.melds,
            laid=laid is not HasLaid.NO,
            seat=view.seat,
        )
    return found if found is not None and goes_out(view.rules, found.left) else None


def ending_words(view: View, found: Laydown) -> str:
    """How the deal can be ended now, and what that doubles."""
    words, symbols = view.rules.ruleset.vocabulary, view.rules.faces.symbols
    steps = []
    if found.groups:
        steps.append(f"{key_of('best-lay')} stages melds")
    tacked: list[Card] = [card for tack in found.tacks if isinstance(tack, Tack) for card in tack.cards]
    if tacked:
        steps.append(f"{words.tack} {symbols(tacked)}")
    if len(tacked) < len(found.tacks) and any(not isinstance(tack, Tack) for tack in found.tacks):
        steps.append("swap")
    if found.left:
        steps.append(f"throw {symbols(found.left)}")
    doubled = doubling_now(view)
    return f"You can go out now: {', '.join(steps)}.{' ' + doubled if doubled else ''}"


def doubling_now(view: View) -> str:
    """What the doubling rule does if the view's seat goes out in this turn; empty where there is none (G4)."""
    doubling = view.rules.ruleset.score.doubling
    if doubling == "none":
        return ""
    if view.laid[view.seat] is HasLaid.EARLIER:
        return "Nothing doubles: you laid in an earlier turn."
    others = [view.names[seat] for seat, laid in enumerate(view.laid) if seat != view.seat and laid is not HasLaid.NO]
    if doubling == "first-bend" and others:
        return f"Nothing doubles: {does(others[0], 'have', inside=True)} laid already."
    return "It doubles what the others pay!"
