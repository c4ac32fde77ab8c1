"""Matches set up at a position, and checks of their steps, for ``kalooki check``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from kalooki_tui.cards import full_deck
from kalooki_tui.engine import turns
from kalooki_tui.engine.deal import Deal
from kalooki_tui.engine.events import Called, Event, Passed
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.permissions import AFTER_DEAL, has_laid, may_call, owes
from kalooki_tui.engine.placing import first_step
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.rules import Rules
from kalooki_tui.engine.state import Standing
from kalooki_tui.engine.view import HasLaid, Phase
from kalooki_tui.positions.expectations import expectations
from kalooki_tui.positions.position_files import Position, PositionStep, load_position, named_cards, position_of
from kalooki_tui.problems import Failure, InputError, SourceLocation, problem
from kalooki_tui.rulesets.yaml_source import node_of
from kalooki_tui.wording import does, says_of, whom

SUFFIXES: Final = (".yaml", ".yml")


def position_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """Yield the files named, and every YAML file in the folders named; raise InputError for an empty folder."""
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        found = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
        if not found:
            raise problem("there is no position in this folder", SourceLocation(str(path)))
        yield from found


class Result(Struct, frozen=True):
    """Result for one file; `error`: why it is not a position, `position` then being None."""

    file: Path
    position: Position | None = None
    failure: Failure | None = None
    error: InputError | None = None

    @property
    def ok(self) -> bool:
        return self.failure is None and self.error is None

    def __str__(self) -> str:
        if self.position is None or self.failure is not None:
            return str(self.error or self.failure)
        title = f" ({self.position.title})" if self.position.title else ""
        return f"{self.file}: holds{title}"

    def data(self) -> dict[str, object]:
        data: dict[str, object] = {"file": str(self.file), "ok": self.ok}
        if self.position is not None:
            data["title"] = self.position.title
        if self.failure is not None:
            data["line"], data["message"] = self.failure.place.line, self.failure.message
        if self.error is not None:
            data["error"] = str(self.error)
        return data


def check_files(paths: Iterable[str | Path]) -> Iterator[Result]:
    for path in paths:
        try:
            yield from map(_result, position_files([path]))
        except InputError as error:
            yield Result(Path(path), error=error)


def _result(file: Path) -> Result:
    try:
        position = load_position(file)
        return Result(file, position, check_position(position))
    except InputError as error:
        return Result(file, error=error)


def check_position(position: Position) -> Failure | None:
    """Play the steps; return the first difference. Raise InputError if the position cannot be set up."""
    match = set_up(position)
    for number, step in enumerate(position.steps):
        message = play_step(match, step)
        if message is not None:
            return Failure(position.places.within("steps", number), message)
    return next(filter(None, (one.compare(match) for one in expectations(position))), None)


def play_step(match: Match, step: PositionStep) -> str | None:
    try:
        match.apply(step.action)
    except Refused as refused:
        return _judge_refusal(step, refused.refusal)
    if step.refused is None:
        return None
    wanted = step.refused or "any code"
    return f"{step.text!r} was accepted; it must be {'charged' if step.charged else 'refused'}: {wanted}"


def _judge_refusal(step: PositionStep, refusal: Refusal) -> str | None:
    why = f"{refusal.code} ({refusal.clause}): {refusal.message}"
    if step.refused is None:
        return f"{step.text!r} was refused: {why}"
    if step.refused and step.refused != refusal.code:
        return f"{step.text!r} must be refused with {step.refused}, not {why}"
    if step.charged and not refusal.charged:
        return f"{step.text!r} was refused without a charge: {why}"
    if refusal.charged and not step.charged:
        return f"{step.text!r} was charged {refusal.charged} points, not only refused: {why}"
    return None


def set_up(position: Position) -> Match:
    """Set up the match, with unnamed cards in hands and below the stock; raise InputError if that is impossible."""
    rules, seats = position.rules, position.seats
    standing = Standing(
        totals=tuple(seat.score for seat in seats),
        money=tuple(seat.money for seat in seats),
        buy_ins=tuple(seat.buy_ins for seat in seats),
        eliminated=tuple(seat.eliminated for seat in seats),
        pool=position.pool,
    )
    deal = Deal(
        rules,
        position.names,
        position.deal,
        position.dealer,
        position.turn,
        f"{position.seed}/deal {position.deal}.1",
        standing=standing,
        # Points below zero can only be an exact cut's bonus (B1).
        penalties=[max(seat.penalties, 0) for seat in seats],
    )
    _put_seats(deal, position)
    deal.melds = list(position.table)
    deal.pile = list(reversed(position.discard))
    _put_unnamed(deal, position)
    # The card turned up is nobody's (D2), or in Tuluki the dealer's (U5).
    turned_up = position.dealer if rules.ruleset.draw.offer == "flip" else None
    thrower = turned_up if position.discarded_by is None else position.discarded_by
    deal.discarded_by = thrower if deal.pile else None
    deal.dead, deal.flip, deal.caller = position.dead, position.flip, position.caller
    deal.drawn = position.drawn
    deal.reshuffles = position.reshuffles
    _put_phase(deal, position)
    if deal.drawn is not None and owes(deal) and first_step(deal, deal.turn, deal.drawn) is None:
        raise problem("drawn: it could not be laid or tacked in this turn, as it must be", position.places.key("drawn"))
    match = Match(MatchSetup(rules, position.names, position.seed), deal)
    if position.phase is Phase.BUY_IN:
        if position.turn not in match.buying:
            name = position.names[position.turn]
            raise problem(
                f"turn: {does(name, 'be', inside=True)} not eliminated, or {says_of(name, 'have')} no buy-in left",
                position.places.key("turn"),
            )
        match.buying = match.buying[match.buying.index(position.turn) :]
        deal.phase = Phase.OVER
    return match


def _put_seats(deal: Deal, position: Position) -> None:
    rules, seats = position.rules, position.seats
    limit = deal.rules.ruleset.calls.limit
    over_call = rules.charges.over_call
    deal.laid = [seat.laid for seat in seats]
    deal.calls = [seat.calls for seat in seats]
    deal.found = [max(0, seat.calls - limit) if seat.found_out else 0 for seat in seats]
    deal.bend_forbidden = [
        seat.bend_forbidden or (seat.found_out and over_call is not None and over_call.forbids_bend) for seat in seats
    ]
    deal.bonus = [min(seat.penalties, 0) for seat in seats]
    deal.in_deal = [seat.in_deal for seat in seats]


def _put_unnamed(deal: Deal, position: Position) -> None:
    left = Counter(full_deck(position.rules.packs, position.rules.jokers))
    for cards, _ in named_cards(position):
        left.subtract(cards)
    rest = list(left.elements())
    random.Random(f"{position.seed}/position").shuffle(rest)
    deal.hands = [
        [rest.pop() for _ in range(seat.hand)] if isinstance(seat.hand, int) else list(seat.hand)
        for seat in position.seats
    ]
    named = list(reversed(position.stock))
    deal.stock = named if position.stock_only else rest + named


def _put_phase(deal: Deal, position: Position) -> None:
    phase = deal.phase = position.phase
    deal.actor = deal.turn
    if phase is Phase.CUT:
        deal.actor = deal.dealer
    elif phase is Phase.CALL_WINDOW:
        _put_window(deal, position, turns.who_may_call(deal))
    elif phase is Phase.FLIP_WINDOW:
        other = deal.left_of(deal.turn)
        _put_window(deal, position, [other] if may_call(deal, other) else [])
    elif phase is Phase.ADD_ON:
        _put_add_on(deal, position)
    elif phase in AFTER_DEAL:
        deal.actor = None
        deal.out = position.out


def _put_window(deal: Deal, position: Position, asked: list[int]) -> None:
    """Ask the seats that may call; a window opens only where somebody may (D30)."""
    answers: list[Event] = []
    for key, seats in (("called", position.called), ("passed", position.passed)):
        for seat in seats:
            if seat not in asked:
                raise problem(f"{key}: {position.names[seat]} may not call here", position.places.key(key))
            asked.remove(seat)
            answers.append(Called(seat, deal.pile[-1]) if key == "called" else Passed(seat))
    if not asked:
        raise problem("phase: nobody may call here, so there is no window", position.places.key("phase"))
    deal.asked, deal.actor, deal.callers, deal.history = asked, asked[0], list(position.called), answers


def _put_add_on(deal: Deal, position: Position) -> None:
    out = position.out
    assert out is not None
    deal.out = out
    deal.bent = deal.laid[out] is HasLaid.THIS_TURN
    laid = [seat for seat in deal.clockwise_from(out) if seat != out and has_laid(deal, seat)]
    if deal.turn not in laid:
        name = position.names[deal.turn]
        raise problem(
            f"turn: {does(name, 'have', inside=True)} not laid, or went out, and {says_of(name, 'do')} not add on",
            position.places.key("turn"),
        )
    if deal.hands[out]:
        raise problem(
            f"out: {whom(position.names[out])} went out and {says_of(position.names[out], 'hold')} no cards",
            position.places.key("out"),
        )
    deal.asked = laid[laid.index(deal.turn) :]


def resume_at(keys: Mapping[str, object], rules: Rules, place: SourceLocation | None = None) -> Match:
    """Set up the match of a position's keys, as `position_data` writes them; `place` stands in InputError."""
    return set_up(position_of(node_of(keys, place or SourceLocation()), rules))
