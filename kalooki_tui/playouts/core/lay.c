/* The best lay-down: of all that the rules allow, one that leaves the fewest points in the hand (lay.py).
 *
 * Runs are chosen suit by suit with a bound on what must be left; the sets then follow from the cards the runs leave. Of
 * equal lay-downs the first is kept, so the order of the search is that of the Python one.
 */
#include <string.h>

#include "lay.h"

/* How many naturals of a rank the run holds: two where it has an ace at each end. */
static int uses(const Chain *chain, int rank) {
    return (int)(chain->held >> rank & 1) + (int)(chain->held >> (rank + RANKS) & 1);
}

/* Runs of the suits, but of those closed to the seat. */
static void find_all_chains(LaySearch *search, unsigned closed_suits) {
    unsigned spare = 0;
    for (int index = 0; index < search->ranks_size; index++) spare |= 1u << search->ranks[index];
    for (int suit = 0; suit < SUITS; suit++) {
        unsigned mask = 0;
        for (int rank = 0; rank < RANKS; rank++)
            if (search->hand[suit * RANKS + rank]) mask |= 1u << rank;
        search->chains[suit] = search->scratch->chains[suit];
        search->chains[suit].size = 0;
        if (closed_suits >> suit & 1 || !mask) continue;
        find_chains(search, suit, mask, spare & mask, &search->chains[suit]);
        search->scratch->chains[suit] = search->chains[suit];
    }
}

/* By suit and rank: the weight of cards that no run without jokers takes. */
static void find_uncovered(LaySearch *search) {
    for (int suit = 0; suit < SUITS; suit++) {
        int usable[RANKS] = {0};
        for (int index = 0; index < search->chains[suit].size; index++) {
            const Chain *chain = &search->chains[suit].chains[index];
            if (chain->jokers) continue;
            for (int rank = 0; rank < RANKS; rank++) usable[rank] = most(usable[rank], uses(chain, rank));
        }
        for (int rank = 0; rank < RANKS; rank++) {
            int card = suit * RANKS + rank;
            int copies = search->rules->repeats && usable[rank] ? 0 : most(0, search->hand[card] - usable[rank]);
            search->uncovered[suit][rank] = copies * search->weights[card];
        }
    }
}

/* Entry [suit][k]: the most weight of uncovered cards that one run with k jokers takes, from that suit on. */
static void find_rescues(LaySearch *search) {
    memset(search->rescues[SUITS], 0, sizeof search->rescues[SUITS]);
    for (int suit = SUITS - 1; suit >= 0; suit--) {
        int *row = search->rescues[suit];
        memcpy(row, search->rescues[suit + 1], sizeof search->rescues[suit]);
        for (int index = 0; index < search->chains[suit].size; index++) {
            const Chain *chain = &search->chains[suit].chains[index];
            if (!chain->jokers) continue;
            int weight = 0;
            for (int rank = 0; rank < RANKS; rank++)
                if (search->uncovered[suit][rank]) weight += uses(chain, rank) * search->weights[suit * RANKS + rank];
            row[chain->jokers] = most(row[chain->jokers], weight);
        }
    }
}

static void begin(LaySearch *search, const Deal *deal, const Contract *contract, const uint8_t *hand,
                  unsigned closed_ranks, unsigned closed_suits, int bound, const int *sinks, int needed) {
    const Rules *rules = deal->rules;
    search->rules = rules;
    search->contract = *contract;
    search->hand = hand;
    search->jokers = hand[JOKER];
    search->best = bound;
    search->least_left = search->total = 0;
    search->found = false;
    search->exact = rules->exact && contract->sets + contract->runs > 0;
    search->as_long = search->exact && !contract->whole;
    search->chosen_size = search->ranks_size = 0;
    search->escape = deal->escape;
    search->scratch = deal->scratch;
    if (search->jokers >= 64) give_up(deal->escape, FAULT_ROOM);
    memcpy(search->weights, rules->weights, sizeof search->weights);
    /* What melds on the table take at any time costs nothing to keep, all other cards the same. */
    for (int card = 0; sinks && card < KINDS; card++) search->weights[card] = sinks[card] < 0;
    if (needed != NO_CARD) search->weights[needed] += NEEDED;
    memcpy(search->left, hand, KINDS);
    for (int card = 0; card < KINDS; card++) search->total += search->weights[card] * hand[card];
    int enough = most(rules->set_naturals, rules->shortest_set - search->jokers);
    for (int rank = 0; rank < RANKS; rank++) {
        int held = 0;
        for (int suit = 0; suit < SUITS; suit++) held += hand[suit * RANKS + rank];
        search->rank_left[rank] = held;
        if (held >= enough && !(closed_ranks >> rank & 1)) search->ranks[search->ranks_size++] = rank;
    }
    find_all_chains(search, closed_suits);
    search->runs_from[SUITS] = 0;
    for (int suit = SUITS - 1; suit >= 0; suit--)
        search->runs_from[suit] = search->runs_from[suit + 1] + (search->chains[suit].size > 0);
    find_uncovered(search);
    find_rescues(search);
}

/* A bound from below on the weight left; above it, but below `bound`, where that can be told with less work. Stuck cards
 * stay, but for those of ranks that may be sets, and those that melds with jokers take: no more than the best such melds
 * would if no card were wanted twice. */
static int least_left(const LaySearch *search, int suit, int jokers, const int *stuck, int bound) {
    const Rules *rules = search->rules;
    int left = 0, rescue[64], most_saved[64];
    for (int rank = 0; rank < RANKS; rank++) left += stuck[rank];
    memcpy(rescue, search->rescues[suit], (size_t)(jokers + 1) * sizeof *rescue);
    for (int index = 0; index < search->ranks_size; index++) {
        int rank = search->ranks[index], weight = stuck[rank];
        if (!weight) continue;
        int lacking = rules->shortest_set - search->rank_left[rank];
        if (lacking <= 0)
            left -= weight;
        else if (lacking <= jokers && search->rank_left[rank] >= rules->set_naturals)
            rescue[lacking] = most(rescue[lacking], weight);
    }
    if (left < bound || !jokers) return left;
    most_saved[0] = 0;
    for (int number = 1; number <= jokers; number++) {
        most_saved[number] = most_saved[number - 1];
        for (int used = 1; used <= number; used++)
            most_saved[number] = most(most_saved[number], rescue[used] + most_saved[number - used]);
    }
    return left - most_saved[jokers];
}

/* What is stuck once the suit gives no further run. */
static void close_suit(const LaySearch *search, int suit, const int *stuck, int *closed) {
    for (int rank = 0; rank < RANKS; rank++) {
        int card = suit * RANKS + rank, uncovered = search->uncovered[suit][rank];
        int weight = search->left[card] * search->weights[card];
        if (search->rules->repeats)
            closed[rank] = stuck[rank] + (uncovered ? 0 : weight);
        else
            closed[rank] = stuck[rank] - uncovered + weight;
    }
}

/* Whether the chosen runs are as long as the contract asks (H8). A complete suit stands for three runs of any length (L6). */
static bool are_long_enough(const LaySearch *search) {
    const Contract *contract = &search->contract;
    if (!contract->runs || contract->run_lengths[0] == search->rules->shortest_run) return true;
    /* Where nothing may be longer (H10) each run has one of the lengths. */
    int lengths[MOST_CHOSEN];
    for (int index = 0; index < search->chosen_size; index++) {
        int length = search->chosen[index].chain.size + search->chosen[index].chain.jokers, place = index;
        for (; place > 0 && lengths[place - 1] < length; place--) lengths[place] = lengths[place - 1];
        lengths[place] = length;
    }
    if (search->chosen_size < contract->runs) return false;
    for (int run = 0; run < contract->runs; run++)
        if (lengths[run] < contract->run_lengths[run] || (search->as_long && lengths[run] > contract->run_lengths[run]))
            return false;
    return true;
}

/* Choose runs from suit `suit` on, in it from its chain `start` on. `runs`: still wanted for the contract; `left`: weight
 * of all cards not in a chosen run; `stuck`: by rank, weight of the cards that only a set can take now. */
static void choose(LaySearch *search, int suit, int start, int runs, int jokers, int left, const int *stuck) {
    bool repeats = search->rules->repeats;
    if (!repeats && runs > search->runs_from[suit] && !search->rules->full_suit) return;
    if (least_left(search, suit, jokers, stuck, search->best) >= search->best) return;
    if (suit == SUITS) {
        if (runs <= 0 && are_long_enough(search)) plan_sets(search, jokers, left);
        return;
    }
    const int *weights = search->weights + suit * RANKS;
    uint8_t *counts = search->left + suit * RANKS;
    int after_stuck[RANKS];
    for (int index = start; index < search->chains[suit].size && (runs > 0 || !search->exact); index++) {
        Chain chain = search->chains[suit].chains[index];
        if (chain.jokers > jokers) continue;
        if (repeats) {
            bool held = true;
            for (int rank = 0; rank < RANKS && held; rank++) held = counts[rank] >= uses(&chain, rank);
            if (!held) continue;
        }
        if (search->chosen_size == MOST_CHOSEN) give_up(search->escape, FAULT_ROOM);
        int after = left - chain.jokers * search->weights[JOKER];
        memcpy(after_stuck, stuck, sizeof after_stuck);
        for (unsigned held = chain.held; held; held &= held - 1) {
            int rank = lowest_bit(held) % RANKS;
            counts[rank]--;
            search->rank_left[rank]--;
            after -= weights[rank];
            if (search->uncovered[suit][rank]) after_stuck[rank] -= weights[rank];
        }
        search->chosen[search->chosen_size].suit = suit;
        search->chosen[search->chosen_size++].chain = chain;
        int wanted = chain.full && search->contract.runs == 3 ? 0 : runs - 1;
        if (repeats) {
            /* The suit may give another run, so its cards are not stuck yet; those of this run no longer are. */
            choose(search, suit, index, wanted, jokers - chain.jokers, after, after_stuck);
        } else {
            close_suit(search, suit, stuck, after_stuck);
            choose(search, suit + 1, 0, wanted, jokers - chain.jokers, after, after_stuck);
        }
        search->chosen_size--;
        for (unsigned held = chain.held; held; held &= held - 1) {
            int rank = lowest_bit(held) % RANKS;
            counts[rank]++;
            search->rank_left[rank]++;
        }
    }
    close_suit(search, suit, stuck, after_stuck);
    choose(search, suit + 1, 0, runs, jokers, left, after_stuck);
}

/* The best lay-down into `laydown`, or false: none weighs less than the bound, or nothing can be laid. */
static bool solve(LaySearch *search, Laydown *laydown) {
    int stuck[RANKS];
    search->laydown = laydown;
    for (int rank = 0; rank < RANKS; rank++) {
        stuck[rank] = 0;
        for (int suit = 0; suit < SUITS; suit++) stuck[rank] += search->uncovered[suit][rank];
    }
    search->least_left = least_left(search, 0, search->jokers, stuck, 0);
    choose(search, 0, 0, search->contract.runs, search->jokers, search->total, stuck);
    return search->found;
}

/* What counts as a joker in each joker's place: jokers first, then wild cards (H7). */
static void put_wild_cards(const Reading *reading, Laydown *laydown) {
    int jokers = reading->hand[JOKER], card = 0, taken = 0;
    for (int group = 0; group < laydown->size; group++)
        for (int index = 0; index < laydown->groups[group].size; index++) {
            if (laydown->groups[group].cards[index] != JOKER || jokers-- > 0) continue;
            while (taken == reading->hand[card] - reading->counts[card]) {
                card++;
                taken = 0;
            }
            laydown->groups[group].cards[index] = (uint8_t)card;
            taken++;
        }
}

static void count_left(const Rules *rules, const uint8_t *hand, Laydown *laydown) {
    memcpy(laydown->left, hand, KINDS);
    for (int group = 0; group < laydown->size; group++)
        for (int index = 0; index < laydown->groups[group].size; index++)
            laydown->left[laydown->groups[group].cards[index]]--;
    laydown->cards_left = laydown->points_left = 0;
    for (int card = 0; card < KINDS; card++) {
        laydown->cards_left += laydown->left[card];
        laydown->points_left += laydown->left[card] * rules->values[card];
    }
}

/* The best lay-down of the hand, each wild card as a joker or as itself; `search` is the last one that was made. */
static bool find_lay(LaySearch *search, const Deal *deal, const Contract *contract, const uint8_t *hand,
                     unsigned closed_ranks, unsigned closed_suits, int bound, const int *sinks, Laydown *found) {
    const Rules *rules = deal->rules;
    bool any = false;
    Reading reading;
    Laydown laydown;
    reading_begin(&reading, rules, hand);
    do {
        begin(search, deal, contract, reading.counts, closed_ranks, closed_suits, bound, sinks, NO_CARD);
        if (!solve(search, &laydown)) continue;
        put_wild_cards(&reading, &laydown);
        count_left(rules, hand, &laydown);
        *found = laydown;
        any = true;
        /* A wild card that counted as a joker and stays weighs no more than the joker that was counted. */
        bound = 0;
        for (int card = 0; card < KINDS; card++) bound += laydown.left[card] * search->weights[card];
    } while (reading_next(&reading));
    search->hand = hand;
    if (rules->wild) search->least_left = 0;
    return any;
}

/* Whether nothing is left, or one card that may be discarded (G1, S1). */
bool goes_out(const Rules *rules, const uint8_t *left, int cards) {
    return cards == 0 || (cards == 1 && (!left[JOKER] || rules->throws_jokers));
}

/* The kinds of card of a hand, or all, the cheapest first. */
int kinds_by_value(const Rules *rules, const uint8_t *hand, int kinds, int *cards) {
    int size = 0;
    for (int card = 0; card < kinds; card++) {
        if (hand && !hand[card]) continue;
        int place = size++;
        for (; place > 0 && rules->values[cards[place - 1]] > rules->values[card]; place--)
            cards[place] = cards[place - 1];
        cards[place] = card;
    }
    return size;
}

typedef struct {
    const Deal *deal;
    Contract contract;
    unsigned closed_ranks, closed_suits;
} Asked;

/* The best lay-down that does not touch one copy of `card`, if what else it leaves weighs less than `bound`. */
static bool solve_keeping(const Asked *asked, const uint8_t *hand, int card, int bound, Laydown *found) {
    uint8_t rest[KINDS];
    LaySearch search;
    memcpy(rest, hand, KINDS);
    rest[card]--;
    if (!find_lay(&search, asked->deal, &asked->contract, rest, asked->closed_ranks, asked->closed_suits, bound, NULL, found))
        return false;
    found->left[card]++;
    found->cards_left++;
    found->points_left += asked->deal->rules->values[card];
    return true;
}

/* The best lay-down that keeps at least one card, where the whole hand could be laid (G1). */
static bool keep_one(const Asked *asked, const uint8_t *hand, Laydown *best) {
    const Rules *rules = asked->deal->rules;
    int cards[KINDS], size = kinds_by_value(rules, hand, KINDS, cards);
    bool found = false;
    Laydown laydown;
    for (int index = 0; index < size; index++) {
        if (found && rules->values[cards[index]] >= best->points_left) break;
        if (!solve_keeping(asked, hand, cards[index], NOTHING_FOUND, &laydown)) continue;
        if (!found || laydown.points_left < best->points_left) *best = laydown;
        found = true;
    }
    return found;
}

/* How many copies of cards no set and no run takes, whatever else is laid; `card`: one of them. */
static int hopeless(const LaySearch *search, int *card) {
    int found = 0;
    unsigned sets = 0;
    for (int index = 0; index < search->ranks_size; index++) sets |= 1u << search->ranks[index];
    for (int suit = 0; suit < SUITS; suit++) {
        int usable[RANKS] = {0};
        for (int index = 0; index < search->chains[suit].size; index++)
            for (int rank = 0; rank < RANKS; rank++)
                usable[rank] = most(usable[rank], uses(&search->chains[suit].chains[index], rank));
        for (int rank = 0; rank < RANKS; rank++) {
            int copies = search->hand[suit * RANKS + rank];
            if (!copies || sets >> rank & 1 || (search->rules->repeats && usable[rank])) continue;
            if (copies > usable[rank]) {
                found += copies - usable[rank];
                *card = suit * RANKS + rank;
            }
        }
    }
    return found;
}

/* A lay-down that leaves exactly one card, one that may be discarded; the cheapest such card. `only`: the one card that it
 * could be, or -1. */
static bool lay_but_one(const Asked *asked, const uint8_t *hand, int least_left, int only, Laydown *found) {
    const Rules *rules = asked->deal->rules;
    int cards[KINDS], size = kinds_by_value(rules, hand, rules->throws_jokers ? KINDS : JOKER, cards);
    Laydown laydown;
    for (int index = 0; index < size; index++) {
        int card = cards[index];
        if (rules->weights[card] < least_left || (only >= 0 && card != only)) continue;
        if (!solve_keeping(asked, hand, card, 1, &laydown)) continue;
        *found = laydown;
        return true;
    }
    return false;
}

/* The best lay-down: the contract, or further melds only where `laid` (L1, L5, L6, L8, M8, G1). One that goes out is
 * better than any other. */
bool best_lay(const Deal *deal, int seat, const uint8_t *hand, bool laid, Laydown *found) {
    const Rules *rules = deal->rules;
    Asked asked = {.deal = deal, .contract = deal->contract};
    if (laid) {
        if (!rules->further_melds) return false;
        asked.contract = (Contract){.cards = 1};
        own_closed(deal, seat, &asked.closed_ranks, &asked.closed_suits);
    } else if (deal->contract.whole) {
        int sinks[KINDS];
        for (int card = 0; card < KINDS; card++) sinks[card] = -1;
        return lay_all_but(deal, hand, 0, false, 0, 0, sinks, found);
    } else if (cards_away(deal, hand, 1, 0)) {
        return false;
    }
    LaySearch search;
    bool any = find_lay(&search, deal, &asked.contract, hand, asked.closed_ranks, asked.closed_suits, NOTHING_FOUND, NULL, found);
    /* Nothing is ruled out beforehand where cards are wild. */
    int only = -1, stranded = any && !rules->wild ? hopeless(&search, &only) : 0;
    if (any && !found->cards_left && rules->keeps_last) any = keep_one(&asked, hand, found);
    if (any && found->size == 0) return false;
    if (!any || goes_out(rules, found->left, found->cards_left)) return any;
    if (stranded <= 1) lay_but_one(&asked, hand, search.least_left, only, found);
    return true;
}

/* Melds that take the whole hand, but for cards that have a sink, and for `number` others at the most. */
bool lay_all_but(const Deal *deal, const uint8_t *hand, int number, bool laid, unsigned closed_ranks,
                 unsigned closed_suits, const int *sinks, Laydown *found) {
    Contract contract = laid ? (Contract){.cards = 1} : deal->contract;
    LaySearch search;
    if (!laid && cards_away(deal, hand, 1, 0)) return false;
    return find_lay(&search, deal, &contract, hand, closed_ranks, closed_suits, number + 1, sinks, found);
}

/* The best lay-down that holds the `needed` card, if that is one (H6). */
bool lay_with(const Deal *deal, const uint8_t *hand, bool laid, unsigned closed_ranks, unsigned closed_suits, int needed,
              Laydown *found) {
    Contract contract = laid ? (Contract){.cards = 1} : deal->contract;
    LaySearch search;
    if (!laid && cards_away(deal, hand, 1, 0)) return false;
    int bound = needed == NO_CARD ? NOTHING_FOUND : hand[needed] * NEEDED;
    begin(&search, deal, &contract, hand, closed_ranks, closed_suits, bound, NULL, needed);
    if (!solve(&search, found)) return false;
    count_left(deal->rules, hand, found);
    return true;
}
