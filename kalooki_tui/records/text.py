"""Record shown step by step: as text for people, as one JSON object for programs, both while it is played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from kalooki_tui.engine import events as happened
from kalooki_tui.engine.match import Match
from kalooki_tui.engine.melds import contract_text
from kalooki_tui.engine.permissions import AFTER_DEAL
from kalooki_tui.notation.action_text import print_action, print_meld_number
from kalooki_tui.notation.event_text import print_event, print_events, print_refusal, refusal_data
from kalooki_tui.notation.messages import meld_data
from kalooki_tui.notation.seat_text import seating_words
from kalooki_tui.records.lines import CHECK, POSITION
from kalooki_tui.records.playback import PlaybackLine, Replay
from kalooki_tui.records.reader import DoesNotFollow
from kalooki_tui.records.writer import LAST_DEAL, RecordHead

#: Events after which the table looks different.
_MELDS_CHANGED = (happened.Laid, happened.Tacked, happened.Swapped)


CLOSED: Final = "The deal in progress is not shown, because others at the table may be looking; --open shows it."


def replay_text(replay: Replay, *, open_hands: bool = False) -> Iterator[str]:
    """Yield each step for people, and what it changed; raise DoesNotFollow or InputError after the good lines.

    Of a match in progress, seed and present deal are left out, unless `open_hands`.
    """
    head = replay.head
    shows_all = open_hands or replay.record.ends_with_result()
    yield _head_text(head, shows_seed=shows_all)
    waiting: list[str] = []
    for played, begins_deal in _steps(replay):
        match = replay.match
        if match is None:
            continue
        if begins_deal:
            # The deal before is over.
            yield from waiting
            waiting = []
        waiting += _step_text(head, match, played)
        if shows_all:
            yield from waiting
            waiting = []
    if not waiting or _is_over(replay):
        yield from waiting
    else:
        yield ""
        yield CLOSED
    if replay.record.cut_off:
        yield "The record is cut off in the middle of its last line, which is left out."


def _steps(replay: Replay) -> Iterator[tuple[PlaybackLine, bool]]:
    """Yield each step, and whether a deal begins with it: with the dealer's cut, where there is one, not its line."""
    before = None
    for played in replay.steps():
        now = None if replay.match is None else (replay.match.deal.number, replay.match.deal.attempt)
        yield played, now != before
        before = now


def _is_over(replay: Replay) -> bool:
    return replay.match is not None and (replay.match.finished or replay.match.phase in AFTER_DEAL)


def _head_text(head: RecordHead, *, shows_seed: bool) -> str:
    ruleset = head.rules.ruleset
    seats = ", ".join(f"{name} ({player})" for name, player in zip(head.names, head.players, strict=True))
    options = f" with {', '.join(head.options)}" if head.options else ""
    seed = "no seed" if head.seed is None else f"seed {head.seed}"
    seed = f", {seed}" if shows_seed else ""
    seed += "" if head.position is None else ", from a position"
    return f"{ruleset.name}{options}, {head.rules.referee} referee{seed}: {seats}"


def _step_text(head: RecordHead, match: Match, played: PlaybackLine) -> Iterator[str]:
    names, faces = match.names, head.rules.faces
    if "seat" in played.line.data:
        data = played.line.data
        yield seating_words(data["seat"], data["name"], data["player"])
    if LAST_DEAL in played.line.data:
        yield f"Deal {played.line.data[LAST_DEAL]} is the last: the time is over."
    if "undone" in played.line.data:
        count = played.line.data["undone"]
        yield f"Taken back: the record's last {'line' if count == 1 else f'{count} lines'}."
    if played.refusal is not None and played.action is not None:
        yield print_action(played.action, names, faces)
        yield f"    {print_refusal(played.refusal)}"
    for event in played.events:
        if isinstance(event, happened.Dealt):
            yield ""
            yield print_event(event, names, faces)
            words = contract_text(head.rules.ruleset.vocabulary, match.deal.contract)
            yield f"    contract: {words}"
            for name, hand in zip(names, match.deal.hands, strict=True):
                yield f"    {name}: {faces.texts(sorted(hand))}"
        else:
            yield print_event(event, names, faces)
    if any(isinstance(event, _MELDS_CHANGED) for event in played.events):
        for index, meld in enumerate(match.deal.melds):
            yield f"    {print_meld_number(index)} {names[meld.owner]}: {faces.texts(meld.cards)}"
    if played.action is not None and match.deal.hands[played.action.seat]:
        seat = played.action.seat
        yield f"    {names[seat]}: {faces.texts(sorted(match.deal.hands[seat]))}"


def replay_json(replay: Replay, *, open_hands: bool = False) -> Iterator[str]:
    """Yield parts of one JSON object: `head`, `steps`, `complete`, `cut_off` and `error`; raise InputError.

    A step has the record's line, its events as text, and the hands and melds after it. `error` is the first line that
    does not follow, or null. Of a match in progress, seed and present deal are left out, unless `open_hands`; `closed`
    says whether any step was.
    """
    steps = _steps(replay)
    shows_all = open_hands or replay.record.ends_with_result()
    head = next(steps)[0].line.data
    if not shows_all:
        head = {key: value for key, value in head.items() if key not in ("seed", CHECK, POSITION)}
    yield '{"head": ' + json.dumps(head) + ', "steps": ['
    error: str | None = None
    between = "\n"
    waiting: list[str] = []
    try:
        for played, begins_deal in steps:
            if shows_all or begins_deal:
                for text in waiting:
                    yield between + text
                    between = ",\n"
                waiting = []
            waiting.append(json.dumps(_step_data(replay, played)))
    except DoesNotFollow as failed:
        error = str(failed.failure)
    closed = not shows_all and bool(waiting) and not _is_over(replay)
    for text in [] if closed else waiting:
        yield between + text
        between = ",\n"
    finished = replay.match is not None and replay.match.finished
    end = {"complete": finished and error is None, "cut_off": replay.record.cut_off, "closed": closed, "error": error}
    yield "], " + json.dumps(end)[1:]


def _step_data(replay: Replay, played: PlaybackLine) -> dict[str, Any]:
    names, faces, match = replay.head.names, replay.head.rules.faces, replay.match
    data: dict[str, Any] = {"line": played.line.place.line, "record": played.line.data}
    if played.events:
        data["events"] = print_events(played.events, names, faces)
    if played.refusal is not None:
        data["refused"] = refusal_data(played.refusal)
    if match is not None and played.action is not None:
        deal = match.deal
        data["hands"] = {name: faces.texts(hand) for name, hand in zip(names, deal.hands, strict=True)}
        data["table"] = [meld_data(index, meld, names, faces) for index, meld in enumerate(deal.melds)]
    return data
