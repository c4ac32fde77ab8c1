"""From a record back to a table, at the very decision where it ends, and what can be taken back there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.actions import Action, Source
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase
from kalooki_tui.records.lines import CHECK, CheckChain, is_sealed
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.records.writing import UNASKED, Line, RecordHead, deal_line, dump, is_about_table
from kalooki_tui.store.errors import StoreError
from kalooki_tui.table.seats import SeatPlan, check_seats
from kalooki_tui.table.table import Table, TableSetup

if TYPE_CHECKING:
    from kalooki_tui.records.checkpoints import Checkpoints


def take_up(name: str, lines: list[str], plans: Sequence[SeatPlan]) -> TakenUp:
    """The table whose record these lines are; `name` stands in errors for the file.

    Raises:
        StoreError: a line does not follow, or cannot be read by this version of the program, or the seats are not
            those of the record or cannot be played.
    """
    trail = Trail()
    try:
        replay = Replay(open_lines(name, lines))
        follow(replay, trail)
        check_seats(tuple(plans))
    except ValueError as error:
        why = "; ".join(str(error).split("\n"))
        raise StoreError(f"The match cannot be resumed: {why}") from error
    if tuple(plan.name for plan in plans) != replay.names:
        raise StoreError(f"The match cannot be resumed: {name} has other seats in the list than in its record")
    table = table_of(replay.head, match_of(replay), tuple(plans))
    if replay.waits_for_deal:
        # A cut whose cards stood in the next line: it has to be made again.
        lines = lines[:-1]
        trail.take_back(1)
    chain, found = sealed(lines)
    for line in missing_lines(replay, table):
        found.append(chain.seal(dump(line)))
        if "deal" in line:
            trail.begin()
            replay.checkpoints.begin(table.match)
        else:
            trail.follow()
    if not replay.checkpoints:
        replay.checkpoints.begin(table.match)
    return TakenUp(table, trail, replay.checkpoints, found, chain)


def sealed(lines: list[str]) -> tuple[CheckChain, list[str]]:
    """The lines with numbers and check values, as they are or as they get them now, and how far they come."""
    last = json.loads(lines[-1])
    if is_sealed(last):
        return CheckChain(len(lines), last[CHECK]), lines[:]
    chain = CheckChain()
    return chain, [chain.seal(dump(json.loads(line))) for line in lines]


def missing_lines(replay: Replay, table: Table) -> list[Line]:
    """The lines that follow by themselves from the last one of a record that was cut off."""
    begins = replay.match is None and table.match.phase is not Phase.CUT
    return [*replay.due, *([deal_line(table.match)] if begins else [])]


def follow(replay: Replay, trail: Trail) -> None:
    """Play a record again and note what can be taken back.

    Raises:
        InputError: a line is not in the format, or does not follow.
    """
    for played in replay.steps():
        data = played.line.data
        if "undone" in data:
            trail.take_back(data["undone"])
        elif played.action is not None:
            trail.act(played.action, played.events, played.refusal, asked=UNASKED not in data)
        elif "deal" in data or "passed_over" in data:
            trail.begin()
        elif not is_about_table(data):
            trail.follow()


def match_of(replay: Replay) -> Match:
    """The match that has been played again, or stands before its first cut."""
    if replay.match is not None:
        return replay.match
    match = Match.start(MatchSetup(replay.head.rules, replay.head.names, replay.head.seed or 0, replay.head.first_turn))
    match.last_deal = replay.last_deal
    return match


def table_of(head: RecordHead, match: Match, plans: tuple[SeatPlan, ...]) -> Table:
    """The table of a match that has been played again."""
    # A record without a seed holds its cards itself; what is dealt from here on is written down as well.
    seed = 0 if head.seed is None else head.seed
    match.rename(tuple(plan.name for plan in plans))
    setup = TableSetup(
        ruleset=head.rules.ruleset,
        seats=plans,
        seed=seed,
        referee=head.rules.referee,
        settings=head.rules.settings,
        options=head.options,
        first_turn=head.first_turn,
    )
    return Table(setup, match, plans)


#: Events that show nobody a card, a decision or a score that was not known: a step of these alone can be taken back.
HARMLESS: Final = (
    happened.Passed,
    happened.Called,
    happened.CallRefused,
    happened.Laid,
    happened.Tacked,
    happened.Swapped,
    happened.Discarded,
    happened.TurnEnded,
    happened.AddedOn,
    happened.BoughtIn,
    happened.SeatLeft,
    happened.WentOut,
)


@dataclass(slots=True)
class Mark:
    """One action in effect, and the number of its lines in the record."""

    action: Action
    reveals: bool
    lines: int = 1
    asked: bool = True
    """False: a pass that was made for a person."""


class Trail:
    """The actions in effect since the cards were dealt; nothing reaches back before them."""

    def __init__(self) -> None:
        self._marks: list[Mark] = []

    def __len__(self) -> int:
        """How many actions they are."""
        return len(self._marks)

    @property
    def last(self) -> Mark | None:
        return self._marks[-1] if self._marks else None

    def last_of(self, people: Iterable[int] | None = None) -> Action | None:
        """The last that anybody, or one of these people, was asked for and did."""
        place = self._place(people)
        return None if place is None else self._marks[place].action

    def _place(self, people: Iterable[int] | None) -> int | None:
        seats = None if people is None else set(people)
        for place, mark in reversed([*enumerate(self._marks)]):
            if mark.asked and (seats is None or mark.action.seat in seats):
                return place
        return None

    def act(
        self, action: Action, events: Iterable[Event], refusal: Refusal | None = None, *, asked: bool = True
    ) -> None:
        """An action was taken, or an attempt charged. Not `asked`: it was a pass made for a person."""
        reveals = refusal is not None or not shows_nothing(events)
        self._marks.append(Mark(action, reveals, asked=asked))

    def follow(self) -> None:
        """A further line tells what came of the last action."""
        if self._marks:
            self._marks[-1].lines += 1

    def begin(self) -> None:
        """Cards were dealt, or a contract passed over."""
        self._marks.clear()

    def take_back(self, lines: int) -> None:
        """Take the last `lines` lines out of effect."""
        while lines > 0 and self._marks:
            lines -= self._marks.pop().lines

    def why_not(self, people: Iterable[int]) -> str | None:
        """Why the last step cannot be taken back, or None."""
        asked = self._place(None)
        if asked is None:
            return "There is nothing to take back in this deal."
        if self._marks[asked].action.seat not in set(people):
            return "Another seat has decided since: a step can be taken back only until then."
        # What a pass shows that was made for somebody, such as a flip, has been seen as well.
        if any(mark.reveals for mark in self._marks[asked:]):
            return "A new card has been seen since: a step can be taken back only until then."
        return None

    def why_not_freely(self, people: Iterable[int]) -> str | None:
        """Why no step of a person can be taken back, or None, where everything may be."""
        return "There is nothing of yours to take back in this deal." if self._place(people) is None else None

    def last_lines(self, people: Iterable[int]) -> int:
        """How many lines the last step of a person and all that followed it have; a pass made for a person is none."""
        place = self._place(people)
        return 0 if place is None else sum(mark.lines for mark in self._marks[place:])


def shows_nothing(events: Iterable[Event]) -> bool:
    """Whether these events show nobody a card, a decision or a score that was not known."""
    return all(
        event.source is not Source.STOCK if isinstance(event, happened.Drew) else isinstance(event, HARMLESS)
        for event in events
    )


@dataclass(frozen=True)
class TakenUp:
    """A table as it was, what can be taken back there, and its record, sealed and ending with a whole step."""

    table: Table
    trail: Trail
    checkpoints: Checkpoints
    lines: list[str]
    chain: CheckChain
