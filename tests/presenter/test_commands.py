from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any
from unittest.mock import create_autospec, patch

import pytest
from msgspec.structs import replace

from kalooki_tui.engine.actions import Action, Draw, Group, Kind, Lay, Source
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.match.live_match import Table
from kalooki_tui.match.seating import parse_seats
from kalooki_tui.presenter import commands
from kalooki_tui.presenter.commands import BY_NAME, COMMANDS, CONSENT, Command
from kalooki_tui.presenter.moves import Moves
from kalooki_tui.presenter.prompts import footer_names, prompt_for
from kalooki_tui.presenter.turn_state import TurnState
from kalooki_tui.session.client import Client
from kalooki_tui.session.plan import MatchPlan
from kalooki_tui.solver import best_lay
from kalooki_tui.tui.screens.base import GameScreen
from kalooki_tui.tui.screens.table import TableScreen
from kalooki_tui.tui.tableside.controls import Tuning
from kalooki_tui.tui.tableside.questions import TableQuestions
from tests.moments import there


def opened() -> tuple[Table, TurnState]:
    """A table at which a person is asked first, and the state with that person's hand open."""
    table = MatchPlan(ruleset="baby", seats=parse_seats(("Ann", "Bob", "Cat")), seed=3).open()
    actor = there(table.match.actor)
    state = TurnState(table.view(actor), table.match.why_not)
    state.open(table.view(actor))
    return table, state


def test_keys_and_names_are_each_used_once() -> None:
    keys = [key for command in COMMANDS for key in command.keys.split(",")]
    assert len(keys) == len(set(keys))
    assert len(BY_NAME) == len((*COMMANDS, *CONSENT))


@pytest.fixture(scope="module")
def stand_in() -> Any:
    """In the place of a screen: it has all that a screen has, and does nothing. Making it takes longest."""
    with patch.object(GameScreen, "app", None):  # there is none
        at: Any = create_autospec(TableScreen, instance=True)
    at.moves = create_autospec(Moves, instance=True)
    at.state = create_autospec(TurnState, instance=True)
    at.client = create_autospec(Client, instance=True)
    at.tuning = create_autospec(Tuning, instance=True)
    at.questions = create_autospec(TableQuestions, instance=True)
    at.why_no_seats.return_value = None
    return at


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_can_be_run_and_asked_about(command: Command, stand_in: Any) -> None:
    at = stand_in
    at.reset_mock()
    at.state = create_autospec(TurnState, instance=True)
    command.run(at)
    assert len(at.mock_calls) + len(at.moves.mock_calls) + len(at.questions.mock_calls) >= 1
    command.why(at)
    _, state = opened()
    at.state = state
    assert command.words(at)
    assert isinstance(command.why_not(at), Refusal | None)


def test_a_reason_that_is_raised_counts_as_one_returned() -> None:
    refusal = Refusal("x", "V1", "Not now.")

    def never(at: object) -> Refusal | None:
        raise Refused(refusal)

    assert Command("never", "n", "Never", "Never.", lambda at: None, never).why_not(None) == refusal


def test_sentences_name_the_keys_that_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    table, state = opened()
    assert "c calls it" in prompt_for(state, table.plans)[0]
    for command in COMMANDS:
        monkeypatch.setitem(commands.BY_NAME, command.name, replace(command, keys=f"f{len(command.name)},x"))
    assert "f4 calls it, with a penalty card · f4 passes" in prompt_for(state, table.plans)[0]
    state.view = replace(state.view, phase=Phase.PLAY)
    assert prompt_for(state, table.plans)[0] == "Throw a card: 9 f7 throws a nine (0 ten, A J Q K) · f7 the card at ▲"
    state.staged = [Group((0, 13, 26), Kind.SET)]
    assert prompt_for(state, table.plans)[0].endswith(" · f9 takes back")
    why = state.why_discard()
    assert isinstance(why, Refusal)
    assert "with f9" in why.message


@pytest.mark.parametrize(
    ("ruleset", "seats", "referee"),
    [("jamaican", 3, Referee.PENALTIES), ("tuluki", 2, Referee.STRICT)],
)
def test_what_is_shown_as_open_is_open_and_nothing_is_copied_to_know(
    ruleset: str, seats: int, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(ruleset)
    table = MatchPlan(ruleset=ruleset, seats=parse_seats(("Ann", "Bob", "Cat")[:seats]), seed=5, referee=referee).open()
    match, copies = table.match, []
    clone = Match.clone
    monkeypatch.setattr(Match, "clone", lambda match: copies.append(match) or clone(match))
    place = SimpleNamespace(is_shared=False)
    at: Any = SimpleNamespace(state=TurnState(table.view(0), match.why_not), client=place, why_no_seats=lambda: None)
    for _ in range(100):
        if match.actor is None or not table.view(match.actor).legal:
            break
        view = table.view(match.actor)
        for seat in range(seats):
            at.state.open(table.view(seat))
            at.state.selected = tuple(draw.sample(view.hand, min(len(view.hand), draw.randrange(4))))
            at.state.selected = tuple(card for card in at.state.selected if card in at.state.view.hand)
            copies.clear()
            is_open = {command.name: command.is_open(at) for command in COMMANDS}
            prompt_for(at.state, table.plans)
            at.state.slots()
            assert len(copies) <= 1
            for command in COMMANDS:
                assert is_open[command.name] == (command.why_not(at) is None), command.name
        table.apply(best_action(view, draw))


def best_action(view: View, draw: random.Random) -> Action:
    found = best_lay(view.rules, view.contract, view.hand) if view.may_lay and not view.may_add else None
    groups = found.groups if found is not None else ()
    return Lay(view.seat, groups) if groups else draw.choice(view.legal)


def test_the_footer_names_commands_that_there_are_and_who_is_to_draw_is_told_each_way() -> None:
    table, state = opened()
    view, seat = state.view, state.my_seat
    legal = (Draw(seat, Source.STOCK), Draw(seat, Source.DISCARD))
    state.view = replace(view, phase=Phase.DRAW, actor=seat, turn=seat, legal=legal)
    assert view.discard is not None
    card = view.rules.faces.symbol(view.discard)
    assert prompt_for(state, table.plans)[0].endswith(f"Your turn: d draws from the stock · t takes {card}")
    for phase in Phase:
        state.view = replace(state.view, phase=phase)
        assert set(footer_names(state)) <= set(BY_NAME)
    state.view = replace(state.view, phase=Phase.ADD_ON, out=1)
    assert " is out. Add on what you can" in prompt_for(state, table.plans)[0]
