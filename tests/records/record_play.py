"""Matches played by chance, written down as they are played: the records the tests read."""

import random

from kalooki_tui.cards import JOKER
from kalooki_tui.engine.actions import Action, Cut, Discard, Draw, Pass
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.refusals import Refused
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.engine.view import Phase
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import open_record
from kalooki_tui.records.writer import Line, RecordHead, start_lines, step_lines
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve

NAMES = ("Ann", "Bob", "Cat", "Dee", "Eve")


def head_of(
    ruleset: str, seats: int, seed: int, referee: Referee = Referee.STRICT, settings: dict[str, object] | None = None
) -> RecordHead:
    game = resolve(load_ruleset(ruleset), (), seats)
    rules = make_rules(game, seats, referee, make_settings(game, {"max_redeals": 1} | (settings or {})))
    return RecordHead(rules, NAMES[:seats], ("human",) * seats, seed)


def play_record(head: RecordHead, steps: int) -> tuple[list[Line], Match]:
    """Play `steps` actions by chance, jokers thrown last, and write them down."""
    assert head.seed is not None
    chance = random.Random(head.seed)
    match = Match.start(MatchSetup(head.rules, head.names, head.seed, head.first_turn))
    lines = start_lines(head, match)
    for _ in range(steps):
        if match.finished:
            break
        if match.actor is None:
            lines += step_lines(match, None, match.next_deal())
            continue
        action = _choose(match, chance)
        before = len(match.deal.history)
        try:
            events = match.apply(action)
        except Refused as refused:
            if refused.refusal.changed:
                events = match.deal.history[before:]
                lines += step_lines(match, action, events, refused.refusal)
        else:
            lines += step_lines(match, action, events)
    return lines, match


def _choose(match: Match, chance: random.Random) -> Action:
    seat = match.actor
    assert seat is not None
    if match.phase is Phase.CUT:
        return Cut(seat, chance.choice([41, len(match.names) * match.deal.contract.cards]))
    legal = match.legal(seat)
    if match.rules.penalties and match.phase is Phase.PLAY and JOKER in match.deal.hands[seat]:
        legal.append(Discard(seat, JOKER))
    if match.phase is Phase.CALL_WINDOW:
        legal += [Pass(seat)] * 4
    if match.phase is Phase.DRAW:
        legal = [action for action in legal if isinstance(action, Draw)]
    return chance.choice(legal)


def load_match(path: str) -> tuple[RecordHead, Match | None]:
    """The match as it stands at the end of a record; None where nothing has been dealt."""
    record = open_record(path)
    with record.stream:
        replay = Replay(record)
        for _ in replay.steps():
            pass
    return replay.head, replay.match
