"""Footer: commands with their keys, greyed where they are not open; a click does what the key does."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message

from kalooki_tui.tui.widgets.canvas import Canvas, CanvasWidget, Target, in_rows, style

if TYPE_CHECKING:
    from kalooki_tui.presenter.commands import Command
    from kalooki_tui.tui.looks.themes import Palette

BETWEEN: Final = 2


@dataclass(frozen=True, slots=True)
class FooterKey:
    name: str
    key: str
    label: str
    enabled: bool
    matters: bool = field(default=False, kw_only=True)
    """Whether it is a move of this moment: it gives way last, and greyed before open."""
    tooltip: Callable[[], str] = field(compare=False)
    """Purpose, and why it is not available: worked out only for the pointer."""


class CommandBar(CanvasWidget):
    """Row of commands, or more. Without room some are left out: moves after others, open moves last."""

    DEFAULT_CSS = "CommandBar { height: 1; }"
    GROUND = "felt_deep"
    HOVERS = True
    KEPT = 2

    @dataclass
    class Pressed(Message):
        name: str

    def __init__(self, rows: int = 1) -> None:
        """`rows`: how many it may take where one is not enough."""
        super().__init__()
        self._most_rows = rows
        self.keys: tuple[FooterKey, ...] = ()
        self._heard: frozenset[str] | None = None

    def show(self, keys: Sequence[FooterKey]) -> None:
        self.keys = tuple(keys)
        self._take_rows()
        self.repaint_for((self.keys, self._heard))

    @on(events.Resize)
    def _take_rows(self) -> None:
        if self._most_rows > 1 and self.size.width:
            needed = len(in_rows([*map(_width, self._offered)], self.size.width - 1, BETWEEN))
            self.styles.height = min(self._most_rows, max(1, needed))

    @property
    def _offered(self) -> list[FooterKey]:
        return [key for key in self.keys if self._heard is None or key.name in self._heard]

    def show_only(self, heard: Collection[str] | None) -> None:
        """Show none but these commands: what lies over the screen hears no others; None: show them all."""
        self._heard = None if heard is None else frozenset(heard)
        self._take_rows()
        self.repaint_for((self.keys, self._heard))

    def paint(self, canvas: Canvas, palette: Palette) -> None:
        chosen = _fitting(self._offered, canvas.width - 1, self.KEPT, canvas.height)
        rows = in_rows([*map(_width, chosen)], canvas.width - 1, BETWEEN)
        for y, row in enumerate(rows[: canvas.height]):
            self._paint_row(canvas, palette, y, [chosen[place] for place in row])

    def _paint_row(self, canvas: Canvas, palette: Palette, y: int, keys: Sequence[FooterKey]) -> None:
        ground = palette.felt_deep
        x = 1
        for key in keys:
            hovered = key.name == self.hovered
            back = palette.felt_raised if hovered else ground
            greyed = palette.on_felt_muted if hovered else palette.greyed
            start = x
            # Bold as well as bright: what is open is seen where there are no colours.
            x = canvas.text(x, y, key.key, style(palette.gold if key.enabled else greyed, back, key.enabled), key.name)
            x = canvas.text(x, y, f" {key.label}", style(palette.on_felt if key.enabled else greyed, back), key.name)
            canvas.mark(start, y, x - start, 1, key.name)
            x += BETWEEN

    def on_click(self, event: events.Click) -> None:
        name = self.target_at(event)
        if name is not None:
            self.post_message(self.Pressed(name))

    def hover(self, target: Target) -> None:
        super().hover(target)
        self.tooltip = next((key.tooltip() for key in self.keys if key.name == target), None)


def _width(key: FooterKey) -> int:
    return len(key.key) + 1 + len(key.label)


def _fitting(keys: Sequence[FooterKey], width: int, kept: int, rows: int = 1) -> list[FooterKey]:
    """Return the entries that fit into that many rows; the last `kept` are always among them."""
    left = dict(enumerate(map(_width, keys)))
    going = sorted((key.matters, key.enabled, -place) for place, key in enumerate(keys[:-kept]))
    for _, _, place in going:
        if len(in_rows([*left.values()], width, BETWEEN)) <= rows:
            break
        del left[-place]
    return [keys[place] for place in left]


def bindings(commands: Iterable[Command]) -> list[BindingType]:
    return [
        Binding(
            command.keys,
            f"command('{command.name}')",
            command.label,
            tooltip=command.sentence,
            show=False,
            priority=command.first,
            id=command.name,
        )
        for command in commands
    ]
