"""A whole small bot: it collects sets and runs of naturals, fills a pair up with a joker, and throws what fits nothing.

kalooki sim --ruleset baby --matches 30 --seat "exec:python3 small_bot.py" --seat ai:novice --seat ai:novice
"""

import json
import sys

PLACES = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(number): number for number in range(2, 14)}
JOKER = "JK"


def rank(card):
    return card[:-1]


def suit(card):
    return card[-1]


def place(card):
    return PLACES.get(rank(card), 99)  # a joker is near to nothing


def points(card):
    return {"A": 15, "J": 10, "Q": 10, "K": 10}.get(rank(card)) or int(rank(card))


def find_runs(cards):
    """Find runs of four and more without jokers, the longest of each suit."""
    runs = []
    for letter in sorted({suit(card) for card in cards}):
        held = {place(card): card for card in cards if suit(card) == letter}
        best, run = [], []
        for number in range(1, 14):
            run = [*run, held[number]] if number in held else []
            if len(run) > len(best):
                best = run
        if len(best) >= 4:
            runs.append(best)
    return runs


def find_sets(cards, jokers):
    """Find sets of three and more; a joker makes a pair a set."""
    ranks = {}
    for card in cards:
        ranks.setdefault(rank(card), []).append(card)
    sets = []
    for held in sorted(ranks.values(), key=len, reverse=True):
        if len(held) >= 3:
            sets.append(held)
        elif len(held) == 2 and jokers:
            sets.append([*held, jokers.pop()])
    return sets


def lay(hand, contract):
    """Return the answer that lays the contract, or nothing."""
    cards = [card for card in hand if card != JOKER]
    jokers = [card for card in hand if card == JOKER]
    runs = find_runs(cards)[: contract["runs"]]
    for run in runs:
        for card in run:
            cards.remove(card)
    sets = find_sets(cards, jokers)[: contract["sets"]]
    melds = runs + sets
    if len(runs) < contract["runs"] or len(sets) < contract["sets"] or sum(map(len, melds)) >= len(hand):
        return None
    return "lay " + " | ".join(" ".join(meld) for meld in melds)


def use(card, hand):
    """Count the cards of the hand that go with this one."""
    same = sum(rank(other) == rank(card) for other in hand if other != JOKER)
    near = sum(suit(other) == suit(card) and abs(place(other) - place(card)) in (1, 2) for other in hand)
    return same + near


def play(ask):
    """Lay, tack and swap what can be, then throw the card that goes with the fewest others."""
    hand, options = ask["hand"].split(), ask["options"]
    me = next(seat for seat in ask["seats"] if seat["name"] == NAME)
    if not me["laid"]:
        answer = lay(hand, ask["contract"])
        if answer:
            return answer
    for option in options:
        if option.startswith(("tack", "swap")):
            return option
    thrown = [option.removeprefix("discard ") for option in options if option.startswith("discard ")]
    naturals = [card for card in thrown if card != JOKER]
    if naturals:
        return "discard " + min(naturals, key=lambda card: (use(card, hand), -points(card)))
    return "end" if "end" in options else "discard JK"


def wants(ask):
    """Return whether the open card helps: a seat that holds two that go with it takes it."""
    hand, card = ask["hand"].split(), ask.get("flip") or ask["discard"]
    return card == JOKER or use(card, hand) >= 2


def answer(ask):
    match ask["ask"]:
        case "call":
            return "call" if wants(ask) else "pass"
        case "decide":
            return "refuse" if wants(ask) and "refuse" in ask["options"] else "allow"
        case "draw":
            offered = [option for option in ask["options"] if option != "draw stock"]
            return offered[0] if offered and wants(ask) else "draw stock"
        case "play":
            return play(ask)
        case "cut":
            return "cut 30"
        case "add-on":
            return next((option for option in ask["options"] if option.startswith(("tack", "swap"))), "done")
        case _:
            return "leave"


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        NAME = message["seat"]
    elif "ask" in message:
        print(answer(message), flush=True)
