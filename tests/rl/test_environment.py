import importlib
import random
import re
import sys
import warnings
from collections import Counter
from itertools import islice
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.view import Phase
from kalooki_tui.rl import KalookiEnv, at_random, env, greedy, of_level
from kalooki_tui.rl.observation import PHASES, shapes
from kalooki_tui.rl.slots import FIRST_DISCARD, FIRST_LAY
from kalooki_tui.rulesets.folders import available
from tests.commands import Golden
from tests.moments import there

RULESETS = [entry.id for entry in available()]


def table(ruleset: str = "jamaican", **given: int) -> KalookiEnv:
    seats = given.pop("seats", 2 if ruleset == "tuluki" else 3)
    found = env(ruleset, seats, **given)
    found.reset(seed=1)
    return found


@pytest.mark.parametrize("ruleset", ["jamaican", "tuluki"])
def test_it_passes_the_tests_of_pettingzoo(ruleset: str) -> None:
    with warnings.catch_warnings():
        # It advises against an observation of several arrays.
        warnings.simplefilter("ignore", UserWarning)
        api_test(table(ruleset), num_cycles=300)
    seed_test(lambda: table(ruleset), num_cycles=100)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_episode_is_a_deal_and_its_rewards_are_the_margins(ruleset: str) -> None:
    found, agent = table(ruleset), at_random(1)
    for _ in found.agent_iter():
        observation, _, over, broken_off, _ = found.last()
        if over or broken_off:
            break
        assert found.observation_space(found.agent_selection).contains(observation)
        found.step(agent(found, observation))
    deal = found._deal
    assert deal.phase is Phase.OVER
    rewards = [found.rewards[agent] for agent in found.possible_agents]
    total = sum(deal.points)
    assert rewards == [(total - own) / (len(rewards) - 1) - own for own in deal.points]
    assert abs(sum(rewards)) < 1e-9
    assert [found.infos[agent]["out"] for agent in found.agents].count(True) == (deal.out is not None)
    for _ in found.possible_agents:
        found.step(None)
    assert found.agents == []


@pytest.mark.sweep(4)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_open_action_is_allowed_and_does_what_it_is_called(ruleset: str) -> None:
    found, dice = table(ruleset), random.Random(2)
    for _ in range(250):
        if found._deal.actor is None:
            found.reset()
        observation = found.observe(found.agent_selection)
        numbers = np.flatnonzero(observation["action_mask"]).tolist()
        assert numbers
        for number in numbers:
            action = found._now()[1][number]
            assert found._deal.why_not(action) is None, found.actions[number]
            assert found.number_of(action) == number
        number = dice.choice(numbers)
        throws = [one - FIRST_DISCARD for one in numbers if FIRST_DISCARD <= one < FIRST_DISCARD + JOKER]
        if throws and (chosen := greedy(found, observation) - FIRST_DISCARD) >= 0:
            assert found.rules.values[chosen] == max(found.rules.values[one] for one in throws), chosen
        name = found.actions[number]
        if name.split()[0] not in ("lay", "chain", "swap", "tack"):
            assert found.number_of(name) == number
        found.step(number)


def test_what_agents_see_and_what_is_open_to_them(golden: Golden) -> None:
    lines = []
    for ruleset, level in (("tuluki", "club"), ("kalookie-40", "club"), ("baby", "novice")):
        found, agent, total = table(ruleset), of_level(level), 0
        for number, name in enumerate(islice(found.agent_iter(), 400)):
            observation, reward, over, _, info = found.last()
            action = None if over else agent(found, observation)
            seen = (*observation["observation"].values(), observation["action_mask"])
            total = crc32(b"".join(array.tobytes() for array in seen), total)
            if over or number % 24 < 4:
                lines.append(f"{ruleset} {number} {name} {reward} {info} {action if over else found.actions[action]}")
            if not over and number % 24 < 1:
                for array, values in observation["observation"].items():
                    counts = zip(np.argwhere(values).tolist(), values[values > 0].tolist(), strict=True)
                    lines.append(f"  {array}: {', '.join(f'{place}={count}' for place, count in counts)}")
                opened = [found.actions[one] for one in np.flatnonzero(observation["action_mask"])]
                lines.append(f"  open: {' | '.join(opened)}")
            found.step(action)
        lines.append(f"all that was seen and open: {total:08x}")
    golden("environment", "\n".join(lines))


def test_the_same_moment_with_other_hidden_cards_is_the_same_observation() -> None:
    found, agent = table(seats=3), at_random(4)
    for _ in range(120):
        found.step(agent(found, found.last()[0]))
        deal, seat = found._deal, found._seats[found.agent_selection]
        before = found.observe(found.agent_selection)
        others = [other for other in range(3) if other != seat]
        hidden = [*deal.stock, *(card for other in others for card in deal.hands[other])]
        kept = deal.stock, [hand[:] for hand in deal.hands]
        random.Random(5).shuffle(hidden)
        cards = iter(hidden)
        deal.stock = list(islice(cards, len(deal.stock)))
        for other in others:
            deal.hands[other] = list(islice(cards, len(deal.hands[other])))
        found._moment = None
        after = found.observe(found.agent_selection)
        deal.stock, deal.hands = kept
        found._moment = None
        assert np.array_equal(before["action_mask"], after["action_mask"])
        for array in before["observation"]:
            assert np.array_equal(before["observation"][array], after["observation"][array]), array


def test_the_best_lay_down_comes_first_and_its_cards_are_shown() -> None:
    found, agent = table("baby", deal=1), of_level("club")
    laid = 0
    while laid < 3:
        if found._deal.actor is None:
            found.reset()
        observation = found.last()[0]
        if observation["action_mask"][FIRST_LAY] and not observation["observation"]["laid"][0]:
            best = there(found.view().best_lay())
            cards = Counter(found.rules.faces.text(card) for card in np.repeat(
                np.arange(53), observation["observation"]["lays"][0]).tolist())  # fmt: skip
            assert cards == Counter(" ".join(best.melds).replace("run: ", "").split())
            laid += 1
        found.step(agent(found, observation))


def test_what_is_not_open_is_an_error_and_changes_nothing() -> None:
    found = table()
    before = found.observe(found.agent_selection)
    with pytest.raises(ValueError, match="discard KH is not open to player_"):
        found.step(found.actions.index("discard KH"))
    with pytest.raises(ValueError, match="None is not open"):
        found.step(None)
    with pytest.raises(ValueError, match="no number stands for"):
        found.number_of("discard KH")
    after = found.observe(found.agent_selection)
    assert np.array_equal(before["action_mask"], after["action_mask"])
    assert str(found.view()) == found.render()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(("nowhere",), "nowhere"), (("jamaican", 12), "not 12"), (("jamaican", 4, 10), "deals 1 to 9, not 10")],
)
def test_a_table_that_cannot_be_is_an_error(arguments: tuple[str, ...], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        KalookiEnv(*arguments[:2], deal=arguments[2] if len(arguments) > 2 else None)


def test_a_deal_in_which_nobody_lays_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.engine.match.HEADLESS_TURNS", 2)
    found, agent = table(), at_random(1)
    while not any(found.terminations.values()):
        found.step(agent(found, found.last()[0]))
    assert all(info == {"out": False, "void": True} for info in found.infos.values())
    assert not any(found.rewards.values())


def test_without_its_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    for name in [name for name in sys.modules if name.startswith("kalooki_tui.rl")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=r"needs the extra rl; kalooki doctor"):
        importlib.import_module("kalooki_tui.rl")


RL_PAGE = Path(__file__).resolve().parents[2] / "docs" / "rl.md"


def test_every_array_and_every_kind_of_action_is_on_the_page() -> None:
    text = RL_PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"`(\w+)`", text)) >= set(shapes(4))
    assert {name.split()[0] for name in env().actions if " " in name} <= set(re.findall(r"`(\w+)", text))
    assert len(PHASES) == 7
