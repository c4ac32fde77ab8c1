from textual.app import App, ComposeResult

from kalooki_tui.cards import FRENCH
from kalooki_tui.coach.clauses import Picture
from kalooki_tui.ui.looks import themes
from kalooki_tui.ui.widgets.row import PictureRow
from tests.ui.samples import cards


class RowApp(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.DEFAULTS

    def compose(self) -> ComposeResult:
        yield PictureRow(
            [
                Picture(cards("5C JK JK 8C"), wrong=True),
                Picture(cards("7S 8S"), lacks=cards("9S")),
                Picture(cards("7H"), add=cards("8H"), back=True),
            ],
            FRENCH,
        )


async def test_cards_lie_in_their_order_with_what_is_said_of_them() -> None:
    async with RowApp().run_test(size=(90, 10)) as pilot:
        await pilot.pause()
        row = pilot.app.query_one(PictureRow)
        lines = [row.render_line(y).text for y in range(row.size.height)]
        wanted = ("5♣", "★6♣", "★7♣", "8♣", "7♠", "8♠", "9♠", "7♥", "8♥")
        places = [lines[0].index(word) for word in wanted]
        assert places == sorted(places)
        assert lines[1].index("✕ no") < places[4]
        assert lines[1].count("+") == 2
