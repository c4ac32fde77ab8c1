"""How the table asks people: the flow's questions as dialogs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from textual.content import Content
from textual.widgets import Static

from kalooki_tui.desk.desk import face_down
from kalooki_tui.desk.flow import SPEED_FACTOR, Caller
from kalooki_tui.desk.held_reasons import HeldReasons
from kalooki_tui.desk.notes import Note
from kalooki_tui.desk.plan import Speed
from kalooki_tui.desk.prompt import card_in_question, card_name
from kalooki_tui.engine.events import Dealt, Event, Scored
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.players.protocol import Decision
from kalooki_tui.table.table import Table
from kalooki_tui.ui.playing.clock import CallClock
from kalooki_tui.ui.playing.sharing import Sharing
from kalooki_tui.ui.screens.base import Dialog
from kalooki_tui.ui.screens.dialogs import Ask, Choice, CutDialog, by_command
from kalooki_tui.ui.screens.start import DealIntro
from kalooki_tui.ui.widgets.faces import cards_content
from kalooki_tui.wording import FIRST_NAME, does, says_of

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen

#: Seconds a deal's end is shown where nobody is there to go on.
WATCHED_SECONDS: Final = 4.0
_CARDS: Final = ("ace", "two", "three", "four", "five")


class TableStage:
    """What the flow asks of the table screen."""

    def __init__(self, screen: TableScreen) -> None:
        self.screen = screen
        self.sharing = Sharing(screen)
        self.clock = CallClock(screen)
        self.held = HeldReasons()

    @property
    def _view(self) -> View:
        """The table as everybody may see it."""
        return face_down(self.screen.table.view(0))

    @property
    def _fresh(self) -> bool:
        """Whether nothing has happened in this deal yet."""
        view = self._view
        return view.phase is Phase.CUT or (bool(view.history) and isinstance(view.history[-1], Dealt))

    def _ring(self) -> None:
        """Call the person, where the settings let it."""
        if self.screen.game.settings.bell:
            self.screen.app.bell()

    async def _push(self, dialog: Dialog) -> Any:
        """Show a dialog and wait for its answer; if nobody waits any more it goes away."""
        return await self.screen.game.overlays.ask(dialog)

    def show_words(self) -> None:
        """What the words of this game mean."""
        from kalooki_tui.ui.screens.words import WordsScreen

        self.screen.game.overlays.show(WordsScreen(self.screen.table.setup.ruleset))

    def told(self, events: tuple[Event, ...], refusal: Refusal | None) -> None:
        """Something happened."""
        match = self.screen.table.match
        self.sharing.undone = ""
        self.held.happened(len(match.deal.history) - len(events), events, match.names, match.rules)
        if self.screen.is_here:
            self.screen.told(events, refusal)

    def reason(self, seat: int, decision: Decision) -> None:
        """Why an AI seat moves: told at once where only AI seats play, to people when the deal is over (V2)."""
        screen, table = self.screen, self.screen.table
        if table.humans:
            self.held.hold(seat, decision.reason)
        else:
            screen.log_view.write(f"({table.match.names[seat]}: {decision.reason})")

    async def opened(self) -> None:
        """Who sits where, if the seats were drawn (D11)."""
        table = self.screen.table
        drawn = table.setup.ruleset.seating.first_dealer == "ace-draw"
        if not drawn or not table.humans or not self._fresh:
            return
        lines = [f"{name} drew the {_CARDS[place]}" for place, name in enumerate(table.match.names)]
        text = "\n".join([f"{lines[0]} and deals first.", *(f"{line}." for line in lines[1:])])
        await self._push(
            Ask(
                "Cards are drawn for seats",
                text + "\n",
                [Choice("enter", "Take your seats", True)],
                clause="D11",
                name="seats-drawn",
                unasked=True,
            )
        )

    async def dealt(self) -> None:
        """A deal begins: its banner, for a moment."""
        screen = self.screen
        self.sharing.present = None
        screen.asking.begin_deal()
        if not screen.log_view.lines:
            screen.write_log(screen.table.view(0).history)
        if len(screen.table.humans) > 1:
            screen.conceal()
        else:
            screen.refresh_table()
        # Whoever only looks on has nothing else to tell deals apart by.
        factor = SPEED_FACTOR[Speed.NATURAL if _nobody_plays(screen.table) else screen.flow.speed]
        if factor and self._fresh and screen.table.match.phase is not Phase.CUT:
            await self._push(DealIntro(self._view, seconds=1.0 + 2 * factor))

    async def first_look(self) -> None:
        """Let several people look at the hands dealt."""
        await self.sharing.first_look()

    async def reveal(self, seat: int) -> None:
        """Show a person's hand, behind the curtain first where several share the screen."""
        screen = self.screen
        if screen.viewer == seat:
            return
        if len(screen.table.humans) > 1:
            screen.conceal()
            if screen.plan.curtain:
                await self.sharing.come(seat)
        screen.open_hand(seat)

    def ask(self, seat: int) -> None:
        """It is this person's move, by the keys of the table."""
        self.screen.open_hand(seat)
        if self.screen.desk.view.phase is Phase.DRAW:
            self._ring()
        if not self.screen.melds.has_focus:
            self.screen.hand.focus()

    def run_clock(self, seat: int) -> None:
        """Let the person's clock run beside the question."""
        self.clock.start(seat, self.screen.plan.call_seconds)

    async def ask_callers(self, seats: tuple[int, ...]) -> Caller:
        """One screen for all people who may call, unless none of them wants to be asked; it shows no hand."""
        screen = self.screen
        for seat in seats:
            if screen.flow.is_held or await asyncio.to_thread(screen.asking.wants, screen.table.view(seat)):
                return await self.sharing.ask_callers(seats)
        return Caller(None, asked=False)

    async def ask_decision(self, seat: int) -> bool:
        """Allow or refuse, with one's own hand in sight."""
        self._ring()
        view, journal = self.screen.table.view(seat), self.screen.journal
        while True:
            question = decision_question(
                view,
                lambda: self.screen.moves.advice(view),
                may_undo=journal.why_no_undo() is None,
                shared=self.screen.shared and self.screen.plan.curtain,
                note=None if self.screen.note.text else self.screen.noting.question_note(),
            )
            answer = await self._push(question)
            if answer == COVER:
                self.screen.conceal()
                await self.sharing.come(seat)
                self.screen.open_hand(seat)
                continue
            if answer != UNDO:
                return bool(answer)
            flow = self.screen.flow
            journal.undo()
            if self.screen.flow is not flow:
                # Another flow plays on from the earlier state, and ends this one.
                await asyncio.Event().wait()

    async def ask_cut(self, seat: int) -> int:
        """The dealer's cut."""
        view = self._view
        bonus = view.rules.ruleset.dealer_cut_bonus or 0
        count = await self._push(
            CutDialog(
                view.names[seat],
                view.rules.deck_size,
                sum(view.in_deal),
                view.contract.cards,
                bonus,
                self.screen.noting.cut_note(),
            )
        )
        return int(count)

    async def ask_buy_in(self, seat: int) -> bool:
        """Buy in again or leave; with the ledger."""
        return bool(await self._push(buy_in_question(self._view, seat)))

    async def ask_go_on(self) -> bool:
        """Deal a void contract again, or pass it over (D15)."""
        view = self._view
        word = view.rules.ruleset.vocabulary.deal
        return bool(
            await self._push(
                Ask(
                    "Void again",
                    f"This {word} has been void {view.attempt} times: the stock ran out twice. Nobody has scored.\n",
                    [
                        Choice("d", "Deal it again", True),
                        Choice("o", "Pass this contract over, with no score for it", False),
                    ],
                    clause="D15",
                    name="go-on",
                    unasked=True,
                )
            )
        )

    async def deal_over(self) -> None:
        """The end of a deal, until somebody goes on."""
        from kalooki_tui.ui.screens.scores import DealOverScreen

        screen, table = self.screen, self.screen.table
        view = self._view
        _note_totals(screen)
        watched = None
        if _nobody_plays(table):
            watched = WATCHED_SECONDS * SPEED_FACTOR[Speed.NATURAL]
        elif not table.humans:
            # However fast they move, how a deal ended can be read.
            watched = WATCHED_SECONDS * (SPEED_FACTOR[screen.flow.speed] or SPEED_FACTOR[Speed.BRISK])
        if len(table.humans) > 1:
            screen.conceal()
        teaching = screen.plan.teaching and bool(table.humans)
        remark = screen.journal.could_have if teaching else None
        reasons = self.held.lines if teaching else ()
        live = screen.journal.live
        review = None if live is None or not table.humans else partial(screen.game.show_review, live.lines, last=True)
        await self._push(DealOverScreen(view, tuple(screen.flow.totals), watched, remark, reasons, review))

    async def match_over(self) -> None:
        """The result."""
        from kalooki_tui.ui.screens.scores import MatchOverScreen

        screen, table = self.screen, self.screen.table
        facts = await screen.journal.facts()
        answer = await self._push(
            MatchOverScreen(
                self._view,
                table.match.winners,
                tuple(screen.flow.totals),
                table.setup.seed,
                facts,
                screen.journal.settlement(),
            )
        )
        if answer == "again":
            screen.game.play_again(screen.plan)
        else:
            screen.game.go_home()


UNDO: Final = "undo"
COVER: Final = "cover"


def _nobody_plays(table: Table) -> bool:
    """Whether people share the keyboard, and all are out of the match: none was in this deal, or may buy in again."""
    view, people = table.view(0), table.humans
    waits = view.phase is Phase.BUY_IN and view.actor in people
    return bool(people) and not waits and not any(view.in_deal[one] or not view.eliminated[one] for one in people)


def _note_totals(screen: TableScreen) -> None:
    """Put the totals of a deal that has been scored on the chart."""
    view, totals = screen.table.view(0), screen.flow.totals
    scored = view.history[-1] if view.history else None
    if not isinstance(scored, Scored):
        return
    before = tuple(total - points for total, points in zip(scored.totals, scored.points, strict=True))
    # A match that goes on in the middle has no rows for the deals before.
    totals += [before] * (view.deal - 1 - len(totals))
    if len(totals) < view.deal:
        totals.append(scored.totals)


def decision_question(
    view: View,
    advice: Callable[[], Awaitable[str]],
    *,
    may_undo: bool = False,
    shared: bool = False,
    note: Note | None = None,
) -> Ask:
    """Allow or refuse (C4, C6): who calls what, what each answer means, and advice for who wants it.

    It is answered with a truth value, with `UNDO` where `may_undo`, or with `COVER` where the keyboard is `shared`.
    """
    card, _ = card_in_question(view)
    assert card is not None
    assert view.caller is not None
    caller, faces = view.names[view.caller], view.rules.faces
    limit = view.rules.ruleset.calls.limit
    used = "" if view.calls is None else f" ({view.calls[view.caller]} of {limit} calls used)"
    symbol, flips = card_name(view), view.phase is Phase.FLIP_DECISION
    words = view.rules.ruleset.vocabulary
    calls = f"{used} {says_of(caller, words.call)} {f'the {words.flip} ' if flips else ''}"
    text = Content.assemble(Content.styled(caller, "bold $gold"), calls, cards_content([card], faces))
    choices = [
        Choice("a", f"Allow: {does(caller, 'take', inside=True)} it and a penalty card, and you draw", True),
        Choice("r", f"Refuse: you take {symbol} {'as your draw' if flips else 'instead of drawing'}", False),
        by_command("hint", "A hint first", None, beside="ar", tell=advice),
    ]
    if may_undo:
        choices.append(by_command("undo", "Take back your last step", UNDO, beside="ar"))
    if shared:
        choices.append(by_command("cover", "Not me: cover it", COVER, beside="ar"))
    return Ask(
        "Allow the call?" if view.names[view.seat] == FIRST_NAME else f"{view.names[view.seat]}, allow the call?",
        text,
        choices,
        clause="U3" if view.phase is Phase.FLIP_DECISION else "C6",
        note=note,
        name="decision",
        beside=True,
        unasked=True,
    )


def buy_in_question(view: View, seat: int) -> Ask:
    """Whether an eliminated seat buys in (P3), with everybody's counters."""
    from kalooki_tui.ui.screens.scores import ledger

    stake = view.rules.settings.buy_in_stake
    still_in = [total for total, gone in zip(view.totals, view.eliminated, strict=True) if not gone]
    limit, name = view.rules.ruleset.end.eliminate_over, view.names[seat]
    out = f"{does(name, 'have')} {view.totals[seat]} points, more than {limit}, and {says_of(name, 'be')} out."
    text = f"{out}\nBuying in costs {stake} counters; the total is then {max(still_in)} points.\n"
    choices = [Choice("b", f"Buy in for {stake}", True), Choice("l", "Leave the match", False)]
    counters = Static(ledger(view), id="ledger", markup=False)
    return Ask("Buy in again?", text, choices, extra=[counters], clause="P3", name="buy-in", unasked=True)
