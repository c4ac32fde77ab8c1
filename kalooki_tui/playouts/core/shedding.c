/* Getting rid of cards once the contract is laid: further melds, tacks, swaps (endgame.py, additions.py). */
#include <string.h>

#include "kalooki.h"

/* Fewest cards that a lay, tack or swap must leave in the seat's hand (G1, F2). */
int cards_to_keep(const Deal *deal, int seat) {
    if (deal->phase == ADD_ON) return 0;
    if (deal->contract.whole) return 0;
    if (deal->bend_forbidden[seat] && deal->laid[seat] != LAID_EARLIER) return 2;
    return deal->rules->keeps_last ? 1 : 0;
}

/* Ranks and suits of the seat's melds, which it may not lay again; none where they may repeat (M8). */
void own_closed(const Deal *deal, int seat, unsigned *ranks, unsigned *suits) {
    *ranks = *suits = 0;
    if (deal->rules->repeats) return;
    for (int index = 0; index < deal->melds_size; index++) {
        const Meld *meld = &deal->melds[index];
        if (meld->owner != seat) continue;
        if (meld->kind == SET)
            *ranks |= 1u << meld->rank;
        else
            *suits |= 1u << meld->suit;
    }
}

/* More melds to lay (L8). */
bool further_melds(const Deal *deal, int seat, Action *action) {
    if (!deal->rules->further_melds || deal->sizes[seat] < deal->rules->run_minimum - 1) return false;
    if (!best_lay(deal, seat, deal->hands[seat], true, action->laydown)) return false;
    if (action->laydown->cards_left < cards_to_keep(deal, seat)) return false;
    action->code = LAY;
    return true;
}

bool fits_table(const Deal *deal, int seat, int card) {
    for (int index = 0; index < deal->melds_size; index++)
        if (fits(deal->rules, seat, &deal->melds[index], card)) return true;
    return false;
}

/* Whether a card of the hand, of `kinds` kinds, fits the run once the tack is made. */
static bool follows(const Deal *deal, int seat, const Action *tack, int kinds) {
    Meld grown = deal->melds[tack->meld];
    if (!add_card(&grown, tack->card, tack->end)) return false;
    for (int card = 0; card < kinds; card++) {
        int copies = deal->hands[seat][card] - (card == tack->card);
        if (copies > 0 && fits(deal->rules, seat, &grown, card)) return true;
    }
    return false;
}

/* The best natural and the best joker of the tacks. */
typedef struct {
    const Deal *deal;
    int seat;
    Action natural, joker;
    int natural_key[2], joker_key; /* value and whether the hand goes on behind it; see `weigh_tack` */
    bool has_natural, has_joker;
} Tacks;

/* Naturals: the dearest first, and of those one behind which the hand goes on. Jokers: best where the hand continues the
 * run behind them, then onto a set; elsewhere they close a place to the card they stand for. Of equal ones the first
 * meld. */
static bool weigh_tack(void *context, const Action *tack) {
    Tacks *tacks = context;
    const Deal *deal = tacks->deal;
    bool is_set = deal->melds[tack->meld].kind == SET;
    if (tack->card == JOKER) {
        int key = is_set ? 1 : follows(deal, tacks->seat, tack, JOKER) ? 2 : 0;
        if (tacks->has_joker && key <= tacks->joker_key) return false;
        tacks->joker = *tack;
        tacks->joker_key = key;
        tacks->has_joker = true;
        return false;
    }
    int value = deal->rules->values[tack->card];
    if (tacks->has_natural && value < tacks->natural_key[0]) return false;
    int goes_on = !is_set && follows(deal, tacks->seat, tack, KINDS);
    if (tacks->has_natural && value == tacks->natural_key[0] && goes_on <= tacks->natural_key[1]) return false;
    tacks->natural = *tack;
    tacks->natural_key[0] = value;
    tacks->natural_key[1] = goes_on;
    tacks->has_natural = true;
    return false;
}

static bool try_run(const Deal *deal, int seat, int index, int card, TryTack *try, void *context) {
    for (int end = HIGH; end >= LOW; end--)
        if (end_takes(deal->rules, seat, &deal->melds[index], card, end, deal->added[index][end]) &&
            try(context, &(Action){.code = TACK, .seat = seat, .card = card, .meld = index, .end = end}))
            return true;
    return false;
}

/* The tacks of single cards in the order in which the engine lists them, until one will do. */
bool each_tack(const Deal *deal, int seat, TryTack *try, void *context) {
    const uint8_t *hand = deal->hands[seat];
    for (int index = 0; index < deal->melds_size; index++) {
        const Meld *meld = &deal->melds[index];
        if (meld->kind == SET) {
            for (int card = meld->rank; card < JOKER + RANKS; card += RANKS) {
                int kind = least(card, JOKER);
                if (hand[kind] && set_takes(deal->rules, seat, meld, kind) &&
                    try(context, &(Action){.code = TACK, .seat = seat, .card = kind, .meld = index, .end = NO_END}))
                    return true;
                /* Wild cards of other ranks come before jokers, as the engine lists them (H7). */
                for (int wild = 0; card + RANKS >= JOKER && card < JOKER && wild < JOKER; wild++)
                    if (is_wild(deal->rules, wild) && card_rank(wild) != meld->rank && hand[wild] &&
                        set_takes(deal->rules, seat, meld, wild) &&
                        try(context, &(Action){.code = TACK, .seat = seat, .card = wild, .meld = index, .end = NO_END}))
                        return true;
            }
            continue;
        }
        int below = card_at(meld->suit, meld->low - 1), above = card_at(meld->suit, meld_high(meld) + 1);
        if (hand[below] && try_run(deal, seat, index, below, try, context)) return true;
        if (above != below && hand[above] && try_run(deal, seat, index, above, try, context)) return true;
        for (int card = 0; deal->rules->wild && card < JOKER; card++)
            if (is_wild(deal->rules, card) && card != below && card != above && hand[card] &&
                try_run(deal, seat, index, card, try, context))
                return true;
        if (hand[JOKER] && try_run(deal, seat, index, JOKER, try, context)) return true;
    }
    return false;
}

/* Whether a freed joker could go back onto the table, were the meld as it is after the swap. */
static bool joker_goes_back(const Deal *deal, int seat, int swapped, const Meld *after, int joker) {
    for (int index = 0; index < deal->melds_size; index++)
        if (fits(deal->rules, seat, index == swapped ? after : &deal->melds[index], joker)) return true;
    return false;
}

static bool same_meld(const Meld *one, const Meld *other) {
    return one->low == other->low && one->size == other->size && !memcmp(one->cards, other->cards, one->size);
}

/* Where the freed joker is built onto a meld of the table, the one it came from included (K10): the first place. */
static bool find_build(const Deal *deal, int seat, int swapped, const Meld *after, Action *action) {
    const Rules *rules = deal->rules;
    for (int index = 0; index < deal->melds_size; index++) {
        const Meld *meld = index == swapped ? after : &deal->melds[index];
        if (meld->kind == SET) {
            if (!set_takes(rules, seat, meld, JOKER)) continue;
            action->use_end = NO_END;
        } else {
            bool high = end_takes(rules, seat, meld, JOKER, HIGH, deal->added[index][HIGH]);
            bool low = end_takes(rules, seat, meld, JOKER, LOW, deal->added[index][LOW]);
            if (!high && !low) continue;
            action->use_end = high ? HIGH : LOW;
        }
        action->use = index;
        return true;
    }
    return false;
}

/* Kalookie 40: use the joker at once, in the dearest new meld there is, or else on a meld of the table (K10); `worth`: of
 * that meld, 0 on the table. */
bool find_use(const Deal *deal, Action *action, const Meld *after, int *worth) {
    int seat = action->seat, keeps = cards_to_keep(deal, seat);
    if (deal->rules->further_melds) {
        uint8_t counts[KINDS];
        unsigned ranks, suits;
        memcpy(counts, deal->hands[seat], KINDS);
        counts[action->card]--;
        if (action->also != NO_CARD) counts[action->also]--;
        counts[JOKER]++;
        own_closed(deal, seat, &ranks, &suits);
        Group *group = &action->laydown->groups[0];
        if (best_new_meld(deal->rules, counts, deal->sizes[seat] - (action->also != NO_CARD) - keeps, ranks, suits, group)) {
            action->use = -1;
            action->laydown->size = 1;
            *worth = 0;
            for (int index = 0; index < group->size; index++) *worth += deal->rules->values[group->cards[index]];
            if (*worth > 0) return true;
        }
    }
    *worth = 0;
    action->laydown->size = 0;
    return deal->sizes[seat] - 1 - (action->also != NO_CARD) >= keeps && find_build(deal, seat, action->meld, after, action);
}

/* The ways in which the card, and `also` beside it, takes a joker's place in this meld, until one will do. */
static bool try_ends(const Deal *deal, int seat, int index, int card, int also, TrySwap *try, void *context) {
    Meld results[3], meld = deal->melds[index];
    int results_size = 0;
    for (int said = 0; said < 3; said++) {
        int end = (int[]){NO_END, HIGH, LOW}[said];
        Meld after;
        int result = swap_card(deal->rules, seat, &meld, card, also, end, &after);
        if (result == SWAP_REFUSED && end == NO_END) break;
        if (result == SWAP_REFUSED || result == SWAP_WHICH_END) continue;
        bool known = false;
        for (int other = 0; other < results_size; other++) known |= same_meld(&results[other], &after);
        if (!known) {
            results[results_size++] = after;
            Action swap = {.code = SWAP, .seat = seat, .card = card, .also = also, .meld = index, .end = end, .use = -1,
                           .use_end = NO_END};
            if (try(context, &swap, &after, result == SWAP_FREED ? freed_card(&meld, &after) : NO_CARD)) return true;
        }
        if (end == NO_END && result == SWAPPED) break;
    }
    return false;
}

/* Every card of the hand put in a joker's place, in the order in which the engine lists them, until one will do; `freed`:
 * what comes out of it, a joker or a wild card. */
bool each_swap(const Deal *deal, int seat, TrySwap *try, void *context) {
    const uint8_t *hand = deal->hands[seat];
    for (int index = 0; index < deal->melds_size; index++) {
        Meld meld = deal->melds[index];
        if (deal->rules->swap == SWAP_NONE || !jokers_of(&meld)) continue;
        for (int card = 0; card < JOKER; card++) {
            if (!hand[card]) continue;
            if (!two_free(deal->rules, &meld)) {
                if (try_ends(deal, seat, index, card, NO_CARD, try, context)) return true;
                continue;
            }
            for (int also = card + RANKS; also < JOKER; also += RANKS)
                if (hand[also] && try_ends(deal, seat, index, card, also, try, context)) return true;
        }
    }
    return false;
}

/* The swap of the dearest card that leaves fewer cards: the joker stays on the table, or can go back onto it (K7-K10). */
typedef struct {
    const Deal *deal;
    int value, worth;
    bool found;
    Action best;
    Laydown *space;
} BestSwap;

static bool weigh_swap(void *context, const Action *action, const Meld *after, int freed) {
    BestSwap *best = context;
    const Deal *deal = best->deal;
    int seat = action->seat, worth = 0, value = deal->rules->values[action->card];
    if (action->also != NO_CARD) value += deal->rules->values[action->also];
    Laydown fresh;
    Action swap = *action;
    if (value < best->value) return false;
    if (used_at_once(deal->rules)) {
        swap.laydown = &fresh;
        if (!find_use(deal, &swap, after, &worth)) return false;
    } else if (deal->sizes[seat] - (freed == NO_CARD) < cards_to_keep(deal, seat) ||
               (freed != NO_CARD && !joker_goes_back(deal, seat, action->meld, after, freed))) {
        return false;
    }
    if (value == best->value && worth <= best->worth) return false;
    if (swap.laydown) {
        best->space->size = fresh.size;
        if (fresh.size) best->space->groups[0] = fresh.groups[0];
    }
    swap.laydown = best->space;
    best->best = swap;
    best->value = value;
    best->worth = worth;
    best->found = true;
    return false;
}

static bool find_swap(const Deal *deal, int seat, Action *action) {
    BestSwap best = {.deal = deal, .value = -1, .worth = -1, .space = action->laydown};
    each_swap(deal, seat, weigh_swap, &best);
    if (best.found) *action = best.best;
    return best.found;
}

/* The next tack or swap that gets a card out of the hand. Naturals go first, the dearest before the others. */
bool next_addition(const Deal *deal, int seat, Action *action) {
    int naturals = deal->sizes[seat] - deal->hands[seat][JOKER];
    /* Where the last card must be discarded a hand of jokers alone cannot go out. */
    bool may_spend_natural = naturals > 1 || !deal->rules->keeps_last;
    Tacks tacks = {.deal = deal, .seat = seat};
    Laydown *space = action->laydown;
    if (!adds_now(deal, seat)) return false;
    /* One of the two cards that free a set's joker would close it (H1). */
    if (deal->rules->swap == SWAP_BOTH_SUITS && may_spend_natural && find_swap(deal, seat, action)) return true;
    if (deal->sizes[seat] - 1 >= cards_to_keep(deal, seat)) each_tack(deal, seat, weigh_tack, &tacks);
    if (tacks.has_natural && may_spend_natural) {
        *action = tacks.natural;
    } else if (may_spend_natural && find_swap(deal, seat, action)) {
        return true;
    } else if (tacks.has_joker) {
        *action = tacks.joker;
    } else {
        return false;
    }
    action->laydown = space;
    return true;
}
