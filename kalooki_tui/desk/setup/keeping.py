"""Between what the store keeps and what the screens use: plans of matches, and matches in a few words."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, get_type_hints

import msgspec

from kalooki_tui.desk.setup.plan import CALL_SECONDS_OFFERED, AskCalls, MatchPlan, Speed
from kalooki_tui.engine.actions import Group, Lay
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.actions import parse_action
from kalooki_tui.records.writing import in_effect
from kalooki_tui.store.player.settings import LastSetup, PlayerSettings
from kalooki_tui.table.seats import parse_seats
from kalooki_tui.wording import FIRST_NAME

if TYPE_CHECKING:
    from kalooki_tui.store.live import LiveMatch
    from kalooki_tui.store.matches import Store

#: Fields of a plan that are kept with the match, since its record does not say them.
KEPT: Final = (
    "ruleset", "speed", "curtain", "ask_calls", "ask_each", "call_seconds", "own_screens", "hints_for",
    "answer_seconds", "minutes",
)  # fmt: skip
#: The same of what comes to be while it is played.
ASKING: Final = "asking"
PLAYED: Final = "played"
"""Seconds that the match has been played, where it ends by the clock."""


def begin_match(store: Store, plan: MatchPlan) -> LiveMatch:
    """Open a match as planned; what its record does not say is kept beside it.

    Raises:
        ValueError: the plan does not go with its ruleset.
    """
    live = store.begin(plan.open(), teaching=plan.teaching)
    live.keep(**msgspec.to_builtins({name: getattr(plan, name) for name in KEPT}))
    return live


def _usual(settings: PlayerSettings) -> dict[str, Any]:
    """How tables of a person run, by the fields of a plan."""
    return {
        "speed": Speed(settings.ai_speed),
        "curtain": settings.curtain,
        "ask_several": AskCalls(settings.ask_several),
        "call_seconds": settings.call_seconds,
    }


def as_usual(plan: MatchPlan, settings: PlayerSettings) -> MatchPlan:
    """A plan of the command line, which does not say how the table runs: that is as the person has set it."""
    asking = {} if settings.last is None else settings.last.asking
    names = {seat.name for seat in plan.seats}
    each = {name: AskCalls(way) for name, way in asking.items() if name in names}
    return replace(plan, ask_each=each, **_usual(settings))


def plan_of_last(last: LastSetup, settings: PlayerSettings) -> MatchPlan:
    """The last set-up, as the form and `play again` take it.

    Raises:
        ValueError: a seat cannot be any more.
    """
    return MatchPlan(
        ruleset=last.ruleset,
        seats=parse_seats(last.seats),
        options=tuple(last.options),
        referee=Referee(last.referee),
        settings=dict(last.settings),
        first_turn=last.first_turn,
        teaching=last.teaching,
        ask_each={name: AskCalls(way) for name, way in last.asking.items()},
        own_screens=tuple(last.own_screens),
        **_usual(settings),
    )


def plan_of_live(live: LiveMatch, settings: PlayerSettings) -> MatchPlan:
    """The plan of a match that is taken up again; what is kept and cannot be read is as the person has it."""
    setup, hints, kept = live.table.setup, get_type_hints(MatchPlan), dict[str, Any]()
    for name in KEPT:
        with suppress(KeyError, msgspec.ValidationError):
            kept[name] = msgspec.convert(live.ui_state[name], hints[name])
    if kept.get("call_seconds") not in CALL_SECONDS_OFFERED:
        kept.pop("call_seconds", None)
    usual, chosen = vars(setup.ruleset.usual_settings()), {} if setup.settings is None else vars(setup.settings)
    return MatchPlan(
        seats=setup.seats,
        options=setup.options,
        referee=setup.referee,
        # An end by turns is for matches without people (D33).
        settings={name: value for name, value in chosen.items() if value != usual[name] and name != "max_turns"},
        first_turn=setup.first_turn,
        seed=setup.seed,
        teaching=live.teaching,
        **{"ruleset": setup.ruleset.id, "ask_calls": AskCalls(settings.ask_calls), **_usual(settings), **kept},
    )


def with_match(settings: PlayerSettings, plan: MatchPlan) -> PlayerSettings:
    """The settings after a match has been set up: who plays, and how the table runs."""
    last = LastSetup(
        ruleset=plan.ruleset,
        seats=[seat.text for seat in plan.seats],
        options=[*plan.options],
        referee=plan.referee.value,
        first_turn=plan.first_turn,
        teaching=plan.teaching,
        # A handicap is for those who sit there this time.
        settings={name: one for name, one in plan.settings.items() if isinstance(one, int)},
        asking=msgspec.to_builtins(plan.ask_each),
        own_screens=[*plan.own_screens],
    )
    people = [seat.name for seat in plan.seats if seat.is_human]
    chosen: dict[str, Any] = {"last": last, "ai_speed": plan.speed.value, "curtain": plan.curtain}
    chosen |= {"ask_several": plan.ask_several.value, "call_seconds": plan.call_seconds}
    if plan.ask_calls is not None and len(people) == 1:
        chosen["ask_calls"] = plan.ask_calls.value
    return replace(settings.remembering(name for name in people if name != FIRST_NAME), **chosen)


def past_totals(live: LiveMatch) -> list[tuple[int, ...]]:
    """Running totals after each deal that has been scored or passed over, out of the match's record."""
    names = live.table.match.setup.names
    lines = in_effect(map(json.loads, live.lines))
    return [tuple(line["totals"][name] for name in names) for line in lines if "totals" in line]


def last_lay_down(live: LiveMatch, seat: int) -> tuple[Group, ...]:
    """What a seat laid for its last contract, out of the match's record; empty if it never did."""
    rules, names = live.table.match.rules, live.table.match.names
    mine, laid, is_first = f"{names[seat]}: lay ", "", True
    for line in in_effect(map(json.loads, live.lines)):
        lays = "refused" not in line and line.get("do", "").startswith(mine)
        laid = line["do"] if lays and is_first else laid
        is_first = "deal" in line or (is_first and not lays)
    action = parse_action(laid, names, rules.faces) if laid else None
    return action.groups if isinstance(action, Lay) else ()
