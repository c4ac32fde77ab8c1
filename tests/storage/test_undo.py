import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Action, Call, Discard, Draw, Group, Lay, Pass, Refuse, Source
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase
from kalooki_tui.match.headless import ai_players
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.records.checkpoints import shows_nothing
from kalooki_tui.records.playback import verify
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.storage.exchange import export_record
from kalooki_tui.storage.files import StoreError
from kalooki_tui.storage.journal import MatchJournal
from kalooki_tui.storage.match_store import Store
from tests.moments import there
from tests.property.tables import RULESETS, sensible_action, snapshot, wild_action
from tests.records.record_play import load_match
from tests.storage.tables import PEOPLE, bare, open_table, play, verified


def to_draw(live: MatchJournal) -> int:
    match = live.table.match
    while match.phase is not Phase.DRAW:
        assert match.actor is not None
        live.table.apply(Pass(match.actor))
    assert match.actor is not None
    return match.actor


def decisions(live: MatchJournal) -> Iterator[Action]:
    """Play the live match on by the computer, one decision after another."""
    players = ai_players(live.table) | ai_players(
        open_table(seats=tuple(SeatPlan(p.name, "ai:novice") for p in live.table.plans))
    )
    while live.table.match.actor is not None:
        actor = live.table.match.actor
        action = players[actor].decide(live.table.view(actor)).action
        live.table.apply(action)
        yield action


def test_a_refused_call_is_taken_back_and_then_the_call(store: Store) -> None:
    live = store.begin(open_table(seats=PEOPLE))
    match = live.table.match
    assert match.phase is Phase.CALL_WINDOW
    assert match.actor is not None
    before_call = snapshot(match)
    live.table.apply(Call(match.actor))
    assert match.actor is not None
    before_refusal = snapshot(match)
    live.table.apply(Refuse(match.actor))
    assert live.why_not_undo() is None
    assert snapshot(live.undo().match) == before_refusal
    assert live.why_not_undo() is None
    assert snapshot(live.undo().match) == before_call


def test_why_nothing_can_be_taken_back_is_a_sentence(store: Store) -> None:
    drawn = store.begin(open_table(seats=PEOPLE))
    drawn.table.apply(Draw(to_draw(drawn), Source.STOCK))
    lines = list(store.lines(drawn.id))
    assert drawn.why_not_undo() == "A new card has been seen since: a step can be taken back only until then."
    with pytest.raises(StoreError, match="new card has been seen"):
        drawn.undo()
    assert list(store.lines(drawn.id)) == lines
    live = store.begin(open_table())
    assert live.why_not_undo() == "There is nothing to take back in this deal."
    assert any(action.seat != 0 for action in decisions(live))
    assert live.why_not_undo() == "Another seat has decided since: a step can be taken back only until then."
    play(live.table)
    assert live.why_not_undo() == "The match is over."
    called = store.begin(open_table(seed=1))
    assert next(decisions(called)).seat != 0
    assert called.why_not_undo() == "There is nothing of yours to take back in this deal."
    passed = store.begin(open_table(seats=PEOPLE), teaching=True)
    assert passed.table.match.actor is not None
    passed.table.apply(Pass(passed.table.match.actor), asked=False)
    assert passed.why_not_undo() == "There is nothing of yours to take back in this deal."


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whatever_showed_a_card_ends_taking_back_whoever_did_it(store: Store, ruleset: str) -> None:
    """People pass by themselves or have it done for them; what follows the step taken back showed nobody anything."""
    dice, taken, passed = random.Random(ruleset), 0, 0
    count = min(load_ruleset(ruleset).seat_counts)
    seats = tuple(SeatPlan(name) for name in ("Ann", "Bob", "Cat", "Dee")[:count])
    for seed in itertools.count():
        live = store.begin(open_table(ruleset, seats=seats, seed=seed))
        since: list[tuple[bool, bool]] = []
        live.table.listen(lambda step, since=since: since.append((step.asked, shows_nothing(step.events))))
        while live.table.match.actor is not None:
            action = sensible_action(live.table.match, dice)
            asked = not isinstance(action, Pass) or dice.random() < 0.3
            passed += not asked
            live.table.apply(action, asked=asked)
            if live.why_not_undo() is None:
                last = max(place for place, (was_asked, _) in enumerate(since) if was_asked)
                assert all(harmless for _, harmless in since[last:])
                taken += 1
        live.close()
        if taken > 30 and (passed > 30 or seed > 10):
            break


@pytest.mark.parametrize("teaching", [True, False])
def test_a_pass_made_for_a_person_is_no_step_of_that_person(store: Store, tmp_path: Path, teaching: bool) -> None:
    live = store.begin(open_table(seats=PEOPLE), teaching=teaching)
    seat = to_draw(live)
    live.table.apply(Draw(seat, Source.DISCARD))
    before = snapshot(live.table.match)
    live.table.apply(Discard(seat, next(card for card in live.table.match.deal.hands[seat] if card != JOKER)))
    while live.table.match.phase is Phase.CALL_WINDOW:
        assert live.table.match.actor is not None
        live.table.apply(Pass(live.table.match.actor), asked=False)
    assert not live.passed_last
    live.close()
    with store.resume(live.id) as again:
        assert again.lines[-1].count('"unasked": true') == 1
        assert again.why_not_undo() is None
        assert snapshot(again.undo().match) == before
        assert verified(again.lines, tmp_path)


def test_the_journal_shows_what_was_taken_back_and_still_follows(store: Store, tmp_path: Path) -> None:
    live = store.begin(open_table(seats=PEOPLE))
    seat, old = to_draw(live), live.table
    old.apply(Draw(seat, Source.DISCARD))
    live.undo()
    lines = list(store.lines(live.id))
    assert bare(lines)[-1] == {"undone": 1}
    play(old, 3)  # as an AI seat may still do at the old table
    assert list(store.lines(live.id)) == lines
    live.table.apply(Draw(seat, Source.STOCK))
    file = tmp_path / "record"
    export_record(store, live.id, file, open_hands=True)
    assert verify(str(file)).ok
    assert snapshot(there(load_match(str(file))[1])) == snapshot(live.table.match)


def test_every_step_that_can_be_taken_back_leads_to_where_it_was(store: Store) -> None:
    live = store.begin(open_table(seats=PEOPLE, seed=3))
    before, undone = snapshot(live.table.match), set()
    for action in itertools.islice(decisions(live), 400):
        if live.why_not_undo() is None:
            undone.add(type(action))
            live.undo()
            assert snapshot(live.table.match) == before
            live.table.apply(action)
        before = snapshot(live.table.match)
    assert {Pass, Discard, Lay} <= undone


@pytest.mark.sweep(2)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("ruleset", ["kooky", "jamaican", "air-jamaica"])
def test_any_walk_of_steps_undos_and_resumes_is_the_match_it_tells_of(store: Store, ruleset: str, seed: int) -> None:
    dice = random.Random(seed)
    live = store.begin(open_table(ruleset, PEOPLE, seed, Referee.PENALTIES), teaching=True)
    standings, charged = [snapshot(live.table.match)], 0
    for _ in range(200):
        match, choice = live.table.match, dice.random()
        if match.actor is None:
            live.table.next_deal()
            standings = [snapshot(match)]
        elif choice < 0.25 and len(standings) > 1:
            live.undo()
            standings.pop()
        elif choice < 0.3:
            live.close()
            live = store.resume(live.id)
        else:
            action = wild_action(match, dice) if dice.random() < 0.2 else sensible_action(match, dice)
            if match.phase is Phase.PLAY and dice.random() < 0.3:
                action = Lay(match.actor, (Group(tuple(match.deal.hands[match.actor][:3])),))
            try:
                live.table.apply(action)
            except Refused as refused:
                charged += refused.refusal.changed
                if not refused.refusal.changed:
                    continue
            standings.append(snapshot(match))
        assert snapshot(live.table.match) == standings[-1]
        assert (live.why_not_undo() is None) == (len(standings) > 1)
    assert charged > 0
