"""The screens between people who share the keyboard: whose turn it is, who calls, who looks first."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from string import ascii_lowercase
from typing import Final

from textual.content import Content

from kalooki_tui.desk.table.notes import Note
from kalooki_tui.desk.table.prompt import card_in_question, card_name
from kalooki_tui.desk.table.recap import last_call, last_challenge, last_cut
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.ui.playing.people import NOBODY, Badge, kept_keys, look_keys, usual_badge
from kalooki_tui.ui.screens.passing import Doing, PassScreen, Pressed
from kalooki_tui.ui.widgets.canvas import shorten
from kalooki_tui.ui.widgets.choices import Choice, by_command
from kalooki_tui.ui.widgets.faces import card_content
from kalooki_tui.wording import capital, does, says_of, whom, whose

#: Nobody has chosen a key or a colour.
NO_BADGES: Final[Mapping[int, Badge]] = {}
#: Cells of a name on a line beside what its key does.
NAME: Final = 20


def _short(view: View, seat: int) -> str:
    """A name as far as a line has room for it."""
    return shorten(view.names[seat], NAME)


def seat_key(seat: int, words: str | Content, doing: Doing, own: Mapping[int, Badge]) -> Choice:
    """A person's own key, on the person's colour."""
    badge = own.get(seat) or usual_badge(seat)
    return Choice(badge.key, words, Pressed(doing, seat), ground=badge.ground)


def _before(view: View, undone: str) -> list[Content]:
    """What was taken back, or else what became of the last call and the last challenge; the box covers the log."""
    if undone:
        return [Content.styled(f"{undone}\n", "$gold")]
    return [
        Content.styled(f"{words}\n", "$on-felt-muted") for words in (last_call(view), last_challenge(view)) if words
    ]


def other_key(name: str, text: str, doing: Doing, taken: str) -> Choice:
    return by_command(name, text, Pressed(doing), beside=taken)


def turn_screen(
    view: View,
    seat: int,
    more: list[Choice],
    note: Note | None = None,
    own: Mapping[int, Badge] = NO_BADGES,
    undone: str = "",
) -> PassScreen:
    """Who is to come, and what for; `undone`: what was taken back before."""
    name = view.names[seat]
    card, origin = card_in_question(view)
    lines: list[Content | str] = [*_before(view, undone)] if view.caller is None or undone else []
    if view.caller is not None and card is not None:
        title = f"{does(name, 'allow')} or {says_of(name, 'refuse')}"
        lines += [
            f"{does(view.names[view.caller], 'call')} ",
            card_content(card, view.rules.faces),
            f", {origin}.\n",
        ]
        asked = f"{name}: allow the call, or refuse it"
    elif view.phase is Phase.ADD_ON and view.out is not None:
        title = f"{name} may add on"
        lines.append(
            f"{does(view.names[view.out], 'be')} out. "
            f"Before the cards are counted, {whom(name)} may add what fits the melds.\n"
        )
        asked = f"{name}: add on, for the last time"
    else:
        title = f"It is {whose(name)} turn"
        if view.phase is Phase.DRAW and card is not None:
            dead = ", and can no longer be taken" if view.dead else ""
            lines += [card_content(card, view.rules.faces), f" {origin}{dead}.\n"]
        asked = f"{name}: it is your turn"
    lines.append("Press the key when nobody else is looking: your hand opens.\n")
    keys, text = [seat_key(seat, asked, Doing.OPEN, own)], Content.assemble(*lines)
    return PassScreen(title, text, keys, more=more, clause="T2", note=note, name="curtain")


def callers_screen(
    view: View,
    seats: tuple[int, ...],
    more: list[Choice],
    *,
    people: Collection[int],
    seconds: float | None,
    note: Note | None = None,
    own: Mapping[int, Badge] = NO_BADGES,
    undone: str = "",
) -> PassScreen:
    """Who calls: a key for each person who may, and the key of the person whose turn it is, for whom nobody calls."""
    card, origin = card_in_question(view)
    assert card is not None
    symbol, turn = card_name(view), view.turn
    opens = turn in people and seconds is None
    if opens and turn in seats:
        return _before_flip(view, more, note, own, undone)
    people = {seat: seat_key(seat, f"{does(_short(view, seat), 'call')} {symbol}", Doing.CALL, own) for seat in seats}
    if opens:
        words = Content.assemble(
            Content.styled(f"{_short(view, turn)}: it is your turn", "bold $gold"), " · nobody calls"
        )
        people[turn] = seat_key(turn, words, Doing.OPEN, own)
    letters = look_keys({seat: own.get(seat) or usual_badge(seat) for seat in (*seats, turn)})
    looks = [Choice(letters[seat], "look first", Pressed(Doing.LOOK, seat)) for seat in sorted(seats)]
    if not opens and seconds is None:
        more = [
            Choice(NOBODY, f"Nobody calls, and {does(view.names[turn], 'draw', inside=True)}", Pressed(Doing.NOBODY)),
            *more,
        ]
    in_question = (card_content(card, view.rules.faces), f" {origin}. {does(view.names[turn], 'be')} to draw.\n")
    text = Content.assemble(*_before(view, undone), *in_question)
    title = _does_call(view.names[seats[0]] if len(seats) == 1 else "anybody", symbol)
    return PassScreen(
        title, text, [people[seat] for seat in sorted(people)],
        looks=looks, more=more, seconds=seconds, note=note,
        clause="U3" if view.phase is Phase.FLIP_WINDOW else "C2",
    )  # fmt: skip


def _before_flip(
    view: View, more: list[Choice], note: Note | None, own: Mapping[int, Badge], undone: str
) -> PassScreen:
    """Tuluki: whose turn it is may call the card before the flip; the own key does not, and leads on to the flip."""
    card, origin = card_in_question(view)
    assert card is not None
    seat, symbol, name = view.turn, card_name(view), view.names[view.turn]
    goes_on, calls = turn_keys(view, own, taken="".join(choice.key for choice in more))
    text = Content.assemble(
        *_before(view, undone),
        card_content(card, view.rules.faces),
        f" {origin}. {does(name, 'be')} to draw, and may call it first.\n",
    )
    look = Choice(look_keys({seat: own.get(seat) or usual_badge(seat)})[seat], "look first", Pressed(Doing.LOOK, seat))
    title = _does_call(name, symbol)
    return PassScreen(title, text, [goes_on], looks=[look], more=[calls, *more], note=note, clause="U1")


def _does_call(name: str, symbol: str) -> str:
    return f"{capital(says_of(name, 'do'))} {whom(name)} call {symbol}?"


def turn_keys(view: View, own: Mapping[int, Badge], taken: str = "") -> tuple[Choice, Choice]:
    """Tuluki's turn seat: the key that goes on to the flip, and the one that calls the card before it."""
    seat, flip = view.turn, view.rules.ruleset.vocabulary.flip
    words = Content.assemble(Content.styled(f"{_short(view, seat)}: no call", "bold $gold"), f" · turn up the {flip}")
    goes_on = seat_key(seat, words, Doing.OPEN, own)
    taken += goes_on.key + look_keys({seat: own.get(seat) or usual_badge(seat)})[seat]
    usual = by_command("call", "", None, beside=taken).key
    key = usual if usual not in taken else next(one for one in ascii_lowercase if one not in {*taken, *kept_keys()})
    call = f"{does(_short(view, seat), 'call')} {card_name(view)}, with a penalty card"
    return goes_on, Choice(key, call, Pressed(Doing.CALL, seat))


def first_look_screen(view: View, seats: list[int], own: Mapping[int, Badge] = NO_BADGES) -> PassScreen:
    """Who wants to look at the hand dealt."""
    word = view.rules.ruleset.vocabulary.deal.capitalize()
    people = [seat_key(seat, f"{_short(view, seat)}: look at your hand", Doing.LOOK, own) for seat in seats]
    more = [Choice(NOBODY, "Nobody else wants to look: play", Pressed(Doing.NOBODY))]
    text = "Before the first card can be called, each of you may look once, while nobody else is looking.\n"
    cut = last_cut(view)
    text = f"{cut}\n{text}" if cut else text
    return PassScreen(f"{word} {view.deal}: look at your hands", text, people, more=more, name="first-look")
