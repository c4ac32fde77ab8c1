"""Answers on lines of their own, each with its key: given by that key, or by a click."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from msgspec import Struct
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from kalooki_tui.presenter.commands import BY_NAME, key_of
from kalooki_tui.tui.tableside.people import INK
from kalooki_tui.tui.widgets.canvas import in_rows, whole_clauses

#: Cells of a key and of what parts it from the words.
KEY: Final = 5
#: Cells of a key of one letter, with a space at either side.
PADDED: Final = 3
#: Keys of answers that have none of their own, in turn; those that open rules and scores are not among them.
ANSWER_KEYS: Final = "123456789abcdefghjklmnopqrtuvwxyz"


class Choice(Struct, frozen=True):
    key: str
    text: str | Content
    value: Any
    tell: Callable[[], Awaitable[str]] | None = None
    """Notice to show when it is chosen: the question then stays open. Where there is nothing to show, a `value` that
    is not None is the answer.
    """
    ground: str = ""
    """Colour under the key; empty: that of all keys."""


def two_lines(name: str, second: str | Content, width: int) -> Content:
    """Return the words of an answer with a line below them; both begin beside the key."""
    below = Content.styled(whole_clauses(second, width), "$on-felt-muted") if isinstance(second, str) else second
    return Content.assemble(Content.styled(name, "bold"), "\n", " " * KEY, below)


def numbered(answers: Iterable[tuple[str | Content, Any]]) -> list[Choice]:
    return [Choice(key, words, value) for key, (words, value) in zip(ANSWER_KEYS, answers, strict=False)]


def by_command(
    name: str, text: str, value: Any, *, beside: str = "", tell: Callable[[], Awaitable[str]] | None = None
) -> Choice:
    """Return an answer on the key of a table command; on its usual one where the player's is one of `beside`."""
    command = BY_NAME[name]
    usual = command.keys.partition(",")[0]
    return Choice(usual if command.key in beside else command.key, text, value, tell=tell)


def note_keys() -> str:
    """Return the keys of a note: the one that closes it for good, and the one that tells more."""
    words = f"({key_of('note-away')} closes it · {key_of('rules')} more)"
    return words.replace(" ", "\N{NO-BREAK SPACE}")


class ChoiceLine(Static):
    @dataclass
    class Chosen(Message):
        index: int

    def __init__(self, index: int, choice: Choice, look: str = "", *, live: bool = True) -> None:
        """`live`: whether its key counts, and looks as if it did."""
        self._choice, self._wide = choice, look in ("large", "wide")
        super().__init__(_with_key(choice, wide=self._wide, live=live), classes=f"choice {look}")
        self.index = index

    def show_live(self, *, live: bool) -> None:
        self.update(_with_key(self._choice, wide=self._wide, live=live))

    def show_choice(self, choice: Choice) -> None:
        self._choice = choice
        self.update(_with_key(choice, wide=self._wide))

    def on_click(self) -> None:
        self.post_message(self.Chosen(self.index))


#: Columns of a frame that are not for its words.
FRAME: Final = 6


def answer_lines(choices: Sequence[Choice], width: int, *, beside: bool, live: bool) -> ComposeResult:
    """Yield a line for each answer; where rows are scarce, as many beside one another as there is room for."""
    if not beside:
        yield from (ChoiceLine(index, choice, live=live) for index, choice in enumerate(choices))
        return
    widths = [_with_key(choice).cell_length + 2 for choice in choices]
    for row in in_rows(widths, width - FRAME):
        with Horizontal(classes="answers"):
            for place in row:
                yield ChoiceLine(place, choices[place], "short", live=live)


def _with_key(choice: Choice, *, wide: bool = False, live: bool = True) -> Content:
    shown = choice.key
    colours = f"{INK} on {choice.ground}" if choice.ground else "$felt-deep on $gold"
    ink = f"bold {colours}" if live else "$on-felt-muted on $felt-raised"
    key = Content.styled(f"    {shown}    " if wide else shown if len(shown) == PADDED else f" {shown} ", ink)
    return Content.assemble(key, "  ", choice.text)
