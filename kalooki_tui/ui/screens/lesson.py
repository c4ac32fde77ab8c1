"""A lesson: a few words, a worked example, exercises on the table's own hand, melds and piles, what it came to."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from functools import partial
from time import monotonic
from typing import Any, Final

from textual import events, getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from kalooki_tui.coach.course.chapter import Chapter
from kalooki_tui.coach.course.lesson import Lesson
from kalooki_tui.coach.course.progress import ALONE
from kalooki_tui.coach.exercises.drawing import why_as_it_lies
from kalooki_tui.coach.exercises.model import Answer, How
from kalooki_tui.desk.setup.plan import LARGEST_SEED
from kalooki_tui.desk.study.coached import has_deal
from kalooki_tui.desk.study.exercising import ANSWERED_BY, ExerciseDesk
from kalooki_tui.desk.study.learning import Learning
from kalooki_tui.desk.study.results import result_words
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.ui import ways
from kalooki_tui.ui.screens.dialogs import MENU, Ask, MenuScreen, confirm
from kalooki_tui.ui.screens.lesson_keys import COMMANDS
from kalooki_tui.ui.widgets.choices import Choice, ChoiceLine, numbered
from kalooki_tui.ui.widgets.command_bar import CommandBar
from kalooki_tui.ui.widgets.faces import cards_content
from kalooki_tui.ui.widgets.hand import HandView
from kalooki_tui.ui.widgets.melds import MeldsView
from kalooki_tui.ui.widgets.piles import PilesView
from kalooki_tui.ui.widgets.row import CardRow
from kalooki_tui.ui.widgets.seats import SeatsStrip
from kalooki_tui.wording import AI_NAMES, FIRST_NAME

#: Lines for answers, or for what to do next.
MOST_LINES: Final = 6
#: Seconds in which enter, meant for an exercise that has just gone, answers no other.
DEAF_SECONDS: Final = 0.5
#: Seconds after a right answer until the next exercise opens by itself.
GO_ON_SECONDS: Final = 1.2


class LessonScreen(MenuScreen):
    """A chapter from its words to its result, or a practice of what is due."""

    CSS_PATH = "lesson.tcss"
    AUTO_FOCUS = ""
    OFFERED = (*(command for command in MENU if command.name != "take"), *COMMANDS)

    top = getters.query_one("#lesson-top", Static)
    page = getters.query_one("#page", Static)
    seats = getters.query_one(SeatsStrip)
    melds = getters.query_one(MeldsView)
    piles = getters.query_one(PilesView)
    beside = getters.query_one(CardRow)
    question = getters.query_one("#asked", Static)
    told = getters.query_one("#verdict", Static)
    hand = getters.query_one(HandView)
    bar = getters.query_one(CommandBar)

    def __init__(self, learning: Learning, lesson: Lesson) -> None:
        super().__init__(name="lesson")
        self.learning = learning
        self.lesson = lesson
        self.desk = ExerciseDesk(lesson)
        self.stage = "words"
        self._choices: list[Choice] = []
        self._timer: Timer | None = None
        self._by_suit = False
        self._chosen: tuple[int, ...] = ()
        """The cards of the hand that were chosen last."""
        self._opened_by_itself = 0.0
        """When the exercise opened without a key."""

    @property
    def chapter(self) -> Chapter | None:
        """The chapter; None in a practice."""
        return self.lesson.chapter

    def compose(self) -> ComposeResult:
        """Everything there may be; what a stage does not need is not displayed."""
        yield Static(id="lesson-top", markup=False)
        with VerticalScroll(id="pages", can_focus=False):
            yield Static(id="page")
        yield SeatsStrip()
        with Horizontal(id="middle"):
            yield MeldsView()
            yield PilesView()
        yield CardRow()
        yield Static(id="asked", markup=False)
        with Vertical(id="lines"):
            for index in range(MOST_LINES):
                yield ChoiceLine(index, Choice("", "", None))
        yield Static(id="verdict", markup=False)
        yield Static(id="filler")
        yield HandView()
        yield CommandBar()

    def on_mount(self) -> None:
        """Begin with the words; a practice has none."""
        if self.chapter is None:
            # Once the screen counts as mounted: an exercise that is made at once would not be shown.
            self.call_later(self.open_exercise)
        else:
            self.show_words(self.chapter)

    def put_away(self) -> None:
        """Let no exercise open by itself any more."""
        super().put_away()
        self._stop_timer()

    # Words and worked example

    def show_words(self, chapter: Chapter) -> None:
        """The chapter's first page."""
        self._set_stage("words")
        words, ruleset = self.learning.words, self.learning.rules.ruleset
        parts = [Content(f"{told}\n\n") for told in (*self.learning.foreword(chapter), words(chapter.words))]
        faces = self.learning.rules.faces
        for line in chapter.examples:
            why = None if line.kind is None else why_as_it_lies(ruleset, line.cards, line.kind)
            mark = "" if line.kind is None else "✓ " if why is None else "✕ "
            cost = str(self.learning.rules.points(line.cards))
            said = (
                words(line.words, cost=cost) if line.words else "" if why is None else f"{why.message} ({why.clause})"
            )
            colour = "$gold" if why is None else "$error"
            parts += [Content.styled(mark, f"bold {colour}"), cards_content(line.cards, faces, self.app.look)]
            gap = "  " if line.cards and len(said) + 4 * len(line.cards) < 66 else "\n    " if line.cards else ""
            parts.append(Content(f"{gap}{said}\n\n"))
        self.page.update(Content("").join(parts))
        number = self.learning.course.number(chapter)
        self.top.update(f"{number}  {words(chapter.title)}  ·  rules {' '.join(chapter.clauses)}")
        choices = [Choice("enter", f"Begin: {len(self.lesson.tasks)} exercises", self.open_exercise)]
        if self.learning.standing(chapter).stars and has_deal(self.learning, chapter):
            choices.append(Choice("d", "Straight to the deal with the coach", partial(self._play_deal, chapter)))
            choices += self._own_deal(chapter)
        self._offer(choices)

    # Exercises

    def open_exercise(self) -> None:
        """Make the exercise if need be, show it, and make the next one in advance."""
        self._stop_timer()
        # Not `_open()`: a coroutine that is never begun, since the screen has gone, would be warned of.
        self.run_worker(self._open, exclusive=True, group="lesson")  # type: ignore[arg-type]

    async def _open(self) -> None:
        number = self.lesson.number
        await asyncio.to_thread(self.lesson.prepare, number)
        if not self.is_here:
            return
        self.desk.begin()
        self._show_exercise()
        if number + 1 < len(self.lesson.tasks):
            await asyncio.to_thread(self.lesson.prepare, number + 1)

    def _show_exercise(self) -> None:
        desk, exercise = self.desk, self.desk.exercise
        self._set_stage("exercise")
        self._show_top()
        view, faces = exercise.view, exercise.rules.faces
        self.seats.display = self.piles.display = view is not None
        if view is not None:
            self.seats.show(view)
            self.piles.show(view)
        self.beside.display = bool(desk.beside)
        self.beside.show(desk.beside, faces)
        self.hand.set_hand((), order=(), faces=faces)
        self.hand.set_hand(desk.hand, order=desk.hand, faces=faces)
        if view is not None:
            self.hand.sort_by_suit()
        self.set_class(not desk.hand, "-no-hand")
        self.hand.can_focus = exercise.how is not How.OPTION
        self.refresh_exercise()
        self._offer([Choice(key, text, index) for index, (key, text) in enumerate(desk.options)], row=desk.in_a_row)
        if self.hand.can_focus:
            self.hand.move_cursor(0)
            self.hand.focus()
        else:
            self.set_focus(None)

    def refresh_exercise(self) -> None:
        """Show what has changed: staged melds, the keys, what is said."""
        desk, exercise = self.desk, self.desk.exercise
        names = exercise.view.names if exercise.view is not None else (FIRST_NAME, *AI_NAMES)
        melds = exercise.table
        self.melds.faces = exercise.rules.faces
        self.melds.set_melds(melds, names, desk.staged_melds)
        self.melds.visible = bool(melds or desk.staged or exercise.view is not None)
        self.hand.set_staged(desk.staged_cards)
        keys = Content.styled(f"\n{desk.keys}" if desk.keys else "", "$on-felt-muted not bold")
        self.question.update(Content(desk.question) + keys)
        right = self.lesson.attempt.right
        wrong = bool(desk.said) and self.lesson.attempt.wrong > 0
        self.told.update("✓ Right." if right else desk.said)
        self.told.set_class(right, "-right")
        self.told.set_class(wrong and not right, "-wrong")
        self._show_bar()

    def _show_top(self) -> None:
        done = "".join("●" if attempt.is_clean else "○" for attempt in self.lesson.attempts if attempt.right)
        left = "·" * (len(self.lesson.tasks) - len(done))
        title = "Practice" if self.chapter is None else self.learning.words(self.chapter.title)
        place = f"{min(self.lesson.number + 1, len(self.lesson.tasks))} of {len(self.lesson.tasks)}"
        self.top.update(f"{title}  ·  exercise {place}   {done}{left}")

    def _show_bar(self) -> None:
        names = ["hint", "rules", "leave-lesson"]
        if self.stage == "exercise":
            exercise = self.desk.exercise
            if exercise.how is How.MELDS:
                names = ["lay", "confirm", "take-back", "sort", *names]
            elif exercise.kind in ANSWERED_BY:
                names = [ANSWERED_BY[exercise.kind], "sort", *names]
        else:
            names = names[1:]
        self.bar.show([self.footer_key(command) for name in names for command in COMMANDS if command.name == name])

    def answer_by(self, command: str) -> None:
        """One of the table's keys: the cards chosen, or the melds put together, are the answer.

        Where one card is wanted and none is chosen, the one under the cursor is, and asked for again, as at the table.
        """
        card = self.hand.cursor_card
        if self.desk.exercise.how is How.CARD and not self.hand.selected and card is not None:
            self.hand.select_cards((card,))
            self.desk.ask_again(card)
            self.refresh_exercise()
        elif self.desk.exercise.how is not How.MELDS:
            self._judged(self.desk.take_cards(self.hand.selected).right)
        elif not self.hand.selected:
            self._judged(self.desk.take_staged().right)
        else:
            self._put_together(self.hand.selected)

    def confirm(self) -> None:
        """Lay what is put together, or take the line that is marked."""
        if self._choices:
            if monotonic() - self._opened_by_itself > DEAF_SECONDS:
                self.take(self.current)
        elif self.desk.staged:
            self._judged(self.desk.take_staged().right)

    def _put_together(self, cards: Sequence[int]) -> None:
        found = self.desk.arrange(cards)
        if isinstance(found, Refusal):
            self.refuse(found)
        elif len(found) == 1:
            self._stage(found[0])
        else:
            symbols = self.desk.exercise.rules.faces.symbols
            ways = [(" | ".join(symbols(group.cards) for group in groups), groups) for groups in found]
            self.app.overlays.show(Ask("Which melds?", "", numbered(ways), may_close=True), self._stage)

    def _stage(self, groups: Any) -> None:
        if groups is not None:
            self.desk.said = ""
            self.desk.stage(groups)
            self.refresh_exercise()

    def _judged(self, right: bool) -> None:
        """Say what came of an answer; after a right one the next exercise opens by itself."""
        if right:
            self.learning.note(self.lesson)
            self.set_focus(None)  # any key goes on now
            self._timer = self.set_timer(GO_ON_SECONDS, self._go_on_by_itself)
        self._show_top()
        self.refresh_exercise()

    def _go_on_by_itself(self) -> None:
        self._opened_by_itself = monotonic()
        self.go_on()

    def go_on(self) -> None:
        """The next exercise, or what the lesson came to."""
        self._stop_timer()
        if self.lesson.is_over:
            self.show_result()
        elif self.lesson.attempt.right:
            self.lesson.go_on()
            self.open_exercise()

    def take(self, index: int) -> None:
        """Take a line: an option of the exercise, or what to do next."""
        if not 0 <= index < len(self._choices):
            return
        value = self._choices[index].value
        if callable(value):
            value()
        elif not self.lesson.attempt.right:
            self._judged(self.desk.take(Answer(option=value)).right)

    def take_back(self) -> None:
        """Take the meld put together last back, else choose no cards; on a page of words, leave."""
        if self.stage != "exercise":
            self.leave()
        elif self.desk.unstage():
            self.refresh_exercise()
        else:
            self.hand.clear_selection()

    def help(self) -> None:
        """The next step of help."""
        if self.stage == "exercise" and not self.lesson.attempt.right:
            self.desk.help()
            self.refresh_exercise()

    def sort(self) -> None:
        """Sort by suit, next time by rank."""
        self._by_suit = not self._by_suit
        if self._by_suit:
            self.hand.sort_by_suit()
        else:
            self.hand.sort_by_rank()

    # What it came to

    def show_result(self) -> None:
        """The last page: what the lesson came to, and what there is to do next."""
        self._set_stage("result")
        told = result_words(self.learning, self.lesson)
        self.page.update(Content("\n\n".join(told)))
        choices = []
        chapter = self.chapter
        if chapter is not None and has_deal(self.learning, chapter):
            choices.append(Choice("d", "Play a deal with the coach", lambda: self._play_deal(chapter)))
            choices += self._own_deal(chapter)
        following = self.learning.next_chapter
        if following is not None and following is not chapter:
            title = self.learning.words(following.title)
            choices.append(Choice("n", f"Next chapter: {title}", lambda: self._begin(following)))
        if chapter is not None:
            choices.append(Choice("g", "This chapter again, with new exercises", lambda: self._begin(chapter)))
        choices.append(Choice("m", "Back to the chapters", self._back))
        self._offer(choices)
        self._show_bar()

    def _play_deal(self, chapter: Chapter) -> None:
        self.app.go(ways.CoachedDeal(self.learning, chapter))

    def _own_deal(self, chapter: Chapter) -> list[Choice]:
        """A deal that is played alone, where the chapter is mastered by such."""
        if chapter.mastery is None or chapter.mastery.kind not in ALONE:
            return []
        seed = secrets.randbelow(LARGEST_SEED)
        play = partial(self.app.go, ways.CoachedDeal(self.learning, chapter, seed))
        return [Choice("o", "Play a deal on your own: new cards, no coach", play)]

    def _begin(self, chapter: Chapter) -> None:
        self.app.go(ways.OneLesson(self.learning, self.learning.lesson(chapter)))

    def _back(self) -> None:
        self.app.go(ways.Course())

    def leave(self) -> None:
        """Back to the chapters; in the middle of the exercises after asking."""
        if self.stage != "exercise" or not self.lesson.attempts[0].right:
            self._back()
            return
        text = "What you have answered counts for your practice; the chapter starts again next time.\n"
        question = confirm("Leave this lesson?", text, "Leave it", "Go on")
        self.app.overlays.show(question, lambda yes: self._back() if yes else None)

    # Lines, keys, mouse

    def _offer(self, choices: Sequence[Choice], *, row: bool = False) -> None:
        """Show these lines, the first one marked."""
        self._choices, self.current = list(choices), 0
        self.query_one("#lines").set_class(row, "-row")
        for index, line in enumerate(self.query(ChoiceLine)):
            line.display = index < len(choices)
            if index < len(choices):
                line.show_choice(choices[index])
        self.query_one("#lines").display = bool(choices)
        self.mark()

    def go(self, step: int) -> None:
        """To another line."""
        self.current = (self.current + step) % max(1, len(self._choices))
        self.mark()

    def _set_stage(self, stage: str) -> None:
        self.stage = stage
        self.set_class(stage == "exercise", "-exercise")
        if stage != "exercise":
            self.set_focus(None)
        self._show_bar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter lays what is put together, or takes the line marked; else it chooses cards, as at the table."""
        if action == "command" and parameters == ("confirm",):
            staged = self.stage == "exercise" and bool(self.desk.staged)
            return self.is_live and (staged or self.focused is not self.hand)
        return super().check_action(action, parameters)

    def refuse(self, why: Refusal) -> None:
        """Say why a command is not open, where verdicts stand."""
        if self.stage != "exercise":
            return
        self.desk.said = why.message + (f" ({why.clause})" if why.clause else "")
        self.refresh_exercise()

    def run_command(self, name: str) -> None:
        """Do what a command does; after a right answer any of them opens the next exercise at once."""
        if self.is_live and self._timer is not None and name not in ("leave-lesson", "rules"):
            self.go_on()
            return
        if self.stage != "exercise" and name in ("lay", "tack", "discard", "end", "sort", "hint"):
            return
        super().run_command(name)

    def on_key(self, event: events.Key) -> None:
        """The keys of the lines; those of cards go to the hand; after a right answer any key goes on."""
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

    def on_choice_line_chosen(self, event: ChoiceLine.Chosen) -> None:
        """Take the line clicked."""
        if self.is_live:
            self.take(event.index)

    def on_hand_view_selection_changed(self) -> None:
        """Other commands are open now; where one card is asked for, another takes its place."""
        if self.stage != "exercise":
            return
        chosen = self.hand.selected
        if self.desk.exercise.how is How.CARD and len(chosen) > 1:
            self.hand.select_cards(tuple(card for card in chosen if card not in self._chosen)[:1] or chosen[:1])
        self._chosen = self.hand.selected
        self._show_bar()

    def on_melds_view_staged_chosen(self, event: MeldsView.StagedChosen) -> None:
        """Take that meld back."""
        if self.desk.unstage(event.index):
            self.refresh_exercise()

    def on_melds_view_meld_chosen(self) -> None:
        """With cards chosen, a click on a meld says that they fit, as at the table."""
        if self.stage == "exercise" and self.desk.exercise.kind == "tack" and self.hand.selected:
            self.run_command("tack")

    def on_piles_view_pile_clicked(self, event: PilesView.PileClicked) -> None:
        """A click on the discards throws the chosen card, or calls the one that lies there."""
        kind = self.desk.exercise.kind
        if event.pile == "discard" and kind == "throw" and self.hand.selected:
            self.run_command("discard")
        elif event.pile == "discard" and kind in ("call", "allow"):
            self.take(0)

    def on_command_bar_pressed(self, event: CommandBar.Pressed) -> None:
        """A command was clicked."""
        self.run_command(event.name)

    def show_rules(self) -> None:
        """The rules of the ruleset."""
        from kalooki_tui.ui.screens.rules import RulesScreen

        self.app.overlays.show(RulesScreen(self.learning.rules.ruleset))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
