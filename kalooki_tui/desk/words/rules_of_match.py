"""What makes a table different, in sentences: referee, cut, stakes, the stock's end, seats; for `rules_text`.

Lines are pairs of a text and its clauses. `match` None: no table is set up, and what can be chosen is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from kalooki_tui.engine.rules import Referee, Rules
from kalooki_tui.rulesets.model import BadLay, OverCall, Ruleset, Settings
from kalooki_tui.wording import counted

Lines: TypeAlias = Iterator[tuple[str, str]]


def _settings(ruleset: Ruleset, match: Rules | None) -> Settings:
    return ruleset.usual_settings() if match is None else match.settings


def stock_lines(ruleset: Ruleset, match: Rules | None) -> Lines:
    """Reshuffle, void deals, contracts passed over."""
    words = ruleset.vocabulary
    yield (
        "If the stock is empty at a draw, the discards below the top one are shuffled into a new stock.",
        "S2, D7, D18",
    )
    yield (
        (
            f"When it is empty a second time the {words.deal} is void: nobody scores, and the same contract is dealt "
            f"again by the same dealer."
        ),
        "S3, D24, D27",
    )
    if ruleset.end.after == "elimination":
        return
    redeals = _settings(ruleset, match).max_redeals
    if redeals is None:
        yield "After three void deals in a row the table is asked: deal again, or pass the contract over.", "D15"
    else:
        yield f"A contract is dealt again {counted(redeals, 'time')} at most, then passed over with no score.", "D15"


def penalty_lines(ruleset: Ruleset, match: Rules | None) -> Lines:
    """Who watches over the rules, and what offences cost."""
    infractions = ruleset.infractions
    if match is not None:
        yield _REFEREES[match.referee], "F1, F2" if infractions is not None else "T2"
    elif infractions is None:
        yield f"{_REFEREES[Referee.STRICT]} There is no other referee here.", "T2"
    else:
        yield f"A table chooses. Strict: {_low(_REFEREES[Referee.STRICT])}", "F1, F2"
        yield f"Or penalties: {_low(_REFEREES[Referee.PENALTIES])}", "F1, F2"
    if infractions is None or (match is not None and not match.penalties):
        yield "Nobody can call too often, so there are no challenges.", "D13, D23"
        return
    yield from _bad_lay(ruleset, infractions.bad_lay, match)
    if infractions.joker_discard is not None:
        joker, points = ruleset.vocabulary.joker, infractions.joker_discard
        yield f"Trying to discard a {joker} is refused and costs {points} points.", "F4"
    if infractions.over_call is not None:
        yield from _over_call(ruleset, infractions.over_call, match)
    yield (
        (
            f"Penalty points are added when the {ruleset.vocabulary.deal} is scored, to the winner's score too; they "
            f"never double, and stay after a void deal."
        ),
        "D22, D23",
    )


_REFEREES: Final = {
    Referee.STRICT: "You cannot do what the rules forbid: it is refused with the rule, and costs nothing.",
    Referee.PENALTIES: "Some offences cost points, and a seat can call too often: nobody counts for you.",
}


def _bad_lay(ruleset: Ruleset, rule: BadLay | None, match: Rules | None) -> Lines:
    if rule is None:
        yield "A first lay-down that is not the contract is refused and costs nothing.", "F1"
        return
    chosen = _settings(ruleset, match).bad_lay
    points = rule.points if chosen is None else chosen
    ban = f"; the seat may not {ruleset.vocabulary.bend} in this {ruleset.vocabulary.deal}" if rule.forbids_bend else ""
    when = (
        "each time"
        if rule.when == "each-attempt"
        else "once, and only if the seat has not laid its contract by the end of the turn"
    )
    yield f"A first lay-down that is not the contract is taken back and costs {points} points, {when}{ban}.", "F1, F1a"


def _over_call(ruleset: Ruleset, rule: OverCall, match: Rules | None) -> Lines:
    words, limit = ruleset.vocabulary, ruleset.calls.limit
    targets = "laid or not" if rule.laid_seat else "if it has not laid"
    yield (
        (
            f"A seat that thinks another has made more than {limit} {words.call}s may challenge it, {targets}: while "
            f"a card can be called, or in its own turn before the discard."
        ),
        "D13, F2, F3",
    )
    chosen = _settings(ruleset, match).over_call
    points = rule.points if chosen is None else chosen
    if rule.loser == "drops-out":
        yield (
            (
                f"The loser of a challenge scores its hand and {rule.points} points more and drops out of the "
                f"{words.deal}; "
                f"its cards go under the discards, its melds stay. If one seat is left, the {words.deal} ends."
            ),
            "F3, D13, D23",
        )
    else:
        ban = f", and the seat may not {words.bend} in this {words.deal}" if rule.forbids_bend else ""
        yield f"When found out, each {words.call} over {limit} costs {points} points, once{ban}.", "F2, D23"
        wrong = f"costs the challenger {rule.wrong_challenge} points" if rule.wrong_challenge else "costs nothing"
        yield f"A challenge that finds nothing {wrong}.", "F2, D13"


def cut_lines(ruleset: Ruleset, match: Rules | None) -> Lines:
    """The dealer's cut, where there is one."""
    bonus = ruleset.dealer_cut_bonus
    if bonus is None or (match is not None and not match.settings.dealer_cut):
        return
    who = "If the table wants it, the" if match is None else "The"
    yield (
        (
            f"{who} dealer cuts a packet off the deck before each {ruleset.vocabulary.deal}. If it holds exactly "
            f"the cards to be dealt, seats times cards, the dealer scores {bonus}. The card turned up does not count."
        ),
        "B1",
    )
    yield (
        f"After a void {ruleset.vocabulary.deal} there is a new cut, and a bonus from the one before is gone.",
        "B1, D23",
    )


def pool_lines(ruleset: Ruleset, match: Rules | None) -> Lines:
    """Counters, buying in, who takes the pool; nothing where the match goes over a number of contracts."""
    if ruleset.end.after != "elimination":
        return
    words, amounts = ruleset.vocabulary, _settings(ruleset, match)
    yield f"Everybody pays {amounts.initial_stake} counters into the pool at the start.", "P1, D12"
    yield f"The winner of a {words.deal} gets {amounts.call_up} from each other seat dealt in: the call-up.", "P2"
    yield (
        f"Going out in the turn of the first lay-down brings {amounts.kalookie} from each instead: a kalookie.",
        "P2, G4",
    )
    yield (
        f"Whoever has more than {ruleset.end.eliminate_over} points is out. The last one left takes the pool.",
        "P3, P4",
    )
    if not amounts.max_buy_ins:
        yield "Nobody can buy in again.", "P3, D12"
        return
    often = "once" if amounts.max_buy_ins == 1 else f"{amounts.max_buy_ins} times"
    yield (
        (
            f"A seat just eliminated may buy in again for {amounts.buy_in_stake} counters, {often}, and goes on with "
            f"the highest total of those still in. Nobody is asked when only one seat is left."
        ),
        "P3, D12",
    )


def seat_lines(ruleset: Ruleset, match: Rules | None) -> Lines:
    """Packs and jokers by the number of seats, who deals, who begins."""
    words, seating = ruleset.vocabulary, ruleset.seating
    if match is not None:
        packs = f"{counted(match.packs, 'pack')} and {match.jokers} {words.jokers}"
        yield f"This table: {match.seats} seats, {packs}, {match.deck_size} cards.", "D10"
    packs_by_seats = "; ".join(
        f"{_numbers(pack.seats)} seats: {counted(pack.packs, 'pack')}, {pack.jokers} {words.jokers}"
        for pack in ruleset.packs
    )
    yield f"Packs: {packs_by_seats}.", "D10, D15"
    yield (
        f"Cards are dealt one at a time to the left; the next one is turned up. {_DEALERS[seating.first_dealer]}",
        ("T3, D11"),
    )
    if seating.next_dealer == "left":
        yield f"The seat to the left deals next. After a void {words.deal} the dealer stays.", "D27"
    else:
        yield (
            (
                f"The seat with the highest score in a {words.deal} deals the next; of equals the one with the higher "
                f"total, then the one nearer to the left. After a void {words.deal} the dealer stays."
            ),
            "D9, D27",
        )
    if seating.first_turn == "named-then-winner":
        yield f"The seat named at set-up begins the first {words.deal}, then whoever won the one before.", "D9, D15"
    elif ruleset.draw.offer == "flip":
        yield "The player who did not deal begins.", "U5"
    else:
        yield "The seat to the dealer's left begins.", "D27"


_DEALERS: Final = {
    "random": "The first dealer is drawn at random.",
    "ace-draw": "Seats are drawn by cards: the ace deals first, the others sit to the left by rank.",
}


def _numbers(seats: tuple[int, ...]) -> str:
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]}-{seats[-1]}"


def _low(text: str) -> str:
    return text[:1].lower() + text[1:]
