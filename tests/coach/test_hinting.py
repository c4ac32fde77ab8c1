import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any
from zlib import crc32

import pytest

from kalooki_tui.coach.exercises.definition import LearnerAnswer
from kalooki_tui.coach.exercises.kinds.turn_questions import Allowing
from kalooki_tui.coach.rated_advice import (
    advise,
    cost_of,
    could_have,
    hint,
    played_further,
    played_on,
    played_out,
    reason_of,
    warning,
)
from kalooki_tui.coach.vocabulary import sentences, slots
from kalooki_tui.engine.actions import ALLOW, Action, Discard, Draw, Refuse, Source
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.evaluation.decisions import Decision, Judged, judge
from kalooki_tui.evaluation.facts import Situation
from kalooki_tui.evaluation.options import assess
from kalooki_tui.evaluation.rollouts import settled
from kalooki_tui.notation.action_text import print_answer
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.club import lay_contract
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.lessons import Trees
from kalooki_tui.players.seat import open_card
from kalooki_tui.playouts import Mean, PlayoutResult
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import set_up
from tests.coach.walking import dealt_anew, decisions
from tests.commands import Golden
from tests.moments import position, there

LONGEST = 156
"""Cells: two rows of the narrowest screen."""


#: Positions, and decisions of deals by their number, at which all that the coach can say comes up.
POSITIONS = (
    "D21_trinidad-going-out-without-a-discard C9_trinidad-a-laid-seat-calls G5_from-the-add-on S3_empty-a-second-time"
    " S1_D28_kooky-jokers-may-be-discarded U4_the-flip-nobody-took C6_a-laid-seat-cannot-refuse D8_a-hand-of-jokers"
    " K6_two-cards-an-end-a-turn T1_a-turn-is-draw-play-discard D30_no-window-where-nobody-may-call M8_in-the-contract"
    " F3_its-cards-go-under-the-pile D5_swap-and-use-are-one-move S1_D28_kalookie-40-jokers-may-be-discarded"
    " G4_kooky-never-doubles D26_of-two-aces-the-high-one M8_D28_kalookie-40-repeats G1_going-out-by-laying"
    " K1_sets-take-their-rank-from-anyone K7_classic"
    " C1_D28_kalookie-40-a-laid-seat-takes-the-discard F2_air-jamaica-a-wrong-challenge-costs-50"
)
WALKS = {
    ("baby", 1): (3, 4, 7, 9, 12, 17, 21, 32, 40, 50, 52, 53),
    ("baby", 3): (12, 46, 60, 66, 83),
    ("jamaican", 1): (7, 31),
    ("kalookie-40", 1): (2, 43),
    ("kooky", 1): (11, 14, 18, 21, 24, 27, 36, 37, 39, 44, 47, 48, 49, 55),
    ("trinidad", 1): (44, 51, 52, 62),
}
#: The same where the choices are played on, by a core that makes up how deals end.
PLAYED = {("baby", 1): (4, 9, 12, 32, 40), ("jamaican", 1): (7, 12, 31), ("kooky", 1): (11, 14, 18, 24, 49)}


def moments(walks: dict[tuple[str, int], tuple[int, ...]]) -> Iterator[View]:
    for (ruleset, number), places in walks.items():
        views = enumerate(islice(decisions(ruleset, "golden", number), places[-1] + 1))
        yield from (view for place, (_, view) in views if place in places)


def heading(view: View) -> str:
    symbols, card = view.rules.faces.symbols, open_card(view)
    table = " | ".join(f"{view.names[meld.owner]} {symbols(meld.cards)}" for meld in view.melds)
    opened = "" if card is None else f", open {symbols([card])}"
    return f"{view.rules.ruleset.id}, {view.phase}, {view.names[view.seat]} {symbols(view.hand)}{opened}: {table}"


def printed(view: View, action: Action) -> str:
    return print_answer(action, view.names, view.rules.faces)


def choices(view: View) -> list[Action]:
    """The advice, what can be done but to throw, and some of the throws."""
    throws = [action for action in view.legal if isinstance(action, Discard)]
    laid = lay_contract(view) if view.may_lay else None
    others = [action for action in view.legal if action not in throws]
    return list(
        dict.fromkeys([hint(view, worlds=0).action, *([laid.action] if laid else []), *others[:6], *throws[::4]])
    )


def judged_text(view: View, judged: Judged | None) -> str:
    if judged is None:
        return "nothing to judge"
    error = "" if judged.error is None else f" ± {judged.error:.1f}"
    return f"{judged.kind} {judged.verdict} {judged.loss:.1f}{error}, best {printed(view, judged.best)}; {judged.why}"


def test_what_is_said_of_choices_by_facts(golden: Golden) -> None:
    views = [position(name) for name in POSITIONS.split()]
    told = list[str]()
    for view in (*views, *moments(WALKS)):
        told += [heading(view), *(f"  ? {step}" for step in hint(view, worlds=0).steps)]
        for action in choices(view):
            told.append(f"  {printed(view, action)}: {reason_of(view, action)}")
            cost, warned = cost_of(view, action, 0), warning(view, action, 0)
            assert bool(warned) == (cost is not None and cost.is_warned_of)
            if cost is not None:
                assert cost.words.endswith(warned)
                told.append(f"    {cost.lost:.1f} lost, {'warned: ' if warned else ''}{cost.words}")
    golden("hints", "\n".join(told))


def made_up(belief: Belief, ways: list[list[Action]], count: int, seed: str, **how: Any) -> list[list[PlayoutResult]]:
    """Endings of deals that hang on the world and the first action alone."""

    def ending(first: str, world: str) -> PlayoutResult:
        def some(text: str, most: int) -> int:
            return crc32(text.encode()) % most

        own = some(world, 60) + some(first, 25) + some(first + world, 20)
        points = [40] * len(view.names)
        points[view.seat] = own if own > 30 else 0
        return PlayoutResult(tuple(points), view.seat if own <= 30 else (view.seat + 1) % len(points), False)

    view = belief.view
    for steps in (how.get("drawing"), how.get("playing")):
        if steps is not None:
            steps.taken += 100 * count
    firsts = [printed(view, way[0]) for way in ways]
    return [[ending(first, f"{seed} {number}") for number in range(count)] for first in firsts]


def rounds(view: View, judged: Judged) -> Iterator[str]:
    """A decision as it is known after each round of its worlds, and after one more."""
    rollout, known = played_on(judged, None)
    while not rollout.is_over:
        yield f"{rollout.played} worlds, {len(rollout.ways)} ways: {judged_text(view, known)} {known.is_open}"
        rollout, known = played_on(judged, rollout)
    yield f"{rollout.played} worlds, {len(rollout.ways)} ways: {judged_text(view, known)} {known.fates}"
    more, known = played_further(judged, rollout)
    yield f"{more.played} worlds, {len(more.ways)} ways: {judged_text(view, known)} {known.fates}"


def mean_text(mean: Mean | None) -> str:
    return "unknown" if mean is None else f"{mean.points:.1f} ± {mean.error:.1f} in {mean.worlds}"


def test_what_is_said_of_choices_that_are_played_on(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Belief, "played_out", made_up)
    for user in ("evaluation.recommendation", "evaluation.rollouts", "players.master"):
        monkeypatch.setattr(f"kalooki_tui.{user}.available", lambda: True)
    told = list[str]()
    for view in moments(PLAYED):
        given = advise(view, worlds=200)
        as_good = ", ".join(printed(view, action) for action in given.hint.as_good)
        told += [heading(view), f"  ? {' '.join(given.hint.steps)} As good in {given.worlds} worlds: {as_good}"]
        for one in given.options[:5]:
            numbers = f"margin {mean_text(one.margin)}, behind {mean_text(one.behind)}"
            told.append(f"  {printed(view, one.action)}: {numbers}; {one.reason}")
        for action in choices(view)[:4]:
            cost, judged = cost_of(view, action, 200), judge(Decision(0, 1, view, action))
            told.append(f"  {printed(view, action)}: {judged_text(view, judged and played_out(judged, 200))}")
            told += [] if cost is None else [f"    {cost.lost:.1f} lost: {cost.words}"]
            told += [f"    {line}" for line in rounds(view, judged)] if judged and action != given.action else []
    golden("hints-played", "\n".join(told))


@pytest.mark.parametrize("gained", [-50.0, 50.0])
def test_what_no_fact_speaks_for_is_said_plainly_and_nobody_is_warned_of_it(
    gained: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if practice had taught to have every card, or to leave it."""
    monkeypatch.setattr(Expert, "learned", lambda expert, view, choice: Trees(0.0, (gained,)))
    told: Counter[str] = Counter()
    for _, view in islice(decisions("jamaican", "x", 2), 0, None, 2):
        if view.phase in (Phase.PLAY, Phase.ADD_ON):
            continue
        found = assess(Situation(view))
        best = found.best.action
        if gained < 0 and isinstance(best, Draw) and best.source is not Source.STOCK:
            assert Expert("coach").keeps_it(view, best), "nobody is told to have a card only to throw it again"
            told["kept"] += 1
        if found.second is None or found.way_out is not None:
            continue
        told[found.fact.case] += 1
        if not found.fact.explains:
            assert hint(view, worlds=0).reason.startswith(("No count", "What can be counted speaks "))
        assert cost_of(view, found.best.action) is None
    if gained < 0:
        assert told["unexplained-have"] > 3
        assert told["kept"]
        assert not {"ready", "call-in-vain"} & set(told)
    else:
        assert told["call-price"] + told["unexplained-leave"] > 3
        assert not {"call-nearer", "take-nearer", "call-completes"} & set(told)


@pytest.mark.parametrize("worlds", [0, 40])
def test_hint_and_cost_are_the_same_with_the_hidden_cards_dealt_anew(worlds: int) -> None:
    compared = 0
    for deal, view in islice(decisions("jamaican", "hidden", 3 if worlds else 9), 3, 48, 9):
        given = hint(view, worlds=worlds)
        anew, action = dealt_anew(deal, view, compared), random.Random(compared).choice(view.legal)
        assert hint(anew, worlds=worlds) == given
        assert cost_of(anew, action, 0) == cost_of(view, action, 0)
        compared += 1
    assert compared > 4


def test_the_reason_speaks_of_the_card_that_the_person_has_in_mind() -> None:
    asked = 0
    for _, view in islice(decisions("jamaican", "mind", 3), 0, None, 2):
        found = assess(Situation(view))
        if not isinstance(found.best.action, Discard) or len(found.options) < 4:
            continue
        for option in found.options[2:4]:
            assert isinstance(option.action, Discard)
            symbol = view.rules.faces.symbol(option.action.card)
            assert symbol in hint(view, about=option.action, worlds=0).reason
            asked += 1
        if asked > 5:
            break
    assert asked > 5


OUT = """ruleset: jamaican
deal: 1
dealer: Cy
turn: Ann
phase: decision
caller: Bea
discarded_by: Dot
seats:
  - {name: Ann, hand: 2C 3C 4C 5C 7C 3D 4D 5D 6D 7D 4H 5H JK}
  - {name: Bea, hand: KS KD 8S 8C 9H 10C 2D 9C JS QH 6S AS}
  - {name: Cy, hand: 9D 10H, laid: true}
  - {name: Dot, hand: KC QC JC 9S 8H 7H 3S AD AH 10D}
discard: 7S
stock: 9H 9S 8D
table:
  - {owner: Cy, cards: 2S 2H 2D}
"""


def test_a_called_card_with_which_the_hand_goes_out_is_refused() -> None:
    """Three 2s lie on the table: with the 7 the whole hand goes, and the others pay double."""
    view = set_up(read_position(OUT)).deal.view(0)
    for worlds in (0, 40):
        given = hint(view, worlds=worlds)
        assert isinstance(given.action, Refuse)
        assert given.reason == "With 7♠ you can go out in this turn, and what the others hold counts double."
    cost = there(cost_of(view, ALLOW[0]))
    assert cost.is_warned_of
    assert could_have([(view, ALLOW[0])]) == f"In turn 1 my advice would have been: {given.suggestion} {given.reason}"
    asked = Allowing.of(view)
    assert Allowing.is_clear(view)
    assert asked.judge(LearnerAnswer(option=0)).right
    wrong = asked.judge(LearnerAnswer(option=1))
    assert not wrong.right
    assert wrong.reason.slots["reason"] == given.reason


def test_a_review_goes_on_in_the_worlds_of_the_hint_and_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[tuple[object, ...]] = []
    real = Belief.played_out

    def play(belief: Belief, ways: list[list[Action]], count: int, seed: str, **how: object) -> object:
        played.append((seed, how["own"], how["others"], count))
        return real(belief, ways, count, seed, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(Belief, "played_out", play)
    compared = 0
    for _, view in islice(decisions("jamaican", "worlds", 3), 0, 40, 4):
        played.clear()
        given = hint(view, worlds=40).action
        hinted = list(played)
        judged = judge(Decision(0, 1, view, given))
        if judged is None or not hinted:
            continue
        played.clear()
        settled(judged, 40)
        common = min(len(hinted), len(played))
        assert [one[:3] for one in played[:common]] == [one[:3] for one in hinted[:common]]
        assert played[: common - 1] == hinted[: common - 1], "only the last round of a hint may be cut short"
        compared += common
        if compared > 3:
            break
    assert compared > 3


def test_every_slot_of_every_sentence_can_be_filled_and_none_is_unused() -> None:
    used = {name for cases in sentences("hints").values() for sentence in cases.values() for name in slots(sentence)}
    assert used == {"card", "cards", "meld", "name", "name_cards", "contract", "deal", "joker", "turn", "advice"}
