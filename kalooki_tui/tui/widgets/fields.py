"""Fields of a form that say by a sign what holds, rows of them, parts that open, and the arrows between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Final

from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Checkbox, Collapsible, Input, Select, Static
from textual.widgets._collapsible import CollapsibleTitle

from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.notation.seat_text import LONGEST_NAME
from kalooki_tui.players import LEVEL_TEXTS
from kalooki_tui.session.plan import ASK_SHORT, AskCalls
from kalooki_tui.tui.tableside.people import SEAT_KEYS, Badge, usual_badge
from kalooki_tui.tui.widgets.canvas import CompoundWidget, whole_items
from kalooki_tui.wording import ai_words

#: Of the players to choose from, a person at a screen of their own.
OWN: Final = "own"


class Tick(Checkbox):
    """Switch drawn as ``[x]`` or ``[ ]``: the sign tells, not the colour."""

    @property
    def _button(self) -> Content:
        style = self.get_visual_style("toggle--button")
        return Content.assemble(("[x]" if self.value else "[ ]", style))


class Pick(CompoundWidget, Select[object], inherit_bindings=False):
    """List that opens with enter or space, or with what is typed; up and down leave it for the next field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "show_overlay", "Open the list", show=False)]

    def _watch_value(self, value: Any) -> None:
        """Show what is chosen. A list that goes before it has come up, as at a quick end, has nothing to show it in."""
        with suppress(NoMatches):
            super()._watch_value(value)

    def on_key(self, event: events.Key) -> None:
        """Open the list at the line that is typed; a sign such as ? is a key of the screen."""
        if event.character is None or not event.character.isalnum():
            return
        event.stop()
        if not self.expanded:
            self.action_show_overlay()
        # At once, and before what is typed: a list begins its search anew when it gets the focus.
        overlay = self.query_one("SelectOverlay")
        self.screen.set_focus(overlay)
        overlay.post_message(events.Key(event.key, event.character))

    @classmethod
    def of(cls, options: Iterable[tuple[str, object]], value: object, id_: str) -> Pick:
        """Make a list with one thing chosen; its lines are no markup, and are found by typing."""
        lines = [(Text(text), worth) for text, worth in options]
        return cls(lines, value=value, allow_blank=False, compact=True, id=id_)


class Row(CompoundWidget, Horizontal):
    DEFAULT_CSS = "Row { height: auto; }"

    @property
    def fields(self) -> list[Widget]:
        return [field for field in self.query("Input, Pick, Tick") if field.focusable and _is_seen(field)]


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Rows of fields under headings; one goes from row to row, or from part to part. The focus is kept in sight."""

    def go(self, step: int) -> None:
        rows = [fields for _, fields in self._stations() if fields]
        focused = self.screen.focused
        here = next((place for place, fields in enumerate(rows) if focused in fields), None)
        if not rows:
            return
        if here is None or focused is None:
            rows[0][0].focus()
            return
        fields = rows[(here + step) % len(rows)]
        fields[min(rows[here].index(focused), len(fields) - 1)].focus()

    def _stations(self) -> Iterator[tuple[bool, list[Widget]]]:
        """Yield the fields side by side, from the top down, and whether a part begins there."""
        for found in self.query(".heading, Row, CollapsibleTitle"):
            if isinstance(found, Row):
                yield False, found.fields
            else:
                yield True, [found] if found.focusable else []

    def go_part(self, step: int) -> None:
        """Go to the first field under the next heading (1) or the one before (-1), around at the end."""
        parts: list[list[Widget]] = []
        for begins, fields in self._stations():
            if begins:
                parts.append([])
            if parts:
                parts[-1] += fields
        parts = [fields for fields in parts if fields]
        if not parts:
            return
        here = next((place for place, fields in enumerate(parts) if self.screen.focused in fields), -min(step, 0))
        part = parts[(here + step) % len(parts)]
        part[0].focus()
        self.scroll_to_widget(part[-1], animate=False)
        self.scroll_to_widget(part[0], animate=False)


def _is_seen(field: Widget) -> bool:
    """Tell whether neither it nor what holds it is out of sight, as behind a heading."""
    return all(one.display for one in field.ancestors_with_self if isinstance(one, Widget))


class SeatRow(Row):
    """Seat: its key and colour where a person sits there, name, player, when the person is asked about calls."""

    def __init__(
        self, seat: int, plan: SeatPlan, known: Sequence[str], asking: AskCalls, *, is_own: bool | None = None
    ) -> None:
        """`is_own`: whether its person has a screen of their own; None: nobody can have one here."""
        self.seat = seat
        self.may_call = True
        """Whether the game has calls."""
        self.chip = Static(classes="chip")
        self.name_field = Input(
            plan.name,
            placeholder="name",
            id=f"name-{seat}",
            compact=True,
            max_length=LONGEST_NAME,
            suggester=SuggestFromList(known, case_sensitive=False),
        )
        players = [("a person", "human"), *([] if is_own is None else [("at their own screen", OWN)])]
        players += [(ai_words(f"ai:{text}"), f"ai:{text}") for text in LEVEL_TEXTS]
        players += [(plan.player, plan.player)] if plan.is_outside else []
        self.player_field = Pick.of(players, OWN if is_own else plan.player, f"player-{seat}")
        self.asking_field = Pick.of([(words, way) for way, words in ASK_SHORT.items()], asking, f"ask-{seat}")
        super().__init__(self.chip, self.name_field, self.player_field, self.asking_field, classes="seat")

    def on_mount(self) -> None:
        self.show_player()

    def seat_other(self, plan: SeatPlan, asking: AskCalls, *, is_own: bool = False) -> None:
        if self.name_field.value.strip() != plan.name:
            self.name_field.value = plan.name
        self.player_field.value = OWN if is_own else plan.player
        self.asking_field.value = asking
        self.show_player()

    def show_player(self, badge: Badge | None = None) -> None:
        human = self.player == "human"
        self.name_field.placeholder = "whoever comes" if self.is_own else "name"
        own = badge or usual_badge(self.seat)
        self.chip.update(own.chip() if human else Content.styled(f" {SEAT_KEYS[self.seat]} ", "$on-felt-muted"))
        self.asking_field.display = human and self.may_call

    @property
    def plan(self) -> SeatPlan:
        return SeatPlan(self.name_field.value.strip(), "human" if self.is_own else str(self.player))

    @property
    def is_own(self) -> bool:
        return self.player == OWN

    @property
    def player(self) -> object:
        return self.player_field.value

    @property
    def asking(self) -> AskCalls:
        return AskCalls(str(self.asking_field.value))


#: Cells of a heading, so that what stands behind it begins where fields do, and of the symbol before it.
HEADING: Final = 16
SYMBOL: Final = 4
#: What is said where nothing is chosen otherwise, and what parts it from the rest.
USUAL: Final = "as usual"
BETWEEN: Final = " · "


class Fold(CompoundWidget, Collapsible, inherit_css=False):
    """Heading, and fields that are out of sight until it is opened with enter, space or a click."""

    DEFAULT_CSS = """
    Fold { width: 1fr; height: auto; }
    Fold.-collapsed > Contents { display: none; }
    Fold > Contents { width: 100%; height: auto; }
    Fold > CollapsibleTitle { width: 1fr; height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "fold", "Open or close", show=False)]

    def __init__(
        self,
        heading: str,
        inside: str,
        make: Callable[[], Iterable[Widget]],
        *,
        id: str,  # noqa: A002
        is_open: bool,
    ) -> None:
        """`inside`: what it holds, in a few words; `make`: its fields, which come when it is opened first."""
        fields = make() if is_open else ()
        super().__init__(*fields, id=id, collapsed=not is_open, collapsed_symbol="▸", expanded_symbol="▾")
        self.part, self._inside, self._told = heading, inside, ""
        self._make = None if is_open else make

    @property
    def heading(self) -> Widget:
        return self.query_one(CollapsibleTitle)

    def tell(self, unusual: str) -> None:
        self._told = unusual
        self._show_line()

    async def open(self) -> None:
        if self._make is not None:
            make, self._make = self._make, None
            await self.query_one(self.Contents).mount_all(make())
        self.collapsed = False

    async def watch_collapsed(self) -> None:
        if self.is_mounted:
            if not self.collapsed:
                await self.open()
            self._show_line()

    def scroll_visible(self, *args: Any, **options: Any) -> None:
        """Bring what the heading opens into sight, or the field in it that is gone to."""
        if any(one.has_focus for one in self.query(CollapsibleTitle)):  # none where a game's fold has gone
            super().scroll_visible(*args, **options)

    def action_fold(self) -> None:
        if self.heading.has_focus:
            self.collapsed = not self.collapsed

    @on(events.Mount)
    @on(events.Resize)
    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _show_line(self) -> None:
        has_focus = self.is_mounted and self.heading.has_focus
        room = self.size.width - HEADING - SYMBOL
        behind = ""
        if has_focus:
            behind = f"enter {'opens' if self.collapsed else 'closes'}"
            room -= len(BETWEEN + behind)
        elif self.collapsed and not self._told:
            behind = whole_items(self._inside, room - len(USUAL + BETWEEN))
        # With the focus the whole line has its colours.
        heading, told = ("", "") if has_focus else ("bold $gold", "$on-felt")
        said = [(whole_items(self._told, room), told) if self._told else (USUAL, "")]
        said += [(f"{BETWEEN}{behind}", "")] if behind else []
        self.title = Content.assemble((f"{self.part:<{HEADING}}", heading), *said)  # type: ignore[assignment]
