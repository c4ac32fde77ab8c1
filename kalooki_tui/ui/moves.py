"""What a person does at the table, from the cards chosen to the action taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from kalooki_tui.desk.additions import Addition
from kalooki_tui.desk.faults import log_fault
from kalooki_tui.desk.hints import hint_words
from kalooki_tui.engine.actions import Action, Call, Challenge, Discard, Draw, Group, Pass, Source, Tack
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import View
from kalooki_tui.solver import best_lay
from kalooki_tui.ui.screens.dialogs import Ask, Choice

#: The level of the AI that gives hints.
HINTS_FROM: Final = "club"

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class Moves:
    """Moves of the person whose hand lies open; asks where there is more than one way."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen
        self._sorted_by_suit = True
        self._candidates: dict[int, list[Addition]] = {}
        """Where the chosen cards may go, while the person chooses a meld."""

    def act(self, action: Action) -> bool:
        """Take an action; say so if it is refused."""
        refusal = self._screen.flow.act(action)
        if refusal is not None:
            self._screen.refresh_table()
        self._screen.say(refusal)
        return refusal is None

    def draw_from(self, source: Source) -> None:
        """Draw the turn's card."""
        self.act(Draw(self._screen.desk.my_seat, source))

    def call(self) -> None:
        """Call the card."""
        self.act(Call(self._screen.desk.my_seat))

    def pass_call(self) -> None:
        """Do not call the card."""
        self.act(Pass(self._screen.desk.my_seat))

    def lay(self) -> None:
        """Stage the chosen cards; with none chosen, lay what is staged."""
        if not self._screen.desk.selected:
            if self.act(self._screen.desk.lay_action()):
                self._screen.hand.focus()
            return
        found = self._screen.desk.arrange()
        if isinstance(found, Refusal):
            self._screen.say(found)
        elif len(found) == 1:
            self.stage_groups(found[0])
        else:
            symbols = self._screen.desk.view.rules.faces.symbols
            words = (" | ".join(symbols(group.cards) for group in groups) for groups in found)
            choices = [
                Choice(str(number), text, groups)
                for number, (text, groups) in enumerate(zip(words, found, strict=True), 1)
            ]
            self._ask("Which melds?", "The chosen cards make melds in more ways than one.", choices, self.stage_groups)

    def _ask(self, title: str, text: str, choices: Sequence[Choice], then: Callable[[Any], object]) -> None:
        """Ask, and go on with the answer if there is one."""

        def answered(value: object) -> None:
            if value is not None:
                then(value)

        self._screen.app.push_screen(Ask(title, text, choices, may_close=True), answered)

    def stage_groups(self, groups: Sequence[Group]) -> None:
        """Put melds on the table as staged."""
        self._screen.desk.stage(groups)
        self._screen.refresh_table()

    def stage_best(self) -> None:
        """Stage the best lay-down."""
        groups = self._screen.desk.best()
        if groups is None:
            self._screen.say("There is nothing more to lay.")
            return
        self._screen.desk.staged = []
        self.stage_groups(groups)

    def take_back(self) -> None:
        """Take back a staged meld, or a choice of cards."""
        if self._candidates:
            self.forget_candidates()
            self._screen.refresh_table()
        elif self._screen.desk.unstage() is not None:
            self._screen.refresh_table()
        else:
            self._screen.hand.clear_selection()
        self._screen.hand.focus()

    def tack(self) -> None:
        """Add the chosen cards to the only meld that takes them, or ask for one."""
        screen = self._screen
        found = screen.desk.additions()
        if isinstance(found, Refusal):
            self._tack_one_by_one(found)
            return
        by_meld: dict[int, list[Addition]] = {}
        for addition in found:
            by_meld.setdefault(addition.action.meld, []).append(addition)
        if len(by_meld) == 1:
            self._tack_on(next(iter(by_meld.values())))
            return
        self._candidates = by_meld
        screen.melds.lit = frozenset(by_meld)
        screen.melds.focus()
        numbers = ", ".join(f"m{meld + 1}" for meld in by_meld)
        screen.say(f"Choose a meld: {numbers} (arrows and enter, or click; esc goes back)")

    def _tack_one_by_one(self, refusal: Refusal) -> None:
        """No meld takes all the cards: each goes to the only place it has, if each has just one."""
        actions = self._screen.desk.spread()
        if not actions:
            self._screen.say(refusal)
        for action in actions:
            if not self.act(action):
                return

    def _tack_on(self, additions: Sequence[Addition]) -> None:
        if len(additions) == 1:
            self.act(additions[0].action)
            return
        symbols = self._screen.desk.view.rules.faces.symbols
        choices = []
        for number, addition in enumerate(additions, 1):
            end = addition.action.end
            key = str(number) if end is None or len(additions) > 2 else end[0]
            choices.append(Choice(key, f"{end or ''} {symbols(addition.result.cards)}".strip(), addition.action))
        self._ask("Which end?", "The cards would do at either end.", choices, self.act)

    def forget_candidates(self) -> None:
        self._candidates = {}
        self._screen.melds.lit = frozenset()

    def swap(self) -> None:
        """Put the chosen card in a joker's place."""
        found = self._screen.desk.swaps()
        if isinstance(found, Refusal):
            self._screen.say(found)
        elif len(found) == 1:
            self.act(found[0].action)
        else:
            keys = "123456789abcdefgij"
            choices = [Choice(key, way.words, way.action) for key, way in zip(keys, found, strict=False)]
            self._ask("Which swap?", "There is more than one way.", choices, self.act)

    def discard(self) -> None:
        """Throw the chosen card; with none chosen, choose the one under the cursor first."""
        if not self._screen.desk.selected:
            card = self._screen.hand.cursor_card
            if card is not None:
                self._screen.hand.select_cards((card,))
                self._screen.desk.selected = (card,)
                self._screen.say(f"x again throws {self._screen.desk.view.rules.faces.symbol(card)}; esc does not")
            return
        self.act(Discard(self._screen.desk.my_seat, self._screen.desk.selected[0]))

    def end_turn(self) -> None:
        """End without a discard."""
        self.act(self._screen.desk.end_action())

    def challenge(self) -> None:
        """Challenge a seat."""
        seat, view = self._screen.desk.my_seat, self._screen.desk.view
        choices = [
            Choice(str(number), f"Challenge {view.names[target]}", target)
            for number, target in enumerate(view.may_challenge, 1)
        ]
        self._ask(
            "Challenge",
            "Who has called more often than allowed?",
            choices,
            lambda target: self.act(Challenge(seat, target)),
        )

    def hint(self) -> None:
        """Ask what the club player would do with this hand, from what its player may know."""
        self._screen.run_worker(self._hint(), group="hint", exclusive=True, exit_on_error=False)

    async def _hint(self) -> None:
        screen, view = self._screen, self._screen.desk.view
        screen.say("The club player thinks …")
        advice = await self.advice(view)
        # Meanwhile the hand may have been covered, or the moment gone.
        if screen.viewer == view.seat and screen.desk.view == view:
            screen.say(advice)

    async def advice(self, view: View) -> str:
        """What the club player would do, and why, in one sentence for the person whose view it is."""
        screen = self._screen
        try:
            decision = await screen.game.thinker.decide(HINTS_FROM, f"{screen.table.setup.seed}/hint {view.seat}", view)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the match goes on without the hint
            log_fault(error)
            return "There is no hint to be had now."
        return hint_words(decision, view)

    def sort_hand(self) -> None:
        """Sort by suit, next time by rank."""
        if self._sorted_by_suit:
            self._screen.hand.sort_by_rank()
        else:
            self._screen.hand.sort_by_suit()
        self._sorted_by_suit = not self._sorted_by_suit

    def group_hand(self) -> None:
        """Put the cards that make melds side by side."""
        view, desk = self._screen.desk.view, self._screen.desk
        groups = desk.best() if desk.distance() == 0 else None
        if groups is None:
            found = best_lay(view.rules, view.contract, view.hand, own_melds=desk.own_melds, laid=True)
            groups = found.groups if found is not None else ()
        if not groups:
            self._screen.say("No cards of this hand make a meld yet.")
        self._screen.hand.apply_groups([group.cards for group in groups])

    def choose_meld(self, meld: int) -> None:
        """A meld was chosen: the chosen cards are meant for it, if there are any."""
        candidates = self._candidates.get(meld)
        if candidates is not None:
            self.forget_candidates()
            self._screen.hand.focus()
            self._tack_on(candidates)
        elif self._screen.hand.selected:
            self._tack_on_clicked(meld)

    def _tack_on_clicked(self, meld: int) -> None:
        """Cards are chosen and a meld is clicked: the cards are meant for it."""
        self._screen.desk.selected = self._screen.hand.selected
        try:
            why = self._screen.desk.why_tack()
        except Refused as refused:
            why = refused.refusal
        if why is not None:
            self._screen.say(why)
            return
        found = self._screen.desk.additions()
        here = [] if isinstance(found, Refusal) else [addition for addition in found if addition.action.meld == meld]
        if here:
            self.forget_candidates()
            self._tack_on(here)
        else:
            self._screen.say(
                self._screen.desk.why_not(Tack(self._screen.desk.my_seat, self._screen.desk.selected, meld))
            )
