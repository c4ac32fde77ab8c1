import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from shlex import quote
from typing import Any, Final

import pytest

from kalooki_tui.simulation import runner as simulation
from kalooki_tui.simulation.runner import Notebook, plan_simulation
from tests.commands import Run

SEATS = ("--seat", "ai:club", "--seat", "ai:novice", "--seat", "Cat=ai:novice")


def test_shares_have_intervals_that_are_shares(run: Run) -> None:
    code, out, _ = run("sim", "--ruleset", "baby", *SEATS, "--matches", "15", "--deal", "1", "--seed", "2")
    assert code == 0
    assert out.splitlines()[-1] == "± is half of a 95% interval; in brackets are its ends."
    ends = [float(end) for pair in re.findall(r"% \((\S+)–(\S+)\)", out) for end in pair]
    assert len(ends) > 10
    assert all(0 <= end <= 100 for end in ends)
    # No deal was void; that does not make it certain that none can be.
    assert re.search(r"0\.0% \(0\.0–[1-9]", out)


def test_without_seats_club_players_sit_down(run: Run) -> None:
    code, out, _ = run("sim", "--ruleset", "tuluki", "--matches", "1", "--deal", "1", "--json")
    assert code == 0
    assert [seat["player"] for seat in json.loads(out)["seats"]] == ["ai:club", "ai:club"]


@pytest.mark.parametrize(("jobs", "ending"), [("2", signal.SIGINT), ("1", signal.SIGKILL)])
def test_an_interruption_ends_everything_quietly_and_a_kill_takes_programs_and_their_children_with_it(
    tmp_path: Path, jobs: str, ending: signal.Signals
) -> None:
    bot = tmp_path / "bot.py"
    pid = str(tmp_path / "pid")
    bot.write_text(
        f"import os, subprocess, time\nchild = subprocess.Popen(['sleep', '600'])\n"
        f"for one in (os.getpid(), child.pid): open({pid!r} + str(one), 'w').close()\ntime.sleep(600)\n",
        encoding="utf-8",
    )
    seat = f"exec:{quote(sys.executable)} {bot}"
    command = [sys.executable, "-m", "kalooki_tui", "sim", "--ruleset", "baby", "--patience", "60", "--jobs", jobs]
    command += ["--seat", seat, "--seat", "ai:novice", "--seat", "ai:novice"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 90
    while len(pids := list(tmp_path.glob("pid*"))) < 2 * int(jobs) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(pids) == 2 * int(jobs)
    os.kill(process.pid, ending)
    out, err = process.communicate(timeout=90)
    if ending is signal.SIGINT:
        assert (process.returncode, out, err) == (130, b"", b"\n")
    deadline = time.monotonic() + 60
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(map(alive, pids))


def alive(path: Path) -> bool:
    try:
        return "Z" not in Path(f"/proc/{path.name.removeprefix('pid')}/stat").read_text(encoding="utf-8").split()[2]
    except OSError:
        return False


SMALL = ("--ruleset", "baby", "--matches", "6", *SEATS[:4], "--seat", "ai:novice", "--deal", "1")


def without_times(text: str) -> Any:
    """The results; how long a decision took is never the same."""
    found = json.loads(text)
    found.pop("times")
    return found


def test_a_simulation_that_was_broken_off_goes_on_in_its_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = without_times(run("sim", *SMALL, "--json")[1])
    file = tmp_path / "notes.jsonl"
    run("sim", *SMALL[:3], "4", *SMALL[4:], "--notes", str(file))
    lines = file.read_bytes().split(b"\n")
    assert len(lines) == 1 + 4 + 1
    file.write_bytes(b"\n".join(lines[:4]) + b"\n" + lines[4][:50])  # killed while the fourth was written
    played = []
    play_one = simulation.play_one

    def counted(plan: simulation.Simulation, number: int) -> simulation.MatchNotes:
        played.append(number)
        return play_one(plan, number)

    monkeypatch.setattr(simulation, "play_one", counted)
    code, out, _ = run("sim", *SMALL, "--json", "--notes", str(file))
    assert (code, played) == (0, [3, 4, 5])
    assert without_times(out) == whole
    assert without_times(run("sim", *SMALL, "--json", "--notes", str(file))[1]) == whole
    assert played == [3, 4, 5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"simulation":1}\n', ":1: these are the notes of another simulation: name another file"),
        ("hello\n", ":1: this is not a line of a simulation's notes"),
    ],
)
def test_notes_of_something_else_are_left_alone(run: Run, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_text(text)
    code, _, err = run("sim", *SMALL, "--notes", str(file))
    assert (code, err) == (2, f"{file}{message}\n")
    assert file.read_text() == text


def test_one_simulation_at_a_time_keeps_its_notes_in_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    run("sim", *SMALL, "--notes", file)
    before = file.read_bytes()
    plan = plan_simulation(ruleset="baby", seats=SMALL[5:10:2], matches=6, seed=1, deal=1)
    with Notebook(file, plan):
        code, out, err = run("sim", *SMALL[:3], "9", *SMALL[4:], "--notes", file)
    assert (code, out) == (2, "")
    assert err == f"{file}: another simulation is writing its notes there: wait for it, or name another file\n"
    assert file.read_bytes() == before
    assert run("sim", *SMALL, "--notes", file)[0] == 0
    assert not list(tmp_path.glob(".*"))


#: What a line of the notes may have become.
DAMAGED: Final = (
    b'{"number":1,"shuf{"number":2,',
    b"\xff\0",
    b"[]",
    b"[" * 100_000,
)


def test_the_match_of_a_damaged_line_is_played_again_and_one_that_is_noted_twice_counts_once(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "notes.jsonl"
    whole = without_times(run("sim", *SMALL, "--json", "--notes", file)[1])
    lines = file.read_bytes().split(b"\n")
    for line in DAMAGED:
        file.write_bytes(b"\n".join([*lines[:2], line, *lines[3:]]))
        code, out, err = run("sim", *SMALL, "--json", "--notes", file)
        assert (code, without_times(out)) == (0, whole)
        assert err == f"{file}:3: this is not a line of these notes; a match that is missing is played again\n"
        assert len(file.read_bytes().split(b"\n")) == len(lines) + 1
    file.write_bytes(b"\n".join([*lines[:-1], lines[1], b""]))
    assert without_times(run("sim", *SMALL, "--json", "--notes", file)[1]) == whole


BOT = """
import json, sys
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if "ask" in message:
        asked += 1
        sys.stderr.write(f"question {asked}\\n" + "x" * 5000 + "\\n")
        print(ANSWER, flush=True)
sys.stderr.write("the end\\n")
"""
ALWAYS, ONCE = "'nonsense'", "'nonsense' if asked == 2 else message['options'][0]"
DEAL = ("--ruleset", "baby", "--deal", "1", *SEATS[:4])


def bot_seat(folder: Path, answer: str) -> str:
    bot = folder / "bot.py"
    bot.write_text(BOT.replace("ANSWER", answer), encoding="utf-8")
    return f"exec:{quote(sys.executable)} {bot}"


def test_what_programs_did_wrong_is_counted(run: Run, tmp_path: Path) -> None:
    player = bot_seat(tmp_path, ALWAYS)
    arguments = (*DEAL, "--matches", "3", "--seat", player, "--jobs", "2", "--notes", tmp_path / "notes")
    code, out, _ = run("sim", *arguments, "--json")
    assert code == 3
    assert json.loads(out)["programs"] == [{"program": player, "played": 3, "refused": 9, "replaced": 3}]
    # The same out of the notes, where nothing is played again, and as text.
    code, out, _ = run("sim", *arguments)
    assert code == 3
    assert f"program matches answers refused replaced by the AI {player} 3 9 3" in " ".join(out.split())


def test_a_program_that_is_refused_once_plays_on(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "new" / "log"
    arguments = (*DEAL, "--matches", "2", "--seat", bot_seat(tmp_path, ONCE), "--json", "--bot-log", log)
    for _ in range(2):
        code, out, _ = run("sim", *arguments)
        (program,) = json.loads(out)["programs"]
        assert (code, program["refused"], program["replaced"]) == (0, 2, 0)
        assert [path.name for path in sorted(log.iterdir())] == ["baby-1-0001-seat-3.txt", "baby-1-0002-seat-3.txt"]
        lines = (log / "baby-1-0001-seat-3.txt").read_text(encoding="utf-8").splitlines()
        questions = len(lines) // 2
        assert lines == [part for one in range(questions) for part in (f"question {one + 1}", "x" * 5000)] + ["the end"]


def test_a_cluster_needs_its_library(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, _, err = run("sim", *SMALL, "--cluster", "tcp://127.0.0.1:1")
    assert (code, "the extra `cluster`" in err) == (2, True)
    assert "--jobs" in run("sim", *SMALL, "--cluster", "tcp://127.0.0.1:1", "--jobs", "2")[2]


def test_without_a_bar_a_line_says_how_far_it_is(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kalooki_tui.cli.sim.EVERY", 0)
    code, out, err = run("sim", *SMALL, "--json")
    assert (code, len(json.loads(out)["players"])) == (0, 2)
    assert err.startswith("1 of 6 matches are over.\n")
