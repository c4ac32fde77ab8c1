from pathlib import Path

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Action, Discard, Draw, Pass, Refuse, Source
from kalooki_tui.engine.events import PassedOver, Voided
from kalooki_tui.engine.match import HEADLESS_REDEALS, HEADLESS_TURNS, Match, MatchSetup
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import View
from kalooki_tui.match.headless import play_match, text_setup
from kalooki_tui.match.live_match import Table, record
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.players import PlayerChoice
from kalooki_tui.playouts import play_deal
from kalooki_tui.records.playback import RecordState, verify
from kalooki_tui.rulesets.folders import available
from kalooki_tui.rulesets.loader import load_ruleset
from kalooki_tui.session.plan import MatchPlan

RULESETS = [entry.id for entry in available()]
FEW_TURNS = 20


class NeverLays:
    """A player that throws back what it draws: from the pile, so that the stock lasts for ever, or from the stock."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def decide(self, view: View) -> PlayerChoice:
        return PlayerChoice(never_lays(list(view.legal), view, self.source))


def never_lays(legal: list[Action], view: View, source: Source) -> Action:
    for action in legal:
        if isinstance(action, Pass | Refuse) or (isinstance(action, Draw) and action.source is source):
            return action
    throws = [action for action in legal if isinstance(action, Discard)]
    drawn = next((event.card for event in reversed(view.history) if hasattr(event, "card")), None)
    return next((action for action in throws if action.card == drawn), (throws or legal)[-1])


@pytest.mark.sweep(3)
@pytest.mark.parametrize("source", [Source.STOCK, Source.DISCARD])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_match_in_which_nobody_lays_ends_and_its_record_verifies(
    ruleset: str, source: Source, tmp_path: Path
) -> None:
    setup = text_setup(ruleset, [], 1, [])
    assert Table.open(setup).match.rules.settings.max_turns == HEADLESS_TURNS
    table = Table.open(replace(setup, settings=replace(setup.ruleset.usual_settings(), max_turns=FEW_TURNS)))
    seats = len(table.plans)
    events: list[Voided | PassedOver] = []
    table.listen(lambda step: events.extend(event for event in step.events if isinstance(event, Voided | PassedOver)))
    with (tmp_path / "match.jsonl").open("w", encoding="utf-8") as file:
        record(table, lambda line: print(line, file=file))
        play_match(table, players={seat: NeverLays(source) for seat in range(seats)})
    void = [event for event in events if isinstance(event, Voided)]
    contracts = 1 if table.match.rules.ruleset.end.after == "elimination" else len(table.match.rules.ruleset.deals)
    assert len(void) == contracts * (HEADLESS_REDEALS + 1)
    assert len(events) - len(void) == contracts
    assert {event.turns for event in void} <= {None, FEW_TURNS}
    assert verify(str(tmp_path / "match.jsonl")).state is RecordState.WHOLE


def test_the_lowest_total_still_in_takes_the_pool_and_equal_ones_share_it() -> None:
    match = Match.start(MatchSetup(make_rules(load_ruleset("kalookie-40"), 4), ("Ann", "Bob", "Cat", "Dan"), 1))
    deal = match.deal
    standing = replace(deal.standing, totals=(7, 5, 7, 7), eliminated=(False, True, False, False), pool=41)
    deal.standing, deal.dealer, deal.void, deal.actor = standing, 2, True, None
    deal.phase = type(deal.phase).OVER
    match.pass_over()
    assert match.finished
    assert match.winners == (0, 2, 3)
    assert match.standing.money == (-10 + 14, -10, -10 + 13, -10 + 14)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_core_and_the_engine_call_the_same_deals_void(ruleset: str) -> None:
    game = load_ruleset(ruleset)
    for seed in range(4):
        rules = make_rules(game, game.seat_counts[0], settings=replace(game.usual_settings(), max_turns=1 + seed))
        deal = Match.start(MatchSetup(rules, tuple("ABCDEFGHIJK")[: rules.seats], seed)).deal
        played = play_deal(deal)
        for action, stock in played.actions:
            deal.next_stock = None if stock is None else list(stock)
            deal.apply(action)
        assert deal.actor is None
        assert deal.void == played.ending.void


@pytest.mark.parametrize(("seats", "turns"), [(("ai:club", "ai:club"), HEADLESS_TURNS), (("Ann", "ai:club"), None)])
def test_a_table_of_people_goes_on(seats: tuple[str, ...], turns: int | None) -> None:
    table = MatchPlan("kalookie-40", parse_seats(seats)).open()
    assert table.match.rules.settings.max_turns == turns
