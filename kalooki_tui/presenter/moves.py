"""Moves of a person at the table, whatever shows it: from the cards chosen to the action taken."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import JOKER, RANK, Card, Faces
from kalooki_tui.engine.actions import Action, Challenge, Discard, Draw, Group, Lay, Pass, Source, Tack
from kalooki_tui.engine.additions import Addition
from kalooki_tui.engine.events import Dealt, Event
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import View
from kalooki_tui.presenter.commands import BY_NAME, by_pointer, key_of, not_open
from kalooki_tui.presenter.turn_state import WRITING, swap_words
from kalooki_tui.solver import best_lay_of
from kalooki_tui.solver.witness import Lacking
from kalooki_tui.wording import counted, does, says_of, whom

if TYPE_CHECKING:
    from kalooki_tui.presenter.commands import Command
    from kalooki_tui.presenter.hand_order import Arrangement, Hand, HandOrders
    from kalooki_tui.presenter.hints import Consult, Hints
    from kalooki_tui.presenter.turn_state import TurnState
    from kalooki_tui.session.client import Client
    from kalooki_tui.session.plan import MatchPlan


class AnswerOption(Struct, frozen=True):
    words: str
    value: Any
    key: str = ""
    """Key that takes it; a number where it is empty."""


class TableController:
    """Front end of a match: shows and tells in its own way, while commands are the same in all."""

    plan: MatchPlan
    client: Client
    state: TurnState
    moves: Moves
    hand: Hand
    hand_orders: HandOrders

    @abstractmethod
    def refresh_table(self) -> None:
        """Show the table as it is now."""

    @abstractmethod
    def tell(self, notice: Refusal | str | None) -> None:
        """Tell the player something; None: what the table waits for."""

    @abstractmethod
    def choose(
        self, title: str, text: str, ways: Sequence[AnswerOption], then: Callable[[Any], object], clause: str = ""
    ) -> None:
        """Ask which way, and go on with its value if there is an answer; `clause`: the rule it is about."""

    @abstractmethod
    def light(self, melds: Collection[int]) -> None:
        """Light these melds for one to be chosen; with none, let the keys go back to the hand."""

    @abstractmethod
    def begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run something that takes a while in place of what was begun before."""

    def seat_keys(self, seats: Collection[int]) -> Mapping[int, str]:
        return {}

    def refuse(self, why: Refusal) -> None:
        self.tell(why)

    def run_here(self, command: Command) -> None:
        self.moves.begin(command.name)
        try:
            why = command.why_not(self)
            if why is None:
                command.run(self)
            else:
                self.refuse(why)
        except Refused as refused:
            self.refuse(refused.refusal)

    def lay_staged(self) -> None:
        self.hand.clear_selection()
        self.state.selected = ()
        self.moves.lay()

    def unstage(self, index: int) -> None:
        if self.state.unstage(index):
            self.refresh_table()

    def note_selection(self) -> bool:
        """Take over the cards chosen in the hand; return whether they are others than before."""
        if self.state.selected == self.hand.selected:
            return False
        self.state.selected = self.hand.selected
        self.moves.forget_candidates()
        return True

    def take_hand(self, order: Arrangement | None = None) -> None:
        """Show the state's cards in the open hand; sort a new one: by rank where more sets than runs are asked for."""
        view, hand = self.state.view, self.hand
        is_new = order is None and not hand.held
        hand.set_hand(view.hand, staged=self.state.staged_cards, order=order, faces=view.rules.faces)
        if is_new and view.hand:
            self.moves.sort_hand(by_suit=view.contract.sets <= view.contract.runs)
            hand.move_cursor(0)
        self.state.selected = hand.selected

    def note_events(self, events: Sequence[Event]) -> bool:
        """Forget what was begun before these events; return whether a new deal is among them."""
        self.moves.forget_candidates()
        is_dealt = any(isinstance(event, Dealt) for event in events)
        if is_dealt:
            self.hand_orders.begin_deal()
        return is_dealt

    def note_plans(self) -> None:
        self.plan = replace(self.plan, seats=self.client.session.plans)


#: Commands after whose refusal a throw is asked for again: whoever misses their key has not meant to throw.
MAY_MISS: Final = ("tack", "swap", "lay", "confirm", "best-lay")


class Moves:
    def __init__(self, front: TableController, *, warns: Callable[[], bool], consult: Consult | None = None) -> None:
        """`warns`: whether the coach warns of costly actions; `consult`: where hints play the choices on."""
        self._front, self._state, self._warns, self._consult = front, front.state, warns, consult
        self.hints = 0
        self._sorted_by_suit = True
        self._warned: tuple[int, Action] | None = None
        """Action last warned of or checked, with the number of the deal's events then."""
        self._risked: Action | None = None
        """Action that costs penalty points, made if its command is given once more."""
        self._command = ""
        self._was_refused = self._asks_anew = False
        """Whether the last command was refused, and whether a throw is asked for again because of it."""
        self._has_picked = False
        self._candidates: dict[int, list[Addition]] = {}
        """Additions by meld while the person chooses one."""

    @cached_property
    def _hints(self) -> Hints:
        from kalooki_tui.presenter.hints import Hints

        return Hints(self._consult)

    def begin(self, command: str) -> None:
        """Note which command is given: a risk that was named holds only for the same one, given again."""
        if command != self._command:
            self._risked = None
        self._asks_anew = self._was_refused and command != self._command
        self._was_refused = self._has_picked = False
        self._command = command
        state = self._state
        if command in ("tack", "swap") and not state.selected and state.view.may_add:
            # With nothing chosen the card under the cursor is, as for a throw.
            card = self._front.hand.cursor_card
            if card is not None:
                self._select(card)
                self._has_picked = True

    def refused(self) -> None:
        """Undo the choice of a refused command, and have a throw asked for again."""
        self._was_refused = self._command in MAY_MISS
        if self._has_picked:
            self._front.hand.clear_selection()
            self._state.selected = ()

    def _select(self, card: Card) -> None:
        self._front.hand.select_cards((card,))
        self._state.selected = (card,)

    def _is_risked(self, action: Action, command: str) -> bool:
        """Tell whether an action that would be charged may be made: it was named before and is asked for again."""
        if not self._state.view.rules.penalties or self._risked == action:
            self._risked = None
            return True
        words = charge_words(self._state.view, action, self._state.why_not(action))
        if not words:
            return True
        self._risked = action
        self._front.tell(f"{words} Press {key_of(command)} again to try it.")
        return False

    def act(self, *actions: Action) -> bool:
        """Take actions; say so if one is refused, or is not seen at once because the disk is slow."""
        client = self._front.client
        refusal = client.act(*actions)
        if refusal is not None:
            self.refused()
            self._front.refresh_table()
            self._front.tell(refusal)
        elif client.session.is_writing:
            self._front.tell(WRITING)
        return refusal is None

    def draw_from(self, source: Source) -> None:
        """Draw the turn's card; in a teaching match only when asked again where the open card was worth much more."""
        view = self._state.view
        action = Draw(view.seat, source)
        if source is Source.STOCK and any(isinstance(one, Draw) and one != action for one in view.legal):
            self._act_warned(action, "draw-stock", "draws from the stock")
        else:
            self.act(action)

    def make(self, kind: Callable[[int], Action]) -> None:
        self.act(kind(self._state.my_seat))

    def pass_call(self) -> None:
        """Let the card go; in a teaching match only when asked again where it is worth much more."""
        self._act_warned(Pass(self._state.my_seat), "pass", "lets it go")

    def lay(self) -> None:
        if not self._state.selected:
            action = Lay(self._state.my_seat, tuple(self._state.staged))
            command = self._command if self._command == "confirm" else "lay"
            if self._is_risked(action, command) and self.act(action):
                self._front.hand.focus()
            return
        found = self._state.arrange()
        if isinstance(found, Refusal):
            self._try(found)
        elif len(found) == 1:
            self.stage_groups(found[0])
        else:
            symbols = self._state.view.rules.faces.symbols
            ways = [AnswerOption(" | ".join(symbols(group.cards) for group in groups), groups) for groups in found]
            text = "The chosen cards make melds in more ways than one."
            self._front.choose("Which melds?", text, ways, self.stage_groups)

    def _try(self, why: Refusal) -> None:
        """Attempt a lay-down of cards that make no melds, where that is charged and not refused (F1)."""
        state = self._state
        action = Lay(state.my_seat, (*state.staged, Group(state.selected)))
        refusal = state.why_not(action)
        if not charge_words(state.view, action, refusal):
            self.refused()
            self._front.tell(why)
        elif self._is_risked(action, "lay"):
            self.act(action)

    def stage_groups(self, groups: Sequence[Group]) -> None:
        self._state.stage(groups)
        self._state.selected = ()
        self._front.refresh_table()

    def stage_best(self) -> None:
        groups = self._state.best()
        if groups:
            self._state.staged = []
            self.stage_groups(groups)
        else:
            self._front.tell("There is nothing more to lay.")

    def take_back(self) -> None:
        if self._candidates:
            self.forget_candidates()
            self._front.refresh_table()
        elif self._state.unstage():
            self._front.refresh_table()
        else:
            self._front.hand.clear_selection()
        self._front.hand.focus()

    def tack(self) -> None:
        if not self._state.selected:
            self._front.tell(not_open("K1", "First choose the card that a meld is to take."))
            return
        by_meld: dict[int, list[Addition]] = {}
        for addition in self._state.tacks():
            by_meld.setdefault(addition.action.meld, []).append(addition)
        if not by_meld:
            # No meld takes all the cards: each goes to the only place it has, if each has just one.
            self.act(*self._state.spread())
        elif len(by_meld) == 1:
            self._tack_on(next(iter(by_meld.values())))
        else:
            self._candidates = by_meld
            self._state.choosing = True
            self._front.light(by_meld)
            self._ask_for_meld()

    def _ask_for_meld(self) -> None:
        numbers = ", ".join(f"m{meld + 1}" for meld in self._candidates)
        how = by_pointer("arrows and enter,")
        self._front.tell(f"Choose a meld: {numbers} ({how}; {key_of('take-back')} goes back)")

    def _tack_on(self, additions: Sequence[Addition]) -> None:
        if len(additions) == 1:
            self.act(additions[0].action)
            return
        symbols = self._state.view.rules.faces.symbols
        ways = []
        for addition in additions:
            action = addition.action
            letter = "" if action.end is None or len(additions) > 2 else action.end[0]
            text = f"{action.end or ''} {symbols(addition.changed[action.meld].cards)}".strip()
            ways.append(AnswerOption(text, action, letter))
        self._front.choose("Which end?", "The cards fit at either end.", ways, self.act)

    def undo(self) -> None:
        if self._candidates:
            self.take_back()
        elif why := self._front.client.undo(self._state.seat):
            self._front.tell(not_open("", why))

    def forget_candidates(self) -> None:
        self._candidates = {}
        self._state.choosing = False
        self._front.light(())

    def swap(self) -> None:
        found, view = self._state.swaps(), self._state.view
        if len(found) == 1:
            self.act(found[0].action)
            return
        melds, text = {way.action.meld for way in found}, "There is more than one way."
        if len(melds) == 1:
            text = f"Where does the {view.rules.ruleset.vocabulary.joker} of m{min(melds) + 1} go?"
        ways = [AnswerOption(swap_words(view, way, known=len(melds) == 1), way.action) for way in found]
        self._front.choose("Which swap?", text, ways, self.act)

    def discard(self) -> None:
        """Throw the chosen card, the one its rank's key has led to, or the one under the cursor.

        Ask again where it is not clear that this card is meant: another one is chosen, another command was refused just
        now, a rank's key has led to no card, or what cannot be taken back is a joker under the cursor, only under the
        cursor, or one of several of its rank.
        """
        if self._candidates:
            self._ask_for_meld()
            return
        chosen, named = self._state.selected, self._front.hand.named_card
        is_chosen = bool(chosen) and (named is None or named in chosen)
        card = chosen[0] if is_chosen else named if named is not None else self._front.hand.cursor_card
        if card is None:
            self._front.tell(not_open("T1", "First choose the card to throw."))
            return
        action = Discard(self._state.my_seat, card)
        hand = self._state.view.hand
        is_only_one = card == named and len({one for one in hand if RANK[one] == RANK[card]}) == 1
        is_clear = is_chosen or (
            not chosen and (is_only_one or (card != JOKER and self._front.client.comes_back(action)))
        )
        throws = f"throws {self._state.view.rules.faces.symbol(card)}"
        if is_clear and not (self._asks_anew or self._front.hand.has_missed):
            if self._is_risked(action, "discard"):
                self._act_warned(action, "discard", throws)
            return
        refusal = self._state.why_not(action)
        if refusal is not None and not refusal.charged:
            self._front.tell(refusal)
            return
        self._select(card)
        if self._is_risked(action, "discard"):
            another = "; its rank again: the next one" if card == named and not is_only_one else ""
            self._front.tell(f"{key_of('discard')} again {throws}{another}; {key_of('take-back')} takes it back")

    def _act_warned(self, action: Action, command: str, does: str) -> None:
        if self._may_warn(self._state.view, action):
            self._front.begin(partial(self._act_unless_dear, action, f"{key_of(command)} again {does}."))
        else:
            self.act(action)

    async def _act_unless_dear(self, action: Action, again: str) -> None:
        view = self._state.view
        words = await self.warning(view, action, again)
        if self._state.seat != view.seat or self._state.view != view:
            self._warned = None  # meanwhile the hand has been covered, or the moment has gone
        elif words:
            self._front.tell(words)
        else:
            self.act(action)

    def _may_warn(self, view: View, action: Action) -> bool:
        return self._warns() and self._warned != (len(view.history), action)

    async def warning(self, view: View, action: Action, again: str) -> str:
        """Return what to say, once, before a costly action, ended by `again`; empty: it may be taken."""
        if not self._may_warn(view, action):
            return ""
        words = await self._hints.warning(view, action)
        self._warned = (len(view.history), action)
        return f"{words} {again}" if words else ""

    def challenge(self) -> None:
        view = self._state.view
        may, keys = view.may_challenge, self._front.seat_keys(view.may_challenge)
        ways = [AnswerOption(f"Challenge {whom(view.names[target])}", target, keys.get(target, "")) for target in may]
        limit = view.rules.ruleset.calls.limit
        text = f"Who has made more than {limit} {view.rules.ruleset.vocabulary.call}s? You will be asked once more.\n"
        self._front.choose("Challenge", text, ways, self._ask_challenge, "D13")

    def _ask_challenge(self, target: int) -> None:
        seat, view = self._state.my_seat, self._state.view
        if target not in view.may_challenge:
            self._front.tell(self._state.why_not(Challenge(seat, target)))
            return
        name = whom(view.names[target])
        ways = [AnswerOption("No, leave it", None, "n"), AnswerOption(f"Yes, challenge {name}", target, "y")]
        stake = challenge_stake(view, target, open_hand=True)
        self._front.choose(
            f"Challenge {name}?", f"{stake}\n", ways, lambda target: self.act(Challenge(seat, target)), "D13"
        )

    def hint(self) -> None:
        self._front.begin(self._hint)

    async def _hint(self) -> None:
        view = self._state.view
        advice = await self.advice(view)
        # Meanwhile the hand may have been covered, or the moment gone.
        if self._state.seat == view.seat and self._state.view == view:
            self._front.tell(advice)

    async def advice(self, view: View) -> str:
        why = self._front.client.session.why_no_hint(view.seat)
        if why:
            return why
        self.hints += 1
        chosen = self._state.selected if view.seat == self._state.my_seat else ()
        throw = Discard(view.seat, chosen[0]) if len(chosen) == 1 else None
        return await self._hints.next_step(view, throw if throw in view.legal else None)

    def sort_hand(self, *, by_suit: bool | None = None) -> None:
        self._sorted_by_suit = not self._sorted_by_suit if by_suit is None else by_suit
        hand = self._front.hand
        (hand.sort_by_suit if self._sorted_by_suit else hand.sort_by_rank)()

    def group_hand(self) -> None:
        """Put cards that make melds, or come nearest to them, side by side; show what the nearest plan lacks."""
        view, state, hand = self._state.view, self._state, self._front.hand
        plan = state.plan() if state.distance() else None
        if plan is not None:
            melds, faces = [meld for meld in plan.melds if meld.held], view.rules.faces
            lacks = [[lack_text(lack, faces) for lack in meld.lacks] for meld in melds]
            hand.gather([meld.held for meld in melds], lacks)
            self._front.tell(f"You are missing {counted(plan.missing, 'card')}: the nearest plan shows where.")
            return
        groups = state.best()
        if not groups and (found := best_lay_of(view, laid=True)) is not None:
            groups = found.groups
        bundles = [group.cards for group in groups]
        if not bundles:
            self._front.tell("This hand holds no whole meld yet.")
        hand.gather(bundles)

    def choose_meld(self, meld: int) -> None:
        candidates = self._candidates.get(meld)
        if candidates is not None:
            self.forget_candidates()
            self._front.hand.focus()
            self._tack_on(candidates)
        elif self._front.hand.selected:
            state = self._state
            state.selected = self._front.hand.selected
            why = BY_NAME["tack"].why_not(self._front)
            here = [way for way in state.tacks() if way.action.meld == meld] if why is None else []
            if here:
                self.forget_candidates()
                self._tack_on(here)
            else:
                self._front.tell(why or state.why_not(Tack(state.my_seat, state.selected, meld)))


def lack_text(lack: Lacking, faces: Faces) -> str:
    """Return what would fill a place of a planned meld: a card, any card of a rank, or only a joker."""
    naturals = [card for card in lack.cards if card != JOKER]
    if not naturals:
        return faces.symbol(JOKER)
    return faces.symbol(naturals[0]) if len(naturals) == 1 else faces.rank_name(RANK[naturals[0]])


def charge_words(view: View, action: Action, refusal: Refusal | None) -> str:
    """Return what an attempt with this `refusal` would be charged, and for what; empty: nothing (F1, F1a, F4)."""
    if refusal is None or not (refusal.charged or refusal.changed):
        return ""
    reason = refusal.message.partition(" It costs ")[0]  # what the engine adds is about a charge already made
    if refusal.charged:
        return f"{reason} Trying it costs {refusal.charged} points ({'F1' if isinstance(action, Lay) else 'F4'})."
    points = 0 if (bad_lay := view.rules.charges.bad_lay) is None else bad_lay.points
    return f"{reason} Unless you lay the contract in this turn, trying it costs {points} points (F1a)."


def challenge_stake(view: View, target: int, *, open_hand: bool) -> str:
    """Return what either side of a challenge loses (F2, F3, D13).

    `open_hand`: the hand lies open before the person spoken to, and its worth may be named.
    """
    rules, name = view.rules, view.names[target]
    you = "you" if open_hand else whom(view.names[view.seat])
    rule = rules.charges.over_call
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
    return f"{right} each one too many costs {rule.points} points{ban}.\nIf not, {wrong}."
