import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kalooki_tui.cards import COLOURS, FRENCH, KINDS_OF_CARD, Faces
from kalooki_tui.engine import actions as act
from kalooki_tui.engine.actions import Action, End, Group, Kind, Source
from kalooki_tui.notation.action_text import parse_action, parse_answer, print_action, print_answer
from kalooki_tui.notation.card_text import NotationError, parse_card, parse_cards, parse_group
from kalooki_tui.notation.seat_text import check_names, parse_seat, wrong_name
from kalooki_tui.wording import quote
from tests.moments import there

NAMES = ("Ann", "Bob Lee", "Zoë", "3")

decks = st.sampled_from([FRENCH, COLOURS])
cards = st.integers(0, KINDS_OF_CARD - 1)
hands = st.lists(cards, min_size=1, max_size=16).map(tuple)
seats = st.integers(0, len(NAMES) - 1)
melds = st.integers(0, 60)
ends = st.sampled_from([None, *End])
groups = st.lists(st.builds(Group, hands, st.sampled_from([None, *Kind])), min_size=1, max_size=5).map(tuple)

actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(act.Draw, seats, st.sampled_from(Source)),
    *(
        st.builds(kind, seats)
        for kind in (act.Call, act.Pass, act.Allow, act.Refuse, act.EndTurn, act.Done, act.BuyIn, act.Leave)
    ),
    st.builds(act.Lay, seats, groups),
    st.builds(act.Tack, seats, hands, melds, ends),
    st.builds(act.Swap, seats, cards, melds, ends),
    st.builds(act.Swap, seats, cards, melds, ends, melds, ends),
    st.builds(act.Swap, seats, cards, melds, ends, lay=groups),
    st.builds(act.Discard, seats, cards),
    st.builds(act.Challenge, seats, seats),
    st.builds(act.Cut, seats, st.integers(0, 500)),
)


@given(actions, decks)
def test_an_action_survives_being_written_and_read(action: Action, faces: Faces) -> None:
    text = print_action(action, NAMES, faces)
    assert parse_action(text, NAMES, faces) == action
    assert parse_answer(print_answer(action, NAMES, faces), action.seat, NAMES, faces) == action


@settings(max_examples=50)
@given(st.text(max_size=60) | st.sampled_from(["pass", "call", "draw  stock", " draw discard", "challenge bob"]), decks)
@example("pass", FRENCH)
@example("", FRENCH)
def test_any_text_is_an_action_or_an_error_of_one_line(text: str, faces: Faces) -> None:
    error, action = "", None
    try:
        action = parse_action(f"Ann: {text}", NAMES, faces)
    except NotationError as caught:
        error = str(caught)
    if action is None:
        assert error
        assert "\n" not in error
    else:
        assert parse_action(print_action(action, NAMES, faces), NAMES, faces) == action


@given(cards, decks)
def test_a_card_reads_in_either_case(card: int, faces: Faces) -> None:
    text = faces.text(card)
    assert parse_card(text.lower(), faces) == parse_card(text, faces) == card


@pytest.mark.parametrize("text", ["1C", "11H", "C5", "5", "JKK", "ſ5", "5ſ", "𝟓C", "KS,", ""])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        parse_card(text, FRENCH)


def test_kings_are_not_in_kookys_deck() -> None:
    with pytest.raises(NotationError, match=r"'KS' is not a card: .*10 11 12 13.*R, B, Y, G"):
        parse_card("KS", COLOURS)


def test_a_group_may_say_what_it_is() -> None:
    assert parse_group("run: 8C JK JK", FRENCH) == Group(parse_cards("8C JK JK", FRENCH), Kind.RUN)
    assert parse_group(" SET : 8C 8D 8H", FRENCH).kind is Kind.SET
    assert parse_group("8C 8D 8H", FRENCH).kind is None


@pytest.mark.parametrize("faces", [FRENCH, COLOURS])
def test_where_a_meld_has_no_cards_a_run_is_given_as_an_example(faces: Faces) -> None:
    with pytest.raises(NotationError) as caught:
        parse_group("run:", faces)
    example = parse_group(str(caught.value).partition("such as ")[2], faces).cards
    assert [card - example[0] for card in example] == [0, 1, 2, 3]


def test_a_seat_is_its_name_or_its_number() -> None:
    assert parse_seat("Bob Lee", NAMES) == 1
    assert parse_seat("1", NAMES) == 0
    assert parse_seat("3", NAMES) == 3, "a name comes before a number"


@pytest.mark.parametrize("text", ["0", "5", "-1", "bob ", "²", "1" * 5000])
def test_an_unknown_seat_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="no seat is called"):
        parse_seat(text, NAMES)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "a seat needs a name"),
        (" ", "has extra spaces"),
        ("A  B", "has extra spaces"),
        (" Ann", "has extra spaces"),
        ("Ann ", "has extra spaces"),
        ("A:B", "holds a colon"),
        ("A\tB", "cannot be printed"),
        ("A\xa0B", "cannot be printed"),
        ("A\u200bB", "cannot be printed"),
        ("A\u202eB", "cannot be printed"),
        ("\u3164", "cannot be printed"),  # fillers and blanks, which look empty
        ("\u2800", "cannot be printed"),
        ("\uffa0\u115f", "cannot be printed"),
        ("A\u034fB", "cannot be printed"),  # what is not seen within a word
        ("A\ufe0fB", "cannot be printed"),
        ("A\u200dB", "cannot be printed"),  # joiners that join nothing
        ("\u200dමල්", "cannot be printed"),
        ("මල්\u200d\u200cමල්", "cannot be printed"),
        ("\u0301Ann", "cannot be printed"),  # a mark without its letter
        ("x" * 41, "longer than 40 characters"),
    ],
)
def test_names_that_cannot_be_written_are_refused(name: str, why: str) -> None:
    with pytest.raises(NotationError, match=why):
        check_names([name])
    wrong = there(wrong_name(["Ann", name]))
    assert wrong.seat == 1
    assert why in wrong.why


@pytest.mark.parametrize(
    "name",
    ["می\u200cخواهم", "ශ්\u200dරී", "क्\u200dष", "👨\u200d👩\u200d👧", "❤\ufe0f",
     "1\ufe0f\u20e3", "Zoe\u0308", "O'Neil [x]", "日本", "שרה"],
)  # fmt: skip
def test_usual_spellings_and_emoji_are_names_and_are_told_as_they_are_written(name: str) -> None:
    check_names(["Ann", name])
    with pytest.raises(NotationError, match=re.escape(f"two seats are called {quote(name)}")):
        check_names([name, name])
    assert quote(name).strip("'\"") == name


@pytest.mark.parametrize(("one", "other"), [("Zoë", "Zoe\u0308"), ("می\u200cخواهم", "میخواهم"), ("Ａnn", "ANN")])
def test_names_that_look_the_same_do_not_tell_seats_apart(one: str, other: str) -> None:
    with pytest.raises(NotationError, match=re.escape(f"two seats are called {quote(one)}")):
        check_names([one, "Bob", one])
    with pytest.raises(NotationError, match="look the same"):
        check_names([one, other])


@pytest.mark.parametrize("name", ["A", "x" * 40, "Ann Lee", "a b c", "7", "José", "李 四", "A=B", "draw", "m1", "null"])
def test_names_that_can_be_written(name: str) -> None:
    check_names([name, "Bob"])
    assert parse_action(f"{name}: challenge {name}", [name, "Bob"], FRENCH) == act.Challenge(0, 0)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("draw stock", "whose action"),
        ("Dan: draw stock", "no seat is called 'Dan'"),
        ("Ann: ", "is not an action"),
        ("Ann: drwa stock", "did you mean 'draw'"),
        ("Ann: draw", "draw what"),
        ("Ann: draw deck", "draw what"),
        ("Ann: call 7H", "takes nothing after it"),
        ("Ann: lay", "a meld needs cards"),
        ("Ann: lay 5C 5D 5S |", "a meld needs cards"),
        ("Ann: lay four: 5C 6C 7C 8C", "not a kind of meld"),
        ("Ann: tack KS", "onto which meld"),
        ("Ann: tack K S m2", "is not a card"),
        ("Ann: tack m2", "which cards"),
        ("Ann: tack KS m0", "is not a card"),
        ("Ann: tack KS m2 up", "'up' does not belong"),
        ("Ann: tack KS m2 low high", "'high' does not belong"),
        ("Ann: swap 7H", "which meld"),
        ("Ann: swap 7H 3", "is not a meld on the table"),
        ("Ann: swap 7H m3 low up", "'up' does not belong"),
        ("Ann: swap 7H m3 use", "on which meld"),
        ("Ann: swap 7H m3 use m5 up", "'up' does not belong"),
        ("Ann: swap 7H m3 lay", "a meld needs cards"),
        ("Ann: discard", "one card is discarded, not 0"),
        ("Ann: discard 4D 5D", "one card is discarded, not 2"),
        ("Ann: challenge", "no seat is called"),
        ("Ann: cut many", "how many cards"),
        ("Ann: cut -3", "how many cards"),
        ("Ann: cut " + "9" * 5000, "how many cards"),
    ],
)
def test_what_is_no_action_is_explained(text: str, error: str) -> None:
    with pytest.raises(NotationError, match=error):
        parse_action(text, NAMES, FRENCH)


@pytest.mark.parametrize(
    ("text", "faces", "cards"),
    [
        ("5♣ 10♥ ★", FRENCH, "5C 10H JK"),
        ("5C, 6C,7C", FRENCH, "5C 6C 7C"),
        ("ace of clubs, Queen of Heart  10 of spades joker", FRENCH, "AC QH 10S JK"),
        ("Th tH 10h", FRENCH, "10H 10H 10H"),
        ("TG 13G 11r JK AY", COLOURS, "10G 13G 11R JK AY"),
        ("10Gr 3go ☻ 12 of gold", COLOURS, "10G 3Y JK 12Y"),
    ],
)
def test_cards_are_read_as_they_are_shown_and_spoken(text: str, faces: Faces, cards: str) -> None:
    assert faces.texts(parse_cards(text, faces)) == cards
