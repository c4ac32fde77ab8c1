"""Session of exercises on the table's own hand, melds and piles; a chapter has words and an example before them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import replace
from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.exercises.definition import AnswerForm, LearnerAnswer, Verdict
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.presenter.commands import BY_NAME, Command, not_open
from kalooki_tui.presenter.hand_order import Arrangement
from kalooki_tui.session.plan import LARGEST_SEED
from kalooki_tui.training.modes import CourseMode, ExerciseState, Next, Puzzles, TrainingMode, opening
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.base import MENU, GameScreen
from kalooki_tui.tui.screens.question import ChoiceDialog, confirm
from kalooki_tui.tui.widgets.choices import Choice, ChoiceLine, numbered
from kalooki_tui.tui.widgets.command_bar import CommandBar
from kalooki_tui.tui.widgets.faces import cards_content
from kalooki_tui.tui.widgets.hand import HandView
from kalooki_tui.tui.widgets.meld_rows import MeldsView
from kalooki_tui.tui.widgets.piles import PilesView
from kalooki_tui.tui.widgets.row import CardRow
from kalooki_tui.tui.widgets.seats import SeatsStrip
from kalooki_tui.wording import AI_NAMES, FIRST_NAME


def _named(name: str, label: str = "") -> Command:
    known = BY_NAME[name]
    return replace(
        known,
        label=label or known.label,
        text=None,
        run=lambda at: at.answer_by(name),
        why=lambda at: at.state.why_not(name, at.hand.selected),
    )


COMMANDS: Final = (
    _named("lay"),
    replace(BY_NAME["confirm"], run=lambda at: at.confirm(), why=lambda at: None),
    _named("tack"),
    _named("discard"),
    _named("end", "Done"),
    replace(BY_NAME["take-back"], run=lambda at: at.take_back()),
    Command("hint", "h", "Help", "Get help: a question, a part of the answer, the answer. It costs the second star.",
            lambda at: at.help()),
    Command("sort", "o", "Sort", "Sort the cards by suit, then by rank, in turn.", lambda at: at.sort()),
    Command("rules", "i", "Rules", "Read the rules.",
            lambda at: at.app.go(routes.rules(at.session.source.rules.ruleset))),
    Command("share", "s", "Share", "One line to send to others; it is copied.", lambda at: at.share(),
            lambda at: at.why_no_share()),
    Command("leave-session", "q", "Leave", "Back to where you came from.", lambda at: at.leave()),
)  # fmt: skip


#: Lines for answers, or for what to do next.
MOST_LINES: Final = 6
#: Seconds after a right answer until the next exercise opens by itself.
GO_ON_SECONDS: Final = 1.2


class SessionScreen(GameScreen):
    keeps_keys = False
    CSS_PATH = "session.tcss"
    AUTO_FOCUS = ""
    OFFERED = (*(command for command in MENU if command.name != "take"), *COMMANDS)

    top = getters.query_one("#top", Static)
    page = getters.query_one("#page", Static)
    seats = getters.query_one(SeatsStrip)
    melds = getters.query_one(MeldsView)
    piles = getters.query_one(PilesView)
    beside = getters.query_one(CardRow)
    question = getters.query_one("#asked", Static)
    told = getters.query_one("#verdict", Static)
    hand = getters.query_one(HandView)

    def __init__(self, occasion: TrainingMode) -> None:
        super().__init__(name="session")
        self.occasion, self.session = occasion, occasion.session
        self.state = ExerciseState(self.session)
        self.stage = "words"
        self._choices: list[Choice] = []
        self._timer: Timer | None = None
        self._by_suit = False
        self._chosen: tuple[int, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static(id="top")
        with VerticalScroll(id="pages", can_focus=False):
            yield Static(id="page")
        yield SeatsStrip()
        with Horizontal(id="middle"):
            yield MeldsView()
            yield PilesView()
        yield CardRow()
        yield Static(id="asked")
        with Vertical(id="lines"):
            for index in range(MOST_LINES):
                yield ChoiceLine(index, Choice("", "", None))
        yield Static(id="verdict")
        yield Static(id="filler")
        yield HandView()
        yield CommandBar()

    def on_mount(self) -> None:
        if isinstance(self.occasion, CourseMode) and self.occasion.chapter is not None:
            self.show_words(self.occasion, self.occasion.chapter)
        else:
            # Once the screen counts as mounted: an exercise that is made at once would not be shown.
            self.call_later(self.open_exercise)

    def put_away(self) -> None:
        super().put_away()
        self._stop_timer()

    # Words and worked example

    def show_words(self, course: CourseMode, chapter: Chapter) -> None:
        self._set_stage("words")
        parts = []
        for told in opening(course.learning, chapter):
            text, mark = told.text or told.rule, {None: "", True: "✓ ", False: "✕ "}[told.is_meld]
            colour = "$error" if told.is_meld is False else "$gold"
            cards = cards_content(told.cards, course.learning.rules.faces, self.app.look)
            gap = "  " if told.cards and len(text) + 4 * len(told.cards) < 66 else "\n    " if told.cards else ""
            parts += [Content.styled(mark, f"bold {colour}"), cards, Content(f"{gap}{text}\n\n")]
        self.page.update(Content("").join(parts))
        self.top.update(course.title)
        choices = [Choice("enter", f"Begin: {self.session.source.count} exercises", self.open_exercise)]
        if course.learning.standing(chapter).stars:
            choices += self._ways(course.deals)
        self._offer(choices)

    # Exercises

    def open_exercise(self) -> None:
        self._stop_timer()
        # Not `_open()`: a coroutine that is never begun, since the screen has gone, would be warned of.
        self.run_worker(self._open, exclusive=True, group="session")  # type: ignore[arg-type]

    async def _open(self) -> None:
        number = self.session.number
        await asyncio.to_thread(self.session.prepare, number)
        if not self.is_here:
            return
        self.state.begin()
        self._show_exercise()
        if not self.session.is_last:
            await asyncio.to_thread(self.session.prepare, number + 1)

    def _show_exercise(self) -> None:
        state, exercise = self.state, self.state.exercise
        self._set_stage("exercise")
        self.top.update(self.occasion.heading)
        view, faces = exercise.view, exercise.rules.faces
        self.seats.display = self.piles.display = view is not None
        if view is not None:
            self.seats.show(view)
            self.piles.show(view)
        self.beside.display = bool(exercise.shown)
        self.beside.show(exercise.shown, faces)
        self.hand.set_hand((), order=Arrangement(()), faces=faces)
        self.hand.set_hand(exercise.hand, order=Arrangement(exercise.hand), faces=faces)
        if view is not None:
            self.hand.sort_by_suit()
        self.set_class(not exercise.hand, "-no-hand")
        self.hand.can_focus = exercise.how is not AnswerForm.OPTION
        self.refresh_exercise()
        options = [Choice(key, text, index) for index, (key, text) in enumerate(state.options)]
        # None is marked: an answer is chosen, not what enter comes upon.
        self._offer(options, row=state.in_a_row, current=-1)
        if self.hand.can_focus:
            self.hand.move_cursor(0)
            self.hand.focus()
        else:
            self.set_focus(None)

    def refresh_exercise(self) -> None:
        state, exercise = self.state, self.state.exercise
        names = exercise.view.names if exercise.view is not None else (FIRST_NAME, *AI_NAMES)
        melds = exercise.table
        self.melds.faces = exercise.rules.faces
        self.melds.set_melds(melds, names, state.staged_melds)
        self.melds.visible = bool(melds or state.staged or exercise.view is not None)
        # Nothing comes to lie on the table where cards of a hand alone are chosen.
        self.set_class(not self.melds.visible and exercise.how is not AnswerForm.MELDS, "-no-table")
        self.hand.set_staged(state.staged_cards)
        keys = Content.styled(f"\n{state.keys}" if state.keys else "", "$on-felt-muted not bold")
        self.question.update(Content(state.question) + keys)
        right = self.session.attempt.right
        wrong = bool(state.said) and self.session.attempt.wrong > 0
        more = self.occasion.told_after if right else []
        self.told.update(Content("✓ Right.  " + "\n".join(more) if more else "✓ Right." if right else state.said))
        self.told.set_class(right, "-right")
        self.told.set_class(wrong and not right, "-wrong")
        self._show_bar()

    def _show_bar(self) -> None:
        names = ["rules", "leave-session"]
        if self.stage == "exercise":
            exercise = self.state.exercise
            names = ["hint", *names]
            if exercise.how is AnswerForm.MELDS:
                names = ["lay", "confirm", "take-back", "sort", *names]
            elif exercise.command:
                names = [exercise.command, "sort", *names]
            names = ["share", *names] if self.occasion.line else names
        commands = {command.name: command for command in COMMANDS}
        # The key is called what it does here.
        labels = {self.state.exercise.command: self.state.label} if self.stage == "exercise" else {}
        shown = [replace(commands[name], label=labels.get(name) or commands[name].label) for name in names]
        self.bar.show(self.footer_keys(shown))

    def answer_by(self, command: str) -> None:
        """Answer by one of the table's keys, with the cards chosen or the melds put together.

        Where one card is wanted and none is chosen, the one under the cursor is, and asked for again, as at the table.
        """
        card = self.hand.cursor_card
        if self.state.exercise.how is AnswerForm.CARD and not self.hand.selected and card is not None:
            self.hand.select_cards((card,))
            self.state.ask_again(card)
            self.refresh_exercise()
        elif self.state.exercise.how is not AnswerForm.MELDS:
            self._judged(self.state.take_cards(self.hand.selected))
        elif not self.hand.selected:
            self._judged(self.state.take_staged())
        elif isinstance(found := self.state.arrange(self.hand.selected), Refusal):
            self.refuse(found)
        elif len(found) == 1:
            self._stage(found[0])
        else:
            symbols = self.state.exercise.rules.faces.symbols
            ways = [(" | ".join(symbols(group.cards) for group in groups), groups) for groups in found]
            self.app.overlays.choose(ChoiceDialog("Which melds?", "", numbered(ways), may_close=True), self._stage)

    def confirm(self) -> None:
        if self._choices and self.current < 0:
            self.state.said = f"Choose an answer first: {self.state.option_keys}."
            self.refresh_exercise()
        elif self._choices:
            self.take(self.current)
        elif self.state.staged:
            self._judged(self.state.take_staged())

    def _stage(self, groups: Any) -> None:
        self.state.said = ""
        self.state.stage(groups)
        self.refresh_exercise()

    def _judged(self, verdict: Verdict) -> None:
        """Say what came of an answer; after a right one open the next exercise in a moment, or offer what comes."""
        self.occasion.answered()
        if verdict.right:
            self.set_focus(None)  # any key goes on now
            onward = self.occasion.onward
            if onward:
                self._offer(self._ways(onward))
            else:
                self._timer = self.set_timer(GO_ON_SECONDS, self.go_on)
        self.top.update(self.occasion.heading)
        self.refresh_exercise()

    def go_on(self) -> None:
        self._stop_timer()
        if self.session.is_over:
            self.show_result()
        elif self.session.attempt.right:
            self.session.go_on()
            self.open_exercise()

    def take(self, index: int) -> None:
        if not 0 <= index < len(self._choices):
            return
        value = self._choices[index].value
        if callable(value):
            value()
        elif not self.session.attempt.right:
            self._judged(self.state.take(LearnerAnswer(option=value)))

    def take_back(self) -> None:
        if self.stage != "exercise":
            self.leave()
        elif self.state.unstage():
            self.refresh_exercise()
        else:
            self.hand.clear_selection()

    def help(self) -> None:
        if self.stage == "exercise" and not self.session.attempt.right:
            self.state.help()
            self.refresh_exercise()

    def sort(self) -> None:
        self._by_suit = not self._by_suit
        (self.hand.sort_by_suit if self._by_suit else self.hand.sort_by_rank)()

    # What it came to

    def show_result(self) -> None:
        self._set_stage("result")
        self.page.update(Content("\n\n".join(self.occasion.result)))
        self._offer(self._ways(self.occasion.following))
        self._show_bar()

    def _ways(self, following: Sequence[tuple[str, str, Next]]) -> list[Choice]:
        return [Choice(key, text, partial(self._follow, what)) for key, text, what in following]

    def _follow(self, what: Next) -> None:
        at = self.occasion
        if what is Next.GO_ON:
            self.go_on()
        elif what is Next.PLAY_ON and isinstance(at, Puzzles):
            with self.app.telling(ValueError):
                self.app.go(routes.play_on(at.plan()))
        elif not isinstance(at, CourseMode):
            self.app.go(routes.puzzles())
        elif what is Next.BACK or at.chapter is None:
            self.app.go(routes.course())
        elif what in (Next.DEAL, Next.OWN_DEAL):
            seed = secrets.randbelow(LARGEST_SEED) if what is Next.OWN_DEAL else None
            self.app.go(routes.coached_deal(at.learning, at.chapter, seed))
        else:
            chapter = at.learning.next_chapter if what is Next.CHAPTER else at.chapter
            assert chapter is not None
            self.app.go(routes.one_lesson(at.learning, at.learning.lesson(chapter)))

    def why_no_share(self) -> Refusal | None:
        if not self.occasion.line:
            return not_open("", "Only puzzles are sent to others.")
        return None if self.session.attempt.right else not_open("", "Solve it first.")

    def share(self) -> None:
        self.app.copy_to_clipboard(self.occasion.line)
        self.notify(self.occasion.line, title="Copied, if the terminal allows it")

    def leave(self) -> None:
        """Leave; in the middle of the exercises of a chapter after asking."""
        back = partial(self._follow, Next.BACK)
        if self.stage != "exercise" or not self.session.attempts[0].right or not self.occasion.leaving:
            back()
            return
        question = confirm("Leave this lesson?", f"{self.occasion.leaving}\n", "Leave it", "Go on")
        self.app.overlays.show(question, lambda yes: back() if yes else None)

    # Lines, keys, mouse

    def _offer(self, choices: Sequence[Choice], *, row: bool = False, current: int = 0) -> None:
        self._choices, self.current = list(choices), current
        self.query_one("#lines").set_class(row, "-row")
        for index, line in enumerate(self.query(ChoiceLine)):
            line.display = index < len(choices)
            if index < len(choices):
                line.show_choice(choices[index])
        self.query_one("#lines").display = bool(choices)
        self.show_mark()

    def _set_stage(self, stage: str) -> None:
        self.stage = stage
        self.set_class(stage == "exercise", "-exercise")
        if stage != "exercise":
            self.set_focus(None)
            self.seats.display = self.beside.display = False
        self._show_bar()

    @property
    def confirms(self) -> bool:
        """True if enter lays what is put together, or takes the line marked; else it chooses cards."""
        return (self.stage == "exercise" and bool(self.state.staged)) or self.focused is not self.hand

    def refuse(self, why: Refusal) -> None:
        if self.stage != "exercise":
            return
        self.state.said = why.message + (f" ({why.clause})" if why.clause else "")
        self.refresh_exercise()

    def action_command(self, name: str) -> None:
        """Run a command; after a right answer any of them opens the next exercise at once."""
        if self._timer is not None and name not in ("leave-session", "rules"):
            self.go_on()
            return
        if self.stage != "exercise" and name in ("lay", "tack", "discard", "end", "sort", "hint"):
            return
        super().action_command(name)

    def on_key(self, event: events.Key) -> None:
        """Hear the keys of the lines; those of cards go to the hand; after a right answer any key goes on."""
        if self._timer is not None and self.is_live:
            event.stop()
            event.prevent_default()
            self.go_on()
            return
        for choice in self._choices:
            if event.key == choice.key or event.character == choice.key:
                event.stop()
                event.prevent_default()
                self.take(self._choices.index(choice))
                return
        focused = self.focused
        if self.is_live and self.stage == "exercise" and self.hand.can_focus and focused is not self.hand:
            self.hand.take_key(event)

    def on_hand_view_selection_changed(self) -> None:
        if self.stage != "exercise":
            return
        chosen = self.hand.selected
        if self.state.exercise.how is AnswerForm.CARD and len(chosen) > 1:
            self.hand.select_cards(tuple(card for card in chosen if card not in self._chosen)[:1] or chosen[:1])
        self._chosen = self.hand.selected
        self._show_bar()

    def on_melds_view_staged_chosen(self, event: MeldsView.StagedChosen) -> None:
        if self.state.unstage(event.index):
            self.refresh_exercise()

    def on_melds_view_meld_chosen(self) -> None:
        if self.stage == "exercise" and self.state.exercise.kind == "tack" and self.hand.selected:
            self.run_command("tack")

    def on_piles_view_pile_clicked(self, event: PilesView.PileClicked) -> None:
        kind = self.state.exercise.kind
        if event.pile == "discard" and kind == "throw" and self.hand.selected:
            self.run_command("discard")
        elif event.pile == "discard" and kind in ("call", "allow"):
            self.take(0)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
