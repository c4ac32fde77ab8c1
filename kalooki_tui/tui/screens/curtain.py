"""Screen between people who share the keyboard: what was thrown, who is to draw, a key for each person.

A person's key means that this person has come: in the own turn the hand opens, and nobody has called; otherwise the
person looks at the hand, and can call there. Who knows already what to do calls by the key of calls, then the own key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum, auto
from math import ceil
from time import monotonic
from types import MappingProxyType
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from kalooki_tui.engine.permissions import WINDOWS
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.presenter.commands import BY_NAME, Command
from kalooki_tui.presenter.prompts import Note, card_in_question, card_name
from kalooki_tui.presenter.recap import last_call, last_challenge, last_cut
from kalooki_tui.presenter.sentences import deal_words
from kalooki_tui.tui.screens.base import NO_LINE
from kalooki_tui.tui.screens.question import BETWEEN, ChoiceDialog, QuestionDialog, QuietPeriod
from kalooki_tui.tui.tableside.people import NOBODY, Badge, letters, usual_badge
from kalooki_tui.tui.widgets.canvas import shorten
from kalooki_tui.tui.widgets.choices import Choice, ChoiceLine, by_command
from kalooki_tui.tui.widgets.faces import card_content
from kalooki_tui.wording import capital, does, penalty_words, says_of, whom, whose

CLOCK_WIDTH: Final = 40
COVER: Final = BY_NAME["cover"]
#: People up to whom each key is drawn three rows high.
MOST_LARGE: Final = 4
#: Rows of a terminal from which on all keys are.
HIGH: Final = 44
NOT_YET: Final = "Not yet: nobody is calling"


class CurtainAction(Enum):
    OPEN = auto()
    """Open the hand of the person whose turn it is; nobody calls."""
    WHO = auto()
    """Somebody calls, and the person's key says who; once more, and nobody does yet."""
    CALL = auto()
    NOBODY = auto()
    LETS_GO = auto()
    """Let the card go for one person, while others still may call."""
    LOOK = auto()
    COVER = auto()
    WHEN = auto()
    CHALLENGE = auto()
    UNDO = auto()
    GO_ON = auto()
    ASK = auto()
    """Ask whoever is to act what they would do, for somebody who teaches."""


class ButtonPress(Struct, frozen=True):
    doing: CurtainAction
    seat: int = -1


class PassScreen(QuestionDialog):
    """Page that names who is to come to the keyboard and what for; shows no hand. Dismissed with a `ButtonPress`.

    `people` are the keys drawn large, `beside` those of the same people beside them, `more` the lines below. `callers`
    are the people who may call, with what their keys do then. With `seconds` a clock runs, and when it has run out
    nobody has called.
    """

    OFFERED: ClassVar[tuple[Command, ...]] = BETWEEN
    quiet = QuietPeriod.UNTIL_A_PAUSE

    def __init__(
        self,
        title: str,
        text: Content | str,
        people: Sequence[Choice],
        *,
        beside: Sequence[Choice] = (),
        more: Sequence[Choice] = (),
        callers: Mapping[int, str] = MappingProxyType({}),
        seconds: float = 0,
        clause: str = "C2",
        note: Note | None = None,
        name: str = "callers",
    ) -> None:
        super().__init__(name=name, classes="passing")
        self.heading, self.text, self.clause, self.note, self.seconds = title, text, clause, note, seconds
        self._people, self._beside, self._more = tuple(people), tuple(beside), tuple(more)
        self.choices = (*self._people, *self._beside, *self._more)
        self._callers = callers
        self._is_calling = False
        self._lets_go: set[int] = set()

    @property
    def is_heard(self) -> bool:
        return self.hears(monotonic())

    @property
    def goes_on(self) -> str:
        """Key with which nobody calls or looks; empty where the clock alone says so."""
        wanted = (CurtainAction.OPEN, CurtainAction.NOBODY, CurtainAction.LETS_GO)
        going = (one for one in self.choices if one.value.doing in wanted and one.value.seat not in self._lets_go)
        return next((one.key for one in going), "")

    def inside(self) -> ComposeResult:
        yield Static(self.text, id="question")
        yield Static(id="told")
        if self.seconds:
            yield Static(id="clock")
        is_large = len(self._people) <= MOST_LARGE or self.app.size.height >= HIGH
        size, short = ("large", "short tall") if is_large else ("wide", "short")
        beside = {one.value.seat: (place, one) for place, one in enumerate(self._beside, len(self._people))}
        for index, choice in enumerate(self._people):
            with Horizontal(classes="person"):
                yield ChoiceLine(index, choice, size, live=False)
                if choice.value.seat in beside:
                    yield ChoiceLine(*beside[choice.value.seat], short, live=False)
        first = len(self._people) + len(self._beside)
        for place, choice in enumerate(self._more, first):
            yield ChoiceLine(place, choice, "beneath" if place == first else "", live=False)
        yield from self.note_part()

    def give(self, choice: Choice, time: float) -> None:
        """Give an answer; ask first who calls, and wait for the others where one lets a card go."""
        pressed: ButtonPress = choice.value
        if pressed.doing not in (CurtainAction.WHO, CurtainAction.LETS_GO):
            super().give(choice, time)
        elif self.hears(time) and pressed.doing is CurtainAction.WHO:
            self._is_calling = not self._is_calling
            self._show_choices()
        elif self.hears(time):
            self._lets_go ^= {pressed.seat}
            if self._lets_go >= {*self._callers}:
                self.dismiss(ButtonPress(CurtainAction.NOBODY))
            else:
                self._show_choices()

    def _show_choices(self) -> None:
        self.choices = tuple(map(self._now, (*self._people, *self._beside, *self._more)))
        for line in self.query(ChoiceLine):
            line.show_choice(self.choices[line.index])

    def _now(self, choice: Choice) -> Choice:
        """Return a key as it is now: once somebody calls, people's own say who; others take it back."""
        doing, seat = choice.value.doing, choice.value.seat
        if doing is CurtainAction.LETS_GO and seat in self._lets_go:
            return replace(choice, text="no call")
        if not self._is_calling or not (choice in self._people or doing is CurtainAction.WHO):
            return choice
        if seat in self._callers:
            words = Content.styled(self._callers[seat], "bold $gold")
            return replace(choice, text=words, value=ButtonPress(CurtainAction.CALL, seat))
        return replace(choice, text=NOT_YET, value=ButtonPress(CurtainAction.WHO))

    def stands(self) -> bool:
        """Let time count while the screen is to be seen and hears its keys."""
        return not self.is_heard or self.waits()

    def show_time(self) -> None:
        if not self.clock.left:
            self.dismiss(ButtonPress(CurtainAction.NOBODY))
            return
        left, passed = self.clock.bar(CLOCK_WIDTH)
        words = f" {ceil(self.clock.left)} s to call{', once the match goes on' if self.waits() else ''}\n"
        self.query_one("#clock", Static).update(Content.assemble((left, "$gold"), (passed, "$on-felt-muted"), words))


class LookDialog(ChoiceDialog):
    """Dialog above an open hand while its person looks at it, out of turn; dismissed with a `ButtonPress`."""

    OFFERED = (
        *BETWEEN,
        # At the table its key covers a hand, too.
        Command("cover-look", f"escape,{COVER.keys}", "", "Cover the hand again.",
                lambda at: at.dismiss(ButtonPress(CurtainAction.COVER))),
    )  # fmt: skip

    def __init__(self, title: str, text: Content | str, choices: Sequence[Choice]) -> None:
        super().__init__(title, text, choices, name="peek", beside=True, current=NO_LINE)
        self.quiet = QuietPeriod.UNTIL_A_PAUSE


#: Cells of a name on a line beside what its key does.
NAME: Final = 20


def _short(view: View, seat: int) -> str:
    return shorten(view.names[seat], NAME)


def seat_key(seat: int, words: str | Content, doing: CurtainAction, own: Mapping[int, Badge]) -> Choice:
    badge = own.get(seat) or usual_badge(seat)
    return Choice(badge.key, words, ButtonPress(doing, seat), ground=badge.ground)


def _before(view: View, undone: str) -> list[Content]:
    """Return what was taken back, or what became of the last call and challenge; the box covers the log."""
    if undone:
        return [Content.styled(f"{undone}\n", "$gold")]
    return [
        Content.styled(f"{words}\n", "$on-felt-muted") for words in (last_call(view), last_challenge(view)) if words
    ]


def turn_screen(
    view: View,
    seat: int,
    more: Sequence[Choice] = (),
    note: Note | None = None,
    own: Mapping[int, Badge] = MappingProxyType({}),
    undone: str = "",
) -> PassScreen:
    """Ask for the person whose move it is; `undone`: what was taken back before."""
    name = view.names[seat]
    card, origin = card_in_question(view)
    lines: list[Content | str] = [*_before(view, undone)] if view.caller is None or undone else []
    if view.caller is not None and card is not None:
        title = f"{does(name, 'allow')} or {says_of(name, 'refuse')}"
        lines += [f"{does(view.names[view.caller], 'call')} ", card_content(card, view.rules.faces), f", {origin}.\n"]
        asked = f"{name}: allow the call, or refuse it"
    elif view.phase is Phase.ADD_ON and view.out is not None:
        title = f"{name} may add on"
        lines.append(
            f"{does(view.names[view.out], 'be')} out. "
            f"Before the cards are counted, {whom(name)} may add what fits the melds.\n"
        )
        asked = f"{name}: add on, for the last time"
    elif view.phase in WINDOWS and card is not None:
        title = f"{name} may call {card_name(view)}"
        lines += [card_content(card, view.rules.faces), f" {origin}. {does(view.names[view.turn], 'be')} to draw.\n"]
        asked = f"{name}: look at your hand"
    else:
        title = f"It is {whose(name)} turn"
        if view.phase is Phase.DRAW and card is not None:
            dead = ", and can no longer be taken" if view.dead else ""
            lines += [card_content(card, view.rules.faces), f" {origin}{dead}.\n"]
        asked = f"{name}: it is your turn"
    lines.append("Press the key when nobody else is looking: your hand opens.\n")
    keys, text = [seat_key(seat, asked, CurtainAction.OPEN, own)], Content.assemble(*lines)
    return PassScreen(title, text, keys, more=more, clause="T2", note=note, name="curtain")


def callers_screen(
    view: View,
    seats: tuple[int, ...],
    people: Collection[int],
    more: Sequence[Choice] = (),
    note: Note | None = None,
    own: Mapping[int, Badge] = MappingProxyType({}),
    undone: str = "",
    seconds: float = 0,
) -> PassScreen:
    """Ask who calls: the keys of those who may, and of the person whose turn it is, for whom nobody calls.

    `seconds`: how long they may, in a race. In Tuluki the person who is to draw may call the card before the flip,
    which nobody can take back: no own key leads past it.
    """
    card, origin = card_in_question(view)
    assert card is not None
    symbol, turn = card_name(view), view.turn
    flips = turn in seats and not seconds
    opens = turn in people and not seconds and not flips
    own = {seat: own.get(seat) or usual_badge(seat) for seat in (*seats, turn)}
    keys = {seat: seat_key(seat, f"{_short(view, seat)}: look at your hand", CurtainAction.LOOK, own) for seat in seats}
    if opens:
        words = Content.assemble((f"{_short(view, turn)}: it is your turn", "bold $gold"), " · nobody calls")
        keys[turn] = seat_key(turn, words, CurtainAction.OPEN, own)
    beside = [Choice(key, "lets it go", ButtonPress(CurtainAction.LETS_GO, seat)) for seat, key in letters(own).items()]
    taken = "".join((NOBODY, *(badge.key for badge in own.values())))
    first = [by_command("call", f"Call {symbol}, then your number", ButtonPress(CurtainAction.WHO), beside=taken)]
    if not opens and not seconds:
        draws = does(view.names[turn], "draw", inside=True)
        goes_on = f"turn up the {view.rules.ruleset.vocabulary.flip}" if flips else draws
        first.append(Choice(NOBODY, f"Nobody calls: {goes_on}", ButtonPress(CurtainAction.NOBODY)))
    may_call = ", and may call it first" if flips else ""
    penalty = penalty_words(view.rules.ruleset.calls.penalty)
    to_draw = f" {origin}. {does(view.names[turn], 'be')} to draw{may_call}.\n"
    text = Content.assemble(*_before(view, undone), card_content(card, view.rules.faces), to_draw)
    asked = view.names[seats[0]] if len(seats) == 1 else "anybody"
    return PassScreen(
        f"{capital(says_of(asked, 'do'))} {whom(asked)} call {symbol}?",
        text,
        [keys[seat] for seat in sorted(keys)],
        beside=[one for one in beside if one.value.seat in seats] if seconds else [],
        more=[*first, *more],
        callers={seat: f"{does(_short(view, seat), 'call')} {symbol}, with {penalty}" for seat in seats},
        seconds=seconds,
        note=note,
        clause="U1" if flips else "U3" if view.phase is Phase.FLIP_WINDOW else "C2",
    )


def first_look_screen(view: View, seats: list[int], own: Mapping[int, Badge]) -> PassScreen:
    people = [seat_key(seat, f"{_short(view, seat)}: look at your hand", CurtainAction.LOOK, own) for seat in seats]
    more = [Choice(NOBODY, "Nobody else wants to look: play", ButtonPress(CurtainAction.NOBODY))]
    text = "Before the first card can be called, each of you may look once, while nobody else is looking.\n"
    cut = last_cut(view)
    text = f"{cut}\n{text}" if cut else text
    return PassScreen(f"{deal_words(view)}: look at your hands", text, people, more=more, name="first-look")
