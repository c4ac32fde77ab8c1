"""The review of a deal out of its record: decisions by what they cost, kept as puzzles, put down for the trend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from kalooki_tui.cards import Card
from kalooki_tui.coach.course.progress import KEPT, today
from kalooki_tui.coach.exercises.definition import kind_name
from kalooki_tui.coach.puzzles import exercise_of, of_view
from kalooki_tui.coach.rated_advice import explained, played_out
from kalooki_tui.engine.actions import Action, Allow, Discard, Draw, EndTurn, Source
from kalooki_tui.engine.match import Match
from kalooki_tui.evaluation.decisions import Decision, Judged, Quality, judge
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.playouts import available
from kalooki_tui.positions.position_files import position_text
from kalooki_tui.presenter.prompts import card_in_question
from kalooki_tui.presenter.sentences import better, deed
from kalooki_tui.problems import reason
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_lines
from kalooki_tui.records.writer import RecordHead
from kalooki_tui.storage.files import StoreError, whole_file
from kalooki_tui.storage.kept import ReviewedDeal, ReviewedFile
from kalooki_tui.storage.player.progress_file import ENDING, ProgressFile, kept_folder, kept_skills
from kalooki_tui.training.same_cards import margin
from kalooki_tui.training.steps import PastDeal, past_deals
from kalooki_tui.wording import counted, escaped

#: Signs of the verdicts on the line of turns.
SIGNS: Final = {
    Quality.FINE: "·", Quality.CLOSE: "~", Quality.SLIP: "?", Quality.MISTAKE: "▲", Quality.BLUNDER: "█",
}  # fmt: skip
#: The sign of a decision that has not been played out yet.
OPEN: Final = "-"
#: Deals from which on there is a trend.
LEAST_TREND: Final = 3
KINDS: Final = ("draw", "call", "allow", "throw", "lay", "tack")


@dataclass(slots=True)
class Review:
    deal: str
    """``Game 2 of 9``."""
    names: tuple[str, ...]
    seat: int
    points: tuple[int, ...]
    judged: list[Judged]
    number: int
    """Which of the record's deals it is, from 0: a void one has the same name as the next."""
    is_person: bool

    @property
    def real(self) -> list[Judged]:
        return [one for one in self.judged if one.ranked]

    @property
    def open(self) -> list[int]:
        return [place for place, one in enumerate(self.judged) if one.is_open]

    @property
    def lost(self) -> float:
        return sum(self.by_kind.values())

    @property
    def luck(self) -> float:
        """Worth of the cards drawn beside mean ones; above zero is unlucky."""
        return sum(one.luck for one in self.judged)

    @property
    def by_cost(self) -> list[Judged]:
        told = [one for one in self.real if not one.is_open and one.verdict is not Quality.FINE]
        return sorted(told, key=lambda one: -one.loss)

    @property
    def by_kind(self) -> dict[str, float]:
        return {kind: sum(one.loss for one in self.real if one.is_loss and one.kind == kind) for kind in KINDS}


def reviews(
    lines: Iterable[str], seat: str = "", deal: int = 0, name: str = "record", last: bool = False
) -> list[Review]:
    """Review a record in lines, as `reviews_of` does; `name` stands in errors for a file name."""
    return reviews_of(Replay(open_lines(name, lines)), seat, deal, last=last)


def reviews_of(replay: Replay, seat: str = "", deal: int = 0, *, last: bool = False) -> list[Review]:
    """Review one deal of a record, the last, or all that are over, by value alone.

    `seat`: whose decisions; empty: the first person's.

    Raises:
        ValueError: there is no such seat or deal, or no deal is over.
        InputError: the record cannot be played again.
    """
    deals, at = deals_of(replay, seat, deal)
    numbers = [len(deals) - 1] if last else range(len(deals)) if deal == 0 else [deal - 1]
    found = []
    for number in numbers:
        past, end = deals[number], deals[number].state(-1)
        judged = [explained(one) for one in map(judge, decisions(past, at)) if one is not None]
        points = tuple(end.deal.points) if not end.deal.void else (0,) * len(end.names)
        found.append(Review(past.name, end.names, at, points, judged, number, replay.head.players[at] == "human"))
    return found


def deals_of(replay: Replay, seat: str = "", deal: int = 0) -> tuple[list[PastDeal], int]:
    """Return the finished deals of a record, and the number of the seat; errors as in `reviews_of`."""
    deals, name = past_deals(replay), escaped(replay.record.file)
    names, players = replay.head.names, replay.head.players
    if seat and seat not in names:
        raise ValueError(f"{name}: there is no seat {seat!r}; choose from: {', '.join(names)}")
    if not deals:
        raise ValueError(f"{name}: no deal is over yet")
    if not 0 <= deal <= len(deals):
        raise ValueError(f"{name}: there are deals 1 to {len(deals)}, not {deal}")
    people = [place for place, player in enumerate(players) if player == "human"]
    return deals, names.index(seat) if seat else people[0] if people else 0


def refined(found: Review, worlds: int, tell: Callable[[int, int], object] = lambda done, of: None) -> Review:
    """Play every decision out over so many worlds; `tell` hears how many of how many are done."""
    places = [place for place, one in enumerate(found.judged) if one.ranked]
    for number, place in enumerate(places, start=1):
        found.judged[place] = played_out(found.judged[place], worlds)
        tell(number, len(places))
    return found


def decisions(past: PastDeal, seat: int) -> list[Decision]:
    found, turn = [], 1
    for place, action in enumerate(past.actions):
        if action.seat == seat:
            before = past.at(place)
            found.append(Decision(place, turn, before.view(seat), action, _drawn(past, place, action)))
        turn += action.seat == seat and isinstance(action, Discard | EndTurn)
    return found


def _drawn(past: PastDeal, place: int, action: Action) -> int | None:
    if not isinstance(action, Draw | Allow) or (isinstance(action, Draw) and action.source is not Source.STOCK):
        return None
    before, after = (Counter(past.at(point).deal.hands[action.seat]) for point in (place, place + 1))
    return next((after - before).elements(), None)


# In words


def line_of(judged: Judged, symbols: Any) -> tuple[str, str]:
    verdict = judged.verdict
    did = f"turn {judged.decision.turn:<2} {done(judged.decision, symbols)}"
    error = "" if judged.error is None else f" ±{2 * judged.error:.0f}"
    if verdict is Quality.CLOSE:
        return did, f"too close to call ({judged.loss:.0f}{error})"
    best, about = better(judged.best, symbols, _card(judged.decision)), "" if error else "about "
    return did, f"{best} was better by {about}{judged.loss:.0f}{error}"


def done(decision: Decision, symbols: Any) -> str:
    return deed(decision.action, symbols, _card(decision))


def _card(decision: Decision) -> Card | None:
    return card_in_question(decision.view)[0]


def headline(found: Review) -> str:
    luck = found.luck
    cards = "no luck either way"
    if abs(luck) >= 0.5:
        cards = f"{counted(round(abs(luck)), 'point')} {'unlucky' if luck > 0 else 'lucky'}"
    if found.open:
        return f"Cards drawn: {cards}   Play: looking …"
    lost, of = counted(round(found.lost), "point"), counted(len(found.real), "decision")
    return f"Cards drawn: {cards}   Play: {lost} lost in {of}"


def turns_line(found: Review, width: int | None = None) -> str:
    """Show a sign per decision, by turn; in lines of at most `width` cells, none of which splits a turn."""
    lines = [""]
    for turn in dict.fromkeys(one.decision.turn for one in found.real):
        signs = " ".join(OPEN if one.is_open else SIGNS[one.verdict] for one in found.real if one.decision.turn == turn)
        if width is not None and lines[-1] and len(lines[-1]) + len(f"   {turn} {signs}") > width:
            lines.append("")
        lines[-1] += f"{'   ' if lines[-1] else ''}{turn} {signs}"
    return "\n".join(lines)


def kinds_line(found: Review) -> str:
    lost = {kind: points for kind, points in found.by_kind.items() if points >= 0.5}
    return f"Points lost by kind: {', '.join(f'{kind} {points:.0f}' for kind, points in lost.items())}" if lost else ""


def trend(lost: Sequence[float]) -> str:
    told = f"Points lost per deal, the last {len(lost)}: {' '.join(f'{one:.0f}' for one in lost)}"
    return told if len(lost) >= LEAST_TREND else ""


def review_text(found: Review, symbols: Any) -> str:
    points = ", ".join(f"{name} {points}" for name, points in zip(found.names, found.points, strict=True))
    lines = [f"{found.deal}, {found.names[found.seat]}: {points}", headline(found), f"turn {turns_line(found)}"]
    for one in found.by_cost:
        did, told = line_of(one, symbols)
        lines.append(f"{SIGNS[one.verdict]} {did:<34} {told}")
        if one.why:
            lines.append(f"  {one.why}")
    return "\n".join(filter(None, (*lines, kinds_line(found))))


def data(found: Review, symbols: Any) -> dict[str, Any]:
    return {
        "deal": found.deal,
        "seat": found.names[found.seat],
        "points": dict(zip(found.names, found.points, strict=True)),
        "margin": round(margin(found.points, found.seat), 1),
        "lost": round(found.lost, 1),
        "luck": round(found.luck, 1),
        "by_kind": {kind: round(lost, 1) for kind, lost in found.by_kind.items()},
        "decisions": [
            {
                "turn": one.decision.turn,
                "kind": one.kind,
                "action": print_answer(one.decision.action, found.names, symbols),
                "best_action": print_answer(one.best, found.names, symbols),
                "did": done(one.decision, symbols),
                "better": None if one.best == one.decision.action else better(one.best, symbols, _card(one.decision)),
                "loss": round(one.loss, 1),
                "error": None if one.error is None else round(one.error, 1),
                "verdict": str(one.verdict),
                "why": one.why,
            }
            for one in found.real
        ],
    }


#: Deals of the trend.
TREND: Final = 20
#: Mistakes of a deal that are kept by themselves, at most.
MOST_KEPT: Final = 3


class ReviewMoment(Struct, frozen=True):
    head: RecordHead
    deals: list[PastDeal]
    found: Review
    judged: Judged

    @property
    def before(self) -> Match:
        return self.deals[self.found.number].at(self.judged.decision.place)

    @property
    def at(self) -> tuple[int, int]:
        """Number of the deal, and of its step."""
        number = self.found.number
        return number, self.deals[number].number_of(self.judged.decision.place)


def moment_of(lines: Sequence[str], found: Review, judged: Judged) -> ReviewMoment:
    """Deal the match of a record again up to a reviewed decision."""
    replay = Replay(open_lines("record", lines))
    deals = past_deals(replay)
    return ReviewMoment(replay.head, deals, found, judged)


def reason_of(found: Review, judged: Judged) -> str:
    faces = judged.decision.view.rules.faces
    told = f"{found.names[found.seat]} {done(judged.decision, faces)}: {line_of(judged, faces)[1]}."
    return f"{told} {judged.why}".rstrip()


def keep_as_puzzle(lines: Sequence[str], found: Review, judged: Judged, file: ProgressFile) -> Path | None:
    """Save the moment before a decision as a puzzle and a skill; None: it was kept before. Errors as in `of_view`."""
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
    """Keep the dearest mistakes of a person's deal as puzzles; return how many.

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
    wrong = (Quality.MISTAKE, Quality.BLUNDER)
    beyond = (one for one in found.by_cost if one.error is not None and one.verdict in wrong)
    return [one for one in beyond if exercise_of(one.decision.view) is not None][:MOST_KEPT]


def _tail(lines: Sequence[str], found: Review, judged: Judged) -> str:
    """Return the name of a decision's file after its day; no other decision's is the same."""
    decision = judged.decision
    what = "/".join((match_key(lines), str(found.number), str(found.seat), str(decision.place)))
    mark = sha256(what.encode()).hexdigest()[:8]
    return f"deal-{decision.view.deal}-turn-{decision.turn}-{judged.kind}-{mark}"


# The trend


def match_key(lines: Sequence[str]) -> str:
    """Return the key of a record's match: a hash of its head."""
    return sha256(lines[0].encode()).hexdigest()[:16]


def reviewed_deal(lines: Sequence[str], found: Review) -> ReviewedDeal:
    name = found.names[found.seat]
    return ReviewedDeal(match_key(lines), found.deal, name, round(found.lost, 1), len(found.real))


async def lost_in(lines: Sequence[str], name: str, compute: Callable[..., Awaitable[Any]]) -> str:
    """Say what somebody lost in a record's last deal, ``lost 17 in 23 decisions``.

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
    """Return points lost in the last deals reviewed of a person; else in those of this match."""
    lost = kept.lost(found[deal].names[found[deal].seat], TREND) if found and found[deal].is_person else []
    return lost if len(lost) >= LEAST_TREND else [one.lost for one in found if not one.open]
