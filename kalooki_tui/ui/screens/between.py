"""The screens between people who share the keyboard: whose turn it is, who calls, who looks first."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from textual.content import Content

from kalooki_tui.desk.table.prompt import Note, card_in_question, card_name
from kalooki_tui.desk.table.recap import last_call, last_challenge, last_cut
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.ui.playing.people import NOBODY, Badge, letters, usual_badge
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
    """Who calls: the keys of those who may, and of the person whose turn it is, for whom nobody calls.

    In Tuluki the person who is to draw may call the card before the flip, which nobody can take back: no own key leads
    on to it.
    """
    card, origin = card_in_question(view)
    assert card is not None
    symbol, turn = card_name(view), view.turn
    flips = turn in seats and seconds is None
    opens = turn in people and seconds is None and not flips
    own = {seat: own.get(seat) or usual_badge(seat) for seat in (*seats, turn)}
    keys = {seat: seat_key(seat, f"{_short(view, seat)}: look at your hand", Doing.LOOK, own) for seat in seats}
    if opens:
        words = Content.assemble(
            Content.styled(f"{_short(view, turn)}: it is your turn", "bold $gold"), " · nobody calls"
        )
        keys[turn] = seat_key(turn, words, Doing.OPEN, own)
    beside = [Choice(key, "lets it go", Pressed(Doing.LETS_GO, seat)) for seat, key in letters(own).items()]
    taken = "".join((NOBODY, *(badge.key for badge in own.values())))
    first = [by_command("call", f"Call {symbol}, then your number", Pressed(Doing.WHO), beside=taken)]
    if not opens and seconds is None:
        goes_on = f"turn up the {view.rules.ruleset.vocabulary.flip}" if flips else _draws(view)
        first.append(Choice(NOBODY, f"Nobody calls: {goes_on}", Pressed(Doing.NOBODY)))
    may_call = ", and may call it first" if flips else ""
    in_question = (
        card_content(card, view.rules.faces),
        f" {origin}. {does(view.names[turn], 'be')} to draw{may_call}.\n",
    )
    text = Content.assemble(*_before(view, undone), *in_question)
    return PassScreen(
        _does_call(view.names[seats[0]] if len(seats) == 1 else "anybody", symbol),
        text,
        [keys[seat] for seat in sorted(keys)],
        beside=[] if seconds is None else [one for one in beside if one.value.seat in seats],
        more=[*first, *more],
        callers={seat: f"{does(_short(view, seat), 'call')} {symbol}, with a penalty card" for seat in seats},
        seconds=seconds,
        note=note,
        clause="U1" if flips else "U3" if view.phase is Phase.FLIP_WINDOW else "C2",
    )


def _draws(view: View) -> str:
    return does(view.names[view.turn], "draw", inside=True)


def _does_call(name: str, symbol: str) -> str:
    return f"{capital(says_of(name, 'do'))} {whom(name)} call {symbol}?"


def first_look_screen(view: View, seats: list[int], own: Mapping[int, Badge] = NO_BADGES) -> PassScreen:
    """Who wants to look at the hand dealt."""
    word = view.rules.ruleset.vocabulary.deal.capitalize()
    people = [seat_key(seat, f"{_short(view, seat)}: look at your hand", Doing.LOOK, own) for seat in seats]
    more = [Choice(NOBODY, "Nobody else wants to look: play", Pressed(Doing.NOBODY))]
    text = "Before the first card can be called, each of you may look once, while nobody else is looking.\n"
    cut = last_cut(view)
    text = f"{cut}\n{text}" if cut else text
    return PassScreen(f"{word} {view.deal}: look at your hands", text, people, more=more, name="first-look")
