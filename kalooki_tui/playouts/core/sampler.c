/* Hidden cards dealt anew as one seat may believe them to lie: what is certain is kept, and hands are as such hands are.
 *
 * Cards dealt by chance give the others hands that are far too poor. So a hand that has not laid gets a distance from its
 * contract as such hands have, by swaps with the stock; then more swaps that keep the distance make it a hand whose
 * seat would have let pass what it let pass last, and thrown what it threw. `belief.py` says what is known.
 */
#include <string.h>

#include "kalooki.h"

enum {
    MOST_SWAPS = 14,   /* to bring one hand to its distance */
    SWEEPS = 4,        /* swaps by chance for each hidden card of a hand, through which its leanings come to count */
    HEEDED_THROWS = 2, /* the last ones */
    MOST_HEEDED = 16,  /* cards exchanged for the sake of a throw, or of cards let go */
    TRIES = 16         /* at exchanging one */
};

/* One draw while it is made: the hidden cards of each hand, and the stock. The hands of `deal` hold the known ones too. */
typedef struct {
    const Belief *belief;
    Deal *deal;
    uint8_t hidden[MOST_SEATS][MOST_CARDS];
    int sizes[MOST_SEATS];
    int in_stock[KINDS];
    uint8_t *stock;
    int stock_size;
} Dealing;

static int below(Deal *deal, int limit) { return (int)(random_number(deal) % (uint64_t)limit); }

/* Give cards that were all in the stock when it was made of the pile to seats that drew since; what is left of `cards`
 * is for the other places (S2). */
static int deal_fresh(Dealing *dealing, uint8_t *cards, int size) {
    const Belief *belief = dealing->belief;
    uint8_t places[MOST_CARDS];
    int places_size = 0, left = 0;
    for (int seat = 0; seat < dealing->deal->rules->seats; seat++)
        for (int place = 0; place < least(belief->rooms[seat], belief->drawn[seat]) && places_size < MOST_CARDS; place++)
            places[places_size++] = (uint8_t)seat;
    shuffle(dealing->deal, places, places_size);
    for (int index = 0; index < size; index++) {
        uint8_t card = cards[index];
        if (belief->fresh[card] && places_size) {
            int seat = places[--places_size];
            dealing->hidden[seat][dealing->sizes[seat]++] = card;
        } else if (belief->fresh[card]) {
            /* It is still in the stock, then, and another card of it is not. */
            int place = 0;
            while (place < dealing->stock_size && belief->fresh[dealing->stock[place]]) place++;
            if (place == dealing->stock_size) give_up(dealing->deal->escape, FAULT_INPUT);
            cards[left++] = dealing->stock[place];
            dealing->stock[place] = card;
        } else {
            cards[left++] = card;
        }
    }
    return left;
}

/* By chance, among all that is possible. */
static void deal_by_chance(Dealing *dealing) {
    const Belief *belief = dealing->belief;
    Deal *deal = dealing->deal;
    uint8_t cards[MOST_CARDS], rest[MOST_CARDS];
    int size = 0, rest_size = 0, room[KINDS];
    for (int card = 0; card < KINDS; card++) {
        room[card] = belief->limited ? belief->most_in_stock[card] : belief->pool[card];
        for (int copy = 0; copy < belief->pool[card]; copy++) cards[size++] = (uint8_t)card;
    }
    shuffle(deal, cards, size);
    for (int index = 0; index < size; index++) {
        if (room[cards[index]] && dealing->stock_size < deal->stock_size) {
            room[cards[index]]--;
            dealing->stock[dealing->stock_size++] = cards[index];
        } else {
            rest[rest_size++] = cards[index];
        }
    }
    if (belief->limited) {
        rest_size = deal_fresh(dealing, rest, rest_size);
        shuffle(deal, rest, rest_size);
    }
    for (int seat = 0; seat < deal->rules->seats; seat++)
        while (dealing->sizes[seat] < belief->rooms[seat] && rest_size)
            dealing->hidden[seat][dealing->sizes[seat]++] = rest[--rest_size];
    for (int index = 0; index < dealing->stock_size; index++) dealing->in_stock[dealing->stock[index]]++;
    if (dealing->stock_size != deal->stock_size || rest_size != belief->unknown_below)
        give_up(deal->escape, FAULT_INPUT);
    for (int index = 0; index < rest_size; index++) deal->pile[deal->face_down - rest_size + index] = rest[index];
}

/* Whether the seat could hold `into`, and the stock `out`, instead of each other (S2). */
static bool may_swap(const Dealing *dealing, int seat, int out, int into) {
    const Belief *belief = dealing->belief;
    if (!belief->limited) return true;
    if (dealing->in_stock[out] >= belief->most_in_stock[out]) return false;
    if (!belief->fresh[into] || belief->fresh[out]) return true;
    int fresh = 0;
    for (int index = 0; index < dealing->sizes[seat]; index++) fresh += belief->fresh[dealing->hidden[seat][index]];
    return fresh < belief->drawn[seat];
}

/* Swap a hidden card of the hand, and one of the stock, by their places. */
static void swap_places(Dealing *dealing, int seat, int mine, int other) {
    uint8_t *out = &dealing->hidden[seat][mine], *into = &dealing->stock[other], card = *out;
    dealing->in_stock[*out]++;
    dealing->in_stock[*into]--;
    dealing->deal->hands[seat][*out]--;
    dealing->deal->hands[seat][*into]++;
    *out = *into;
    *into = card;
}

/* Swap cards of the hand with the stock by chance, so that likely ones become likelier. */
static void lean(Dealing *dealing, int seat) {
    const double *weights = dealing->belief->leanings[seat];
    Deal *deal = dealing->deal;
    int size = dealing->sizes[seat];
    for (int left = SWEEPS * size; left > 0; left--) {
        int mine = below(deal, size), other = below(deal, dealing->stock_size);
        int out = dealing->hidden[seat][mine], into = dealing->stock[other];
        if (out != into && random_share(deal) * weights[out] < weights[into] && may_swap(dealing, seat, out, into))
            swap_places(dealing, seat, mine, other);
    }
}

/* The places of one card of each kind but jokers, in an order drawn by copies and weights; how many there are.
 *
 * A joker helps every hand: swapping it in to bring a hand nearer would give jokers to all the good hands. */
static int likely_first(Deal *deal, const uint8_t *cards, int size, const double *weights, bool unlikely, uint16_t *order) {
    double keys[KINDS];
    int16_t places[KINDS];
    int found = 0;
    memset(places, -1, sizeof places);
    for (int index = 0; index < size; index++) {
        int card = cards[index];
        if (card == JOKER) continue;
        double key = unlikely ? random_share(deal) * weights[card] : random_share(deal) / weights[card];
        if (places[card] >= 0 && key >= keys[card]) continue;
        places[card] = (int16_t)index;
        keys[card] = key;
    }
    for (int card = 0; card < JOKER; card++) {
        if (places[card] < 0) continue;
        int place = found++;
        for (; place > 0 && keys[cards[order[place - 1]]] > keys[card]; place--) order[place] = order[place - 1];
        order[place] = (uint16_t)places[card];
    }
    return found;
}

static int away(const Deal *deal, int seat, int bound, int floor) {
    return cards_away(deal, deal->hands[seat], bound, floor);
}

/* Swap one card so that the hand, `now` cards away from its contract, is one card nearer, or one further. */
static bool step(Dealing *dealing, int seat, int now, bool nearer) {
    Deal *deal = dealing->deal;
    const double *weights = dealing->belief->leanings[seat];
    uint8_t *hand = deal->hands[seat], *hidden = dealing->hidden[seat];
    uint16_t outs[KINDS], intos[KINDS];
    int outs_size = likely_first(deal, hidden, dealing->sizes[seat], weights, true, outs);
    int intos_size = likely_first(deal, dealing->stock, dealing->stock_size, weights, false, intos);
    int firsts = nearer ? intos_size : outs_size, seconds = nearer ? outs_size : intos_size;
    int bound = nearer ? now : now + 1;
    for (int first = 0; first < firsts; first++) {
        int moved = nearer ? dealing->stock[intos[first]] : hidden[outs[first]];
        hand[moved] = (uint8_t)(hand[moved] + (nearer ? 1 : -1));
        bool helps = away(deal, seat, bound, bound - 1) < bound;
        for (int second = 0; second < seconds && helps == nearer; second++) {
            int mine = outs[nearer ? second : first], other = intos[nearer ? first : second];
            int out = hidden[mine], into = dealing->stock[other], last = nearer ? out : into;
            if (out == into || !may_swap(dealing, seat, out, into)) continue;
            hand[last] = (uint8_t)(hand[last] + (nearer ? -1 : 1));
            bool done = (away(deal, seat, bound, bound - 1) < bound) == nearer;
            hand[last] = (uint8_t)(hand[last] + (nearer ? 1 : -1));
            if (done) {
                hand[moved] = (uint8_t)(hand[moved] + (nearer ? -1 : 1));
                swap_places(dealing, seat, mine, other);
                return true;
            }
        }
        hand[moved] = (uint8_t)(hand[moved] + (nearer ? -1 : 1));
    }
    return false;
}

/* Swap cards with the stock until the hand is `wanted` cards away from its contract, as far as that can be. */
static void approach(Dealing *dealing, int seat, int wanted) {
    int now = away(dealing->deal, seat, FAR_AWAY, 0);
    for (int left = MOST_SWAPS; left > 0 && now != wanted; left--) {
        if (!step(dealing, seat, now, now > wanted)) return;
        now += now > wanted ? -1 : 1;
    }
}

/* Swap the hidden card at a place for one by chance so that the distance `now` stays; false: none was found. */
static bool exchange(Dealing *dealing, int seat, int mine, int now) {
    Deal *deal = dealing->deal;
    const double *weights = dealing->belief->leanings[seat];
    uint8_t *hand = deal->hands[seat];
    for (int tries = 0; tries < TRIES; tries++) {
        int other = below(deal, dealing->stock_size), out = dealing->hidden[seat][mine], into = dealing->stock[other];
        if (into == out || into == JOKER || random_share(deal) > weights[into]) continue;
        if (!may_swap(dealing, seat, out, into)) continue;
        hand[out]--;
        hand[into]++;
        bool stays = away(deal, seat, now + 1, now - 1) == now;
        hand[out]++;
        hand[into]--;
        if (!stays) continue;
        swap_places(dealing, seat, mine, other);
        return true;
    }
    return false;
}

static int place_of(const Dealing *dealing, int seat, int card) {
    for (int place = 0; place < dealing->sizes[seat]; place++)
        if (dealing->hidden[seat][place] == card) return place;
    return -1;
}

/* The place of a hidden card that goes with `thrown` in a meld of the contract, from a place by chance on; -1: none. */
static int partner_of(Dealing *dealing, int seat, int thrown) {
    const Contract *contract = &dealing->deal->contract;
    bool for_sets = contract->sets || contract->points, for_runs = contract->runs || contract->points;
    int size = dealing->sizes[seat], start = below(dealing->deal, size);
    for (int index = 0; index < size && thrown != JOKER; index++) {
        int place = (start + index) % size, card = dealing->hidden[seat][place];
        if (card == JOKER) continue;
        if (for_sets && card_rank(card) == card_rank(thrown)) return place;
        if (for_runs && card_suit(card) == card_suit(thrown) && places_apart(dealing->deal->rules, card, thrown) <= 2)
            return place;
    }
    return -1;
}

/* Make the hand one whose seat would have thrown that card: what it would rather have thrown goes, or what made the card
 * worth keeping. */
static void heed_throw(Dealing *dealing, int seat, int now, int thrown) {
    Deal *deal = dealing->deal;
    for (int tries = 0; tries < MOST_HEEDED; tries++) {
        deal->hands[seat][thrown]++;
        int rather = throw_before_laying(deal, seat);
        deal->hands[seat][thrown]--;
        if (rather == thrown) return;
        int partner = partner_of(dealing, seat, thrown), other = place_of(dealing, seat, rather);
        int mine = partner >= 0 && (other < 0 || tries % 2) ? partner : other;
        if (mine >= 0) exchange(dealing, seat, mine, now);
    }
}

/* Make the hand one that no card brings nearer which the seat has let go since. */
static void heed_passes(Dealing *dealing, int seat, int now) {
    Deal *deal = dealing->deal;
    const Belief *belief = dealing->belief;
    for (int tries = 0; tries < MOST_HEEDED; tries++) {
        bool helps = false;
        for (int index = 0; index < belief->passed_size[seat] && !helps; index++) {
            int card = belief->passed[seat][index];
            deal->hands[seat][card]++;
            helps = away(deal, seat, now, now - 1) < now;
            deal->hands[seat][card]--;
        }
        if (!helps) return;
        int mine = below(deal, dealing->sizes[seat]);
        if (dealing->hidden[seat][mine] != JOKER) exchange(dealing, seat, mine, now);
    }
}

/* A distance, as likely as it was counted often. */
static int draw_distance(Deal *deal, const int *counts, int size) {
    int total = 0, distance = 0;
    for (int index = 0; index < size; index++) total += counts[index];
    for (int left = below(deal, total); left >= counts[distance]; distance++) left -= counts[distance];
    return distance;
}

/* Deal the hidden cards of `deal` anew: the hands of all seats but `belief->seat`, the stock, and what nobody knows of the
 * cards under the pile. */
void draw_world(const Belief *belief, Deal *deal) {
    Dealing dealing = {.belief = belief, .deal = deal, .stock = deal->stock};
    uint8_t seats[MOST_SEATS];
    int seats_size = 0;
    *deal->steps += STEPS_OF_WORLD;
    deal_by_chance(&dealing);
    for (int seat = 0; seat < deal->rules->seats; seat++) {
        if (seat == belief->seat) continue;
        if (belief->rooms[seat]) seats[seats_size++] = (uint8_t)seat;
        memcpy(deal->hands[seat], deal->taken[seat], KINDS);
        for (int index = 0; index < dealing.sizes[seat]; index++) deal->hands[seat][dealing.hidden[seat][index]]++;
    }
    /* With nothing in the stock there is nothing to swap with. */
    if (!dealing.stock_size) return;
    shuffle(deal, seats, seats_size);
    for (int index = 0; index < seats_size; index++) {
        int seat = seats[index], size = belief->usual_size[seat];
        lean(&dealing, seat);
        if (!size) continue;
        approach(&dealing, seat, draw_distance(deal, belief->usual[seat], size));
        int now = away(deal, seat, FAR_AWAY, 0);
        if (now) heed_passes(&dealing, seat, now);
        for (int last = deal->thrown_size[seat], first = most(0, last - HEEDED_THROWS); now && first < last; first++)
            heed_throw(&dealing, seat, now, deal->thrown[seat][first]);
    }
    shuffle(deal, deal->stock, deal->stock_size);
}
