"""A greedy player: it takes what makes a meld, lays as soon as it can, and throws the dearest useless card.

kalooki sim --ruleset jamaican --matches 40 --seat "exec:python3 greedy_bot.py" --seat ai:novice --seat ai:novice

It remembers nothing between questions and counts no cards; `small_bot.py` is shorter and weaker.
"""

import itertools
import json
import sys

JOKER = "JK"
RANKS = ["A", *(str(number) for number in range(2, 11)), "J", "Q", "K"]


class Game:
    """Ruleset's facts about melds and points, from `hello`."""

    def __init__(self, rules):
        sets, runs = rules["sets"], rules["runs"]
        self.values = rules["score"]["values"]
        self.set_size = max(sets["minimum"], sets["naturals"])
        self.set_most = sets.get("maximum") or 99
        self.set_naturals = sets["naturals"]
        self.distinct = sets["suits"] == "distinct"
        self.run_size = runs["minimum"]
        self.run_naturals = runs.get("naturals") or 1
        self.kisses = runs["kisses"]
        self.repeats = rules["lay"]["repeats"] == "free"
        self.keeps_one = rules["discard"]["last_card"] == "discard"

    def points(self, card):
        rank = rank_of(card)
        return self.values.get(card, self.values.get(rank, int(rank) if rank.isdigit() else 0))


def rank_of(card):
    return card if card == JOKER else card[:-1]


def place(card):
    """Return 1 for the ace to 13; Kooky writes 11, 12 and 13."""
    rank = rank_of(card)
    return RANKS.index(rank) + 1 if rank in RANKS else int(rank)


def suit(card):
    return card[-1]


def sets_in(cards):
    """Find every set, as large as it can be; jokers only where naturals do not suffice."""
    naturals = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(naturals)
    for rank in sorted({rank_of(card) for card in naturals}):
        held = [card for card in naturals if rank_of(card) == rank]
        if GAME.distinct:
            held = sorted(set(held))
        held = held[: GAME.set_most]
        short = max(0, GAME.set_size - len(held))
        if len(held) >= GAME.set_naturals and short <= jokers:
            yield [*held, *[JOKER] * short]


def runs_in(cards):
    """Find every run, by its places; jokers fill gaps, and an end where a run is too short."""
    jokers = cards.count(JOKER)
    for letter in sorted({suit(card) for card in cards if card != JOKER}):
        held = {place(card): card for card in cards if card != JOKER and suit(card) == letter}
        if 1 in held:
            held[14] = held[1]
        for low in range(1, 15):
            run, used = [], 0
            for number in range(low, 15):
                if number == 14 and low == 1 and cards.count(held.get(1)) < 2:
                    break
                card = held.get(number, JOKER)
                if card == JOKER:
                    used += 1
                    if used > jokers or (not GAME.kisses and run and run[-1] == JOKER):
                        break
                run.append(card)
                naturals = len(run) - used
                # A joker at the end of a run that is long enough without it would be wasted.
                useful = card != JOKER or len(run) == GAME.run_size
                if len(run) >= GAME.run_size and naturals >= GAME.run_naturals and useful:
                    yield run[:]


def without(cards, meld):
    left = list(cards)
    for card in meld:
        left.remove(card)
    return left


def key(meld):
    """Return what may not repeat among one seat's melds: the rank of a set, the suit of a run."""
    card = next(card for card in meld if card != JOKER)
    return rank_of(card) if is_set(meld) else suit(card)


def is_set(meld):
    return len({rank_of(card) for card in meld if card != JOKER}) == 1 and sum(card != JOKER for card in meld) > 1


def ways(hand, sets, runs, taken=(), last=""):
    """Find ways to so many runs and sets; `taken`: ranks and suits laid already, `last`: that of the last."""
    if not runs and not sets:
        yield [], hand
        return
    for meld in runs_in(hand) if runs else sets_in(hand):
        name = key(meld)
        # The same melds in another order are the same way.
        if name < last or (not GAME.repeats and name in taken):
            continue
        after = name if sets + runs > 1 and runs != 1 else ""
        for melds, left in ways(without(hand, meld), sets - (not runs), runs - bool(runs), (*taken, name), after):
            yield [meld, *melds], left


def best_way(hand, contract):
    """Find the lay-down that leaves fewest points, with further melds of the rest."""
    best = None
    # A hand full of jokers has endless ways; the first few thousand are as good as all.
    for sets, runs in shapes(contract, [1, 2, 3]):
        for melds, left in itertools.islice(ways(hand, sets, runs), 3000):
            if sum(map(worth, melds)) < contract.get("points", 0):
                continue
            if GAME.keeps_one and not left:
                continue
            cost = sum(map(GAME.points, left))
            if best is None or cost < best[0]:
                best = (cost, melds)
    return best and best[1]


def worth(meld):
    """Count a meld towards the points of a first lay-down, jokers as nothing: never too few."""
    return sum(GAME.points(card) for card in meld if card != JOKER)


def windows(hand):
    """Find the likeliest run of the shortest length in each suit: cards it lacks, and cards it has."""
    found = {}
    for letter in sorted({suit(card) for card in hand if card != JOKER}):
        held = {place(card): card for card in hand if card != JOKER and suit(card) == letter}
        if 1 in held:
            held[14] = held[1]
        spans = [
            [held[number] for number in range(low, low + GAME.run_size) if number in held]
            for low in range(1, 16 - GAME.run_size)
        ]
        spans.sort(key=len, reverse=True)
        found[letter] = [(GAME.run_size - len(span), span) for span in spans[:4]]
    while len(found) < 4:
        # A suit of which the hand holds nothing.
        found[f"other {len(found)}"] = [(GAME.run_size, [])]
    return found


def nearest(hand, contract):
    """Estimate the cards the contract lacks, and those that its nearest ways use."""
    best, useful = 99, set()
    spans = windows(hand)
    pick = itertools.combinations_with_replacement if GAME.repeats else itertools.combinations
    for sets, runs in shapes(contract, [3]):
        for letters in pick(sorted(spans), runs):
            for chosen in itertools.product(*(spans[letter] for letter in letters)):
                used = [card for _, span in chosen for card in span]
                if len(set(used)) < len(used) and any(used.count(card) > hand.count(card) for card in used):
                    continue
                away, cards = beside(without(hand, used), sets)
                away += sum(missing for missing, _ in chosen) - hand.count(JOKER)
                if away < best:
                    best, useful = away, set()
                if away == best:
                    useful.update(used, cards)
    return max(best, 0), useful


def beside(cards, sets):
    """Count what so many sets lack, and their cards, with ranks as near as the last."""
    if not sets:
        return 0, []
    ranks = {}
    for card in set(cards) if GAME.distinct else cards:
        if card != JOKER:
            ranks.setdefault(rank_of(card), []).append(card)
    sizes = sorted((min(len(held), GAME.set_size) for held in ranks.values()), reverse=True)[:sets]
    sizes += [0] * (sets - len(sizes))
    return GAME.set_size * sets - sum(sizes), [
        card for held in ranks.values() if len(held) >= sizes[-1] for card in held
    ]


def shapes(contract, melds):
    """Return numbers of sets and runs for the contract; for points, every way to so many melds."""
    if contract.get("points"):
        return [(sets, total - sets) for total in melds for sets in range(total + 1)]
    return [(contract.get("sets", 0), contract.get("runs", 0))]


def wants(ask):
    """Return whether the open card brings the contract nearer."""
    hand, card = ask["hand"].split(), ask.get("flip") or ask["discard"]
    if me(ask)["laid"]:
        return card == JOKER
    return nearest([*hand, card], ask["contract"])[0] < nearest(hand, ask["contract"])[0]


def me(ask):
    return next(seat for seat in ask["seats"] if seat["name"] == NAME)


def lay(melds):
    return "lay " + " | ".join(" ".join(meld) for meld in melds)


def further(ask):
    hand = ask["hand"].split()
    own = [meld["cards"].split() for meld in ask["table"] if meld["owner"] == NAME]
    taken = {key(meld) for meld in own}
    for meld in itertools.chain(runs_in(hand), sets_in(hand)):
        if (GAME.repeats or key(meld) not in taken) and len(meld) + GAME.keeps_one <= len(hand):
            return lay([meld])
    return None


def play(ask):
    """Lay, tack and swap whatever can be, naturals first; then throw."""
    hand, contract, laid = ask["hand"].split(), ask["contract"], me(ask)["laid"]
    if not REFUSED:
        melds = None if laid else best_way(hand, contract)
        answer = further(ask) if laid else melds and lay(melds)
        if answer:
            return answer
    added = [option for option in ask["options"] if option.startswith(("tack", "swap"))]
    if added:
        return max(added, key=lambda option: (JOKER not in option, GAME.points(option.split()[1])))
    thrown = [option.removeprefix("discard ") for option in ask["options"] if option.startswith("discard ")]
    naturals = [card for card in thrown if card != JOKER]
    if not naturals:
        return "discard JK" if thrown else "end"
    if laid:
        return "discard " + max(naturals, key=GAME.points)
    _, useful = nearest(hand, contract)
    twice = {card for card in naturals if hand.count(card) > 1 and not contract.get("sets")}
    return "discard " + max(naturals, key=lambda card: (card not in useful or card in twice, GAME.points(card)))


def answer(ask):
    options = ask["options"]
    match ask["ask"]:
        case "call":
            return "call" if wants(ask) else "pass"
        case "decide":
            return "refuse" if "refuse" in options and wants(ask) else "allow"
        case "draw":
            offered = [option for option in options if option != "draw stock"]
            return offered[0] if offered and wants(ask) else "draw stock"
        case "play":
            return play(ask)
        case "add-on":
            added = [option for option in options if option.startswith(("tack", "swap"))]
            return added[0] if added else "done"
        case "cut":
            return "cut 40"
        case _:
            return "leave"


for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        NAME, GAME, REFUSED = message["seat"], Game(message["rules"]), False
    elif "refused" in message:
        # The same question comes again: whatever was wrong with the lay-down, there is something plain to answer.
        REFUSED = True
    elif "ask" in message:
        print(answer(message), flush=True)
        REFUSED = False
