import random
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

import kalooki_tui as kalooki
from kalooki_tui.engine.view import Phase
from tests.commands import Golden

ROOT = Path(__file__).resolve().parents[2]


"""Far more than a random match takes."""


def play_at_random(match: kalooki.Match, dice: random.Random, actions: int) -> kalooki.Match:
    """Push so many actions of `legal`, lay-downs now and then among them."""
    for _ in range(actions):
        match.push(dice.choice(match.legal(lays=dice.random() < 0.3)))
    return match


def test_everything_listed_is_allowed_and_everything_listed_can_be_taken_back() -> None:
    dice, kinds = random.Random(9), set()
    for ruleset in ("kooky", "kalookie-40", "jamaican"):
        match = kalooki.Match(ruleset, seed=2)
        for _ in range(75):
            before, record = match.copy(), match.record()
            legal = match.legal(lays=True, chains=True)
            assert len(legal) == len(set(legal))
            for action in legal[-3:]:
                match.push(action)
                assert match != before
                assert match.pop() == action
                assert match == before
                assert match.record() == record
            kinds |= {action.split()[1] for action in legal}
            match.push(dice.choice(legal))
    assert kinds >= {"draw", "call", "pass", "allow", "lay", "tack", "discard"}


@pytest.mark.parametrize(
    ("position", "listed", "on_request"),
    [
        ("K6_two-cards-an-end-a-turn", "Ann: tack 8C m1", "Ann: tack 4C 8C 9C m1"),
        ("K9_kept-in-the-hand", "Ann: swap 6C m1", None),
        ("K10_the-joker-is-used-at-once", None, "Ann: swap 6C m1 use m1 high"),
        ("K10_the-joker-is-used-at-once", None, "Ann: swap 6C m1 lay set: 9D 9S JK"),
    ],
)
def test_chains_and_uses_of_a_freed_joker_are_listed_on_request(
    position: str, listed: str | None, on_request: str | None
) -> None:
    match = kalooki.read_position(ROOT / "tests" / "positions" / f"{position}.yaml")
    few, all_of_them = set(match.legal()), set(match.legal(chains=True))
    assert few <= all_of_them
    assert listed is None or listed in few
    assert on_request is None or on_request in all_of_them - few
    for action in all_of_them:
        match.push(action)
        assert match.pop() == action


def test_the_dealers_cuts_are_listed() -> None:
    match = kalooki.Match("air-jamaica", 3, seed=1, settings={"dealer_cut": True})
    assert match.phase == Phase.CUT
    assert len(match.legal()) == match.engine.rules.deck_size - 1


def test_the_name_of_the_seat_whose_decision_it_is_may_be_left_out() -> None:
    match = kalooki.Match("baby", ["Ann", "Bob", "Cat"], seed=7)
    other = match.copy()
    match.push("pass")
    assert match != other
    other.push("Ann: PASS")
    assert match == other
    other.push("2: pass")
    assert other.actions == ["Ann: pass", "Bob: pass"]
    assert match.actions == ["Ann: pass"], "a copy goes its own way"
    assert match != kalooki.Match("baby", ["Ann", "Bob", "Cat"], seed=8)
    match = kalooki.Match("baby", ["Pass Lee", "Call", "Cat"], seed=7)
    match.push("Pass Lee: pass")
    match.push("Call: pass")
    assert match.actions == ["Pass Lee: pass", "Call: pass"], "though a seat is named as an action begins"


def test_a_refusal_has_a_code_a_clause_and_a_sentence_and_changes_nothing() -> None:
    match = kalooki.Match("baby", ["Ann", "Bob", "Cat"], seed=7)
    before = match.copy()
    with pytest.raises(kalooki.Refused, match="Ann is asked first") as caught:
        match.push("Bob: pass")
    assert (caught.value.code, caught.value.clause) == ("turn.not-yours", "D30")
    assert caught.value.message == str(caught.value)
    assert match == before
    assert match.actions == []


def test_a_charged_attempt_is_a_step_that_can_be_taken_back() -> None:
    match = kalooki.Match("jamaican", 3, seed=4, referee="penalties", settings={"bad_lay": 50})
    while match.phase != Phase.PLAY:
        match.push("pass" if match.phase == Phase.CALL_WINDOW else "draw stock")
    before = match.copy()
    hand = match.view().hand
    with pytest.raises(kalooki.Refused):
        match.push(f"lay {' '.join(hand[:3])}")
    assert match != before
    assert len(match.actions) == len(before.actions) + 1
    match.pop()
    assert match == before


def test_the_next_deal_can_be_dealt_by_hand() -> None:
    match, dice = kalooki.Match("baby", 3, seed=1, auto_deal=False), random.Random(4)
    play = kalooki.Match("baby", 3, seed=1)
    while match.actor is not None:
        action = dice.choice(match.legal(lays=True))
        match.push(action)
        play.push(action)
    assert (match.phase, match.legal()) == ("over", [])
    with pytest.raises(ValueError, match="no seat has to decide"):
        match.view()
    assert match.view("Ann").actor is None
    match.next_deal()
    assert match == play
    with pytest.raises(kalooki.Refused):
        match.next_deal()


def test_a_void_contract_can_be_passed_over() -> None:
    match, dice = kalooki.Match("baby", 3, seed=1, auto_deal=False), random.Random(4)
    while match.actor is not None:
        match.push(dice.choice(match.legal()))
    match.next_deal(pass_over=True)
    assert match.deal == 2
    assert match.scores == [
        kalooki.DealScore(1, {"Ann": 0, "Bob": 0, "Cat": 0}, {"Ann": 0, "Bob": 0, "Cat": 0}, None, False, "2 sets")
    ]


def test_what_is_public_shows_no_hand() -> None:
    match = play_at_random(kalooki.Match("jamaican", 4, seed=6), random.Random(6), 300)
    hands = [" ".join(match.view(name).hand) for name in match.names]
    for text in (str(match), repr(match), repr(match.view("Ann"))):
        assert not any(hand in text for hand in hands)
    assert str(match.view("Bob")) == f"{match}\nBob holds {hands[1]}"
    assert "Ann" in str(match)
    assert "points" in str(match)


def test_a_view_holds_the_same_when_hidden_cards_are_others() -> None:
    match = play_at_random(kalooki.Match("jamaican", 3, seed=6), random.Random(1), 200)
    other = match.copy()
    mine, theirs = other.engine.deal.hands[1], other.engine.deal.hands[2]
    mine[:], theirs[:] = (mine + theirs)[-len(mine) :], (mine + theirs)[: len(theirs)]
    assert match != other
    first, second = match.view("Ann"), other.view("Ann")
    assert (str(first), first.log, first.message(), first.hello()) == (
        str(second),
        second.log,
        second.message(),
        second.hello(),
    )


def test_replay_shows_each_moment() -> None:
    match = play_at_random(kalooki.Match("baby", 3, seed=2), random.Random(2), 60)
    again = kalooki.Match("baby", 3, seed=2)
    for text, before in match.replay():
        assert before == again
        assert before.record() == again.record()
        if again != kalooki.Match("baby", 3, seed=2):
            assert before.copy().pop() == again.copy().pop()
        again.push(text)
    assert again == match


def properties(thing: kalooki.Match | kalooki.View) -> list[str]:
    """All that it shows, a line each."""
    names = [
        name
        for name, value in vars(type(thing)).items()
        if isinstance(value, property) and name not in ("engine", "actions")
    ]
    return [f"  {name}: {getattr(thing, name)}" for name in names]


def test_what_a_match_and_its_views_show(golden: Golden) -> None:
    lines = []
    for ruleset, seats, referee in (
        ("jamaican", 4, "penalties"),
        ("kalookie-40", 3, "strict"),
        ("tuluki", 2, "strict"),
    ):
        dice, match = random.Random(5), kalooki.Match(ruleset, seats, seed=5, referee=referee)
        for actions in (1, 30, 150):
            play_at_random(match, dice, actions)
            view = match.view()
            lines += [
                f"{ruleset} {len(match.actions)}: {match.actions[-1]}",
                str(match),
                *properties(match),
                *map(str, match.scores),
            ]
            lines += [str(view), *properties(view), f"best: {view.best_lay()}", *match.legal(lays=True)]
        for attempt in ("pass", "allow", "draw stock", f"lay {' '.join(match.view().hand[:2])}"):
            with suppress(kalooki.Refused):
                match.push(attempt)
        lines += map(str, match.record()[-4:])
    golden("api", "\n".join(lines))


def test_counting_lines_leaves_the_match_as_it_was() -> None:
    match = kalooki.Match("tuluki", seed=1)
    before = match.copy()
    assert kalooki.count_lines(match, 1) == len(match.legal())
    assert kalooki.count_lines(match, 3) > kalooki.count_lines(match, 2)
    assert match == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"ruleset": "jamaica"}, "did you mean 'jamaican'"),
        ({"seats": 2}, "is played with 3 to 8 seats, not 2"),
        ({"seats": 40}, "not 40"),
        ({"seats": ["Ann", "Bob"]}, "not 2"),
        ({"seats": ["Ann", "Ann", "Bob"]}, "two seats are"),
        ({"referee": "lenient"}, "choose from: strict, penalties"),
        ({"ruleset": "classic", "referee": "penalties"}, "strict referee only"),
        ({"options": ["gold"]}, "gold"),
        ({"settings": {"speed": 3}}, "there is no setting 'speed'"),
        ({"first_turn": "Zoe"}, "no seat is called 'Zoe'"),
        ({"players": {"Zoe": "human"}}, "no seat is called 'Zoe'"),
    ],
)
def test_bad_arguments_are_clear_errors(arguments: Mapping[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        kalooki.Match(**arguments)  # type: ignore[arg-type]


def test_a_text_that_is_no_action_is_an_error_and_nothing_can_be_taken_back_at_the_start() -> None:
    match = kalooki.Match("baby", ["Ann", "Bob", "Cat"], seed=7)
    for text in ("", "Ann", "draw sock", "Zoe: pass", "discard 5Z", ":", "Ann: lay |"):
        with pytest.raises(ValueError, match=r"\w"):
            match.push(text)
    assert match.actions == []
    with pytest.raises(IndexError):
        match.pop()
    with pytest.raises(ValueError, match="no seat is called"):
        match.view("Zoe")
    with pytest.raises(TypeError):
        hash(match)


IMPORTED = """
import sys
import kalooki_tui as kalooki
kalooki.Match("baby").view().best_lay()
kalooki.best_lay("5C 5D 5H")
from kalooki_tui.rulesets.loader import catalogue, make_settings, resolve
assert all(entry.ruleset for entry in catalogue())
make_settings(resolve("jamaican", ["third-pack"], 5), {"bad_lay": 50, "race": False})
assert {"pydantic", "ruamel"}.isdisjoint(sys.modules)
from kalooki_tui import *
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_nothing_that_draws_keeps_or_checks_files_is_loaded() -> None:
    result = subprocess.run([sys.executable, "-c", IMPORTED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert {"textual", "rich", "sqlite3", "click"}.isdisjoint(result.stdout.split())


class Dice:
    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.seats: set[str] = set()

    def decide(self, view: kalooki.View) -> str:
        self.seats.add(view.seat)
        lay = view.best_lay()
        action = self.dice.choice([*view.legal, *([str(lay)] if lay else [])])
        return f"{view.seat}: {action}" if self.dice.random() < 0.5 else action


@pytest.mark.parametrize("ruleset", ["baby", "tuluki", "kalookie-40"])
def test_a_bot_plays_against_the_built_in_levels(ruleset: str) -> None:
    bot = Dice(1)
    seats: dict[str, kalooki.Bot | str] = {"Me": bot, "Ada": "ai:novice"}
    if ruleset == "baby":
        seats["Bea"] = "ai:club/caller"
    match = kalooki.play(seats, ruleset, seed=3)
    assert match.is_over
    assert match == kalooki.play({**seats, "Me": Dice(1)}, ruleset, seed=3)
    assert bot.seats == {"Me"}
    assert match.players["Me"] == "bot"
    assert kalooki.read_record(match.record()) == match


def test_a_bots_forbidden_answer_is_refused_and_a_bad_one_is_an_error() -> None:
    def greedy(view: kalooki.View) -> str:
        return "draw stock"

    def shy(view: kalooki.View) -> str:
        return "hello"

    with pytest.raises(kalooki.Refused):
        kalooki.play({"A": greedy, "B": greedy, "C": greedy}, "baby", seed=1)
    with pytest.raises(ValueError, match="the bot of B: 'hello' is"):
        kalooki.play({"A": shy, "B": shy, "C": shy}, "baby", seed=1)
    for player, said in (("club", "ai:"), ("ai:guru", "there is no AI level 'guru'")):
        with pytest.raises(ValueError, match=said):
            kalooki.play({"A": player, "B": "ai:novice", "C": "ai:novice"}, "baby", seed=1)
