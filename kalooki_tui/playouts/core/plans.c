/* Ways to a contract, and how likely each is to come together (plans.py), with the same arithmetic in the same order. */
#include <math.h>
#include <string.h>

#include "kalooki.h"

enum {
    RUNS_A_SUIT = 4,
    MORE_RANKS = 3,
    MORE_RUNS = 6,
    PARTS_FOR_POINTS = 14,
    MOST_MELDS_FOR_POINTS = 3,
    MOST_LACKS = POSITIONS,
    MOST_USED = 40,
    MOST_PARTS = MOST_SETS + MOST_RUNS,
    MOST_CHOICES = 512,
    MOST_WAYS = 1600, /* to the runs */
    MOST_POINT_PARTS = SUITS * (RUNS_A_SUIT + 2) + RANKS
};
#define NEGLIGIBLE 0.02

/* A card a meld lacks: any of `cards` will do. */
typedef struct {
    double chance;
    uint8_t size, cards[SUITS];
} Lack;

/* A meld that may come about. */
typedef struct {
    double chance;
    int points, jokers; /* most jokers that may stand in for what it lacks */
    bool spare;               /* it has more cards than it needs, so that each one may go */
    uint8_t used_size, lacks_size;
    uint8_t used[MOST_USED];
    Lack lacks[MOST_LACKS];
} Part;

/* Runs for the contract: of each (the number of its length * SUITS + its suit) * RUNS_A_SUIT + its number there. */
typedef struct {
    double chance;
    uint8_t runs[MOST_RUNS];
} Choice;

typedef struct {
    const Rules *rules;
    const Contract *contract;
    uint8_t counts[KINDS];
    const int *unseen;
    int jokers, wanted;
    double rate;
    double misses[MOST_CARDS + 1];  /* that none of so many copies comes */
    double chances[MOST_CARDS + 1]; /* that one of them does */
    Part space[MOST_RUNS][SUITS][POSITIONS]; /* by the lengths that the contract asks for, the longest first */
    const Part *runs[MOST_RUNS][SUITS][RUNS_A_SUIT];
    int runs_size[MOST_RUNS][SUITS];
    Part sets[RANKS][1 << SUITS]; /* by the suits of which runs take a card */
    uint16_t sets_known[RANKS];
    Choice choices[MOST_WAYS];
    int choices_size;
    Prospect *found;
    uint64_t *steps;
} Search;

/* e to the power of a number that is not above 0 (numbers.py): no function of the system's mathematical library, whose
   last bit differs from system to system. */
double power_of_e(double exponent) {
    if (exponent < -700) return 0;
    int halvings = (int)(0.5 - exponent * 0x1.71547652b82fep+0);
    double rest = (exponent + halvings * 0x1.62e42fee00000p-1) + halvings * 0x1.a39ef35793c76p-33, power = 1;
    for (int term = 13; term > 0; term--) power = 1 + power * rest / term;
    while (halvings--) power *= 0.5;
    return power;
}

static void begin(Search *search, const Deal *deal, const Contract *contract, const uint8_t *hand, const int *unseen,
                  double horizon) {
    search->rules = deal->rules;
    search->steps = deal->steps;
    search->contract = contract;
    /* Held, wild cards are worth more as jokers (H7). */
    memcpy(search->counts, hand, KINDS);
    for (int card = 0; deal->rules->wild && card < JOKER; card++) {
        if (!is_wild(deal->rules, card)) continue;
        search->counts[JOKER] += hand[card];
        search->counts[card] = 0;
    }
    search->unseen = unseen;
    search->jokers = search->counts[JOKER];
    int total = 0, highest = deal->rules->packs;
    for (int card = 0; card < KINDS; card++) {
        total += unseen[card];
        if (card != JOKER) highest = most(highest, unseen[card]);
    }
    search->rate = horizon / most(1, total);
    search->misses[0] = 1.0;
    double missed = power_of_e(-search->rate);
    for (int copies = 0; copies < least(highest * SUITS, MOST_CARDS); copies++)
        search->misses[copies + 1] = search->misses[copies] * missed;
    for (int copies = 0; copies <= highest; copies++) search->chances[copies] = 1 - search->misses[copies];
    memset(search->sets_known, 0, sizeof search->sets_known);
    search->choices_size = 0;
}

/* Put the hardest lacks first, and find the chance: jokers stand in for those. */
static void finish_part(const Search *search, Part *part) {
    for (int index = 1; index < part->lacks_size; index++) {
        Lack lack = part->lacks[index];
        int place = index;
        for (; place > 0 && part->lacks[place - 1].chance > lack.chance; place--)
            part->lacks[place] = part->lacks[place - 1];
        part->lacks[place] = lack;
    }
    part->chance = 1.0;
    for (int index = least(search->jokers, part->jokers); index < part->lacks_size; index++)
        part->chance *= part->lacks[index].chance;
}

/* Put a part among the `size` likeliest, of which `keep` are kept at the most, after those as likely; returns how many. */
static int keep_likeliest(const Part **parts, int size, int keep, const Part *part) {
    int place = size;
    while (place > 0 && parts[place - 1]->chance < part->chance) place--;
    if (place >= keep) return size;
    size = least(size + 1, keep);
    for (int index = size - 1; index > place; index--) parts[index] = parts[index - 1];
    parts[place] = part;
    return size;
}

/* The likeliest runs of a suit with so many cards, at most `keep` of them, the likeliest first; returns how many. */
static int find_runs(const Search *search, int suit, int length, int keep, Part *space, const Part **best) {
    int size = 0;
    /* A complete suit is the same wherever it begins (H15). */
    if (search->rules->corner && length == RANKS) keep = 1;
    for (int low = 0; low < run_starts(search->rules, length); low++) {
        Part *part = &space[low];
        unsigned held = 0;
        part->points = 0;
        part->used_size = part->lacks_size = 0;
        for (int index = 0; index < length; index++) {
            int card = card_at(suit, low + 1 + index);
            part->points += search->rules->values[card];
            if (search->counts[card]) {
                held |= 1u << index;
                part->used[part->used_size++] = (uint8_t)card;
            } else {
                Lack *lack = &part->lacks[part->lacks_size++];
                lack->chance = search->chances[search->unseen[card]];
                lack->size = 1;
                lack->cards[0] = (uint8_t)card;
            }
        }
        if (!held && length > 1 && search->jokers < length) continue;
        part->spare = false;
        part->jokers = part->lacks_size - rules_forced(search->rules, length, held);
        finish_part(search, part);
        size = keep_likeliest(best, size, keep, part);
    }
    return size;
}

/* The set of a rank from the cards that runs leave; `taken`: suits of which they take a card. */
static const Part *set_of(Search *search, int rank, unsigned taken) {
    Part *part = &search->sets[rank][taken];
    if (search->sets_known[rank] >> taken & 1) return part;
    search->sets_known[rank] |= (uint16_t)(1u << taken);
    const Rules *rules = search->rules;
    Lack helps = {.size = 0};
    int coming = 0;
    part->used_size = part->lacks_size = 0;
    for (int suit = 0; suit < SUITS; suit++) {
        int card = suit * RANKS + rank;
        int copies = search->counts[card] - (int)(taken >> suit & 1);
        if (rules->distinct_suits) copies = least(copies, 1);
        for (int copy = 0; copy < copies && part->used_size < MOST_USED; copy++)
            part->used[part->used_size++] = (uint8_t)card;
        if (search->unseen[card] && !(rules->distinct_suits && copies)) {
            helps.cards[helps.size++] = (uint8_t)card;
            coming += search->unseen[card];
        }
    }
    int missing = most(0, rules->shortest_set - part->used_size);
    if (missing) {
        /* Chances that a first, second, ... card comes, each given the one before. */
        double mean = search->rate * coming, term = search->misses[coming], at_least = 1.0, before = 1.0;
        for (int number = 1; number <= missing; number++) {
            at_least -= term;
            term *= mean / number;
            helps.chance = before > 0 ? (at_least > 0.0 ? at_least : 0.0) / before : 0.0;
            part->lacks[part->lacks_size++] = helps;
            before = at_least > 1e-12 ? at_least : 1e-12;
        }
    }
    part->jokers = missing - most(0, rules->set_naturals - part->used_size);
    part->spare = part->used_size > rules->shortest_set;
    part->points = rules->values[rank] * rules->shortest_set;
    finish_part(search, part);
    return part;
}

static const Part *run_of(const Search *search, int run) {
    return search->runs[run / (SUITS * RUNS_A_SUIT)][run / RUNS_A_SUIT % SUITS][run % RUNS_A_SUIT];
}

static void add_choice(Search *search, double chance, const uint8_t *runs) {
    if (search->choices_size == MOST_WAYS) return;
    Choice *choice = &search->choices[search->choices_size++];
    choice->chance = chance;
    memcpy(choice->runs, runs, MOST_RUNS);
}

/* Every choice of one run from each of the suits, with the product of the chances from the last suit to the first;
 * `lengths`: the number of each run's length. */
static void choose_of_suits(Search *search, const int *suits, const int *lengths, int size, int index, uint8_t *runs) {
    if (index == size) {
        double chance = 1.0;
        for (int place = size - 1; place >= 0; place--) chance *= run_of(search, runs[place])->chance;
        add_choice(search, chance, runs);
        return;
    }
    for (int number = 0; number < search->runs_size[lengths[index]][suits[index]]; number++) {
        runs[index] = (uint8_t)((lengths[index] * SUITS + suits[index]) * RUNS_A_SUIT + number);
        choose_of_suits(search, suits, lengths, size, index + 1, runs);
    }
}

/* Every choice of suits for the runs, in order where they are asked for with one length (M8). */
static void choose_suits(Search *search, int *suits, const int *lengths, int size, int index, uint8_t *runs) {
    if (index == size) {
        choose_of_suits(search, suits, lengths, size, 0, runs);
        return;
    }
    for (suits[index] = 0; suits[index] < SUITS; suits[index]++) {
        bool open = !index || lengths[index] != lengths[index - 1] || suits[index] > suits[index - 1];
        for (int place = 0; place < index; place++) open = open && suits[place] != suits[index];
        if (open) choose_suits(search, suits, lengths, size, index + 1, runs);
    }
}

static bool holds(const Search *search, const Part *const *parts, int size) {
    uint8_t used[KINDS] = {0};
    for (int index = 0; index < size; index++)
        for (int place = 0; place < parts[index]->used_size; place++) {
            int card = parts[index]->used[place];
            if (++used[card] > search->counts[card]) return false;
        }
    return true;
}

/* The next choice of `size` of `number` things, in order; false: that was the last. */
static bool next_combination(int *chosen, int size, int number) {
    int index = size - 1;
    while (index >= 0 && chosen[index] == number - size + index) index--;
    if (index < 0) return false;
    chosen[index]++;
    for (int place = index + 1; place < size; place++) chosen[place] = chosen[place - 1] + 1;
    return true;
}

static void sort_choices(Choice *choices, int size, Choice *space) {
    if (size <= 8) {
        for (int index = 1; index < size; index++) {
            Choice choice = choices[index];
            int place = index;
            for (; place > 0 && choices[place - 1].chance < choice.chance; place--) choices[place] = choices[place - 1];
            choices[place] = choice;
        }
        return;
    }
    int half = size / 2;
    sort_choices(choices, half, space);
    sort_choices(choices + half, size - half, space);
    memcpy(space, choices, (size_t)half * sizeof *space);
    int left = 0, right = half, place = 0;
    while (left < half)
        choices[place++] = right < size && choices[right].chance > space[left].chance ? choices[right++] : space[left++];
}

/* Every choice of runs of one length after another; of each length its likeliest ones. */
static void choose_of_lengths(Search *search, const int *lengths, int size, int index, uint8_t *runs) {
    if (index == size) {
        double chance = 1.0;
        const Part *parts[MOST_RUNS];
        for (int run = 0; run < size; run++) {
            parts[run] = run_of(search, runs[run]);
            chance *= parts[run]->chance;
        }
        if (holds(search, parts, size)) add_choice(search, chance, runs);
        return;
    }
    uint8_t all[SUITS * RUNS_A_SUIT];
    int found = 0, alike = 0, length = lengths[index], chosen[MOST_RUNS];
    while (index + alike < size && lengths[index + alike] == length) alike++;
    for (int suit = 0; suit < SUITS; suit++)
        for (int number = 0; number < search->runs_size[length][suit]; number++) {
            double chance = search->runs[length][suit][number]->chance;
            int place = found++;
            for (; place > 0 && run_of(search, all[place - 1])->chance < chance; place--) all[place] = all[place - 1];
            all[place] = (uint8_t)((length * SUITS + suit) * RUNS_A_SUIT + number);
        }
    found = least(found, alike + MORE_RUNS);
    if (found < alike) return;
    for (int run = 0; run < alike; run++) chosen[run] = run;
    do {
        for (int run = 0; run < alike; run++) runs[index + run] = all[chosen[run]];
        choose_of_lengths(search, lengths, size, index + alike, runs);
    } while (next_combination(chosen, alike, found));
}

/* Ways to the runs of the contract with their chances. */
static void find_run_choices(Search *search) {
    const Contract *contract = search->contract;
    int lengths[MOST_RUNS], suits[MOST_RUNS];
    uint8_t choice[MOST_RUNS] = {0};
    for (int run = 0; run < contract->runs; run++) {
        bool known = run && contract->run_lengths[run] == contract->run_lengths[run - 1];
        int list = lengths[run] = run ? lengths[run - 1] + !known : 0;
        for (int suit = 0; suit < SUITS && !known; suit++)
            search->runs_size[list][suit] = find_runs(search, suit, contract->run_lengths[run], RUNS_A_SUIT,
                                                      search->space[list][suit], search->runs[list][suit]);
    }
    if (search->rules->repeats)
        choose_of_lengths(search, lengths, contract->runs, 0, choice);
    else
        choose_suits(search, suits, lengths, contract->runs, 0, choice);
}

/* Add a plan's chance, and what is lost to it with each card. */
static void add_to_keep(Search *search, const Part *const *plan, int size) {
    double unmet[MOST_PARTS * MOST_LACKS], chance = 1.0;
    int unmet_size = 0;
    for (int index = 0; index < size; index++) {
        const Part *part = plan[index];
        int place = 0, stand_in = least(part->jokers, part->lacks_size);
        for (; place < stand_in; place++) unmet[unmet_size++] = part->lacks[place].chance;
        for (; place < part->lacks_size; place++) chance *= part->lacks[place].chance;
    }
    int bare = least(search->jokers, unmet_size);
    if (bare) {
        /* Jokers stand in for the hardest cards, as far as each part may hold them. */
        for (int index = 1; index < unmet_size; index++) {
            double lack = unmet[index];
            int place = index;
            for (; place > 0 && unmet[place - 1] > lack; place--) unmet[place] = unmet[place - 1];
            unmet[place] = lack;
        }
    }
    for (int index = bare; index < unmet_size; index++) chance *= unmet[index];
    if (chance <= 0.0) return;
    Prospect *found = search->found;
    found->worth += chance;
    for (int index = 0; index < size; index++) {
        if (plan[index]->spare) continue;
        for (int place = 0; place < plan[index]->used_size; place++) {
            int card = plan[index]->used[place];
            if (search->counts[card] == 1) {
                found->keep[card] += chance;
                continue;
            }
            int uses = 0;
            for (int other = 0; other < size; other++)
                for (int at = 0; !plan[other]->spare && at < plan[other]->used_size; at++)
                    uses += plan[other]->used[at] == card;
            if (uses >= search->counts[card]) found->keep[card] += chance / uses;
        }
    }
}

/* Add a plan's chance, and what is gained by one card more that it lacks. */
static void add_to_want(Search *search, const Part *const *plan, int size) {
    const Lack *unmet[MOST_PARTS * MOST_LACKS], *needed[MOST_PARTS * MOST_LACKS];
    int unmet_size = 0, needed_size = 0;
    for (int index = 0; index < size; index++) {
        const Part *part = plan[index];
        int place = 0, stand_in = least(part->jokers, part->lacks_size);
        for (; place < stand_in; place++) unmet[unmet_size++] = &part->lacks[place];
        for (; place < part->lacks_size; place++) needed[needed_size++] = &part->lacks[place];
    }
    int bare = least(search->jokers, unmet_size);
    if (bare) {
        for (int index = 1; index < unmet_size; index++) {
            const Lack *lack = unmet[index];
            int place = index;
            for (; place > 0 && unmet[place - 1]->chance > lack->chance; place--) unmet[place] = unmet[place - 1];
            unmet[place] = lack;
        }
    }
    double chance = 1.0, *want = search->found->want;
    for (int index = 0; index < needed_size; index++) chance *= needed[index]->chance;
    for (int index = bare; index < unmet_size; index++) chance *= unmet[index]->chance;
    if (chance <= 0.0) return;
    search->found->worth += chance;
    for (int index = 0; index < needed_size; index++) {
        double gain = chance / needed[index]->chance - chance;
        for (int at = 0; at < needed[index]->size; at++) want[needed[index]->cards[at]] += gain;
    }
    double lowest = INFINITY;
    for (int index = bare; index < unmet_size; index++) {
        double gain = chance / unmet[index]->chance - chance;
        for (int at = 0; at < unmet[index]->size; at++) want[unmet[index]->cards[at]] += gain;
        if (unmet[index]->chance < lowest) lowest = unmet[index]->chance;
    }
    if (bare < unmet_size) {
        /* A card for which a joker stood in sets the joker free for the hardest card still lacking. */
        double freed = chance / lowest - chance;
        for (int index = 0; index < bare; index++)
            for (int at = 0; at < unmet[index]->size; at++) want[unmet[index]->cards[at]] += freed;
        want[JOKER] += freed;
    }
}

static void add_plan(Search *search, const Part *const *plan, int size) {
    ++*search->steps;
    if (search->wanted == WANT_KEEP)
        add_to_keep(search, plan, size);
    else
        add_to_want(search, plan, size);
}

/* Melds worth the points together (L5). */
static void plans_for_points(Search *search) {
    Part long_runs[SUITS][POSITIONS];
    const Part *kept[MOST_POINT_PARTS], *parts[MOST_POINT_PARTS];
    double orders[MOST_POINT_PARTS];
    int size = 0, length = search->rules->shortest_run;
    for (int suit = 0; suit < SUITS; suit++) {
        size += find_runs(search, suit, length, RUNS_A_SUIT, search->space[0][suit], kept + size);
        if (length < POSITIONS) size += find_runs(search, suit, length + 1, 2, long_runs[suit], kept + size);
    }
    for (int rank = 0; rank < RANKS; rank++) kept[size++] = set_of(search, rank, 0);
    for (int index = 0; index < size; index++) {
        double order = kept[index]->chance * kept[index]->points;
        int place = index;
        for (; place > 0 && orders[place - 1] < order; place--) {
            orders[place] = orders[place - 1];
            parts[place] = parts[place - 1];
        }
        orders[place] = order;
        parts[place] = kept[index];
    }
    size = least(size, PARTS_FOR_POINTS);
    struct { double chance; int size; const Part *parts[MOST_MELDS_FOR_POINTS]; } plans[MOST_CHOICES];
    int plans_size = 0, wanted = search->contract->points;
    double best = 0.0;
    for (int number = 1; number <= least(MOST_MELDS_FOR_POINTS, size); number++) {
        int chosen[MOST_MELDS_FOR_POINTS];
        const Part *plan[MOST_MELDS_FOR_POINTS];
        for (int index = 0; index < number; index++) chosen[index] = index;
        do {
            int worth = 0, lowest = 1 << 20;
            double chance = 1.0;
            for (int index = 0; index < number; index++) {
                plan[index] = parts[chosen[index]];
                worth += plan[index]->points;
                lowest = least(lowest, plan[index]->points);
                chance *= plan[index]->chance;
            }
            if (worth < wanted || worth - lowest >= wanted) continue;
            if (chance >= best * NEGLIGIBLE && holds(search, plan, number) && plans_size < MOST_CHOICES) {
                if (chance > best) best = chance;
                plans[plans_size].chance = chance;
                plans[plans_size].size = number;
                memcpy(plans[plans_size++].parts, plan, sizeof plan);
            }
        } while (next_combination(chosen, number, size));
    }
    for (int index = 0; index < plans_size; index++)
        if (plans[index].chance >= best * NEGLIGIBLE) add_plan(search, plans[index].parts, plans[index].size);
}

/* The sets that the cards left by the runs may become, the likeliest first, at most `keep` of them. */
static void sets_beside(Search *search, const Part *const *runs, int runs_size, const Part **sets, int keep) {
    unsigned taken[RANKS] = {0};
    for (int index = 0; index < runs_size; index++)
        for (int place = 0; place < runs[index]->used_size; place++)
            taken[card_rank(runs[index]->used[place])] |= 1u << card_suit(runs[index]->used[place]);
    int size = 0;
    for (int rank = 0; rank < RANKS; rank++)
        size = keep_likeliest(sets, size, keep, set_of(search, rank, taken[rank]));
}

static double product_of(const Part *const *parts, int size) {
    double product = 1.0;
    for (int index = 0; index < size; index++) product *= parts[index]->chance;
    return product;
}

/* Sort the ways to the runs, the likeliest first. Those that are less likely by far than the plans of the likeliest would
 * never be looked at, and are dropped before. */
static void sort_run_choices(Search *search) {
    int sets = search->contract->sets, runs = search->contract->runs, kept = 0;
    const Choice *first = search->choices;
    for (int index = 1; index < search->choices_size; index++)
        if (search->choices[index].chance > first->chance) first = &search->choices[index];
    double best = search->choices_size ? first->chance : 0.0;
    if (sets && search->choices_size) {
        const Part *parts[MOST_RUNS], *ranks[RANKS];
        for (int run = 0; run < runs; run++) parts[run] = run_of(search, first->runs[run]);
        sets_beside(search, parts, runs, ranks, sets);
        best *= product_of(ranks, sets);
    }
    for (int index = 0; index < search->choices_size; index++)
        if (search->choices[index].chance >= best * NEGLIGIBLE) search->choices[kept++] = search->choices[index];
    search->choices_size = kept;
    Choice space[MOST_WAYS / 2];
    sort_choices(search->choices, kept, space);
}

/* What the hand's plans for the contract come to; `unseen`: copies of each card that may still come. Of `keep` and `want`
 * that is found which is wanted. */
static void find_plans(const Deal *deal, const uint8_t *hand, const int *unseen, const Style *style, int wanted, Prospect *found) {
    Search search;
    begin(&search, deal, &deal->contract, hand, unseen, style->horizon);
    memset(found, 0, sizeof *found);
    search.found = found;
    search.wanted = wanted;
    if (deal->contract.points) {
        plans_for_points(&search);
        return;
    }
    int sets = deal->contract.sets, runs = deal->contract.runs, plans = 0;
    if (runs) {
        find_run_choices(&search);
        sort_run_choices(&search);
    } else {
        search.choices[0].chance = 1.0;
        search.choices_size = 1;
    }
    double best = 0.0;
    const Part *plan[MOST_PARTS];
    for (int index = 0; index < least(search.choices_size, style->plans); index++) {
        const Choice *choice = &search.choices[index];
        if (plans >= style->plans || choice->chance < best * NEGLIGIBLE) break;
        for (int run = 0; run < runs; run++) plan[run] = run_of(&search, choice->runs[run]);
        if (!sets) {
            if (choice->chance > best) best = choice->chance;
            add_plan(&search, plan, runs);
            plans++;
            continue;
        }
        const Part *ranks[RANKS + 1];
        int ranks_size = least(sets + MORE_RANKS, RANKS);
        sets_beside(&search, plan, runs, ranks, ranks_size);
        double product = choice->chance * product_of(ranks, sets);
        if (product > best) best = product;
        int chosen[MOST_SETS];
        for (int set = 0; set < sets; set++) chosen[set] = set;
        do {
            for (int set = 0; set < sets; set++) plan[runs + set] = ranks[chosen[set]];
            if (choice->chance * product_of(plan + runs, sets) < best * NEGLIGIBLE) continue;
            add_plan(&search, plan, runs + sets);
            plans++;
        } while (next_combination(chosen, sets, ranks_size));
    }
}

void prospect(const Deal *deal, const uint8_t *hand, const int *unseen, const Style *style, int wanted, Prospect *found) {
    find_plans(deal, hand, unseen, style, wanted, found);
    for (int card = 0; deal->rules->wild && card < JOKER; card++)
        if (is_wild(deal->rules, card) && found->want[JOKER] > found->want[card]) found->want[card] = found->want[JOKER];
}

static void raise_chances(const Part *part, double *chances) {
    for (int place = 0; place < part->used_size; place++)
        if (part->chance > chances[part->used[place]]) chances[part->used[place]] = part->chance;
}

/* For each card of the hand but jokers, the chance of the likeliest meld it could be part of. Ranks and suits that are
 * closed to the seat (M8) make no melds. */
void meld_chances(const Deal *deal, const uint8_t *hand, const int *unseen, double horizon, unsigned closed_ranks,
                  unsigned closed_suits, double *chances) {
    Search search;
    begin(&search, deal, &deal->contract, hand, unseen, horizon);
    memset(chances, 0, KINDS * sizeof *chances);
    for (int suit = 0; suit < SUITS; suit++) {
        if (closed_suits >> suit & 1) continue;
        const Part **runs = search.runs[0][suit];
        int size = find_runs(&search, suit, search.rules->shortest_run, RUNS_A_SUIT, search.space[0][suit], runs);
        for (int number = 0; number < size; number++) raise_chances(runs[number], chances);
    }
    for (int rank = 0; rank < RANKS; rank++)
        if (!(closed_ranks >> rank & 1)) raise_chances(set_of(&search, rank, 0), chances);
}
