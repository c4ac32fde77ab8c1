import random
from contextlib import suppress

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import CODES, Refused
from kalooki_tui.engine.rules import Referee
from kalooki_tui.rulesets.loader import load_ruleset
from tests.property.tables import (
    all_tables,
    card_count,
    redeal_hidden,
    sensible_action,
    snapshot,
    start_match,
    whole_deck,
    wild_action,
)


class TableMachine(RuleBasedStateMachine):
    match: Match

    @initialize(
        table=st.sampled_from(all_tables()), seed=st.integers(0, 10_000), penalties=st.booleans(), cut=st.booleans()
    )
    def open_table(self, table: tuple[str, int], seed: int, penalties: bool, cut: bool) -> None:
        ruleset, seats = table
        penalties = penalties and load_ruleset(ruleset).infractions is not None
        referee = Referee.PENALTIES if penalties else Referee.STRICT
        self.match = start_match(ruleset, seats, seed, referee, cut=cut)
        self.start = self.match.clone()
        self.done: list[object] = []
        self.money = sum(self.match.standing.money) + self.match.standing.pool

    @precondition(lambda self: self.match.actor is not None)
    @rule(dice=st.randoms(use_true_random=False), steps=st.integers(1, 60))
    def play_on(self, dice: random.Random, steps: int) -> None:
        for _ in range(steps):
            if self.match.actor is None:
                return
            action = sensible_action(self.match, dice)
            self.match.apply(action)
            self.done.append(action)

    @precondition(lambda self: self.match.actor is None and not self.match.finished)
    @rule()
    def deal_again(self) -> None:
        self.match.next_deal()
        self.done.append(None)

    @rule(dice=st.randoms(use_true_random=False))
    def try_anything(self, dice: random.Random) -> None:
        before = snapshot(self.match)
        action = wild_action(self.match, dice)
        why = self.match.why_not(action)
        assert snapshot(self.match) == before
        try:
            self.match.apply(action)
        except Refused as refused:
            refusal = refused.refusal
            assert why == refusal
            assert refusal.code in CODES
            assert refusal.message.endswith((".", "points."))
            assert (snapshot(self.match) == before) is not refusal.changed or refusal.charged == 0
            if refusal.changed:
                self.done.append(action)
        else:
            assert why is None
            self.done.append(action)

    @invariant()
    def cards_are_conserved(self) -> None:
        if hasattr(self, "match"):
            assert card_count(self.match.deal) == whole_deck(self.match.rules)

    @invariant()
    def money_is_conserved(self) -> None:
        if hasattr(self, "match"):
            assert sum(self.match.standing.money) + self.match.standing.pool == self.money

    @invariant()
    def the_one_to_act_can_act(self) -> None:
        if hasattr(self, "match") and self.match.actor is not None:
            view = self.match.view(self.match.actor)
            assert view.legal or view.phase.value == "cut"
            assert all(self.match.why_not(action) is None for action in view.legal)

    @rule(seat=st.integers(0, 10), dice=st.randoms(use_true_random=False))
    def views_hide_what_is_hidden(self, seat: int, dice: random.Random) -> None:
        seat %= self.match.rules.seats
        assert redeal_hidden(self.match, seat, dice).view(seat) == self.match.view(seat)

    def teardown(self) -> None:
        if not hasattr(self, "match"):
            return
        again = self.start
        for action in self.done:
            if action is None:
                again.next_deal()
                continue
            # Attempts that were taken back but charged are part of what was done.
            with suppress(Refused):
                again.apply(action)  # type: ignore[arg-type]
        assert snapshot(again) == snapshot(self.match)


TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = settings(
    max_examples=40, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
