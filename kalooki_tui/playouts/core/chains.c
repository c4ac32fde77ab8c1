/* The runs that one suit of a hand can give, with the jokers at hand (lay.py). */
#include <stdlib.h>
#include <string.h>

#include "lay.h"

static void add_chain(LaySearch *search, Chains *found, Chain chain) {
    if (found->size == found->room) {
        int room = found->room * 2 + 64;
        Chain *more = realloc(found->chains, (size_t)room * sizeof *more);
        if (more == NULL) give_up(search->escape, FAULT_MEMORY);
        found->chains = more;
        found->room = room;
    }
    found->chains[found->size++] = chain;
}

/* The most jokers at the low and at the high end of a run of naturals at these positions, from 0 (M3, M6). */
static Ends room_of(const Rules *rules, int low, int high) {
    int at_low = rules->corner ? RANKS : low, at_high = rules->corner ? RANKS : POSITIONS - 1 - high;
    int each = rules->kisses ? RANKS : 1;
    return (Ends){(int8_t)least(at_low, each), (int8_t)least(at_high, each)};
}

static bool is_asked_for(const LaySearch *search, int length) {
    for (int run = 0; run < search->contract.runs; run++)
        if (search->contract.run_lengths[run] == length) return true;
    return false;
}

/* Add the run that fills the positions `used` with naturals and has `gaps` jokers between them, if it is one. */
static void add_run(LaySearch *search, Chains *found, unsigned used, int gaps) {
    const Rules *rules = search->rules;
    int low = lowest_bit(used), high = highest_bit(used), span = high - low + 1;
    if (span > rules->run_longest || bit_count(used) < rules->run_naturals) return;
    Ends room = room_of(rules, low, high);
    int ends = least(least(room.low + room.high, rules->run_longest - span), search->jokers - gaps);
    ends = least(ends, most_jokers(rules, bit_count(used)) - gaps);
    int fewest = most(0, rules->shortest_run - span);
    if (rules->shortest_jokers >= 0 && span + fewest == rules->shortest_run && gaps + fewest > rules->shortest_jokers)
        fewest++;
    if (fewest > ends) return;
    Chain chain = {
        .held = used,
        .jokers = (uint8_t)(gaps + fewest),
        .most = (uint8_t)(gaps + ends),
        .size = (uint8_t)bit_count(used),
    };
    if (!search->as_long || is_asked_for(search, span + fewest)) {
        if (search->as_long) chain.most = chain.jokers;
        add_chain(search, found, chain);
    }
    for (int run = 0; run < search->contract.runs; run++) {
        int length = search->contract.run_lengths[run];
        if (length <= span + fewest || length > span + ends || (run && length == search->contract.run_lengths[run - 1]))
            continue;
        Chain longer = chain;
        longer.jokers = (uint8_t)(gaps + length - span);
        if (search->as_long) longer.most = longer.jokers;
        add_chain(search, found, longer);
    }
    if (rules->full_suit && span + fewest <= RANKS && RANKS <= span + ends) {
        chain.jokers = chain.most = (uint8_t)(gaps + RANKS - span);
        chain.full = true;
        add_chain(search, found, chain);
    }
}

/* Add the runs that begin with the positions `used`, the last of them `high`. */
static void grow(LaySearch *search, Chains *found, unsigned held, unsigned used, int high, int gaps, bool two_aces) {
    add_run(search, found, used, gaps);
    for (int step = 1; held >> (high + step) && gaps + step - 1 <= search->jokers; step++) {
        if (step > 2 && !search->rules->kisses) return;
        unsigned place = 1u << (high + step);
        if (held & place && !(high + step == RANKS && used & 1 && !two_aces))
            grow(search, found, held, used | place, high + step, gaps + step - 1, two_aces);
    }
}

/* Whether `better` does all that `chain` does, and its further naturals have no other use. */
static bool beats(const Chain *better, const Chain *chain, unsigned spare) {
    if (better->full != chain->full || better->held == chain->held) return false;
    if ((better->held & chain->held) != chain->held) return false;
    if (better->jokers > chain->jokers || better->most < chain->most) return false;
    if (better->size + better->jokers < chain->size + chain->jokers) return false;
    unsigned more = better->held & ~chain->held;
    return !((more | more >> RANKS) & spare);
}

/* Whether the other run has the same naturals, begun elsewhere, and does all that `chain` does (H15); `long`: the contract
 * asks for lengths. */
static bool is_same_round(const Chain *other, const Chain *chain, bool is_long) {
    if (ranks_of(other->held) != ranks_of(chain->held) || other->full != chain->full) return false;
    return other->most >= chain->most && (is_long ? other->jokers == chain->jokers : other->jokers <= chain->jokers);
}

/* Of runs with the same naturals keep those of which none does all that another one does. */
static void keep_once_round(const LaySearch *search, Chains *found) {
    bool is_long = search->contract.runs && search->contract.run_lengths[0] > search->rules->shortest_run;
    int kept = 0;
    for (int index = 0; index < found->size; index++) {
        Chain chain = found->chains[index];
        bool stays = true;
        for (int other = 0; other < found->size && stays; other++) {
            if ((other >= kept && other <= index) || !is_same_round(&found->chains[other], &chain, is_long)) continue;
            stays = other > index && is_same_round(&chain, &found->chains[other], is_long);
        }
        if (stays) found->chains[kept++] = chain;
    }
    found->size = kept;
}

/* The runs of a suit that holds `ranks`, those first that use most naturals, then those that need fewest jokers. A run is
 * left out where another one uses more naturals, no more jokers, and the further naturals have no use elsewhere: their
 * ranks are not in the mask `spare`, and the seat lays no second run of the suit (M8). */
void find_chains(LaySearch *search, int suit, unsigned ranks, unsigned spare, Chains *found) {
    unsigned held = places_of(search->rules, ranks), longest = (1u << search->rules->run_longest) - 1;
    bool two_aces = search->hand[suit * RANKS] > 1;
    found->size = 0;
    for (int low = 0; low < run_starts(search->rules, 1); low++)
        if (held >> low & 1) grow(search, found, held & longest << low, 1u << low, low, 0, two_aces);
    if (search->rules->corner) keep_once_round(search, found);
    int size = found->size, kept = 0;
    if (size == 0) return;
    /* Those that stay, and after them those in order. */
    Chain none = {0};
    for (int index = 0; index < size; index++) add_chain(search, found, none);
    Chain *all = found->chains, *sorted = found->chains + size;
    for (int index = 0; index < size; index++) {
        bool beaten = false;
        for (int other = 0; other < size && !beaten && !search->rules->repeats && !search->as_long; other++)
            beaten = beats(&all[other], &all[index], spare);
        if (!beaten) sorted[kept++] = all[index];
    }
    int placed = 0;
    for (int naturals = POSITIONS; naturals > 0; naturals--)
        for (int jokers = 0; jokers <= search->jokers; jokers++)
            for (int index = 0; index < kept; index++)
                if (sorted[index].size == naturals && sorted[index].jokers == jokers) all[placed++] = sorted[index];
    found->size = placed;
}

/* The jokers of a run at its low and its high end, and its points: they lie where the run is worth most; where points do
 * not matter at the high end, if there is room. */
Ends end_jokers(const Rules *rules, int suit, const Chain *chain, int jokers, bool for_points, int *points) {
    int low = lowest_bit(chain->held), high = highest_bit(chain->held);
    int ends = jokers - (high - low + 1 - chain->size);
    Ends room = room_of(rules, low, high), best = {0, 0};
    int best_points = -1;
    for (int at_high = least(ends, room.high); at_high >= most(0, ends - room.low); at_high--) {
        int at_low = ends - at_high, worth = 0;
        for (int position = low - at_low; for_points && position <= high + at_high; position++)
            worth += rules->values[card_at(suit, position + 1)];
        if (worth > best_points) {
            best_points = worth;
            best = (Ends){(int8_t)at_low, (int8_t)at_high};
        }
    }
    *points = best_points;
    return best;
}
