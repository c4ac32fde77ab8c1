/* Adding cards to melds, jokers that move (tacks.py, swaps.py), and the new meld a freed joker goes into (candidates.py). */
#include <string.h>

#include "kalooki.h"

static bool takes_jokers(const Rules *rules, int seat, const Meld *meld) {
    return !rules->own_jokers || meld->owner == seat;
}

/* Whether a low end is open: always, or only once the high end is the ace (K2, K3). */
bool low_end_open(const Rules *rules, const Meld *meld) { return rules->both_ends || meld_high(meld) == HIGH_ACE; }

static bool in_meld(const Meld *meld, int card) { return memchr(meld->cards, card, meld->size) != NULL; }

int jokers_of(const Meld *meld) {
    int jokers = 0;
    for (int place = 0; place < meld->size; place++) jokers += stands_in(meld, place);
    return jokers;
}

/* Whether a joker more is not too many for the meld's naturals (H11). */
static bool has_room_for_joker(const Rules *rules, const Meld *meld) {
    if (!rules->joker_share) return true;
    int jokers = jokers_of(meld);
    return jokers < most_jokers(rules, meld->size - jokers);
}

/* Whether a card can go to a set (K1, K5). */
bool set_takes(const Rules *rules, int seat, const Meld *meld, int card) {
    if (card == JOKER || (is_wild(rules, card) && card_rank(card) != meld->rank)) {
        if (!takes_jokers(rules, seat, meld) || !has_room_for_joker(rules, meld)) return false;
    } else if (card_rank(card) != meld->rank || (rules->distinct_suits && in_meld(meld, card))) {
        return false;
    }
    return meld->size < rules->set_maximum;
}

/* Whether a card can go to this end of a run; `count`: cards that went there this turn already (K2-K6). */
bool end_takes(const Rules *rules, int seat, const Meld *meld, int card, int end, int count) {
    int position = end == HIGH ? meld_high(meld) + 1 : meld->low - 1;
    if (is_wild(rules, card) && card != card_at(meld->suit, position)) card = JOKER;
    if (card != JOKER && card_suit(card) != meld->suit) return false;
    if (meld->size >= rules->run_longest) return false;
    if (!is_position(rules, position)) return false;
    if (card != JOKER && card != card_at(meld->suit, position)) return false;
    if (end == LOW && !low_end_open(rules, meld)) return false;
    if (card == JOKER) {
        if (!takes_jokers(rules, seat, meld) || !has_room_for_joker(rules, meld)) return false;
        if (!rules->kisses && stands_in(meld, end == HIGH ? meld->size - 1 : 0)) return false;
    }
    return rules->end_limit < 0 || count < rules->end_limit;
}

/* Whether the seat could tack the card onto the meld, at one end or the other. */
bool fits(const Rules *rules, int seat, const Meld *meld, int card) {
    if (meld->kind == SET) return set_takes(rules, seat, meld, card);
    return end_takes(rules, seat, meld, card, HIGH, 0) || end_takes(rules, seat, meld, card, LOW, 0);
}

/* Put a card onto a meld, of a run at `end`; false: there is no room for it here. */
bool add_card(Meld *meld, int card, int end) {
    if (meld->size == MOST_IN_MELD) return false;
    if (meld->kind == RUN && end == LOW) {
        memmove(meld->cards + 1, meld->cards, meld->size);
        meld->cards[0] = (uint8_t)card;
        meld->low = (int8_t)(meld->low > 1 ? meld->low - 1 : RANKS); /* below the ace lies the king (H15) */
    } else {
        meld->cards[meld->size] = (uint8_t)card;
    }
    meld->size++;
    return true;
}

/* Whether the joker has room at this end of the run (D26a, K7). */
static bool has_room(const Rules *rules, const Meld *meld, int end) {
    int position = end == HIGH ? meld_high(meld) + 1 : meld->low - 1;
    if (!is_position(rules, position) || meld->size >= rules->run_longest) return false;
    return rules->kisses || !stands_in(meld, end == HIGH ? meld->size - 1 : 0);
}

/* Whether it takes two cards to free the joker of a set (H1). */
bool two_free(const Rules *rules, const Meld *meld) { return rules->swap == SWAP_BOTH_SUITS && meld->kind == SET; }

/* What a swap has brought out of a run, or out of a set. */
int freed_card(const Meld *before, const Meld *after) {
    for (int place = 0; before->kind == RUN && place < before->size; place++)
        if (before->cards[place] != after->cards[place]) return before->cards[place];
    return JOKER;
}

/* The meld after the seat puts `card` in a joker's place, and `also` beside it; `end` says where the joker goes, or which ace is meant (D26),
 * where the rules leave it open. */
int swap_card(const Rules *rules, int seat, const Meld *meld, int card, int also, int end, Meld *after) {
    *after = *meld;
    if (meld->kind == SET) {
        if (!used_at_once(rules) || end != NO_END || card == JOKER || card_rank(card) != meld->rank ||
            in_meld(meld, card) || !in_meld(meld, JOKER))
            return SWAP_REFUSED;
        if (two_free(rules, meld)) {
            if (meld->size > 3 || also == NO_CARD || also == card || also == JOKER || card_rank(also) != meld->rank ||
                in_meld(meld, also))
                return SWAP_REFUSED;
            add_card(after, also, NO_END);
        }
        *(uint8_t *)memchr(after->cards, JOKER, after->size) = (uint8_t)card;
        return SWAP_FREED;
    }
    bool frees = used_at_once(rules) || rules->swap == SWAP_FREE_RUNS ||
                 (rules->swap == SWAP_FREE_OWN && meld->owner == seat);
    int index = -1;
    for (int place = 0; place < meld->size; place++) {
        if (!stands_in(meld, place) || card_at(meld->suit, meld->low + place) != card) continue;
        if (index < 0 || !(frees && end == LOW)) index = place;
    }
    if (index < 0) return SWAP_REFUSED;
    int joker = meld->cards[index];
    after->cards[index] = (uint8_t)card;
    if (frees) {
        int place = end == LOW ? 0 : meld->size - 1;
        if (end != NO_END && (!stands_in(meld, place) || card_at(meld->suit, meld->low + place) != card))
            return SWAP_REFUSED;
        return SWAP_FREED;
    }
    int target;
    if (rules->swap == SWAP_HIGH_THEN_LOW) {
        target = meld_high(after) < HIGH_ACE ? HIGH : LOW;
        if (end != NO_END && end != target) return SWAP_REFUSED;
    } else if (rules->swap == SWAP_UP_ONLY) {
        target = HIGH;
        if (end == LOW) return SWAP_REFUSED;
    } else if (end != NO_END) {
        target = end;
    } else {
        bool high = has_room(rules, after, HIGH), low = has_room(rules, after, LOW);
        if (high && low) return SWAP_WHICH_END;
        target = high ? HIGH : LOW;
    }
    if (!has_room(rules, after, target)) return SWAP_REFUSED;
    add_card(after, joker, target);
    return SWAPPED;
}

/* The search for the dearest meld with a joker in it, of equal ones the first that `possible_melds` would name: sets by
 * rank, then runs by suit, those with most naturals first, then those with fewest jokers, the jokers at the high end. */
typedef struct {
    const Rules *rules;
    const uint8_t *counts;
    int longest, worth, suit, low;
    bool in_suit;
    int key[4];
    uint8_t cards[MOST_IN_MELD];
    Group *best;
} Forming;

static int points_of(const Rules *rules, const uint8_t *cards, int size) {
    int points = 0;
    for (int index = 0; index < size; index++) points += rules->values[cards[index]];
    return points;
}

static void keep_meld(Forming *forming, int kind, int size, int worth) {
    forming->worth = worth;
    forming->best->kind = (uint8_t)kind;
    forming->best->size = (uint8_t)size;
    memcpy(forming->best->cards, forming->cards, (size_t)size);
}

/* Choices of `number` naturals of a rank, from the suit `suit` on; `copy` of its cards are chosen already. */
static void form_sets(Forming *forming, int rank, int suit, int copy, int size, int number) {
    const Rules *rules = forming->rules;
    if (size == number) {
        for (int whole = size + 1; whole <= size + forming->counts[JOKER] && whole <= MOST_IN_MELD; whole++) {
            forming->cards[whole - 1] = JOKER;
            if (whole < rules->set_minimum || whole > rules->set_maximum || whole > forming->longest) continue;
            if (whole - number > most_jokers(rules, number)) continue;
            int worth = points_of(rules, forming->cards, whole);
            if (worth > forming->worth) keep_meld(forming, SET, whole, worth);
        }
        return;
    }
    for (; suit < SUITS; suit++, copy = 0) {
        int copies = forming->counts[suit * RANKS + rank];
        if (copy >= (rules->distinct_suits ? least(copies, 1) : copies)) continue;
        forming->cards[size] = (uint8_t)(suit * RANKS + rank);
        form_sets(forming, rank, suit, copy + 1, size + 1, number);
    }
}

/* Compare a run of `size` cards with the best of its suit. */
static void judge_run(Forming *forming, int size, unsigned places) {
    int jokers = size - bit_count(places);
    int worth = points_of(forming->rules, forming->cards, size);
    if (jokers == 0 || size > forming->longest || worth < forming->worth) return;
    unsigned reversed = 0;
    for (int place = 0; place < 2 * RANKS; place++) reversed = reversed << 1 | (places >> place & 1);
    int key[4] = {-bit_count(places), jokers, -(int)reversed, -forming->low};
    int order = 0;
    for (int index = 0; index < 4 && order == 0; index++) order = key[index] - forming->key[index];
    if (worth == forming->worth && !(forming->in_suit && order < 0)) return;
    keep_meld(forming, RUN, size, worth);
    memcpy(forming->key, key, sizeof key);
    forming->in_suit = true;
}

/* The runs that begin with the `size` cards so far; `aces` of the suit and `jokers` are left. */
static void form_runs(Forming *forming, int size, unsigned places, int aces, int jokers) {
    const Rules *rules = forming->rules;
    int position = forming->low + size, used = size - bit_count(places), few = rules->jokers_when_shortest;
    if (size >= rules->run_minimum && bit_count(places) >= most(1, rules->run_naturals) &&
        used <= most_jokers(rules, bit_count(places)) &&
        !(few >= 0 && size == rules->run_minimum && used > few))
        judge_run(forming, size, places);
    if (!is_position(rules, position) || size == rules->run_longest) return;
    int natural = card_at(forming->suit, position);
    bool is_ace = position == 1 || position == HIGH_ACE;
    if (forming->counts[natural] && (!is_ace || aces)) {
        forming->cards[size] = (uint8_t)natural;
        form_runs(forming, size + 1, places | 1u << (position - 1), aces - is_ace, jokers);
    }
    if (jokers && (rules->kisses || size == 0 || forming->cards[size - 1] != JOKER)) {
        forming->cards[size] = JOKER;
        form_runs(forming, size + 1, places, aces, jokers - 1);
    }
}

/* The dearest meld with a joker in it, of `longest` cards at most, of ranks and suits that are open to the seat (M8). */
bool best_new_meld(const Rules *rules, const uint8_t *counts, int longest, unsigned closed_ranks, unsigned closed_suits,
                   Group *found) {
    Forming forming = {.rules = rules, .counts = counts, .longest = longest, .worth = -1, .best = found};
    for (int rank = 0; rank < RANKS; rank++) {
        int held = 0;
        for (int suit = 0; suit < SUITS; suit++) held += counts[suit * RANKS + rank];
        if (closed_ranks >> rank & 1) continue;
        for (int number = most(1, rules->set_naturals); number <= held; number++)
            form_sets(&forming, rank, 0, 0, 0, number);
    }
    for (int suit = 0; suit < SUITS; suit++) {
        if (closed_suits >> suit & 1) continue;
        int aces = least(counts[suit * RANKS], 2);
        forming.suit = suit;
        forming.in_suit = false;
        for (forming.low = 1; forming.low < HIGH_ACE; forming.low++) form_runs(&forming, 0, 0, aces, counts[JOKER]);
    }
    return forming.worth >= 0;
}
