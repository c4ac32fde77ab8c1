from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from kalooki_tui.coach.puzzles import from_file
from kalooki_tui.coach.rated_advice import explained, of_worlds, played_out
from kalooki_tui.engine.actions import Call, Discard, Draw, Group, Kind, Pass, Source
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.melds import make_meld
from kalooki_tui.engine.view import HasLaid, Phase, View
from kalooki_tui.evaluation import options as turns
from kalooki_tui.evaluation import rollouts as playing_out
from kalooki_tui.evaluation.decisions import Decision, Fate, Judged, Positions, Quality, judge
from kalooki_tui.evaluation.differences import Fact
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import assess
from kalooki_tui.evaluation.recommendation import told_apart
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players.club import Club
from kalooki_tui.players.race import FIRST_ROUND
from kalooki_tui.solver.shape import Effort
from kalooki_tui.storage.player.progress_file import ProgressFile, kept_title
from kalooki_tui.training.reviews import Review, keep_as_puzzle, line_of, reviews
from tests.coach.test_hinting import heading, printed
from tests.coach.walking import decisions
from tests.commands import Golden
from tests.moments import POSITIONS, position, there, view_of
from tests.players.simulate import rules_for, seat_one_at
from tests.solver.hands import CROWDED_HAND, CROWDED_TABLE

PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"
RECORD = PLAYTHROUGHS / "jamaican-4.jsonl"

THROW = """ruleset: jamaican
deal: 1
dealer: Cat
turn: Ann
phase: play
seats:
  - {name: Ann, hand: KS KD 8S 8C 5H 5C 2D 9C JS QH 6S 4S}
  - {name: Bob, hand: 5H 6H 7H QC 2C 9C JC 3D 4H 8H 6C}
  - {name: Cat, hand: 9D 10C 3S 4S 5S 7D 8D QD KH 2H 6D}
discard: 5D
stock: 7C 2H AS 3D
"""


def throw(view: View, card: str) -> Judged:
    wanted = next(one for one in view.legal if isinstance(one, Discard) and view.rules.faces.text(one.card) == card)
    return there(judge(Decision(0, 1, view, wanted)))


@pytest.mark.parametrize(
    ("loss", "error", "verdict"),
    [
        (0.0, None, Quality.FINE), (4.0, None, Quality.SLIP), (7.0, None, Quality.MISTAKE),
        (30.0, None, Quality.BLUNDER), (7.0, 4.0, Quality.CLOSE), (9.0, 4.0, Quality.MISTAKE), (1.0, 4.0, Quality.FINE),
    ],
)  # fmt: skip
def test_a_loss_is_one_only_above_two_standard_errors(loss: float, error: float | None, verdict: Quality) -> None:
    view = view_of(THROW)
    decision = Decision(0, 1, view, view.legal[0])
    assert Judged(decision, "throw", view.legal[1], loss, error).verdict is verdict


#: Deals by their number, every so many decisions of which are looked at.
COUNTED = {
    ("jamaican", 4): 25, ("trinidad", 3): 21, ("kalookie-40", 2): 8, ("tuluki", 3): 9, ("kooky", 2): 9,
    ("air-jamaica", 5): 11, ("super-kalooki", 1): 9, ("kalooki-short", 1): 11,
}  # fmt: skip
CARDS = {"card", "best", "mates", "beside", "spare", "lost", "left", "taken"}


def fact_text(view: View, fact: Fact) -> str:
    faces, told = view.rules.faces, [fact.case]
    for name, value in fact.slots.items():
        texts = faces.texts((value,) if isinstance(value, int) else value) if name in CARDS else str(value)
        told.append(f"{name} {texts.replace(' ', '-')}")
    return " ".join(told)


def counted(view: View) -> Iterator[str]:
    """The options that are weighed, and what some actions lose and by which fact the best is better."""
    situation = Situation(view)
    found = assess(situation)
    options, throws = (
        [option.action for option in found.options],
        [action for action in view.legal if isinstance(action, Discard)],
    )
    worths = ", ".join(f"{printed(view, option.action)} {option.worth:.1f}" for option in found.options)
    out = ""
    if found.way_out is not None:
        steps = ", ".join(printed(view, action) for action in found.way_out.actions)
        out = f"; out{' doubled' if found.way_out.doubled else ''}: {steps}"
    yield f"{worths}; {fact_text(view, found.fact)}{out}"
    positions = Positions(situation)
    yield f"  holds {' '.join(f'{one:.4g}' for one in positions.vector(positions.holding(view.hand, calls=1), 1))}"
    others = [action for action in view.legal if action not in throws]
    for action in dict.fromkeys([*options[:1], *others[:3], *throws[::6]]):
        judged = judge(Decision(0, 1, view, action))
        loss = "not judged" if judged is None else f"{judged.kind} {judged.loss:.2f}"
        facts = [fact_text(view, fact) for fact in told_apart(situation, options[0], action) if fact is not None]
        yield f"  {printed(view, action)}: {loss}; {', but '.join(facts)}"


def test_what_options_lose_and_what_is_counted_of_them(golden: Golden) -> None:
    views = [position(path.stem) for path in sorted(POSITIONS.glob("*.yaml"))[::9]]
    views = [view for view in views if view.actor == view.seat and view.phase not in (Phase.CUT, Phase.BUY_IN)]
    for (ruleset, number), step in COUNTED.items():
        views += [view for _, view in islice(decisions(ruleset, "counts", number), 0, None, step)]
    told = list[str]()
    for view in views:
        told += [heading(view), *(f"  {line}" for line in counted(view))]
    golden("counts", "\n".join(told))


@pytest.fixture(scope="module")
def first() -> Review:
    return reviews(RECORD.read_text(encoding="utf-8").splitlines(), "", 1)[0]


def test_a_decision_names_the_card_it_was_about() -> None:
    view = position("C9_trinidad-a-laid-seat-calls")
    faces = view.rules.faces
    assert view.discard is not None
    card = faces.symbol(view.discard)
    call, wait = (next(one for one in view.legal if isinstance(one, kind)) for kind in (Call, Pass))
    did, told = line_of(Judged(Decision(0, 3, view, wait), "call", call, 8.0, 2.0), faces)
    assert (did, told) == (f"turn 3  let {card} go", "calling was better by 8 ±4")
    assert line_of(Judged(Decision(0, 3, view, call), "call", wait, 8.0, 2.0), faces)[0] == f"turn 3  called {card}"
    view = position("C1_D28_kalookie-40-a-laid-seat-takes-the-discard")
    faces = view.rules.faces
    assert view.discard is not None
    stock = next(one for one in view.legal if isinstance(one, Draw) and one.source is Source.STOCK)
    take = next(one for one in view.legal if isinstance(one, Draw) and one.source is not Source.STOCK)
    _, told = line_of(Judged(Decision(0, 1, view, stock), "draw", take, 8.0, 2.0), faces)
    assert told == f"taking {faces.symbol(view.discard)} was better by 8 ±4"


def test_a_decision_is_kept_as_a_puzzle(first: Review, tmp_path: Path) -> None:
    lines = RECORD.read_text(encoding="utf-8").splitlines()
    kept = next(one for one in first.real if one.kind == "throw")
    kept = replace(kept, why="It fits nowhere.")
    path, again = (keep_as_puzzle(lines, first, kept, ProgressFile.load()) for _ in range(2))
    assert again is None
    assert path is not None
    assert [path] == [*(tmp_path / "puzzles").iterdir()]
    puzzle = from_file(path)
    assert puzzle.exercise.kind == "throw"
    assert sorted(puzzle.exercise.hand) == sorted(kept.decision.view.hand)
    assert puzzle.code == kept_title(path) == f"Game 1 of 9, turn {kept.decision.turn}: What to throw"
    assert line_of(kept, kept.decision.view.rules.faces)[1] in puzzle.reason
    assert puzzle.reason.endswith(". It fits nowhere.")


Played: TypeAlias = tuple[tuple[tuple[float, ...], ...], tuple[Fate, ...]]


def test_no_option_is_valued_in_the_worlds_that_chose_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # Two options, each good in one half of the worlds alone: whichever is chosen there is worth nothing in the other.
    def play(race: playing_out.Rollout, count: int) -> Played:
        fates = tuple(Fate(count) for _ in race.ways)
        if race.looks:
            return tuple((-float(way in (1, 2)),) * count for way in range(len(race.ways))), fates
        half = count // 2
        first, second = (-20.0,) * half + (0.0,) * (count - half), (0.0,) * half + (-20.0,) * (count - half)
        return ((0.0,) * count, first, second), fates

    monkeypatch.setattr(playing_out, "available", lambda: True)
    monkeypatch.setattr(playing_out, "_play", play)
    found = played_out(throw(view_of(THROW), "KS"), 2 * FIRST_ROUND)
    assert (found.loss, found.verdict) == (0.0, Quality.FINE)


def test_without_a_core_a_suspicion_stays_one(monkeypatch: pytest.MonkeyPatch) -> None:
    suspect = throw(view_of(THROW), "KS")
    monkeypatch.setattr(playing_out, "available", lambda: False)
    assert played_out(suspect, 40) == explained(suspect)


def test_where_counting_says_otherwise_the_worlds_are_asked_and_no_reason_is_made_up() -> None:
    good, bad = throw(view_of(THROW), "QH"), throw(view_of(THROW), "KS").decision.action
    turned = replace(good, best=bad, loss=9.0, error=1.0)
    assert not explained(replace(turned, error=None)).why
    even = Fate(100, 20, 60, 2400, 100_000)
    assert explained(replace(turned, fates=(even, even))).why.startswith("No count explains it")


@pytest.mark.parametrize(
    ("done", "best", "why"),
    [
        (
            Fate(1000, 220, 700, 28_000, 1_200_000), Fate(1000, 310, 620, 24_800, 1_060_000),
            "In many possible deals played to the end, you go out in 31 of 100, not in 22.",
        ),
        (
            Fate(1000, 220, 700, 28_000, 1_200_000), Fate(1000, 1000, 0, 0, 0),
            "In many possible deals played to the end, you go out in 100 of 100, not in 22.",
        ),
        (
            Fate(1000, 220, 700, 28_000, 1_200_000), Fate(1000, 220, 500, 20_000, 860_000),
            "In many possible deals played to the end, somebody else goes out in 50 of 100, not in 70.",
        ),
        (
            Fate(1000, 220, 700, 38_500, 2_200_000), Fate(1000, 220, 700, 28_700, 1_260_000),
            "When somebody else goes out, you are left with 41 points on average, not 55.",
        ),
    ],
)  # fmt: skip
def test_what_the_worlds_tell_apart_most_clearly_is_said(done: Fate, best: Fate, why: str) -> None:
    assert of_worlds(done, best) == why


CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def laid(number: int, hand: list[int], melds: list[tuple[int, tuple[int, ...], Kind]]) -> Deal:
    deal = seat_one_at(Phase.PLAY, "jamaican", number, hand)
    deal.melds = [make_meld(deal.rules.ruleset, owner, Group(cards, kind)) for owner, cards, kind in melds]
    deal.laid = [HasLaid.EARLIER] * 3
    return deal


def test_where_a_turn_has_too_many_ways_the_club_player_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    faces = rules_for("jamaican", 3).faces
    melds = [
        (owner, tuple(parse_cards(cards, faces)), Kind.RUN)
        for owner, table in ((0, CROWDED_TABLE[0]), (2, CROWDED_TABLE[1]))
        for cards in table
    ]
    view = laid(9, list(parse_cards(CROWDED_HAND, faces)), melds).view(1)
    efforts: list[Effort] = []

    def noted(steps: int) -> Effort:
        efforts.append(Effort(steps))
        return efforts[-1]

    monkeypatch.setattr(turns, "Effort", noted)
    decision = turns.next_step(view)
    assert [effort.is_spent for effort in efforts] == [True]
    assert efforts[0].left > -1_000
    usual = Club("1").shed(view)
    assert decision.action == usual.action
