/* How to go out in this turn, or to use a drawn discard in it: the first way that is found (way_out.py, place.py). */
#include <string.h>

#include "kalooki.h"

enum { MOST_LOOKS = 200, NOTHING = -1 };

typedef struct {
    Deal turn; /* the table as the tacks and swaps so far leave it */
    int seat, keeps, looked, way, kept;
    int placing;           /* the card that is to lie on the table (H6); NOTHING: all are to go */
    int stays;             /* the card that may not be thrown (H6), or NOTHING */
    bool laid, may_lay, adds, open_sets;
    bool placed, sinks_it; /* whether a tack or swap has placed the card, or a set takes it in the end */
    int sinks[KINDS];      /* by card: a set that takes it at any time, or NOTHING */
    unsigned ranks, suits; /* closed to the seat (M8) */
    int by_value[KINDS], thrown;
    uint64_t seen[MOST_LOOKS];
    Laydown laydown;
    Action first;          /* of the way so far, and the meld that a joker freed by it goes into */
    Laydown use;
} Finish;

/* The jokers of the table that swaps can bring to a new meld, or to this one's ends. */
static int freed(const Deal *deal, const Meld *meld) {
    int swap = deal->rules->swap, jokers = 0;
    if (swap != SWAP_FREE_OWN && swap != SWAP_FREE_RUNS && !used_at_once(deal->rules)) return meld ? jokers_of(meld) : 0;
    for (int index = 0; index < deal->melds_size; index++) jokers += jokers_of(&deal->melds[index]);
    return jokers;
}

/* The positions of a run's suit whose cards it may take, with no more than `jokers` gaps on the way; bit 0 is the low ace.
 * Round the corner (H15) to the card before the other end. */
static unsigned beside(const Rules *rules, const Meld *meld, unsigned held, int jokers) {
    unsigned places = jokers_of(meld) ? (1u << meld_high(meld)) - (1u << (meld->low - 1)) : 0;
    int first = rules->corner ? meld_high(meld) - RANKS + 1 : 1, last = rules->corner ? meld->low + RANKS - 1 : HIGH_ACE;
    for (int step = 1; step >= -1; step -= 2) {
        int gaps = 0;
        for (int position = step > 0 ? meld_high(meld) + 1 : meld->low - 1; position >= first && position <= last;
             position += step) {
            int place = (position + RANKS - 1) % RANKS;
            if (held >> place & 1)
                places |= 1u << place;
            else if (++gaps > jokers)
                break;
        }
    }
    return places;
}

/* How many cards can go nowhere, two at the most, however melds and table grow; without the table: into no new meld and
 * onto no set that takes any card (`sinks`). `which`: one of them. */
static int count_lost(const Deal *deal, const uint8_t *hand, bool may_lay, const int *sinks, int *which) {
    const Rules *rules = deal->rules;
    bool table = sinks == NULL;
    int in_hand = hand[JOKER], found = 0;
    for (int card = 0; rules->wild && card < JOKER; card++) in_hand += is_wild(rules, card) ? hand[card] : 0;
    int jokers = in_hand + (table ? freed(deal, NULL) : 0);
    unsigned of_ranks = 0, places[SUITS] = {0}, held[SUITS] = {0}, window = (1u << rules->shortest_run) - 1;
    for (int card = 0; card < JOKER; card++)
        if (hand[card]) held[card_suit(card)] |= 1u << card_rank(card);
    for (int suit = 0; suit < SUITS; suit++) held[suit] = places_of(rules, held[suit]);
    for (int rank = 0; may_lay && rank < RANKS; rank++) {
        int copies = 0;
        for (int card = rank; card < JOKER; card += RANKS) copies += hand[card];
        if (copies + jokers >= rules->shortest_set) of_ranks |= 1u << rank;
    }
    for (int suit = 0; may_lay && suit < SUITS; suit++)
        for (int low = 0; low < run_starts(rules, rules->shortest_run); low++)
            if (bit_count(held[suit] >> low & window) + jokers >= rules->shortest_run) places[suit] |= window << low;
    for (int index = 0; table && index < deal->melds_size; index++) {
        const Meld *meld = &deal->melds[index];
        if (meld->kind == SET)
            of_ranks |= 1u << meld->rank;
        else
            places[meld->suit] |= beside(rules, meld, held[meld->suit], in_hand + freed(deal, meld));
    }
    for (int card = 0; card < JOKER && found < 2; card++) {
        int rank = card_rank(card);
        if (!hand[card] || is_wild(rules, card) || of_ranks >> rank & 1 || (!table && sinks[card] != NOTHING)) continue;
        if (ranks_of(places[card_suit(card)]) >> rank & 1) continue;
        found += hand[card];
        *which = card;
    }
    return least(found, 2);
}

/* Whether hand and table are looked at for the first time. */
static bool is_new(Finish *finish) {
    const Deal *turn = &finish->turn;
    uint64_t mark = 14695981039346656037u;
#define MARK(number) (mark = (mark ^ (uint64_t)(number)) * 1099511628211u)
    for (int card = 0; card < KINDS; card++) MARK(turn->hands[finish->seat][card]);
    for (int index = 0; index < turn->melds_size; index++) {
        const Meld *meld = &turn->melds[index];
        if (finish->open_sets && meld->kind == SET) continue;
        MARK(meld->low + 20);
        for (int place = 0; place < meld->size; place++) MARK(meld->cards[place]);
        MARK(100 + index);
    }
#undef MARK
    for (int index = 0; index < finish->looked; index++)
        if (finish->seen[index] == mark) return false;
    finish->seen[finish->looked++] = mark;
    return true;
}

/* Whether the hand but for `kept` can be laid, or goes onto sets, but for `number` cards more at the most. */
static bool lays_all_but(Finish *finish, int kept, int number) {
    uint8_t rest[KINDS];
    memcpy(rest, finish->turn.hands[finish->seat], KINDS);
    if (kept != NOTHING) rest[kept]--;
    finish->kept = kept;
    return lay_all_but(&finish->turn, rest, number, finish->laid, finish->ranks, finish->suits, finish->sinks,
                       &finish->laydown) && (number || finish->laydown.size);
}

/* Whether everything can go now, but for one card to throw: onto sets that take any card, and in melds. */
static bool ends(Finish *finish) {
    const Deal *turn = &finish->turn;
    const Rules *rules = turn->rules;
    const uint8_t *hand = turn->hands[finish->seat];
    int stay = 0, staying = NOTHING, cheapest = NOTHING, lost = NOTHING;
    for (int card = 0; card < KINDS; card++)
        if (hand[card] && finish->sinks[card] == NOTHING) {
            stay += hand[card];
            if (staying == NOTHING) staying = card;
        }
    for (int index = finish->thrown - 1; index >= 0; index--)
        if (hand[finish->by_value[index]]) cheapest = finish->by_value[index];
    finish->laydown.size = 0;
    if (finish->laid && stay <= 1) {
        finish->kept = stay ? staying : rules->keeps_last ? cheapest : NOTHING;
        if (stay ? staying != finish->stays && (staying != JOKER || rules->throws_jokers)
                 : !rules->keeps_last || cheapest != NOTHING)
            return true;
    }
    if (!finish->may_lay || turn->sizes[finish->seat] < least(rules->shortest_set, rules->shortest_run)) return false;
    int number = count_lost(turn, hand, true, finish->sinks, &lost);
    if (number > 1 || (number && lost == finish->stays) || !lays_all_but(finish, NOTHING, 1)) return false;
    if (number) return lays_all_but(finish, lost, 0);
    if (!rules->keeps_last && lays_all_but(finish, NOTHING, 0)) return true;
    for (int index = 0; index < finish->thrown; index++)
        if (hand[finish->by_value[index]] && lays_all_but(finish, finish->by_value[index], 0)) return true;
    return false;
}

/* The best lay-down of the cards, with the `needed` one in it, that leaves as many as have to stay. */
static bool lays_enough(Finish *finish, uint8_t *hand, int needed) {
    const Deal *turn = &finish->turn;
    const Rules *rules = turn->rules;
    Laydown *found = &finish->laydown;
    int cards[KINDS], size;
    if (!lay_with(turn, hand, finish->laid, finish->ranks, finish->suits, needed, found)) return false;
    if (found->cards_left >= finish->keeps) return true;
    size = kinds_by_value(rules, hand, KINDS, cards);
    for (int index = 0; index < size; index++) {
        hand[cards[index]]--;
        bool lays = lay_with(turn, hand, finish->laid, finish->ranks, finish->suits, needed, found);
        hand[cards[index]]++;
        if (lays && found->cards_left + 1 >= finish->keeps) {
            found->left[cards[index]]++;
            found->cards_left++;
            return true;
        }
    }
    return false;
}

/* Whether the card to place lies on the table, or can be laid, or goes to a set that takes it at any time. */
static bool places(Finish *finish) {
    int card = finish->placing;
    uint8_t hand[KINDS];
    memcpy(hand, finish->turn.hands[finish->seat], KINDS);
    finish->laydown.size = 0;
    finish->sinks_it = finish->sinks[card] != NOTHING && !finish->placed;
    if (finish->laid && (finish->placed || finish->sinks_it))
        return finish->turn.sizes[finish->seat] - finish->sinks_it >= finish->keeps;
    if (finish->placed || finish->sinks_it) {
        hand[card] -= finish->sinks_it;
        if (lays_enough(finish, hand, NO_CARD)) return true;
        hand[card] += finish->sinks_it;
    }
    if (finish->placed || !finish->may_lay) return false;
    finish->sinks_it = false;
    return lays_enough(finish, hand, card);
}

/* Whether the action uses the card that is to be placed. */
static bool uses_it(const Finish *finish, const Action *action) {
    int card = finish->placing, freed = 0;
    if (action->card == card || (action->code == SWAP && action->also == card)) return true;
    if (action->code != SWAP || !action->laydown || !action->laydown->size) return false;
    const Group *group = &action->laydown->groups[0];
    for (int index = 0; index < group->size; index++) freed += group->cards[index] == card;
    return freed > (card == JOKER);
}

/* Whether the action may help the card to a place: what is done to runs of other suits does not, but where it frees a
 * joker. */
static bool helps(const Finish *finish, const Action *action, bool frees) {
    int card = finish->placing;
    const Meld *meld = &finish->turn.melds[action->meld];
    if (card == NOTHING || card == JOKER || frees || used_at_once(finish->turn.rules)) return true;
    return uses_it(finish, action) || meld->suit == card_suit(card);
}

static bool looks(Finish *finish);

/* Go on behind a tack or swap that has been made in `turn`. */
static bool goes_on(Finish *finish, const Action *action) {
    if (finish->way++ == 0) {
        finish->first = *action;
        if (action->code == SWAP) finish->use = *action->laydown;
    }
    if (finish->placing != NOTHING) finish->placed = uses_it(finish, action);
    if (looks(finish)) return true;
    finish->placed = false;
    finish->way--;
    return false;
}

static bool try_tack(Finish *finish, const Action *action) {
    Deal *turn = &finish->turn;
    Meld *meld = &turn->melds[action->meld], before = *meld;
    if (finish->open_sets && before.kind == SET) return false;
    if (finish->placing != NOTHING && (turn->sizes[finish->seat] <= finish->keeps || !helps(finish, action, false)))
        return false;
    if (!add_card(meld, action->card, action->end)) return false;
    turn->hands[finish->seat][action->card]--;
    turn->sizes[finish->seat]--;
    if (before.kind == RUN) turn->added[action->meld][action->end]++;
    if (goes_on(finish, action)) return true;
    if (before.kind == RUN) turn->added[action->meld][action->end]--;
    turn->hands[finish->seat][action->card]++;
    turn->sizes[finish->seat]++;
    *meld = before;
    return false;
}

static bool try_natural(void *finish, const Action *action) { return action->card != JOKER && try_tack(finish, action); }

static bool try_joker(void *finish, const Action *action) { return action->card == JOKER && try_tack(finish, action); }

/* A swap; of the uses of the freed joker only the dearest new meld, or else the first place of the table. A joker that
 * comes into the hand is no help to a contract that is laid before. */
static bool try_swap(void *context, const Action *action, const Meld *after, int freed) {
    Finish *finish = context;
    Deal *turn = &finish->turn;
    int seat = finish->seat, worth;
    bool at_once = used_at_once(turn->rules);
    Laydown laydown;
    Action swap = *action;
    swap.laydown = &laydown;
    laydown.size = 0;
    if (at_once ? !find_use(turn, &swap, after, &worth)
                : turn->sizes[seat] - (freed == NO_CARD) < finish->keeps || (freed != NO_CARD && !finish->laid))
        return false;
    if (!helps(finish, &swap, freed != NO_CARD)) return false;
    uint8_t hand[KINDS];
    int size = turn->sizes[seat], melds = turn->melds_size, use = swap.use;
    Meld before = turn->melds[swap.meld], target;
    memcpy(hand, turn->hands[seat], KINDS);
    turn->hands[seat][swap.card]--;
    if (swap.also != NO_CARD) turn->hands[seat][swap.also]--;
    turn->sizes[seat] -= 1 + (swap.also != NO_CARD);
    turn->melds[swap.meld] = *after;
    if (!at_once) {
        if (freed != NO_CARD) turn->hands[seat][freed]++;
        turn->sizes[seat] += freed != NO_CARD;
    } else if (use >= 0) {
        target = turn->melds[use];
        add_card(&turn->melds[use], JOKER, swap.use_end);
        if (target.kind == RUN) turn->added[use][swap.use_end]++;
    } else {
        turn->hands[seat][JOKER]++;
        turn->sizes[seat]++;
        put_meld(turn, seat, &laydown.groups[0]);
    }
    if (goes_on(finish, &swap)) return true;
    if (at_once && use >= 0) {
        if (target.kind == RUN) turn->added[use][swap.use_end]--;
        turn->melds[use] = target;
    }
    turn->melds_size = melds;
    turn->melds[swap.meld] = before;
    memcpy(turn->hands[seat], hand, KINDS);
    turn->sizes[seat] = size;
    return false;
}

/* Whether there is a way from here. */
static bool looks(Finish *finish) {
    int which;
    Deal *turn = &finish->turn;
    if (finish->looked == MOST_LOOKS) return false;
    if (finish->placing == NOTHING && count_lost(turn, turn->hands[finish->seat], finish->may_lay, NULL, &which) > 1)
        return false;
    if (!is_new(finish)) return false;
    if (finish->placing == NOTHING ? ends(finish) : places(finish)) return true;
    if (!finish->adds || finish->placed) return false;
    return each_tack(turn, finish->seat, try_natural, finish) || each_swap(turn, finish->seat, try_swap, finish) ||
           each_tack(turn, finish->seat, try_joker, finish);
}

/* Begin to look at the seat's turn with this hand. */
static void begin(Finish *finish, const Deal *deal, int seat, const uint8_t *hand, int size) {
    const Rules *rules = deal->rules;
    finish->turn = *deal;
    finish->seat = seat;
    finish->keeps = rules->keeps_last;
    finish->placing = finish->stays = NOTHING;
    finish->placed = finish->sinks_it = false;
    finish->laid = has_laid(deal, seat);
    finish->may_lay = !finish->laid || rules->further_melds;
    finish->adds = rules->same_turn_tack || deal->laid[seat] == LAID_EARLIER;
    finish->looked = finish->way = 0;
    memcpy(finish->turn.hands[seat], hand, KINDS);
    finish->turn.sizes[seat] = size;
    finish->turn.phase = PLAY;
    finish->open_sets = rules->set_maximum >= NO_LIMIT && !rules->distinct_suits && !rules->joker_share;
    own_closed(deal, seat, &finish->ranks, &finish->suits);
    for (int card = 0; card < KINDS; card++) {
        finish->sinks[card] = NOTHING;
        for (int index = 0; finish->adds && finish->open_sets && index < deal->melds_size && finish->sinks[card] == NOTHING; index++)
            if (deal->melds[index].kind == SET && set_takes(rules, seat, &deal->melds[index], card))
                finish->sinks[card] = index;
    }
}

/* The first action of a way that begins with a lay-down, a tack or a swap; false: with neither. */
static bool first_action(Finish *finish, Action *action) {
    Laydown *space = action->laydown;
    if (finish->laydown.size && !(finish->laid && finish->way)) {
        action->code = LAY;
        *space = finish->laydown;
    } else if (finish->way) {
        *action = finish->first;
        if (action->code == SWAP) *space = finish->use;
    } else {
        return false;
    }
    action->seat = finish->seat;
    action->laydown = space;
    return true;
}

static bool lays_whole(const Deal *deal, int seat, const uint8_t *hand, Action *action) {
    Laydown found;
    if (!best_lay(deal, seat, hand, false, &found)) return false;
    if (action) {
        Laydown *space = action->laydown;
        *space = found;
        *action = (Action){.code = LAY, .seat = seat, .laydown = space};
    }
    return true;
}

/* Whether the seat, with `with` besides where that is a card, goes out in this turn; then the first action of the way. */
bool goes_out_by(Deal *deal, int seat, int with, Action *action) {
    const Rules *rules = deal->rules;
    uint8_t hand[KINDS];
    int which, owed = !rules->must_use ? -1 : with >= 0 ? with : deal->owed;
    bool laid = has_laid(deal, seat);
    if (cards_to_keep(deal, seat) > rules->keeps_last) return false;
    memcpy(hand, deal->hands[seat], KINDS);
    if (with >= 0) hand[with]++;
    if (deal->contract.whole && !laid) return lays_whole(deal, seat, hand, action);
    /* It is known in most turns how far the hand is from the contract. */
    if (!laid && distance(deal, seat, -1) > (with >= 0)) return false;
    if (count_lost(deal, hand, !laid || rules->further_melds, NULL, &which) > 1) return false;
    if (!laid && with >= 0 && cards_away(deal, hand, 1, 0)) return false;
    Finish finish; /* too large to be cleared */
    begin(&finish, deal, seat, hand, deal->sizes[seat] + (with >= 0));
    if (owed >= 0 && hand[owed] == 1) finish.stays = owed;
    finish.thrown = kinds_by_value(rules, NULL, rules->throws_jokers ? KINDS : JOKER, finish.by_value);
    if (finish.stays != NOTHING) {
        int kept = 0;
        for (int index = 0; index < finish.thrown; index++)
            if (finish.by_value[index] != finish.stays) finish.by_value[kept++] = finish.by_value[index];
        finish.thrown = kept;
    }
    if (!looks(&finish)) return false;
    if (action == NULL || first_action(&finish, action)) return true;
    action->code = DISCARD;
    action->card = finish.kept;
    action->seat = seat;
    for (int card = 0; card < KINDS; card++)
        if (finish.sinks[card] != NOTHING && hand[card] > (card == finish.kept)) {
            Laydown *space = action->laydown;
            *action = (Action){.code = TACK, .seat = seat, .card = card, .meld = finish.sinks[card], .end = NO_END,
                               .laydown = space};
            break;
        }
    return true;
}

/* Whether there is a way behind the best lay-down, with its own melds or with a joker that comes free only then (L9). */
static bool places_behind_lay_down(Finish *finish) {
    int seat = finish->seat, card = finish->placing;
    uint8_t hand[KINDS];
    if (finish->laid || !finish->adds) return false;
    memcpy(hand, finish->turn.hands[seat], KINDS);
    hand[card]--;
    if (!lays_enough(finish, hand, NO_CARD)) return false;
    Deal later = finish->turn;
    for (int index = 0; index < finish->laydown.size; index++) put_meld(&later, seat, &finish->laydown.groups[index]);
    later.laid[seat] = LAID_THIS_TURN;
    return finds_place(&later, seat, card, false, NULL);
}

/* Whether the seat can put the card, which it has or is about to draw, on the table in its turn (H6); then the first action
 * of the way. */
bool finds_place(Deal *deal, int seat, int card, bool drawing, Action *action) {
    uint8_t hand[KINDS];
    bool laid = has_laid(deal, seat);
    memcpy(hand, deal->hands[seat], KINDS);
    hand[card] += drawing;
    if (!laid && distance(deal, seat, -1) > drawing) return false;
    if (deal->contract.whole && !laid) return lays_whole(deal, seat, hand, action);
    if (!laid && cards_away(deal, hand, 1, 0)) return false;
    Finish finish; /* too large to be cleared */
    begin(&finish, deal, seat, hand, deal->sizes[seat] + drawing);
    finish.keeps = cards_to_keep(deal, seat);
    finish.placing = card;
    if (!looks(&finish) && !places_behind_lay_down(&finish)) return false;
    if (action == NULL || first_action(&finish, action)) return true;
    Laydown *space = action->laydown;
    *action = (Action){.code = TACK, .seat = seat, .card = card, .meld = finish.sinks[card], .end = NO_END,
                       .laydown = space};
    return true;
}
