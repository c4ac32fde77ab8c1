/* What a seat does: the levels club, expert and novice (club.py, expert.py, novice.py, seat.py, public.py). */
#include <math.h>
#include <string.h>

#include "kalooki.h"

enum { MOST_HELD = 3 };
#define JOKER_WORTH 1000.0
/* How often a novice overlooks a tack or a meld, calls what looks useful, and throws without a look at its plan. */
#define OVERLOOKS 0.35
#define CALLS 0.45
#define CARELESS 0.2
/* As in expert.py. */
#define FREE_CALL_GAIN 1.0

/* Copies of each card that may be in the stock or, unseen, in another hand. */
void unseen_copies(const Deal *deal, int seat, int *unseen) {
    int gone[KINDS] = {0};
    for (int index = deal->face_down; index < deal->pile_size; index++) gone[deal->pile[index]]++;
    for (int index = 0; index < deal->melds_size; index++)
        for (int place = 0; place < deal->melds[index].size; place++) gone[deal->melds[index].cards[place]]++;
    for (int other = 0; other < deal->rules->seats; other++) {
        const uint8_t *seen = other == seat ? deal->hands[seat] : deal->taken[other];
        for (int card = 0; card < KINDS; card++) gone[card] += seen[card];
    }
    if (deal->flip >= 0) gone[deal->flip]++;
    for (int card = 0; card < KINDS; card++) {
        int copies = card == JOKER ? deal->rules->jokers : deal->rules->packs;
        unseen[card] = most(0, copies - gone[card] - deal->known_down[card]);
    }
}

/* Whether open cards have gone round the table twice with no card from the stock and no meld. */
static bool goes_round(const Deal *deal) { return deal->circling >= 2 * deal->rules->seats; }

/* How far the seat's hand is from the contract; `with`: and with one more card, or -1. */
int distance(Deal *deal, int seat, int with) {
    int known = deal->distances[seat];
    if (known < 0)
        known = deal->distances[seat] = cards_away(deal, deal->hands[seat], FAR_AWAY, 0);
    if (with < 0 || known == 0) return known;
    uint8_t hand[KINDS];
    memcpy(hand, deal->hands[seat], KINDS);
    hand[with]++;
    return cards_away(deal, hand, known, known - 1);
}

/* The worth of one more `card`, in units of an unseen card's average worth; that, and the worth of the hand as it is. */
double gain(const Deal *deal, int seat, int card, double *worth, double *average) {
    int unseen[KINDS], copies = 0;
    Prospect found;
    double total = 0.0;
    unseen_copies(deal, seat, unseen);
    prospect(deal, deal->hands[seat], unseen, &deal->styles[seat], WANT_WANT, &found);
    for (int other = 0; other < KINDS; other++) {
        if (!unseen[other]) continue;
        total += found.want[other] * unseen[other];
        copies += unseen[other];
    }
    *worth = found.worth;
    *average = copies ? total / copies : 0.0;
    return total != 0.0 ? found.want[card] * copies / total : 0.0;
}

/* Cards of the hand of the same rank, or near in the same suit, as far as the contract asks for such melds. */
static int partners(const Deal *deal, int seat, int card) {
    bool for_sets = deal->contract.sets || deal->contract.points, for_runs = deal->contract.runs || deal->contract.points;
    int count = 0;
    for (int other = 0; other < JOKER; other++) {
        if (other == card || !deal->hands[seat][other]) continue;
        if (card != JOKER && card_rank(other) == card_rank(card))
            count += for_sets * deal->hands[seat][other];
        else if (card != JOKER && card_suit(other) == card_suit(card) && places_apart(deal->rules, card, other) <= 2)
            count += for_runs * deal->hands[seat][other];
    }
    return count;
}

static bool looks_useful(Deal *deal, int seat, int card) {
    if (card == JOKER || is_wild(deal->rules, card) || (!deal->hands[seat][card] && partners(deal, seat, card) >= 2)) return true;
    return !has_laid(deal, seat) && distance(deal, seat, card) < distance(deal, seat, -1);
}

/* How many times an unseen card's average worth makes a card worth a call; infinite: nothing does. */
static double enough_to_call(const Deal *deal, const Style *style) {
    bool freely = style->level == EXPERT && deal->contract.sets >= most(2, deal->contract.runs);
    return freely && style->call_gain > FREE_CALL_GAIN ? FREE_CALL_GAIN : style->call_gain;
}

static bool calls(Deal *deal, int seat) {
    int card = open_card(deal);
    if (card < 0 || has_laid(deal, seat) || deal->calls[seat] >= deal->rules->call_limit) return false;
    if (deal->caller >= 0 && is_nearer(deal, deal->caller, seat)) return false;
    const Style *style = &deal->styles[seat];
    if (style->level == NOVICE) return looks_useful(deal, seat, card) && random_share(deal) <= CALLS;
    int before = distance(deal, seat, -1);
    if (before == 0) return false;
    double enough = enough_to_call(deal, style), worth, average;
    bool own = distance(deal, seat, card) < before || (!isinf(enough) && gain(deal, seat, card, &worth, &average) > enough);
    return is_asked_about(deal, seat, ADVISE_CALL) ? advised_card(deal, seat, ADVISE_CALL, card, own) : own;
}

/* Whether a seat that has laid can put the card on the table, by itself or in a further meld. */
static bool useful_when_laid(const Deal *deal, int seat, int card) {
    if (fits_table(deal, seat, card)) return true;
    uint8_t hand[KINDS];
    Laydown found;
    memcpy(hand, deal->hands[seat], KINDS);
    hand[card]++;
    if (!best_lay(deal, seat, hand, true, &found)) return false;
    for (int group = 0; group < found.size; group++)
        if (memchr(found.groups[group].cards, card, found.groups[group].size)) return true;
    return false;
}

static bool wants(Deal *deal, int seat, int card) {
    if (has_laid(deal, seat)) return useful_when_laid(deal, seat, card);
    int before = distance(deal, seat, -1);
    if (before == 0) return false;
    double worth, average;
    return distance(deal, seat, card) < before || gain(deal, seat, card, &worth, &average) > deal->styles[seat].take_gain;
}

/* Whether to take the open card for the draw, or (`kind`) to refuse a call of it. */
static bool takes(Deal *deal, int seat, int kind) {
    int card = open_card(deal);
    if (card >= 0 && deal->rules->must_use && !finds_place(deal, seat, card, true, NULL)) return false;
    if (card >= 0 && goes_out_by(deal, seat, card, NULL)) return true;
    if (card < 0 || goes_round(deal)) return false;
    if (deal->styles[seat].level == NOVICE) return looks_useful(deal, seat, card) && !throws_it_again(deal, seat);
    bool own = wants(deal, seat, card);
    if (is_asked_about(deal, seat, kind)) return advised_card(deal, seat, kind, card, own);
    return own && !throws_it_again(deal, seat);
}

/* Whether to keep a complete contract for now, where laying it would leave those cards. */
static bool holds_back(Deal *deal, int seat, const Laydown *found) {
    double hold = deal->styles[seat].hold;
    if (hold == 0.0 || found->cards_left > MOST_HELD) return false;
    for (int other = 0; other < deal->rules->seats; other++)
        if (has_laid(deal, other)) return false;
    return !goes_out(deal->rules, found->left, found->cards_left) && random_share(deal) < hold;
}

static bool lays_first(Deal *deal, int seat, Action *action) {
    Laydown *found = action->laydown;
    int keeps = cards_to_keep(deal, seat);
    if (distance(deal, seat, -1) > 0 || !best_lay(deal, seat, deal->hands[seat], false, found)) return false;
    if (found->cards_left < keeps) {
        /* Bending is forbidden (F2): lay less, so that a card besides the discard stays. */
        uint8_t *hand = deal->hands[seat];
        Laydown fewer;
        bool tried[KINDS] = {false}, enough = false;
        for (;;) {
            int card = -1;
            for (int other = 0; other < KINDS; other++)
                if (hand[other] && !tried[other] &&
                    (card < 0 || deal->rules->values[other] < deal->rules->values[card]))
                    card = other;
            if (card < 0 || enough) break;
            tried[card] = true;
            hand[card]--;
            if (best_lay(deal, seat, hand, false, &fewer) && fewer.cards_left + 1 >= keeps) {
                *found = fewer;
                found->left[card]++;
                found->cards_left++;
                enough = true;
            }
            hand[card]++;
        }
        if (!enough) return false;
    }
    if (deal->styles[seat].level != NOVICE && holds_back(deal, seat, found)) return false;
    if (!advised_lay(deal, seat, found)) return false;
    action->code = LAY;
    return true;
}

/* The next meld, tack or swap of a seat that has laid. */
static bool sheds(Deal *deal, int seat, Action *action) {
    bool novice = deal->styles[seat].level == NOVICE;
    if (!(novice && random_share(deal) < OVERLOOKS) && further_melds(deal, seat, action)) return true;
    if (!next_addition(deal, seat, action)) return false;
    if (!novice) return true;
    if (random_share(deal) < OVERLOOKS) return false;
    return !(action->code == TACK && action->card == JOKER && deal->sizes[seat] > 3);
}

/* Whether the two cards could belong to one meld of a kind that is wanted. */
static bool goes_with(const Rules *rules, int card, int other, bool for_sets, bool for_runs) {
    if (card == JOKER || other == JOKER) return card == other && for_sets;
    if (card_rank(card) == card_rank(other)) return for_sets;
    return for_runs && card_suit(card) == card_suit(other) && places_apart(rules, card, other) <= 3;
}

/* How many of the cards, given as counts, go with the card. */
static int count_with(const Rules *rules, const uint8_t *counts, int card, bool for_sets, bool for_runs) {
    if (card == JOKER) return for_sets ? counts[JOKER] : 0;
    int found = 0;
    if (for_sets)
        for (int other = card_rank(card); other < JOKER; other += RANKS) found += counts[other];
    if (for_runs)
        for (int step = -3; step <= 3; step++) {
            int other = card_beside(rules, card, step);
            if (step && other != NO_CARD) found += counts[other];
        }
    return found;
}

/* What the card may be worth to the seats that could take or call it, judged by what they took and threw. */
double danger(const Deal *deal, int seat, int card) {
    bool for_sets = deal->contract.sets || deal->contract.points, for_runs = deal->contract.runs || deal->contract.points;
    int seats = deal->rules->seats, following = (seat + 1) % seats;
    double found = 0.0;
    while (!deal->in_deal[following]) following = (following + 1) % seats;
    for (int other = 0; other < seats; other++) {
        if (other == seat || has_laid(deal, other) || !deal->in_deal[other]) continue;
        if (other != following && deal->calls[other] >= deal->rules->call_limit) continue;
        double wish = 1.0 + count_with(deal->rules, deal->taken[other], card, for_sets, for_runs);
        for (int index = 0; index < least(deal->thrown_size[other], REMEMBERED_THROWS); index++)
            if (goes_with(deal->rules, card, deal->thrown[other][index], for_sets, for_runs)) {
                wish *= 0.4;
                break;
            }
        found += wish;
    }
    return found * deal->styles[seat].feed;
}

/* A card that the seat does not throw: the one that it drew in the open, as long as it can throw another; -1: none. */
static int spared(const Deal *deal, int seat) {
    int face = deal->drawn;
    if (face < 0 || seat != deal->turn) return -1;
    const uint8_t *hand = deal->hands[seat];
    int kept = deal->rules->throws_jokers || face == JOKER ? 0 : hand[JOKER];
    return deal->sizes[seat] > hand[face] + kept ? face : -1;
}

/* The card for which most speaks: ways to the contract against points at risk and help to others; none that the nearest
 * plan needs while an idle card may be thrown. */
int throw_before_laying(Deal *deal, int seat) {
    const Rules *rules = deal->rules;
    const Style *style = &deal->styles[seat];
    const uint8_t *hand = deal->hands[seat];
    int unseen[KINDS], laid = 0, first = -1, kept = spared(deal, seat), now = distance(deal, seat, -1);
    Prospect found;
    double melds[KINDS] = {0}, totals[KINDS];
    bool open[KINDS] = {false};
    unseen_copies(deal, seat, unseen);
    prospect(deal, hand, unseen, style, WANT_KEEP, &found);
    double worth = found.worth > 1e-9 ? found.worth : 1e-9;
    for (int other = 0; other < rules->seats; other++) laid += has_laid(deal, other);
    double risk = style->risk + style->risk_laid * laid;
    bool for_sets = deal->contract.sets || deal->contract.points;
    if (deal->contract.points) meld_chances(deal, hand, unseen, style->horizon, 0, 0, melds);
    for (int card = 0; card < (rules->throws_jokers ? KINDS : JOKER); card++) {
        if (!hand[card] || card == kept) continue;
        int of_rank = 0;
        for (int other = card_rank(card); other < JOKER; other += RANKS) of_rank += hand[other];
        double total = -style->keep * (found.keep[card] / worth);
        total += risk * rules->values[card];
        total += card == JOKER || is_wild(rules, card) ? -JOKER_WORTH : 0.0;
        total += -style->meld * melds[card];
        total += for_sets && card != JOKER && of_rank == 2 ? -style->pair : 0.0;
        total += -danger(deal, seat, card);
        totals[card] = total;
        open[card] = true;
    }
    for (;;) {
        int best = -1;
        for (int card = 0; card < KINDS; card++)
            if (open[card] && (best < 0 || totals[card] > totals[best])) best = card;
        if (best < 0) return first;
        if (first < 0) first = best;
        uint8_t rest[KINDS];
        memcpy(rest, hand, KINDS);
        rest[best]--;
        if (cards_away(deal, rest, now + 1, now) <= now) return best;
        open[best] = false;
    }
}

/* Whether one card more on the run would make this one fit. */
static bool nearly_fits(const Deal *deal, int card) {
    for (int index = 0; index < deal->melds_size; index++) {
        const Meld *meld = &deal->melds[index];
        if (meld->kind == SET || card_suit(card) != meld->suit) continue;
        int high = meld_high(meld) + 2, low = meld->low - 2;
        if (deal->rules->corner && meld->size + 2 > RANKS) continue;
        if (is_position(deal->rules, high) && card_at(meld->suit, high) == card) return true;
        if (is_position(deal->rules, low) && low_end_open(deal->rules, meld) && card_at(meld->suit, low) == card) return true;
    }
    return false;
}

/* Keep what may soon fit on the table; throw the card worth most of the rest. */
static int throw_when_laid(const Deal *deal, int seat) {
    const Rules *rules = deal->rules;
    const Style *style = &deal->styles[seat];
    const uint8_t *hand = deal->hands[seat];
    int unseen[KINDS], best = -1, kept = spared(deal, seat);
    unsigned ranks, suits;
    double chances[KINDS], best_total = 0.0;
    unseen_copies(deal, seat, unseen);
    own_closed(deal, seat, &ranks, &suits);
    meld_chances(deal, hand, unseen, style->horizon, ranks, suits, chances);
    for (int card = 0; card < (rules->throws_jokers ? KINDS : JOKER); card++) {
        if (!hand[card] || card == kept) continue;
        double total = -JOKER_WORTH;
        if (card != JOKER) {
            total = (double)rules->values[card];
            total += -style->laid_meld * chances[card];
            total += -style->laid_near * nearly_fits(deal, card);
        }
        if (best < 0 || total > best_total) {
            best = card;
            best_total = total;
        }
    }
    return best;
}

/* The cheapest card without a partner, else the one with the fewest: court cards look too good to go. Where the novice looks
 * at its plan, none that the nearest plan needs while another may go. */
static int throw_as_novice(Deal *deal, int seat) {
    const uint8_t *hand = deal->hands[seat];
    int best = -1, fewest = 0, kept = spared(deal, seat), now = distance(deal, seat, -1);
    bool looks = !has_laid(deal, seat) && random_share(deal) >= CARELESS;
    for (int card = 0; card < JOKER; card++) {
        if (!hand[card] || card == kept) continue;
        uint8_t rest[KINDS];
        memcpy(rest, hand, KINDS);
        rest[card]--;
        int needed = looks && cards_away(deal, rest, now + 1, now) > now;
        int beside = 8 * is_wild(deal->rules, card) + 4 * needed + least(partners(deal, seat, card), 2);
        if (best < 0 || beside < fewest || (beside == fewest && deal->rules->values[card] < deal->rules->values[best])) {
            best = card;
            fewest = beside;
        }
    }
    return best < 0 ? JOKER : best;
}

static void play(Deal *deal, int seat, Action *action) {
    if (deal->planned >= 0) {
        action->code = DISCARD;
        action->card = deal->planned;
        return;
    }
    if (goes_out_by(deal, seat, -1, action)) return;
    if (deal->owed >= 0 && finds_place(deal, seat, deal->owed, false, action)) return;
    if (has_laid(deal, seat) ? sheds(deal, seat, action) : lays_first(deal, seat, action)) return;
    if (!deal->rules->throws_jokers && deal->hands[seat][JOKER] == deal->sizes[seat]) {
        action->code = END_TURN;
        return;
    }
    action->code = DISCARD;
    if (deal->styles[seat].level == NOVICE)
        action->card = throw_as_novice(deal, seat);
    else
        action->card = has_laid(deal, seat) ? throw_when_laid(deal, seat) : throw_before_laying(deal, seat);
}

/* Whether the seat, were the open card its draw, would throw it, or one of the same face, at the end of this turn. Where it
 * would throw another at once, it has planned its turn. */
bool throws_it_again(Deal *deal, int seat) {
    int card = open_card(deal);
    bool refuses = deal->phase == DECISION || deal->phase == FLIP_DECISION;
    Deal turn = *deal;
    Laydown laydown;
    Action action = {.code = refuses ? REFUSE : deal->flip >= 0 ? DRAW_FLIP : DRAW_DISCARD, .seat = seat};
    turn.trace = NULL;
    turn.trial = NULL;
    action.laydown = &laydown;
    apply(&turn, &action);
    turn.drawn = -1;
    for (int step = 0; turn.actor == seat && turn.phase == PLAY; step++) {
        decide(&turn, &action);
        if (action.code == DISCARD) {
            if (step == 0 && action.card != card) deal->planned = action.card;
            return action.card == card;
        }
        apply(&turn, &action);
    }
    return false;
}

/* A seat whose calls, which everybody saw, are more than the limit and not charged yet; novices do not count. */
static int suspect(const Deal *deal, int seat) {
    if (!deal->rules->over_call || deal->styles[seat].level == NOVICE) return -1;
    for (int target = 0; target < deal->rules->seats; target++)
        if (deal->calls[target] - deal->rules->call_limit > deal->found[target] && may_challenge(deal, seat, target))
            return target;
    return -1;
}

/* What the seat to act does now; `action->laydown` is space for what it lays. */
void decide(Deal *deal, Action *action) {
    int seat = deal->actor;
    action->seat = seat;
    action->target = suspect(deal, seat);
    if (action->target >= 0) {
        action->code = CHALLENGE;
        return;
    }
    switch (deal->phase) {
        case CALL_WINDOW:
        case FLIP_WINDOW:
            /* The cards that a call brings would all have to be laid too (H9). */
            action->code = !deal->contract.whole && !goes_round(deal) && calls(deal, seat) ? CALL : PASS;
            break;
        case DECISION:
        case FLIP_DECISION:
            action->code = may_take(deal, seat) && takes(deal, seat, ADVISE_REFUSE) ? REFUSE : ALLOW;
            break;
        case DRAW:
            action->code = DRAW_STOCK;
            if (!may_take(deal, seat)) break;
            if (deal->rules->flips ? deal->flip >= 0 : !deal->dead && open_card(deal) >= 0)
                if (takes(deal, seat, ADVISE_TAKE)) action->code = deal->rules->flips ? DRAW_FLIP : DRAW_DISCARD;
            break;
        case PLAY:
            play(deal, seat, action);
            break;
        default:
            if (!sheds(deal, seat, action)) action->code = DONE;
    }
}
