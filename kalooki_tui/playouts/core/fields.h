/* Numbers that Python hands over, by name and in order. The structs are made of these lists, and Python compares the
 * names with its own when the library is loaded (kalooki_fields, library.py). */
#ifndef KALOOKI_FIELDS_H
#define KALOOKI_FIELDS_H

/* The policies of a ruleset at one table (marshal.py); -1 for a limit: there is none. */
#define RULE_FIELDS(FIELD)                                                                                 \
    FIELD(seats) FIELD(packs) FIELD(jokers) FIELD(wild) /* a mask of ranks; H7 */                                                            \
    FIELD(set_minimum) FIELD(set_maximum) FIELD(set_naturals) FIELD(distinct_suits) /* M1, M7, K1 */       \
    FIELD(run_minimum) FIELD(run_longest) FIELD(run_naturals) FIELD(kisses) FIELD(jokers_when_shortest) /* M2-M9 */ \
    FIELD(corner) /* H15 */                                                                                \
    FIELD(joker_share) /* 0 any, 1 no more than naturals, 2 fewer; H11 */                                  \
    FIELD(repeats) FIELD(full_suit) FIELD(exact) FIELD(further_melds) FIELD(same_turn_tack) /* M8, L6, H10, L8, H4 */ \
    FIELD(laid_takes) FIELD(flips) FIELD(throw_back) FIELD(must_use) /* C1, U1, H5, H6 */                 \
    FIELD(call_limit) FIELD(laid_calls) FIELD(call_penalty) FIELD(nearest) /* C5, C9, H2, H3 */           \
    FIELD(both_ends) FIELD(own_jokers) FIELD(end_limit) /* K2-K6 */                                        \
    FIELD(swap) /* K7-K10, H1, H12 */                                                                              \
    FIELD(throws_jokers) FIELD(keeps_last) /* S1, G1 */                                                    \
    FIELD(doubling) FIELD(bend_bonus) FIELD(add_on) /* G4, H14, G5 */                                      \
    FIELD(penalties) /* whether attempts are charged */                                                    \
    FIELD(over_call) FIELD(over_call_points) FIELD(wrong_challenge) FIELD(drops_out) /* F2, F3 */          \
    FIELD(laid_challenged) FIELD(over_call_forbids) /* D13, F2 */                                          \
    FIELD(late_bad_lay) /* points, F1a; 0: none */                                                         \
    FIELD(max_turns) /* without a lay-down, of each seat, D33; 0: any number */

/* What the choices of a seat weigh (worlds.py). */
#define WEIGHT_FIELDS(FIELD)                                                                               \
    FIELD(keep) FIELD(risk) FIELD(risk_laid) FIELD(take_gain) FIELD(call_gain) FIELD(pair) FIELD(hold)     \
    FIELD(feed) FIELD(meld) FIELD(laid_meld) FIELD(laid_near) FIELD(horizon)

/* What a choice is known by that an expert may have learnt to make otherwise (worlds.py): of every choice, ... */
#define COMMON_FEATURES(FIELD)                                                                             \
    FIELD(sets_of_the_contract) FIELD(runs_of_the_contract) FIELD(seats_in_the_deal) FIELD(own_cards)      \
    FIELD(own_points) FIELD(own_jokers) FIELD(cards_from_the_contract) FIELD(own_calls)                    \
    FIELD(calls_of_the_others) FIELD(stock) FIELD(own_throws) FIELD(others_that_have_laid)                 \
    FIELD(fewest_cards_of_another) FIELD(fewest_cards_of_another_that_has_laid)                            \
    FIELD(cards_of_the_next_seat) FIELD(next_seat_has_laid) FIELD(seats_from_the_turn) FIELD(reshuffles)   \
    FIELD(worth_of_the_hand)
/* ... of a card to call, refuse or take, ... */
#define CARD_FEATURES(FIELD)                                                                               \
    FIELD(cards_from_the_contract_with_it) FIELD(gain) FIELD(the_weights_would) FIELD(points)              \
    FIELD(is_a_joker) FIELD(own_of_its_rank) FIELD(own_near_it) FIELD(fits_the_table)                      \
    FIELD(copies_unseen) FIELD(seats_to_the_other) FIELD(cards_of_the_other) FIELD(calls_of_the_other)     \
    FIELD(the_other_has_laid) FIELD(cards_left_by_laying) FIELD(points_left_by_laying)                     \
    FIELD(cards_left_by_laying_with_it) FIELD(danger) FIELD(gain_of_a_card_on_average)
/* ... and of laying the contract. */
#define LAYING_FEATURES(FIELD)                                                                             \
    FIELD(cards_left) FIELD(points_left) FIELD(left_that_fit_the_table) FIELD(dearest_left)                \
    FIELD(left_with_a_neighbour) FIELD(jokers_left) FIELD(melds)

#define IN_ENUM(name) F_##name,
enum { COMMON_FEATURES(IN_ENUM) OF_CARD, OF_LAYING = OF_CARD };
enum { F_OF_CARD_BEGIN = OF_CARD - 1, CARD_FEATURES(IN_ENUM) FEATURES };
enum { F_OF_LAYING_BEGIN = OF_LAYING - 1, LAYING_FEATURES(IN_ENUM) OF_LAYING_END };
#undef IN_ENUM

#endif
