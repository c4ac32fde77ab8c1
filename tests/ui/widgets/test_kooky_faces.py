import pytest
from rich.cells import cell_len

from kalooki_tui.cards import COLOURS, FRENCH, JOKER
from kalooki_tui.ui.looks.glyphs import Look
from kalooki_tui.ui.looks.palettes import FELT
from kalooki_tui.ui.widgets.canvas import Canvas, style
from kalooki_tui.ui.widgets.faces import LARGE, SMALL, Brush, card_content, draw_card, draw_inline
from tests.ui import samples

SEVENS = samples.cards("7R 7B 7Y 7G", "colours")
WORDS = ("red", "black", "gold", "green")


def drawn(card: int, size: tuple[int, int], shown: int | None = None, *, plain: bool = False) -> str:
    canvas = Canvas(*size, style(FELT.on_felt, FELT.felt))
    draw_card(canvas, 0, 0, card, Brush(FELT, COLOURS, Look(ascii=plain)), size, shown=shown)
    return "\n".join(strip.text for strip in canvas.strips(plain))


@pytest.mark.parametrize(("card", "word"), zip(SEVENS, WORDS, strict=True))
def test_a_colour_is_told_in_a_word(card: int, word: str) -> None:
    assert word in drawn(card, SMALL)
    assert word in drawn(card, LARGE)
    assert word in card_content(card, COLOURS).plain


@pytest.mark.parametrize(("card", "word"), zip(SEVENS, WORDS, strict=True))
@pytest.mark.parametrize("shown", range(2, 8))
def test_behind_the_next_card_the_word_is_whole_or_not_there_at_all(card: int, word: str, shown: int) -> None:
    seen = "\n".join(row[:shown] for row in drawn(card, SMALL, shown=shown).splitlines())
    assert (word in seen) is (shown > len(word))
    assert (word[:2] in seen.replace(COLOURS.symbol(card), "")) is (shown > len(word))


@pytest.mark.parametrize("size", [(4, 1), (6, 2), SMALL, LARGE])
def test_every_card_has_a_band_in_its_colour(size: tuple[int, int]) -> None:
    grounds = []
    for card in SEVENS:
        canvas = Canvas(*size, style(FELT.on_felt, FELT.felt))
        brush = Brush(FELT, COLOURS, Look())
        if size[1] == 1:
            draw_inline(canvas, 0, 0, card, brush)
        else:
            draw_card(canvas, 0, 0, card, brush, size)
        found = canvas.styles[0][1].bgcolor
        grounds.append(found.name)
    assert grounds == [FELT.card_red, FELT.card_ink, FELT.gilt, FELT.card_green]


def test_the_letters_of_a_colour_are_its_own() -> None:
    assert [COLOURS.symbol(card) for card in SEVENS] == ["7R", "7B", "7Go", "7Gr"]
    assert all(word.startswith(COLOURS.symbol(card)[1:].lower()) for card, word in zip(SEVENS, WORDS, strict=True))


def test_low_cards_have_the_word_below_the_index() -> None:
    rows = drawn(SEVENS[2], (7, 2)).splitlines()
    assert "7Go" in rows[0]
    assert "gold" in rows[1]


def test_a_kooky_kard_is_no_star() -> None:
    assert COLOURS.symbol(JOKER) == "☻" != FRENCH.symbol(JOKER)
    assert cell_len(COLOURS.symbol(JOKER)) == 1
    for size in (SMALL, LARGE):
        picture = drawn(JOKER, size)
        assert "☻" in picture
        assert "★" not in picture
    assert "•" in drawn(JOKER, LARGE), "a face"
    assert "@" in drawn(JOKER, SMALL, plain=True)
    assert drawn(JOKER, SMALL, plain=True).isascii()


def test_french_cards_bear_no_words() -> None:
    assert card_content(0, FRENCH).plain.strip() == "A♣"
