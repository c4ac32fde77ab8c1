"""Kalooki as an environment of PettingZoo, where one agent acts after another (AEC). An episode is one deal."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from kalooki_tui.api import View
from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Action, Cut
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.match import headless
from kalooki_tui.engine.public import Public
from kalooki_tui.engine.rules import make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.engine.view import View as EngineView
from kalooki_tui.notation.action_text import parse_answer
from kalooki_tui.players import make_player
from kalooki_tui.rl.observation import Observer, space
from kalooki_tui.rl.slots import FIRST_DISCARD, FIRST_LAY, SIZE, names, number_of, open_actions
from kalooki_tui.rulesets.loader import load_ruleset, resolve

Observation: TypeAlias = dict[str, Any]


class KalookiEnv(AECEnv[str, Observation, int]):
    """Deals one after another between agents called `player_0` to `player_7`, clockwise.

    At the end of a deal each agent is rewarded with the average points of the others less its own; before there is no
    reward. A void deal gives none.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "kalooki_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        ruleset: str = "jamaican",
        seats: int = 4,
        *,
        deal: int | None = None,
        options: Sequence[str] = (),
        render_mode: str | None = None,
    ) -> None:
        """Play contract `deal`, or one by chance each episode; raise ValueError for a bad setting."""
        super().__init__()
        game = resolve(load_ruleset(ruleset), options, seats)
        self.rules = make_rules(game, seats, settings=headless(game.usual_settings()))
        if deal is not None and not 1 <= deal <= len(game.deals):
            raise ValueError(f"deal: {game.name} has deals 1 to {len(game.deals)}, not {deal}")
        self.number, self.render_mode = deal, render_mode
        self.actions = names(self.rules.faces)
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.observation_spaces = {agent: space(seats) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(SIZE) for agent in self.possible_agents}
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._dice = random.Random()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. The same seed deals the same cards, also in the episodes that follow."""
        if seed is not None:
            self._dice = random.Random(seed)
        dice, seats = self._dice, self.rules.seats
        number = self.number or dice.randint(1, len(self.rules.ruleset.deals))
        dealer, shuffle = dice.randrange(seats), f"rl/{dice.random()}"
        self._deal = Deal(self.rules, tuple(self.possible_agents), number, dealer, (dealer + 1) % seats, shuffle)
        self._deal.begin()
        self._public = Public(self.rules, self._deal.in_deal, self._deal.history)
        self._observer = Observer(self.rules)
        self._moment: tuple[EngineView, dict[int, Action]] | None = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._go_on()

    def observe(self, agent: str) -> Observation:
        """Return an agent's view, and the mask of its open actions: none, where another one has to decide."""
        seat = self._seats[agent]
        decides = seat == self._deal.actor
        view, found = self._now() if decides else (self._deal.view(seat), {})
        mask = np.zeros(SIZE, np.int8)
        mask[list(found)] = 1
        return {"observation": self._observer.observe(view, self._public, found), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action of the agent to decide, None once its deal is over; raise ValueError if it is not open."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        _, found = self._now()
        if action is None or int(action) not in found:
            said = self.actions[action] if action is not None and 0 <= action < SIZE else action
            raise ValueError(f"{said} is not open to {agent} now: the action mask says what is")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._apply(found[int(action)])
        self._go_on()
        self._accumulate_rewards()

    def view(self, agent: str | None = None) -> View:
        return View(self._deal.view(self._seats[self.agent_selection if agent is None else agent]))

    def number_of(self, action: str | Action) -> int:
        """Return the number of an open action, such as `discard KH`, or of the nearest; raise ValueError for none."""
        seat = self._seats[self.agent_selection]
        if isinstance(action, str):
            action = parse_answer(action, seat, tuple(self.possible_agents), self.rules.faces)
        return number_of(action, self._now()[1])

    def render(self) -> str:
        return str(self.view())

    def close(self) -> None:
        """Do nothing: no file or process is kept open."""

    def _now(self) -> tuple[EngineView, dict[int, Action]]:
        if self._moment is None:
            assert self._deal.actor is not None
            view = self._deal.view(self._deal.actor)
            self._moment = view, open_actions(view)
        return self._moment

    def _apply(self, action: Action) -> None:
        for event in self._deal.apply(action):
            self._public.follow(event)
        self._moment = None

    def _go_on(self) -> None:
        deal = self._deal
        while deal.phase is Phase.CUT and deal.actor is not None:
            self._apply(Cut(deal.actor, self._dice.randint(1, self.rules.deck_size - 1)))
        if deal.actor is not None:
            self.agent_selection = self.possible_agents[deal.actor]
            return
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"out": deal.out == self._seats[agent], "void": deal.void} for agent in self.agents}
        if not deal.void:
            points = deal.points
            others = len(points) - 1
            for agent, seat in self._seats.items():
                self.rewards[agent] = (sum(points) - points[seat]) / others - points[seat]


#: The environment, under the name that PettingZoo's own have.
env: Final = KalookiEnv


#: Decides for the agent whose turn it is: the number of an action.
Agent: TypeAlias = Callable[[KalookiEnv, Observation], int]


def at_random(seed: int) -> Agent:
    dice = random.Random(seed)

    def decide(env: KalookiEnv, observation: Observation) -> int:
        return dice.choice(np.flatnonzero(observation["action_mask"]).tolist())

    return decide


def of_level(level: str, seed: str = "rl") -> Agent:
    """Return an agent that plays like an AI level, such as `club` or `expert/caller`; raise ValueError for others."""
    player = make_player(level, seed)

    def decide(env: KalookiEnv, observation: Observation) -> int:
        return env.number_of(player.decide(env.view().engine).action)

    return decide


def greedy(env: KalookiEnv, observation: Observation) -> int:
    mask = observation["action_mask"]
    added = np.flatnonzero(mask[FIRST_LAY:FIRST_DISCARD])
    if added.size:
        return int(FIRST_LAY + added[0])
    thrown = np.flatnonzero(mask[FIRST_DISCARD:])
    if thrown.size:
        values = env.rules.values
        return int(FIRST_DISCARD + max(thrown, key=lambda card: (card != JOKER, values[card])))
    usual = (env.actions.index(action) for action in ("allow", "pass", "draw stock"))
    return next(number for number in (*usual, *np.flatnonzero(mask).tolist()) if mask[number])
