"""A ruleset made ready for one match: the number of seats, the referee and the settings are known."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from kalooki_tui.cards import KINDS_OF_CARD, Card, Faces
from kalooki_tui.rulesets.model import Contract, Infractions, Ruleset, Settings, card_values, in_deal


class Referee(StrEnum):
    """Treatment of attempts that the rules forbid (§11)."""

    STRICT = "strict"
    PENALTIES = "penalties"


class Rules(Struct, frozen=True):
    """Everything the engine asks while a deal is played; made once a match by `make_rules`."""

    ruleset: Ruleset
    seats: int
    referee: Referee
    settings: Settings
    faces: Faces
    packs: int
    jokers: int
    values: tuple[int, ...]
    """Points of each card left in a hand, by card number (G3)."""
    wild: frozenset[Card]
    """Cards of wild ranks (H7)."""
    stand_ins: frozenset[Card]
    """Cards that may stand for any other: these and the jokers."""
    charges: Infractions
    """What this match's referee charges for: nothing, if it is strict."""

    @property
    def penalties(self) -> bool:
        return self.referee is Referee.PENALTIES

    @property
    def deck_size(self) -> int:
        return self.packs * (KINDS_OF_CARD - 1) + self.jokers

    @property
    def copies(self) -> list[int]:
        return [self.packs] * (KINDS_OF_CARD - 1) + [self.jokers]

    def contract(self, deal: int) -> Contract:
        """Return the contract of deal `deal`, from 1; the last one repeats where elimination ends the match."""
        deals = self.ruleset.deals
        return deals[min(deal, len(deals)) - 1]

    def in_deal(self, deal: int) -> Rules:
        """Return the rules as they are in deal `deal`, from 1, where it changes some (H13)."""
        calls = self.contract(deal).calls
        return self if calls is None else replace(self, ruleset=in_deal(self.ruleset, calls))

    def points(self, cards: tuple[Card, ...] | list[Card]) -> int:
        """Return the points of the cards if left in a hand (G3)."""
        values = self.values
        return sum(values[card] for card in cards)


def make_rules(
    ruleset: Ruleset, seats: int, referee: Referee = Referee.STRICT, settings: Settings | None = None
) -> Rules:
    """Make the rules of a match; raise ValueError for a number of seats or a referee that the ruleset has not."""
    pack = ruleset.pack_for(seats)
    if referee is Referee.PENALTIES and ruleset.infractions is None:
        raise ValueError(f"{ruleset.name} is played with the strict referee only")
    settings = settings or ruleset.usual_settings()
    if len(settings.handicap) not in (0, seats):
        raise ValueError(f"a handicap names points for each of {seats} seats, or is left out")
    return Rules(
        ruleset=ruleset,
        seats=seats,
        referee=referee,
        settings=settings,
        faces=ruleset.faces,
        packs=pack.packs,
        jokers=pack.jokers,
        values=card_values(ruleset),
        wild=ruleset.wild_cards,
        stand_ins=ruleset.stand_ins,
        charges=_charges(ruleset, settings) if referee is Referee.PENALTIES else Infractions(),
    )


def _charges(ruleset: Ruleset, settings: Settings) -> Infractions:
    """Return what the penalties referee charges for, at the prices of the settings where they set any."""
    found = ruleset.infractions or Infractions()
    bad_lay, over_call = found.bad_lay, found.over_call
    if bad_lay is not None and bad_lay.when == "each-attempt" and settings.bad_lay is not None:
        bad_lay = replace(bad_lay, points=settings.bad_lay)
    if over_call is not None and over_call.loser == "charged" and settings.over_call is not None:
        over_call = replace(over_call, points=settings.over_call)
    return replace(found, bad_lay=bad_lay, over_call=over_call)
