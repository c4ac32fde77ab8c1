from pathlib import Path

import pytest
from rich.cells import cell_len

import kalooki_tui.tui.widgets
from kalooki_tui.cards import COLOURS, FRENCH, JOKER, RANK, Card, Faces
from kalooki_tui.tui.looks.palettes import FELT
from kalooki_tui.tui.widgets.canvas import Canvas, style
from kalooki_tui.tui.widgets.faces import (
    HUGE,
    LARGE,
    SMALL,
    Brush,
    card_content,
    card_face,
)
from kalooki_tui.tui.widgets.pictures import PIPS, pips
from kalooki_tui.wording import ASCII
from tests.tui import samples


def test_in_ascii_every_glyph_has_a_stand_in_of_one_letter() -> None:
    # Every glyph is one cell and its stand in one letter.
    for glyph, stand_in in ASCII.items():
        assert cell_len(glyph) == 1, glyph
        assert len(stand_in) == 1
        assert stand_in.isascii()
    assert not set(ASCII) & set("\ufe0e\ufe0f")
    # Every glyph in the widgets has a stand in.
    folder = Path(str(kalooki_tui.tui.widgets.__path__[0]))
    used = {character for path in folder.glob("*.py") for character in path.read_text("utf-8") if ord(character) > 127}
    # `⬧` is the place of the suit's symbol in a court card's picture; × stands in docstrings.
    assert used - {"⬧"} <= set(ASCII)
    # In ascii a joker is told from a call that is left.
    assert len({ASCII[glyph] for glyph in "★●○"}) == 3


@pytest.mark.parametrize("rank", PIPS)
def test_a_card_has_as_many_pips_as_its_rank_on_the_card_and_the_same_on_both_sides(rank: int) -> None:
    places = set(PIPS[rank])
    assert len(places) == len(PIPS[rank]) == rank
    assert {(row, -column) for row, column in places} == places
    if rank != 7:
        assert {(6 - row, column) for row, column in places} == places
    for width, height in (LARGE, HUGE):
        drawn = pips(rank, height)
        assert len(set(drawn)) == rank
        assert all(0 <= row < height and abs(column) < width // 2 for row, column in drawn)


def paint(card: Card, faces: Faces, size: tuple[int, int], shown: int | None = None) -> list[str]:
    canvas = Canvas(size[0] + 4, size[1] + 2, style(FELT.on_felt, FELT.felt))
    canvas.stamp(2, 1, card_face(card, Brush(FELT, faces), size, shown=shown))
    return [strip.text for strip in canvas.strips()]


@pytest.mark.parametrize("faces", [FRENCH, COLOURS])
@pytest.mark.parametrize("size", [HUGE, LARGE, SMALL, (6, 2)])
def test_every_card_names_its_rank_and_suit_and_stays_in_its_place(faces: Faces, size: tuple[int, int]) -> None:
    for card in range(53):
        lines = paint(card, faces, size)
        assert lines[0].strip() == lines[-1].strip() == ""
        assert all(line[:2] == "  " == line[-2:] for line in lines)
        first = (lines[1] + lines[2]).replace(" ", "").replace("▏", "")
        if card == JOKER:
            assert faces.joker_symbol in first
        else:
            assert first.startswith(faces.rank_name(RANK[card]))
            assert faces.symbol(card)[-1] in first


@pytest.mark.parametrize("shown", [2, 3, 4])
def test_the_index_of_a_covered_card_is_in_the_columns_that_are_seen(shown: int) -> None:
    for card in range(52):
        lines = paint(card, FRENCH, SMALL, shown)
        seen = "".join(line[2 : 2 + shown] for line in lines)
        assert FRENCH.rank_name(RANK[card]) in seen
        assert FRENCH.symbol(card)[-1] in seen


def test_drawing_outside_a_canvas_is_clipped_and_wide_letters_take_two_cells() -> None:
    canvas = Canvas(6, 2, style(FELT.on_felt, FELT.felt))
    canvas.text(-1, 0, "abc", style(FELT.gold, FELT.felt))
    canvas.text(4, 1, "xyz", style(FELT.gold, FELT.felt))
    canvas.text(0, 5, "far", style(FELT.gold, FELT.felt))
    canvas.text(0, 1, "日本", style(FELT.gold, FELT.felt))
    strips = canvas.strips()
    assert [strip.text for strip in strips] == ["bc    ", "日本xy"]
    assert [cell_len(strip.text) for strip in strips] == [6, 6]


SEVENS = samples.cards("7R 7B 7Y 7G", "colours")
WORDS = ("red", "black", "gold", "green")


def kooky(card: int, size: tuple[int, int], shown: int | None = None) -> str:
    return "\n".join(row[2:-2] for row in paint(card, COLOURS, size, shown)[1:-1])


@pytest.mark.parametrize(("card", "word"), zip(SEVENS, WORDS, strict=True))
def test_a_colour_is_told_in_a_word_that_is_whole_or_not_there_at_all(card: int, word: str) -> None:
    assert word in kooky(card, SMALL)
    assert word in kooky(card, LARGE)
    assert word in card_content(card, COLOURS).plain
    assert word in kooky(card, (7, 2)).splitlines()[1], "low cards have it below the index"
    for shown in range(2, 8):
        seen = "\n".join(row[:shown] for row in kooky(card, SMALL, shown=shown).splitlines())
        assert (word in seen) is (shown > len(word))
        assert (word[:2] in seen.replace(COLOURS.symbol(card), "")) is (shown > len(word))


def test_the_letters_of_a_colour_are_its_own_and_a_kooky_kard_is_no_star() -> None:
    # The letters of a colour are its own.
    assert [COLOURS.symbol(card) for card in SEVENS] == ["7R", "7B", "7Go", "7Gr"]
    assert all(word.startswith(COLOURS.symbol(card)[1:].lower()) for card, word in zip(SEVENS, WORDS, strict=True))
    # A kooky kard is no star.
    assert COLOURS.symbol(JOKER) == "☻" != FRENCH.symbol(JOKER)
    assert cell_len(COLOURS.symbol(JOKER)) == 1
    assert "☻" in kooky(JOKER, SMALL)
    assert "★" not in kooky(JOKER, LARGE)
