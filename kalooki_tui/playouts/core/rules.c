/* What follows from a ruleset's policies (shape.py, away.run_windows). */
#include <stdlib.h>

#include "kalooki.h"

_Noreturn void give_up(jmp_buf *escape, int fault) { longjmp(*escape, fault); }

/* Fewest natural cards that must be added to a run of `length` cards whose places `held` (bit 0: the first) are filled
 * with naturals, whatever the number of jokers (M6, M7, M9). */
int rules_forced(const Rules *rules, int length, unsigned held) {
    int missing = length - bit_count(held);
    int need = most(0, needs_naturals(rules, rules->run_naturals, length) - bit_count(held));
    if (!rules->kisses && missing > 1) {
        int gap = 0, pairs = 0;
        for (int index = 0; index < length; index++) {
            if (held >> index & 1) {
                pairs += gap / 2;
                gap = 0;
            } else {
                gap++;
            }
        }
        need = most(need, pairs + gap / 2);
    }
    if (length == rules->shortest_run && rules->shortest_jokers >= 0)
        need = most(need, missing - rules->shortest_jokers);
    return need;
}

static int compare_windows(const void *left, const void *right) {
    const Window *one = left, *other = right;
    if (one->missing != other->missing) return one->missing - other->missing;
    if (one->forced != other->forced) return one->forced - other->forced;
    return one->used - other->used;
}

/* The ways to a run in a suit that holds `ranks`; none that uses the same ranks at no less cost. */
static int windows_of(const Rules *rules, unsigned ranks, Window *found) {
    unsigned held = places_of(rules, ranks);
    int size = 0;
    for (int length = rules->shortest_run; length <= rules->shortest_run + 1; length++) {
        if (length > rules->shortest_run && (rules->shortest_jokers < 0 || length > rules->run_longest)) break;
        for (int low = 0; low < run_starts(rules, length); low++) {
            unsigned here = held >> low & ((1u << length) - 1);
            Window window = {
                .missing = (uint8_t)(length - bit_count(here)),
                .forced = (uint8_t)rules_forced(rules, length, here),
                .used = (uint16_t)ranks_of(here << low),
            };
            bool dominated = false;
            for (int index = 0; index < size && !dominated; index++)
                dominated = found[index].used == window.used && found[index].missing <= window.missing &&
                            found[index].forced <= window.forced;
            if (!dominated) found[size++] = window;
        }
    }
    qsort(found, (size_t)size, sizeof *found, compare_windows);
    return size;
}

/* Work out the second part of the rules; false: they are not what can be played here, or memory is short. */
bool rules_finish(Rules *rules) {
    rules->shortest_set = most(rules->set_minimum, rules->set_naturals);
    rules->set_naturals = needs_naturals(rules, rules->set_naturals, rules->shortest_set);
    rules->shortest_run = most(rules->run_minimum, rules->run_naturals);
    rules->shortest_jokers = rules->run_naturals <= rules->run_minimum ? rules->jokers_when_shortest : -1;
    for (int card = 0; card < KINDS; card++) rules->weights[card] = rules->values[card] * 64 + 1;
    if (rules->shortest_run > RANKS || rules->seats > MOST_SEATS) return false;
    Window found[2 * POSITIONS];
    uint32_t size = 0, room = 0;
    rules->windows = NULL;
    for (unsigned ranks = 0; ranks <= ALL_RANKS; ranks++) {
        int number = windows_of(rules, ranks, found);
        if (size + (uint32_t)number > room) {
            room = room * 2 + 4096;
            Window *more = realloc(rules->windows, room * sizeof *more);
            if (more == NULL) return false;
            rules->windows = more;
        }
        rules->windows_from[ranks] = size;
        for (int index = 0; index < number; index++) rules->windows[size++] = found[index];
    }
    rules->windows_from[ALL_RANKS + 1] = size;
    return true;
}
