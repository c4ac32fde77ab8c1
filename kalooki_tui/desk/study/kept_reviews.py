"""What is done with a reviewed decision or deal: kept as a puzzle, looked at on the table, put down for the trend."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kalooki_tui.coach.course.progress import KEPT, today
from kalooki_tui.coach.exercises.words import kind_name
from kalooki_tui.coach.explaining import played_out
from kalooki_tui.coach.puzzles.making import exercise_of, of_view
from kalooki_tui.desk.setup.plan import USUAL_PLAYER
from kalooki_tui.desk.study.reviewing import LEAST_TREND, Review, done, line_of, reviews
from kalooki_tui.desk.study.stepping import PastDeal, past_deals
from kalooki_tui.engine.match import Match
from kalooki_tui.judging.decisions import Judged, Quality
from kalooki_tui.playouts import available
from kalooki_tui.positions.position_files import position_text
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.records.writing import RecordHead
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import whole_file
from kalooki_tui.store.kept import ReviewedDeal, ReviewedFile
from kalooki_tui.store.player.progress import ProgressFile
from kalooki_tui.store.player.puzzles import ENDING, kept_folder, kept_skills
from kalooki_tui.store.resuming import table_of
from kalooki_tui.store.summary import plans_of
from kalooki_tui.table.table import Table
from kalooki_tui.wording import counted

#: Deals of the trend.
TREND: Final = 20
#: Mistakes of a deal that are kept by themselves, at most.
MOST_KEPT: Final = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment before a decision, its match dealt again."""

    head: RecordHead
    deals: list[PastDeal]
    found: Review
    judged: Judged

    @property
    def before(self) -> Match:
        """The match as the decision found it."""
        return self.deals[self.found.number].at(self.judged.decision.place)

    @property
    def at(self) -> tuple[int, int]:
        """Which deal it is, and which of its steps."""
        number = self.found.number
        return number, self.deals[number].number_of(self.judged.decision.place)

    def table(self) -> Table:
        """Open a table to play on from here, its person at the seat, the same cards hidden.

        AI players sit where they sat, and at the seats of other people and of programs too.
        """
        others = (USUAL_PLAYER if one == "human" or one.startswith("exec:") else one for one in self.head.players)
        players = tuple("human" if seat == self.found.seat else one for seat, one in enumerate(others))
        return table_of(self.head, self.before.clone(), plans_of(self.head.names, players))


def moment_of(lines: Sequence[str], found: Review, judged: Judged) -> Moment:
    """Deal the match of a record again, for a decision that has been reviewed."""
    replay = Replay(open_lines("record", lines))
    deals = past_deals(replay)
    return Moment(replay.head, deals, found, judged)


def reason_of(found: Review, judged: Judged) -> str:
    """What the review says of a decision: what was done, what would have been better, and why."""
    faces = judged.decision.view.rules.faces
    told = f"{found.names[found.seat]} {done(judged.decision, faces)}: {line_of(judged, faces)[1]}."
    return f"{told} {judged.why}".rstrip()


def keep_as_puzzle(lines: Sequence[str], found: Review, judged: Judged, file: ProgressFile) -> Path | None:
    """Write the moment before a decision, and what the review says of it, into the folder of puzzles.

    From then on it is practised as a skill is. None: it has been kept before, and its file is there.

    Raises:
        ValueError: it is no decision that a puzzle can ask.
        StoreError: it cannot be written.
    """
    view = judged.decision.view
    title = f"{found.deal}, turn {judged.decision.turn}"
    title = f"{title}: {kind_name(type(of_view(view, title).exercise))}"
    tail = _tail(lines, found, judged)
    if any(skill.endswith(tail) for skill in kept_skills()):
        return None
    moment, day = moment_of(lines, found, judged), today()
    path = kept_folder() / f"{day.isoformat()}-{tail}{ENDING}"
    try:
        with whole_file(path) as stream:
            stream.write(position_text(moment.before, title, reason_of(found, judged), moment.head.options).encode())
    except OSError as error:
        raise StoreError(f"The puzzle cannot be kept: {path}: {reason(error)}") from error
    file.save(file.progress.keeping(moment.head.rules.ruleset.id, f"{KEPT}{path.stem}", day))
    return path


def keep_mistakes(lines: Sequence[str], found: Review, file: ProgressFile) -> int:
    """Keep the dearest mistakes of a person's deal as puzzles; how many.

    Only what was worse beyond its interval in the worlds that were played out; what was kept once, even if its file
    has been deleted since, is not kept again.

    Raises:
        StoreError: one cannot be written.
    """
    count = 0
    for judged in mistakes_of(found):
        tail = _tail(lines, found, judged)
        if not any(skill.endswith(tail) for skill in file.progress.skills):
            count += keep_as_puzzle(lines, found, judged, file) is not None
    return count


def mistakes_of(found: Review) -> list[Judged]:
    """The dearest mistakes of a deal that a puzzle can ask."""
    beyond = (
        one for one in found.by_cost if one.error is not None and one.verdict in (Quality.MISTAKE, Quality.BLUNDER)
    )
    return [one for one in beyond if exercise_of(one.decision.view) is not None][:MOST_KEPT]


def _tail(lines: Sequence[str], found: Review, judged: Judged) -> str:
    """How the file of a decision is called after its day: no other decision's is called so."""
    decision = judged.decision
    what = "/".join((match_key(lines), str(found.number), str(found.seat), str(decision.place)))
    mark = sha256(what.encode()).hexdigest()[:8]
    return f"deal-{decision.view.deal}-turn-{decision.turn}-{judged.kind}-{mark}"


# The trend


def match_key(lines: Sequence[str]) -> str:
    """What tells the match of a record from others: what it begins with."""
    return sha256(lines[0].encode()).hexdigest()[:16]


def reviewed_deal(lines: Sequence[str], found: Review) -> ReviewedDeal:
    """What is put down of a deal."""
    name = found.names[found.seat]
    return ReviewedDeal(match_key(lines), found.deal, name, round(found.lost, 1), len(found.real))


async def lost_in(lines: Sequence[str], name: str, compute: Callable[..., Awaitable[Any]]) -> str:
    """What somebody lost in a record's last deal, ``lost 17 in 23 decisions``.

    It is as it was put down, else it is reviewed now and put down.

    `compute` gives what a function gives, computed elsewhere; it is asked for one decision at a time.

    Raises:
        ValueError: there is nothing to review.
        InputError: the record cannot be played again.
        StoreError: what was found cannot be put down.
    """
    kept = ReviewedFile.load()
    (found,) = await compute(reviews, lines, name, 0, "the deal", True)
    reviewed = kept.find(match_key(lines), found.deal, name)
    if reviewed is None:
        if available():
            for place, one in enumerate(found.judged):
                if one.ranked:
                    found.judged[place] = await compute(played_out, one)
        reviewed = reviewed_deal(lines, found)
        kept.note(reviewed)
    return f"lost {reviewed.lost:.0f} in {counted(reviewed.decisions, 'decision')}"


def trend_of(found: Sequence[Review], deal: int, kept: ReviewedFile) -> list[float]:
    """Points lost in the last deals reviewed, of whoever is looked at; else in those of this match."""
    lost = kept.lost(found[deal].names[found[deal].seat], TREND) if found and found[deal].is_person else []
    return lost if len(lost) >= LEAST_TREND else [one.lost for one in found if not one.open]
