"""A whole match between players: your own functions and objects, and the built-in levels."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from kalooki_tui.api import arguments
from kalooki_tui.api.match import DEFAULT_RULESET, Match, Settings
from kalooki_tui.api.view import View
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.cards import NotationError
from kalooki_tui.players import make_player
from kalooki_tui.players.protocol import Player


@runtime_checkable
class Decides(Protocol):
    """An object that plays a seat."""

    def decide(self, view: View) -> str:
        """The answer, such as ``draw stock``."""
        ...


Bot: TypeAlias = Callable[[View], str] | Decides
"""A player of a seat: a function, or an object with `decide`; it is given a `View` and answers with an action."""


def play(
    seats: Mapping[str, Bot | str],
    ruleset: str = DEFAULT_RULESET,
    *,
    seed: int | None = None,
    options: Sequence[str] = (),
    referee: str = Referee.STRICT,
    settings: Settings | None = None,
) -> Match:
    """Play a match to its end, and return it. `seats` says by name, clockwise, who plays: a bot, or ``ai:LEVEL``.

    Nobody draws for seats. The same seed gives the same match, if the bots do the same.

    Raises:
        ValueError: as for `Match`; there is no such level; or a bot's answer is no action.
        Refused: the rules forbid what a bot answered.
    """
    arguments.named(seats, "seats are a mapping of names to bots or to levels, such as ai:club")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    levels: dict[str, Player] = {}
    for number, (name, player) in enumerate(seats.items()):
        if isinstance(player, Decides) or callable(player):
            continue
        what = f"{name} is played by a bot or by ai: and a level, such as ai:club"
        if not arguments.text(player, what).startswith("ai:"):
            raise ValueError(f"{what}, not {player!r}")
        levels[name] = make_player(player.removeprefix("ai:"), f"{seed}/player {number}")
    players = {name: player if isinstance(player, str) else "bot" for name, player in seats.items()}
    match = Match(
        ruleset, tuple(seats), seed=seed, options=options, referee=referee, settings=settings, players=players
    )
    while (actor := match.actor) is not None:
        view = match.view(actor)
        if actor in levels:
            match.push(levels[actor].decide(view.engine).action)
            continue
        bot = seats[actor]
        assert not isinstance(bot, str)
        said = bot.decide(view) if isinstance(bot, Decides) else bot(view)
        answer = arguments.text(said, f"the bot of {actor} answers with an action, such as draw stock")
        try:
            match.push(f"{actor}: {answer.removeprefix(f'{actor}:').strip()}")
        except NotationError as error:
            raise ValueError(f"the bot of {actor}: {error}") from None
    return match
