/* What an expert has learnt (players/lessons.py): a choice as numbers, all of them known to its seat, and small trees that
 * say what doing a thing gains over not doing it, in points; below zero is good. */
#include <stdlib.h>
#include <string.h>

#include "kalooki.h"

/* A node of a tree: go low where the feature is at most `value`; a leaf (feature -1) is worth its value. */
typedef struct {
    int feature, low, high;
    double value;
} Node;

typedef struct {
    double threshold; /* the other choice is taken where it is said to gain more than that */
    int trees;
    int *roots;
} Kind;

struct Advice {
    Kind kinds[ADVISED];
    Node *nodes;
    int *roots;
};

typedef struct {
    const double *numbers;
    int size, place;
    Node *nodes;
    int nodes_size;
    bool broken;
} Reader;

static double next(Reader *reader) {
    if (reader->place < reader->size) return reader->numbers[reader->place++];
    reader->broken = true;
    return 0.0;
}

/* A tree, written down as: -1 and the value, or the feature, the cut, the low branch and the high one. */
static int read_node(Reader *reader, int depth) {
    int index = reader->nodes_size++, feature = (int)next(reader);
    if (feature >= FEATURES || depth > 40 || reader->broken) {
        reader->broken = true;
        return 0;
    }
    double value = next(reader);
    reader->nodes[index] = (Node){feature, 0, 0, value};
    if (feature < 0) return index;
    int low = read_node(reader, depth + 1);
    int high = reader->broken ? 0 : read_node(reader, depth + 1);
    reader->nodes[index].low = low;
    reader->nodes[index].high = high;
    return index;
}

/* Advice from numbers: for each kind its threshold, how many trees there are, and these. NULL: it makes no sense. */
struct Advice *advice_read(const double *numbers, int size) {
    struct Advice *advice = calloc(1, sizeof *advice);
    if (advice == NULL) return NULL;
    Reader reader = {numbers, size, 0, calloc((size_t)size + 1, sizeof(Node)), 0, false};
    advice->nodes = reader.nodes;
    advice->roots = calloc((size_t)size + 1, sizeof(int));
    reader.broken = advice->nodes == NULL || advice->roots == NULL;
    int *roots = advice->roots;
    for (int kind = 0; kind < ADVISED && !reader.broken; kind++) {
        Kind *one = &advice->kinds[kind];
        one->threshold = next(&reader);
        one->trees = (int)next(&reader);
        one->roots = roots;
        reader.broken |= one->trees < 0 || one->trees > size;
        for (int tree = 0; tree < one->trees && !reader.broken; tree++) *roots++ = read_node(&reader, 0);
    }
    if (!reader.broken && reader.place == size) return advice;
    advice_free(advice);
    return NULL;
}

void advice_free(struct Advice *advice) {
    if (advice == NULL) return;
    free(advice->nodes);
    free(advice->roots);
    free(advice);
}

/* Whether anything is known about such a choice of the seat, or is to be tried. */
bool is_asked_about(const Deal *deal, int seat, int kind) {
    const Style *style = &deal->styles[seat];
    if (style->level != EXPERT) return false;
    if (style->advice != NULL && style->advice->kinds[kind].trees) return true;
    return deal->trial != NULL && (deal->trial->forcing || (deal->trial->watching && deal->trial->rates[kind] > 0.0));
}

/* What doing it gains over not doing it. */
static double gained(const struct Advice *advice, int kind, const double *features) {
    double total = 0.0;
    for (int tree = 0; tree < advice->kinds[kind].trees; tree++) {
        const Node *node = &advice->nodes[advice->kinds[kind].roots[tree]];
        while (node->feature >= 0) node = &advice->nodes[features[node->feature] <= node->value ? node->low : node->high];
        total += node->value;
    }
    return total;
}

/* Have such a choice tried now, by chance; what is known about it goes to the trial. */
static void try_it(Trial *trial, int kind, bool own, const double *features) {
    if (trial == NULL || !trial->watching) return;
    if ((double)(next_random(&trial->random) >> 11) / 9007199254740992.0 >= trial->rates[kind]) return;
    trial->watching = false;
    trial->found = true;
    trial->kind = kind;
    trial->own = own;
    memcpy(trial->features, features, sizeof trial->features);
}

static bool is_forced(Trial *trial, int kind) {
    if (trial == NULL || !trial->forcing || trial->kind != kind) return false;
    trial->forcing = false;
    return true;
}

/* Whether to do it: `own` is what the weights say. */
static bool advised(Deal *deal, int seat, int kind, bool own, const double *features) {
    if (is_forced(deal->trial, kind)) return deal->trial->forced;
    const struct Advice *advice = deal->styles[seat].advice;
    bool chosen = own;
    if (advice != NULL && advice->kinds[kind].trees) {
        double found = gained(advice, kind, features), threshold = advice->kinds[kind].threshold;
        chosen = own ? found <= threshold : found < -threshold;
    }
    if (chosen && (kind == ADVISE_REFUSE || kind == ADVISE_TAKE)) chosen = !throws_it_again(deal, seat);
    try_it(deal->trial, kind, chosen, features);
    return chosen;
}

static int points_of(const Rules *rules, const uint8_t *counts) {
    int points = 0;
    for (int card = 0; card < KINDS; card++) points += counts[card] * rules->values[card];
    return points;
}

/* What is known at every choice; the hand's worth is left to whoever knows it. */
static void common_features(Deal *deal, int seat, double *features) {
    const Rules *rules = deal->rules;
    int seats = rules->seats, next_seat = (seat + 1) % seats;
    int others_calls = 0, others_laid = 0, fewest = 99, fewest_laid = 99, in_deal = 0;
    memset(features, 0, FEATURES * sizeof *features);
    while (!deal->in_deal[next_seat]) next_seat = (next_seat + 1) % seats;
    for (int other = 0; other < seats; other++) {
        if (!deal->in_deal[other]) continue;
        in_deal++;
        if (other == seat) continue;
        others_calls += deal->calls[other];
        fewest = least(fewest, deal->sizes[other]);
        if (!has_laid(deal, other)) continue;
        others_laid++;
        fewest_laid = least(fewest_laid, deal->sizes[other]);
    }
    features[F_sets_of_the_contract] = deal->contract.sets;
    features[F_runs_of_the_contract] = deal->contract.runs;
    features[F_seats_in_the_deal] = in_deal;
    features[F_own_cards] = deal->sizes[seat];
    features[F_own_points] = points_of(rules, deal->hands[seat]);
    features[F_own_jokers] = deal->hands[seat][JOKER];
    features[F_cards_from_the_contract] = has_laid(deal, seat) ? -1 : distance(deal, seat, -1);
    features[F_own_calls] = deal->calls[seat];
    features[F_calls_of_the_others] = others_calls;
    features[F_stock] = deal->stock_size;
    features[F_own_throws] = least(deal->thrown_size[seat], REMEMBERED_THROWS);
    features[F_others_that_have_laid] = others_laid;
    features[F_fewest_cards_of_another] = fewest;
    features[F_fewest_cards_of_another_that_has_laid] = fewest_laid;
    features[F_cards_of_the_next_seat] = deal->sizes[next_seat];
    features[F_next_seat_has_laid] = has_laid(deal, next_seat);
    features[F_seats_from_the_turn] = (seat - deal->turn + seats) % seats;
    features[F_reshuffles] = deal->reshuffles;
}

/* Cards of the hand of the card's rank, and others of its suit within two places. */
static void neighbours(const Rules *rules, const uint8_t *hand, int card, double *of_rank, double *near) {
    int same = 0, close = 0;
    if (card != JOKER) {
        for (int other = card_rank(card); other < JOKER; other += RANKS) same += hand[other];
        for (int step = -2; step <= 2; step++) {
            int other = card_beside(rules, card, step);
            if (step && other != NO_CARD) close += hand[other];
        }
    }
    *of_rank = same;
    *near = close;
}

/* Whether to call, refuse or take the open card; `own`: the weights would. */
bool advised_card(Deal *deal, int seat, int kind, int card, bool own) {
    const Rules *rules = deal->rules;
    double features[FEATURES];
    int unseen[KINDS], about = kind == ADVISE_REFUSE ? deal->caller : deal->turn, seats = rules->seats;
    common_features(deal, seat, features);
    unseen_copies(deal, seat, unseen);
    bool laid = has_laid(deal, seat);
    if (!laid && features[F_cards_from_the_contract] > 0) {
        features[F_cards_from_the_contract_with_it] = distance(deal, seat, card);
        features[F_gain] = gain(deal, seat, card, &features[F_worth_of_the_hand], &features[F_gain_of_a_card_on_average]);
    }
    features[F_the_weights_would] = own;
    features[F_points] = rules->values[card];
    features[F_is_a_joker] = card == JOKER;
    neighbours(rules, deal->hands[seat], card, &features[F_own_of_its_rank], &features[F_own_near_it]);
    features[F_fits_the_table] = fits_table(deal, seat, card);
    features[F_copies_unseen] = unseen[card];
    features[F_seats_to_the_other] = (about - seat + seats) % seats;
    features[F_cards_of_the_other] = deal->sizes[about];
    features[F_calls_of_the_other] = deal->calls[about];
    features[F_the_other_has_laid] = has_laid(deal, about);
    if (kind != ADVISE_CALL && features[F_cards_from_the_contract] == 0) {
        uint8_t hand[KINDS];
        Laydown found;
        memcpy(hand, deal->hands[seat], KINDS);
        bool there = best_lay(deal, seat, hand, false, &found);
        features[F_cards_left_by_laying] = there ? found.cards_left : 99;
        features[F_points_left_by_laying] = there ? found.points_left : 999;
        hand[card]++;
        features[F_cards_left_by_laying_with_it] = best_lay(deal, seat, hand, false, &found) ? found.cards_left : 99;
    }
    features[F_danger] = danger(deal, seat, card);
    return advised(deal, seat, kind, own, features);
}

/* Whether to lay the contract now; where that would end the deal there is nothing to ask. */
bool advised_lay(Deal *deal, int seat, const Laydown *found) {
    if (!is_asked_about(deal, seat, ADVISE_LAY)) return true;
    if (goes_out(deal->rules, found->left, found->cards_left)) return true;
    double features[FEATURES];
    common_features(deal, seat, features);
    int fitting = 0, dearest = 0, paired = 0;
    for (int card = 0; card < KINDS; card++) {
        if (!found->left[card]) continue;
        double of_rank, near;
        neighbours(deal->rules, found->left, card, &of_rank, &near);
        paired += (of_rank > 1 || near > 0) * found->left[card];
        if (fits_table(deal, seat, card)) fitting += found->left[card];
        dearest = most(dearest, deal->rules->values[card]);
    }
    features[F_cards_left] = found->cards_left;
    features[F_points_left] = found->points_left;
    features[F_left_that_fit_the_table] = fitting;
    features[F_dearest_left] = dearest;
    features[F_left_with_a_neighbour] = paired;
    features[F_jokers_left] = found->left[JOKER];
    features[F_melds] = found->size;
    return advised(deal, seat, ADVISE_LAY, true, features);
}
