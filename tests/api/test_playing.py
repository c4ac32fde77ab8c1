import random

import pytest

import kalooki_tui as kalooki


class Dice:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.seats: set[str] = set()

    def decide(self, view: kalooki.View) -> str:
        self.seats.add(view.seat)
        lay = view.best_lay()
        return self.dice.choice([*view.legal, *([str(lay)] if lay else [])])


@pytest.mark.parametrize("ruleset", ["baby", "tuluki", "kalookie-40"])
def test_a_bot_plays_against_the_built_in_levels(ruleset: str) -> None:
    bot = Dice(1)
    seats: dict[str, kalooki.Bot | str] = {"Me": bot, "Ada": "ai:novice"}
    if ruleset == "baby":
        seats["Bea"] = "ai:club/caller"
    match = kalooki.play(seats, ruleset, seed=3)
    assert match.is_over
    assert bot.seats == {"Me"}
    assert match.players["Me"] == "bot"
    assert kalooki.read_record(match.record()) == match


def test_a_match_of_levels_is_the_same_for_the_same_seed() -> None:
    seats: dict[str, kalooki.Bot | str] = {"Ada": "ai:novice", "Bea": "ai:novice", "Cy": "ai:novice"}
    first, second = (kalooki.play(seats, "baby", seed=5) for _ in range(2))
    assert first == second
    assert first.record() == second.record()
    assert first != kalooki.play(seats, "baby", seed=6)


def test_an_answer_with_the_seats_name_is_taken() -> None:
    def plain(view: kalooki.View) -> str:
        return f"{view.seat}: {view.legal[0]}"

    match = kalooki.play({"A": plain, "B": plain, "C": plain}, "baby", seed=1, settings={"max_redeals": 1})
    assert match.is_over


def test_a_bots_forbidden_answer_is_refused_and_a_bad_one_is_an_error() -> None:
    def greedy(view: kalooki.View) -> str:
        return "draw stock"

    def shy(view: kalooki.View) -> str:
        return "hello"

    with pytest.raises(kalooki.Refused):
        kalooki.play({"A": greedy, "B": greedy, "C": greedy}, "baby", seed=1)
    with pytest.raises(ValueError, match="the bot of B: 'hello' is"):
        kalooki.play({"A": shy, "B": shy, "C": shy}, "baby", seed=1)


@pytest.mark.parametrize(("player", "said"), [("club", "ai:"), ("ai:guru", "there is no AI level 'guru'")])
def test_a_level_that_is_none_is_an_error(player: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        kalooki.play({"A": player, "B": "ai:novice", "C": "ai:novice"}, "baby", seed=1)
