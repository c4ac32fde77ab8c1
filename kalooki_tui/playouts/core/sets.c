/* The sets of a lay-down, and the spare jokers, once its runs are chosen (sets.py). */
#include <stdlib.h>
#include <string.h>

#include "lay.h"

static void put_run(LaySearch *search, int index, Ends ends) {
    const Chain *chain = &search->chosen[index].chain;
    Laydown *laydown = search->laydown;
    if (laydown->size == MOST_GROUPS) give_up(search->escape, FAULT_ROOM);
    Group *group = &laydown->groups[laydown->size++];
    group->kind = RUN;
    group->size = 0;
    for (int joker = 0; joker < ends.low; joker++) group->cards[group->size++] = JOKER;
    for (int position = lowest_bit(chain->held); position <= highest_bit(chain->held); position++)
        group->cards[group->size++] =
            chain->held >> position & 1 ? (uint8_t)card_at(search->chosen[index].suit, position + 1) : JOKER;
    for (int joker = 0; joker < ends.high; joker++) group->cards[group->size++] = JOKER;
}

/* The planner where a seat lays one set of a rank, of any size and suits, and a set lacks one natural at most: all cards
 * of a rank are laid then; a rank that lacks one takes a joker, the ranks worth most first; jokers still left go to any
 * set, else to the runs. */
static void plan_easily(LaySearch *search, int jokers, int left) {
    const Rules *rules = search->rules;
    bool whole[RANKS] = {false};
    int whole_size = 0, short_size = 0, short_ranks[RANKS], short_weights[RANKS];
    for (int index = 0; index < search->ranks_size; index++) {
        int rank = search->ranks[index], held = 0, weight = 0;
        for (int card = rank; card < JOKER; card += RANKS) {
            held += search->left[card];
            weight += search->left[card] * search->weights[card];
        }
        if (held < rules->set_naturals) continue;
        if (held >= rules->shortest_set) {
            left -= weight;
            whole[rank] = true;
            whole_size++;
            continue;
        }
        int place = short_size++;
        for (; place > 0 && short_weights[place - 1] <= weight; place--) {
            short_weights[place] = short_weights[place - 1];
            short_ranks[place] = short_ranks[place - 1];
        }
        short_weights[place] = weight;
        short_ranks[place] = rank;
    }
    short_size = least(short_size, jokers);
    if (whole_size + short_size < search->contract.sets) return;
    for (int index = 0; index < short_size; index++) {
        left -= short_weights[index];
        whole[short_ranks[index]] = true;
    }
    int placed = jokers;
    if (!whole_size && !short_size) {
        int room = 0;
        for (int index = 0; index < search->chosen_size; index++)
            room += search->chosen[index].chain.most - search->chosen[index].chain.jokers;
        placed = least(jokers, room);
    }
    left -= placed * search->weights[JOKER];
    if (left >= search->best) return;
    search->best = left;
    search->found = true;
    Laydown *laydown = search->laydown;
    laydown->size = 0;
    int spare = placed - short_size;
    for (int rank = 0; rank < RANKS; rank++) {
        if (!whole[rank]) continue;
        Group *group = &laydown->groups[laydown->size++];
        group->kind = SET;
        group->size = 0;
        for (int card = rank; card < JOKER; card += RANKS)
            for (int copy = 0; copy < search->left[card]; copy++) group->cards[group->size++] = (uint8_t)card;
        while (group->size < rules->shortest_set) group->cards[group->size++] = JOKER;
    }
    if (laydown->size) {
        Group *last = &laydown->groups[laydown->size - 1];
        for (; spare > 0; spare--) last->cards[last->size++] = JOKER;
    }
    for (int index = 0; index < search->chosen_size; index++) {
        const Chain *chain = &search->chosen[index].chain;
        int points, more = least(spare, chain->most - chain->jokers);
        spare -= more;
        put_run(search, index, end_jokers(rules, search->chosen[index].suit, chain, chain->jokers + more, false, &points));
    }
}

/* The planner for every ruleset: tries all ways to share the jokers, keeping the best for each total. */

/* A way to use one rank, or to fill up one run. */
struct Option {
    int sets, jokers, points, weight; /* `weight` of the naturals it lays */
    uint8_t size, cards[MOST_IN_MELD];
    Ends ends;
};

typedef struct {
    int jokers, sets, points, weight, path;
} Reached;

typedef struct {
    int before, option;
} Step;

enum { MOST_OPTIONS = 2000, MOST_REACHED = 4096, MOST_STEPS = 60000 };

typedef struct {
    Option options[MOST_OPTIONS];
    int options_size;
    Reached reached[2][MOST_REACHED];
    int16_t places[MOST_REACHED]; /* in the list that is being made, by jokers, sets and points; -1: not there */
    Step steps[MOST_STEPS];
    int steps_size;
} Planner;

static Option *new_option(LaySearch *search, Planner *planner) {
    if (planner->options_size == MOST_OPTIONS) give_up(search->escape, FAULT_ROOM);
    return &planner->options[planner->options_size++];
}

/* Jokers beyond the fewest, up to the most the run holds; the fewest are counted by the caller. */
static void add_run_options(LaySearch *search, Planner *planner, int index, int jokers) {
    const Chain *chain = &search->chosen[index].chain;
    for (int more = 0; more <= least(jokers, chain->most - chain->jokers); more++) {
        Option *option = new_option(search, planner);
        *option = (Option){.jokers = more};
        bool for_points = search->contract.points > 0;
        option->ends = end_jokers(search->rules, search->chosen[index].suit, chain, chain->jokers + more, for_points,
                                  &option->points);
    }
}

static void add_rank_options(LaySearch *search, Planner *planner, int rank, int jokers) {
    const Rules *rules = search->rules;
    int held = 0;
    for (int card = rank; card < JOKER; card += RANKS) held += search->left[card];
    if (held < rules->set_naturals || held + jokers < rules->shortest_set) return;
    int worth = search->contract.points ? rules->values[rank] : 0;
    *new_option(search, planner) = (Option){0};
    int most_sets = 1, longest = search->as_long ? rules->shortest_set : rules->set_maximum;
    if (rules->repeats) most_sets = least(held / rules->set_naturals, (held + jokers) / rules->shortest_set);
    for (int sets = 1; sets <= most_sets; sets++) {
        uint8_t usable[MOST_CARDS];
        int size = 0;
        for (int card = rank; card < JOKER; card += RANKS) {
            int copies = least(search->left[card], rules->distinct_suits ? sets : held);
            for (int copy = 0; copy < copies; copy++) {
                int place = size++;
                for (; place > 0 && search->weights[usable[place - 1]] < search->weights[card]; place--)
                    usable[place] = usable[place - 1];
                usable[place] = (uint8_t)card;
            }
        }
        for (int number = least(size, longest * sets); number >= rules->set_naturals * sets; number--) {
            int fewest = most(0, rules->shortest_set * sets - number);
            int highest = least(jokers, longest * sets - number);
            highest = least(highest, jokers_of_melds(rules, number, sets));
            if (fewest > jokers || (number < size && fewest > 0 && highest < 1)) continue;
            if (number > MOST_IN_MELD) give_up(search->escape, FAULT_ROOM);
            int weight = 0;
            for (int index = 0; index < number; index++) weight += search->weights[usable[index]];
            for (int used = fewest; used <= highest; used++) {
                Option *option = new_option(search, planner);
                *option = (Option){.sets = sets, .jokers = used, .points = worth * (number + used), .weight = weight};
                option->size = (uint8_t)number;
                memcpy(option->cards, usable, (size_t)number);
            }
            /* With room for every joker, fewer naturals are never better. */
            if (!search->as_long && longest * sets - number >= jokers) break;
        }
    }
}

/* Of the sets begun the first of the shortest. */
static Group *shortest(Group *groups, int size) {
    Group *found = groups;
    for (int index = 1; index < size; index++)
        if (groups[index].size < found->size) found = &groups[index];
    return found;
}

/* An option's cards and jokers as that many sets, as even as can be; each set's cards in order. */
static void split(LaySearch *search, const Option *option) {
    Laydown *laydown = search->laydown;
    if (laydown->size + option->sets > MOST_GROUPS) give_up(search->escape, FAULT_ROOM);
    Group *sets = laydown->groups + laydown->size;
    laydown->size += option->sets;
    for (int index = 0; index < option->sets; index++) {
        sets[index].kind = SET;
        sets[index].size = 0;
    }
    int copies[SUITS] = {0}, order[SUITS], size = 0;
    for (int index = 0; index < option->size; index++) copies[card_suit(option->cards[index])]++;
    for (int suit = 0; suit < SUITS; suit++) {
        int place = size++;
        for (; place > 0 && copies[order[place - 1]] < copies[suit]; place--) order[place] = order[place - 1];
        order[place] = suit;
    }
    int rank = option->size ? card_rank(option->cards[0]) : 0;
    for (int index = 0; index < SUITS; index++) {
        uint8_t card = (uint8_t)(order[index] * RANKS + rank);
        bool taken[MOST_GROUPS] = {false};
        for (int copy = 0; copy < copies[order[index]]; copy++) {
            Group *group = NULL;
            if (search->rules->distinct_suits) {
                /* Each copy into another set, the shortest first. */
                for (int other = 0; other < option->sets; other++)
                    if (!taken[other] && (group == NULL || sets[other].size < group->size)) group = &sets[other];
                if (group == NULL) give_up(search->escape, FAULT_ROOM);
                taken[group - sets] = true;
            } else {
                group = shortest(sets, option->sets);
            }
            int place = group->size++;
            for (; place > 0 && group->cards[place - 1] > card; place--) group->cards[place] = group->cards[place - 1];
            group->cards[place] = card;
        }
    }
    int room[MOST_GROUPS];
    for (int index = 0; index < option->sets; index++) room[index] = most_jokers(search->rules, sets[index].size);
    for (int joker = 0; joker < option->jokers; joker++) {
        Group *group = NULL;
        for (int index = 0; index < option->sets; index++)
            if (room[index] > 0 && (group == NULL || sets[index].size < group->size)) group = &sets[index];
        if (group == NULL) give_up(search->escape, FAULT_ROOM);
        room[group - sets]--;
        group->cards[group->size++] = JOKER;
    }
}

/* Add the options of one rank or run to every total reached; returns how many totals there are then. */
static int add_options(LaySearch *search, Planner *planner, const Reached *before, int size, Reached *after, int first,
                       int jokers) {
    int points_wide = search->contract.points + 1, sets_wide = search->contract.sets + 1, after_size = 0;
    memset(planner->places, -1, (size_t)(jokers + 1) * (size_t)sets_wide * (size_t)points_wide * sizeof(int16_t));
    for (int index = 0; index < size; index++)
        for (int number = first; number < planner->options_size; number++) {
            const Option *option = &planner->options[number];
            int used = before[index].jokers + option->jokers;
            if (used > jokers) continue;
            int sets = least(search->contract.sets, before[index].sets + option->sets);
            if (search->exact && sets < before[index].sets + option->sets) continue;
            int points = least(search->contract.points, before[index].points + option->points);
            int weight = before[index].weight + option->weight;
            int16_t *place = &planner->places[(used * sets_wide + sets) * points_wide + points];
            if (*place >= 0 && after[*place].weight >= weight) continue;
            if (*place < 0) *place = (int16_t)after_size++;
            if (planner->steps_size == MOST_STEPS) give_up(search->escape, FAULT_ROOM);
            planner->steps[planner->steps_size] = (Step){before[index].path, number};
            after[*place] = (Reached){used, sets, points, weight, planner->steps_size++};
        }
    return after_size;
}

static void plan_fully(LaySearch *search, int jokers, int left) {
    if (search->scratch->planner == NULL) search->scratch->planner = malloc(sizeof(Planner));
    Planner *planner = search->scratch->planner;
    if (planner == NULL) give_up(search->escape, FAULT_MEMORY);
    if ((jokers + 1) * (search->contract.sets + 1) * (search->contract.points + 1) > MOST_REACHED)
        give_up(search->escape, FAULT_ROOM);
    planner->options_size = planner->steps_size = 0;
    int size = 1, now = 0;
    planner->reached[now][0] = (Reached){.path = -1};
    for (int index = 0; index < search->chosen_size + search->ranks_size; index++) {
        int first = planner->options_size;
        if (index < search->chosen_size)
            add_run_options(search, planner, index, jokers);
        else
            add_rank_options(search, planner, search->ranks[index - search->chosen_size], jokers);
        if (planner->options_size == first) continue;
        size = add_options(search, planner, planner->reached[now], size, planner->reached[1 - now], first, jokers);
        now = 1 - now;
    }
    int best = -1;
    bool better = false;
    for (int index = 0; index < size; index++) {
        const Reached *reached = &planner->reached[now][index];
        int rest = left - reached->weight - reached->jokers * search->weights[JOKER];
        if (reached->sets != search->contract.sets || reached->points < search->contract.points) continue;
        if (rest >= search->best) continue;
        search->best = rest;
        best = reached->path;
        better = true;
    }
    if (!better) return;
    search->found = true;
    search->laydown->size = 0;
    int path[MOST_CHOSEN + RANKS], steps = 0;
    for (; best >= 0; best = planner->steps[best].before) path[steps++] = planner->steps[best].option;
    for (int step = steps - 1 - search->chosen_size; step >= 0; step--)
        if (planner->options[path[step]].sets) split(search, &planner->options[path[step]]);
    for (int index = 0; index < search->chosen_size; index++)
        put_run(search, index, planner->options[path[steps - 1 - index]].ends);
}

void plan_sets(LaySearch *search, int jokers, int left) {
    const Rules *rules = search->rules;
    bool easy = !search->exact && !rules->joker_share && !rules->repeats && !rules->distinct_suits && !search->contract.points &&
                rules->set_maximum >= NO_LIMIT && rules->shortest_set - rules->set_naturals <= 1;
    if (easy)
        plan_easily(search, jokers, left);
    else
        plan_fully(search, jokers, left);
}

void free_planner(Scratch *scratch) {
    free(scratch->planner);
    scratch->planner = NULL;
}
