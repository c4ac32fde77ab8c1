/* How far a hand is from melds worth a number of points (L5, threshold.py). Sets are of distinct suits here.
 *
 * Every card added counts as a natural of the solver's choice: a filler that may stand anywhere. Jokers are fillers too,
 * short only of the naturals a meld must hold (M7).
 */
#include <stdlib.h>
#include <string.h>

#include "kalooki.h"

/* Steps of effort, and melds that are looked at in one, as a seat takes them (club.py, threshold.py). */
enum { AWAY_EFFORT = 3000, CANDIDATES_A_STEP = 32 };

/* A meld with places to fill; `key` is what may not repeat (M8): 0-12 a rank, 13-16 a suit. */
typedef struct {
    int16_t points;
    int8_t missing, forced, key, size;
    uint8_t cards[POSITIONS];
} Candidate;

typedef struct {
    const Rules *rules;
    uint8_t counts[KINDS];
    int added;
    Candidate *candidates;
    int size, room, effort;
    uint64_t *steps;
} Search;

static void add_candidate(Search *search, const Candidate *candidate) {
    *search->steps += STEPS_OF_CANDIDATE;
    if (candidate->forced > search->added) return;
    if (search->size == search->room) {
        int room = search->room * 2 + 256;
        Candidate *more = realloc(search->candidates, (size_t)room * sizeof *more);
        if (more == NULL) return;
        search->candidates = more;
        search->room = room;
    }
    search->candidates[search->size++] = *candidate;
}

static void find_sets(Search *search, int fillers) {
    const Rules *rules = search->rules;
    for (int rank = 0; rank < RANKS; rank++) {
        unsigned held = 0;
        for (int suit = 0; suit < SUITS; suit++)
            if (search->counts[suit * RANKS + rank]) held |= 1u << suit;
        int longest = least(rules->set_maximum, bit_count(held) + fillers);
        for (int size = rules->shortest_set; size <= longest; size++)
            for (unsigned chosen = 0; chosen < 1u << SUITS; chosen++) {
                int number = bit_count(chosen);
                if ((chosen & ~held) || number > size || size - number > fillers) continue;
                Candidate candidate = {
                    .points = (int16_t)(rules->values[rank] * size),
                    .missing = (int8_t)(size - number),
                    .forced = (int8_t)most(0, needs_naturals(rules, rules->set_naturals, size) - number),
                    .key = (int8_t)rank,
                };
                for (int suit = 0; suit < SUITS; suit++)
                    if (chosen >> suit & 1) candidate.cards[candidate.size++] = (uint8_t)(suit * RANKS + rank);
                add_candidate(search, &candidate);
            }
    }
}

/* The only copy of a card may serve another meld better, and a filler take its place here: all choices of those that
 * stay, from place `index` on. */
static void find_runs_in(Search *search, int suit, int low, int length, unsigned held, unsigned kept, int index,
                         int fillers, int points) {
    if (length - bit_count(kept) > fillers) return;
    if (index < length) {
        int card = card_at(suit, low + 1 + index);
        if (held >> index & 1 && search->counts[card] == 1)
            find_runs_in(search, suit, low, length, held, kept & ~(1u << index), index + 1, fillers, points);
        find_runs_in(search, suit, low, length, held, kept, index + 1, fillers, points);
        return;
    }
    Candidate candidate = {
        .points = (int16_t)points,
        .missing = (int8_t)(length - bit_count(kept)),
        .forced = (int8_t)rules_forced(search->rules, length, kept),
        .key = (int8_t)(RANKS + suit),
    };
    for (int place = 0; place < length; place++)
        if (kept >> place & 1) candidate.cards[candidate.size++] = (uint8_t)card_at(suit, low + 1 + place);
    add_candidate(search, &candidate);
}

static void find_runs(Search *search, int fillers) {
    const Rules *rules = search->rules;
    for (int suit = 0; suit < SUITS; suit++)
        for (int length = rules->shortest_run; length <= rules->run_longest; length++)
            for (int low = 0; low < run_starts(rules, length); low++) {
                unsigned held = 0;
                int points = 0;
                for (int index = 0; index < length; index++) {
                    int card = card_at(suit, low + 1 + index);
                    points += rules->values[card];
                    if (search->counts[card]) held |= 1u << index;
                }
                if (length > RANKS && search->counts[suit * RANKS] == 1) held &= ~1u;
                find_runs_in(search, suit, low, length, held, held, 0, fillers, points);
            }
}

/* More points than all cards of the hand and so many more can be worth. */
static int most_points(const Search *search, int fillers) {
    int points = 0, dearest = 0;
    for (int card = 0; card < JOKER; card++) {
        points += search->counts[card] * search->rules->values[card];
        dearest = most(dearest, search->rules->values[card]);
    }
    return points + fillers * dearest;
}

/* Whether melds from `start` on can be worth `wanted`; `used`: keys used (M8). */
static bool choose(Search *search, int start, int wanted, int fillers, int added, unsigned used) {
    ++*search->steps;
    if (wanted <= 0) return true;
    search->effort -= 1 + (search->size - start) / CANDIDATES_A_STEP;
    if (search->effort < 0 || most_points(search, fillers) < wanted) return false;
    for (int index = start; index < search->size; index++) {
        const Candidate *candidate = &search->candidates[index];
        if (candidate->missing > fillers || candidate->forced > added) continue;
        if (!search->rules->repeats && used >> candidate->key & 1) continue;
        int held = 0;
        while (held < candidate->size && search->counts[candidate->cards[held]]) held++;
        if (held < candidate->size) continue;
        for (int place = 0; place < candidate->size; place++) search->counts[candidate->cards[place]]--;
        /* Jokers stand in for what need not be a natural, so naturals are spent only where they are forced. */
        bool found = choose(search, index, wanted - candidate->points, fillers - candidate->missing,
                            added - candidate->forced, used | 1u << candidate->key);
        for (int place = 0; place < candidate->size; place++) search->counts[candidate->cards[place]]++;
        if (found) return true;
    }
    return false;
}

static int compare_candidates(const void *left, const void *right) {
    return ((const Candidate *)right)->points - ((const Candidate *)left)->points;
}

/* The fewest cards to add for melds worth the contract's points, if below `bound`, else `bound`. */
int points_away(const Deal *deal, const uint8_t *counts, int bound, int floor) {
    Search search = {.rules = deal->rules, .steps = deal->steps, .effort = AWAY_EFFORT};
    memcpy(search.counts, counts, KINDS);
    int found = bound;
    for (int added = floor; added < bound; added++) {
        int fillers = counts[JOKER] + added;
        if (search.effort < 0) break;
        if (most_points(&search, fillers) < deal->contract.points) continue;
        search.added = added;
        search.size = 0;
        find_sets(&search, fillers);
        find_runs(&search, fillers);
        search.effort -= search.size / CANDIDATES_A_STEP;
        if (search.size) qsort(search.candidates, (size_t)search.size, sizeof *search.candidates, compare_candidates);
        if (choose(&search, 0, deal->contract.points, fillers, added, 0)) {
            found = added;
            break;
        }
    }
    free(search.candidates);
    return found;
}
