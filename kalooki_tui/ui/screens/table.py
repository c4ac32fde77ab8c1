"""The table: where a match is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from textual import events, work
from textual.widget import Widget

from kalooki_tui.desk.commands import HAND, MELDS, Command, choose
from kalooki_tui.desk.faults import fault_sentence, log_fault
from kalooki_tui.desk.setup.plan import MatchPlan
from kalooki_tui.desk.table.place import Place
from kalooki_tui.desk.table.recap import last_round
from kalooki_tui.desk.words.telling import log_line
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.ui import routes
from kalooki_tui.ui.overlays import Layer
from kalooki_tui.ui.playing.noting import Noting
from kalooki_tui.ui.playing.pointing import Pointing
from kalooki_tui.ui.playing.prompts import TableStage
from kalooki_tui.ui.playing.tuning import Tuning
from kalooki_tui.ui.screens.dialogs import Ask, confirm
from kalooki_tui.ui.screens.place import Beside, PlaceScreen
from kalooki_tui.ui.widgets.choices import Choice
from kalooki_tui.ui.widgets.hand import HandView

#: How long a refusal stays on the prompt's line, in seconds.
MOMENT: Final = 6.0


class TableScreen(Pointing):
    """One match. Widgets show the desk's view; every key goes through `run_command`."""

    AUTO_FOCUS = "HandView"
    can_be_consulted = True

    def __init__(self, plan: MatchPlan, place: Place, beside: Callable[[PlaceScreen], Beside] = Noting) -> None:
        super().__init__(plan, place, beside)
        self.stage = TableStage(self)
        self.tuning = Tuning(self, self.stage.sharing.choose_when)
        self._clause = ""
        """Of the refusal that was on the screen when a command was given."""

    def on_mount(self) -> None:
        """Begin to play, once the screen counts as mounted: it would not hear of moves that are made at once."""
        self.call_later(self.play)

    @property
    def within(self) -> Sequence[tuple[Widget, Sequence[Command]]]:
        """The open hand and the melds have commands of their own."""
        hand = [(self.hand, HAND)] if self.desk.seat is not None else []
        return [*hand, *([(self.melds, MELDS)] if self.desk.view.melds or self.desk.staged else [])]

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
                self.app.go(routes.home())

        question = Ask("Something went wrong", sentence, choices, name="fault", unasked=True)
        self.app.overlays.show(question, answered, Layer.FAULT)

    def cover_hand(self) -> None:
        """Somebody else's key was pressed: cover the hand, and ask for its person again."""
        self.conceal()
        self.stage.sharing.present = None
        if not self.place.take_back_passes():
            self.stage.covered.set()

    def why_no_seats(self) -> Refusal | None:
        """Why nobody can change places."""
        why = self.place.why_not_allowed("seats") or self.sitting.why_no_reseat() or self.beside.why_no_seats()
        return choose("", why) if why else None

    def open_seats(self) -> None:
        """Let people change who plays."""
        why = self.why_no_seats()
        if why is None:
            self.beside.open_seats()
        else:
            self.tell(why)

    def take_step_back(self) -> str:
        """Take back the last step of whoever is here, from a question or between people; why that cannot be."""
        return self.place.undo(self.desk.seat)

    # Whether a step may be taken back

    def why_no_consent(self) -> Refusal | None:
        """Why there is nothing to agree to."""
        asked = self.stage.consent
        return choose("", "Nobody asks to take anything back.") if asked is None or asked.done() else None

    def consent(self, *, agrees: bool) -> None:
        """Say whether a step may be taken back."""
        if self.stage.consent is not None and self.why_no_consent() is None:
            self.stage.consent.set_result(agrees)

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
        why = self.place.why_not_allowed(name)
        if why:
            self.tell(choose("", why))
            return
        self._clause = self._notice.clause if isinstance(self._notice, Refusal) else ""
        if self._notice is not None and not (name == "rules" and self._clause):
            self.tell(None)
        self.moves.begin(name)
        try:
            super().run_command(name)
        except Refused as refused:
            self.refuse(refused.refusal)
        except Exception as error:  # noqa: BLE001 - a fault in one command must not cost the match
            self.report_fault(error)

    def refuse(self, why: Refusal) -> None:
        """Say why a command is not open."""
        self.moves.refused()
        self.tell(why)

    def show_rules(self) -> None:
        """The rules of this deal, at the clause of the refusal that was on the screen."""
        self.consult_rules(self._clause or self.beside.clause)

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

    def show_round(self) -> None:
        """What everybody did in the last round."""
        from kalooki_tui.ui.screens.page import LinesPage

        place = self.place
        told = [log_line(event, place.names, place.rules) for event in last_round(place.public)]
        lines = [line.text for line in told if line is not None]
        self.app.overlays.show(LinesPage("The last round", lines or ["Nobody has moved yet."]))

    def show_words(self) -> None:
        """What the words of this game mean."""
        from kalooki_tui.ui.screens.words import WordsScreen

        self.app.overlays.show(WordsScreen(self.place.rules.ruleset))

    def show_help(self) -> None:
        """Every command."""
        from kalooki_tui.ui.screens.help import HelpScreen, moving

        help_here = {head: some for head, all_ in self.beside.help.items() if (some := self.allowed(all_))}
        self.app.overlays.show(HelpScreen(help_here, moving() if self.place.here else ()))

    def leave_match(self, *, program: bool = False) -> None:
        """Ask, then go home, or end the whole program."""
        if not program and self.beside.leave():
            return

        def answered(yes: object) -> None:
            if yes and program:
                self.app.exit()
            elif yes:
                self.app.go(routes.home())

        title, words = ("Leave Kalooki?", "Leave the program") if program else ("Leave this match?", "Leave it")
        self.app.overlays.show(
            confirm(title, f"{self.beside.leave_words}\n", words, "Play on"),
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
        self.hand_orders.keep_soon(self.desk.seat, self.hand.arrangement)

    def on_hand_view_selection_changed(self, event: HandView.SelectionChanged) -> None:
        """Other commands are open now."""
        if self.desk.seat is None or event.cards != self.hand.selected:
            return  # covered, or chosen otherwise meanwhile
        if event.cards != self.desk.selected:
            self.desk.selected = event.cards
            self.moves.forget_candidates()
            self.tell(None)
        self._show_title()
        self.refresh_bar()

    def close_note(self) -> None:
        """Close the note on the strip."""
        if not self.beside.close():
            self.tell("There is no note to close.", briefly=True)

    def see_note(self, name: str) -> None:
        """A note in a question has been read."""
        self.beside.see(name)
