"""A widget of several parts that may have to go before they have come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

if TYPE_CHECKING:
    from textual.widget import Widget
else:
    # The style sheet of a widget is that of its first base which is one: it must be the other.
    Widget = object


class Whole(Widget):
    """Comes up only with its parts: where a screen goes away at once, as after two quick keys, they are not there."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Mount) and not self.children:
            return
        await super().on_event(event)
