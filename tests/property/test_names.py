import io
import json
import tempfile
from pathlib import Path
from typing import Final

from hypothesis import example, given, settings
from hypothesis import strategies as st

from kalooki_tui.cards import FRENCH
from kalooki_tui.engine.actions import Challenge, Draw, Pass, Source
from kalooki_tui.engine.match import Match, MatchSetup
from kalooki_tui.engine.rules import Referee, make_rules
from kalooki_tui.match.seating import SeatPlan, parse_seats
from kalooki_tui.notation.action_text import parse_action, parse_answer, print_action, print_answer
from kalooki_tui.notation.event_text import print_event
from kalooki_tui.notation.messages import ask_message, hello_message, result_message
from kalooki_tui.notation.seat_text import LONGEST_NAME, parse_seat, wrong_name
from kalooki_tui.positions.position_files import read_position
from kalooki_tui.positions.staging import check_position
from kalooki_tui.records.playback import Replay
from kalooki_tui.records.reader import RecordFile
from kalooki_tui.records.writer import RecordHead, dump, start_lines, step_lines
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from kalooki_tui.rulesets.yaml_source import write_yaml
from kalooki_tui.storage.player.settings_file import LastSetup, PlayerSettings, SettingsFile

RULESET: Final = resolve(load_ruleset("baby"), (), 3)
RULES: Final = make_rules(RULESET, 3, Referee.STRICT, make_settings(RULESET, {}))

#: Words that mean something elsewhere: numbers, actions, kinds of player, YAML's own.
awkward = st.sampled_from([
    "1", "2", "3", "m1", "draw", "low", "human", "a=human", "Ann=", "=x", "null", "true", "~", "-", "#", "[red]",
    "{x}",
])  # fmt: skip
words = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters=":"), min_size=1, max_size=12)
names = st.lists(awkward | words, min_size=1, max_size=3).map(" ".join).filter(lambda name: len(name) <= LONGEST_NAME)
tables = st.lists(names, min_size=3, max_size=3).map(tuple).filter(lambda found: wrong_name(found) is None)


@settings(deadline=None)
@given(tables)
def test_actions_are_read_as_they_are_printed(found: tuple[str, ...]) -> None:
    for seat, name in enumerate(found):
        assert parse_seat(name, found) == seat
        for action in (Draw(seat, Source.STOCK), Pass(seat), Challenge(seat, (seat + 1) % 3)):
            assert parse_action(print_action(action, found, FRENCH), found, FRENCH) == action
            assert parse_answer(print_answer(action, found, FRENCH), seat, found, FRENCH) == action


@settings(max_examples=25, deadline=None)
@given(tables)
def test_records_events_and_messages_hold_the_names(found: tuple[str, ...]) -> None:
    head = RecordHead(RULES, found, ("human",) * 3, 7)
    match = Match.start(MatchSetup(RULES, found, 7))
    lines = start_lines(head, match)
    for _ in range(8):
        seat = match.actor
        view = match.view(seat)
        ask = json.loads(json.dumps(ask_message(view, ())))
        assert (ask["turn"], [about["name"] for about in ask["seats"]]) == (found[match.deal.turn], list(found))
        assert json.loads(json.dumps(hello_message(view)))["seat"] == found[seat]
        action = parse_answer(ask["options"][-1], seat, found, FRENCH)
        events = match.apply(action)
        assert print_event(events[0], found, FRENCH).startswith(f"{found[seat]}: ")
        lines += step_lines(match, action, events)
    written = "".join(f"{dump(line)}\n" for line in lines).encode()
    replay = Replay(RecordFile("record", io.BytesIO(written)))
    assert len(list(replay.steps())) == len(lines)
    assert replay.head.names == found
    assert result_message(found, [1], [3, 2, 1])["result"]["winners"] == [found[1]]


@settings(max_examples=25, deadline=None)
@given(tables)
@example(("1", "2", "?0"))  # a key to a reader of YAML, unless it is quoted
def test_positions_hold_the_names(found: tuple[str, ...]) -> None:
    hands = ("2C 3C", "4C 5C", "6C 7C")
    position = write_yaml(
        {
            "ruleset": "jamaican",
            "dealer": found[2],
            "turn": found[0],
            "phase": "decision",
            "caller": found[1],
            "seats": [{"name": name, "hand": hand} for name, hand in zip(found, hands, strict=True)],
            "discard": "5H",
            "steps": [f"{found[0]}: allow", {found[1]: "draw stock", "refused": "turn.not-yours"}],
            "expect": {"calls": {found[1]: 1}, "turn": found[0], "hands": {found[2]: hands[2]}, "out": None},
        }
    )
    assert check_position(read_position(position, "p.yaml")) is None


@settings(max_examples=50, deadline=None)
@given(tables)
def test_the_command_line_and_the_settings_hold_the_names(found: tuple[str, ...]) -> None:
    players = ("human", "ai:club", "ai:expert/hoarder")
    plans = tuple(SeatPlan(name, player) for name, player in zip(found, players, strict=True))
    texts = [plan.text for plan in plans]
    assert parse_seats(texts) == plans
    with tempfile.TemporaryDirectory() as folder:
        file = SettingsFile(Path(folder) / "settings.toml")
        file.save(PlayerSettings(names=list(found), last=LastSetup(seats=texts)))
        again = SettingsFile.load(file.path)
    assert again.problems == ()
    assert again.settings.names == list(found)
    assert parse_seats(again.settings.last.seats) == plans
