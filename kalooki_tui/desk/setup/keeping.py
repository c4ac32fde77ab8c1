"""Between what the store keeps and what the screens use: plans of matches, and matches in a few words."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import msgspec

from kalooki_tui.desk.setup.plan import CALL_SECONDS_OFFERED, AskCalls, MatchPlan, Speed
from kalooki_tui.engine.actions import Group, Lay
from kalooki_tui.engine.rules import Referee
from kalooki_tui.notation.actions import parse_action
from kalooki_tui.records.writing import in_effect
from kalooki_tui.store.player.settings import LastSetup, PlayerSettings
from kalooki_tui.wording import FIRST_NAME

if TYPE_CHECKING:
    from kalooki_tui.store.live import LiveMatch
    from kalooki_tui.store.matches import Store
    from kalooki_tui.table.table import TableSetup

#: Names under which the screen keeps with a match what its record does not say.
SPEED: Final = "speed"
CURTAIN: Final = "curtain"
ASK_CALLS: Final = "ask_calls"
RULESET: Final = "ruleset"
ASKING: Final = "asking"
CALL_SECONDS: Final = "call_seconds"
ASK_EACH: Final = "ask_each"
OWN_SCREENS: Final = "own_screens"
ANSWER_SECONDS: Final = "answer_seconds"
MINUTES: Final = "minutes"
HINTS_FOR: Final = "hints_for"
PLAYED: Final = "played"
"""Seconds that the match has been played, where it ends by the clock."""


def begin_match(store: Store, plan: MatchPlan) -> LiveMatch:
    """Open a match as planned; what its record does not say is kept beside it.

    Raises:
        ValueError: the plan does not go with its ruleset.
    """
    live = store.begin(plan.open(), teaching=plan.teaching)
    live.keep(**to_keep(plan))
    return live


def as_usual(plan: MatchPlan, settings: PlayerSettings) -> MatchPlan:
    """A plan of the command line, which does not say how the table runs: that is as the person has set it."""
    names = {seat.name for seat in plan.seats}
    asking = {} if settings.last is None else _ways(settings.last.asking)
    return replace(
        plan,
        speed=Speed(settings.ai_speed),
        curtain=settings.curtain,
        ask_several=AskCalls(settings.ask_several),
        ask_each={name: way for name, way in asking.items() if name in names},
        call_seconds=settings.call_seconds,
    )


def plan_of_last(last: LastSetup, settings: PlayerSettings) -> MatchPlan:
    """The last set-up, as the form and `play again` take it.

    Raises:
        ValueError: a seat cannot be any more.
    """
    return MatchPlan(
        ruleset=last.ruleset,
        seats=last.plans(),
        options=tuple(last.options),
        referee=Referee(last.referee),
        settings=dict(last.settings),
        first_turn=last.first_turn,
        speed=Speed(settings.ai_speed),
        curtain=settings.curtain,
        teaching=last.teaching,
        ask_several=AskCalls(settings.ask_several),
        ask_each=_ways(last.asking),
        call_seconds=settings.call_seconds,
        own_screens=tuple(last.own_screens),
    )


def plan_of_live(live: LiveMatch, settings: PlayerSettings) -> MatchPlan:
    """The plan of a match that is taken up again."""
    setup, kept = live.table.setup, live.ui_state
    last = LastSetup.of(setup, teaching=live.teaching)
    speed = str(kept.get(SPEED, settings.ai_speed))
    ask = str(kept.get(ASK_CALLS, settings.ask_calls))
    return MatchPlan(
        ruleset=str(kept.get(RULESET, setup.ruleset.id)),
        seats=setup.seats,
        options=setup.options,
        referee=setup.referee,
        settings={**last.settings, **_handicap(setup)},
        first_turn=setup.first_turn,
        seed=setup.seed,
        speed=Speed(speed) if speed in set(Speed) else Speed.NATURAL,
        ask_calls=AskCalls(ask) if ask in set(AskCalls) else None,
        curtain=bool(kept.get(CURTAIN, settings.curtain)),
        teaching=live.teaching,
        ask_several=AskCalls(settings.ask_several),
        ask_each=_ways(kept.get(ASK_EACH)),
        call_seconds=_seconds(kept.get(CALL_SECONDS), settings.call_seconds),
        own_screens=_names(kept.get(OWN_SCREENS)),
        hints_for=_names(kept.get(HINTS_FOR)),
        answer_seconds=seconds if isinstance(seconds := kept.get(ANSWER_SECONDS), int) else 0,
        minutes=minutes if isinstance(minutes := kept.get(MINUTES), int) else 0,
    )


def _handicap(setup: TableSetup) -> dict[str, object]:
    return {"handicap": setup.settings.handicap} if setup.settings is not None and setup.settings.handicap else {}


def _ways(kept: object) -> dict[str, AskCalls]:
    """When people are asked about calls, by name; what is no such thing is left out."""
    pairs = kept.items() if isinstance(kept, dict) else ()
    return {str(name): AskCalls(str(way)) for name, way in pairs if way in set(AskCalls)}


def to_keep(plan: MatchPlan) -> dict[str, object]:
    """The part of a match's plan that is kept beside its record."""
    kept: dict[str, object] = {RULESET: plan.ruleset, SPEED: plan.speed, CURTAIN: plan.curtain}
    kept |= {CALL_SECONDS: plan.call_seconds, ASK_EACH: {name: way.value for name, way in plan.ask_each.items()}}
    kept |= {OWN_SCREENS: list(plan.own_screens)} if plan.own_screens else {}
    kept |= {MINUTES: plan.minutes} if plan.minutes else {}
    kept |= {HINTS_FOR: list(plan.hints_for)} if plan.hints_for else {}
    kept |= {ANSWER_SECONDS: plan.answer_seconds} if plan.answer_seconds else {}
    return kept if plan.ask_calls is None else {**kept, ASK_CALLS: plan.ask_calls}


def _names(kept: object) -> tuple[str, ...]:
    return tuple(filter(lambda one: isinstance(one, str), kept)) if isinstance(kept, list) else ()


def _seconds(kept: object, usual: int) -> int:
    return kept if isinstance(kept, int) and kept in CALL_SECONDS_OFFERED else usual


def with_match(settings: PlayerSettings, plan: MatchPlan, live: LiveMatch) -> PlayerSettings:
    """The settings after a match has been set up: who plays, and how the table runs."""
    asking: dict[str, Any] = {name: way.value for name, way in plan.ask_each.items()}
    last = LastSetup.of(live.table.setup, teaching=plan.teaching)
    last = msgspec.structs.replace(last, ruleset=plan.ruleset, asking=asking, own_screens=[*plan.own_screens])
    people = [seat.name for seat in plan.seats if seat.is_human and seat.name != FIRST_NAME]
    chosen: dict[str, Any] = {"last": last, "ai_speed": plan.speed.value, "curtain": plan.curtain}
    chosen |= {"ask_several": plan.ask_several.value, "call_seconds": plan.call_seconds}
    chosen |= {} if plan.ask_calls is None or len(live.table.people) != 1 else {"ask_calls": plan.ask_calls.value}
    return replace(settings.remembering(people), **chosen)


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
