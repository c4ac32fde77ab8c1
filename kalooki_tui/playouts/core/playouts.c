/* What Python calls: rules made ready, worlds played to their end, one deal played with its actions written down.
 *
 * Everything is handed over as lists of numbers; `marshal.py` writes them in the order in which they are read here.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lay.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct {
    const int32_t *numbers;
    int size, place;
    jmp_buf *escape;
} Reader;

/* The next number; it must lie between the two. */
static int next(Reader *reader, int lowest, int highest) {
    if (reader->place >= reader->size) give_up(reader->escape, FAULT_INPUT);
    int number = reader->numbers[reader->place++];
    if (number < lowest || number > highest) give_up(reader->escape, FAULT_INPUT);
    return number;
}

static void read_counts(Reader *reader, uint8_t *counts) {
    memset(counts, 0, KINDS);
    for (int left = next(reader, 0, MOST_CARDS); left > 0; left--) {
        uint8_t *count = &counts[next(reader, 0, KINDS - 1)];
        if (++*count == 0) give_up(reader->escape, FAULT_INPUT);
    }
}

static int read_pile(Reader *reader, uint8_t *cards) {
    int size = next(reader, 0, MOST_CARDS);
    for (int index = 0; index < size; index++) cards[index] = (uint8_t)next(reader, 0, KINDS - 1);
    return size;
}

static void read_hand(Reader *reader, Deal *deal, int seat) {
    read_counts(reader, deal->hands[seat]);
    deal->sizes[seat] = 0;
    for (int card = 0; card < KINDS; card++) deal->sizes[seat] += deal->hands[seat][card];
    deal->distances[seat] = -1;
}

static void read_seat(Reader *reader, Deal *deal, int seat) {
    deal->laid[seat] = (uint8_t)next(reader, LAID_NO, LAID_EARLIER);
    deal->calls[seat] = next(reader, 0, 1000);
    deal->found[seat] = next(reader, 0, 1000);
    deal->bend_forbidden[seat] = next(reader, 0, 1);
    deal->in_deal[seat] = next(reader, 0, 1);
    deal->penalties[seat] = next(reader, -1000000, 1000000);
    read_hand(reader, deal, seat);
    read_counts(reader, deal->taken[seat]);
    deal->thrown_size[seat] = next(reader, 0, REMEMBERED_THROWS);
    for (int index = 0; index < deal->thrown_size[seat]; index++)
        deal->thrown[seat][index] = (int8_t)next(reader, 0, KINDS - 1);
}

static void read_meld(Reader *reader, Deal *deal, int index) {
    Meld *meld = &deal->melds[index];
    meld->kind = (uint8_t)next(reader, SET, RUN);
    meld->owner = (int8_t)next(reader, 0, deal->rules->seats - 1);
    meld->rank = (int8_t)next(reader, -1, RANKS - 1);
    meld->suit = (int8_t)next(reader, -1, SUITS - 1);
    meld->low = (int8_t)next(reader, 0, HIGH_ACE);
    meld->size = (uint8_t)next(reader, 1, MOST_IN_MELD);
    int highest = deal->rules->corner ? 2 * RANKS : HIGH_ACE;
    if (meld->kind == SET ? meld->rank < 0 : meld->suit < 0 || meld->low < 1 || meld_high(meld) > highest)
        give_up(reader->escape, FAULT_INPUT);
    for (int place = 0; place < meld->size; place++) meld->cards[place] = (uint8_t)next(reader, 0, KINDS - 1);
    deal->added[index][LOW] = (uint8_t)next(reader, 0, POSITIONS);
    deal->added[index][HIGH] = (uint8_t)next(reader, 0, POSITIONS);
}

static void read_deal(Reader *reader, Deal *deal) {
    int seats = deal->rules->seats;
    deal->contract.cards = next(reader, 0, MOST_CARDS);
    deal->contract.sets = next(reader, 0, MOST_SETS);
    deal->contract.runs = next(reader, 0, MOST_RUNS);
    deal->contract.points = next(reader, 0, 1000);
    deal->contract.whole = next(reader, 0, 1);
    for (int run = 0; run < deal->contract.runs; run++)
        deal->contract.run_lengths[run] = next(reader, deal->rules->shortest_run, POSITIONS);
    deal->phase = next(reader, CALL_WINDOW, ADD_ON);
    deal->turn = next(reader, 0, seats - 1);
    deal->actor = next(reader, 0, seats - 1);
    deal->asked_count = next(reader, 0, seats);
    for (int index = 0; index < deal->asked_count; index++) deal->asked[index] = next(reader, 0, seats - 1);
    for (int seat = 0; seat < seats; seat++) read_seat(reader, deal, seat);
    deal->bad_lay_open = next(reader, 0, 1);
    deal->dead = next(reader, 0, 1);
    deal->flip = next(reader, -1, JOKER - 1);
    deal->discarded_by = next(reader, -1, seats - 1);
    deal->caller = next(reader, -1, seats - 1);
    deal->out = next(reader, -1, seats - 1);
    deal->drawn = next(reader, -1, KINDS - 1);
    deal->owed = next(reader, -1, KINDS - 1);
    deal->planned = -1;
    deal->bent = next(reader, 0, 1);
    deal->reshuffles = next(reader, 0, 1000);
    deal->idle_turns = next(reader, 0, 1 << 20);
    deal->circling = next(reader, 0, 1 << 20);
    deal->taken_before = next(reader, 0, 1);
    deal->face_down = next(reader, 0, MOST_CARDS);
    deal->stock_size = read_pile(reader, deal->stock);
    deal->pile_size = read_pile(reader, deal->pile);
    read_counts(reader, deal->known_down);
    deal->throwers_size = next(reader, 0, deal->pile_size);
    for (int index = 0; index < deal->throwers_size; index++)
        deal->throwers[index] = (int8_t)next(reader, -1, seats - 1);
    deal->melds_size = next(reader, 0, MOST_MELDS);
    for (int index = 0; index < deal->melds_size; index++) read_meld(reader, deal, index);
    bool window = deal->phase == CALL_WINDOW || deal->phase == FLIP_WINDOW;
    bool decision = deal->phase == DECISION || deal->phase == FLIP_DECISION;
    if (deal->face_down > deal->pile_size || reader->place != reader->size) give_up(reader->escape, FAULT_INPUT);
    if ((window && !deal->asked_count) || (decision && deal->caller < 0)) give_up(reader->escape, FAULT_INPUT);
    if ((deal->phase == FLIP_WINDOW || deal->phase == FLIP_DECISION) && deal->flip < 0)
        give_up(reader->escape, FAULT_INPUT);
}

/* The hand of the seat to act stays as it is, and where the world has no cards for under the pile, these do. */
static void read_world(Reader *reader, Deal *deal) {
    uint8_t own[KINDS];
    for (int seat = 0; seat < deal->rules->seats; seat++) {
        if (seat == deal->actor)
            read_counts(reader, own);
        else
            read_hand(reader, deal, seat);
    }
    deal->stock_size = read_pile(reader, deal->stock);
    int below = next(reader, 0, deal->face_down);
    for (int index = 0; index < below; index++) deal->pile[index] = (uint8_t)next(reader, 0, KINDS - 1);
}

/* What a seat knows of the hidden cards; `leanings` has a number for each seat and card. */
static void read_belief(Reader *reader, Deal *deal, const double *leanings, Belief *belief) {
    int seats = deal->rules->seats, cards = deal->stock_size;
    belief->seat = next(reader, 0, seats - 1);
    for (int seat = 0; seat < seats; seat++) {
        belief->rooms[seat] = next(reader, 0, MOST_CARDS);
        belief->drawn[seat] = next(reader, 0, MOST_CARDS);
        belief->usual_size[seat] = next(reader, 0, MOST_AWAY);
        int total = 0;
        for (int index = 0; index < belief->usual_size[seat]; index++)
            total += belief->usual[seat][index] = next(reader, 0, 1 << 24);
        if (belief->usual_size[seat] && !total) give_up(reader->escape, FAULT_INPUT);
        belief->passed_size[seat] = next(reader, 0, MOST_PASSED);
        for (int index = 0; index < belief->passed_size[seat]; index++)
            belief->passed[seat][index] = next(reader, 0, KINDS - 1);
        memcpy(belief->leanings[seat], leanings + seat * KINDS, sizeof belief->leanings[seat]);
        cards += belief->rooms[seat];
    }
    belief->unknown_below = next(reader, 0, deal->face_down);
    belief->limited = next(reader, 0, 1);
    int pool = 0;
    for (int card = 0; card < KINDS; card++) {
        pool += belief->pool[card] = next(reader, 0, MOST_CARDS);
        belief->most_in_stock[card] = next(reader, 0, MOST_CARDS);
        belief->fresh[card] = next(reader, 0, 1);
    }
    if (pool != cards + belief->unknown_below || pool > MOST_CARDS || reader->place != reader->size)
        give_up(reader->escape, FAULT_INPUT);
}

/* A world, as `read_world` reads it. */
static void write_world(Trace *trace, const Deal *deal) {
    for (int seat = 0; seat < deal->rules->seats; seat++) {
        int size = 0;
        for (int card = 0; card < KINDS; card++) size += deal->hands[seat][card];
        write_number(trace, size);
        for (int card = 0; card < KINDS; card++)
            for (int copy = 0; copy < deal->hands[seat][card]; copy++) write_number(trace, card);
    }
    write_number(trace, deal->stock_size);
    for (int index = 0; index < deal->stock_size; index++) write_number(trace, deal->stock[index]);
    write_number(trace, deal->face_down);
    for (int index = 0; index < deal->face_down; index++) write_number(trace, deal->pile[index]);
}

/* The end to be named with a card that goes onto a run: only where it could go to either (D6). */
static int said_end(const Deal *deal, int seat, const Meld *meld, int index, int card, int end) {
    if (meld->kind == SET) return NO_END;
    int other = end == HIGH ? LOW : HIGH;
    return end_takes(deal->rules, seat, meld, card, other, deal->added[index][other]) ? end : NO_END;
}

static void write_laydown(Trace *trace, const Laydown *laydown) {
    write_number(trace, laydown->size);
    for (int group = 0; group < laydown->size; group++) {
        write_number(trace, laydown->groups[group].kind);
        write_number(trace, laydown->groups[group].size);
        for (int index = 0; index < laydown->groups[group].size; index++)
            write_number(trace, laydown->groups[group].cards[index]);
    }
}

static void write_action(const Deal *deal, const Action *action) {
    Trace *trace = deal->trace;
    write_number(trace, action->code);
    write_number(trace, action->seat);
    switch (action->code) {
        case LAY: write_laydown(trace, action->laydown); break;
        case TACK:
            write_number(trace, action->card);
            write_number(trace, action->meld);
            write_number(trace, said_end(deal, action->seat, &deal->melds[action->meld], action->meld, action->card, action->end));
            break;
        case SWAP: {
            write_number(trace, action->card);
            write_number(trace, action->also);
            write_number(trace, action->meld);
            write_number(trace, action->end);
            write_number(trace, action->use);
            bool lays = used_at_once(deal->rules) && action->use < 0;
            int end = NO_END;
            if (action->use >= 0) {
                Meld after = deal->melds[action->use];
                if (action->use == action->meld)
                    swap_card(deal->rules, action->seat, &deal->melds[action->meld], action->card, action->also, action->end,
                              &after);
                end = said_end(deal, action->seat, &after, action->use, JOKER, action->use_end);
            }
            write_number(trace, end);
            if (lays)
                write_laydown(trace, action->laydown);
            else
                write_number(trace, 0);
            break;
        }
        case DISCARD: write_number(trace, action->card); break;
        case CHALLENGE: write_number(trace, action->target); break;
        default: break;
    }
}

static void play_first(Reader *ways, Deal *deal) {
    Laydown none = {0};
    for (int left = next(ways, 0, 100); left > 0; left--) {
        Action action = {.end = NO_END, .use = -1, .use_end = NO_END, .laydown = &none};
        action.code = next(ways, 0, DONE);
        action.seat = next(ways, 0, deal->rules->seats - 1);
        action.card = action.target = next(ways, 0, KINDS);
        if (action.code == LAY || action.code == TACK || action.code == SWAP) give_up(ways->escape, FAULT_INPUT);
        if (action.code == CHALLENGE && action.target >= deal->rules->seats) give_up(ways->escape, FAULT_INPUT);
        if (deal->actor < 0) give_up(ways->escape, FAULT_ACTION);
        if (deal->trace) write_action(deal, &action);
        apply(deal, &action);
    }
}

static void play_on(Deal *deal) {
    Laydown laydown;
    for (int actions = 0; deal->actor >= 0; actions++) {
        if (actions == MOST_ACTIONS) give_up(deal->escape, FAULT_ENDLESS);
        Action action = {.end = NO_END, .use = -1, .use_end = NO_END, .laydown = &laydown};
        *deal->steps += STEPS_OF_ACTION;
        decide(deal, &action);
        if (deal->trace) write_action(deal, &action);
        apply(deal, &action);
    }
}

static void write_result(const Deal *deal, int32_t *result) {
    for (int seat = 0; seat < deal->rules->seats; seat++) result[seat] = deal->void_deal ? 0 : deal->points[seat];
    result[deal->rules->seats] = deal->out;
    result[deal->rules->seats + 1] = deal->void_deal;
}

/* Raised whenever what is handed over changes; `library.py` has the same number. */
EXPORT int kalooki_version(void) { return 10; }

EXPORT double kalooki_power_of_e(double exponent) { return power_of_e(exponent); }

/* The names of the numbers that are handed over, in their order, each list but the last with a semicolon behind it. */
EXPORT const char *kalooki_fields(void) {
#define AS_NAME(name) " " #name
    static const char names[] = RULE_FIELDS(AS_NAME) ";" WEIGHT_FIELDS(AS_NAME) ";" COMMON_FEATURES(AS_NAME) ";"
        CARD_FEATURES(AS_NAME) ";" LAYING_FEATURES(AS_NAME);
#undef AS_NAME
    return names + 1;
}


/* The rules of a table from `size` numbers, or NULL. `kalooki_free` gives them back. */
EXPORT Rules *kalooki_rules(const int32_t *numbers, int size) {
    enum { GIVEN = offsetof(Rules, weights) / sizeof(int32_t) };
    Rules *rules = size == GIVEN ? calloc(1, sizeof *rules) : NULL;
    if (rules == NULL) return NULL;
    memcpy(rules, numbers, sizeof(int32_t) * GIVEN);
    if (rules_finish(rules)) return rules;
    free(rules->windows);
    free(rules);
    return NULL;
}

EXPORT void kalooki_free(Rules *rules) {
    if (rules == NULL) return;
    for (int index = 0; index < rules->advices_size; index++) advice_free(rules->advices[index]);
    free(rules->windows);
    free(rules);
}

/* Keep what experts have learnt by these rules; its number for their styles, or 0. `kalooki_free` gives it back. */
EXPORT int kalooki_advise(Rules *rules, const double *numbers, int size) {
    if (rules->advices_size == MOST_ADVICES) return 0;
    struct Advice *advice = advice_read(numbers, size);
    if (advice == NULL) return 0;
    rules->advices[rules->advices_size++] = advice;
    return rules->advices_size;
}

typedef struct {
    Deal start, deal;
    Style styles[MOST_SEATS];
    Scratch scratch;
    uint64_t steps;
    jmp_buf escape;
} Run;

static Run *new_run(const Rules *rules, const double *styles) {
    Run *run = calloc(1, sizeof *run);
    if (run == NULL) return NULL;
    enum { WEIGHTS = offsetof(Style, level) / sizeof(double), LEVEL = WEIGHTS, ADVICE, PLANS, NUMBERS };
    for (int seat = 0; seat < rules->seats; seat++, styles += NUMBERS) {
        int advice = (int)styles[ADVICE];
        memcpy(&run->styles[seat], styles, WEIGHTS * sizeof *styles);
        run->styles[seat].level = (int)styles[LEVEL];
        run->styles[seat].advice = advice > 0 && advice <= rules->advices_size ? rules->advices[advice - 1] : NULL;
        run->styles[seat].plans = (int)styles[PLANS];
    }
    run->start.rules = rules;
    run->start.styles = run->styles;
    run->start.scratch = &run->scratch;
    run->start.steps = &run->steps;
    run->start.escape = &run->escape;
    return run;
}

static int end_run(Run *run, int fault) {
    for (int suit = 0; suit < SUITS; suit++) free(run->scratch.chains[suit].chains);
    free_planner(&run->scratch);
    free(run);
    return fault;
}

/* Play every world in every way: first the actions of the way, then as the seats' styles have it. `results` takes for
 * each way and world the points by seat, who went out, and whether the deal was void. Without worlds the deal's own cards
 * are the only one. `apart`: seats draw from parts of the stock. Chance depends on `seed` and the number of the world alone.
 * `steps`: how many it took, whatever the machine. Returns a fault, or 0. */
EXPORT int kalooki_playouts(const Rules *rules, const double *styles, const int32_t *deal, int deal_size,
                            const int32_t *worlds, int worlds_size, int worlds_count, int first_world,
                            const int32_t *ways, int ways_size, int ways_count, uint64_t seed, int apart, int32_t *results,
                            uint64_t *steps) {
    Run *run = new_run(rules, styles);
    if (run == NULL) return FAULT_MEMORY;
    int fault = setjmp(run->escape);
    if (fault) return end_run(run, fault);
    Reader deals = {deal, deal_size, 0, &run->escape}, hands = {worlds, worlds_size, 0, &run->escape};
    read_deal(&deals, &run->start);
    for (int world = 0; world < most(worlds_count, 1); world++) {
        if (worlds_count) read_world(&hands, &run->start);
        Reader firsts = {ways, ways_size, 0, &run->escape};
        for (int way = 0; way < ways_count; way++) {
            run->deal = run->start;
            run->deal.random = seed ^ (uint64_t)(first_world + world) * 0xD1342543DE82EF95u;
            if (apart) share_out_stock(&run->deal);
            play_first(&firsts, &run->deal);
            play_on(&run->deal);
            write_result(&run->deal, results + (way * most(worlds_count, 1) + world) * (rules->seats + 2));
        }
    }
    *steps = run->steps;
    return end_run(run, FAULT_NONE);
}

/* Play one deal and write its actions into `trace`, of `room` numbers; `trace_size`: how many there are, perhaps more. */
EXPORT int kalooki_record(const Rules *rules, const double *styles, const int32_t *deal, int deal_size,
                          const int32_t *ways, int ways_size, uint64_t seed, int32_t *trace, int room, int *trace_size,
                          int32_t *results) {
    Run *run = new_run(rules, styles);
    if (run == NULL) return FAULT_MEMORY;
    Trace written = {trace, 0, room};
    int fault = setjmp(run->escape);
    if (fault) return end_run(run, fault);
    Reader deals = {deal, deal_size, 0, &run->escape}, firsts = {ways, ways_size, 0, &run->escape};
    read_deal(&deals, &run->start);
    run->start.random = seed;
    run->start.trace = &written;
    play_first(&firsts, &run->start);
    play_on(&run->start);
    write_result(&run->start, results);
    *trace_size = written.size;
    return end_run(run, FAULT_NONE);
}

/* Draw worlds for a deal: its hidden cards as one seat may believe them to lie. `worlds` has room for so many numbers a
 * world. Chance depends on `seed` and the number of the world alone; `steps` as above. Returns a fault, or 0. */
EXPORT int kalooki_worlds(const Rules *rules, const double *styles, const int32_t *deal, int deal_size,
                          const int32_t *belief, int belief_size, const double *leanings, int worlds_count,
                          int first_world, uint64_t seed, int32_t *worlds, int room, uint64_t *steps) {
    Run *run = new_run(rules, styles);
    Belief known;
    if (run == NULL) return FAULT_MEMORY;
    int fault = setjmp(run->escape);
    if (fault) return end_run(run, fault);
    Reader deals = {deal, deal_size, 0, &run->escape}, beliefs = {belief, belief_size, 0, &run->escape};
    read_deal(&deals, &run->start);
    read_belief(&beliefs, &run->start, leanings, &known);
    for (int world = 0; world < worlds_count; world++, worlds += room) {
        Trace written = {worlds, 0, room};
        run->deal = run->start;
        run->deal.random = seed ^ (uint64_t)(first_world + world) * 0xD1342543DE82EF95u;
        draw_world(&known, &run->deal);
        write_world(&written, &run->deal);
        if (written.size != room) give_up(&run->escape, FAULT_INPUT);
    }
    *steps = run->steps;
    return end_run(run, FAULT_NONE);
}

static double margin(const Deal *deal, int seat) {
    int seats = deal->rules->seats, total = 0;
    if (deal->void_deal) return 0.0;
    for (int other = 0; other < seats; other++) total += deal->points[other];
    return deal->points[seat] - (total - deal->points[seat]) / (double)(seats - 1);
}

/* Play on from a choice that is forced, in a copy of the deal; `order` not 0: with the stock in that order, and the seats
 * drawing apart. */
static double forced_margin(Run *run, bool forced, int seat, uint64_t order) {
    Laydown laydown;
    Action action = {.end = NO_END, .use = -1, .use_end = NO_END, .laydown = &laydown};
    run->deal = run->start;
    if (order) {
        run->deal.random = order;
        shuffle(&run->deal, run->deal.stock, run->deal.stock_size);
        share_out_stock(&run->deal);
    }
    Trial *trial = run->deal.trial;
    trial->forcing = true;
    trial->forced = forced;
    decide(&run->deal, &action);
    trial->forcing = false;
    apply(&run->deal, &action);
    play_on(&run->deal);
    return margin(&run->deal, seat);
}

/* What doing the thing comes to over not doing it: with the cards as they lie, or on average over so many stocks. */
static double difference(Run *run, int seat, int stocks) {
    if (!stocks) return forced_margin(run, true, seat, 0) - forced_margin(run, false, seat, 0);
    double total = 0.0;
    for (int stock = 0; stock < stocks; stock++) {
        uint64_t order = next_random(&run->start.trial->random) | 1;
        total += forced_margin(run, true, seat, order) - forced_margin(run, false, seat, order);
    }
    return total / stocks;
}

/* Play the deal, and at choices by chance also on from it in both ways (learned.c); `rates`: how often, by kind of choice;
 * `stocks`: in so many orders of the stock, or 0: as the cards lie.
 * A row is the kind, the seat, what was chosen, what doing it came to over not doing it, and the features. `rows` has room
 * for `room` of them. */
EXPORT int kalooki_trials(const Rules *rules, const double *styles, const int32_t *deal, int deal_size,
                          const double *rates, int stocks, uint64_t seed, double *rows, int room, int *rows_size, int32_t *results) {
    Run *run = new_run(rules, styles);
    if (run == NULL) return FAULT_MEMORY;
    Trial trial = {.random = seed};
    int fault = setjmp(run->escape);
    if (fault) return end_run(run, fault);
    Reader deals = {deal, deal_size, 0, &run->escape};
    memcpy(trial.rates, rates, sizeof trial.rates);
    read_deal(&deals, &run->start);
    run->start.random = ~seed;
    run->start.trial = &trial;
    *rows_size = 0;
    for (int actions = 0; run->start.actor >= 0; actions++) {
        Laydown laydown;
        Action action = {.end = NO_END, .use = -1, .use_end = NO_END, .laydown = &laydown};
        if (actions == MOST_ACTIONS) give_up(&run->escape, FAULT_ENDLESS);
        trial.watching = *rows_size < room;
        trial.found = false;
        decide(&run->start, &action);
        trial.watching = false;
        if (trial.found) {
            double *row = rows + (size_t)(*rows_size)++ * (4 + FEATURES);
            row[0] = trial.kind;
            row[1] = action.seat;
            row[2] = trial.own;
            row[3] = difference(run, action.seat, stocks);
            memcpy(row + 4, trial.features, sizeof trial.features);
        }
        apply(&run->start, &action);
    }
    write_result(&run->start, results);
    return end_run(run, FAULT_NONE);
}
