"""Replay of a record, line by line, up to the first that does not follow."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from kalooki_tui.cards import Card, full_deck
from kalooki_tui.engine.actions import Action, Cut, Pass
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.action_text import parse_action
from kalooki_tui.notation.seat_text import check_seating
from kalooki_tui.problems import Failure, InputError, SourceLocation, problem
from kalooki_tui.records.checkpoints import Checkpoints
from kalooki_tui.records.reader import DoesNotFollow, RawLine, RecordFile, open_record, read_head
from kalooki_tui.records.writer import LAST_DEAL, UNASKED, Line, RecordHead, deal_line, step_lines
from kalooki_tui.wording import counted, does, quote

#: Keys that tell what a line is.
KINDS: Final = ("do", "deal", "reshuffled", "void", "passed_over", "scored", "result", "undone", "seat", LAST_DEAL)
#: Keys of the lines with which a deal begins, or one that was void for good ends: nothing before is taken back.
DEAL_BEGINS: Final = frozenset({"deal", "passed_over"})


class PlaybackLine(Struct, frozen=True):
    """Line played: an action with its events, a deal, or what came of the last action."""

    line: RawLine
    action: Action | None = None
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


class Replay:
    """Replay of a record; `head` is read at once, `steps` plays the rest and may be stopped anywhere."""

    def __init__(self, record: RecordFile) -> None:
        self.record = record
        self._lines = record.read()
        first = next(self._lines, None)
        if first is None:
            raise problem("is empty: a record begins with a line that says what is played", SourceLocation(record.file))
        self.head: RecordHead = read_head(first)
        self.match: Match | None = None
        self.last_deal: int | None = None
        """Set for the first deal while its dealer had not cut yet."""
        self.names, self.players = self.head.names, self.head.players
        """Names and players of the seats, as far as the record has been read."""
        self.failure: Failure | None = None
        """Line that does not follow."""
        self._first = first
        self.due: list[Line] = []
        """Lines that must come next: a record cut off ends before them."""
        self._cut: tuple[RawLine, Cut] | None = None
        """Cut without a seed, played once the deal's line is read."""
        self.checkpoints: Checkpoints | None = None
        """Deal in effect, once one has been dealt."""
        self._fault: InputError | None = None
        """Error in the next line, raised after the lines before it."""
        if self.head.position is not None:
            from kalooki_tui.positions.staging import resume_at

            self.match = resume_at(self.head.position, self.head.rules, first.place)
            if self.match.names != self.names:
                raise problem("position: its seats are not those of the match", first.place)
            self.checkpoints = Checkpoints(self.match)

    @property
    def waits_for_deal(self) -> bool:
        """True if the last line is a cut that waits for the line of its deal."""
        return self._cut is not None

    def steps(self) -> Iterator[PlaybackLine]:
        """Play the lines; raise InputError for a wrong one (`DoesNotFollow`)."""
        yield PlaybackLine(self._first)
        line = self._next()
        while line is not None:
            # Where deals are not a seed's, a reshuffle's order stands in the line after the action.
            following = self._next()
            played = self._play(line, following)
            if self.match is not None and not DEAL_BEGINS.isdisjoint(line.data):
                self.checkpoints = Checkpoints(self.match)
            yield played
            line = following
        if self._fault is not None:
            if isinstance(self._fault, DoesNotFollow):
                self.failure = self._fault.failure
            raise self._fault

    def _next(self) -> RawLine | None:
        try:
            return next(self._lines, None)
        except InputError as fault:
            self._fault = fault
            return None

    def _play(self, line: RawLine, following: RawLine | None) -> PlaybackLine:
        kind = next((kind for kind in KINDS if kind in line.data), None)
        if kind is None:
            raise problem(f"is not a line of a record: it needs one of the keys {', '.join(KINDS)}", line.place)
        if self.due:
            self._compare(line, self.due.pop(0))
            return PlaybackLine(line)
        if kind == "do":
            return self._do(line, following)
        plays: dict[str, Callable[[RawLine], PlaybackLine]] = {
            "deal": self._deal, "passed_over": self._pass_over, "undone": self._undo, "seat": self._reseat,
            LAST_DEAL: self._end_after,
        }  # fmt: skip
        if kind not in plays:
            raise self._fails(line, f"nothing led to {quote(kind)} here")
        return plays[kind](line)

    def _do(self, line: RawLine, following: RawLine | None) -> PlaybackLine:
        names, faces = self.head.names, self.head.rules.faces
        text = line.value("do", str)
        action = line.said("do", lambda: parse_action(text, names, faces))
        if isinstance(action, Cut) and (self.match is None or self.match.phase is Phase.OVER):
            if self.head.seed is None:
                self._cut = (line, action)
                return PlaybackLine(line, action)
            self._begin(line, None)
        match = self.match
        if match is None or self._cut is not None:
            raise self._fails(line, "no cards have been dealt")
        if UNASKED in line.data and not (line.data[UNASKED] is True and isinstance(action, Pass)):
            raise self._fails(line, f"{UNASKED} may be true only with a pass")
        stock: tuple[Card, ...] | None = None
        if self.head.seed is None and following is not None and "reshuffled" in following.data:
            # Without a seed the next reshuffle lays the record's stock.
            stock = following.cards("reshuffled", faces)
            match.deal.next_stock = list(reversed(stock))
        refusal: Refusal | None = None
        before = len(match.deal.history)
        try:
            events = tuple(match.apply(action))
        except Refused as refused:
            refusal = refused.refusal
            if not refusal.changed or "refused" not in line.data:
                why = f"{refusal.code} ({refusal.clause}): {refusal.message}"
                raise self._fails(line, f"{text!r} is refused: {why}") from None
            events = tuple(match.deal.history[before:])
        if stock is not None:
            self._check_reshuffle(line, match)
        first, *self.due = step_lines(match, action, events, refusal)
        if self.checkpoints is not None and not isinstance(action, Cut):
            asked, lines = UNASKED not in line.data, 1 + len(self.due)
            self.checkpoints.step(match, action, events, refusal, stock=stock, asked=asked, lines=lines)
        self._compare(line, first)
        return PlaybackLine(line, action, events, refusal)

    def _check_reshuffle(self, line: RawLine, match: Match) -> None:
        deal = match.deal
        if deal.next_stock is not None:
            raise self._fails(line, "this does not lead to a reshuffle")
        held = [card for cards in (*deal.hands, deal.stock, deal.pile) for card in cards]
        held += [card for meld in deal.melds for card in meld.cards]
        held += [] if deal.flip is None else [deal.flip]
        if Counter(held) != Counter(full_deck(match.rules.packs, match.rules.jokers)):
            raise self._fails(line, "the new stock is not the discard pile without its top card")

    def _deal(self, line: RawLine) -> PlaybackLine:
        events: tuple[Event, ...] = ()
        if self.head.seed is None:
            events = self._begin(line, self._deck(line))
            if self._cut is not None:
                (cut_line, action), self._cut = self._cut, None
                assert self.match is not None
                try:
                    events = tuple(self.match.apply(action))
                except Refused as refused:
                    raise self._fails(cut_line, f"the cut is refused: {refused.refusal.message}") from None
        else:
            events = self._begin(line, None)
        match = self.match
        assert match is not None
        if match.deal.phase is Phase.CUT:
            raise self._fails(line, f"{does(match.names[match.deal.dealer], 'have')} to cut before the deal")
        self._compare(line, deal_line(match))
        return PlaybackLine(line, None, events)

    def _begin(self, line: RawLine, deck: list[Card] | None) -> tuple[Event, ...]:
        if self.match is None:
            self.match = self._start(line, deck)
            self.match.rename(self.names)
            self.match.last_deal = self.last_deal
            return tuple(self.match.deal.history)
        try:
            events = tuple(self.match.next_deal(deck))
        except Refused as refused:
            raise self._fails(line, f"no deal begins here: {refused.refusal.message}") from None
        if self.match.finished:
            raise self._fails(line, "the match is over")
        return events

    def _start(self, line: RawLine, deck: list[Card] | None) -> Match:
        head, dealer = self.head, None
        if self._cut is not None:
            dealer = self._cut[1].seat
        elif head.seed is None:
            dealer = line.seat("dealer", head.names)
        return Match.start(MatchSetup(head.rules, head.names, head.seed or 0, head.first_turn), deck, dealer)

    def _deck(self, line: RawLine) -> list[Card]:
        rules, names = self.head.rules, self.head.names
        held = line.mapping("hands")
        hands = [held.cards(name, rules.faces) if name in held.data else () for name in names]
        dealer = line.seat("dealer", names)
        order = [(dealer + step) % len(names) for step in range(1, len(names) + 1)]
        dealt = [seat for seat in order if hands[seat]]
        if len({len(hands[seat]) for seat in dealt}) > 1:
            raise self._fails(line, "the hands are not the same size")
        most = max(map(len, hands))
        deck = [hands[seat][index] for index in range(most) for seat in dealt]
        deck += [*line.cards("discard", rules.faces), *line.cards("stock", rules.faces)]
        if Counter(deck) != Counter(full_deck(rules.packs, rules.jokers)):
            raise self._fails(line, "hands, discard and stock are not the whole deck")
        return deck[::-1]

    def _pass_over(self, line: RawLine) -> PlaybackLine:
        match = self.match
        limit = self.head.rules.settings.max_redeals
        if match is None or not match.deal.void:
            raise self._fails(line, "there is no void deal to pass over")
        if not match.asks_to_go_on and (limit is None or match.deal.attempt <= limit):
            raise self._fails(line, "the contract may not be passed over yet")
        try:
            events = tuple(match.pass_over())
        except Refused as refused:
            raise self._fails(line, refused.refusal.message) from None
        first, *self.due = step_lines(match, None, events)
        self._compare(line, first)
        return PlaybackLine(line, None, events)

    def _undo(self, line: RawLine) -> PlaybackLine:
        """Take back the last lines in effect; the rest must end before an action of the same deal."""
        count = line.value("undone", int)
        deal = None if self._cut is not None else self.checkpoints
        point = None if deal is None else deal.point_before(count)
        if deal is None or point is None:
            do = "does" if count == 1 else "do"
            raise self._fails(line, f"{counted(count, 'line')} {do} not end at an action of this deal")
        last = None if self.match is None else self.match.last_deal
        self.match = deal.back_to(point)
        self.match.rename(self.names)
        self.match.last_deal = last
        return PlaybackLine(line)

    def _end_after(self, line: RawLine) -> PlaybackLine:
        """Let the match end with this deal, or the next if this one is over."""
        number = line.value(LAST_DEAL, int)
        match = self.match
        if number != (1 if match is None else match.ending_deal) or (match is not None and match.finished):
            raise self._fails(line, f"deal {number} cannot be made the last here")
        if match is None:
            self.last_deal = number
        else:
            match.last_deal = number
        return PlaybackLine(line)

    def _reseat(self, line: RawLine) -> PlaybackLine:
        seat, name, player = line.seat("seat", self.head.names), line.value("name", str), line.value("player", str)
        names = _with(self.names, seat, name)
        line.said("seat", lambda: check_seating(self.head.names, names, seat, player))
        self.names, self.players = names, _with(self.players, seat, player)
        if self.match is not None:
            self.match.rename(names)
        return PlaybackLine(line)

    def _compare(self, line: RawLine, expected: Line) -> None:
        why = difference(line.data, expected)
        if why is not None:
            raise self._fails(line, why)

    def _fails(self, line: RawLine, message: str) -> DoesNotFollow:
        self.failure = Failure(line.place, message)
        return DoesNotFollow(self.failure)


def _with(texts: tuple[str, ...], seat: int, text: str) -> tuple[str, ...]:
    return (*texts[:seat], text, *texts[seat + 1 :])


#: Keys whose values are cards in their order.
_CARDS: Final = ("discard", "stock", "reshuffled", "got")
#: The key whose value holds cards by seat, in any order.
_HANDS: Final = "hands"
#: Keys that may only stand in a line that leads to them.
_OUTCOMES: Final = ("refused", "charged", "got")
LONGEST_VALUE: Final = 200
"""Characters of a value that an error shows."""


def difference(given: Line, expected: Line) -> str | None:
    """Return how a line differs from what was played, the action apart; `got` may be left out."""
    for key, value in expected.items():
        if key not in given:
            if key == "got":
                continue
            return f"what follows here is {show(expected)}"
        if key != "do" and not _same(key, given[key], value):
            return f"{key} is {show(value)} here, not {show(given[key])}"
    for key in _OUTCOMES:
        if key in given and key not in expected:
            return f"nothing was {key} here"
    return None


def show(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def _same(key: str, given: Any, value: Any) -> bool:
    if key == _HANDS and isinstance(given, dict):
        return given.keys() == value.keys() and all(
            isinstance(given[name], str) and sorted(given[name].upper().split()) == sorted(value[name].split())
            for name in value
        )
    if key in _CARDS and isinstance(value, str) and isinstance(given, str):
        return given.upper().split() == value.split()
    return identical(given, value)


def identical(one: Any, other: Any) -> bool:
    """Compare JSON values: to Python ``True == 1 == 1.0``, to a reader of JSON they differ."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(identical(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(identical, one, other))
    return bool(one == other)


class RecordState(StrEnum):
    WHOLE = "whole"
    """Every line follows, and the last one is the result."""
    GOES_ON = "goes on"
    """Every line follows, and there is no result."""
    CUT_SHORT = "cut short"
    """The record ends within a line, or before the events of its last action."""
    EDITED = "edited"
    """A line was lost, doubled or changed, or does not follow."""
    NO_RECORD = "not a record"


class Verification(Struct, frozen=True):
    """Result of ``kalooki verify``: length of a record, and the first line that does not follow."""

    file: str
    lines: int = 0
    deals: int = 0
    finished: bool = False
    cut_off: bool = False
    """True if the last line is torn, or the lines that follow from it are missing."""
    failure: Failure | None = None
    error: str | None = None

    @property
    def ok(self) -> bool:
        return self.failure is None and self.error is None

    @property
    def state(self) -> RecordState:
        if self.error is not None:
            return RecordState.NO_RECORD
        if self.failure is not None:
            return RecordState.EDITED
        if self.cut_off:
            return RecordState.CUT_SHORT
        return RecordState.WHOLE if self.finished else RecordState.GOES_ON

    def __str__(self) -> str:
        size = f"{counted(self.lines, 'line')}, {counted(self.deals, 'deal')}"
        match self.state:
            case RecordState.NO_RECORD:
                return str(self.error)
            case RecordState.EDITED:
                return str(self.failure)
            case RecordState.CUT_SHORT:
                return f"{self.file}: cut short: every whole line follows ({size}), and the end is missing"
            case RecordState.GOES_ON:
                return f"{self.file}: every line follows ({size}), and there is no result: the match is unfinished"
        return f"{self.file}: whole: every line follows ({size}), and the match is finished"

    def data(self) -> Line:
        found: Line = {"file": self.file, "ok": self.ok, "state": str(self.state)}
        found |= {"lines": self.lines, "deals": self.deals}
        found |= {"finished": self.finished, "cut_off": self.cut_off}
        if self.failure is not None:
            found |= {"line": self.failure.place.line, "message": self.failure.message}
        if self.error is not None:
            found["error"] = self.error
        return found


def verify(path: str) -> Verification:
    record = open_record(path)
    deals = 0
    with record.stream:
        try:
            replay = Replay(record)
            for played in replay.steps():
                deals += "deal" in played.line.data
        except DoesNotFollow as error:
            return Verification(record.file, record.lines, deals, False, record.cut_off, error.failure)
    cut_off = record.cut_off or bool(replay.due) or replay.waits_for_deal
    finished = replay.match is not None and replay.match.finished and not cut_off
    return Verification(record.file, record.lines, deals, finished, cut_off)


def verify_files(paths: Iterable[str]) -> Iterator[Verification]:
    for path in paths:
        try:
            yield verify(path)
        except InputError as error:
            yield Verification(path, error=str(error))
