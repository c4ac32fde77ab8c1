/* How far a hand is from its contract: the fewest cards that must be added, exactly (away.py). */
#include <string.h>

#include "kalooki.h"

/* The search where ranks and suits differ (M8) and a set takes any suits: what is left of the ranks are bit masks. A run
 * uses every card of its window that the hand holds; `hope` is the least that a plan which leaves some could come to. */
typedef struct {
    const Rules *rules;
    int sets, jokers, best, least, hope;
    int rest[SUITS][MOST_RUNS + 1]; /* the least that k runs cost from a suit on */
    const Window *windows[SUITS];
    int windows_size[SUITS];
    int masks_size;
    uint64_t *steps;
} Quick;

enum { MOST_MASKS = RANKS + MOST_RUNS + 2, MOST_LONG_SETS = 6 };

/* Missing and forced cards of the cheapest ranks for the sets; masks[k]: ranks of which k cards or more are left. */
static int sets_cost(const Quick *quick, const uint16_t *masks, int *forced) {
    int wanted = quick->sets, missing = 0, size = quick->rules->shortest_set, naturals = quick->rules->set_naturals;
    *forced = 0;
    for (int held = size; held > 0; held--) {
        if (wanted == 0) return missing;
        int found = bit_count(masks[held]) - (quick->sets - wanted);
        if (found > 0) {
            found = least(found, wanted);
            wanted -= found;
            missing += found * (size - held);
            if (held < naturals) *forced += found * (naturals - held);
        }
    }
    *forced += wanted * naturals;
    return missing + wanted * size;
}

static void quick_choose(Quick *quick, int suit, int runs, int missing, int forced, const uint16_t *masks) {
    ++*quick->steps;
    int more_forced, more = sets_cost(quick, masks, &more_forced);
    if (runs == 0) {
        int away = missing + more - quick->jokers;
        if (forced + more_forced > away) {
            quick->hope = least(quick->hope, away);
            away = forced + more_forced;
        }
        quick->best = least(quick->best, away);
        return;
    }
    int ahead = more - quick->jokers + missing;
    int rest_here = suit + 1 < SUITS ? quick->rest[suit + 1][runs - 1] : (runs == 1 ? 0 : FAR_AWAY);
    bool may_skip = SUITS - suit - 1 >= runs, first_here = true;
    int skipped = may_skip ? ahead + quick->rest[suit + 1][runs] : quick->best;
    if (may_skip && skipped < quick->best)
        first_here = ahead + quick->windows[suit][0].missing + rest_here <= skipped;
    if (!first_here) {
        quick_choose(quick, suit + 1, runs, missing, forced, masks);
        if (quick->best <= quick->least) return;
    }
    ahead += rest_here;
    for (int index = 0; index < quick->windows_size[suit]; index++) {
        const Window *window = &quick->windows[suit][index];
        if (ahead + window->missing >= quick->best) break;
        if (forced + window->forced >= quick->best) {
            quick->hope = least(quick->hope, ahead + window->missing);
            continue;
        }
        uint16_t left[MOST_MASKS];
        const uint16_t *after = masks;
        if (quick->sets && window->used) {
            for (int held = 0; held + 1 < quick->masks_size; held++)
                left[held] = (uint16_t)((masks[held] & ~window->used) | (masks[held + 1] & window->used));
            left[quick->masks_size - 1] = 0;
            after = left;
        }
        quick_choose(quick, suit + 1, runs - 1, missing + window->missing, forced + window->forced, after);
        if (quick->best <= quick->least) return;
    }
    if (first_here && may_skip && skipped < quick->best) quick_choose(quick, suit + 1, runs, missing, forced, masks);
}

/* The exact search for every ruleset: each run may leave any of its cards to the sets or to another run. */
typedef struct {
    const Rules *rules;
    int sets, jokers, best, floor, hope;
    int set_lengths[MOST_SETS]; /* longest first */
    bool whole;
    uint8_t counts[KINDS];
    int runs, lists[MOST_RUNS];  /* of each run the list of its windows: those of one length share it */
    int ahead[MOST_RUNS + 1];    /* the fewest cards missing in the runs from each one on */
    struct { int8_t suit, low, length, missing; } windows[MOST_RUNS][SUITS * POSITIONS * POSITIONS];
    int windows_size[MOST_RUNS];
    uint64_t *steps;
    jmp_buf *escape;
} Full;

enum { MOST_FORCED = MOST_SETS * RANKS + 1 };

/* Naturals of a rank that so many sets can use; `held`: its copies in the first suit. */
static int usable_for(const Rules *rules, const uint8_t *held, int number) {
    int usable = 0;
    for (int suit = 0; suit < SUITS; suit++)
        usable += rules->distinct_suits ? least(held[suit * RANKS], number) : held[suit * RANKS];
    return usable;
}

/* The same as below where sets are of several lengths: by the sets chosen, as a mask. */
static int long_sets_costs(const Full *full, int *least_missing) {
    const Rules *rules = full->rules;
    int sets = full->sets, wide = 1, all = 1 << sets;
    int costs[(1 << MOST_LONG_SETS) * (MOST_LONG_SETS * RANKS + 1)];
    for (int set = 0; set < sets; set++) wide += needs_naturals(rules, rules->set_naturals, full->set_lengths[set]);
    if (wide > MOST_LONG_SETS * RANKS + 1) give_up(full->escape, FAULT_ROOM);
    for (int index = 0; index < all * wide; index++) costs[index] = FAR_AWAY;
    costs[0] = 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (int chosen = all - 1; chosen > 0; chosen--)
            for (int way = chosen; way > 0; way = (way - 1) & chosen) {
                int number = bit_count((unsigned)way), length = 0, naturals = 0;
                if (number > 1 && !rules->repeats) continue;
                for (int set = 0; set < sets; set++) {
                    if (!(way >> set & 1)) continue;
                    length += full->set_lengths[set];
                    naturals += needs_naturals(rules, rules->set_naturals, full->set_lengths[set]);
                }
                int usable = usable_for(rules, full->counts + rank, number);
                int missing = most(0, length - usable), forced = most(0, naturals - usable);
                const int *before = costs + (chosen - way) * wide;
                int *after = costs + chosen * wide;
                for (int needs = 0; needs + forced < wide; needs++)
                    after[needs + forced] = least(after[needs + forced], before[needs] + missing);
            }
    memcpy(least_missing, costs + (all - 1) * wide, (size_t)wide * sizeof *costs);
    return wide;
}

/* The least missing cards of the sets from the cards the runs leave, by the number that must be naturals; returns how many
 * such numbers there are. */
static int full_sets_costs(const Full *full, int *least_missing) {
    const Rules *rules = full->rules;
    int sets = full->sets, wide = sets * rules->set_naturals + 1;
    if (sets == 0) {
        least_missing[0] = 0;
        return 1;
    }
    if (full->set_lengths[0] > rules->shortest_set) return long_sets_costs(full, least_missing);
    int costs[(MOST_SETS + 1) * MOST_FORCED], each = rules->repeats ? sets : 1;
    for (int index = 0; index < (sets + 1) * wide; index++) costs[index] = FAR_AWAY;
    costs[0] = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        const uint8_t *held = full->counts + rank;
        for (int chosen = sets; chosen > 0; chosen--) {
            for (int number = 1; number <= least(each, chosen); number++) {
                int usable = usable_for(rules, held, number);
                int missing = most(0, rules->shortest_set * number - usable);
                int forced = most(0, rules->set_naturals * number - usable);
                const int *before = costs + (chosen - number) * wide;
                int *after = costs + chosen * wide;
                for (int needs = 0; needs + forced < wide; needs++)
                    after[needs + forced] = least(after[needs + forced], before[needs] + missing);
            }
        }
    }
    memcpy(least_missing, costs + sets * wide, (size_t)wide * sizeof *costs);
    return wide;
}

static unsigned full_held(const Full *full, int suit, int low, int length) {
    unsigned held = 0;
    for (int index = 0; index < length; index++)
        if (full->counts[card_at(suit, low + 1 + index)]) held |= 1u << index;
    if (length > RANKS && held & 1 && full->counts[suit * RANKS] == 1) held &= ~1u;
    return held;
}

static void full_take(Full *full, int suit, int low, unsigned used, int change) {
    for (; used; used &= used - 1) full->counts[card_at(suit, low + 1 + lowest_bit(used))] += (uint8_t)change;
}

/* Choose a window for the run number `run` and those behind it, from `start` of its list on, in none of the suits `closed`. */
static void full_choose(Full *full, int run, int start, unsigned closed, int missing, int forced, bool give) {
    *full->steps += STEPS_OF_FULL;
    int costs[MOST_FORCED];
    int wide = full_sets_costs(full, costs), lowest = FAR_AWAY;
    for (int index = 0; index < wide; index++) lowest = least(lowest, costs[index]);
    int ahead = missing + lowest - full->jokers;
    if (ahead + full->ahead[run] >= full->best) return;
    if (forced >= full->best) {
        full->hope = least(full->hope, ahead + full->ahead[run]);
        return;
    }
    if (run == full->runs) {
        for (int needs = 0; needs < wide; needs++) {
            if (costs[needs] >= FAR_AWAY) continue;
            int away = missing + costs[needs] - full->jokers;
            if (forced + needs > away) {
                full->hope = least(full->hope, away);
                away = forced + needs;
            }
            full->best = least(full->best, away);
        }
        return;
    }
    ahead += full->ahead[run + 1];
    int list = full->lists[run], size = full->windows_size[list];
    bool is_alike = run + 1 < full->runs && full->lists[run + 1] == list, repeats = full->rules->repeats;
    for (int index = start; index < size; index++) {
        int suit = full->windows[list][index].suit, low = full->windows[list][index].low;
        int length = full->windows[list][index].length;
        if (closed >> suit & 1) continue;
        unsigned held = full_held(full, suit, low, length);
        if (ahead + length - bit_count(held) >= full->best) continue;
        int following = is_alike ? index : 0;
        if (!repeats && is_alike)
            while (following < size && full->windows[list][following].suit == suit) following++;
        for (unsigned used = held;; used = (used - 1) & held) {
            full_take(full, suit, low, used, -1);
            full_choose(full, run + 1, following, repeats ? 0 : closed | 1u << suit, missing + length - bit_count(used),
                        forced + rules_forced(full->rules, length, used), give);
            full_take(full, suit, low, used, 1);
            if (full->best <= full->floor) return;
            if (used == 0 || !give) break;
        }
    }
}

/* List the windows of so many cards, the cheapest first; where suits differ (M8), the cheapest of each suit. Returns the
 * fewest cards missing. */
static int full_list(Full *full, int list, int shortest, int longest) {
    int cheapest = FAR_AWAY;
    full->windows_size[list] = 0;
    for (int suit = 0; suit < SUITS; suit++)
        for (int length = shortest; length <= longest; length++)
            for (int low = 0; low < run_starts(full->rules, length); low++) {
                int missing = length - bit_count(full_held(full, suit, low, length));
                int place = full->windows_size[list]++;
                for (; place > 0 && full->windows[list][place - 1].missing > missing; place--) {
                    if (!full->rules->repeats && full->windows[list][place - 1].suit != suit) break;
                    full->windows[list][place] = full->windows[list][place - 1];
                }
                full->windows[list][place].suit = (int8_t)suit;
                full->windows[list][place].low = (int8_t)low;
                full->windows[list][place].length = (int8_t)length;
                full->windows[list][place].missing = (int8_t)missing;
                cheapest = least(cheapest, missing);
            }
    return cheapest;
}

static void full_search(Full *full, const int32_t *lengths, int runs) {
    const Rules *rules = full->rules;
    int cheapest[MOST_RUNS];
    full->runs = runs;
    for (int run = 0, lists = 0; run < runs; run++) {
        if (run && lengths[run] == lengths[run - 1]) {
            full->lists[run] = lists - 1;
        } else {
            int length = lengths[run];
            bool longer = length == rules->shortest_run && rules->shortest_jokers >= 0 && length < rules->run_longest &&
                          !rules->exact && !full->whole;
            int longest = length + longer;
            /* Longer ones may hold more of the jokers (H11). */
            if (rules->joker_share && !rules->exact && !full->whole)
                longest = most(longest, least(rules->run_longest, 2 * full->jokers + rules->joker_share - 1));
            full->lists[run] = lists;
            cheapest[lists] = full_list(full, lists, length, longest);
            lists++;
        }
    }
    full->ahead[runs] = 0;
    for (int run = runs - 1; run >= 0; run--) full->ahead[run] = full->ahead[run + 1] + cheapest[full->lists[run]];
    /* A search in which every run keeps its cards finds most answers, and bounds the one in which it need not. */
    full->hope = FAR_AWAY;
    full_choose(full, 0, 0, 0, 0, 0, false);
    if (full->best > most(most(full->floor, 0), full->hope)) full_choose(full, 0, 0, 0, 0, 0, true);
}

static void full_begin(Full *full, const Deal *deal, const uint8_t *counts, int bound, int floor) {
    full->rules = deal->rules;
    full->jokers = counts[JOKER];
    full->best = bound;
    full->floor = floor;
    full->steps = deal->steps;
    full->whole = deal->contract.whole;
    full->escape = deal->escape;
    memcpy(full->counts, counts, KINDS);
}

static int full_away(const Deal *deal, const uint8_t *counts, int bound, int floor, bool counted_runs) {
    const Rules *rules = deal->rules;
    const Contract *contract = &deal->contract;
    Full full; /* too large to be cleared */
    full_begin(&full, deal, counts, bound, floor);
    full.sets = contract->sets;
    for (int set = 0; set < full.sets; set++) full.set_lengths[set] = rules->shortest_set;
    if (counted_runs) full_search(&full, contract->run_lengths, contract->runs);
    if (rules->full_suit && contract->runs == 3 && full.best > floor) full_search(&full, (const int32_t[]){RANKS}, 1);
    return full.best;
}

/* Make the melds from `meld` on so many cards longer, in every way, and look at each; sets come first, then runs, those of
 * one kind longest first. */
static void whole_choose(Full *full, int32_t *lengths, int sets, int runs, int meld, int more) {
    const Rules *rules = full->rules;
    if (full->best <= full->floor) return;
    if (meld == sets + runs) {
        if (more) return;
        full->sets = sets;
        for (int set = 0; set < sets; set++) full->set_lengths[set] = lengths[set];
        full_search(full, lengths + sets, runs);
        return;
    }
    int shortest = lengths[meld], longest = meld < sets ? rules->set_maximum : rules->run_longest;
    /* Of the same melds in another order only one is looked at. */
    if (meld && meld != sets) longest = least(longest, lengths[meld - 1]);
    for (int longer = 0; longer <= more && shortest + longer <= longest; longer++) {
        lengths[meld] = shortest + longer;
        whole_choose(full, lengths, sets, runs, meld + 1, more - longer);
    }
    lengths[meld] = shortest;
}

/* The distance where the contract takes the whole hand (H9): the least of all that it can be, by lengths. */
static int whole_away(const Deal *deal, const uint8_t *counts, int bound, int floor) {
    const Rules *rules = deal->rules;
    const Contract *contract = &deal->contract;
    int cards = 0, each = 1 + rules->call_penalty, size = contract->cards + 1;
    for (int card = 0; card < KINDS; card++) cards += counts[card];
    while (size < cards) size += each;
    Full full; /* too large to be cleared */
    full_begin(&full, deal, counts, bound, floor);
    for (int sets = contract->sets; sets <= MOST_LONG_SETS; sets++)
        for (int runs = contract->runs; runs <= MOST_RUNS; runs++) {
            int32_t lengths[MOST_LONG_SETS + MOST_RUNS];
            int more = size;
            for (int meld = 0; meld < sets + runs; meld++) {
                int run = meld - sets;
                lengths[meld] = run < 0 ? rules->shortest_set : run < contract->runs ? contract->run_lengths[run] : rules->shortest_run;
                more -= lengths[meld];
            }
            bool other = sets > contract->sets || runs > contract->runs;
            if (more >= 0 && !(other && rules->exact)) whole_choose(&full, lengths, sets, runs, 0, more);
        }
    return full.best;
}

static int naturals_away(const Deal *deal, const uint8_t *counts, int bound, int floor) {
    const Rules *rules = deal->rules;
    const Contract *contract = &deal->contract;
    if (contract->points) return points_away(deal, counts, bound, floor);
    if (contract->whole) return whole_away(deal, counts, bound, floor);
    if (rules->repeats || rules->distinct_suits || rules->joker_share || (contract->runs && contract->run_lengths[0] > rules->shortest_run))
        return full_away(deal, counts, bound, floor, true);
    Quick quick = {.rules = rules, .sets = contract->sets, .jokers = counts[JOKER], .best = bound, .hope = FAR_AWAY,
                   .steps = deal->steps};
    unsigned suits[SUITS] = {0};
    uint16_t masks[MOST_MASKS] = {0};
    quick.masks_size = rules->shortest_set + contract->runs + 1;
    for (int rank = 0; rank < RANKS; rank++) {
        int held = 0;
        for (int suit = 0; suit < SUITS; suit++) {
            int copies = counts[suit * RANKS + rank];
            if (copies) suits[suit] |= 1u << rank;
            held += copies;
        }
        for (int number = least(held, quick.masks_size - 1); number > 0; number--)
            masks[number] |= (uint16_t)(1u << rank);
    }
    int most_held = 0;
    if (contract->runs) {
        for (int suit = 0; suit < SUITS; suit++) {
            uint32_t from = rules->windows_from[suits[suit]];
            quick.windows[suit] = rules->windows + from;
            quick.windows_size[suit] = (int)(rules->windows_from[suits[suit] + 1] - from);
        }
        for (int suit = 0; suit < SUITS; suit++) {
            most_held = most(most_held, bit_count(suits[suit]));
            int costs[SUITS], size = 0;
            for (int other = suit; other < SUITS; other++) {
                int cost = quick.windows[other][0].missing, place = size++;
                for (; place > 0 && costs[place - 1] > cost; place--) costs[place] = costs[place - 1];
                costs[place] = cost;
            }
            quick.rest[suit][0] = 0;
            for (int runs = 1; runs <= contract->runs; runs++)
                quick.rest[suit][runs] = runs <= size ? quick.rest[suit][runs - 1] + costs[runs - 1] : FAR_AWAY;
        }
    }
    int forced;
    quick.least = most(floor, quick.rest[0][contract->runs] + sets_cost(&quick, masks, &forced) - quick.jokers);
    if (quick.least < quick.best) quick_choose(&quick, 0, contract->runs, 0, 0, masks);
    /* Only sets can use what a run leaves: one run of a suit (M8) takes nothing from another. */
    bool may_share = contract->sets > 0 && quick.hope < quick.best;
    bool suit_nearer = rules->full_suit && contract->runs == 3 && RANKS - most_held - quick.jokers < quick.best;
    if (quick.best > floor && (may_share || suit_nearer))
        return full_away(deal, counts, quick.best, floor, may_share);
    return quick.best;
}

void reading_begin(Reading *reading, const Rules *rules, const uint8_t *hand) {
    reading->rules = rules;
    reading->hand = hand;
    memcpy(reading->counts, hand, KINDS);
    for (int card = 0; rules->wild && card < JOKER; card++) {
        if (!is_wild(rules, card)) continue;
        reading->counts[JOKER] += hand[card];
        reading->counts[card] = 0;
    }
}

/* The next way, with fewer jokers from the last wild card on; false: there is none. */
bool reading_next(Reading *reading) {
    uint8_t *counts = reading->counts;
    for (int card = JOKER - 1; reading->rules->wild && card >= 0; card--) {
        if (!is_wild(reading->rules, card)) continue;
        if (counts[card] < reading->hand[card]) {
            counts[card]++;
            counts[JOKER]--;
            return true;
        }
        counts[JOKER] += counts[card];
        counts[card] = 0;
    }
    return false;
}

/* The distance if it is below `bound`, else `bound` (L1, L5, L6, H7); `floor`: known to be the least possible. */
int cards_away(const Deal *deal, const uint8_t *counts, int bound, int floor) {
    if (!deal->rules->wild) return naturals_away(deal, counts, bound, floor);
    Reading reading;
    reading_begin(&reading, deal->rules, counts);
    do
        bound = naturals_away(deal, reading.counts, bound, floor);
    while (bound > floor && reading_next(&reading));
    return bound;
}
