from typing import Final

import pytest

from kalooki_tui.cards import FACES
from kalooki_tui.rulesets.folders import builtin_folder, yaml_files
from kalooki_tui.rulesets.loader import load_file, resolve
from kalooki_tui.rulesets.model import BadLay, Infractions, OverCall, Ruleset, card_values

#: The ten games of Kalooki.
RULESETS: Final = {path.stem: load_file(path) for path in yaml_files(builtin_folder())}

FAMILY: Final = {"air-jamaica", "kalooki-short", "super-kalooki", "baby", "tuluki"}
JAMAICAN_CLASSIC: Final = {"jamaican", "classic"}
FREE_JOKERS: Final = {"trinidad", "kalookie-40"}

#: L2: cards, sets, runs of the nine deals.
NINE: Final = [
    (9, 3, 0), (10, 2, 1), (11, 1, 2), (12, 0, 3), (12, 4, 0), (13, 3, 1), (14, 2, 2), (15, 1, 3), (16, 0, 4),
]  # fmt: skip
CONTRACTS: Final = {
    **dict.fromkeys(["jamaican", "classic", "air-jamaica", "tuluki", "kooky"], NINE),
    "kalooki-short": NINE[:4],
    "super-kalooki": NINE[4:],
    "baby": [(6, 2, 0), (7, 1, 1), (8, 0, 2)],
    "trinidad": [(12, s, r) for s, r in [(2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)]],
    "kalookie-40": [(13, 0, 0)],
}

AIR_PACKS: Final = {3: (2, 4), 4: (2, 4), 5: (3, 8), 6: (3, 8), 7: (4, 10), 8: (4, 10)}
#: §9: packs and jokers by seats.
PACKS: Final = {
    "jamaican": {**dict.fromkeys([3, 4, 5, 6], (2, 4)), 7: (4, 10), 8: (4, 10)},
    "classic": dict.fromkeys([3, 4, 5, 6], (2, 4)),
    **dict.fromkeys(["air-jamaica", "kalooki-short", "super-kalooki", "baby"], AIR_PACKS),
    "tuluki": {2: (2, 4)},
    "trinidad": {
        **dict.fromkeys([3, 4, 5, 6], (2, 4)),
        **dict.fromkeys([7, 8], (3, 8)),
        **dict.fromkeys([9, 10], (4, 12)),
        11: (5, 15),
    },
    "kalookie-40": dict.fromkeys([2, 3, 4, 5], (2, 2)),
    "kooky": dict.fromkeys([3, 4, 5, 6], (2, 8)),
}

LATER: Final = {"tack-later", "no-throw-back"}
HOUSE: Final = {"free-calls", "two-card-calls", "nearest-call", *LATER}
OPTIONS: Final = {
    "jamaican": {"twelve-card-start", "one-joker-fours", "six-jokers", "third-pack", *HOUSE},
    "classic": {"third-pack", *HOUSE},
    "air-jamaica": {"twelve-card-start", "six-jokers", *HOUSE},
    "kalooki-short": {"twelve-card-start", "six-jokers", *HOUSE},
    "super-kalooki": {"six-jokers", *HOUSE},
    "baby": {"eight-card-baby", "six-jokers", *HOUSE},
    "tuluki": {"twelve-card-start", "free-calls", "two-card-calls", "tack-later"},
    "trinidad": HOUSE,
    "kalookie-40": {"both-suits", *LATER},
    "kooky": HOUSE,
}


def pack_table(ruleset: Ruleset) -> dict[int, tuple[int, int]]:
    packs = {seats: ruleset.pack_for(seats) for seats in ruleset.seat_counts}
    return {seats: (pack.packs, pack.jokers) for seats, pack in packs.items()}


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_each_game_is_what_its_clauses_say(ruleset: Ruleset) -> None:
    name, deck = ruleset.id, "colours" if ruleset.id == "kooky" else "french"
    is_family, is_free = name in FAMILY, name in FREE_JOKERS
    # L2, L3, L5; §9
    assert [(deal.cards, deal.sets, deal.runs) for deal in ruleset.deals] == CONTRACTS[name]
    assert {deal.points for deal in ruleset.deals} == {40 if name == "kalookie-40" else 0}
    assert (pack_table(ruleset), ruleset.deck, set(ruleset.options)) == (PACKS[name], deck, OPTIONS[name])
    # M1, M7; M2, M4, M6, M7, M9
    sets, runs = ruleset.sets, ruleset.runs
    assert (sets.minimum, sets.naturals) == (3, 1 if is_free else 2)
    assert (sets.suits, sets.maximum) == (("distinct", 4) if name == "kalookie-40" else ("any", None))
    assert (runs.minimum, runs.longest) == (3 if name == "kalookie-40" else 4, 13 if is_family else 14)
    assert (runs.kisses, runs.naturals, runs.jokers_when_shortest) == (is_free, 1, None)
    # M8, L6, L8; C1, C5, C9, C10, U1
    lay, calls = ruleset.lay, ruleset.calls
    assert (lay.repeats, lay.full_suit_for_three_runs) == ("free" if is_free else "refused", is_family)
    assert lay.further_melds
    assert ruleset.draw.laid_seat == ("either" if is_free else "stock")
    assert ruleset.draw.offer == ("flip" if name == "tuluki" else "take")
    assert (calls.limit, calls.laid_seat) == (0 if name == "kalookie-40" else 3, name == "trinidad")
    # K2, K3, K5, K6; K7 to K10
    assert ruleset.tack.run_growth == ("high-then-low" if name in JAMAICAN_CLASSIC else "both")
    assert ruleset.tack.jokers == ("own-melds" if is_family else "any-meld")
    assert ruleset.tack.end_limit == (2 if name == "kalookie-40" else None)
    swaps = {"trinidad": "free-own", "kalookie-40": "use-at-once", **dict.fromkeys(FAMILY, "up-only")}
    assert ruleset.swap == swaps.get(name, "high-then-low")
    # H2 to H5 are played nowhere unless somebody asks for them.
    assert (calls.penalty, calls.order) == (1, "asked")
    assert lay.same_turn_tack
    assert ruleset.draw.throw_back
    # S1, G1; G3; G4, G5
    assert ruleset.discard.jokers == (name in {"trinidad", "kooky", "kalookie-40"})
    assert ruleset.discard.last_card == ("discard" if is_family else "any")
    faces = FACES[ruleset.deck]
    values = [expected_value(ruleset, rank, suit) for suit in faces.suit_letters for rank in faces.rank_names]
    assert card_values(ruleset) == (*values, 15 if name == "kalookie-40" else 50)
    doubling = {"jamaican": "bend", **dict.fromkeys(FAMILY, "first-bend")}
    assert (ruleset.score.doubling, ruleset.score.add_on) == (doubling.get(name, "none"), name == "kooky")
    # Who deals and begins; G6, P3; §11
    seating = (ruleset.seating.first_dealer, ruleset.seating.next_dealer, ruleset.seating.first_turn)
    assert seating == SEATING.get(name, ("random", "left", "dealers-left"))
    ending = ("elimination", 150) if name == "kalookie-40" else ("last-deal", 0)
    assert (ruleset.end.after, ruleset.end.eliminate_over) == ending
    assert ruleset.infractions == INFRACTIONS.get(name)
    # B1, F1, F2, D12
    assert ruleset.settings == SETTINGS.get(name, {})
    assert ruleset.dealer_cut_bonus == (-50 if is_family else None)


SEATING: Final = {
    "kalookie-40": ("ace-draw", "left", "dealers-left"), "kooky": ("random", "highest-score", "named-then-winner"),
}  # fmt: skip
INFRACTIONS: Final = {
    "jamaican": Infractions(
        bad_lay=BadLay(points=50, when="each-attempt", forbids_bend=True),
        over_call=OverCall(points=50, forbids_bend=True),
    ),
    "kooky": Infractions(bad_lay=BadLay(points=50, when="each-attempt"), over_call=OverCall(points=100)),
    "trinidad": Infractions(bad_lay=None, over_call=OverCall(points=50, loser="drops-out", laid_seat=True)),
    **dict.fromkeys(
        FAMILY,
        Infractions(
            bad_lay=BadLay(points=50, when="end-of-turn"),
            over_call=OverCall(points=50, wrong_challenge=50),
            joker_discard=50,
        ),
    ),
}
SETTINGS: Final[dict[str, dict[str, object]]] = {
    "jamaican": {"bad_lay": 50, "over_call": 50},
    "kalookie-40": {"initial_stake": 10, "call_up": 1, "kalookie": 2, "buy_in_stake": 10, "max_buy_ins": 1},
    **{name: {"dealer_cut": False} for name in FAMILY},
}


def expected_value(ruleset: Ruleset, rank: str, suit: str) -> int:
    if ruleset.id == "kooky":
        return {"B": 15, "R": 10, "Y": 5, "G": 0}[suit] if rank == "A" else int(rank)
    if rank == "A":
        return 11 if ruleset.id == "kalookie-40" else {"C": 15, "S": 15, "D": 1, "H": 1}[suit]
    return 10 if rank in "JQK" else int(rank)


def test_options_change_cards_deals_and_runs() -> None:
    for name in (name for name in RULESETS if "twelve-card-start" in RULESETS[name].options):
        cards = [deal.cards for deal in resolve(RULESETS[name], ["twelve-card-start"]).deals]
        assert cards == [12, 12, 12, *(deal.cards for deal in RULESETS[name].deals[3:])]
    deals = resolve(RULESETS["baby"], ["eight-card-baby"]).deals
    assert [(deal.cards, deal.sets, deal.runs) for deal in deals] == [(8, 2, 0), (8, 1, 1), (8, 0, 2)]
    assert resolve(RULESETS["jamaican"], ["one-joker-fours"]).runs.jokers_when_shortest == 1


def test_six_jokers_are_for_two_packs_and_the_third_pack_from_three_seats() -> None:
    for name in (name for name in RULESETS if "six-jokers" in RULESETS[name].options):
        ruleset = RULESETS[name]
        two_packs = [seats for seats, (packs, _) in pack_table(ruleset).items() if packs == 2]
        assert list(ruleset.options["six-jokers"].seats or ()) == two_packs
        changed = pack_table(resolve(ruleset, ["six-jokers"]))
        assert changed == {**pack_table(ruleset), **dict.fromkeys(two_packs, (2, 6))}
    for name in ("jamaican", "classic"):
        option = RULESETS[name].options["third-pack"]
        assert (option.recommended_from, option.seats) == (5, (3, 4, 5, 6))
        changed = pack_table(resolve(RULESETS[name], ["third-pack"]))
        assert {seats: changed[seats] for seats in option.seats} == dict.fromkeys([3, 4, 5, 6], (3, 8))


def test_words_of_jamaica_and_kooky() -> None:
    jamaica, kooky = RULESETS["jamaican"].vocabulary, RULESETS["kooky"].vocabulary
    assert (jamaica.set, jamaica.sets, jamaica.run, jamaica.deal) == ("three", "threes", "four", "game")
    assert (kooky.set, kooky.run, kooky.deal, kooky.joker) == ("set", "run", "round", "Kooky Kard")
