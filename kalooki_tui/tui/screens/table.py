"""Table where a match is played, as the people of one client see it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from kalooki_tui.cards import Card
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.permissions import WINDOWS
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.live_match import drawn_seats
from kalooki_tui.presenter.commands import BY_NAME, COMMANDS, HAND, MELDS, Command, key_of, not_open
from kalooki_tui.presenter.hand_order import Arrangement, HandOrders
from kalooki_tui.presenter.moves import AnswerOption, TableController
from kalooki_tui.presenter.prompts import MOVES, WordedQuestion, footer_names, hand_title, paused_words, prompt_for
from kalooki_tui.presenter.recap import fresh_melds, last_round
from kalooki_tui.presenter.sentences import log_lines, reminder
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.session.client import Client, Question
from kalooki_tui.session.match_session import MatchSession
from kalooki_tui.session.plan import MatchPlan, Speed, start_words
from kalooki_tui.storage.paths import fault_sentence, log_fault
from kalooki_tui.tui import routes
from kalooki_tui.tui.overlays import Layer
from kalooki_tui.tui.screens.question import ChoiceDialog, LinesPage, QuestionDialog, confirm
from kalooki_tui.tui.screens.tabletop import TabletopScreen
from kalooki_tui.tui.tableside.controls import Tuning
from kalooki_tui.tui.tableside.notes import SidePanel
from kalooki_tui.tui.tableside.people import Badge, badges, seat_keys
from kalooki_tui.tui.tableside.questions import CallClock, TableQuestions
from kalooki_tui.tui.widgets.choices import ANSWER_KEYS, Choice
from kalooki_tui.tui.widgets.command_bar import bindings
from kalooki_tui.tui.widgets.hand import HandView, no_card_words
from kalooki_tui.tui.widgets.meld_rows import MeldsView
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.spread import Item
from kalooki_tui.tui.widgets.status import Tone

#: How long a refusal stays on the prompt's line, in seconds.
MOMENT: Final = 6.0


class TableScreen(TabletopScreen, TableController):  # type: ignore[misc] # its hand is found by a query
    """Table of one match. Widgets show the state's view; every key goes through `action_command`."""

    OFFERED = COMMANDS
    AUTO_FOCUS = "HandView"
    _carried: Card | None = None

    def __init__(self, plan: MatchPlan, client: Client, beside: Callable[[TableScreen], SidePanel] = SidePanel) -> None:
        super().__init__(name="table")  # by name: at "play again" the next table is there before this one has gone
        self.plan = plan
        self.client = client
        self.session: MatchSession = client.session
        self._here = client.here
        self.viewer: int | None = client.here[0] if len(client.here) == 1 else None
        self.peeking: int | None = None
        self.state: TurnState = TurnState(
            client.public, client.why_not, lambda: client.may_take_back(self.state.seat).why or None
        )
        self.hand_orders = HandOrders(client)
        self._orders: dict[int, Arrangement] = {}
        self._notice: Refusal | str | None = None
        self.clock: CallClock | None = None
        self.beside = beside(self)
        self.moves = self.beside.moves()
        if self.beside.offered:
            self._bindings = BindingsMap.merge([self._bindings, BindingsMap(bindings(self.beside.offered))])
        self.questions = TableQuestions(self)
        self.tuning = Tuning(self)
        self._clause = ""
        """Clause of the refusal that was on the screen when a command was given."""

    @property
    def offered(self) -> tuple[Command, ...]:
        return self.allowed((*self.OFFERED, *self.beside.offered))

    def allowed(self, commands: Iterable[Command]) -> tuple[Command, ...]:
        commands = tuple(commands)
        allowed = self.client.allowed([command.name for command in commands])
        return tuple(command for command in commands if command.name in allowed)

    def compose(self) -> ComposeResult:
        # Set later, it would have everything that is there by then styled once more.
        self.set_class(bool(self.client.here), "-played", update=False)
        for part in super().compose():
            yield from self.beside.around(part)

    def on_mount(self) -> None:
        """Show the table as it was left, and play on once the screen counts as mounted: it hears of no move before."""
        self._orders = self.hand_orders.kept()
        self.refresh_table()
        self.app.tell_notices()
        # Whoever comes back in the middle of a deal reads what has happened in it.
        self.write_log(self.client.public.history)
        if self.plan.start is not None:
            self.log_view.write(start_words(self.plan.start))
        self.call_later(self.play)

    @property
    def badges(self) -> dict[int, Badge]:
        client = self.client
        if not client.is_shared:
            return {}
        settings = self.app.settings
        places = drawn_seats(self.session.setup)
        return badges(self.session.names, client.here, settings.person_keys, settings.person_colours, places)

    @property
    def hides_hands(self) -> bool:
        """Whether hands are hidden between people who share this screen."""
        return self.plan.curtain and not self.session.hands_are_open

    def toggle_pause(self) -> None:
        session = self.session
        session.set_paused(not session.paused)
        self.refresh_table()
        self.tell(paused_words() if session.paused else None)

    # What is shown

    def refresh_table(self) -> None:
        if self.viewer is None:
            self.state.close(self.client.public)
        else:
            self.state.open(self.client.view(self.viewer))
        view = self.state.view
        self.banner.show(view, self.state.slots(at_once=True), reminder(view), waits=self.session.paused)
        if not self.state.has_plan:
            # A plan can take as long to find as all else that a draw changes: the key is answered first.
            self.call_after_refresh(self._show_plan, view)
        self.seats.show(view, self.badges)
        own = None if self.state.seat is None else view
        self.melds.show(view, self.state.staged_melds, () if own is None else fresh_melds(own))
        self.recap.show(own, self.session.people)
        self.piles.show(view)
        # Before the cut nobody is to count the deck (B1).
        self.piles.visible = view.phase is not Phase.CUT
        self._show_hand()
        self.beside.refresh()
        self.refresh_bar()
        self.show_prompt()
        self.paint_now()

    def _show_plan(self, view: View) -> None:
        if self.is_here and self.state.view is view:
            self.banner.show_slots(self.state.slots())

    def _show_hand(self) -> None:
        if self.state.seat is None:
            self.hand.turn_down(0)
            self.status.set_title("No hand is open" if self.client.here else "You are watching")
            return
        self.take_hand(self._orders.pop(self.state.seat, None))
        self._show_title()
        self.hand_orders.keep_soon(self.state.seat, self.hand.arrangement)

    def _show_title(self) -> None:
        if self.state.seat is not None:
            self.status.set_title(hand_title(self.state))

    def refresh_bar(self) -> None:
        names = footer_names(self.state, shared=self.client.is_shared)
        beside = [one for one in self.beside.offered if one.label]
        commands = self.allowed((*beside, *(BY_NAME[name] for name in names)))
        # Whoever waits can make no move: then what stands beside the table is what can be done, as for whoever teaches.
        moves_alone = self.state.is_asked and not self.plan.teach
        matter = MOVES if moves_alone else MOVES | {command.name for command in beside}
        self.bar.show([replace(key, matters=key.name in matter) for key in self.footer_keys(commands)])

    def show_prompt(self) -> None:
        notice = self._notice
        if isinstance(notice, Refusal):
            clause = f" ({notice.clause})" if notice.clause else ""
            self.status.set_prompt(f"✕ {notice.message}{clause}", Tone.REFUSED)
        elif notice is not None:
            self.status.set_prompt(notice, Tone.ASKED)
        else:
            text, asked = prompt_for(self.state, self.session.plans, self.session.asked_at_once)
            if self.peeking is not None:
                text, asked = "", False  # the look has keys of its own
            if self.session.paused and not asked:
                text = paused_words()
            if not asked:
                text = self.beside.waiting_words or text
            time = "" if self.clock is None else self.clock.words
            text = " ".join(filter(None, (time, text)))
            self.status.set_prompt(text, Tone.ASKED if asked else Tone.QUIET)

    def start_clock(self, clock: CallClock) -> None:
        if self.clock is not None:
            self.clock.stop()
        self.clock = clock

    def tell(self, notice: Refusal | str | None, *, briefly: bool = False) -> None:
        """Say something on the prompt's line; None: say what the table waits for.

        Refusals, and what is said `briefly`, give way after a while: the line must not hide that a call is open.
        """
        self._notice = notice
        self.show_prompt()
        if briefly or isinstance(notice, Refusal):
            self.set_timer(MOMENT, lambda: self.tell(None) if self._notice is notice else None)

    def write_log(self, events: Sequence[Event]) -> None:
        view = self.state.view
        for line in log_lines(events, view.names, view.rules):
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
        if self.viewer is not None and self.viewer != seat:
            self.conceal()
        self.viewer = seat
        if self.state.seat != seat:  # else all that has been told is shown already
            self.refresh_table()

    # What the state asks of the table

    def choose(
        self, title: str, text: str, ways: Sequence[AnswerOption], then: Callable[[Any], object], clause: str = ""
    ) -> None:
        choices = [Choice(way.key or key, way.words, way.value) for key, way in zip(ANSWER_KEYS, ways, strict=False)]
        self.app.overlays.choose(ChoiceDialog(title, text, choices, may_close=True, clause=clause, beside=True), then)

    def seat_keys(self, seats: Collection[int]) -> Mapping[int, str]:
        return seat_keys(seats, own) if (own := self.badges) else {}

    def light(self, melds: Collection[int]) -> None:
        was_lit = bool(self.melds.lit)
        self.melds.lit = melds
        if melds:
            self.melds.focus()
        elif was_lit and self.melds.has_focus:
            self.hand.focus()

    def begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self.run_worker(work, group="work", exclusive=True, exit_on_error=False)  # type: ignore[arg-type]

    def show_trouble(self, words: str) -> None:
        """Say that the match is not being saved, for as long as that is so; play goes on."""
        if not self.is_here:
            return
        self.app.tell_notices()
        if words:
            self.trouble.update(f"▲ {words}")
        elif self.trouble.display:
            self.log_view.write("The match is being saved again.")
        self.trouble.display = bool(words)

    def show_consent(self, asked: WordedQuestion | None) -> None:
        """Show that somebody elsewhere asks to take back a step; None: nobody does any more."""
        line = self.consent_line
        line.display = asked is not None
        if asked is None:
            return
        told: list[str | tuple[str, Style]] = [str(asked.text[0])]
        for way, joint in zip(asked.ways, (" ", " · "), strict=True):
            click = Style.from_meta({"@click": f"screen.command('{way.key}')"})
            told += [joint, (f"{key_of(way.key)} {way.words}", click)]
        text = Content.assemble(*told)
        line.update(text)
        top = self.app.screen
        if top is self or (isinstance(top, QuestionDialog) and top.is_beside):
            return  # the line is in sight
        self.notify(text.plain if isinstance(top, QuestionDialog) else f"{asked.text[0]} You can answer at the table.")

    # What the place tells and asks

    @property
    def answer(self) -> Callable[[Question], Coroutine[Any, Any, Any]]:
        return self.questions.answer

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        self.questions.undone = ""
        if not self.is_here:
            return
        self._notice = refusal
        before = self.state.view.turn
        self.hand_orders.note(self.hand.arrangement)
        if self.note_events(events):
            self.log_view.set_lines(())
            self._orders.clear()
            self.hand.turn_down(0)  # the new hand is sorted, and does not lie as the last one did
        self.write_log(events)
        if self.client.is_shared and self.viewer is not None and not self._stays(self.client.public):
            self.conceal()
        else:
            self.refresh_table()
        if self.session.speed is not Speed.INSTANT and self.is_live:
            self.show_motion(events, before, self.state.view, self.state.seat)

    def _stays(self, public: View) -> bool:
        """Tell whether the open hand stays: it is its person's move, or others pass while somebody peeks."""
        return public.actor == self.viewer or (public.phase in WINDOWS and self.peeking == self.viewer)

    def reseated(self, words: str) -> None:
        """Show who plays now; whoever has left may still sit here, so no hand lies open that is not asked for."""
        self.questions.present = None
        if not self.is_here:
            return
        here = self.client.here
        if here != self._here:
            self._here = here
            self.conceal()
        self.note_plans()
        self.log_view.write(words)
        self.refresh_table()
        self.tell(words, briefly=True)

    def taken_back(self, words: str) -> None:
        """Show an earlier state of the match, the open hand as it lay then; `words` say what was taken back.

        It is said between people too, where the hand is covered.
        """
        self.questions.undone = words
        if not self.is_here:
            return
        order = None if self.viewer is None else self.hand_orders.former(self.viewer)
        if self.viewer is not None and order is not None:
            self._orders[self.viewer] = order
        self.log_view.set_lines(())
        self.write_log(self.client.public.history)
        self.moves.forget_candidates()
        self.refresh_table()
        if words:
            self.tell(f"{words} The others wait.")

    def hear(self, notice: str) -> None:
        if self.is_here:
            self.log_view.write(notice)
            self.show_prompt()

    def said(self, who: str, words: str) -> None:
        if self.is_here and self.app.settings.phrases:
            line = f"{who}: {words}"
            self.log_view.write(line)
            if not self.state.is_asked:
                self.tell(line, briefly=True)

    def show_missing(self) -> None:
        if self.is_here:
            self.refresh_table()

    @property
    def within(self) -> Sequence[tuple[Widget, Sequence[Command]]]:
        hand = [(self.hand, HAND)] if self.state.seat is not None else []
        return [*hand, *([(self.melds, MELDS)] if self.state.view.melds or self.state.staged else [])]

    def put_away(self) -> None:
        if self.is_away:
            return
        super().put_away()
        self.workers.cancel_node(self)
        self.hand_orders.keep()
        self.client.leave()

    def on_unmount(self) -> None:
        self.put_away()

    @work(exclusive=True, group="match", exit_on_error=False)
    async def play(self) -> None:
        """Show what comes from the session; a fault is written down, and the match stays where it is."""
        try:
            await self.client.serve(self)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, the player gets a sentence and keeps the match
            if self.is_here:  # else a step was on its way when the table went: its widgets are no longer there
                self.report_fault(error)

    def report_fault(self, error: Exception) -> None:
        sentence = fault_sentence(error, log_fault(error))
        choices = (Choice("r", "Go on with the match as it stands", "retry"), Choice("h", "Leave it", "home"))

        def answered(answer: object) -> None:
            if answer == "retry":
                self.play()
            else:
                self.app.go(routes.home())

        question = ChoiceDialog("Something went wrong", sentence, choices, name="fault", unasked=True)
        self.app.overlays.show(question, answered, Layer.FAULT)

    def cover_hand(self) -> None:
        """Cover the hand, since somebody else's key was pressed, and ask for its person again."""
        self.conceal()
        self.questions.present = None
        if not self.client.take_back_passes():
            self.questions.covered.set()

    def why_no_seats(self) -> Refusal | None:
        why = self.client.why_not_allowed("seats") or self.session.why_no_reseat() or self.beside.why_no_seats()
        return not_open("", why) if why else None

    def open_seats(self) -> None:
        why = self.why_no_seats()
        if why is None:
            self.beside.open_seats()
        else:
            self.tell(why)

    # Whether a step may be taken back

    def why_no_consent(self) -> Refusal | None:
        asked = self.questions.consent
        return not_open("", "Nobody asks to take anything back.") if asked is None or asked.done() else None

    def consent(self, *, agrees: bool) -> None:
        if self.questions.consent is not None and self.why_no_consent() is None:
            self.questions.consent.set_result(agrees)

    # Commands

    @property
    def confirms(self) -> bool:
        return bool(self.state.staged) and not self.melds.has_focus

    def action_command(self, name: str) -> None:
        command = next((one for one in (*self.OFFERED, *self.beside.offered) if one.name == name), None)
        if command is None:
            return
        if self.state.seat is not None:
            self.state.selected = self.hand.selected
        if why := self.client.why_not_allowed(name):
            self.tell(not_open("", why))
            return
        self._clause = self._notice.clause if isinstance(self._notice, Refusal) else ""
        if self._notice is not None and not (name == "rules" and self._clause):
            self.tell(None)
        try:
            self.run_here(command)
        except Exception as error:  # noqa: BLE001 - a fault in one command must not cost the match
            self.report_fault(error)

    def refuse(self, why: Refusal) -> None:
        self.moves.refused()
        self.tell(why)

    def show_rules(self) -> None:
        """Show the rules of this deal, at the clause of the refusal that was on the screen."""
        self.consult_rules(self._clause or self.beside.clause)

    def consult_rules(self, clause: str = "") -> None:
        from kalooki_tui.tui.screens.rule_pages import RulesScreen

        view = self.state.view
        rules = RulesScreen(view.rules.ruleset, view.contract, view.deal, match=view.rules, clause=clause)
        self.app.overlays.show(rules)

    def show_scores(self) -> None:
        from kalooki_tui.tui.screens.scores import ScoresDialog

        self.app.overlays.show(ScoresDialog(tuple(self.session.totals), self.state.view))

    def show_round(self) -> None:
        client = self.client
        lines = [line.text for line in log_lines(last_round(client.public), self.session.names, self.session.rules)]
        self.app.overlays.show(LinesPage("The last round", lines or ["Nobody has moved yet."]))

    def show_words(self) -> None:
        from kalooki_tui.tui.screens.rule_pages import WordsScreen

        self.app.overlays.show(WordsScreen(self.session.rules.ruleset))

    def show_help(self) -> None:
        from kalooki_tui.tui.screens.question import HelpScreen, moving

        help_here = {head: some for head, all_ in self.beside.help.items() if (some := self.allowed(all_))}
        self.app.overlays.show(HelpScreen(help_here, moving(self.session.rules.faces) if self.client.here else ()))

    def leave_match(self, *, program: bool = False) -> None:
        if not program and self.beside.leave():
            return

        def answered(yes: object) -> None:
            if yes and program:
                self.app.exit()
            elif yes:
                self.app.go(routes.home())

        title, words = ("Leave Kalooki?", "Leave the program") if program else ("Leave this match?", "Leave it")
        stay = "Play on" if self.session.people else "Watch on"
        question = confirm(title, f"{self.beside.leave_words}\n", words, stay)
        self.app.overlays.show(question, answered, Layer.LEAVING)

    # What widgets tell

    def on_key(self, event: events.Key) -> None:
        """Give keys for cards to the hand, whatever has the focus, unless that has a use for them of its own."""
        focused = self.focused
        _, own = self._binding_chain[0]  # with the keys that the player has chosen
        taken = focused is not None and event.key in own.key_to_bindings
        if self.state.seat is not None and focused is not self.hand and not taken:
            self.hand.take_key(event)

    def on_hand_view_order_changed(self) -> None:
        self.hand_orders.keep_soon(self.state.seat, self.hand.arrangement)

    def on_hand_view_selection_changed(self, event: HandView.SelectionChanged) -> None:
        if self.state.seat is None or event.cards != self.hand.selected:
            return  # covered, or chosen otherwise meanwhile
        if self.note_selection():
            self.tell(None)
        self._show_title()
        self.refresh_bar()

    def close_note(self) -> None:
        if not self.beside.close():
            self.tell("There is no note to close.", briefly=True)

    # Clicks

    def on_melds_view_meld_chosen(self, event: MeldsView.MeldChosen) -> None:
        self.moves.choose_meld(event.meld)

    def on_melds_view_staged_chosen(self, event: MeldsView.StagedChosen) -> None:
        self.unstage(event.index)

    def on_piles_view_pile_clicked(self, event: PilesView.PileClicked) -> None:
        throws = self.state.seat is not None and bool(self.hand.selected)
        if event.pile == "stock":
            self.run_command("draw-stock")
        elif event.pile == "discard" and throws and BY_NAME["discard"].is_open(self):
            self.run_command("discard")
        else:
            self.run_command("call" if BY_NAME["call"].is_open(self) else f"take-{event.pile}")

    def on_note_strip_closed(self) -> None:
        self.run_command("note-away")

    def on_hand_view_no_card(self, event: HandView.NoCard) -> None:
        """Say why a key led to no card, unless it is the key of a command."""
        if event.key not in self._bindings.key_to_bindings and not self.state.choosing:
            try:
                self.state.why_no_hand()
                rules = self.state.view.rules
                self.tell(not_open("", no_card_words(event.key, rules.ruleset.vocabulary.joker, rules.faces)))
            except Refused as refused:
                self.tell(refused.refusal)

    # Drags

    def on_hand_view_carried(self, event: HandView.Carried) -> None:
        self.motion.carry(event.card, self.hand.faces, event.at)
        for part in (self.melds, self.piles):
            part.hover(part.target_on(event.at))
        if event.card != self._carried:
            self._carried = event.card
            if self.state.view.may_add and not self.state.choosing:
                cards = self.hand.selected if event.card in self.hand.selected else (event.card,)
                self.melds.lit = frozenset(way.action.meld for way in self.state.tacks(cards))

    def on_hand_view_put_back(self) -> None:
        self._end()

    def on_hand_view_dropped(self, event: HandView.Dropped) -> None:
        meld, pile = self.melds.target_on(event.at), self.piles.target_on(event.at)
        self._end()
        if not self.is_live or self.state.seat is None:
            return
        if isinstance(meld, Item) and not meld.staged:
            if event.card not in self.hand.selected:
                self.hand.select_cards((event.card,))
            self.moves.choose_meld(meld.index)
        elif pile == "discard":
            self.hand.select_cards((event.card,))
            self.run_command("discard")
        elif pile is not None:
            self.tell(not_open("T1", "No card goes back there: a turn ends with a card on the discards."))

    def _end(self) -> None:
        self.motion.end()
        self._carried = None
        if not self.state.choosing:
            self.melds.lit = frozenset()
        for part in (self.melds, self.piles):
            part.hover(None)
