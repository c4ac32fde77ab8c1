from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from kalooki_tui.cards import COLOURS, FRENCH, JOKER, Card, Faces
from kalooki_tui.presenter.hand_order import Arrangement
from kalooki_tui.tui.widgets.faces import HUGE, LARGE, SMALL
from kalooki_tui.tui.widgets.hand import HandView, arrange, no_card_words
from tests.tui.samples import cards
from tests.tui.widgets.conftest import OneWidget, rows_of


def chosen_places(hand: HandView) -> tuple[int, ...]:
    return tuple(place for place, one in enumerate(hand.in_sight) if one.chosen)


@asynccontextmanager
async def a_hand(held: str) -> AsyncIterator[tuple[Pilot[None], HandView]]:
    hand = HandView()
    async with OneWidget(hand).run_test(size=(80, 24)) as pilot:
        hand.set_hand(cards(held))
        await pilot.pause()
        yield pilot, hand


def text(hand: Iterable[Card]) -> str:
    return FRENCH.texts(hand)


def drawn(hand: HandView) -> str:
    return "\n".join(rows_of(hand))


async def test_of_two_copies_the_chosen_one_goes_and_the_one_under_the_cursor_is_moved() -> None:
    async with a_hand("5C 9H 5C 2D") as (pilot, hand):
        hand.move_cursor(0)
        await pilot.press("space")
        assert chosen_places(hand) == (0,)
        hand.set_hand(cards("5C 9H 2D"))
        assert text(hand.cards) == "9H 5C 2D"
        assert hand.selected == ()
        hand.set_hand(cards("9H 5C 2D 5C"))
        hand.move_cursor(3)
        hand.move_card(-1)
        assert text(hand.cards) == "9H 5C 5C 2D"


async def test_new_cards_are_marked_until_the_next_hand_but_a_deal_is_not() -> None:
    async with a_hand("KS 2C 9H") as (pilot, hand):
        assert "▾" not in drawn(hand)
        hand.set_hand(cards("KS 2C 9H 5D"))
        await pilot.pause()
        assert drawn(hand).count("▾") == 1
        hand.move_cursor(1)
        hand.set_hand(cards("KS 2C 9H 5D"))
        assert (drawn(hand).count("▾"), hand.cursor) == (1, 1), "nothing has changed"
        lay = hand.arrangement
        hand.turn_down(4)
        hand.set_hand(cards("KS 2C 9H 5D"), order=lay)
        assert hand.arrangement == lay
        hand.set_hand(cards("KS 2C 5D"))
        await pilot.pause()
        assert "▾" not in drawn(hand)


async def test_keys_move_the_cursor_choose_and_reorder() -> None:
    app = OneWidget(HandView())
    async with app.run_test(size=(80, 24)) as pilot:
        hand = app.widget
        hand.set_hand(cards("KS 2C 9H 5D"))
        hand.focus()
        await pilot.press("right", "right", "space")
        assert hand.cursor == 2
        assert text(hand.selected) == "9H"
        await pilot.press("left_square_bracket", "shift+left")
        assert text(hand.cards) == "9H KS 2C 5D"
        assert hand.cursor == 0
        await pilot.press("end", "right_square_bracket", "[")
        assert text(hand.cards) == "9H KS 5D 2C"
        assert len(app.sent(HandView.OrderChanged)) == 3
        assert len(app.sent(HandView.SelectionChanged)) == 1


async def test_typing_a_rank_jumps_to_the_next_card_of_it() -> None:
    async with a_hand("KS 10C 9H 10D JK QH") as (pilot, hand):
        hand.focus()
        for key, place in (("0", 1), ("0", 3), ("Q", 5), ("asterisk", 4), ("7", 4)):
            await pilot.press(key)
            assert hand.cursor == place
        assert [message.key for message in pilot.app.sent(HandView.NoCard)] == ["7"]
        hand.move_cursor(2)
        await pilot.press("0")
        assert hand.cursor == 1, "the leftmost, and not the next from where the cursor happens to be"


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    ("keys", "cursor", "missed"),
    [
        ("1", 1, []), ("A", 1, []), ("0", 2, []), ("10", 2, []), ("11", 3, []), ("1111", 4, []), ("13", 5, []),
        ("12", 1, ["12"]), ("213", 5, ["2"]), ("1*3", 0, ["3"]), ("K", 0, ["K"]),
    ],
)  # fmt: skip
async def test_ranks_that_are_numbers_are_typed_as_the_cards_show_them(
    keys: str, cursor: int, missed: list[str]
) -> None:
    async with a_hand("JK AS 10C JD JS KH") as (pilot, hand):
        hand.set_hand(hand.cards, faces=COLOURS)
        hand.focus()
        await pilot.press(*keys)
        assert hand.cursor == cursor
        assert [message.key for message in pilot.app.sent(HandView.NoCard)] == missed


@pytest.mark.parametrize(
    ("key", "faces", "words"),
    [
        ("12", COLOURS, "There is no 12 in your hand."),
        ("1", COLOURS, "There is no ace in your hand; 0 to 3 makes it a ten to a 13."),
        ("K", COLOURS, "Ranks are their capital letters and digits: A goes to an ace, 1 3 goes to a 13."),
        ("*", COLOURS, "There is no Kooky Kard in your hand."),
        ("K", FRENCH, "There is no king in your hand."),
        ("j", FRENCH, "Ranks are their capital letters and digits: A goes to an ace, J to a jack."),
    ],
)
def test_a_rank_that_is_not_held_is_named_as_the_cards_name_it(key: str, faces: Faces, words: str) -> None:
    assert no_card_words(key, "Kooky Kard", faces) == words


async def test_groups_come_first_with_a_gap_and_end_when_cards_are_moved() -> None:
    async with a_hand("9H JK 2S 9D 9C 2D") as (pilot, hand):
        hand.gather([cards("9H 9D 9C"), cards("2S 2D JK")])
        await pilot.pause()
        assert text(hand.cards) == "9H 9D 9C 2S 2D JK"
        columns = [x for x in range(80) if hand._canvas and hand._canvas.target(x, hand.size.height - 2) is not None]
        gaps = [x for x in range(columns[0], columns[-1]) if x not in columns]
        assert len(gaps) == 1, "no gap, or not only between the two groups"
        hand.move_cursor(3)
        hand.sort_by_suit()
        assert text(hand.cards) == "2S 9H 9C 2D 9D JK"
        hand.sort_by_rank()
        assert text(hand.cards) == "2D 2S 9C 9D 9H JK"
        assert hand.cursor_card == cards("2S")[0]


async def test_staged_cards_are_gone_and_come_back_to_their_place() -> None:
    async with a_hand("5C 9H 5C 2D KS") as (pilot, hand):
        hand.select_cards(cards("9H 5C"))
        hand.set_staged(cards("9H 5C"))
        await pilot.pause()
        assert text(hand.shown) == "5C 2D KS"
        assert text(hand.cards) == "5C 9H 5C 2D KS"
        assert hand.selected == ()
        hand.set_staged(())
        assert text(hand.shown) == "5C 9H 5C 2D KS"
        # Whoever listens hears that staged cards are no longer chosen.
        pilot.app.messages.clear()
        hand.set_hand(cards("5C 9H 2D KS"))
        hand.select_cards(cards("9H KS"))
        hand.set_staged(cards("9H"))
        hand.set_staged(cards("9H 5C"))  # neither was chosen any more
        await pilot.pause()
        chosen = [text(message.cards) for message in pilot.app.sent(HandView.SelectionChanged)]
        assert chosen == ["9H KS", "KS"]


async def test_an_order_from_outside_is_taken_over() -> None:
    async with OneWidget(HandView()).run_test(size=(80, 24)) as pilot:
        hand = pilot.app.query_one(HandView)
        hand.set_hand(cards("2D 5C 9H KS"), order=Arrangement(cards("KS 3C 5C 2D")))
        assert text(hand.cards) == "KS 5C 2D 9H"
        assert [held.card for held in hand.held if held.new] == list(cards("9H")), "it has come meanwhile"
        hand.set_hand(cards("2D 5C"), order=Arrangement(()))
        assert not any(held.new for held in hand.held), "a hand in no order has been dealt"


async def test_face_down_the_widget_holds_no_card() -> None:
    async with a_hand("KS 2C 9H 5D JK") as (pilot, hand):
        hand.select_cards(cards("KS"))
        await pilot.pause()
        assert "♠" in drawn(hand)
        hand.turn_down(5)
        await pilot.pause()
        assert hand.cards == hand.shown == hand.selected == ()
        assert hand.cursor_card is None
        assert not set(drawn(hand)) & set("♠♥♦♣★AKQJ0123456789")
        assert "♠" not in pilot.app.export_screenshot()
        hand.focus()
        await pilot.press("space", "right", "right_square_bracket", "K")
        assert hand.selected == ()
        hand.set_hand(cards("KS 2C"))
        assert not hand._backs
        hand.display = False
        await pilot.pause()
        hand.turn_down(2)
        assert not any(set(strip.text) & set("♠♥♦♣") for strip in hand._strips), "nor out of sight"


async def test_a_hand_that_changes_while_a_card_is_dragged_stays_whole() -> None:
    async with a_hand("KS 2C 9H 5D") as (pilot, hand):
        fan, _ = hand._spread()
        await pilot.mouse_down(HandView, offset=fan.places[3][:2])
        hand.set_hand(cards("KS 2C"))
        await pilot.pause()
        await pilot.hover(HandView, offset=fan.places[0][:2])
        await pilot.mouse_up(HandView, offset=fan.places[0][:2])
        assert text(hand.cards) == "KS 2C"


@pytest.mark.parametrize(("width", "height"), [(80, 6), (80, 10), (120, 9), (60, 6), (200, 12)])
def test_up_to_thirty_cards_fit_the_last_one_whole(width: int, height: int) -> None:
    for count in range(1, 31):
        fan = arrange(count, width, height)
        assert len(fan.places) == count
        assert fan.size[0] in (SMALL[0], LARGE[0], HUGE[0])
        for x, y, shown in fan.places:
            assert shown >= 2 or width < 80
            assert 0 <= x <= width - shown
            assert (1 if fan.lift else 0) <= y <= height - fan.size[1]
        for row in {y for _, y, _ in fan.places}:
            assert [shown for _, y, shown in fan.places if y == row][-1] == fan.size[0]


async def test_every_card_of_a_wide_hand_can_be_clicked() -> None:
    app = OneWidget(HandView())
    deck = [*range(29), JOKER]
    async with app.run_test(size=(80, 24)) as pilot:
        hand = app.widget
        hand.set_hand(deck)
        await pilot.pause()
        fan, _ = hand._spread()
        for index, (x, y, _) in [*enumerate(fan.places)][::10]:
            await pilot.click(HandView, offset=(x, y + fan.size[1] - 1))
            assert chosen_places(hand) == (index,)
            await pilot.click(HandView, offset=(x, y))
            assert hand.selected == ()


async def test_shift_click_chooses_everything_up_to_the_card_and_a_card_is_dragged_to_its_place() -> None:
    async with a_hand("KS 2C 9H 5D 7D") as (pilot, hand):
        fan, _ = hand._spread()
        places = fan.places
        x, y, _ = places[1]
        assert hand._canvas.target(x, y - 1) is None
        await pilot.click(HandView, offset=(x, y))
        assert hand._canvas.target(x, y - 1) == 1, "a chosen card is raised, and hit where it lies"
        assert "2♣" in hand.render_line(y - 1).text
        await pilot.click(HandView, offset=places[3][:2], shift=True)
        assert chosen_places(hand) == (1, 2, 3)
        hand.clear_selection()
        await pilot.mouse_down(HandView, offset=places[0][:2])
        await pilot.hover(HandView, offset=places[2][:2])
        await pilot.mouse_up(HandView, offset=places[2][:2])
        assert text(hand.cards) == "2C 9H KS 5D 7D"
        assert hand.selected == ()


async def test_what_a_plan_lacks_lies_behind_its_cards_until_the_hand_changes() -> None:
    async with a_hand("KS 5C 9H 5D") as (pilot, hand):
        hand.gather([cards("5C 5D"), cards("9H")], [["5"], ["10♥", "J♥"]])
        await pilot.pause()
        assert text(hand.cards) == "5C 5D 9H KS"
        index = drawn(hand).splitlines()[1]
        found = [index.index(word) for word in ("5♣", "5♦", "╭5", "9♥", "╭10♥", "╭J♥", "K♠")]
        assert found == sorted(found)
        hand.focus()
        await pilot.press("home", "right", "right", "right", "space")
        assert text(hand.selected) == "KS"
        hand.set_hand(cards("KS 5C 9H 5D"))
        await pilot.pause()
        assert "╭10♥" in drawn(hand)
        hand.set_hand(cards("KS 5C 9H 5D 2S"))
        await pilot.pause()
        assert "╭" not in drawn(hand)
        assert hand.arrangement.bundles == (0, 0, 1, -1, -1)
