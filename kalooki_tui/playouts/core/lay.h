/* What the search for the best lay-down and its planner of sets share. */
#ifndef LAY_H
#define LAY_H

#include "kalooki.h"

/* NEEDED: the weight of a card that has to be laid, above that of all other cards of a hand together. */
enum { NOTHING_FOUND = 1 << 28, NEEDED = 1 << 24, MOST_CHOSEN = 16 };

/* A run a suit can give: naturals at some positions, jokers in the gaps and, if wanted, at the ends. */
typedef struct {
    uint32_t held;
    uint8_t jokers, most; /* fewest it needs, most it can hold of those at hand */
    uint8_t size;         /* naturals */
    bool full;            /* meant to be a complete suit of exactly 13 cards (L6) */
} Chain;

typedef struct {
    Chain *chains;
    int size, room;
} Chains;

/* Jokers at the low and at the high end of a run. */
typedef struct {
    int8_t low, high;
} Ends;

typedef struct {
    const Rules *rules;
    Contract contract;
    const uint8_t *hand;
    int weights[KINDS]; /* what each card costs if it stays in the hand */
    int jokers, best, least_left, total;
    uint8_t left[KINDS]; /* cards that no chosen run uses */
    int rank_left[RANKS];
    int ranks[RANKS], ranks_size; /* ranks that can be sets at all */
    Chains chains[SUITS];
    int runs_from[SUITS + 1];
    int uncovered[SUITS][RANKS];
    int rescues[SUITS + 1][64]; /* by jokers */
    struct { int suit; Chain chain; } chosen[MOST_CHOSEN];
    int chosen_size;
    bool exact;  /* no more melds than the contract has (H10) */
    bool as_long; /* and none longer */
    bool found;
    Laydown *laydown;
    jmp_buf *escape;
    Scratch *scratch;
} LaySearch;

typedef struct Option Option;

/* Memory that a thread uses again and again. */
struct Scratch {
    Chains chains[SUITS];
    void *planner;
};

void find_chains(LaySearch *search, int suit, unsigned ranks, unsigned spare, Chains *found);
Ends end_jokers(const Rules *rules, int suit, const Chain *chain, int jokers, bool for_points, int *points);

/* The best sets beside the chosen runs: whether what is left then weighs less than the best so far; `search->laydown` and
 * `search->best` say so. */
void plan_sets(LaySearch *search, int jokers, int left);
void free_planner(Scratch *scratch);

#endif
