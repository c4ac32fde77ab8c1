"""Menu of puzzles: the series, the one of the day, one kind, those that were kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.cards import suit_first
from kalooki_tui.coach.exercises.definition import kind_name
from kalooki_tui.coach.exercises.registry import KINDS
from kalooki_tui.coach.puzzles import WEIGHTS
from kalooki_tui.positions.position_files import load_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.presenter.commands import Command
from kalooki_tui.presenter.match_list import when
from kalooki_tui.problems import InputError
from kalooki_tui.storage.player.progress_file import PuzzleFile, Solved, Tally, kept_files, kept_title
from kalooki_tui.tui import routes
from kalooki_tui.tui.screens.base import MENU, GameScreen, bar
from kalooki_tui.tui.screens.question import AskLine, ChoiceDialog, roomy_width
from kalooki_tui.tui.widgets.canvas import shorten
from kalooki_tui.tui.widgets.choices import KEY, Choice, ChoiceLine, numbered, two_lines
from kalooki_tui.tui.widgets.faces import cards_content

#: Cells of what a kept decision and a kind are called, of a bar, of how often one was right, and of a card in a line.
WIDTH: Final = 38
KIND: Final = 34
RIGHT: Final = 10
BAR: Final = 16
CARD: Final = 4
COMMANDS: Final = (
    Command("puzzle-series", "s", "Series", "Puzzles of all kinds, one after another.",
            lambda at: at.app.go(routes.puzzle_series())),
    Command("puzzle-daily", "d", "Puzzle of the day", "The same for everybody.",
            lambda at: at.app.go(routes.puzzle_series(daily=True))),
    Command("puzzle-kind", "k", "One kind", "Puzzles of one kind, one after another.", lambda at: at.choose_kind()),
    Command("puzzle-kept", "p", "Kept decisions", "Your own decisions that you kept.", lambda at: at.choose_kept(),
            text=lambda at: f"Kept decisions: {len(at.kept)}"),
    Command("puzzle-code", "c", "A code", "A puzzle whose code somebody sent you.", lambda at: at.ask_code()),
    Command("puzzle-home", "escape,q", "Back", "Back to the first screen.", lambda at: at.app.go(routes.home())),
)  # fmt: skip


class PuzzleMenuScreen(GameScreen):
    DEFAULT_CSS = """
    PuzzleMenuScreen #puzzles { height: 1fr; padding: 1 2; align-horizontal: center; }
    PuzzleMenuScreen #menu { height: auto; width: 100%; max-width: 100; }
    PuzzleMenuScreen #by-kind { margin: 1 1 0 1; width: 100%; max-width: 98; }
    """
    OFFERED = (*MENU, *COMMANDS)
    current = 0

    def __init__(self, file: PuzzleFile) -> None:
        super().__init__(name="puzzles")
        self.file = file
        self.kept = kept_files()

    def compose(self) -> ComposeResult:
        solved = self.file.solved
        yield Static(f"Puzzles  ·  {_stands(solved)}", id="top")
        with VerticalScroll(id="puzzles", can_focus=False):
            with Vertical(id="menu"):
                for index, command in enumerate(COMMANDS):
                    text = Content.assemble(
                        Content.styled(command.words(self), "bold"),
                        "\n" + " " * KEY,
                        Content.styled(command.sentence, "$on-felt-muted"),
                    )
                    yield ChoiceLine(index, Choice(command.shown, text, command))
            yield Static(_by_kind(solved), id="by-kind")

    def take(self, index: int) -> None:
        self.run_command(COMMANDS[index].name)

    def choose_kind(self) -> None:
        ask = ChoiceDialog(
            "Which kind of puzzle?", "", numbered((kind_name(KINDS[kind]), kind) for kind in WEIGHTS), may_close=True
        )
        self.app.overlays.choose(ask, lambda kind: self.app.go(routes.puzzle_series(kind=kind)))

    def choose_kept(self) -> None:
        if not self.kept:
            self.notify("Nothing is kept yet: press p in the review of a deal to keep a decision.")
            return
        room = roomy_width(self.app.size.width)
        choices = numbered((_words(path, room), path) for path in self.kept[-30:] if path.is_file())
        ask = ChoiceDialog("Which decision?", "", choices, may_close=True, roomy=True)
        self.app.overlays.choose(ask, lambda path: self.app.go(routes.kept_puzzle(path)))

    def ask_code(self) -> None:
        ask = AskLine("A puzzle's code", "Such as K3-7F3Q.", "", "K3-7F3Q")
        self.app.overlays.choose(ask, lambda text: self.app.go(routes.puzzle_series(code=text.strip())))


def _by_kind(solved: Solved) -> Content:
    tried = [(kind_name(KINDS[kind]), solved.kinds[kind]) for kind in WEIGHTS if kind in solved.kinds]
    head = Content.assemble(("By kind", "bold $gold"), ("  right first time, and rating\n", "$on-felt-muted"))
    parts = [head] if tried else []
    for name, tally in tried:
        right = f"{tally.right} of {tally.tried}"
        shown = bar(tally.right, tally.tried, BAR)
        parts.append(Content.assemble(f"{name:<{KIND}}  ", shown, f"  {right:<{RIGHT}}{tally.rating.words}\n"))
    only = "Only a first answer counts for the rating, and only without help."
    return Content.assemble(*parts, Content.styled(f"\n{only}" if tried else only, "$on-felt-muted"))


def _stands(tally: Tally) -> str:
    if not tally.tried:
        return "no rating yet"
    return f"{tally.rating.words}, {tally.right} of {tally.tried} right first time"


def _words(path: Path, room: int) -> Content:
    day, _, _ = when(datetime.fromtimestamp(path.stat().st_mtime, UTC)).rpartition(" ")
    name = f"{shorten(kept_title(path), WIDTH)}  ·  {day}"
    try:
        match = set_up(load_position(path))
    except (InputError, ValueError):
        return two_lines(name, "It cannot be read.", room)
    hand = () if match.actor is None else match.view(match.actor).hand
    cards, most = sorted(hand, key=suit_first), room // CARD
    shown = cards_content(cards[:most], match.rules.faces)
    return two_lines(name, shown + Content(" …") if len(cards) > most else shown, room)
