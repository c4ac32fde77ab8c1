"""Check that the values of a ruleset, each right by itself, go together."""

from __future__ import annotations

from kalooki_tui.cards import JOKER, KINDS_OF_CARD, RANKS, SUITS
from kalooki_tui.rulesets.model import Contract, Pack, Ruleset, Settings, card_values


class Impossible(ValueError):
    """Values that do not go together; `where`: their paths, lists counted from 0."""

    def __init__(self, message: str, *where: tuple[str | int, ...]) -> None:
        super().__init__(message)
        self.where = where


def check_possible(ruleset: Ruleset) -> None:
    seen: set[int] = set()
    for index, pack in enumerate(ruleset.packs):
        for seats in pack.seats:
            if seats in seen:
                raise Impossible(f"packs: {seats} seats are named twice", ("packs", index, "seats"))
            seen.add(seats)
        _check_deck(ruleset, index, pack)
    _check_values(ruleset)
    _check_melds(ruleset)
    for number, deal in enumerate(ruleset.deals, start=1):
        _check_lengths(ruleset, number, deal)
    _check_points(ruleset)
    if ruleset.draw.must_use and ruleset.draw.offer == "flip":
        raise Impossible(
            "draw.must_use does not go with draw.offer: flip, where the discard is never drawn", ("draw", "must_use")
        )
    if ruleset.end.after == "elimination" and ruleset.end.eliminate_over == 0:
        raise Impossible("end.eliminate_over is needed where the match ends by elimination", ("end", "after"))
    _check_settings(ruleset)
    _check_options(ruleset)


def _check_deck(ruleset: Ruleset, index: int, pack: Pack) -> None:
    size, seats = pack.packs * SUITS * RANKS + pack.jokers, max(pack.seats)
    for number, deal in enumerate(ruleset.deals, start=1):
        here = ("deals", number - 1)
        if not (deal.sets or deal.runs or deal.points):
            raise Impossible(f"deals: deal {number} asks for nothing: name sets, runs or points", here)
        if deal.points and (deal.sets or deal.runs):
            raise Impossible(f"deals: deal {number} asks for points and for melds: name one of them", here)
        if ruleset.lay.repeats == "refused" and (deal.runs > SUITS or deal.sets > RANKS):
            raise Impossible(f"deals: deal {number} asks for more than {SUITS} runs or {RANKS} sets (M8)", here)
        needed = deal.fewest_cards(ruleset.sets.minimum, ruleset.runs.minimum)
        if needed > size:
            raise Impossible(
                f"deals: the contract of deal {number} takes {needed} cards, "
                f"but the deck for {seats} seats holds {size}",
                here,
                ("packs", index),
            )
        if seats * deal.cards + 1 > size:
            raise Impossible(
                f"deals: deal {number} gives {seats} seats {deal.cards} cards each and turns one up, "
                f"but the deck for {seats} seats holds {size}",
                here,
                ("packs", index),
            )


def _check_lengths(ruleset: Ruleset, number: int, deal: Contract) -> None:
    """Refuse melds longer than any may be (H8), and a whole hand that the contract cannot take (H9)."""
    here, sets, runs = ("deals", number - 1), ruleset.sets, ruleset.runs
    set_lengths, run_lengths = deal.set_lengths(sets.minimum), deal.run_lengths(runs.minimum)
    longest_set, longest_run = max(set_lengths, default=0), max(run_lengths, default=0)
    if sets.maximum is not None and longest_set > sets.maximum:
        raise Impossible(f"deals: deal {number} asks for a set of {longest_set}, but one holds {sets.maximum}", here)
    if sets.suits == "distinct" and len(set(set_lengths)) > 1:
        raise Impossible(f"deals: deal {number} asks for sets of two lengths, which must have different suits", here)
    if longest_run > runs.longest:
        raise Impossible(f"deals: deal {number} asks for a run of {longest_run}, but one holds {runs.longest}", here)
    if deal.whole and deal.points:
        raise Impossible(f"deals: deal {number} asks for points and for the whole hand: name one of them", here)
    cards = deal.fewest_cards(sets.minimum, runs.minimum)
    if deal.whole and cards > deal.cards + 1:
        raise Impossible(
            f"deals: deal {number} takes the whole hand of {deal.cards + 1} cards, but its melds need {cards}", here
        )


def _check_points(ruleset: Ruleset) -> None:
    """Refuse a first lay-down worth more than the most cards that a hand can come to (L5)."""
    for number, deal in enumerate(ruleset.deals, start=1):
        cards = deal.cards + 1 + 2 * ruleset.calls.limit
        for pack in ruleset.packs:
            naturals = sorted(card_values(ruleset)[:-1] * pack.packs, reverse=True)
            dearest = sum(naturals[:cards])
            if deal.points > dearest:
                raise Impossible(
                    f"deals: deal {number} asks for {deal.points} points, "
                    f"but the {cards} cards that a hand can come to are worth {dearest} at the most",
                    ("deals", number - 1),
                )


def _check_melds(ruleset: Ruleset) -> None:
    sets, runs = ruleset.sets, ruleset.runs
    if sets.maximum is not None and sets.maximum < sets.minimum:
        raise Impossible("sets.maximum is below sets.minimum", ("sets", "maximum"), ("sets", "minimum"))
    if sets.suits == "distinct" and (sets.maximum or KINDS_OF_CARD) > SUITS:
        raise Impossible(
            f"sets of distinct suits hold at most {SUITS} cards: sets.maximum must say so",
            ("sets", "maximum") if sets.maximum else ("sets", "suits"),
        )
    if sets.naturals > (sets.maximum or KINDS_OF_CARD):
        raise Impossible("sets.naturals is above sets.maximum", ("sets", "naturals"), ("sets", "maximum"))
    if runs.naturals > runs.longest:
        raise Impossible("runs.naturals is above runs.longest", ("runs", "naturals"), ("runs", "longest"))
    _check_wild(ruleset)
    if ruleset.lay.exact and ruleset.lay.full_suit_for_three_runs:
        raise Impossible("lay.exact does not go with lay.full_suit_for_three_runs", ("lay", "exact"))
    if runs.corner:
        _check_corner(ruleset)


def _check_corner(ruleset: Ruleset) -> None:
    """Refuse what has no meaning where a run goes on past the ace (H15)."""
    here = ("runs", "corner")
    if ruleset.runs.longest > RANKS:
        raise Impossible(
            "runs.corner needs runs.longest: 13, since no card lies twice in a run", here, ("runs", "longest")
        )
    for name, policy, where in (
        ("tack.run_growth", ruleset.tack.run_growth, ("tack", "run_growth")),
        ("swap", ruleset.swap, ("swap",)),
    ):
        if policy == "high-then-low":
            raise Impossible(
                f"runs.corner does not go with {name}: high-then-low, since no ace ends a run", here, where
            )


def _check_wild(ruleset: Ruleset) -> None:
    """Refuse wild ranks where suits or the joker's points leave no clear meaning to them (H7)."""
    if not ruleset.wild:
        return
    values = card_values(ruleset)
    if ruleset.sets.suits == "distinct":
        raise Impossible("wild ranks do not go with sets of distinct suits", ("wild",), ("sets", "suits"))
    if ruleset.uses_freed_jokers:
        raise Impossible(f"wild ranks do not go with swap: {ruleset.swap}", ("wild",), ("swap",))
    if ruleset.draw.must_use:
        raise Impossible("wild ranks do not go with draw.must_use", ("wild",), ("draw", "must_use"))
    if any(values[card] > values[JOKER] for card in ruleset.wild_cards):
        raise Impossible("a wild card may not be worth more than a joker", ("wild",), ("score", "values"))


def _check_settings(ruleset: Ruleset) -> None:
    known = Settings.__struct_fields__
    for name in ruleset.settings:
        if name not in known:
            raise Impossible(f"there is no setting {name!r}; choose from: {', '.join(known)}", ("settings", name))
    if ("dealer_cut" in ruleset.settings) != (ruleset.dealer_cut_bonus is not None):
        raise Impossible(
            "the setting dealer_cut and dealer_cut_bonus go together (B1)",
            ("settings", "dealer_cut") if "dealer_cut" in ruleset.settings else ("dealer_cut_bonus",),
        )


def _check_options(ruleset: Ruleset) -> None:
    for name, option in ruleset.options.items():
        for other in option.excludes:
            if other not in ruleset.options:
                raise Impossible(
                    f"options.{name}.excludes: there is no option {other!r}", ("options", name, "excludes")
                )
        for seats in option.seats or ():
            if seats not in ruleset.seat_counts:
                raise Impossible(
                    f"options.{name}.seats: the game is not played with {seats} seats; "
                    f"give packs for them, or take the option away ({name}: null)",
                    ("options", name, "seats"),
                    ("packs",),
                )


def _check_values(ruleset: Ruleset) -> None:
    faces = ruleset.faces
    cards = {faces.text(card) for card in range(KINDS_OF_CARD)}
    for name in ruleset.score.values:
        if name not in cards and name not in faces.rank_names:
            raise Impossible(f"score.values: there is no card or rank {name!r} in the deck", ("score", "values", name))
    try:
        card_values(ruleset)
    except ValueError as error:
        raise Impossible(str(error), ("score", "values")) from None
