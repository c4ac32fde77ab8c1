"""Find moments for the exercise "lay or wait": the contract can be laid, and one choice is clearly the better one.

    python -m lab.find_waits [--ruleset jamaican] [--minutes 8] [--worlds 600] [--write]

Club players play deals among themselves, by the native core. Each seat's first lay-down is a moment, unless laying goes
out or no throw would leave the contract in the hand. The moment is played on by club players in so many worlds, the
hidden cards dealt anew with hands as such hands are: once with the contract laid, once with each throw. One half of the
worlds chooses the throw, the other says by how many points laying is better than it. A moment is clear where that is
10 to 60 points and at least three standard errors.

The likely hands are a guess, so each moment is also played on with the hands that the others truly held and the stock
shuffled anew, with the throw that the worlds chose. Of one deal that says little; of all the moments with one answer it
says whether the answer holds. This is printed, and lies beside the moments in `kalooki_tui/coach/tables/waits/`.

Moments come in the order of the seed, so a longer search goes on where a shorter one stopped: `--deals` instead of
minutes makes the same file anywhere.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

import kalooki_tui.coach
from kalooki_tui.cards import Card
from kalooki_tui.engine.actions import Discard, Lay
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.view import HasLaid, View
from kalooki_tui.players.belief import Belief
from kalooki_tui.playouts import Cards, play_deal, playouts, why_not
from kalooki_tui.solver import best_lay, distance
from kalooki_tui.solver.lay import goes_out
from kalooki_tui.wording import AI_NAMES, FIRST_NAME
from lab.deals import SEATS, dealt, rules_of

SEED: Final = "waits"
NAMES: Final = (FIRST_NAME, *AI_NAMES[:3])
LEAST: Final = 10.0
MOST: Final = 60.0
ERRORS: Final = 3.0
STOCKS: Final = 60
"""Shuffles of the stock under the true hands."""
SHARE_LATE: Final = 0.25
"""Moments played on of those in which somebody else has laid: they are many, and alike."""
KEPT: Final = 10
"""Moments kept of each answer: the first ones found."""


@dataclass(frozen=True)
class Moment:
    """A moment played on; figures are points by which laying is better."""

    at: dict[str, Any]
    """A position without its ruleset; the seat to act is the first."""
    gain: float
    error: float
    true: float
    """With the true hands."""
    laid: int
    """Other seats that have laid."""
    left: int
    """Cards that would stay."""

    @property
    def is_clear(self) -> bool:
        """Whether it can be asked about."""
        return LEAST <= abs(self.gain) <= MOST and abs(self.gain) >= ERRORS * self.error


def lay_downs(rules: Rules, number: int, shuffle: int) -> Iterator[Deal]:
    """A deal of club players, at each seat's first lay-down."""
    name = f"{SEED}/{rules.ruleset.id}/{number}/{shuffle}"
    deal = dealt(rules, number, shuffle % rules.seats, name)
    for action, stock in play_deal(deal, seed=name).actions:
        if isinstance(action, Lay) and deal.laid[action.seat] is HasLaid.NO:
            yield deal
        deal.next_stock = stock
        deal.apply(action)


def weigh(deal: Deal, count: int, name: str) -> Moment | None:
    """Play a moment on; None: there is nothing to choose."""
    seat = deal.turn
    view = deal.view(seat)
    lay = best_lay(view.rules, view.contract, view.hand)
    if lay is None or goes_out(view.rules, lay.left):
        return None
    throws = [one for one in view.legal if isinstance(one, Discard) and _is_held(view, one.card)]
    if not throws:
        return None
    belief, dice = Belief(view), random.Random(name)
    worlds = belief.worlds(count, name)
    laying = Lay(seat, lay.groups)
    laid, *held = playouts(deal, worlds, [[laying], *([throw] for throw in throws)], seat=seat, seed=name)
    half = count // 2
    best = min(range(len(throws)), key=lambda way: fmean(held[way][:half]))
    gains = _differences(held[best][half:], laid[half:])
    hands = [list(hand) for hand in deal.hands]
    stocks = [Cards(hands, dice.sample(deal.stock, len(deal.stock))) for _ in range(STOCKS)]
    true_laid, true_held = playouts(deal, stocks, [[laying], [throws[best]]], seat=seat, seed=name)
    return Moment(
        _position(view, deal.hands),
        fmean(gains),
        _error(gains),
        fmean(_differences(true_held, true_laid)),
        sum(state is not HasLaid.NO for state in view.laid),
        len(lay.left),
    )


def _is_held(view: View, card: Card) -> bool:
    rest = list(view.hand)
    rest.remove(card)
    return distance(view.rules, view.contract, rest) == 0


def _differences(held: Sequence[float], laid: Sequence[float]) -> list[float]:
    return [waiting - laying for waiting, laying in zip(held, laid, strict=True)]


def _error(gains: Sequence[float]) -> float:
    return float(stdev(gains) / len(gains) ** 0.5) if len(gains) > 1 else 0.0


def _position(view: View, hands: Sequence[Sequence[Card]]) -> dict[str, Any]:
    """The moment with its seat first, as "You"."""
    text = view.rules.faces.texts
    names = {(view.seat + step) % SEATS: name for step, name in enumerate(NAMES)}
    seats: list[dict[str, Any]] = []
    calls = view.calls or (0,) * SEATS
    for seat, name in names.items():
        one: dict[str, Any] = {"name": name, "hand": text(sorted(hands[seat]))}
        one |= {"laid": True} if view.laid[seat] is not HasLaid.NO else {}
        one |= {"calls": calls[seat]} if calls[seat] else {}
        seats.append(one)
    at: dict[str, Any] = {"deal": view.deal, "dealer": names[view.dealer], "turn": "You", "phase": "play"}
    at["seats"] = seats
    if view.melds:
        at["table"] = [{"owner": names[meld.owner], "cards": text(meld.cards)} for meld in view.melds]
    if view.discard is not None:
        at["discard"] = text([view.discard])
    return at


def told(moments: Sequence[Moment]) -> dict[str, Any]:
    """How many moments there are, and by how much laying is better in them: guessed, and with the true hands."""
    if not moments:
        return {"moments": 0}
    true = [moment.true for moment in moments]
    return {
        "moments": len(moments),
        "guessed": round(fmean(moment.gain for moment in moments), 1),
        "true": round(fmean(true), 1),
        "error": round(_error(true), 1),
    }


def main() -> None:
    """Search, tell what was found, and write the moments if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", default="jamaican")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--deals", type=int, default=sys.maxsize, help="stop after so many deals")
    parser.add_argument("--worlds", type=int, default=600)
    parser.add_argument("--write", action="store_true", help="write the clear moments where the course finds them")
    arguments = parser.parse_args()
    if why_not():
        sys.exit(why_not())
    rules = rules_of(arguments.ruleset)
    numbers = len(rules.ruleset.deals)
    end = time.monotonic() + 60 * arguments.minutes
    found: list[Moment] = []
    deals = 0
    while deals < arguments.deals and time.monotonic() < end:
        number, shuffle = deals % numbers + 1, deals // numbers
        for turn, deal in enumerate(lay_downs(rules, number, shuffle)):
            name = f"{SEED}/{number}/{shuffle}/{turn}"
            if turn and random.Random(f"late/{name}").random() >= SHARE_LATE:
                continue
            moment = weigh(deal, arguments.worlds, name)
            if moment is not None:
                found.append(moment)
                print(
                    f"deal {number} shuffle {shuffle}: {moment.gain:6.1f} ± {moment.error:4.1f}, with the true hands "
                    f"{moment.true:6.1f}; {moment.laid} laid, {moment.left} left",
                    flush=True,
                )
        deals += 1
    clear = [moment for moment in found if moment.is_clear]
    by_answer = {
        "lay": [moment for moment in clear if moment.gain > 0],
        "wait": [moment for moment in clear if moment.gain < 0],
    }
    checked = {answer: told(moments) for answer, moments in by_answer.items()}
    checked |= {"nobody-laid": told([one for one in found if not one.laid])}
    checked |= {"somebody-laid": told([one for one in found if one.laid])}
    head = {"made_by": "lab/find_waits.py", "seed": SEED, "deals": deals, "worlds": arguments.worlds}
    print(json.dumps(head | {"checked": checked}))
    if arguments.write:
        # Why waiting is better is said in words that hold only while nobody has laid.
        by_answer["wait"] = [one for one in by_answer["wait"] if not one.laid]
        kept = [one for moments in by_answer.values() for one in moments[:KEPT]]
        lines = [json.dumps({"gain": round(one.gain, 1), "error": round(one.error, 1), "at": one.at}) for one in kept]
        folder = Path(kalooki_tui.coach.__file__).parent / "tables" / "waits"
        start = json.dumps(head | {"checked": checked})[:-1]
        text = start + ', "moments": [\n' + ",\n".join(lines) + "\n]}\n"
        (folder / f"{arguments.ruleset}.json").write_text(text, encoding="utf-8")
    print(f"{deals} deals, {len(found)} moments, {len(clear)} clear")


if __name__ == "__main__":
    main()
