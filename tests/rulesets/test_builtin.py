from typing import Final

import pytest

from kalooki_tui.cards import FACES
from kalooki_tui.rulesets.folders import builtin_folder
from kalooki_tui.rulesets.loader import load_file, resolve
from kalooki_tui.rulesets.model import BadLay, Infractions, OverCall, Ruleset, card_values

IDS: Final = sorted(path.stem for path in builtin_folder().glob("*.yaml"))
RULESETS: Final = {name: load_file(builtin_folder() / f"{name}.yaml") for name in IDS}

FAMILY: Final = {"air-jamaica", "kalooki-short", "super-kalooki", "baby", "tuluki"}
JAMAICAN_CLASSIC: Final = {"jamaican", "classic"}
FREE_JOKERS: Final = {"trinidad", "kalookie-40"}
CALLING_MANY: Final = set(IDS) - {"kalookie-40"}

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

OPTIONS: Final = {
    "jamaican": {"twelve-card-start", "one-joker-fours", "six-jokers", "third-pack"},
    "classic": {"third-pack"},
    "air-jamaica": {"twelve-card-start", "six-jokers"},
    "kalooki-short": {"twelve-card-start", "six-jokers"},
    "super-kalooki": {"six-jokers"},
    "baby": {"eight-card-baby", "six-jokers"},
    "tuluki": {"twelve-card-start"},
    "trinidad": set(),
    "kalookie-40": set(),
    "kooky": set(),
}


@pytest.fixture(params=IDS)
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return RULESETS[request.param]


def pack_table(ruleset: Ruleset) -> dict[int, tuple[int, int]]:
    packs = {seats: ruleset.pack_for(seats) for seats in ruleset.seat_counts}
    return {seats: (pack.packs, pack.jokers) for seats, pack in packs.items()}


def test_each_has_its_numbers_here() -> None:
    assert set(IDS) == set(OPTIONS) == set(PACKS)


def test_contracts_l2_l3_l5(ruleset: Ruleset) -> None:
    assert [(deal.cards, deal.sets, deal.runs) for deal in ruleset.deals] == CONTRACTS[ruleset.id]
    assert {deal.points for deal in ruleset.deals} == {40 if ruleset.id == "kalookie-40" else 0}


def test_seats_packs_and_jokers_of_section_9(ruleset: Ruleset) -> None:
    assert pack_table(ruleset) == PACKS[ruleset.id]


def test_kookys_deck_has_112_cards() -> None:
    kooky = RULESETS["kooky"]
    assert kooky.deck == "colours"
    assert {pack.packs * 52 + pack.jokers for pack in kooky.packs} == {112}
    assert {other.deck for other in RULESETS.values() if other.id != "kooky"} == {"french"}


def test_trinidads_eleven_seats_have_275_cards() -> None:
    pack = RULESETS["trinidad"].pack_for(11)
    assert pack.packs * 52 + pack.jokers == 275


def test_sets_m1_m7(ruleset: Ruleset) -> None:
    sets = ruleset.sets
    assert sets.minimum == 3
    assert sets.naturals == (1 if ruleset.id in FREE_JOKERS else 2)
    expected = ("distinct", 4) if ruleset.id == "kalookie-40" else ("any", None)
    assert (sets.suits, sets.maximum) == expected


def test_runs_m2_m4_m6_m7_m9(ruleset: Ruleset) -> None:
    runs = ruleset.runs
    assert runs.minimum == (3 if ruleset.id == "kalookie-40" else 4)
    assert runs.longest == (13 if ruleset.id in FAMILY else 14)
    assert runs.kisses == (ruleset.id in FREE_JOKERS)
    assert runs.naturals == 1
    assert runs.jokers_when_shortest is None


def test_laying_m8_l6_l8(ruleset: Ruleset) -> None:
    lay = ruleset.lay
    assert lay.repeats == ("free" if ruleset.id in FREE_JOKERS else "refused")
    assert lay.full_suit_for_three_runs == (ruleset.id in FAMILY)
    assert lay.further_melds


def test_drawing_and_calling_c1_c5_c9_c10_u1(ruleset: Ruleset) -> None:
    assert ruleset.draw.laid_seat == ("either" if ruleset.id in FREE_JOKERS else "stock")
    assert ruleset.draw.offer == ("flip" if ruleset.id == "tuluki" else "take")
    assert ruleset.calls.limit == (3 if ruleset.id in CALLING_MANY else 0)
    assert ruleset.calls.laid_seat == (ruleset.id == "trinidad")


def test_tacking_k2_k3_k5_k6(ruleset: Ruleset) -> None:
    tack = ruleset.tack
    assert tack.run_growth == ("high-then-low" if ruleset.id in JAMAICAN_CLASSIC else "both")
    assert tack.jokers == ("own-melds" if ruleset.id in FAMILY else "any-meld")
    assert tack.end_limit == (2 if ruleset.id == "kalookie-40" else None)


def test_swapping_k7_to_k10(ruleset: Ruleset) -> None:
    special = {"trinidad": "free-own", "kalookie-40": "use-at-once", **dict.fromkeys(FAMILY, "up-only")}
    assert ruleset.swap == special.get(ruleset.id, "high-then-low")


def test_discarding_and_going_out_s1_g1(ruleset: Ruleset) -> None:
    assert ruleset.discard.jokers == (ruleset.id in {"trinidad", "kooky", "kalookie-40"})
    assert ruleset.discard.last_card == ("discard" if ruleset.id in FAMILY else "any")


def expected_value(ruleset: Ruleset, rank: str, suit: str) -> int:
    if ruleset.id == "kooky":
        return {"B": 15, "R": 10, "Y": 5, "G": 0}[suit] if rank == "A" else int(rank)
    if rank == "A":
        return 11 if ruleset.id == "kalookie-40" else {"C": 15, "S": 15, "D": 1, "H": 1}[suit]
    return 10 if rank in "JQK" else int(rank)


def test_values_g3(ruleset: Ruleset) -> None:
    faces = FACES[ruleset.deck]
    expected = [expected_value(ruleset, rank, suit) for suit in faces.suit_letters for rank in faces.rank_names]
    joker = 15 if ruleset.id == "kalookie-40" else 50
    assert card_values(ruleset) == (*expected, joker)


def test_doubling_and_add_on_g4_g5(ruleset: Ruleset) -> None:
    doubling = {"jamaican": "bend", **dict.fromkeys(FAMILY, "first-bend")}
    assert ruleset.score.doubling == doubling.get(ruleset.id, "none")
    assert ruleset.score.add_on == (ruleset.id == "kooky")


def test_who_deals_and_begins(ruleset: Ruleset) -> None:
    seating = (ruleset.seating.first_dealer, ruleset.seating.next_dealer, ruleset.seating.first_turn)
    special = {
        "kalookie-40": ("ace-draw", "left", "dealers-left"),
        "kooky": ("random", "highest-score", "named-then-winner"),
    }
    assert seating == special.get(ruleset.id, ("random", "left", "dealers-left"))


def test_the_end_g6_p3(ruleset: Ruleset) -> None:
    expected = ("elimination", 150) if ruleset.id == "kalookie-40" else ("last-deal", 0)
    assert (ruleset.end.after, ruleset.end.eliminate_over) == expected


def test_infractions_of_section_11(ruleset: Ruleset) -> None:
    bad_lays = {
        "jamaican": BadLay(points=50, when="each-attempt", forbids_bend=True),
        "kooky": BadLay(points=50, when="each-attempt"),
        "trinidad": None,
        **dict.fromkeys(FAMILY, BadLay(points=50, when="end-of-turn")),
    }
    over_calls = {
        "jamaican": OverCall(points=50, forbids_bend=True),
        "kooky": OverCall(points=100),
        "trinidad": OverCall(points=50, loser="drops-out", laid_seat=True),
        **dict.fromkeys(FAMILY, OverCall(points=50, wrong_challenge=50)),
    }
    expected = {
        **{
            name: Infractions(
                bad_lay=bad_lays[name], over_call=over_calls[name], joker_discard=50 if name in FAMILY else None
            )
            for name in over_calls
        },
        "classic": None,
        "kalookie-40": None,
    }
    assert ruleset.infractions == expected[ruleset.id]


def test_settings_and_the_dealers_cut_b1_f1_f2_d12(ruleset: Ruleset) -> None:
    money = {"initial_stake": 10, "call_up": 1, "kalookie": 2, "buy_in_stake": 10, "max_buy_ins": 1}
    special: dict[str, dict[str, object]] = {
        "jamaican": {"bad_lay": 50, "over_call": 50},
        "kalookie-40": dict(money),
        **{name: {"dealer_cut": False} for name in FAMILY},
    }
    assert ruleset.settings == special.get(ruleset.id, {})
    assert ruleset.dealer_cut_bonus == (-50 if ruleset.id in FAMILY else None)


def test_options_l4_m9_d15(ruleset: Ruleset) -> None:
    assert set(ruleset.options) == OPTIONS[ruleset.id]


@pytest.mark.parametrize("name", sorted(name for name in IDS if "twelve-card-start" in RULESETS[name].options))
def test_twelve_card_start(name: str) -> None:
    cards = [deal.cards for deal in resolve(RULESETS[name], ["twelve-card-start"]).deals]
    assert cards == [12, 12, 12, *(deal.cards for deal in RULESETS[name].deals[3:])]


def test_eight_card_baby() -> None:
    deals = resolve(RULESETS["baby"], ["eight-card-baby"]).deals
    assert [(deal.cards, deal.sets, deal.runs) for deal in deals] == [(8, 2, 0), (8, 1, 1), (8, 0, 2)]


def test_one_joker_fours() -> None:
    assert resolve(RULESETS["jamaican"], ["one-joker-fours"]).runs.jokers_when_shortest == 1


@pytest.mark.parametrize("name", sorted(name for name in IDS if "six-jokers" in RULESETS[name].options))
def test_six_jokers_are_for_two_packs(name: str) -> None:
    ruleset = RULESETS[name]
    two_packs = [seats for seats, (packs, _) in pack_table(ruleset).items() if packs == 2]
    assert list(ruleset.options["six-jokers"].seats or ()) == two_packs
    changed = pack_table(resolve(ruleset, ["six-jokers"]))
    assert changed == {**pack_table(ruleset), **dict.fromkeys(two_packs, (2, 6))}


@pytest.mark.parametrize("name", ["jamaican", "classic"])
def test_third_pack(name: str) -> None:
    ruleset = RULESETS[name]
    option = ruleset.options["third-pack"]
    assert option.recommended_from == 5
    assert option.seats == (3, 4, 5, 6)
    changed = pack_table(resolve(ruleset, ["third-pack"]))
    assert {seats: changed[seats] for seats in option.seats} == dict.fromkeys([3, 4, 5, 6], (3, 8))


def test_words_of_jamaica_and_kooky() -> None:
    jamaica, kooky = RULESETS["jamaican"].vocabulary, RULESETS["kooky"].vocabulary
    assert (jamaica.set, jamaica.sets, jamaica.run, jamaica.runs, jamaica.deal) == (
        "three",
        "threes",
        "four",
        "fours",
        "game",
    )
    assert (kooky.set, kooky.run, kooky.deal, kooky.joker) == ("set", "run", "round", "Kooky Kard")


def test_every_line_of_rules_cites_its_clause() -> None:
    for path in builtin_folder().glob("*.yaml"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0] == "# yaml-language-server: $schema=ruleset.schema.json"
        # A rule's own line stands at the margin; words for people cite nothing.
        rules = [line for line in lines if line[:1].isalpha()]
        plain = ("id:", "name:", "summary:", "vocabulary:", "extends:", "deck:", "score:", "options:")
        assert [line for line in rules if "#" not in line and not line.startswith(plain)] in (
            [],
            ["settings: {bad_lay: null, over_call: null}"],
        )
