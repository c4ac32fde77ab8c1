"""Counters at the end of a match: what each seat paid and got, out of its record."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from kalooki_tui.desk.words import SeatSettlement, settlement, settlement_words
from kalooki_tui.engine.events import Scored
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import View
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.ui.screens.match_over import settlement_table
from kalooki_tui.ui.screens.scores import headline, last_score, score_table, seat_reports
from tests.playthroughs.golden import FOLDER
from tests.records.record_play import load_match
from tests.ui import samples

RECORD = FOLDER / "kalookie-40-3.jsonl"
NAMES = ("Ann", "Bob", "Cat")


def settled(*, money: tuple[int, ...], buy_ins: tuple[int, ...] = (0, 0, 0), names: tuple[str, ...] = NAMES) -> View:
    """A view of a match for counters that is over."""
    rules = make_rules(load_ruleset("kalookie-40"), len(names))
    return replace(samples.view("jamaican"), rules=rules, names=names, money=money, buy_ins=buy_ins)


def lines(*told: dict[str, Any]) -> list[str]:
    """Lines of a record."""
    return [json.dumps(line) for line in told]


def report(view: View) -> str:
    """What the end of a deal says."""
    scored = last_score(view)
    assert scored is not None
    return "\n".join([headline(view, scored), *(told.plain for told, _ in seat_reports(view, scored))])


def deal(number: int, *dealt: str) -> dict[str, Any]:
    """A deal to these seats."""
    return {"deal": number, "hands": {name: "2C" if name in dealt else "" for name in NAMES}}


def out(name: str, *, bent: bool = False) -> dict[str, Any]:
    """A deal that somebody went out in."""
    return {"scored": dict.fromkeys(NAMES, 0), "out": name, "bent": bent, "totals": dict.fromkeys(NAMES, 0)}


def test_a_recorded_match_comes_to_its_counters() -> None:
    _, match = load_match(str(RECORD))
    assert match is not None
    told = settlement(match.view(0), match.winners, RECORD.read_text(encoding="utf-8").splitlines())
    assert [one.total for one in told] == list(match.standing.money)
    winner = told[match.winners[0]]
    assert winner.pool > 0
    assert sum(one.total for one in told) == 0
    assert sum(one.call_ups for one in told) == sum(one.kalookies for one in told) == 0


def test_each_part_is_told_by_itself() -> None:
    record = lines(
        deal(1, *NAMES), out("Ann"), deal(2, *NAMES), out("Bob", bent=True), deal(3, "Ann", "Bob"), out("Ann")
    )
    view = settled(money=(+31, -8, -23), buy_ins=(0, 0, 1))
    # 40 in the pool: three stakes and one return; Ann +2 and +1 by call-ups, Bob +4 by a kalookie.
    ann, bob, cat = settlement(view, (0,), record)
    assert ann == SeatSettlement("Ann", -10, 0, 3, -2, 40, 2, 0)
    assert bob == SeatSettlement("Bob", -10, 0, -2, 4, 0, 0, 1)
    assert cat == SeatSettlement("Cat", -10, -10, -1, -2, 0, 0, 0)
    assert settlement_words([ann, bob, cat]) == [
        "Ann takes the pool of 40 counters.",
        "Bob has won 1 kalookie.",
        "Ann has won 2 call-ups.",
    ]
    table = settlement_table([ann, bob, cat]).plain
    assert "Ann takes the pool of 40 counters." in table
    assert max(map(len, table.splitlines())) <= 72, "beside a scroll bar"


def test_steps_taken_back_count_for_nothing() -> None:
    record = lines(deal(1, *NAMES), {"do": "x"}, out("Cat"), {"undone": 2}, {"do": "y"}, out("Ann"))
    ann, bob, cat = settlement(settled(money=(22, -11, -11)), (0,), record)
    assert (ann.call_ups, bob.call_ups, cat.call_ups) == (2, -1, -1)


def test_nothing_is_told_that_does_not_come_to_the_counters() -> None:
    assert settlement(settled(money=(99, 0, 0)), (0,), lines(deal(1, *NAMES), out("Ann"))) == []
    assert settlement(settled(money=(0, 0, 0)), (0,), []) == []


def test_no_settlement_where_nothing_is_played_for() -> None:
    assert settlement(samples.view("jamaican"), (0,), lines(deal(1, *NAMES))) == []


def test_the_contract_of_a_late_deal_is_not_cut() -> None:
    view = replace(settled(money=(0, 0, 0)), totals=(0, 0, 0))
    assert "21  40 points " in score_table(view, [(0, 0, 0)] * 21).plain


def test_the_end_of_a_deal_says_who_is_out_by_it() -> None:
    scored = Scored(0, False, False, ((), (1,), (2,)), (0, 2, 3), (0, 151, 150))
    view = replace(settled(money=(0, 0, 0)), history=(scored,), in_deal=(True, True, True))
    told = report(view)
    assert told.count(" · over 150: out") == 1
    assert told.index("over 150") < told.index("Cat")
    assert "eliminated" not in told
    assert "eliminated" in report(replace(view, in_deal=(True, True, False)))


def test_the_end_of_a_deal_says_what_is_paid() -> None:
    for bent, words in ((False, "the call-up, 1 from each other seat"), (True, "a kalookie, 2 from each other seat")):
        scored = Scored(0, bent, False, ((), (1,), (2,)), (0, 2, 3), (0, 2, 3))
        view = replace(settled(money=(0, 0, 0)), history=(scored,), in_deal=(True, True, True))
        assert words in report(view)


def test_bending_that_doubles_nothing_says_why() -> None:
    scored = Scored(0, True, False, ((), (1,), (2,)), (0, 2, 3), (0, 2, 3))
    for ruleset, words in (("air-jamaica", "since another had laid before"), ("classic", "here that doubles nothing")):
        rules = make_rules(load_ruleset(ruleset), 3)
        view = replace(
            samples.view("jamaican"), rules=rules, names=NAMES, history=(scored,), in_deal=(True, True, True)
        )
        assert words in report(view)
