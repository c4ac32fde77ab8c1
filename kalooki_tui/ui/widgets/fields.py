"""Fields of a form that say by a sign what holds, and let the arrows go from field to field."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Checkbox, Select


class Tick(Checkbox):
    """A switch drawn as ``[x]`` or ``[ ]``: the sign tells, not the colour."""

    @property
    def _button(self) -> Content:
        style = self.get_visual_style("toggle--button")
        return Content.assemble(("[x]" if self.value else "[ ]", style))


class Pick(Select[object], inherit_bindings=False):
    """A list that opens with enter or space; up and down leave it for the next field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "show_overlay", "Open the list", show=False)]


class Form(VerticalScroll, can_focus=False, inherit_bindings=False):
    """Fields below one another; up and down go from field to field, and what has the focus is scrolled to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page_up", "A page up", show=False),
        Binding("pagedown", "page_down", "A page down", show=False),
    ]
