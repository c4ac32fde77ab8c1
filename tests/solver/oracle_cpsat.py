"""The same questions asked of a constraint solver: which melds to lay, how many cards are missing.

A model has, for every suit, places for runs (one where suits may not repeat) with a natural or a joker at each of the
14 positions, or of 25 where runs go round the corner (H15), and for every rank places for sets. It shares no idea with
the real solver but the rules.
"""

from collections import Counter
from collections.abc import Sequence

from ortools.sat.python import cp_model

from kalooki_tui.cards import JOKER, RANKS, SUITS, Card, make_card
from kalooki_tui.engine.rules import Rules
from kalooki_tui.rulesets.model import Contract

ADDED_AT_MOST = 16


def fewest_points(rules: Rules, contract: Contract, hand: Sequence[Card]) -> int | None:
    """Fewest points a lay-down leaves, or None: nothing can be laid."""
    model = _Model(rules, contract, hand, adding=False)
    if contract.whole:
        model.lay_in_all(len(hand))
    else:
        model.keep_a_card()
    left = sum(rules.values[card] * (number - model.used(card)) for card, number in model.held.items())
    model.cp.minimize(left)
    return model.solve()


def distance(rules: Rules, contract: Contract, hand: Sequence[Card]) -> int | None:
    model = _Model(rules, contract, hand, adding=True)
    if contract.whole:
        size, each = contract.cards + 1, 1 + rules.ruleset.calls.penalty
        while size < len(hand):
            size += each
        model.lay_in_all(size)
    model.cp.minimize(sum(model.added.values()))
    return model.solve()


class _Model:
    def __init__(self, rules: Rules, contract: Contract, hand: Sequence[Card], *, adding: bool) -> None:
        self.rules, self.contract = rules, contract
        self.cp = cp_model.CpModel()
        self.held = Counter(hand)
        most = ADDED_AT_MOST if adding else 0
        self.added = {card: self.cp.new_int_var(0, most, "") for card in range(JOKER)} if adding else {}
        self.most_jokers = self.held[JOKER] + sum(self.held[card] + most for card in rules.wild)
        self.uses: dict[Card, list[cp_model.LinearExprT]] = {card: [] for card in range(JOKER + 1)}
        self.points: list[cp_model.LinearExprT] = []
        self.sets: list[tuple[cp_model.IntVar, cp_model.LinearExprT]] = []
        self.runs: list[tuple[cp_model.IntVar, cp_model.LinearExprT]] = []
        """Whether each meld is laid, and its cards."""
        self.full: list[cp_model.IntVar] = []
        places = 1
        if rules.ruleset.lay.repeats == "free":
            # No hand of the tests lays more of one rank or suit.
            places = max(contract.sets, contract.runs, 3)
        for _ in range(places):
            for rank in range(1, RANKS + 1):
                self._add_set(rank)
            for suit in range(SUITS):
                self._add_run(suit)
        for card in rules.wild:
            # As a joker: one joker fewer is used, and the card itself (H7).
            standing = self.cp.new_int_var(0, len(hand) + most, "")
            self.uses[card].append(standing)
            self.uses[JOKER].append(-standing)
        self.cp.add(sum(self.uses[JOKER]) >= 0)
        for card, uses in self.uses.items():
            self.cp.add(sum(uses) <= self.held[card] + self.added.get(card, 0))
        self._ask_contract()

    def _add_set(self, rank: int) -> None:
        cp, rules = self.cp, self.rules.ruleset.sets
        laid = cp.new_bool_var("")
        most_each = 1 if rules.suits == "distinct" else max(2, len(self.held))
        naturals = []
        for suit in range(SUITS):
            card = make_card(suit, rank)
            limit = min(most_each, self.held[card] + (rules.minimum if self.added else 0))
            number = cp.new_int_var(0, limit, "")
            naturals.append(number)
            self.uses[card].append(number)
        jokers = cp.new_int_var(0, self.most_jokers, "")
        self.uses[JOKER].append(jokers)
        size = sum(naturals) + jokers
        cp.add(size >= rules.minimum).only_enforce_if(laid)
        cp.add(sum(naturals) >= rules.naturals).only_enforce_if(laid)
        cp.add(size == 0).only_enforce_if(~laid)
        if rules.maximum is not None:
            cp.add(size <= rules.maximum)
        self._limit_jokers(sum(naturals), jokers, laid)
        self.sets.append((laid, size))
        self.points.append(self.rules.values[make_card(0, rank)] * size)

    def _add_run(self, suit: int) -> None:
        cp, rules = self.cp, self.rules.ruleset.runs
        laid = cp.new_bool_var("")
        places = range(1, 26 if rules.corner else 15)
        natural = {position: cp.new_bool_var("") for position in places}
        joker = {position: cp.new_bool_var("") for position in places}
        starts = {position: cp.new_bool_var("") for position in places}
        for position in places:
            card = make_card(suit, position)
            self.uses[card].append(natural[position])
            self.uses[JOKER].append(joker[position])
            covered = natural[position] + joker[position]
            before = natural[position - 1] + joker[position - 1] if position > 1 else 0
            cp.add(covered <= 1)
            cp.add(starts[position] >= covered - before)
            if position > 1 and not rules.kisses:
                cp.add(joker[position] + joker[position - 1] <= 1)
            self.points.append(self.rules.values[card] * covered)
        naturals, jokers = sum(natural.values()), sum(joker.values())
        length = naturals + jokers
        cp.add(sum(starts.values()) <= 1)
        cp.add(length == 0).only_enforce_if(~laid)
        cp.add(length >= rules.minimum).only_enforce_if(laid)
        cp.add(naturals >= rules.naturals).only_enforce_if(laid)
        cp.add(length <= rules.longest)
        self._limit_jokers(naturals, jokers, laid)
        if rules.jokers_when_shortest is not None:
            longer = cp.new_bool_var("")
            cp.add(length >= rules.minimum + 1).only_enforce_if(longer)
            cp.add(jokers <= rules.jokers_when_shortest).only_enforce_if(~longer)
        full = cp.new_bool_var("")
        cp.add(length == RANKS).only_enforce_if(full)
        self.runs.append((laid, length))
        self.full.append(full)

    def _limit_jokers(
        self, naturals: cp_model.LinearExprT, jokers: cp_model.LinearExprT, laid: cp_model.IntVar
    ) -> None:
        """Ask that jokers are no more than naturals, or fewer (H11)."""
        share = self.rules.ruleset.lay.jokers
        if share != "any":
            self.cp.add(naturals >= jokers + (share == "fewer")).only_enforce_if(laid)

    def _ask_contract(self) -> None:
        cp, contract = self.cp, self.contract
        if contract.points:
            cp.add(sum(self.points) >= contract.points)
            return
        ruleset = self.rules.ruleset
        stands_in = 3 * sum(self.full) if ruleset.lay.full_suit_for_three_runs and contract.runs == 3 else 0
        for melds, asked, more in (
            (self.sets, contract.set_lengths(ruleset.sets.minimum), 0),
            (self.runs, contract.run_lengths(ruleset.runs.minimum), stands_in),
        ):
            self._ask_melds(melds, asked, more)
            if ruleset.lay.exact:
                cp.add(sum(laid for laid, _ in melds) <= len(asked))
                if not contract.whole:
                    cp.add(sum(length for _, length in melds) <= sum(asked))

    def _ask_melds(
        self,
        melds: list[tuple[cp_model.IntVar, cp_model.LinearExprT]],
        asked: tuple[int, ...],
        more: cp_model.LinearExprT,
    ) -> None:
        """Ask of each length for as many melds that are as long as the contract has (H8)."""
        for shortest in set(asked):
            long = []
            for laid, length in melds:
                counts = self.cp.new_bool_var("")
                self.cp.add_implication(counts, laid)
                self.cp.add(length >= shortest).only_enforce_if(counts)
                long.append(counts)
            self.cp.add(sum(long) + more >= sum(length >= shortest for length in asked))

    def keep_a_card(self) -> None:
        """Ask that not all cards are laid, where the last must be a discard (G1)."""
        if self.rules.ruleset.discard.last_card == "discard":
            self.cp.add(sum(self.used(card) for card in self.held) <= sum(self.held.values()) - 1)

    def lay_in_all(self, cards: int) -> None:
        """Ask that so many cards are laid (H9)."""
        self.cp.add(sum(self.used(card) for card in self.uses) == cards)

    def used(self, card: Card) -> cp_model.LinearExprT:
        return sum(self.uses[card])

    def solve(self) -> int | None:
        """The least value, or None where nothing fits."""
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        status = solver.solve(self.cp)
        if status == cp_model.INFEASIBLE:
            return None
        assert status == cp_model.OPTIMAL
        return round(solver.objective_value)
