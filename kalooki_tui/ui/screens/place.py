"""A place on the screen: what its people see, whose hand lies open, what they are told. It asks them nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from textual.app import ComposeResult
from textual.binding import BindingsMap
from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from kalooki_tui.desk.commands import BY_NAME, COMMANDS, TABLE, Command, key_of
from kalooki_tui.desk.setup.plan import MatchPlan, Speed
from kalooki_tui.desk.table.desk import Desk
from kalooki_tui.desk.table.front import Way
from kalooki_tui.desk.table.hand import Arrangement
from kalooki_tui.desk.table.hand_orders import HandOrders
from kalooki_tui.desk.table.moves import Moves
from kalooki_tui.desk.table.notes import Note
from kalooki_tui.desk.table.place import Place
from kalooki_tui.desk.table.prompt import MOVES, footer_names, hand_title, paused_words, prompt_for
from kalooki_tui.desk.table.questions import Worded
from kalooki_tui.desk.table.recap import fresh_melds
from kalooki_tui.desk.table.sitting import Sitting
from kalooki_tui.desk.words.deals import doubling_words
from kalooki_tui.desk.words.telling import log_line
from kalooki_tui.engine import events as happened
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.moments import WINDOWS
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.table.seats import SeatPlan
from kalooki_tui.table.table import drawn_seats
from kalooki_tui.ui.commands import bindings
from kalooki_tui.ui.playing.clock import CallClock
from kalooki_tui.ui.playing.people import Badge, badges, seat_keys
from kalooki_tui.ui.screens.dialogs import Ask
from kalooki_tui.ui.screens.question import Question
from kalooki_tui.ui.screens.tabletop import TabletopScreen
from kalooki_tui.ui.widgets.choices import ANSWER_KEYS, Choice
from kalooki_tui.ui.widgets.status import Tone

#: How long a refusal stays on the prompt's line, in seconds.
MOMENT: Final = 6.0


class Beside:
    """What the way that opens a table puts beside it: nothing, notes, a coach, or hands to be watched."""

    offered: tuple[Command, ...] = ()
    """Commands that the table has besides its own."""
    help: Mapping[str, Sequence[Command]] = TABLE
    """The commands that are of use, by heading."""
    clause = ""
    """Where the rules tell more of what it shows."""

    def __init__(self, table: PlaceScreen) -> None:
        self.table = table

    def around(self, part: Widget) -> Iterable[Widget]:
        """A part of the table, with what stands above and below it."""
        return (part,)

    def moves(self) -> Moves:
        """The moves that are made at the table."""
        table = self.table
        warns = table.plan.teaching
        return Moves(table, warns=lambda: warns and table.app.settings.warnings, consult=table.consult_ai)

    # Who plays

    def why_no_seats(self) -> str:
        """Why nobody can change places; empty: somebody can."""
        return "Who plays is not changed here."

    def open_seats(self) -> None:
        """Let people change who plays."""

    def reseated(self, before: SeatPlan, plan: SeatPlan) -> None:
        """A person here has given a seat another name or player."""

    def before_table(self) -> None:
        """The table is about to be shown anew."""

    def refresh(self) -> None:
        """The table is being shown anew."""

    # What is told

    @property
    def waiting_words(self) -> str:
        """For whom the table waits in another way than usual; empty: it does not."""
        return ""

    def question_note(self) -> Note | None:
        """The note that a question shows to everybody, if one is due."""
        return None

    def cut_note(self) -> Note | None:
        """The note of the dealer's cut."""
        return None

    def see(self, name: str) -> None:
        """A note has been read."""

    def close(self) -> bool:
        """Close the note that is shown; whether there was one."""
        return False

    # What is asked

    async def before_decision(self, view: View) -> None:
        """The person whose view it is will be asked about a call."""

    def turn_begun(self) -> None:
        """A person's move has come."""

    async def deal_over(self) -> bool:
        """A deal is over; whether all was shown that is to be seen of it."""
        return False

    @property
    def leave_words(self) -> str:
        """What becomes of the match when it is left."""
        return self.table.sitting.leave_words()

    def leave(self) -> bool:
        """The match is to be left; whether the person is asked about it in words of its own."""
        return False


class PlaceScreen(TabletopScreen):
    """The table as the people of one place see it."""

    OFFERED = COMMANDS

    def __init__(self, plan: MatchPlan, place: Place, beside: Callable[[PlaceScreen], Beside] = Beside) -> None:
        super().__init__(name="table")  # by name: at "play again" the next table is there before this one has gone
        self.plan = plan
        self.place = place
        self._here = place.here
        self._offered: tuple[Command, ...] = ()
        self._offered_to: tuple[int, ...] | None = None
        """Who was here when it was found out which commands are for them."""
        self.viewer: int | None = place.here[0] if len(place.here) == 1 else None
        """The seat whose hand lies open."""
        self.peeking: int | None = None
        """The seat that looks at its hand out of turn."""
        self.desk: Desk = Desk(place.public, place.why_not, lambda: place.may_take_back(self.desk.seat).why or None)
        self.hand_orders = HandOrders(place)
        self._orders: dict[int, Arrangement] = {}
        """How each person has put the hand in order."""
        self._notice: Refusal | str | None = None
        self.clock = CallClock(self, place, self.show_prompt)
        self.beside = beside(self)
        self.moves = self.beside.moves()
        if self.beside.offered:
            self._bindings = BindingsMap.merge([self._bindings, BindingsMap(bindings(self.beside.offered))])

    @property
    def offered(self) -> tuple[Command, ...]:
        """The table's commands, and those of what is beside it, as far as they are for the people here."""
        if self._offered_to != self.place.here:
            self._offered_to = self.place.here
            self._offered = self.allowed((*self.OFFERED, *self.beside.offered))
        return self._offered

    def allowed(self, commands: Iterable[Command]) -> tuple[Command, ...]:
        """Of these commands, those that the people here may give."""
        return tuple(command for command in commands if not self.place.why_not_allowed(command.name))

    def compose(self) -> ComposeResult:
        """The table, and what stands beside it."""
        for part in super().compose():
            yield from self.beside.around(part)

    def on_mount(self) -> None:
        """Show the table as it was left."""
        self.set_class(bool(self.place.here), "-played")
        self._orders = self.hand_orders.kept()
        self.refresh_table()
        # Whoever comes back in the middle of a deal reads what has happened in it.
        self.write_log(self.place.public.history)

    @property
    def sitting(self) -> Sitting:
        """The match that is played here."""
        return self.place.sitting

    @property
    def shared(self) -> bool:
        """Whether several people share the keyboard."""
        return self.place.is_shared

    @property
    def badges(self) -> dict[int, Badge]:
        """Key and colour of each of several people."""
        place, settings = self.place, self.app.settings
        people = place.here if self.shared else ()
        places = drawn_seats(self.sitting.setup)
        return badges(place.names, people, settings.person_keys, settings.person_colours, places)

    def toggle_pause(self) -> None:
        """Stop AI seats, or let them go on."""
        sitting = self.sitting
        sitting.set_paused(not sitting.paused)
        self.refresh_table()
        self.tell(paused_words() if sitting.paused else None)

    async def consult_ai(self, *asked: Any) -> Any:
        """What a function gives, computed where the AI seats think."""
        return await self.app.consult(*asked)

    # What is shown

    def refresh_table(self) -> None:
        """Show the table as the seat whose hand lies open may see it."""
        self.beside.before_table()
        if self.viewer is None:
            self.desk.close(self.place.public)
        else:
            self.desk.open(self.place.view(self.viewer))
        view = self.desk.view
        self._show_contract(at_once=True)
        if not self.desk.has_plan:
            # A plan can take as long to find as all else that a draw changes: the key is answered first.
            self.call_after_refresh(self._show_plan, view)
        self.seats.show(view, self.badges)
        own = None if self.desk.seat is None else view
        self.melds.show(view, self.desk.staged_melds, frozenset() if own is None else fresh_melds(own))
        self.recap.show(own, self.sitting.people)
        self.piles.show(view)
        # Before the cut nobody is to count the deck (B1).
        self.piles.visible = view.phase is not Phase.CUT
        self._show_hand()
        self.beside.refresh()
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
        hand.set_hand(view.hand, order=order, faces=view.rules.faces)
        hand.set_staged(self.desk.staged_cards)
        if fresh and order is None:
            self.moves.sort_new_hand()
            hand.move_cursor(0)
        self.desk.selected = hand.selected
        self._show_title()
        self.hand_orders.keep_soon(self.desk.seat, hand.arrangement)

    def _show_title(self) -> None:
        if self.desk.seat is not None:
            self.status.set_title(hand_title(self.desk))

    def refresh_bar(self) -> None:
        """Show the commands of this moment, greyed where they are not open."""
        names = footer_names(self.desk, shared=self.shared)
        beside = [one for one in self.beside.offered if one.label]
        commands = [one for one in (*beside, *(BY_NAME[name] for name in names)) if one in self.offered]
        # Whoever waits can make no move: then what stands beside the table is what can be done.
        matter = MOVES if self.desk.is_asked else MOVES | {command.name for command in beside}
        self.bar.show([replace(key, matters=key.name in matter) for key in self.footer_keys(commands)])

    def show_prompt(self) -> None:
        """Show a refusal until the next step, else what the table waits for."""
        notice = self._notice
        if isinstance(notice, Refusal):
            clause = f" ({notice.clause})" if notice.clause else ""
            self.status.set_prompt(f"✕ {notice.message}{clause}", Tone.REFUSED)
        elif notice is not None:
            self.status.set_prompt(notice, Tone.ASKED)
        else:
            text, asked = prompt_for(self.desk, self.sitting.plans, self.sitting.asked_at_once)
            if self.peeking is not None:
                text, asked = "", False  # the look has keys of its own
            if self.sitting.paused and not asked:
                text = paused_words()
            if not asked:
                text = self.beside.waiting_words or text
            text = " ".join(filter(None, (self.clock.words, text)))
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
        return seat_keys(seats, self.badges) if self.shared else {}

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

    def show_consent(self, asked: Worded | None) -> None:
        """Show on a line that somebody elsewhere asks to take back a step; None: nobody does any more."""
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
        if top is self or (isinstance(top, Question) and top.is_beside):
            return  # the line is in sight
        self.notify(text.plain if isinstance(top, Question) else f"{asked.text[0]} You can answer at the table.")

    # What the place tells

    def told(self, events: Sequence[Event], refusal: Refusal | None) -> None:
        """Something happened at the table."""
        self._notice = None if refusal is None else refusal
        before = self.desk.view.turn
        self.hand_orders.note(self.hand.arrangement)
        self.app.tell_notices()
        self.moves.forget_candidates()
        if any(isinstance(event, happened.Dealt) for event in events):
            self.log_view.clear()
            self._orders.clear()
            self.hand.turn_down(0)  # the new hand is sorted, and does not lie as the last one did
            self.hand_orders.begin_deal()
        self.write_log(events)
        if self.shared and self.viewer is not None and not self._stays(self.place.public):
            self.conceal()
        else:
            self.refresh_table()
        if self.sitting.speed is not Speed.INSTANT and self.is_live:
            self.show_motion(events, before, self.desk.view, self.desk.seat)

    def _stays(self, public: View) -> bool:
        """Whether the hand that lies open stays so: it is its person's move, or others pass while somebody peeks."""
        return public.actor == self.viewer or (public.phase in WINDOWS and self.peeking == self.viewer)

    def reseated(self, words: str) -> None:
        """Show who plays now; where other people are here, no hand lies open that is not asked for."""
        here = self.place.here
        if here != self._here:
            self._here = here
            self.conceal()
            self.viewer = here[0] if len(here) == 1 else None
        self.plan = replace(self.plan, seats=self.sitting.plans)
        self.log_view.write(words)
        self.refresh_table()
        self.tell(words, briefly=True)

    def taken_back(self, words: str) -> None:
        """Show an earlier state of the match, the open hand as it lay then; `words` say what was taken back."""
        order = None if self.viewer is None else self.hand_orders.former(self.viewer)
        if self.viewer is not None and order is not None:
            self._orders[self.viewer] = order
        self.log_view.clear()
        self.write_log(self.place.public.history)
        self.moves.forget_candidates()
        self.refresh_table()
        if words:
            self.tell(f"{words} The others wait.")
