"""The table: where a match is played."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from textual import events, work
from textual.widget import Widget

from kalooki_tui.desk.commands import BY_NAME, COMMANDS, HAND, MELDS, TABLE, Command, choose
from kalooki_tui.desk.faults import fault_sentence, log_fault
from kalooki_tui.desk.setup.plan import MatchPlan, Speed
from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.front import Arrangement, Way
from kalooki_tui.desk.table.hand_orders import HandOrders
from kalooki_tui.desk.table.moves import Moves
from kalooki_tui.desk.table.place import Place
from kalooki_tui.desk.table.played import PlayedMatch
from kalooki_tui.desk.table.prompt import MOVES, footer_names, paused_words, prompt_for
from kalooki_tui.desk.table.recap import fresh_melds
from kalooki_tui.desk.words.deals import doubling_words
from kalooki_tui.desk.words.telling import log_line
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.ui import ways
from kalooki_tui.ui.overlays import Layer
from kalooki_tui.ui.playing.noting import Noting
from kalooki_tui.ui.playing.people import seat_keys
from kalooki_tui.ui.playing.pointing import Pointing
from kalooki_tui.ui.playing.prompts import TableStage
from kalooki_tui.ui.playing.tuning import Tuning
from kalooki_tui.ui.screens.dialogs import Ask, confirm
from kalooki_tui.ui.screens.tabletop import TabletopScreen, hand_words
from kalooki_tui.ui.widgets.choices import ANSWER_KEYS, Choice
from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.status import Tone
from kalooki_tui.wording import counted

#: How long a refusal stays on the prompt's line, in seconds.
MOMENT: Final = 6.0


class TableScreen(Pointing, TabletopScreen):
    """One match. Widgets show the desk's view; every key goes through `run_command`."""

    AUTO_FOCUS = "HandView"
    OFFERED = COMMANDS
    can_be_consulted = True

    def __init__(self, plan: MatchPlan, place: Place) -> None:
        super().__init__(name="table")  # by name: at "play again" the next table is there before this one has gone
        self.plan = plan
        self.place = place
        self.hand_orders = HandOrders(self)
        self.stage = TableStage(self)
        self.moves: Moves = Moves(
            self,
            warns=lambda: plan.teaching and self.app.settings.warnings,
            consult=self._consult_ai,
        )
        self.viewer: int | None = place.here[0] if len(place.here) == 1 else None
        """The seat whose hand lies open."""
        self.desk: Desk = Desk(place.public, place.why_not, lambda: place.sitting.why_no_undo(self.desk.seat))
        self._orders: dict[int, Arrangement] = {}
        """How each person has put the hand in order."""
        self._notice: Refusal | str | None = None
        self._clause = ""
        """Of the refusal that was on the screen when a command was given."""
        self.tuning = Tuning(self)
        self.noting = Noting(self)

    async def _consult_ai(self, *asked: Any) -> Any:
        """What a function gives, computed where the AI seats think."""
        return await self.app.consult(*asked)

    def on_mount(self) -> None:
        """Begin to play."""
        self.set_class(bool(self.place.here), "-played")
        self._orders = self.hand_orders.kept()
        self.refresh_table()
        # Once the screen counts as mounted: it would not hear of moves that are made at once.
        self.call_later(self.play)

    @property
    def sitting(self) -> PlayedMatch:
        """The match that is played here."""
        return self.place.sitting

    def taken_back(self, words: str) -> None:
        """Show an earlier state of the match, the open hand as it lay then; `words` say what was taken back."""
        order = self.hand_orders.former()
        if self.viewer is not None and order is not None:
            self._orders[self.viewer] = order
        self.log_view.clear()
        self.write_log(self.place.public.history)
        self.moves.forget_candidates()
        self.refresh_table()
        if words:
            self.tell(f"{words} The others wait.")

    @property
    def within(self) -> Sequence[tuple[Widget, Sequence[Command]]]:
        """The open hand and the melds have commands of their own."""
        hand = [(self.hand, HAND)] if self.desk.seat is not None else []
        return [*hand, *([(self.melds, MELDS)] if self.desk.view.melds or self.desk.staged else [])]

    def undo(self) -> None:
        """Take back the last step."""
        why = self.place.undo()
        if why:
            self.tell(choose("", why))

    def put_away(self) -> None:
        """End what the match has running, and let another window play it."""
        if self.is_away:
            return
        super().put_away()
        self.workers.cancel_node(self)
        self.hand_orders.keep()
        self.place.leave()

    def on_unmount(self) -> None:
        """However it has come to be closed."""
        self.put_away()

    @work(exclusive=True, group="match", exit_on_error=False)
    async def play(self) -> None:
        """Show what the place is told and asked; a fault is written down, and the match stays where it is."""
        try:
            await self.place.serve(self.stage)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the player gets a sentence and keeps the match
            if self.is_here:  # else a step was on its way when the table went: its widgets are no longer there
                self.report_fault(error)

    def report_fault(self, error: Exception) -> None:
        """Say that the program is at fault, and go on if the player wants."""
        sentence = fault_sentence(error, log_fault(error))
        choices = (Choice("r", "Go on with the match as it stands", "retry"), Choice("h", "Leave it", "home"))

        def answered(answer: object) -> None:
            if answer == "retry":
                self.play()
            else:
                self.app.go(ways.Home())

        question = Ask("Something went wrong", sentence, choices, name="fault", unasked=True)
        self.app.overlays.show(question, answered, Layer.FAULT)

    # What is shown

    def refresh_table(self) -> None:
        """Show the table as the seat whose hand lies open may see it."""
        if self.viewer is None:
            self.desk.close(self.place.public)
        else:
            self.desk.open(self.place.view(self.viewer))
        view = self.desk.view
        self._show_contract(at_once=True)
        if not self.desk.has_plan:
            # A plan can take as long to find as all else that a draw changes: the key is answered first.
            self.call_after_refresh(self._show_plan, view)
        self.seats.show(view, self.stage.sharing.badges)
        own = None if self.desk.seat is None else view
        self.melds.show(view, self.desk.staged_melds, frozenset() if own is None else fresh_melds(own))
        self.recap.show(own, self.sitting.people)
        self.piles.show(view)
        # Before the cut nobody is to count the deck (B1).
        self.piles.visible = view.phase is not Phase.CUT
        self._show_hand()
        self.noting.refresh()
        self.refresh_bar()
        self.show_prompt()
        self.paint_now()

    def _show_contract(self, *, at_once: bool = False) -> None:
        """Show how far the contract is filled; `at_once` without looking for the hand's plan."""
        view, slots = self.desk.view, self.desk.slots(at_once=at_once)
        self.banner.show(view, slots, doubling_words(view), waits=self.sitting.paused)

    def _show_plan(self, view: View) -> None:
        """Fill the contract's slots by the plan for the hand, unless something has happened since."""
        if self.is_here and self.desk.view is view:
            self._show_contract()

    def _show_hand(self) -> None:
        view, hand = self.desk.view, self.hand
        if self.desk.seat is None:
            hand.turn_down(0)
            self.status.set_title("No hand is open" if self.place.here else "You are watching")
            return
        fresh = not hand.cards
        order = self._orders.pop(self.desk.seat, None)
        cards, bundles = (None, ()) if order is None else order
        hand.set_hand(view.hand, order=cards, bundles=bundles, faces=view.rules.faces)
        hand.set_staged(self.desk.staged_cards)
        if fresh and order is None:
            self.moves.sort_new_hand()
            hand.move_cursor(0)
        self.desk.selected = hand.selected
        self._show_title()
        self.hand_orders.keep_soon()

    def _show_title(self) -> None:
        view, desk = self.desk.view, self.desk
        if desk.seat is None:
            return
        parts = [hand_words(view.names[desk.seat])]
        away = desk.distance()
        if away is not None:
            goal = f"{view.contract.points} points" if view.contract.points else "the contract"
            parts.append(f"{counted(away, 'card')} from {goal}" if away else f"{goal} can be laid")
        elif desk.has_laid:
            parts.append("laid")
        here = view.in_deal[desk.seat]
        out = f"out of {'the match' if view.eliminated[desk.seat] else 'this deal'}: the others play on"
        parts.append(counted(view.rules.points(view.hand), "point") if here else out)
        if desk.selected:
            parts.append(f"{len(desk.selected)} chosen")
        self.status.set_title(" · ".join(parts))

    def refresh_bar(self) -> None:
        """Show the commands of this moment, greyed where they are not open."""
        looks = self.stage.sharing.peeking is not None
        names = () if looks else footer_names(self.desk, shared=self.shared)
        self.bar.show([replace(self.footer_key(BY_NAME[name]), matters=name in MOVES) for name in names])

    def show_prompt(self) -> None:
        """Show a refusal until the next step, else what the table waits for."""
        notice = self._notice
        if isinstance(notice, Refusal):
            clause = f" ({notice.clause})" if notice.clause else ""
            self.status.set_prompt(f"✕ {notice.message}{clause}", Tone.REFUSED)
        elif notice is not None:
            self.status.set_prompt(notice, Tone.ASKED)
        else:
            text, asked = prompt_for(self.desk, self.sitting.plans)
            if self.stage.sharing.peeking is not None:
                text, asked = "", False  # the look has keys of its own
            if self.sitting.paused and not asked:
                text = paused_words()
            text = " ".join(filter(None, (self.stage.clock.words, text)))
            self.status.set_prompt(text, Tone.ASKED if asked else Tone.QUIET)

    def tell(self, notice: Refusal | str | None, *, briefly: bool = False) -> None:
        """Say something on the prompt's line; None: say what the table waits for.

        Refusals, and what is said `briefly`, give way after a while: the line must not hide that a call is open.
        """
        self._notice = notice
        self.show_prompt()
        if briefly or isinstance(notice, Refusal):
            self.set_timer(MOMENT, lambda: self._give_way(notice))

    def _give_way(self, notice: Refusal | str | None) -> None:
        """Let a notice give way, unless another has taken its place."""
        if self._notice is notice:
            self.tell(None)

    def write_log(self, events: Sequence[Event]) -> None:
        """Put what happened on the log."""
        for event in events:
            line = log_line(event, self.place.names, self.place.rules)
            if line is not None:
                self.log_view.write(line.text, call=line.call)

    def conceal(self) -> None:
        """Let no hand lie open, and forget every private word on the screen."""
        if self.viewer is not None and self.hand.cards:
            self._orders[self.viewer] = self.hand.arrangement
            self.hand_orders.keep()
        self.viewer = None
        self._notice = None
        self.hand_orders.forget()
        self.moves.forget_candidates()
        self.app.clear_notifications()
        self.refresh_table()

    def open_hand(self, seat: int) -> None:
        """Let a hand lie open, as it is now."""
        if self.viewer is not None and self.viewer != seat:
            self.conceal()
        self.viewer = seat
        if self.desk.seat != seat or self.desk.view != self.place.view(seat):
            self.refresh_table()

    # What the desk asks of the table

    def choose(
        self, title: str, text: str, ways: Sequence[Way], then: Callable[[Any], object], clause: str = ""
    ) -> None:
        """Ask which way, and go on with the answer if there is one."""

        def answered(value: object) -> None:
            if value is not None:
                then(value)

        choices = [Choice(way.key or key, way.words, way.value) for key, way in zip(ANSWER_KEYS, ways, strict=False)]
        self.app.overlays.show(Ask(title, text, choices, may_close=True, clause=clause, beside=True), answered)

    def seat_keys(self, seats: Collection[int]) -> Mapping[int, str]:
        """The keys by which people who share the keyboard know these seats."""
        return seat_keys(seats, self.stage.sharing.badges) if self.shared else {}

    def light(self, melds: Collection[int]) -> None:
        """Light up these melds, for one of them to be chosen."""
        was_lit = bool(self.melds.lit)
        self.melds.lit = melds
        if melds:
            self.melds.focus()
        elif was_lit and self.melds.has_focus:
            self.hand.focus()

    def begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something that takes a while."""
        self.run_worker(work, group="desk", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    def show_trouble(self, words: str) -> None:
        """Say that the match is not being saved, for as long as that is so; play goes on."""
        if words:
            self.trouble.update(f"▲ {words}")
        elif self.trouble.display:
            self.log_view.write("The match is being saved again.")
        self.trouble.display = bool(words)

    @property
    def shared(self) -> bool:
        """Whether several people share the keyboard."""
        return self.place.is_shared

    def cover_hand(self) -> None:
        """Somebody else's key was pressed: cover the hand, and ask for its person again."""
        self.conceal()
        self.stage.sharing.present = None
        if not self.place.take_back_passes():
            self.stage.covered.set()

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter lays only where there is something staged and no meld is being chosen."""
        if action == "command" and parameters == ("confirm",):
            return self.is_live and bool(self.desk.staged) and not self.melds.has_focus
        return super().check_action(action, parameters)

    def lay_staged(self) -> None:
        """Lay what is staged, whatever else is chosen."""
        self.hand.clear_selection()
        self.desk.selected = ()
        self.moves.lay()

    def run_command(self, name: str) -> None:
        """Do what a command does, or say why it is not open."""
        if not self.is_live:
            return
        if self.desk.seat is not None:
            self.desk.selected = self.hand.selected
        self._clause = self._notice.clause if isinstance(self._notice, Refusal) else ""
        if not (name == "rules" and self._clause):
            self.tell(None)
        self.moves.begin(name)
        try:
            super().run_command(name)
        except Refused as refused:
            self.tell(refused.refusal)
        except Exception as error:  # noqa: BLE001 - a fault in one command must not cost the match
            self.report_fault(error)

    def refuse(self, why: Refusal) -> None:
        """Say why a command is not open."""
        self.tell(why)

    def show_rules(self) -> None:
        """The rules of this deal, at the clause of the refusal that was on the screen."""
        self.consult_rules(self._clause or self.noting.clause)

    def consult_rules(self, clause: str = "") -> None:
        """The rules of this deal, at a clause."""
        from kalooki_tui.ui.screens.rules import RulesScreen

        view = self.desk.view
        rules = RulesScreen(view.rules.ruleset, view.contract, view.deal, match=view.rules, clause=clause)
        self.app.overlays.show(rules)

    def show_scores(self) -> None:
        """The score so far."""
        from kalooki_tui.ui.screens.scores import ScoresDialog

        self.app.overlays.show(ScoresDialog(tuple(self.sitting.totals), self.desk.view))

    def show_help(self) -> None:
        """Every command."""
        from kalooki_tui.ui.screens.help import HelpScreen, moving

        self.app.overlays.show(HelpScreen(TABLE, moving()))

    def leave_match(self, *, program: bool = False) -> None:
        """Ask, then go home, or end the whole program."""

        def answered(yes: object) -> None:
            if yes and program:
                self.app.exit()
            elif yes:
                self.app.go(ways.Home())

        title, words = ("Leave Kalooki?", "Leave the program") if program else ("Leave this match?", "Leave it")
        self.app.overlays.show(
            confirm(title, f"{self.sitting.leave_words()}\n", words, "Play on"),
            answered,
            Layer.LEAVING,
        )

    # What widgets tell

    def on_key(self, event: events.Key) -> None:
        """Keys for cards are the hand's, whatever has the focus, unless that has a use for them of its own."""
        focused = self.focused
        _, own = self._binding_chain[0]  # with the keys that the player has chosen
        taken = focused is not None and event.key in own.key_to_bindings
        if self.is_live and self.desk.seat is not None and focused is not self.hand and not taken:
            self.hand.take_key(event)

    def on_hand_view_order_changed(self) -> None:
        """Keep the player's own order."""
        self.hand_orders.keep_soon()

    def on_hand_view_selection_changed(self, event: HandView.SelectionChanged) -> None:
        """Other commands are open now."""
        if self.desk.seat is None:
            return
        if event.cards != self.desk.selected:
            self.desk.selected = event.cards
            self.moves.forget_candidates()
            self.tell(None)
        self._show_title()
        self.refresh_bar()

    def close_note(self) -> None:
        """Close the note on the strip."""
        if not self.noting.close():
            self.tell("There is no note to close.", briefly=True)

    def see_note(self, name: str) -> None:
        """A note in a question has been read."""
        self.noting.see(name)

    def told(self, events: Sequence[Event], refusal: Refusal | None) -> None:
        """Something happened at the table."""
        self._notice = None if refusal is None else refusal
        before = self.desk.view.turn
        self.hand_orders.note()
        self.app.tell_notices()
        self.moves.forget_candidates()
        if any(isinstance(event, happened.Dealt) for event in events):
            self.log_view.clear()
            self._orders.clear()
            self.hand.turn_down(0)  # the new hand is sorted, and does not lie as the last one did
            self.hand_orders.begin_deal()
        self.write_log(events)
        public = self.place.public
        stays = public.actor == self.viewer
        if public.phase in WINDOWS:
            # Others pass while somebody peeks.
            stays = stays or self.stage.sharing.peeking == self.viewer
        if self.shared and self.viewer is not None and not stays:
            self.conceal()
        else:
            self.refresh_table()
        if self.sitting.speed is not Speed.INSTANT and self.is_live:
            self.show_motion(events, before, self.desk.view, self.desk.seat)
