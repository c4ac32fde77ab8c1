"""State of a turn: whose hand lies open, the cards chosen, the melds staged; what may be done, and why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from kalooki_tui.cards import JOKER, RANK, SUIT, Card
from kalooki_tui.engine.actions import Action, Challenge, Discard, Done, EndTurn, Group, Lay, Swap, Tack
from kalooki_tui.engine.additions import Addition, reach_of, swaps, tacks_of, uses
from kalooki_tui.engine.melds import Meld, check_repeats, contract_text, judge_run, judge_set, make_meld, meld_points
from kalooki_tui.engine.permissions import has_laid, why_no_addition, why_no_lay
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Referee, Rules
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.players.seat import way_out
from kalooki_tui.presenter.commands import Why, by_pointer, key_of, not_open
from kalooki_tui.presenter.sentences import Slot, empty_slots
from kalooki_tui.rulesets.model import Contract, Ruleset
from kalooki_tui.solver import best_lay_of, distance, partition
from kalooki_tui.solver.witness import NearestPlan, nearest_plan
from kalooki_tui.wording import counted, does

WhyNot = Callable[[Action], Refusal | None]
WhyNoUndo = Callable[[], str | None]
Groups = tuple[Group, ...]
Found = TypeVar("Found")

#: Why nothing can be done for the moment, at a disk so slow that anybody notices.
WRITING: Final = "The last step is still being written to the disk: one moment."
#: A person is asked to choose among at most this many ways.
MOST_WAYS: Final = 12


def face_down(view: View) -> View:
    return replace(view, hand=(), legal=(), may_lay=False, may_add=False, may_challenge=(), bend_forbidden=False)


class Staging:
    def __init__(self) -> None:
        self.staged: list[Group] = []

    @property
    def staged_cards(self) -> tuple[Card, ...]:
        return tuple(card for group in self.staged for card in group.cards)

    def stage(self, groups: Sequence[Group]) -> None:
        self.staged += groups

    def unstage(self, index: int = -1) -> bool:
        if not self.staged or index >= len(self.staged):
            return False
        self.staged.pop(index)
        return True


class TurnState(Staging):
    """Turn of the person at the screen; `seat` is None while no hand lies open."""

    def __init__(
        self, view: View, why_not: WhyNot, why_no_undo: WhyNoUndo = lambda: "There is nothing to take back."
    ) -> None:
        super().__init__()
        self.view = face_down(view)
        self.seat: int | None = None
        self.has_laid = False
        self.selected: tuple[Card, ...] = ()
        self.choosing = False
        """Whether one of several melds is being chosen: that can be taken back."""
        self.hides_plan: Callable[[View], bool] = lambda view: False
        self.why_not = why_not
        self._why_no_undo = why_no_undo
        self._found: dict[str, tuple[object, Any]] = {}
        """Results of slow searches, each with the hand or view it was found for."""

    # What lies open

    def open(self, view: View) -> None:
        if view.seat != self.seat:
            self.staged, self.selected = [], ()
        if (view.seat, view.deal, view.attempt) != (self.seat, self.view.deal, self.view.attempt):
            self._found.pop("plan", None)
        self.seat, self.view = view.seat, view
        self.has_laid = has_laid(view, view.seat)
        self._drop_missing()

    def close(self, view: View) -> None:
        self.seat, self.staged, self.selected = None, [], ()
        self._found.clear()
        self.view, self.has_laid = face_down(view), False

    def _once(self, what: str, of: object, find: Callable[[], Found]) -> Found:
        """Return a result found once as long as its hand or view is the same."""
        known = self._found.get(what)
        if known is None or (known[0] is not of and known[0] != of):
            known = self._found[what] = of, find()
        found: Found = known[1]
        return found

    def _drop_missing(self) -> None:
        """Take back staged melds whose cards have left the hand, and all that may not be laid now."""
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
        """Seat whose hand lies open.

        Raises:
            Refused: none does.
        """
        if self.seat is None:
            raise Refused(not_open("V1", "No hand is open: wait until you are asked."))
        return self.seat

    @property
    def is_asked(self) -> bool:
        return self.seat is not None and bool(self.view.legal)

    @property
    def staged_melds(self) -> list[Meld]:
        if self.seat is None:
            return []
        return [make_meld(self.view.rules.ruleset, self.seat, group) for group in self.staged]

    @property
    def own_melds(self) -> list[Meld]:
        return [meld for meld in self.view.melds if meld.owner == self.seat]

    def slots(self, *, at_once: bool = False) -> tuple[Slot, ...]:
        """Return the contract's slots as melds and hand fill them; `at_once`: by the plan known last."""
        slots = list(empty_slots(self.view))
        if self.seat is None:
            return tuple(slots)
        melds = self.own_melds + self.staged_melds
        if self.view.contract.points:
            worth = sum(meld_points(self.view.rules, meld) for meld in melds)
            return (replace(slots[0], have=slots[0].needed if self.has_laid else worth),)
        if self.has_laid:
            return tuple(replace(slot, have=max(slot.needed, slot.have)) for slot in slots)
        for meld in sorted(melds, key=lambda meld: -len(meld.cards)):
            free = [index for index, slot in enumerate(slots) if slot.kind is meld.kind and slot.have == 0]
            fitting = [index for index in free if slots[index].needed <= len(meld.cards)]
            for index in (fitting or free)[:1]:
                slots[index] = replace(slots[index], have=len(meld.cards), cards=meld.cards)
        if not at_once:
            self.plan()
        return tuple(self._with_held(slots, self._found["plan"][1]) if "plan" in self._found else slots)

    def _with_held(self, slots: list[Slot], plan: NearestPlan | None) -> list[Slot]:
        """Fill slots without a meld with what the hand holds for them by the plan, beside the staged cards."""
        staged = Counter(self.staged_cards)
        for meld in () if plan is None else plan.melds:
            held = Counter(meld.held)
            used = held & staged
            staged -= used
            cards = tuple((held - used).elements())
            for index, slot in enumerate(slots):
                free = slot.kind is meld.kind and not (slot.have or slot.held)
                if cards and free and slot.needed <= len(meld.cards):
                    slots[index] = replace(slot, held=min(len(cards), slot.needed), cards=cards[: slot.needed])
                    break
        return slots

    def ending(self) -> str:
        """Return how the deal can be ended in this turn, and what that doubles; empty where it cannot."""
        view = self.view
        if self.seat is None or not view.legal:
            return ""
        found = self._ending()
        return ending_words(view, found) if found else ""

    def _ending(self) -> tuple[Action, ...]:
        return self._once("ending", self.view, lambda: () if self.distance() else ending(self.view))

    @property
    def has_plan(self) -> bool:
        return not self._is_planning or self._found.get("plan", (None,))[0] == self._hand_key

    def plan(self) -> NearestPlan | None:
        """Return the nearest plan for the contract; None once it is laid, or without an open hand or a plan."""
        if not self._is_planning:
            return None
        view = self.view
        return self._once("plan", self._hand_key, lambda: nearest_plan(view.rules, view.contract, view.hand))

    @property
    def _is_planning(self) -> bool:
        view, laid = self.view, self.has_laid
        return self.seat is not None and not (laid or view.contract.points or not view.hand or self.hides_plan(view))

    @property
    def _hand_key(self) -> tuple[object, ...]:
        return (self.view.deal, self.view.attempt, tuple(sorted(self.view.hand)))

    def distance(self) -> int | None:
        """Return how many cards the hand is from the contract; None once it is laid, or without an open hand."""
        view = self.view
        if self.seat is None or self.has_laid or not view.hand or self.hides_plan(view):
            return None
        return self._once("distance", self._hand_key, lambda: distance(view.rules, view.contract, view.hand))

    # Why not

    def why_no_hand(self) -> Refusal | None:
        _ = self.my_seat
        return None

    def why_no(self, kind: Callable[..., Action], *given: object) -> Why:
        action = kind(self.my_seat, *given)
        return None if action in self.view.legal else partial(self.why_not, action)

    def why_lay(self) -> Refusal | None:
        why = why_no_lay(self.view, self.my_seat)
        if why is None and not self.staged and not self.selected:
            words = self.view.rules.ruleset.vocabulary
            how = by_pointer("space")
            return not_open("L1", f"First choose the cards of a {words.set} or {words.run} ({how}), then lay.")
        return why

    def why_best(self) -> Why:
        why = why_no_lay(self.view, self.my_seat)
        if why is None and not self.has_laid:
            away = self.distance()
            if away:
                return partial(why_short, self.view, away)
        if why is None and self.has_laid and not self.best():
            return not_open("L8", "There is nothing more to lay.")
        return why

    def why_tack(self) -> Why:
        seat = self.my_seat
        if not self.view.may_add:
            return why_no_addition(self.view, seat, "tack")
        if not self.selected:
            # The key means the card under the cursor then.
            return None if self.places() else not_open("K1", "None of your cards alone fits a meld here.")
        return None if self.tacks() or self.spread() else partial(why_no_place, self.view, self.selected, self.why_not)

    def why_swap(self) -> Why:
        seat = self.my_seat
        if not self.view.may_add:
            return why_no_addition(self.view, seat, "swap")
        ruleset = self.view.rules.ruleset
        if not 1 <= len(self.selected) <= 1 + (ruleset.swap == "both-suits"):
            return not_open("K7", f"First choose the one card that is to take a {ruleset.vocabulary.joker}'s place.")
        return None if self.swaps() else partial(why_no_joker, self.view, self.selected, self.why_not)

    def why_discard(self) -> Why:
        _ = self.my_seat
        if self.staged:
            return not_open("L1", f"Lay the staged melds first, or take them back with {key_of('take-back')}.")
        if len(self.selected) > 1:
            return not_open("S1", "Choose one card only: a turn ends with one discard.")
        card = self.selected[0] if self.selected else next((card for card in self.view.hand if card != JOKER), None)
        why = self.why_no(Discard, JOKER if card is None else card)
        if callable(why) and self.selected and self.view.rules.referee is Referee.PENALTIES:
            found = why()
            # What the penalties referee charges is the player's to risk.
            return None if found is not None and found.charged else found
        return why

    @property
    def end_kind(self) -> type[Done | EndTurn]:
        return Done if self.view.phase is Phase.ADD_ON else EndTurn

    def why_challenge(self) -> Why:
        seat = self.my_seat
        if self.view.may_challenge:
            return None
        other = next(other for other in range(len(self.view.names)) if other != seat)
        return partial(self.why_not, Challenge(seat, other))

    def why_no_undo(self) -> Refusal | None:
        _ = self.my_seat
        why = None if self.choosing else self._why_no_undo()
        return None if why is None else not_open("", why)

    def why_no_hint(self) -> Refusal | None:
        _ = self.my_seat
        return None if self.is_asked else not_open("", "You can ask for a hint when it is your move.")

    # Laying

    def arrange(self) -> list[tuple[Group, ...]] | Refusal:
        view, others = self.view, self.own_melds + self.staged_melds
        return arrangements(view.rules, view.contract, self.my_seat, self.selected, others, laid=self.has_laid)

    def best(self) -> tuple[Group, ...]:
        return self._once("best", self.view, self._best)

    def _best(self) -> tuple[Group, ...]:
        # Where the rest can be tacked, other melds are laid than those that leave the fewest points; what a swap frees
        # is not in the hand yet.
        first = next((one for one in self._ending() if isinstance(one, Lay | Swap)), None)
        if isinstance(first, Lay):
            return first.groups
        found = best_lay_of(self.view)
        return () if found is None else found.groups

    # Tacking and swapping

    def tacks(self, cards: Sequence[Card] | None = None) -> list[Addition]:
        reach = reach_of(self.view)
        return [] if reach is None else tacks_of(reach, self.selected if cards is None else cards)

    def places(self) -> dict[Card, list[int]]:
        """Return the cards of the hand that some meld takes alone, with these melds."""
        return self._once("places", self.view, self._places)

    def _places(self) -> dict[Card, list[int]]:
        ways = {card: self.tacks((card,)) for card in {*self.view.hand}}
        return {card: sorted({way.action.meld for way in found}) for card, found in ways.items() if found}

    def spread(self) -> list[Action]:
        """Return tacks of the chosen cards one by one, if each of several has just one place to go."""
        places = [self.tacks((card,)) for card in self.selected]
        if len(places) < 2 or any(len(ways) != 1 for ways in places):
            return []
        return [ways[0].action for ways in places]

    def may_swap(self) -> bool:
        """Tell whether some card of the hand can take a joker's place now."""
        return self._once("may_swap", self.view, self._may_swap)

    def _may_swap(self) -> bool:
        if any(isinstance(one, Swap) for one in self.view.legal):
            return True
        # Where a freed joker is used at once, what becomes of it makes the step.
        reach = reach_of(self.view) if self.view.rules.ruleset.uses_freed_jokers else None
        return reach is not None and next(iter(uses(reach)), None) is not None

    def swaps(self) -> list[Addition]:
        """Return the ways in which the chosen cards take a joker's place, with the use it must be put to at once."""
        reach = reach_of(self.view)
        return [] if reach is None else [*swaps(reach, self.selected), *uses(reach, self.selected)]


def why_short(view: View, away: int) -> Refusal:
    asked, cards = contract_text(view.rules.ruleset.vocabulary, view.contract), counted(away, "card")
    return Refusal("lay.contract", "L1", f"The contract is {asked}: this hand is {cards} short of it.")


def why_no_place(view: View, cards: Sequence[Card], why_not: WhyNot) -> Refusal:
    """Return why no meld takes the cards: the reason of a meld of their own suit or rank before any other."""
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


def why_no_joker(view: View, cards: Sequence[Card], why_not: WhyNot) -> Refusal:
    joker, (card, also) = view.rules.ruleset.vocabulary.joker, (*cards, None)[:2]
    assert card is not None
    what = f"{joker} or wild card" if view.rules.wild else joker
    nothing = Refusal("swap.no-joker", "K7", f"No {what} on the table stands for {view.rules.faces.symbols(cards)}.")
    reasons = (why_not(Swap(view.seat, card, index, also=also)) for index, meld in enumerate(view.melds) if meld.jokers)
    told = (why for why in reasons if why is not None)
    return next((why for why in told if why.code not in ("swap.card", "swap.which-end", "swap.set")), nothing)


def swap_words(view: View, way: Addition, *, known: bool = False) -> str:
    """Return what becomes of the joker; `known`: all ways take it out of one meld, named elsewhere."""
    symbols, joker = view.rules.faces.symbols, view.rules.ruleset.vocabulary.joker
    action = way.action
    here = f"m{action.meld + 1}"
    if way.frees is not None:
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
    """Return the ways in which the cards make melds beside the seat's `others` (M1-M9), or why there is none."""
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
    naturals = [card for card in cards if card not in ruleset.stand_ins]
    words, symbols = ruleset.vocabulary, ruleset.faces.symbols
    why: Refusal | None = None
    if len({RANK[card] for card in naturals}) <= 1:
        why = judge_set(ruleset, cards)
    elif len({SUIT[card] for card in naturals}) == 1:
        why = _no_run(ruleset, cards, sorted(naturals))
    return why or Refusal("lay.melds", "M1, M2", f"{symbols(cards)} do not all fit into {words.sets} and {words.runs}.")


def _no_run(ruleset: Ruleset, cards: Sequence[Card], naturals: list[Card]) -> Refusal | None:
    """Return why cards of one suit are no run: of the orders from each of them upwards, the most telling reason."""
    jokers = [card for card in cards if card in ruleset.stand_ins]
    turned = (naturals[start:] + naturals[:start] for start in range(len(naturals)))
    reasons = [why for why in (judge_run(ruleset, (*order, *jokers)) for order in turned) if why is not None]
    return next((why for why in reasons if why.code != "run.order"), reasons[0])


def ending(view: View) -> tuple[Action, ...]:
    """Return the actions with which the seat can go out now; empty where it cannot."""
    if view.phase is not Phase.PLAY or not (view.may_lay or view.may_add or len(view.hand) == 1):
        return ()
    return way_out(view, view.hand)


def ending_words(view: View, found: Sequence[Action]) -> str:
    words, symbols = view.rules.ruleset.vocabulary, view.rules.faces.symbols
    verbs: dict[type[Action], str] = {Tack: words.tack, Swap: "swap", Discard: "throw"}
    steps = []
    for kind, same in groupby(found, type):
        if kind is Lay:
            steps.append(f"{key_of('best-lay')} stages melds")
        elif kind in verbs:
            steps.append(f"{verbs[kind]} {symbols([card for one in same for card in _cards_of(one)])}")
    doubled = doubling_now(view)
    return f"You can go out now: {', '.join(steps)}.{' ' + doubled if doubled else ''}"


def _cards_of(action: Action) -> tuple[Card, ...]:
    match action:
        case Discard(card=card):
            return (card,)
        case Tack(cards=cards):
            return cards
        case Swap():
            return action.cards
    return ()


def doubling_now(view: View) -> str:
    """Return what the doubling rule does if the view's seat goes out in this turn; empty where there is none (G4)."""
    doubling = view.rules.ruleset.score.doubling
    if doubling == "none":
        return ""
    if view.laid[view.seat] is HasLaid.EARLIER:
        return "Nothing doubles: you laid in an earlier turn."
    others = [view.names[seat] for seat, laid in enumerate(view.laid) if seat != view.seat and laid is not HasLaid.NO]
    if doubling == "first-bend" and others:
        return f"Nothing doubles: {does(others[0], 'have', inside=True)} laid already."
    return "It doubles what the others pay!"
