"""Matches for property tests: any ruleset, any number of seats, played by dice with some sense."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import fields

from kalooki_tui.cards import JOKER, full_deck
from kalooki_tui.engine.actions import Action, Challenge, Cut, Discard, End, Group, Lay, Swap, Tack
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.rules import Referee, Rules, make_rules
from kalooki_tui.engine.state import State
from kalooki_tui.engine.view import Phase
from kalooki_tui.rulesets.folders import builtin_files, builtin_folder, yaml_files
from kalooki_tui.rulesets.loader import load_ruleset, make_settings
from kalooki_tui.solver import best_lay_of

KALOOKIS = tuple(path.stem for path in yaml_files(builtin_folder()))
RULESETS = tuple(path.stem for path in builtin_files())


def start_match(
    ruleset_id: str, seats: int, seed: int, referee: Referee = Referee.STRICT, *, cut: bool = False
) -> Match:
    ruleset = load_ruleset(ruleset_id)
    settings = make_settings(ruleset, {"dealer_cut": True} if cut and ruleset.dealer_cut_bonus is not None else {})
    rules = make_rules(ruleset, seats, referee, settings)
    return Match.start(MatchSetup(rules, tuple("ABCDEFGHIJK"[:seats]), seed))


def all_tables() -> list[tuple[str, int]]:
    return [(ruleset, seats) for ruleset in RULESETS for seats in load_ruleset(ruleset).seat_counts]


def sensible_action(match: Match, dice: random.Random) -> Action:
    """A legal action by dice that lays when it can and tacks more often than not, so that deals end."""
    seat = match.actor
    deal = match.deal
    if match.phase is Phase.CUT:
        exact = sum(deal.in_deal) * deal.contract.cards
        return Cut(seat, dice.choice([exact, dice.randrange(1, len(deal.stock))]))
    view = match.view(seat)
    if view.may_challenge and dice.random() < 0.02:
        return Challenge(seat, dice.choice(view.may_challenge))
    if view.may_lay and dice.random() < 0.8:
        laydown = best_lay_of(view)
        if laydown is not None and laydown.groups:
            action = Lay(seat, laydown.groups)
            if match.why_not(action) is None:
                return action
    legal = match.legal(seat)
    additions = [action for action in legal if isinstance(action, Tack | Swap)]
    return dice.choice(additions if additions and dice.random() < 0.7 else legal)


def wild_action(match: Match, dice: random.Random) -> Action:
    deal = match.deal
    seat = dice.randrange(match.rules.seats)
    cards = [*range(53)]
    hand = deal.hands[seat] or cards
    picks = tuple(dice.choice(dice.choice([hand, cards])) for _ in range(dice.randint(1, 5)))
    meld = dice.randrange(-1, len(deal.melds) + 1)
    end = dice.choice([None, *End])
    choices: list[Action] = [
        Discard(seat, picks[0]),
        Lay(seat, (Group(picks),)),
        Tack(seat, picks, meld, end),
        Swap(seat, picks[0], meld, end),
        Swap(seat, picks[0], meld, use=meld, use_end=end),
        Swap(seat, picks[0], meld, lay=(Group((JOKER, *picks)),)),
        Challenge(seat, dice.randrange(match.rules.seats)),
        Cut(seat, dice.randrange(-1, 200)),
    ]
    other = Match.legal(match, seat)
    return dice.choice(choices + other)


def card_count(deal: Deal) -> Counter[int]:
    held: Counter[int] = Counter()
    for cards in (*deal.hands, deal.stock, deal.pile, *(meld.cards for meld in deal.melds)):
        held.update(cards)
    if deal.flip is not None:
        held[deal.flip] += 1
    return held


def whole_deck(rules: Rules) -> Counter[int]:
    return Counter(full_deck(rules.packs, rules.jokers))


def snapshot(match: Match) -> tuple[object, ...]:
    deal = match.deal
    state = tuple(_frozen(getattr(deal, name)) for name in (one.name for one in fields(State)) if name != "rules")
    return (*state, match.dealer, match.first_turn, tuple(match.buying), match.finished, match.winners)


def _frozen(value: object) -> object:
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    if isinstance(value, dict):
        return tuple(sorted((str(key), item) for key, item in value.items()))
    return value


def redeal_hidden(match: Match, seat: int, dice: random.Random) -> Match:
    """The same match as `seat` sees it, with the cards it cannot see dealt out anew."""
    copy = match.clone()
    deal = copy.deal
    others = [other for other in range(match.rules.seats) if other != seat]
    buried, top = deal.pile[:-1], deal.pile[-1:]
    unseen = [card for other in others for card in deal.hands[other]] + deal.stock + buried
    dice.shuffle(unseen)
    for other in others:
        size = len(deal.hands[other])
        deal.hands[other], unseen = unseen[:size], unseen[size:]
    size = len(deal.stock)
    deal.stock, unseen = unseen[:size], unseen[size:]
    deal.pile = unseen + top
    return copy
