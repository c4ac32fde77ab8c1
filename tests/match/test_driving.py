import sys
from collections.abc import Callable
from shlex import quote

import pytest

from kalooki_tui.engine.actions import Call, Discard, Draw, Pass, Source
from kalooki_tui.engine.events import Called, Passed
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.view import View
from kalooki_tui.match.headless import play_match
from kalooki_tui.match.live_match import Driver, Moment, Table, TableSetup, Wait, WaitKind
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.players import PlayerChoice
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import set_up
from kalooki_tui.rulesets.loader import resolve
from tests.moments import VOID, call_window


def table_at(text: str) -> Table:
    position = read_position(text)
    match = set_up(position)
    plans = tuple(SeatPlan(name, "ai:club") for name in match.names)
    rules = position.rules
    return Table(TableSetup(rules.ruleset, plans, position.seed, rules.referee, rules.settings), match, plans)


def void_again(times: int = 3) -> Table:
    table = table_at(VOID)
    table.match.deal.attempt = times
    table.apply(Draw(0, Source.STOCK))
    assert table.match.asks_to_go_on
    return table


class Decides:
    def __init__(self, kind: type) -> None:
        self.kind = kind

    def decide(self, view: View) -> PlayerChoice:
        return PlayerChoice(next((action for action in view.legal if isinstance(action, self.kind)), view.legal[0]))


def test_the_end_of_a_deal_comes_up_once() -> None:
    driver = Driver(void_again(), people=(0,))
    assert driver.advance() == Wait(WaitKind.END_OF_DEAL)
    assert driver.advance() == Wait(WaitKind.GO_ON)
    assert driver.advance() == Wait(WaitKind.GO_ON)


@pytest.mark.parametrize(("again", "deal", "attempt"), [(True, 2, 4), (False, 3, 1)])
def test_people_say_whether_a_void_contract_is_dealt_again(again: bool, deal: int, attempt: int) -> None:
    driver = Driver(void_again(), people=(0,))
    driver.advance()
    driver.deal(again=again)
    assert (driver.table.match.deal.number, driver.table.match.deal.attempt) == (deal, attempt)


def test_where_nobody_can_be_asked_a_void_contract_is_passed_over() -> None:
    driver = Driver(void_again(4))
    driver.advance()
    assert driver.advance() == Wait(WaitKind.DEAL)
    driver.deal()
    assert driver.table.match.deal.number == 3


def test_several_people_are_asked_at_once_and_the_others_in_their_places() -> None:
    table = table_at(call_window())
    driver = Driver(table, people=(0, 2))
    window = table.moment
    # Bob is asked first, as the seat after Ann's; Ann, whose turn it is, calls nothing.
    assert driver.advance() == Wait(WaitKind.SEAT, (1,))
    driver.take(1, PlayerChoice(Pass(1)))
    assert table.moment == window
    assert driver.advance() == Wait(WaitKind.CALLERS, (2,))


def test_tulukis_turn_seat_is_asked_about_the_card_as_others_are() -> None:
    table = Table.open(TableSetup(resolve("tuluki"), parse_seats(["Ann", "Bob"]), 3))
    turn = table.match.deal.turn
    assert Driver(table, people=(0, 1)).advance() == Wait(WaitKind.CALLERS, (turn,))
    # Alone it has its hand open anyway.
    assert Driver(table, people=(turn,)).advance() == Wait(WaitKind.SEAT, (turn,))


def test_an_answer_given_beforehand_waits_for_its_place() -> None:
    table = table_at(call_window(turn="Dee", thrower="Cat"))
    driver = Driver(table, people=(0, 3, 1))
    assert driver.advance() == Wait(WaitKind.CALLERS, (0, 1))
    driver.answer_callers({0: False, 1: True})
    driver.advance()
    history = table.match.deal.history
    answers = [(type(event), event.seat) for event in history if isinstance(event, Passed | Called)]
    assert answers == [(Passed, 0), (Called, 1)]


def test_an_answer_does_not_outlive_its_window() -> None:
    table = table_at(call_window(turn="Dee", thrower="Cat"))
    driver = Driver(table, people=(0, 1))
    driver.answer_callers({0: False, 1: False})
    table.apply(Call(0))
    driver.advance()
    assert not any(isinstance(event, Passed) for event in table.match.deal.history)


def test_without_a_screen_a_race_is_won_by_the_first_to_react() -> None:
    table = table_at(call_window(race=True))
    driver = Driver(table)
    wait = driver.advance()
    assert wait.kind is WaitKind.RACE
    order = [seat for _, seat in driver.reactions(wait.seats)]
    assert sorted(order) == sorted(wait.seats)
    assert order == [seat for _, seat in driver.reactions(wait.seats)]
    called: list[int] = []

    class Stop(Exception):
        pass

    def watch(seat: int, decision: PlayerChoice, seconds: float) -> None:
        if called:
            raise Stop
        called.append(seat)

    with pytest.raises(Stop):
        play_match(table, watch, {seat: Decides(Call) for seat in range(4)})
    assert called == order[:1]
    assert [event.seat for event in table.match.deal.history if isinstance(event, Called)] == order[:1]


def test_a_fault_of_an_ai_seat_stops_a_simulation_and_no_game() -> None:
    table = table_at(call_window())
    wrong = Discard(1, 0)
    with pytest.raises(Refused):
        Driver(table, strict=True).take(1, PlayerChoice(wrong))
    told: list[str] = []
    table.hear(told.append)
    first = table.view(1).legal[0]
    Driver(table).take(1, PlayerChoice(wrong))
    assert len(told) == 1
    assert told[0].startswith("Bob made a move that was refused")
    made = Passed if isinstance(first, Pass) else Called
    assert any(isinstance(event, made) and event.seat == 1 for event in table.match.deal.history)


def test_a_moment_is_the_same_while_others_pass_and_another_after_a_step() -> None:
    table = table_at(call_window())
    before = table.moment
    assert before == Moment(2, 1, before.step, table.match.phase, None)
    table.apply(Pass(1))
    assert table.moment == before
    table.apply(Call(2))
    assert table.moment != before
    assert table.moment.seat == table.match.actor


def test_what_a_player_has_to_say_is_told_once() -> None:
    table = table_at(call_window())
    told: list[str] = []
    table.hear(told.append)
    driver = Driver(table)
    for seat in (1, 2):
        driver.take(seat, PlayerChoice(Pass(seat), notice="The master is tired."))
    assert told == ["The master is tired."]


@pytest.mark.parametrize("waits", [True, False])
def test_whoever_keeps_steps_has_each_before_anybody_else_hears_of_it(waits: bool) -> None:
    table = table_at(call_window())
    heard: list[str] = []
    shown: list[Callable[[], None]] = []
    table.listen(lambda step: heard.append("a screen"))
    table.listen(lambda step: heard.append("a player"))
    table.keeper, table.waits = lambda match, step, show: shown.append(show), waits
    first, moment = table.match.deal.actor, table.moment
    assert first is not None
    table.apply(Pass(first))
    assert heard == []
    if waits:
        assert (table.match.actor, table.moment) == (first, moment)
        assert Driver(table).advance().kind is WaitKind.WRITING
    shown[0]()
    assert heard == ["a screen", "a player"]
    assert table.match is table.ahead
    assert table.match.actor != first


def test_people_ai_seats_and_programs() -> None:
    bot = f"exec:{quote(sys.executable)} -c 'pass' --level=3"
    plans = parse_seats(["Ann", "ai:club", "Bob=ai:novice", bot, f"Zed={bot}"])
    assert [plan.name for plan in plans] == ["Ann", "Ada", "Bob", "Bea", "Zed"]
    assert [plan.is_human for plan in plans] == [True, False, False, False, False]
    assert [plan.is_outside for plan in plans] == [False, False, False, True, True]
    assert plans[3].command == plans[4].command == (sys.executable, "-c", "pass", "--level=3")
    assert (plans[1].level, plans[2].level) == ("club", "novice")


def test_spare_names_leave_out_the_taken_ones() -> None:
    assert [plan.name for plan in parse_seats(["ai:club", "ada", "BEA=ai:club"])] == ["Cy", "ada", "BEA"]


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        (["exec:"], "exec: needs a command"),
        (["exec:   "], "exec: needs a command"),
        (["exec:cat\n"], "exec: needs a command"),
        (["Bob=exec:cat 'x"], "is not a command: No closing quotation"),
        (["exec:no-such-program-here --x"], "seat Ada: there is no program 'no-such-program-here'"),
        (["ai:wizard"], "seat Ada: a player is human, ai:novice"),
        (["ai:novice/caller"], "seat Ada: there is no AI level 'novice/caller'"),
        (["ai:club/wizard"], "seat Ada: there is no AI level 'club/wizard'"),
        (["Bob=robot"], "seat Bob: a player is human"),
        (["ai:club"] * 12, "11 seats at most can be at a table, not 12"),
        (["Ann", "ann"], "'Ann' and 'ann' differ only in capital letters"),
        (["Ann Lee", "Ann Lee=ai:club"], "two seats are called 'Ann Lee'"),
        (["Ann  Lee"], "has extra spaces"),
        (["Ann =ai:club"], "has extra spaces"),
        (["A" * 41], "longer than 40 characters"),
        (["=ai:club"], "a seat needs a name"),
        ([""], "a seat needs a name"),
    ],
)
def test_wrong_seats(seats: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_seats(seats)
