import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import (
    ALLOW,
    CALL,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    PASS,
    REFUSE,
    Action,
    Call,
    Discard,
    Lay,
)
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.players import LEVEL_TEXTS, PACES, belief, make_player, master, without_core
from kalooki_tui.players.belief import Belief
from kalooki_tui.players.club import away
from kalooki_tui.players.expert import Expert
from kalooki_tui.players.lessons import Trees
from kalooki_tui.players.master import Master
from kalooki_tui.players.race import FIRST_ROUND, WORTH_KNOWING, Contender, Race
from kalooki_tui.playouts import LIGHT, PlayoutFault
from lab.deals import dealt, rules_of
from tests.players.simulate import new_deal, rules_for


def at_discard(ruleset: str = "jamaican", seats: int = 3) -> Deal:
    deal = new_deal(rules_for(ruleset, seats), 2, 8)
    player = make_player("club", "0")
    discards = 0
    while True:
        action = player.decide(deal.view(deal.actor)).action
        discards += isinstance(action, Discard)
        if discards == 4 and isinstance(action, Discard) and deal.laid[action.seat] is HasLaid.NO:
            return deal
        deal.apply(action)


class Came(NamedTuple):
    points: float

    def margin(self, seat: int) -> float:
        return self.points


def answering(margin: Callable[[Action, int], float], asked: list[int]) -> Callable[..., list[list[Came]]]:
    """Playouts that come to what `margin` says of a way's first action and the world's number, counted on and on."""

    def play(deal: Deal, worlds: Sequence[object], ways: Sequence[Sequence[Action]], **_: object) -> list[list[Came]]:
        start = sum(asked)
        asked.append(len(worlds))
        return [[Came(margin(way[0], start + number)) for number in range(len(worlds))] for way in ways]

    return play


def chosen(
    deal: Deal, monkeypatch: pytest.MonkeyPatch, margin: Callable[[Action, int], float], asked: list[int] | None = None
) -> Action:
    monkeypatch.setattr(belief, "endings", answering(margin, [] if asked is None else asked))
    return Master("1").decide(deal.view(deal.actor)).action


def two_throws(deal: Deal) -> tuple[Action, Action]:
    view = deal.view(deal.actor)
    usual = make_player("expert", "1").decide(view).action
    ordered = sorted(Master("1").weigh_throws(view), key=lambda one: -one.total)
    other = DISCARD[view.seat][ordered[1].card]
    assert usual != other
    return usual, other


def test_the_card_that_comes_out_best_is_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    usual, other = two_throws(deal)
    noise = random.Random(3)
    luck = [noise.gauss(0, 100) for _ in range(1_000)]
    assert chosen(deal, monkeypatch, lambda action, world: luck[world] - 30 * (action == other)) == other
    # No card is better, or all are as good: the expert's choice stays.
    assert chosen(deal, monkeypatch, lambda action, world: luck[world] - 30 * (action == usual)) == usual
    assert chosen(deal, monkeypatch, lambda action, world: luck[world]) == usual


def test_few_worlds_do_not_make_up_for_what_was_thought_before(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    usual, other = two_throws(deal)
    monkeypatch.setattr(belief, "endings", answering(lambda action, _: -10.0 * (action == other), []))
    choices = [Contender((usual,)), Contender((other,), handicap=5.0, spread=10.0)]
    for worlds, best in ((20, 0), (640, 1)):
        race = Race(deal.view(deal.actor), choices, LIGHT, "1", worlds=worlds, threads=1)
        assert race.run() == best


def test_choices_that_are_clearly_behind_are_played_on_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    usual, other = two_throws(deal)
    asked: list[int] = []
    chosen(deal, monkeypatch, lambda action, world: 300.0 * (action != usual) + world, asked)
    assert asked == [FIRST_ROUND]
    asked.clear()
    # One that is clearly ahead needs no more worlds either; one that is hardly ahead gets them all.
    chosen(
        deal,
        monkeypatch,
        lambda action, world: 300.0 * (action not in (usual, other)) - 60.0 * (action == other),
        asked,
    )
    assert sum(asked) < PACES[""]
    asked.clear()
    chosen(
        deal,
        monkeypatch,
        lambda action, world: (
            300.0 * (action not in (usual, other)) + (action == other) * (-0.5 + 100.0 * (-1) ** world)
        ),
        asked,
    )
    assert sum(asked) == PACES[""]


def close_race(ruleset: str, worlds: int, threads: int = 1, worth: float = WORTH_KNOWING) -> tuple[Race, int]:
    deal = at_discard(ruleset)
    throws = [action for action in deal.legal() if isinstance(action, Discard)]
    # Each is hoped to be better by far, whatever the worlds say.
    choices = [Contender((throw,), -99.0 * (number > 0), 0.01) for number, throw in enumerate(throws[:6])]
    race = Race(deal.view(deal.actor), choices, LIGHT, "1", worlds=worlds, threads=threads, worth=worth)
    race.run()
    return race, len(race.usual)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kooky", "kalookie-40"])
def test_a_decision_takes_no_more_than_its_steps(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.players.race.MOST_STEPS", 3_000)
    race, worlds = close_race(ruleset, 320, worth=0.0)
    taken, most = race.drawing.taken + race.playing.taken, 3_000 * 320
    # The last worlds may take more steps each than those before them did.
    assert FIRST_ROUND < worlds < 320
    assert 0.8 * most < taken < 1.2 * most
    # Both are counted, and the same whatever the number of threads.
    assert race.drawing.taken > 0 < race.playing.taken
    again, as_many = close_race(ruleset, 320, threads=2, worth=0.0)
    assert as_many == worlds
    assert (again.drawing.taken, again.playing.taken) == (race.drawing.taken, race.playing.taken)


def test_what_playing_on_flatters_is_taken_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    usual, other = two_throws(deal)
    monkeypatch.setattr(belief, "endings", answering(lambda action, _: -10.0 * (action == other), []))
    for flattered, best in ((8.0, 1), (12.0, 0)):
        choices = [Contender((usual,)), Contender((other,), spread=100.0, flattered=flattered)]
        race = Race(deal.view(deal.actor), choices, LIGHT, "1", worlds=640, threads=1)
        assert race.run() == best


def test_an_open_card_is_called_or_left_as_playing_on_says(monkeypatch: pytest.MonkeyPatch) -> None:
    deal, player, turned = new_deal(rules_for("jamaican", 3), 2, 8), make_player("expert", "1"), set[str]()
    while deal.actor is not None and turned != {"call", "pass"}:
        view = deal.view(deal.actor)
        usual = player.decide(view).action
        contrary = {CALL[view.seat]: PASS[view.seat], PASS[view.seat]: CALL[view.seat]}.get(usual)
        if contrary in view.legal and deal.laid[view.seat] is HasLaid.NO:
            found = chosen(deal, monkeypatch, lambda action, _, better=contrary: -100.0 * (action == better))
            if found == contrary:
                turned.add("call" if isinstance(found, Call) else "pass")
            # Neither is better: the expert's choice stays.
            assert chosen(deal, monkeypatch, lambda *_: 0.0) == usual
        deal.apply(usual)
    assert turned == {"call", "pass"}


def about_a_useless_card(phase: Phase) -> tuple[Deal, Action]:
    """A deal in which a seat may have a card that it would throw in the same turn; and how it would have it."""
    deal, player = new_deal(rules_for("jamaican", 3), 2, 8), make_player("expert", "1")
    while True:
        seat, having = deal.actor, {Phase.DRAW: DRAW_DISCARD, Phase.DECISION: REFUSE}[phase][deal.actor]
        view = deal.view(seat)
        if deal.phase is phase and having in view.legal and not Expert("1").keeps_it(view, having):
            assert deal.laid[seat] is HasLaid.NO
            return deal, having
        deal.apply(player.decide(view).action)


def test_an_open_card_that_would_be_thrown_is_no_choice_to_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    deal, drawing = about_a_useless_card(Phase.DRAW)
    card, asked = deal.pile[-1], list[int]()
    # As if practice had taught to take it.
    monkeypatch.setattr(Expert, "learned", lambda *_: Trees(0.0, (-15.0,)))
    assert chosen(deal, monkeypatch, lambda action, _: -100.0 * (action == drawing), asked) == DRAW_STOCK[drawing.seat]
    assert asked == []
    # Where it was drawn all the same it is no choice to throw either.
    deal.apply(drawing)
    again = DISCARD[drawing.seat][card]
    thrown = chosen(deal, monkeypatch, lambda action, _: -100.0 * (action == again), asked)
    assert isinstance(thrown, Discard)
    assert thrown != again
    assert asked


def test_a_call_is_refused_for_a_card_that_goes_at_once_only_where_playing_on_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal, refusing = about_a_useless_card(Phase.DECISION)
    allowing = ALLOW[refusing.seat]
    monkeypatch.setattr(Expert, "learned", lambda *_: Trees(0.0, (-15.0,)))
    assert chosen(deal, monkeypatch, lambda *_: 0.0) == allowing
    assert chosen(deal, monkeypatch, lambda action, _: -100.0 * (action == refusing)) == refusing
    # It may go then, if that is best.
    card = deal.pile[-1]
    deal.apply(refusing)
    again = DISCARD[refusing.seat][card]
    assert chosen(deal, monkeypatch, lambda action, _: -100.0 * (action == again)) == again


@pytest.mark.parametrize(("near", "asks"), [(True, True), (False, False)])
def test_what_practice_is_sure_of_is_asked_about_only_near_the_contract(
    near: bool, asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Expert, "learned", lambda *_: Trees(0.0, (-2 * master.MOST_CARD_HANDICAP,)))
    deal, player = new_deal(rules_for("jamaican", 3), 2, 8), make_player("club", "1")
    while True:
        view = deal.view(deal.actor)
        if CALL[view.seat] in view.legal and (away(view, view.hand) <= 1) is near and Expert("1").wants_to_call(view):
            break
        deal.apply(player.decide(view).action)
    asked: list[int] = []
    better = PASS[view.seat] if asks else CALL[view.seat]
    assert chosen(deal, monkeypatch, lambda action, _: -100.0 * (action == PASS[view.seat]), asked) == better
    assert bool(asked) is asks


@pytest.mark.parametrize(("cards", "asks"), [(1, True), (3, False)])
def test_the_dearest_joker_may_go_where_somebody_may_go_out(
    cards: int, asks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal = at_discard("kooky")
    seat, other = deal.actor, (deal.actor + 1) % 3
    deal.hands[seat][0] = JOKER
    deal.laid[other] = HasLaid.EARLIER
    deal.pile[:0] = deal.hands[other][cards:]
    del deal.hands[other][cards:]
    joker = DISCARD[seat][JOKER]
    assert (chosen(deal, monkeypatch, lambda action, _: -100.0 * (action == joker)) == joker) is asks


def test_a_contract_may_be_kept_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = new_deal(rules_for("classic", 3), 1, 1)
    while deal.phase is not Phase.PLAY:
        deal.apply(deal.legal()[0])
    deal.hands[deal.turn][:] = [0, 13, 26, 1, 14, 40, 2, 15, 28, 50, 33]
    assert isinstance(chosen(deal, monkeypatch, lambda action, world: 0.0), Lay)
    kept = chosen(deal, monkeypatch, lambda action, world: 200.0 * isinstance(action, Lay))
    assert isinstance(kept, Discard)


def test_without_a_core_the_master_is_an_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()
    view = deal.view(deal.actor)
    usual = make_player("expert", "1").decide(view)
    monkeypatch.setattr(master, "available", lambda: False)
    monkeypatch.setattr(master, "why_not", lambda: "There is no core.")
    assert Master("1").decide(view) == replace(usual, notice="There is no core. The master plays like the expert.")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", ["jamaican", "trinidad", "kooky", "kalookie-40", "tuluki"])
def test_every_decision_is_the_same_with_hidden_cards_dealt_anew(ruleset: str) -> None:
    deal, decisions, others = dealt(rules_of(ruleset), 2, 0, "anew"), 0, 0
    while deal.actor is not None and decisions < 12:
        view = deal.view(deal.actor)
        decision = Master(f"{view.seat}", worlds=12).decide(view)
        if deal.phase is Phase.CUT:
            deal.apply(decision.action)
            continue
        known = Belief(view)
        other = known.deal(known.worlds(1, f"{len(view.history)}")[0])
        assert Master(f"{view.seat}", worlds=12, threads=1).decide(other.view(view.seat)) == decision
        decisions, others = decisions + 1, others + (other.hands != deal.hands)
        deal.apply(decision.action)
    assert decisions > 10
    assert others > 0.9 * decisions


def test_a_fault_of_the_core_is_a_sentence_and_the_experts_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = at_discard()

    def broken(*_: object, **__: object) -> None:
        raise PlayoutFault("The native core gave up: there is not enough memory.")

    monkeypatch.setattr(belief, "endings", broken)
    decision = Master("1").decide(deal.view(deal.actor))
    assert decision.notice == "The native core gave up: there is not enough memory. The master plays like the expert."
    assert replace(decision, notice="") == make_player("expert", "1").decide(deal.view(deal.actor))


def test_a_pace_is_a_number_of_worlds() -> None:
    for text in ("master", "master/quick", "master/slow"):
        player = make_player(text, "1")
        assert isinstance(player, Master)
        assert player.worlds == PACES[text.removeprefix("master").removeprefix("/")]
        assert text in LEVEL_TEXTS
        # Where the core has ended the process that thinks, whoever decides does without it.
        assert without_core(text) == "expert"
    assert parse_seats(["ai:master/quick", "ai:club"])[0].level == "master/quick"
    assert without_core("club/caller") == "club/caller"
