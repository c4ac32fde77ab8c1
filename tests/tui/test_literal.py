"""What is given as a plain string is shown as it is written, by every way to the screen."""

import pytest
from textual.widgets import Button, Checkbox, Input, OptionList, Select, Static

from kalooki_tui.tui.app import KalookiApp
from tests.tui.conftest import text_of, wait_until
from tests.tui.openings import running


#: What markup would stumble over, and take for an action.
@pytest.mark.parametrize("text", ["[/x]", "[@click=app.quit]x[/]"])
async def test_no_widget_notice_or_tooltip_reads_a_string_as_markup(text: str) -> None:
    async with running(KalookiApp(), (100, 40), tooltips=True, notifications=True) as (pilot, app):
        await pilot.pause()
        await app.screen.remove_children()
        framed, lines, field = Static(text), OptionList(text), Input(placeholder=text)
        framed.border_title = framed.border_subtitle = field.tooltip = text
        framed.styles.border = ("round", "white")
        framed.styles.max_height = lines.styles.max_height = 3
        await app.screen.mount(framed, lines, Button(text), Checkbox(text), Select([(text, 1)], value=1), field)
        app.notify(text, title=text)
        await pilot.hover(Input, offset=(40, 1))
        await wait_until(pilot, lambda: text_of(app).count(text) == 11)
