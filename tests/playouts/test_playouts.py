import ctypes
import random

import pytest

from kalooki_tui.cards import JOKER, Card
from kalooki_tui.engine.actions import (
    ALLOW,
    CALL,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    PASS,
    REFUSE,
    Action,
    Discard,
    Draw,
    Group,
    Lay,
    Source,
)
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.notation.card_text import parse_cards
from kalooki_tui.players.numbers import power_of_e
from kalooki_tui.playouts import (
    CLUB,
    NOVICE,
    Cards,
    CoreSeat,
    PlayoutFault,
    PlayoutResult,
    endings,
    library,
    play_deal,
    trials,
)
from kalooki_tui.playouts.compiler import LIBRARY
from kalooki_tui.playouts.marshal import why_not_playable
from kalooki_tui.playouts.worlds import Style
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import make_settings, resolve
from kalooki_tui.rulesets.model import Contract
from lab import prove_playouts
from tests.players.test_club import POSITIONS as WAYS_OUT
from tests.players.test_club import at_play


def fresh(ruleset: str = "jamaican", seats: int = 4, number: int = 3, seed: str = "one") -> Deal:
    resolved = resolve(ruleset, (), seats)
    rules = make_rules(resolved, seats, Referee.STRICT, make_settings(resolved, {}))
    deal = Deal(rules, tuple("ABCDEFGH"[:seats]), number, 0, 1 % seats, seed)
    deal.begin()
    return deal


def at_discard(deal: Deal) -> Deal:
    while deal.phase is Phase.CALL_WINDOW:
        deal.apply(PASS[deal.actor])
    deal.apply(DRAW_STOCK[deal.turn])
    return deal


def some_worlds(deal: Deal, count: int) -> list[Cards]:
    worlds = []
    for number in range(count):
        hidden = [card for seat, hand in enumerate(deal.hands) if seat != deal.turn for card in hand] + deal.stock
        random.Random(number).shuffle(hidden)
        hands: list[list[Card]] = []
        for seat, hand in enumerate(deal.hands):
            size = 0 if seat == deal.turn else len(hand)
            hands.append(hidden[:size])
            del hidden[:size]
        worlds.append(Cards(hands, hidden))
    return worlds


def test_a_playout_changes_no_deal_and_ends_as_the_engine_says() -> None:
    deal = at_discard(fresh())
    before = (deal.hands, deal.stock, deal.pile, len(deal.history))
    played = play_deal(deal, seed="7")
    assert (deal.hands, deal.stock, deal.pile, len(deal.history)) == before
    for action, stock in played.actions:
        deal.next_stock = stock
        deal.apply(action)
    assert deal.actor is None
    assert played.ending == PlayoutResult(tuple(deal.points), deal.out, deal.void)
    assert endings(at_discard(fresh()), seed="7") == [[played.ending]]
    kinds = {play_deal(fresh(), styles=[style] * 4).actions for style in (CLUB, CoreSeat(Style(risk=5.0)), NOVICE)}
    assert len(kinds) == 3


def test_margins_are_points_less_the_average_of_the_others() -> None:
    assert PlayoutResult((0, 30, 60), 0, False).margin(0) == -45
    assert PlayoutResult((0, 30, 60), 0, False).margin(2) == 45
    deal = at_discard(fresh())
    worlds = some_worlds(deal, 5)
    ways = [[DISCARD[deal.turn][card]] for card in sorted(set(deal.hands[deal.turn]))[:3]]
    found = endings(deal, worlds, ways)
    assert [len(by_world) for by_world in found] == [5, 5, 5]
    assert len({ending.points for by_world in found for ending in by_world}) > 3


def test_the_same_arguments_give_the_same_endings_whatever_the_threads() -> None:
    deal = at_discard(fresh("kooky"))
    worlds = some_worlds(deal, 23)
    ways = [[], [DISCARD[deal.turn][deal.hands[deal.turn][0]]]]
    styles = [CLUB, NOVICE, CoreSeat(Style(horizon=6.0)), NOVICE]
    once = endings(deal, worlds, ways, styles=styles, seed="s")
    for threads in (1, 2, 3, 40):
        assert endings(deal, worlds, ways, styles=styles, seed="s", threads=threads) == once
    assert endings(deal, worlds, ways, styles=styles, seed="another") != once


def test_where_seats_draw_apart_two_ways_differ_by_less_luck() -> None:
    deal = at_discard(fresh())
    seat = deal.actor
    worlds, ways = some_worlds(deal, 60), [[DISCARD[seat][card]] for card in sorted(set(deal.hands[seat]))[:4]]

    def play(apart: bool, threads: int = 1) -> list[list[float]]:
        found = endings(deal, worlds, ways, seed="apart", threads=threads, apart=apart)
        return [[ending.margin(seat) for ending in by_world] for by_world in found]

    def luck(found: list[list[float]]) -> float:
        differences = [[one - other for one, other in zip(way, found[0], strict=True)] for way in found[1:]]
        means = [sum(way) / len(way) for way in differences]
        return sum((one - mean) ** 2 for way, mean in zip(differences, means, strict=True) for one in way)

    together, apart = play(False), play(True)
    assert luck(apart) < 0.9 * luck(together)
    # What a way comes to on average is the same.
    averages = [sum(map(sum, found)) / 240 for found in (together, apart)]
    assert abs(averages[0] - averages[1]) < 15
    assert play(True, threads=3) == apart


def test_the_worlds_of_others_leave_the_seat_its_own_hand() -> None:
    deal = at_discard(fresh())
    worlds = some_worlds(deal, 3)
    assert all(not world.hands[deal.turn] for world in worlds)
    own = deal.hands[deal.turn]
    with_own_hand = [Cards([hand or own for hand in world.hands], world.stock) for world in worlds]
    assert endings(deal, worlds) == endings(deal, with_own_hand)


def test_a_way_may_begin_with_what_the_engine_lays_and_tacks() -> None:
    deal = at_discard(fresh("baby", 3, 1))
    hand = deal.hands[deal.turn]
    hand[:] = [0, 13, 26, 1, 14, 27, 50]
    groups = (Group((0, 13, 26)), Group((1, 14, 27)))
    lay, throw = Lay(deal.turn, groups), DISCARD[deal.turn][50]
    found = endings(deal, (), [[lay, throw], [throw], [lay]])
    # Laying goes out in the same turn; with the contract held back others may.
    assert found[0] == found[2]
    assert found[0][0].out == deal.turn
    assert found[0][0].points[deal.turn] == 0
    assert len(deal.melds) == 0
    with pytest.raises(Refused):
        endings(deal, (), [[Lay(deal.turn, groups[:1])]])


def test_a_way_that_ends_the_deal_counts_the_hands_of_each_world() -> None:
    deal = at_discard(fresh("trinidad", 3, 1))
    seat, hand, values = deal.turn, deal.hands[deal.turn], deal.rules.values
    hand[:] = [0, 13, 26, 1, 14, 27, 2, 15, 28]
    lay = Lay(seat, (Group((0, 13, 26)), Group((1, 14, 27)), Group((2, 15, 28))))
    worlds = [Cards([[5]] * 3, deal.stock), Cards([[5, 9]] * 3, deal.stock)]
    few, many = endings(deal, worlds, [[lay]])[0]
    assert few.out == many.out == seat
    assert few.points[seat] == many.points[seat] == 0
    other = (seat + 1) % 3
    assert few.points[other] == values[5]
    assert many.points[other] == values[5] + values[9]


def test_calls_answers_and_draws_may_come_first() -> None:
    deal = fresh()
    assert deal.phase is Phase.CALL_WINDOW
    caller = deal.actor
    played = play_deal(deal, [CALL[caller]])
    assert played.actions[0][0] == CALL[caller]
    after = at_discard(fresh())
    assert play_deal(fresh(), [PASS[2], PASS[3], PASS[0], Draw(1, Source.STOCK)]).ending == play_deal(after).ending


@pytest.mark.parametrize("level", ["club", "novice", "expert"])
def test_a_card_drawn_in_the_open_is_kept_for_the_turn_and_a_refused_one_may_go(level: str) -> None:
    deal = fresh(number=1)
    seat, faces = deal.turn, deal.rules.faces
    deal.hands[seat] = list(parse_cards("4C 4H 8C 8H JC JH 5S 3D", faces))
    (king,) = parse_cards("KD", faces)
    deal.pile[-1] = king
    caller = deal.actor
    styles = [CoreSeat(level=level)] * 4

    def thrown(deal: Deal, *first: Action) -> Card:
        actions = [action for action, _ in play_deal(deal, first, styles=styles).actions]
        return next(action.card for action in actions[len(first) :] if isinstance(action, Discard))

    if level != "novice":  # which throws what it takes a fancy to
        assert thrown(deal, CALL[caller], REFUSE[seat]) == king
    passes = [PASS[other] for other in deal.asked]
    assert thrown(deal, *passes, DRAW_DISCARD[seat]) != king
    # So too where it was drawn before the deal was handed over.
    for action in (*passes, DRAW_DISCARD[seat]):
        deal.apply(action)
    assert thrown(deal) != king
    # And where there is nothing else that could be thrown.
    deal.hands[seat] = [JOKER, king]
    assert thrown(deal) == king


def test_what_is_not_open_or_makes_no_sense_is_a_fault() -> None:
    deal = at_discard(fresh())
    missing = next(card for card in range(52) if card not in deal.hands[deal.turn])
    for way in ([DISCARD[deal.turn][missing]], [CALL[0]], [PASS[0]]):
        with pytest.raises(PlayoutFault, match=r"^The native core gave up: a first action is not allowed\.$"):
            endings(deal, (), [way])
    with pytest.raises(
        PlayoutFault, match=r"^The native core gave up: the deal that was handed over makes no sense\.$"
    ):
        endings(deal, [Cards([[99], [], [], []], [])])
    with pytest.raises(PlayoutFault, match=r"makes no sense"):
        endings(deal, [Cards([[], []], [1])])
    assert len(endings(deal)) == 1
    with pytest.raises(ValueError, match=r"^there are 4 seats, but 3 styles$"):
        play_deal(fresh(), styles=[CLUB] * 3)
    for action, stock in play_deal(deal).actions:
        deal.next_stock = stock
        deal.apply(action)
    with pytest.raises(ValueError, match=r"^there is nothing to play out"):
        endings(deal)
    rules = fresh("trinidad").rules
    assert why_not_playable(rules, Contract(cards=12, asked_runs=3)) == ""
    assert why_not_playable(rules, Contract(cards=40, asked_runs=5)).startswith(
        "The native core plays no contract of more"
    )
    assert why_not_playable(rules, Contract(cards=12, points=40)).startswith("The native core plays for points only")


def test_a_choice_is_tried_in_many_stocks_as_it_would_be_played_on_in_them() -> None:
    expert = CoreSeat(Style(horizon=6.0), level="expert")
    deal, styles, rates = fresh(seed="refusals"), [expert] * 4, [0.0, 1.0, 0.0, 0.0]
    rows, ending = trials(deal, styles=styles, rates=rates, seed="7", stocks=60)
    as_they_lie, same_ending = trials(deal, styles=styles, rates=rates, seed="7")
    assert ending == same_ending
    assert [(row[0], row[1]) for row in rows] == [(row[0], row[1]) for row in as_they_lie]
    assert all(row[0] == 1 for row in rows)
    for action, stock in play_deal(deal, styles=styles, seed="7").actions:
        if deal.phase is Phase.DECISION:
            break
        deal.next_stock = stock
        deal.apply(action)
    seat, chance = deal.turn, random.Random(1)
    assert rows[0][1] == seat
    stocks = [Cards(deal.hands, chance.sample(deal.stock, len(deal.stock))) for _ in range(60)]
    ways = [[REFUSE[seat]], [ALLOW[seat]]]
    refused, allowed = endings(deal, stocks, ways, styles=styles, seed="7", apart=True)
    gained = [one.margin(seat) - other.margin(seat) for one, other in zip(refused, allowed, strict=True)]
    assert rows[0][3] == pytest.approx(sum(gained) / 60, abs=20)
    assert as_they_lie[0][3] != pytest.approx(rows[0][3], abs=0.5)


def test_a_core_that_reads_other_numbers_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    swapped = library.FIELDS.replace("keep risk ", "risk keep ")
    assert swapped != library.FIELDS
    monkeypatch.setattr(library, "FIELDS", swapped)
    with pytest.raises(OSError, match="it reads other numbers"):
        library.Library()


def test_a_power_of_e_is_the_players_to_the_last_bit() -> None:
    native = ctypes.CDLL(str(LIBRARY)).kalooki_power_of_e
    native.restype, native.argtypes = ctypes.c_double, [ctypes.c_double]
    dice = random.Random(1)
    for exponent in [0.0, -700.0, -701.0, *(-(10 ** dice.uniform(-12, 3)) for _ in range(5_000))]:
        assert native(exponent) == power_of_e(exponent), exponent


@pytest.mark.parametrize("seat", [CoreSeat(), NOVICE, CoreSeat(level="expert")], ids=lambda seat: seat.level)
@pytest.mark.parametrize("position", WAYS_OUT)
def test_a_seat_that_can_go_out_goes_out(
    position: tuple[str, str, tuple[str, ...], tuple[str, ...]], seat: CoreSeat
) -> None:
    assert play_deal(at_play(*position), styles=[seat] * 3, seed="1").ending.out == 1


RULESETS = [*(entry.id for entry in available()), "tests/solver/circle.yaml"]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_engine_accepts_every_action_and_the_players_choose_alike(ruleset: str) -> None:
    proof = prove_playouts.prove_some(ruleset, 100_000, 20, 20)
    assert proof.failures == []
    assert proof.deals == 20
    assert proof.actions > 500
    assert proof.others == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_experts_too(ruleset: str) -> None:
    proof = prove_playouts.prove_some(ruleset, 200_000, 3, 1, "expert")
    assert proof.failures == []
    assert proof.compared == 3
    assert proof.others == []
