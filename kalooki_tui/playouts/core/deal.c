/* The course of a deal (turns.py, calls.py, laying.py, challenges.py, endings.py), and what everybody has seen of it. */
#include <string.h>

#include "kalooki.h"

static void score(Deal *deal);
static void begin_turn(Deal *deal);

/* Random numbers: splitmix64. */
uint64_t next_random(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
    return mixed ^ mixed >> 31;
}

uint64_t random_number(Deal *deal) { return next_random(&deal->random); }

double random_share(Deal *deal) { return (double)(random_number(deal) >> 11) / 9007199254740992.0; }

/* Write a number down, as long as there is room; the size grows all the same. */
void write_number(Trace *trace, int number) {
    if (trace->size < trace->room) trace->numbers[trace->size] = number;
    trace->size++;
}

static void give_card(Deal *deal, int seat, int card) {
    deal->hands[seat][card]++;
    deal->sizes[seat]++;
    deal->distances[seat] = -1;
}

/* A card leaves a hand; it may be one that was taken in the open. */
static void lose_card(Deal *deal, int seat, int card) {
    if (card < 0 || card >= KINDS || !deal->hands[seat][card]) give_up(deal->escape, FAULT_ACTION);
    deal->hands[seat][card]--;
    deal->sizes[seat]--;
    deal->distances[seat] = -1;
    if (deal->taken[seat][card]) deal->taken[seat][card]--;
}

static int left_of(const Deal *deal, int seat) {
    do seat = (seat + 1) % deal->rules->seats;
    while (!deal->in_deal[seat]);
    return seat;
}

bool may_take(const Deal *deal, int seat) { return !has_laid(deal, seat) || deal->rules->laid_takes; }

static bool may_call(const Deal *deal, int seat) {
    return deal->in_deal[seat] && (!has_laid(deal, seat) || deal->rules->laid_calls) &&
           (deal->rules->penalties || deal->calls[seat] < deal->rules->call_limit);
}

static void close_deal(Deal *deal) {
    deal->phase = OVER;
    deal->actor = -1;
    deal->asked_count = 0;
}

static void make_void(Deal *deal) {
    deal->void_deal = true;
    close_deal(deal);
}

/* Deal the stock out to the seats, to draw from: each has every so many-th place, from the top on. */
void share_out_stock(Deal *deal) {
    deal->apart = true;
    for (int seat = 0; seat < deal->rules->seats; seat++) deal->next_place[seat] = deal->stock_size - 1 - seat;
}

/* Put cards in an order by chance. */
void shuffle(Deal *deal, uint8_t *cards, int size) {
    for (int index = size - 1; index > 0; index--) {
        int other = (int)(random_number(deal) % (uint64_t)(index + 1));
        uint8_t card = cards[index];
        cards[index] = cards[other];
        cards[other] = card;
    }
}

/* See that a card can be drawn from the stock: reshuffle once (S2), else the deal is void (S3, D7). */
static bool ensure_stock(Deal *deal) {
    if (deal->stock_size) return true;
    int kept = deal->pile_size > deal->face_down;
    if (deal->reshuffles || deal->pile_size == kept) {
        make_void(deal);
        return false;
    }
    deal->stock_size = deal->pile_size - kept;
    memcpy(deal->stock, deal->pile, (size_t)deal->stock_size);
    shuffle(deal, deal->stock, deal->stock_size);
    if (deal->apart) share_out_stock(deal);
    if (kept) deal->pile[0] = deal->pile[deal->pile_size - 1];
    if (deal->throwers_size) deal->throwers[0] = deal->throwers[deal->throwers_size - 1];
    deal->throwers_size = least(deal->throwers_size, kept);
    deal->pile_size = kept;
    deal->face_down = 0;
    memset(deal->known_down, 0, sizeof deal->known_down);
    deal->reshuffles++;
    deal->circling = 0;
    if (deal->trace) {
        write_number(deal->trace, RESHUFFLED);
        write_number(deal->trace, deal->stock_size);
        for (int index = 0; index < deal->stock_size; index++) write_number(deal->trace, deal->stock[index]);
    }
    return true;
}

/* The seat's next card of the stock: the top, or where seats draw apart, the next one that is dealt out to it. Then what a
 * seat draws does not hang on how many cards the others drew, so that two ways to play differ by less mere luck. */
static int take_from_stock(Deal *deal, int seat) {
    if (!deal->apart) return deal->stock[--deal->stock_size];
    int place = deal->next_place[seat];
    if (place >= 0)
        deal->next_place[seat] -= deal->rules->seats;
    else
        for (place = 0; deal->stock[place] == GONE;) place++;
    /* What is taken of another's part is its last one. */
    if (deal->stock[place] == GONE) {
        deal->next_place[seat] = -1;
        for (place = 0; deal->stock[place] == GONE;) place++;
    }
    int card = deal->stock[place];
    deal->stock[place] = GONE;
    deal->stock_size--;
    return card;
}

static void put_on_pile(Deal *deal, int card, int thrower) {
    if (deal->pile_size == MOST_CARDS) give_up(deal->escape, FAULT_INPUT);
    deal->pile[deal->pile_size++] = (uint8_t)card;
    deal->throwers[deal->throwers_size++] = (int8_t)thrower;
}

static int take_from_pile(Deal *deal) {
    if (deal->pile_size <= deal->face_down) give_up(deal->escape, FAULT_ACTION);
    deal->taken_before = true;
    if (deal->throwers_size) deal->throwers_size--;
    return deal->pile[--deal->pile_size];
}

static void open_for(Deal *deal, int phase, int actor) {
    deal->phase = phase;
    deal->actor = actor;
}

/* Turn up the top of the stock; a joker is the turn seat's draw (U2, D31). */
static void flip_card(Deal *deal) {
    if (!ensure_stock(deal)) return;
    int card = take_from_stock(deal, deal->turn), other = left_of(deal, deal->turn);
    deal->circling = 0;
    if (card == JOKER) {
        give_card(deal, deal->turn, card);
        deal->taken[deal->turn][card]++;
        open_for(deal, PLAY, deal->turn);
        return;
    }
    deal->flip = card;
    if (may_call(deal, other)) {
        deal->asked[0] = other;
        deal->asked_count = 1;
        open_for(deal, FLIP_WINDOW, other);
    } else {
        open_for(deal, DRAW, deal->turn);
    }
}

/* Nobody called: on to the draw, or to Tuluki's flip. */
static void after_window(Deal *deal) {
    deal->asked_count = 0;
    if (deal->rules->flips)
        flip_card(deal);
    else
        open_for(deal, DRAW, deal->turn);
}

/* Open the call window of the turn seat, or go on where nobody may call (C2, D30, U1). */
static void begin_turn(Deal *deal) {
    memset(deal->added, 0, sizeof deal->added);
    deal->asked_count = 0;
    deal->drawn = deal->owed = deal->planned = deal->caller = -1;
    if (!deal->dead && deal->rules->call_limit && deal->pile_size > deal->face_down) {
        if (deal->rules->flips) {
            if (may_call(deal, deal->turn)) deal->asked[deal->asked_count++] = deal->turn;
        } else {
            for (int step = 1; step < deal->rules->seats; step++) {
                int seat = (deal->turn + step) % deal->rules->seats;
                if (seat != deal->discarded_by && may_call(deal, seat)) deal->asked[deal->asked_count++] = seat;
            }
        }
    }
    if (deal->asked_count)
        open_for(deal, CALL_WINDOW, deal->asked[0]);
    else
        after_window(deal);
}

static bool is_asked(const Deal *deal, int seat) {
    for (int index = 0; index < deal->asked_count; index++)
        if (deal->asked[index] == seat) return true;
    return false;
}

static void unask(Deal *deal, int seat) {
    int kept = 0;
    for (int index = 0; index < deal->asked_count; index++)
        if (deal->asked[index] != seat) deal->asked[kept++] = deal->asked[index];
    deal->asked_count = kept;
}

static void grant(Deal *deal);

/* The card goes to who has called it nearest to the turn seat, if the turn seat may not or does not take it (C6, C7, H3). */
static void answer_call(Deal *deal) {
    bool flips = deal->phase == FLIP_WINDOW;
    if ((flips || !deal->rules->flips) && may_take(deal, deal->turn) &&
        (!deal->rules->must_use || finds_place(deal, deal->turn, open_card(deal), true, NULL)))
        open_for(deal, flips ? FLIP_DECISION : DECISION, deal->turn);
    else
        grant(deal);
}

/* A seat has answered or dropped out: ask the next one, or go on where nobody is left to ask (D30, H3). */
static void leave_window(Deal *deal, int seat) {
    unask(deal, seat);
    if (deal->asked_count)
        deal->actor = deal->asked[0];
    else if (deal->caller >= 0)
        answer_call(deal);
    else if (deal->phase == FLIP_WINDOW)
        open_for(deal, DRAW, deal->turn);
    else
        after_window(deal);
}

/* Whether the first seat gets a called card before the other (H3). */
bool is_nearer(const Deal *deal, int one, int other) {
    int seats = deal->rules->seats;
    return (one - deal->turn + seats) % seats < (other - deal->turn + seats) % seats;
}

/* Give the caller the card and its penalty cards; the turn goes on (C4, H2, D24, U1-U3). */
static void grant(Deal *deal) {
    int caller = deal->caller, card;
    bool flips = deal->phase == FLIP_WINDOW || deal->phase == FLIP_DECISION;
    deal->caller = -1;
    if (flips) {
        card = deal->flip;
        deal->flip = -1;
    } else {
        card = take_from_pile(deal);
    }
    give_card(deal, caller, card);
    deal->taken[caller][card]++;
    deal->calls[caller]++;
    deal->dead = true;
    deal->circling = 0;
    for (int cards = 0; cards < deal->rules->call_penalty; cards++) {
        if (!ensure_stock(deal)) return;
        give_card(deal, caller, take_from_stock(deal, caller));
    }
    if (deal->rules->flips && !flips)
        flip_card(deal);
    else
        open_for(deal, DRAW, deal->turn);
}

static void call(Deal *deal, int seat) {
    if (deal->caller < 0 || is_nearer(deal, seat, deal->caller)) deal->caller = seat;
    if (!deal->rules->nearest) deal->asked[0] = seat, deal->asked_count = 1;
    leave_window(deal, seat);
}

static void refuse(Deal *deal) {
    int card = deal->flip;
    if (deal->phase == FLIP_DECISION)
        deal->flip = -1;
    else
        card = take_from_pile(deal);
    deal->caller = -1;
    if (!deal->rules->throw_back && deal->phase == DECISION) deal->drawn = card;
    if (deal->rules->must_use) deal->owed = card;
    give_card(deal, deal->turn, card);
    deal->taken[deal->turn][card]++;
    open_for(deal, PLAY, deal->turn);
}

static void draw(Deal *deal, int source) {
    int card;
    if (source == DRAW_STOCK) {
        deal->circling = 0;
        if (deal->flip >= 0) {
            /* A flip that nobody took lies on the pile, dead, before the stock is touched (U4). */
            put_on_pile(deal, deal->flip, -1);
            deal->flip = -1;
        }
        if (!ensure_stock(deal)) return;
        card = take_from_stock(deal, deal->turn);
    } else {
        if (!may_take(deal, deal->turn)) give_up(deal->escape, FAULT_ACTION);
        if (source == DRAW_FLIP) {
            if (deal->flip < 0) give_up(deal->escape, FAULT_ACTION);
            card = deal->flip;
            deal->flip = -1;
        } else {
            if (deal->rules->flips || deal->dead) give_up(deal->escape, FAULT_ACTION);
            card = take_from_pile(deal);
        }
        deal->taken[deal->turn][card]++;
        deal->drawn = card;
        if (deal->rules->must_use) deal->owed = card;
    }
    give_card(deal, deal->turn, card);
    open_for(deal, PLAY, deal->turn);
}

/* Ask the next seat to add on, or score (G5). */
static void next_add_on(Deal *deal) {
    if (!deal->asked_count) {
        score(deal);
        return;
    }
    deal->turn = deal->asked[0];
    open_for(deal, ADD_ON, deal->asked[0]);
}

/* The turn seat's hand is empty: on to the final add-on, or to the score (G1, G5). */
static void go_out(Deal *deal) {
    int seat = deal->turn;
    deal->out = seat;
    deal->bent = deal->laid[seat] == LAID_THIS_TURN;
    if (deal->bent) deal->penalties[seat] += deal->rules->bend_bonus;
    deal->bad_lay_open = false;
    deal->asked_count = 0;
    if (deal->rules->add_on) {
        for (int step = 1; step < deal->rules->seats; step++) {
            int other = (seat + step) % deal->rules->seats;
            if (deal->in_deal[other] && has_laid(deal, other)) deal->asked[deal->asked_count++] = other;
        }
        memset(deal->added, 0, sizeof deal->added);
    }
    next_add_on(deal);
}

/* Add up the cards left, doubled or not, and the penalties, which are never doubled (G2-G4, D13, D22, D23). */
static void score(Deal *deal) {
    const Rules *rules = deal->rules;
    bool doubled = deal->bent && rules->doubling != DOUBLING_NONE;
    for (int seat = 0; seat < rules->seats && rules->doubling == DOUBLING_FIRST_BEND; seat++)
        if (seat != deal->out && has_laid(deal, seat)) doubled = false;
    for (int seat = 0; seat < rules->seats; seat++) {
        int points = 0;
        for (int card = 0; card < KINDS; card++) points += deal->hands[seat][card] * rules->values[card];
        if (!deal->in_deal[seat] || deal->out < 0) points = 0;
        deal->points[seat] = (doubled ? 2 * points : points) + deal->penalties[seat];
    }
    close_deal(deal);
}

/* End the turn seat's turn and begin the next seat's, or call the deal void (T1, F1a, D33). */
static void pass_turn(Deal *deal) {
    int seat = deal->turn;
    if (deal->bad_lay_open) {
        deal->bad_lay_open = false;
        if (!has_laid(deal, seat)) deal->penalties[seat] += deal->rules->late_bad_lay;
    }
    if (deal->laid[seat] == LAID_THIS_TURN) deal->laid[seat] = LAID_EARLIER;
    deal->turn = left_of(deal, seat);
    int in_deal = 0;
    for (int other = 0; other < deal->rules->seats; other++) in_deal += deal->in_deal[other];
    deal->idle_turns++;
    if (deal->rules->max_turns && deal->idle_turns >= deal->rules->max_turns * in_deal)
        make_void(deal);
    else
        begin_turn(deal);
}

static void discard(Deal *deal, int card) {
    int seat = deal->turn;
    if (card == JOKER && !deal->rules->throws_jokers) give_up(deal->escape, FAULT_ACTION);
    lose_card(deal, seat, card);
    put_on_pile(deal, card, seat);
    deal->thrown[seat][deal->thrown_size[seat]++ % REMEMBERED_THROWS] = (int8_t)card;
    deal->discarded_by = seat;
    deal->dead = false;
    deal->circling++;
    if (deal->sizes[seat])
        pass_turn(deal);
    else
        go_out(deal);
}

/* After cards have left the hand for the table: an empty one ends the deal, or the seat's add-on (G1, G5). */
static void commit(Deal *deal, int seat) {
    deal->circling = 0;
    if (deal->sizes[seat]) return;
    if (deal->phase == ADD_ON) {
        unask(deal, seat);
        next_add_on(deal);
    } else {
        go_out(deal);
    }
}

void put_meld(Deal *deal, int seat, const Group *group) {
    if (deal->melds_size == MOST_MELDS) give_up(deal->escape, FAULT_ROOM);
    deal->idle_turns = 0;
    Meld *meld = &deal->melds[deal->melds_size++];
    int first = 0;
    memset(meld, 0, sizeof *meld);
    meld->kind = group->kind;
    meld->size = group->size;
    meld->owner = (int8_t)seat;
    meld->rank = meld->suit = -1;
    memcpy(meld->cards, group->cards, group->size);
    /* The first natural says which meld it is; where all are wild (H7), the first that may be in its own place. */
    for (; first < group->size; first++)
        if (group->cards[first] != JOKER && !is_wild(deal->rules, group->cards[first])) break;
    bool all_wild = first == group->size;
    for (int place = all_wild ? 0 : first; place < group->size; place++) {
        int card = group->cards[place];
        if (card == JOKER) continue;
        meld->rank = (int8_t)(group->kind == SET ? card_rank(card) : -1);
        if (group->kind == SET) break;
        /* The ace is low only where it is the first card (M3). */
        meld->suit = (int8_t)card_suit(card);
        int position = (card_rank(card) == 0 && place > 0 ? HIGH_ACE : card_rank(card) + 1) - place;
        meld->low = (int8_t)(position < 1 && deal->rules->corner ? position + RANKS : position);
        if (!all_wild || (meld->low >= 1 && (deal->rules->corner || meld_high(meld) <= HIGH_ACE))) break;
    }
    if (meld->rank < 0 && meld->suit < 0) give_up(deal->escape, FAULT_ACTION);
    for (int index = 0; index < group->size; index++) lose_card(deal, seat, group->cards[index]);
}

static void lay(Deal *deal, const Action *action) {
    for (int index = 0; index < action->laydown->size; index++)
        put_meld(deal, action->seat, &action->laydown->groups[index]);
    if (!has_laid(deal, action->seat)) {
        deal->laid[action->seat] = LAID_THIS_TURN;
        deal->bad_lay_open = false;
    }
    commit(deal, action->seat);
}

static void build(Deal *deal, int index, int card, int end) {
    if (!add_card(&deal->melds[index], card, end)) give_up(deal->escape, FAULT_ROOM);
    if (deal->melds[index].kind == RUN) deal->added[index][end]++;
}

/* Put the real card in a joker's place; where the joker is freed it goes to the hand (K9), or is used at once (K10). */
static void swap(Deal *deal, const Action *action) {
    int seat = action->seat;
    Meld after, before = deal->melds[action->meld];
    int result = swap_card(deal->rules, seat, &deal->melds[action->meld], action->card, action->also, action->end,
                           &after);
    if (result != SWAPPED && result != SWAP_FREED) give_up(deal->escape, FAULT_ACTION);
    lose_card(deal, seat, action->card);
    if (action->also != NO_CARD) lose_card(deal, seat, action->also);
    deal->melds[action->meld] = after;
    if (result == SWAP_FREED) {
        if (action->use >= 0) {
            build(deal, action->use, JOKER, action->use_end);
        } else {
            int joker = freed_card(&before, &after);
            give_card(deal, seat, joker);
            deal->taken[seat][joker]++;
            if (used_at_once(deal->rules)) put_meld(deal, seat, &action->laydown->groups[0]);
        }
    }
    commit(deal, seat);
}

/* Whether the seat may challenge the target now (D13). */
bool may_challenge(const Deal *deal, int seat, int target) {
    if (!deal->rules->over_call || target == seat || !deal->in_deal[seat] || !deal->in_deal[target]) return false;
    bool window = deal->phase == CALL_WINDOW || deal->phase == FLIP_WINDOW;
    bool own_turn = (deal->phase == DRAW || deal->phase == PLAY) && seat == deal->turn;
    return (window || own_turn) && (deal->rules->laid_challenged || !has_laid(deal, target));
}

/* The loser of a challenge scores its hand and more, and is out of the deal (F3, D23). */
static void drop_out(Deal *deal, int loser) {
    int points = 0, in_deal = 0, size = deal->sizes[loser];
    if (deal->pile_size + size > MOST_CARDS) give_up(deal->escape, FAULT_INPUT);
    memmove(deal->pile + size, deal->pile, (size_t)deal->pile_size);
    deal->pile_size += size;
    deal->face_down += size;
    for (int card = 0, place = 0; card < KINDS; card++) {
        points += deal->hands[loser][card] * deal->rules->values[card];
        for (; deal->hands[loser][card]; deal->hands[loser][card]--) deal->pile[place++] = (uint8_t)card;
        deal->known_down[card] += deal->taken[loser][card];
        deal->taken[loser][card] = 0;
    }
    deal->penalties[loser] += points + deal->rules->over_call_points;
    deal->sizes[loser] = 0;
    deal->in_deal[loser] = false;
    if (deal->caller == loser) deal->caller = -1;
    deal->circling = 0;
    for (int seat = 0; seat < deal->rules->seats; seat++) in_deal += deal->in_deal[seat];
    if (in_deal == 1) {
        score(deal);
    } else if (loser == deal->turn) {
        /* The card left on top is live again, and nobody calls what it threw itself (D23, C2). */
        deal->dead = false;
        if (deal->throwers_size)
            deal->discarded_by = deal->throwers[deal->throwers_size - 1];
        else if (deal->taken_before)
            deal->discarded_by = -1;
        deal->turn = left_of(deal, loser);
        begin_turn(deal);
    } else if (is_asked(deal, loser)) {
        leave_window(deal, loser);
    }
}

static void challenge(Deal *deal, int seat, int target) {
    const Rules *rules = deal->rules;
    int over = most(0, deal->calls[target] - rules->call_limit), found = over - deal->found[target];
    deal->circling = 0;
    deal->found[target] = over;
    if (rules->drops_out) {
        drop_out(deal, over ? target : seat);
    } else if (found) {
        deal->penalties[target] += found * rules->over_call_points;
        deal->bend_forbidden[target] |= rules->over_call_forbids;
    } else if (!over) {
        deal->penalties[seat] += rules->wrong_challenge;
    }
}

/* Take an action; gives up with FAULT_ACTION where the moment is not one for it. */
void apply(Deal *deal, const Action *action) {
    static const uint16_t moments[] = {
        [DRAW_STOCK] = 1 << DRAW, [DRAW_DISCARD] = 1 << DRAW, [DRAW_FLIP] = 1 << DRAW,
        [CALL] = 1 << CALL_WINDOW | 1 << FLIP_WINDOW, [PASS] = 1 << CALL_WINDOW | 1 << FLIP_WINDOW,
        [ALLOW] = 1 << DECISION | 1 << FLIP_DECISION, [REFUSE] = 1 << DECISION | 1 << FLIP_DECISION,
        [LAY] = 1 << PLAY | 1 << ADD_ON, [TACK] = 1 << PLAY | 1 << ADD_ON, [SWAP] = 1 << PLAY | 1 << ADD_ON,
        [DISCARD] = 1 << PLAY, [END_TURN] = 1 << PLAY,
        [CHALLENGE] = 1 << CALL_WINDOW | 1 << FLIP_WINDOW | 1 << DRAW | 1 << PLAY, [DONE] = 1 << ADD_ON,
    };
    int seat = action->seat;
    if (action->code < 0 || action->code > DONE || !(moments[action->code] >> deal->phase & 1) || seat != deal->actor)
        give_up(deal->escape, FAULT_ACTION);
    /* A throw was planned for the hand with the open card in it. */
    if (action->code != DRAW_DISCARD && action->code != DRAW_FLIP && action->code != REFUSE) deal->planned = -1;
    int owed = deal->owed, held = owed >= 0 ? deal->hands[seat][owed] : 0;
    switch (action->code) {
        case DRAW_STOCK:
        case DRAW_DISCARD:
        case DRAW_FLIP: draw(deal, action->code); break;
        case CALL: call(deal, seat); break;
        case PASS: leave_window(deal, seat); break;
        case ALLOW: grant(deal); break;
        case REFUSE:
            if (!may_take(deal, seat)) give_up(deal->escape, FAULT_ACTION);
            refuse(deal);
            break;
        case LAY: lay(deal, action); break;
        case TACK:
            lose_card(deal, seat, action->card);
            build(deal, action->meld, action->card, action->end);
            commit(deal, seat);
            break;
        case SWAP: swap(deal, action); break;
        case DISCARD: discard(deal, action->card); break;
        case END_TURN:
            if (deal->rules->throws_jokers || deal->hands[seat][JOKER] != deal->sizes[seat])
                give_up(deal->escape, FAULT_ACTION);
            deal->dead = true;
            deal->circling = 0;
            pass_turn(deal);
            break;
        case CHALLENGE:
            if (!may_challenge(deal, seat, action->target)) give_up(deal->escape, FAULT_ACTION);
            challenge(deal, seat, action->target);
            break;
        default:
            unask(deal, seat);
            next_add_on(deal);
    }
    /* One card of the drawn discard's face has gone to the table. */
    if (owed >= 0 && deal->owed == owed && deal->hands[seat][owed] < held) deal->owed = -1;
}
