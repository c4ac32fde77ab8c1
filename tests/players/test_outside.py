import json
import os
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kalooki_tui.engine.actions import Cut
from kalooki_tui.engine.events import Charged
from kalooki_tui.engine.rules import Referee
from kalooki_tui.engine.view import View
from kalooki_tui.match.headless import outside_player, play_match
from kalooki_tui.match.live_match import MatchStep, Table, TableSetup
from kalooki_tui.match.seating import SeatPlan
from kalooki_tui.notation.action_text import print_action
from kalooki_tui.notation.messages import ask_message, hello_message
from kalooki_tui.players import make_player
from kalooki_tui.players.outside import OutsidePlayer
from kalooki_tui.records.writer import dump
from kalooki_tui.rulesets.loader import load_ruleset, make_settings, resolve
from tests.commands import Golden
from tests.property.tables import start_match
from tests.test_sums import RECORDS, moments

FIRST_OPTION = """
import json, sys
said = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
for line in sys.stdin:
    if said:
        print(line, end="", file=said, flush=True)
    message = json.loads(line)
    if "ask" in message:
        {before}
        print({answer}, flush=True)
"""
PLAIN = '{"call": "pass", "draw": "draw stock"}.get(message["ask"]) or message["options"][0]'


def program(folder: Path, answer: str = PLAIN, before: str = "pass") -> str:
    path = folder / "bot.py"
    path.write_text(FIRST_OPTION.replace("{before}", before).replace("{answer}", answer), encoding="utf-8")
    return shlex.join([sys.executable, str(path), str(folder / "heard")])


def heard(folder: Path) -> list[dict[str, object]]:
    whole, _, _ = (folder / "heard").read_text(encoding="utf-8").rpartition("\n")
    return [json.loads(line) for line in whole.splitlines()]


def open_table(
    command: str, ruleset: str = "baby", seats: int = 3, referee: Referee = Referee.STRICT, seed: int = 4
) -> Table:
    game = resolve(load_ruleset(ruleset), (), seats)
    plans = (SeatPlan("Bot", f"exec:{command}"), *(SeatPlan(f"N{seat}", "ai:novice") for seat in range(1, seats)))
    return Table.open(TableSetup(game, plans, seed, referee, make_settings(game, {"max_redeals": 3})))


def play(table: Table, patience: float = 10.0) -> list[str]:
    notices: list[str] = []
    table.hear(notices.append)
    bot = next(seat for seat, plan in enumerate(table.plans) if plan.is_outside)
    players = {
        seat: outside_player(table, seat, patience) if seat == bot else make_player("novice", table.player_seed(seat))
        for seat in range(len(table.plans))
    }
    play_match(table, players=players)
    assert table.match.finished
    return notices


def test_a_program_plays_a_match_and_is_told_everything_once(tmp_path: Path) -> None:
    table = open_table(program(tmp_path))
    assert play(table) == []
    hello, *asks, result = heard(tmp_path)
    assert list(hello) == ["hello", "seat", "ruleset", "referee", "settings", "rules", "seats"]
    assert (hello["hello"], hello["seat"], hello["ruleset"]) == (1, "Bot", "baby")
    assert hello["seats"] == ["Bot", "N1", "N2"]
    assert {ask["ask"] for ask in asks} >= {"call", "draw", "play"}
    totals = dict(zip(table.match.names, table.match.totals, strict=True))
    winners = [table.match.names[seat] for seat in table.match.winners]
    assert result == {"result": {"winners": winners, "totals": totals}}
    lines = [line for ask in asks for line in ask["events"]]  # type: ignore[attr-defined]
    assert lines[0].startswith("deal 1: ")
    assert sum(line.startswith("deal ") for line in lines) == 3
    assert sum(line.startswith("scored: ") for line in lines) == 2
    own = [line for line in lines if line.startswith("Bot: draw stock")]
    others = [line for line in lines if ": draw stock" in line and not line.startswith("Bot")]
    assert own
    assert all(line.endswith(")") for line in own)
    assert others
    assert all(line.endswith("draw stock") for line in others)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise SystemExit(3)", "ended with exit code 3."),
        ("raise SystemExit('enough')", "ended with exit code 1, saying 'enough'."),
        ("raise ValueError('no more')", "ended with exit code 1, saying 'ValueError: no more'."),
        ("__import__('time').sleep(60)", "was silent for 0.5 seconds."),
        ("sys.stdout.write('x' * 10_000)", "wrote a line longer than 4096 bytes."),
        ("sys.stdout.buffer.write(b'\\xff\\n')", "wrote text that is not UTF-8."),
        ("__import__('os').close(1); __import__('time').sleep(60)", "closed its output."),
    ],
)
def test_a_program_that_fails_is_replaced(tmp_path: Path, code: str, why: str) -> None:
    path = tmp_path / "bot.py"
    path.write_text(f"import sys\nsys.stdin.readline()\nsys.stdin.readline()\n{code}\nsys.stdout.flush()\n"
                    "__import__('time').sleep(60)\n", encoding="utf-8")  # fmt: skip
    started = time.monotonic()
    # Only one that is silent is to run out of patience, however long a program takes to start.
    patience = 0.5 if "silent" in why else 90.0
    notices = play(open_table(shlex.join([sys.executable, str(path)])), patience=patience)
    assert notices == [f"The program of Bot {why} The novice AI plays on for it."]
    assert time.monotonic() - started < 50


def test_nothing_blocks_where_a_program_is_not_there_reads_nothing_or_complains_much(tmp_path: Path) -> None:
    idle = shlex.join([sys.executable, "-c", "import time; time.sleep(60)"])
    told = "The program of Bot {} The novice AI plays on for it."
    assert play(open_table(idle), patience=0.3) == [told.format("was silent for 0.3 seconds.")]
    missing = open_table(str(tmp_path / "none"))
    assert play(missing) == [told.format("cannot be started: No such file or directory.")]
    assert play(open_table(program(tmp_path, PLAIN, 'sys.stderr.write("x" * 300_000)')), patience=5) == []


def test_attempts_are_charged_under_penalties(tmp_path: Path) -> None:
    answer = '"discard JK" if "JK" in message["hand"] and message["ask"] == "play" else ' + PLAIN
    table = open_table(program(tmp_path, answer), "tuluki", 2, Referee.PENALTIES)
    charged: list[Charged] = []
    table.listen(lambda step: charged.extend(event for event in step.events if isinstance(event, Charged)))
    notices = play(table)
    assert len(notices) == 1
    assert "A joker may not be discarded. It costs 50 points" in notices[0]
    bot = table.match.names.index("Bot")
    assert [(event.seat, event.points) for event in charged[:3]] == [(bot, 50)] * 3
    asks = [message for message in heard(tmp_path) if "ask" in message]
    assert all("calls" not in seat for ask in asks for seat in ask["seats"])  # type: ignore[attr-defined]
    refusals = [message["refused"] for message in heard(tmp_path) if "refused" in message]
    assert [refusal["charged"] for refusal in refusals[:2]] == [50, 50]  # type: ignore[index]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_closing_ends_the_program_and_its_children(tmp_path: Path) -> None:
    before = (
        "child = __import__('subprocess').Popen(['sleep', '60'], stdout=2); "
        "open(" + repr(str(tmp_path / "pids")) + ", 'w').write(str(__import__('os').getpid()) + ' ' + str(child.pid))"
    )
    table = open_table(program(tmp_path, PLAIN, before))
    player = start(table)
    player.decide(table.view(seat_of(table)))
    pids = [int(text) for text in (tmp_path / "pids").read_text().split()]
    assert all(map(alive, pids))
    player.close()
    player.close()
    assert not alive(pids[0])
    deadline = time.monotonic() + 60
    while alive(pids[1]) and time.monotonic() < deadline:
        time.sleep(0.05)  # its new parent reaps it
    assert not alive(pids[1]) or Path(f"/proc/{pids[1]}/stat").read_text().split()[2] == "Z"


def test_closing_frees_a_worker_that_waits() -> None:
    command = shlex.join([sys.executable, "-c", "import time; time.sleep(60)"])
    table = open_table(command)
    player = start(table)
    notices: list[str] = []
    table.hear(notices.append)
    answers: list[object] = []
    worker = threading.Thread(target=lambda: answers.append(player.decide(table.view(seat_of(table)))))
    worker.start()
    time.sleep(0.3)
    assert worker.is_alive()
    player.close()
    worker.join(60)
    assert len(answers) == 1
    assert notices == [], "it is ended on purpose, and has not failed"


def seat_of(table: Table) -> int:
    seat = table.match.names.index("Bot")
    others = make_player("novice", "x")
    while table.match.actor != seat:
        table.apply(others.decide(table.view(table.match.actor)).action)
    return seat


def start(table: Table) -> OutsidePlayer:
    return outside_player(table, table.match.names.index("Bot"))


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("ruleset", "seats"), [("tuluki", 2), ("kooky", 3)])
def test_the_bot_of_the_documentation_plays_whole_matches(ruleset: str, seats: int, golden: Golden) -> None:
    bot = Path(__file__).parents[2] / "kalooki_tui" / "examples" / "small_bot.py"
    table = open_table(shlex.join([sys.executable, str(bot)]), ruleset, seats, seed=1)
    steps: list[MatchStep] = []
    table.listen(steps.append)
    assert play(table) == []
    names, faces = table.match.names, table.match.rules.faces
    texts = [print_action(step.action, names, faces) for step in steps if step.action is not None]
    golden(f"bot-{ruleset}", "\n".join(text for text in texts if text.startswith("Bot: ")))


def test_a_programs_cut_is_an_aim_that_a_hand_misses(tmp_path: Path) -> None:
    command = shlex.split(program(tmp_path, "'cut 30'"))
    cuts = []
    for seed in range(3):
        match = start_match("air-jamaica", 3, seed, cut=True)
        seat = match.deal.dealer
        player = OutsidePlayer(command, make_player("novice", str(seed)), seat=seat)
        try:
            cuts.append(player.decide(match.view(seat)).action)
        finally:
            player.close()
    counts = [cut.count for cut in cuts if isinstance(cut, Cut)]
    assert len(set(counts)) == 3
    assert all(abs(count - 30) < 20 for count in counts)


def test_three_refusals_of_one_question_end_it(tmp_path: Path) -> None:
    for answers in (["'gibberish'"] * 9, ["'gibberish'", "'draw flip'"] * 5, ["'draw flip'"] * 9):
        (tmp_path / "heard").unlink(missing_ok=True)
        answer = f"[{', '.join(answers)}][len(wrong) - 1] if message['ask'] == 'draw' else " + PLAIN
        before = (
            "wrong = globals().get('wrong', []); globals()['wrong'] = wrong\n"
            "        if message['ask'] == 'draw': wrong.append(1)"
        )
        [notice] = play(open_table(program(tmp_path, answer, before)))
        assert "was refused 3 times" in notice
        messages = heard(tmp_path)
        assert [message["ask"] for message in messages if message.get("ask") == "draw"] == ["draw"] * 3
        assert sum("refused" in message for message in messages) in (2, 3)
        assert "ask" not in messages[-1] or messages[-1]["ask"] == "draw"
    assert notice == "The program of Bot was refused 3 times (last: No flip lies open.). The novice AI plays on for it."
    first = next(index for index, message in enumerate(messages) if message.get("ask") == "draw")
    ask, refused, again, second, third = messages[first : first + 5]
    assert again == third == ask
    assert second == refused == {"refused": {"code": "draw.no-flip", "clause": "U4", "message": "No flip lies open."}}


def test_a_program_does_not_learn_where_matches_lie(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KALOOKI_DEBUG", "1")
    monkeypatch.setenv("OWN_SETTING", "kept")
    before = f"open({str(tmp_path / 'environment')!r}, 'w').write(repr(dict(__import__('os').environ)))"
    table = open_table(program(tmp_path, PLAIN, before))
    player = start(table)
    player.decide(table.view(seat_of(table)))
    player.close()
    found = (tmp_path / "environment").read_text(encoding="utf-8")
    assert "KALOOKI" not in found
    assert "'OWN_SETTING': 'kept'" in found


def test_what_the_bot_of_the_documentation_answers_at_decisions_of_the_records(golden: Golden) -> None:
    bot, views = Path(__file__).parents[2] / "kalooki_tui" / "examples" / "small_bot.py", list[View]()
    for path in RECORDS:
        views += moments(path)
    messages = [message for view in views for message in (hello_message(view), ask_message(view, ()))]
    done = subprocess.run(
        [sys.executable, bot], input="\n".join(map(dump, messages)), capture_output=True, text=True, check=True
    )
    told = [f"{view.rules.ruleset.id} {view.phase}" for view in views]
    golden("bot-answers", "\n".join(map(" ".join, zip(told, done.stdout.splitlines(), strict=True))))
