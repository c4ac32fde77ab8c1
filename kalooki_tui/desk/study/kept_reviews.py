"""What is done with a reviewed decision or deal: kept as a puzzle, looked at on the table, put down for the trend."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kalooki_tui.coach.course.progress import KEPT, today
from kalooki_tui.coach.exercises.words import kind_name
from kalooki_tui.coach.explaining import played_out
from kalooki_tui.coach.puzzles.making import exercise_of, of_view
from kalooki_tui.desk.setup.plan import USUAL_PLAYER
from kalooki_tui.desk.study.reviewing import Review, done, line_of, reviews
from kalooki_tui.desk.study.stepping import PastDeal, past_deals
from kalooki_tui.judging.decisions import Judged, Quality
from kalooki_tui.playouts import available
from kalooki_tui.positions.writing import position_text
from kalooki_tui.records.reading import open_lines
from kalooki_tui.records.replaying import Replay
from kalooki_tui.store.errors import StoreError, reason
from kalooki_tui.store.files import whole_file
from kalooki_tui.store.player.progress import ProgressFile
from kalooki_tui.store.player.puzzles import ENDING, kept_folder, kept_skills
from kalooki_tui.store.resuming import table_of
from kalooki_tui.store.reviewed import ReviewedDeal, ReviewedFile
from kalooki_tui.store.summary import Summary, plans_of
from kalooki_tui.table.table import Table
from kalooki_tui.wording import counted

#: Deals of the trend, and from how many on there is one.
TREND: Final = 20
LEAST_TREND: Final = 3
#: Mistakes of a deal that are kept by themselves, at most.
MOST_KEPT: Final = 3


@dataclass(frozen=True, slots=True)
class ReviewedMoment:
    """A deal to step through, from a decision on."""

    about: Summary
    deals: tuple[PastDeal, ...]
    seed: int | None
    deal: int
    """Which of the deals it is."""
    place: int
    """Which of its states."""
    seat: int


def _past(lines: Sequence[str], name: str, found: Review) -> tuple[Replay, list[PastDeal]]:
    """The deals of a record, the one that was reviewed among them."""
    replay = Replay(open_lines(name, lines))
    deals = past_deals(replay)
    if found.number >= len(deals) or deals[found.number].name != found.deal:
        raise ValueError("that deal is not in the record")
    return replay, deals


def moment_of(lines: Sequence[str], name: str, found: Review, judged: Judged) -> ReviewedMoment:
    """The moment before a decision.

    Raises:
        ValueError: its deal is not in the record.
        InputError: the record cannot be played again.
    """
    replay, deals = _past(lines, name, found)
    number = found.number
    head, now = replay.head, datetime.now(UTC)
    ruleset = head.rules.ruleset
    about = Summary(
        id="review", ruleset=ruleset.id, name=ruleset.name, options=head.options, referee=str(head.rules.referee),
        seats=plans_of(head.names, head.players), started=now, played=now, deal=number + 1, deals=len(deals),
        totals=(0,) * len(head.names), finished=True, winners=(), teaching=False, imported=False,
    )  # fmt: skip
    place = deals[number].number_of(judged.decision.place)
    return ReviewedMoment(about, tuple(deals), head.seed, number, place, found.seat)


def played_on(lines: Sequence[str], name: str, found: Review, judged: Judged) -> Callable[[], Table]:
    """Gives the table at the moment before a decision, its person at the seat, the same cards hidden.

    AI players sit where they sat, and at the seats of other people and of programs too.

    Raises:
        ValueError: its deal is not in the record.
        InputError: the record cannot be played again.
    """
    replay, deals = _past(lines, name, found)
    head = replay.head
    others = (USUAL_PLAYER if one == "human" or one.startswith("exec:") else one for one in head.players)
    plans = plans_of(head.names, tuple("human" if seat == found.seat else one for seat, one in enumerate(others)))
    before = deals[found.number].at(judged.decision.place)
    return lambda: table_of(head, before.clone(), plans)


def reason_of(found: Review, judged: Judged) -> str:
    """What the review says of a decision: what was done, what would have been better, and why."""
    faces = judged.decision.view.rules.faces
    told = f"{found.names[found.seat]} {done(judged.decision, faces)}: {line_of(judged, faces)[1]}."
    return f"{told} {judged.why}".rstrip()


def keep_as_puzzle(lines: Sequence[str], name: str, found: Review, judged: Judged, file: ProgressFile) -> Path | None:
    """Write the moment before a decision, and what the review says of it, into the folder of puzzles.

    From then on it is practised as a skill is. None: it has been kept before, and its file is there.

    Raises:
        ValueError: it is no decision that a puzzle can ask, or its deal is not in the record.
        StoreError: it cannot be written.
    """
    view = judged.decision.view
    replay, deals = _past(lines, name, found)
    moment = f"{found.deal}, turn {judged.decision.turn}"
    title = f"{moment}: {kind_name(type(of_view(view, moment).exercise))}"
    before = deals[found.number].at(judged.decision.place)
    tail = _tail(lines, found, judged)
    if any(skill.endswith(tail) for skill in kept_skills()):
        return None
    day = today()
    path = kept_folder() / f"{day.isoformat()}-{tail}{ENDING}"
    try:
        with whole_file(path) as stream:
            stream.write(position_text(before, title, reason_of(found, judged), replay.head.options).encode())
    except OSError as error:
        raise StoreError(f"The puzzle cannot be kept: {path}: {reason(error)}") from error
    file.save(file.progress.keeping(replay.head.rules.ruleset.id, f"{KEPT}{path.stem}", day))
    return path


def keep_mistakes(lines: Sequence[str], name: str, found: Review, file: ProgressFile) -> int:
    """Keep the dearest mistakes of a person's deal as puzzles; how many.

    Only what was worse beyond its interval in the worlds that were played out; what was kept once, even if its file
    has been deleted since, is not kept again.

    Raises:
        ValueError: the deal is not in the record.
        StoreError: one cannot be written.
    """
    count = 0
    for judged in mistakes_of(found):
        tail = _tail(lines, found, judged)
        if not any(skill.endswith(tail) for skill in file.progress.skills):
            count += keep_as_puzzle(lines, name, found, judged, file) is not None
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


def lost_words(reviewed: ReviewedDeal) -> str:
    """For a line to share: ``lost 17 in 23 decisions``."""
    return f"lost {reviewed.lost:.0f} in {counted(reviewed.decisions, 'decision')}"


async def lost_in(lines: Sequence[str], name: str, compute: Callable[..., Awaitable[Any]]) -> str:
    """What somebody lost in a record's last deal, in words: as it was put down, else reviewed now and put down.

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
                    found = found.with_judged(place, await compute(played_out, one))
        reviewed = reviewed_deal(lines, found)
        kept.note(reviewed)
    return lost_words(reviewed)


def trend_of(found: Sequence[Review], deal: int, kept: ReviewedFile) -> list[float]:
    """Points lost in the last deals reviewed, of whoever is looked at; empty where they are too few for a trend."""
    lost = kept.lost(found[deal].names[found[deal].seat], TREND) if found and found[deal].is_person else []
    if len(lost) < LEAST_TREND:
        lost = [one.lost for one in found if not one.open]
    return lost if len(lost) >= LEAST_TREND else []


def trend_words(lost: Sequence[float]) -> str:
    """The numbers behind the picture."""
    return f"Points lost per deal, the last {len(lost)}: {' '.join(f'{one:.0f}' for one in lost)}" if lost else ""


def mark_of(shown: Sequence[Judged], marked: Judged) -> int:
    """Where the decision marked stands now; where it is listed no more, the first."""
    places = [one.decision.place for one in shown]
    return places.index(marked.decision.place) if marked.decision.place in places else 0
