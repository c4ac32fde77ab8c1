import pytest

from kalooki_tui.ui.widgets.canvas import whole_clauses, whole_items

SUMMARY = "Three short deals of Air Jamaica Kalooki, with two melds each, made for teaching the game."


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (90, SUMMARY),
        (69, "Three short deals of Air Jamaica Kalooki, with two melds each."),
        (50, "Three short deals of Air Jamaica Kalooki."),
        (20, "Three short deals o…"),
    ],
)
def test_a_sentence_that_has_no_room_ends_with_a_clause(width: int, shown: str) -> None:
    assert whole_clauses(SUMMARY, width) == shown


@pytest.mark.parametrize(
    ("width", "shown"),
    [(40, "deals, calls, handicap, referee"), (28, "deals, calls, handicap, …"), (10, "deals, …"), (4, "dea…")],
)
def test_a_list_that_has_no_room_ends_with_an_item(width: int, shown: str) -> None:
    assert whole_items("deals, calls, handicap, referee", width) == shown
