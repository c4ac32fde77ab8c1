from msgspec.structs import replace

from kalooki_tui.engine.actions import Call
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.rulesets.loader import load_ruleset, resolve
from kalooki_tui.rulesets.model import Ruleset
from tests.moments import there


def with_calls(ruleset: Ruleset, calls: int) -> Ruleset:
    first, *others = ruleset.deals
    return replace(ruleset, deals=(replace(first, calls=calls), *others))


def test_a_deal_has_calls_of_its_own_unless_the_table_says_how_many() -> None:
    shanghai = load_ruleset("shanghai")
    limits = [make_rules(shanghai, 3).in_deal(deal).ruleset.calls.limit for deal in range(1, 11)]
    assert limits == [3] * 8 + [4] * 2
    six = make_rules(resolve("shanghai", ("calls=6",), 3), 3)
    assert {six.in_deal(deal).ruleset.calls.limit for deal in range(1, 11)} == {6}


def test_where_only_a_deal_has_no_calls_the_refusal_says_so() -> None:
    for ruleset, clause, what in (
        (with_calls(load_ruleset("jamaican"), 0), "H13", "There are no calls in this deal."),
        (load_ruleset("carioca"), "C10", "There are no calls in this game."),
    ):
        match = Match.start(MatchSetup(make_rules(ruleset, 3), ("Ann", "Bob", "Cat"), 1))
        assert match.phase is Phase.DRAW
        why = there(match.why_not(Call((match.deal.turn + 1) % 3)))
        assert (why.code, why.clause, why.message) == ("call.none", clause, what)
