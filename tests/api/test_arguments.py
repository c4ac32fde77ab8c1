from collections.abc import Callable, Mapping
from typing import Any

import pytest

import kalooki_tui as kalooki

NAMES = "Ann", "Bob", "Cat"
LEVELS = dict.fromkeys(NAMES, "ai:novice")


def match() -> kalooki.Match:
    return kalooki.Match("baby", NAMES, seed=7)


def answering(value: Any) -> Mapping[str, kalooki.Bot]:
    return dict.fromkeys(NAMES, lambda view: value)


#: By what is handed over: who takes it, and how the sentence begins.
TAKES: dict[str, tuple[Callable[[Any], object], str]] = {
    "hand of best_lay": (kalooki.best_lay, "hand: "),
    "hand of distance": (kalooki.distance, "hand: "),
    "hand of useful_cards": (kalooki.useful_cards, "hand: "),
    "ruleset of a hand": (lambda value: kalooki.best_lay("5C", value), "ruleset: "),
    "deal of a hand": (lambda value: kalooki.best_lay("5C", deal=value), "deal: "),
    "options of a hand": (lambda value: kalooki.distance("5C", options=value), "options: "),
    "ruleset of a match": (kalooki.Match, "a ruleset is "),
    "options of a match": (lambda value: kalooki.Match("baby", options=value), "options are "),
    "referee": (lambda value: kalooki.Match("baby", referee=value), "there is no referee"),
    "player of a match": (lambda value: kalooki.Match("baby", NAMES, players={"Ann": value}), "players are "),
    "action": (lambda value: match().push(value), "an action is a text "),
    "level to advise": (lambda value: kalooki.advise(match(), value), "level: "),
    "worlds": (lambda value: kalooki.advise(match(), worlds=value), "worlds: "),
    "level to decide": (lambda value: kalooki.decide(match(), value), "level: "),
    "seed to decide": (lambda value: kalooki.decide(match(), "novice", seed=value), "seed: "),
    "what to advise on": (kalooki.advise, "advice is given on "),
    "seats to play": (kalooki.play, "seats are a mapping "),
    "name of a seat to play": (lambda value: kalooki.play({value: "ai:novice"}), "seats are a mapping "),
    "player of a seat": (lambda value: kalooki.play({**LEVELS, "Ann": value}, "baby"), "Ann is played by "),
    "answer of a bot": (lambda value: kalooki.play(answering(value), "baby", seed=1), "the bot of "),
    "match to count in": (lambda value: kalooki.count_lines(value, 1), "lines are counted in a Match"),
    "depth": (lambda value: kalooki.count_lines(match(), value), "depth: "),
    "position": (kalooki.read_position, "a position is read from "),
    "record": (kalooki.read_record, "a record is read from "),
}
#: What None leaves open may still not be anything at all.
MAY_BE_LEFT_OUT: dict[str, tuple[Callable[[Any], object], str]] = {
    "seats of a match": (lambda value: kalooki.Match("baby", value), "seats must be "),
    "seats of a hand": (lambda value: kalooki.best_lay("5C", seats=value), "seats: "),
    "seed of a match": (lambda value: kalooki.Match("baby", seed=value), "a seed is "),
    "seed to play": (lambda value: kalooki.play(LEVELS, "baby", seed=value), "a seed is "),
    "settings": (lambda value: kalooki.Match("baby", settings=value), "settings are "),
    "first turn": (lambda value: kalooki.Match("baby", first_turn=value), "a seat is named "),
    "players": (lambda value: kalooki.Match("baby", players=value), "players are "),
    "seat of legal": (lambda value: match().legal(value), "a seat is named "),
    "seat of a view": (lambda value: match().view(value), "a seat is named "),
}


@pytest.mark.parametrize("what", [*TAKES, *MAY_BE_LEFT_OUT])
def test_what_is_of_the_wrong_kind_is_a_value_error(what: str) -> None:
    take, says = TAKES.get(what) or MAY_BE_LEFT_OUT[what]
    for value in (1.5, b"5C", None if what in TAKES else object()):
        with pytest.raises(ValueError, match=f"^{says}"):
            take(value)
