/* Deals played to their end: the cards, the policies of a ruleset, a deal's state, and what the files share.
 *
 * Written from the policies of a ruleset, never from its name. The Python engine and players are the law: each file says
 * which of their modules it repeats, and `lab/prove_playouts.py` compares the two. Ids in brackets are clauses of the
 * rules. Nothing is static but constants, so any number of threads may play at once.
 */
#ifndef KALOOKI_H
#define KALOOKI_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "fields.h"

/* A card is suit * 13 + rank, as in cards.py but for the rank, which is 0 (ace) to 12 here; 52 is the joker. */
enum { SUITS = 4, RANKS = 13, JOKER = 52, KINDS = 53, POSITIONS = 14, HIGH_ACE = 14 };

enum {
    MOST_SEATS = 11,
    MOST_MELDS = 120,
    MOST_IN_MELD = 58,
    MOST_CARDS = 456, /* 8 packs of 52 and 40 jokers */
    MOST_GROUPS = 24,
    MOST_SETS = 10, /* in a contract */
    MOST_RUNS = 4,
    MOST_ACTIONS = 20000, /* in a deal */
    MOST_AWAY = 32, /* distances that hands are counted by */
    MOST_PASSED = 24,
    REMEMBERED_THROWS = 6,
    MOST_ADVICES = 8,
    GONE = 255, /* no card any more */
    NO_CARD = -1,
    NO_LIMIT = 1000,
    FAR_AWAY = 1000,
    ALL_RANKS = (1 << RANKS) - 1
};

static inline int card_rank(int card) { return card % RANKS; }
static inline int card_suit(int card) { return card / RANKS; }
/* The card at a position of a run: 1 is the low ace, 14 the high one. Round the corner (H15) 0 is the king below the ace. */
static inline int card_at(int suit, int position) { return suit * RANKS + (position + RANKS - 1) % RANKS; }
static inline int least(int one, int other) { return one < other ? one : other; }
static inline int most(int one, int other) { return one > other ? one : other; }
static inline int bit_count(unsigned mask) { return __builtin_popcount(mask); }
static inline int lowest_bit(unsigned mask) { return __builtin_ctz(mask); }
static inline int highest_bit(unsigned mask) { return 31 - __builtin_clz(mask); }

/* Steps that work is counted in, one some 0.13 microseconds on the machine where they were fitted: whoever plays deals can
 * end by steps instead of time, and so at the same place on every machine. */
enum { STEPS_OF_ACTION = 6, STEPS_OF_WORLD = 60, STEPS_OF_FULL = 3, STEPS_OF_CANDIDATE = 3 };

/* Why a playout is given up. `library.py` has a sentence for each. */
enum Fault { FAULT_NONE, FAULT_INPUT, FAULT_ROOM, FAULT_ACTION, FAULT_ENDLESS, FAULT_MEMORY };

enum { SET, RUN };
enum { LOW, HIGH, NO_END };
enum { LAID_NO, LAID_THIS_TURN, LAID_EARLIER };
enum {
    SWAP_NONE, SWAP_HIGH_THEN_LOW, SWAP_UP_ONLY, SWAP_EITHER_END, SWAP_FREE_OWN, SWAP_FREE_RUNS, SWAP_USE_AT_ONCE,
    SWAP_BOTH_SUITS
};
enum { DOUBLING_NONE, DOUBLING_BEND, DOUBLING_FIRST_BEND };
enum { CALL_WINDOW, DECISION, FLIP_WINDOW, FLIP_DECISION, DRAW, PLAY, ADD_ON, OVER };
enum { CLUB, NOVICE, EXPERT };

/* A way to a run of a suit: cards it lacks, how many of them must be naturals, the ranks of the hand that it uses. */
typedef struct {
    uint8_t missing, forced;
    uint16_t used;
} Window;

/* The policies of a ruleset at one table; the first part as `marshal.py` writes it. */
typedef struct {
#define AS_FIELD(name) int32_t name;
    RULE_FIELDS(AS_FIELD)
#undef AS_FIELD
    int32_t values[KINDS];                                                        /* G3 */
    /* What follows from it. */
    int32_t weights[KINDS];        /* points * 64 + 1: of equal points fewer cards are better */
    int32_t shortest_set, shortest_run;
    int32_t shortest_jokers;       /* most jokers in a run of `shortest_run` cards (M9); -1: any number */
    struct Advice *advices[MOST_ADVICES]; /* what was learnt by these rules (learned.c) */
    int32_t advices_size;
    Window *windows;               /* by the ranks that a suit holds, the cheapest first */
    uint32_t windows_from[(1 << RANKS) + 1];
} Rules;

typedef struct {
    int32_t cards, sets, runs, points; /* L1-L5 */
    int32_t whole;                     /* whether it takes every card of the hand (H9) */
    int32_t run_lengths[MOST_RUNS];    /* the fewest cards of each run, longest first (H8) */
} Contract;

/* How a seat plays: what its choices weigh, a level, and what it has learnt (worlds.py). */
typedef struct {
#define AS_FIELD(name) double name;
    WEIGHT_FIELDS(AS_FIELD)
#undef AS_FIELD
    int level;
    const struct Advice *advice; /* of an expert; NULL: none */
    int plans; /* ways to the contract that are weighed, at most */
} Style;

/* Choices that an expert may have learnt to make otherwise, see players/lessons.py. */
enum { ADVISE_CALL, ADVISE_REFUSE, ADVISE_TAKE, ADVISE_LAY, ADVISED };

/* A moment of choice that is being tried both ways (trials.c). */
typedef struct {
    double rates[ADVISED];  /* how often a choice of each kind is tried */
    uint64_t random;
    bool watching, found;   /* whether choices are tried now, and one is to be */
    bool forcing;           /* whether the next choice of that kind is made as `forced` says */
    int kind;
    bool forced, own;       /* `own`: what the seat chooses by itself */
    double features[FEATURES];
} Trial;

/* A meld on the table; a run's cards in order from its low end. */
typedef struct {
    uint8_t kind, size;
    int8_t owner, rank, suit; /* the rank of a set, the suit of a run */
    int8_t low;               /* position of a run's first card */
    uint8_t cards[MOST_IN_MELD];
} Meld;

static inline int meld_high(const Meld *meld) { return meld->low + meld->size - 1; }

typedef struct {
    uint8_t kind, size;
    uint8_t cards[MOST_IN_MELD];
} Group;

/* Melds to lay, and what stays in the hand (lay.py). */
typedef struct {
    int size;
    Group groups[MOST_GROUPS];
    uint8_t left[KINDS];
    int cards_left, points_left;
} Laydown;

enum {
    DRAW_STOCK, DRAW_DISCARD, DRAW_FLIP, CALL, PASS, ALLOW, REFUSE, LAY, TACK, SWAP, DISCARD, END_TURN, CHALLENGE, DONE,
    RESHUFFLED /* no action: what the stock was then, for whoever plays the deal again */
};

typedef struct {
    int code, seat;
    int card;         /* TACK, SWAP, DISCARD */
    int meld, end;    /* TACK, SWAP */
    int also;         /* SWAP: the second card that frees a set's joker (H1); NO_CARD: one does */
    int use, use_end; /* SWAP: where the freed joker goes (K10); use -1: nowhere, or into `laydown` */
    int target;       /* CHALLENGE */
    Laydown *laydown; /* LAY; SWAP with a new meld */
} Action;

typedef struct Scratch Scratch;

/* Where a deal's actions are written down, if anybody asked. */
typedef struct {
    int32_t *numbers;
    int size, room;
} Trace;

/* One deal: state.py, and of public.py what everybody has seen. Lists have an entry a seat unless said otherwise. */
typedef struct {
    const Rules *rules;
    const Style *styles;
    Contract contract;
    int phase, turn, actor; /* actor -1: the deal is over */
    int asked[MOST_SEATS], asked_count;
    uint8_t hands[MOST_SEATS][KINDS]; /* copies of each card */
    int sizes[MOST_SEATS];
    uint8_t stock[MOST_CARDS], pile[MOST_CARDS]; /* the top is the last */
    int stock_size, pile_size;
    bool apart;                 /* whether each seat draws from a part of the stock of its own; `GONE`: a card drawn */
    int next_place[MOST_SEATS]; /* of the stock then; below zero: there is none left */
    int face_down;              /* cards at the bottom of the pile that nobody may see (F3) */
    uint8_t known_down[KINDS];  /* of these, those that were taken in the open before */
    int8_t throwers[MOST_CARDS]; /* of the cards thrown and not taken since, by the order of throwing; -1: nobody */
    int throwers_size;
    bool taken_before;          /* whether a card thrown in this deal was taken */
    Meld melds[MOST_MELDS];
    int melds_size;
    uint8_t added[MOST_MELDS][2]; /* cards added this turn, by meld and end (K6) */
    uint8_t laid[MOST_SEATS];
    int calls[MOST_SEATS], found[MOST_SEATS];
    bool bend_forbidden[MOST_SEATS], in_deal[MOST_SEATS];
    bool bad_lay_open;
    int penalties[MOST_SEATS], points[MOST_SEATS]; /* penalties: the bonus of a cut included */
    bool dead, bent, void_deal;
    int flip, discarded_by, caller, out; /* -1: none */
    int drawn;                  /* the open card that is the turn seat's draw; without H5 not of a refused call; -1: none */
    int owed;                   /* the discard that the turn seat has drawn and has still to use (H6); -1: none */
    int planned;                /* what the turn seat throws next, since it has thought of that before; -1: it has not */
    int reshuffles, idle_turns; /* idle: since melds were last laid (D33) */
    uint8_t taken[MOST_SEATS][KINDS]; /* cards taken in the open and not seen to leave the hand since */
    int8_t thrown[MOST_SEATS][REMEMBERED_THROWS];
    int thrown_size[MOST_SEATS];
    int circling;               /* discards since anything but open cards went round, see `goes_round` */
    int distances[MOST_SEATS];  /* of the hand from the contract; -1: not known */
    uint64_t random;
    uint64_t *steps;            /* taken so far, with all copies of the deal */
    Trace *trace;
    Trial *trial; /* NULL: nothing is tried */
    Scratch *scratch;
    jmp_buf *escape;
} Deal;

/* Whether the card in this place of a meld is a joker, or a wild card that is not in its own place (H7). */
static inline bool stands_in(const Meld *meld, int place) {
    int card = meld->cards[place];
    if (card == JOKER) return true;
    return meld->kind == SET ? card_rank(card) != meld->rank : card != card_at(meld->suit, meld->low + place);
}
static inline bool is_wild(const Rules *rules, int card) { return card != JOKER && rules->wild >> card_rank(card) & 1; }
/* The most jokers of so many melds beside so many naturals (H11). */
static inline int jokers_of_melds(const Rules *rules, int naturals, int melds) {
    return rules->joker_share ? naturals + melds * (1 - rules->joker_share) : NO_LIMIT;
}
static inline int most_jokers(const Rules *rules, int naturals) { return jokers_of_melds(rules, naturals, 1); }
/* The fewest naturals among so many cards of a meld, of which its kind needs `naturals` (M7, H11). */
static inline int needs_naturals(const Rules *rules, int naturals, int cards) {
    return rules->joker_share ? most(naturals, (cards + rules->joker_share) / 2) : naturals;
}

/* The positions a mask of ranks fills, from bit 0: the ace at both ends (M3), or every rank twice (H15). */
static inline unsigned places_of(const Rules *rules, unsigned ranks) {
    return ranks | (rules->corner ? ranks : ranks & 1) << RANKS;
}
static inline unsigned ranks_of(unsigned places) { return (places | places >> RANKS) & ALL_RANKS; }
/* At how many positions, from 0 on, a run of so many cards may begin, each run once. */
static inline int run_starts(const Rules *rules, int length) { return rules->corner ? RANKS : POSITIONS + 1 - length; }
/* Whether a run may have a card at this position (M3, H15). */
static inline bool is_position(const Rules *rules, int position) {
    return (position >= 1 && position <= HIGH_ACE) || rules->corner;
}
/* How many places lie between two cards of a suit, in a circle with H15. */
static inline int places_apart(const Rules *rules, int card, int other) {
    int apart = card < other ? other - card : card - other;
    return rules->corner ? least(apart, RANKS - apart) : apart;
}
/* The card of the suit so many places above or below; NO_CARD: past the ace or the king. */
static inline int card_beside(const Rules *rules, int card, int step) {
    int rank = card_rank(card) + step;
    return (rank >= 0 && rank < RANKS) || rules->corner ? card_at(card_suit(card), rank + 1) : NO_CARD;
}

/* rules.c */
bool rules_finish(Rules *rules);
int rules_forced(const Rules *rules, int length, unsigned held);
_Noreturn void give_up(jmp_buf *escape, int fault);

/* away.c, threshold.c: how far a hand is from its contract */
int cards_away(const Deal *deal, const uint8_t *counts, int bound, int floor);
int points_away(const Deal *deal, const uint8_t *counts, int bound, int floor);

/* lay.c: the best lay-down */
bool best_lay(const Deal *deal, int seat, const uint8_t *hand, bool laid, Laydown *found);
bool lay_all_but(const Deal *deal, const uint8_t *hand, int number, bool laid, unsigned closed_ranks,
                 unsigned closed_suits, const int *sinks, Laydown *found);
/* A hand in which wild cards are counted as jokers or as themselves, one way after another (H7). */
typedef struct {
    const uint8_t *hand;
    uint8_t counts[KINDS];
    const Rules *rules;
} Reading;
void reading_begin(Reading *reading, const Rules *rules, const uint8_t *hand);
bool reading_next(Reading *reading);

bool lay_with(const Deal *deal, const uint8_t *hand, bool laid, unsigned closed_ranks, unsigned closed_suits, int needed,
              Laydown *found);
bool goes_out(const Rules *rules, const uint8_t *left, int cards);
int kinds_by_value(const Rules *rules, const uint8_t *hand, int kinds, int *cards);

/* finishing.c: going out in this turn, and the use of a drawn discard */
bool goes_out_by(Deal *deal, int seat, int with, Action *action);
bool finds_place(Deal *deal, int seat, int card, bool drawing, Action *action);

/* plans.c: ways to the contract */
double power_of_e(double exponent);
typedef struct {
    double worth;
    double keep[KINDS], want[KINDS];
} Prospect;
enum { WANT_KEEP, WANT_WANT };
void prospect(const Deal *deal, const uint8_t *hand, const int *unseen, const Style *style, int wanted, Prospect *found);
void meld_chances(
    const Deal *deal, const uint8_t *hand, const int *unseen, double horizon, unsigned closed_ranks,
    unsigned closed_suits, double *chances);

/* melds.c: adding to melds on the table (K1-K11) */
bool set_takes(const Rules *rules, int seat, const Meld *meld, int card);
bool end_takes(const Rules *rules, int seat, const Meld *meld, int card, int end, int count);
bool low_end_open(const Rules *rules, const Meld *meld);
bool fits(const Rules *rules, int seat, const Meld *meld, int card);
bool add_card(Meld *meld, int card, int end);
enum { SWAPPED, SWAP_FREED, SWAP_WHICH_END, SWAP_REFUSED };
bool two_free(const Rules *rules, const Meld *meld);
int jokers_of(const Meld *meld);
int freed_card(const Meld *before, const Meld *after);
int swap_card(const Rules *rules, int seat, const Meld *meld, int card, int also, int end, Meld *after);
bool best_new_meld(const Rules *rules, const uint8_t *counts, int longest, unsigned closed_ranks, unsigned closed_suits,
                   Group *found);

/* shedding.c: getting rid of cards once the contract is laid */
int cards_to_keep(const Deal *deal, int seat);
bool further_melds(const Deal *deal, int seat, Action *action);
bool next_addition(const Deal *deal, int seat, Action *action);
bool fits_table(const Deal *deal, int seat, int card);
typedef bool TryTack(void *context, const Action *tack);
bool each_tack(const Deal *deal, int seat, TryTack *try, void *context);
typedef bool TrySwap(void *context, const Action *swap, const Meld *after, int freed);
bool each_swap(const Deal *deal, int seat, TrySwap *try, void *context);
bool find_use(const Deal *deal, Action *action, const Meld *after, int *worth);
void own_closed(const Deal *deal, int seat, unsigned *ranks, unsigned *suits);

/* club.c: what a seat does */
void decide(Deal *deal, Action *action);
bool throws_it_again(Deal *deal, int seat);
int distance(Deal *deal, int seat, int with);
double gain(const Deal *deal, int seat, int card, double *worth, double *average);
double danger(const Deal *deal, int seat, int card);
void unseen_copies(const Deal *deal, int seat, int *unseen);

/* learned.c: what was learnt from choices tried both ways */
struct Advice *advice_read(const double *numbers, int size);
void advice_free(struct Advice *advice);
bool is_asked_about(const Deal *deal, int seat, int kind);
bool advised_card(Deal *deal, int seat, int kind, int card, bool own);
bool advised_lay(Deal *deal, int seat, const Laydown *found);
int throw_before_laying(Deal *deal, int seat);

/* sampler.c: hidden cards dealt anew. Lists have an entry a seat unless said otherwise. */
typedef struct {
    int seat;                     /* who believes it */
    int rooms[MOST_SEATS];        /* hidden cards of the hand */
    int drawn[MOST_SEATS];        /* cards drawn since the stock was made of the pile */
    int usual[MOST_SEATS][MOST_AWAY], usual_size[MOST_SEATS]; /* how often such hands are so far away; size 0: any way */
    int passed[MOST_SEATS][MOST_PASSED], passed_size[MOST_SEATS]; /* open cards let go since the hand last changed */
    double leanings[MOST_SEATS][KINDS]; /* how many times as likely as by chance the hand holds a card */
    int pool[KINDS];              /* copies that are hidden */
    int unknown_below;            /* hidden cards under the pile */
    bool limited, fresh[KINDS];   /* fresh: all hidden copies were in the stock when it was made of the pile */
    int most_in_stock[KINDS];     /* if limited */
} Belief;
void draw_world(const Belief *belief, Deal *deal);

/* deal.c: the course of a deal */
void apply(Deal *deal, const Action *action);
void put_meld(Deal *deal, int seat, const Group *group);
void shuffle(Deal *deal, uint8_t *cards, int size);
bool is_nearer(const Deal *deal, int one, int other);
void share_out_stock(Deal *deal);
bool may_take(const Deal *deal, int seat);
bool may_challenge(const Deal *deal, int seat, int target);
uint64_t next_random(uint64_t *state);
uint64_t random_number(Deal *deal);
double random_share(Deal *deal);
void write_number(Trace *trace, int number);

static inline int open_card(const Deal *deal) {
    if (deal->flip >= 0) return deal->flip;
    return deal->pile_size > deal->face_down ? deal->pile[deal->pile_size - 1] : -1;
}
/* Whether a freed joker is used in the same move (K10, H1). */
static inline bool used_at_once(const Rules *rules) { return rules->swap >= SWAP_USE_AT_ONCE; }
/* Whether a seat that has laid may tack and swap in this turn (H4). */
static inline bool adds_now(const Deal *deal, int seat) {
    return deal->laid[seat] == LAID_EARLIER || (deal->laid[seat] == LAID_THIS_TURN && deal->rules->same_turn_tack);
}
static inline bool has_laid(const Deal *deal, int seat) { return deal->laid[seat] != LAID_NO; }

#endif
