"""What is given as a plain string is shown as it is written, by every way to the screen."""

from collections.abc import Callable

from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, OptionList, Select, Static

from kalooki_tui.tui.app import KalookiApp
from tests.tui.conftest import text_of, wait_until
from tests.tui.openings import at_home, running

#: What markup would take for the beginning or end of a style, an action or a link, or would stumble over.
BRACKETS = ("[/x]", "[@click=app.quit]x[/]", "a] [b")


def _with(**attributes: str) -> Widget:
    widget = Static("here", id="-".join(attributes))
    for name, value in attributes.items():
        setattr(widget, name, value)
    widget.styles.border = ("round", "white")
    return widget


def _updated(text: str) -> Widget:
    widget = Static()
    widget.update(text)
    return widget


#: Every way by which this program or the framework's own parts make something visible of a string.
WIDGETS: dict[str, Callable[[str], Widget]] = {
    "static": Static,
    "update": _updated,
    "button": Button,
    "checkbox": Checkbox,
    "option": OptionList,
    "select": lambda text: Select([(text, 1)], value=1),
    "placeholder": lambda text: Input(placeholder=text),
    "value": Input,
    "border title": lambda text: _with(border_title=text),
    "border subtitle": lambda text: _with(border_subtitle=text),
}


async def test_no_widget_reads_a_string_as_markup() -> None:
    async with at_home(size=(100, 60)) as (pilot, app):
        await app.screen.remove_children()
        for text in BRACKETS:
            await app.screen.mount_all(widgets := [make(text) for make in WIDGETS.values()])
            for widget in widgets:
                widget.styles.max_height = 3
            await wait_until(pilot, lambda text=text: text_of(app).count(text) >= len(WIDGETS))
            await app.screen.remove_children()


async def test_nor_does_a_notice_or_a_tooltip() -> None:
    async with running(KalookiApp(), size=(100, 40), tooltips=True, notifications=True) as (pilot, app):
        await pilot.pause()
        await app.screen.remove_children("#logo")
        text = BRACKETS[1]
        app.notify(text, title=text)
        await wait_until(pilot, lambda: text_of(app).count(text) == 2)
        await app.screen.mount(_with(tooltip=text))
        await pilot.hover("#tooltip")
        await wait_until(pilot, lambda: text_of(app).count(text) == 3)
