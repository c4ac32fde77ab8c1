"""A seat played by a program: JSON lines over its standard input and output (notation reference, Outside players).

The program gets what the seat may know (V1) and nothing more. It can hold up the table for its patience at most:
three refusals of one question, silence, a line without end or its own end, and the `novice` AI plays on.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from kalooki_tui.engine.actions import Cut
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.action_text import parse_answer
from kalooki_tui.notation.card_text import NotationError
from kalooki_tui.notation.messages import Message, ask_message, hello_message, refused_message, result_message, seen_by
from kalooki_tui.players import PlayerChoice
from kalooki_tui.players.seat import AiSeat
from kalooki_tui.wording import whom

PATIENCE: Final = 10.0
"""Seconds a question may stay without an answer."""
REFUSALS: Final = 3
LONGEST_ANSWER: Final = 4096
"""Bytes of one line."""
FAREWELL: Final = 1.0
"""Seconds a program has to end by itself once it has been told the result."""
OWN_VARIABLES: Final = "KALOOKI_"
KEPT_ERRORS: Final = 4096

Notice = Callable[[str], None]


class Failed(Exception):
    """Failure of the program, said without a subject: `fell silent for 10 seconds`."""


class OutsidePlayer:
    """Program at a seat; started at its first question.

    `decide` may be called from a worker thread, `close` from any thread at any time. `stand_in` plays on when the
    program fails, and `notice` is told so in a sentence.
    """

    def __init__(
        self,
        command: Sequence[str],
        stand_in: AiSeat,
        *,
        seat: int,
        patience: float = PATIENCE,
        notice: Notice | None = None,
        events: Iterable[Event] = (),
        log: Path | None = None,
    ) -> None:
        self._command = tuple(command)
        self._stand_in = stand_in
        self._seat = seat
        self._patience = patience
        self._notice = notice
        self._events = [seen_by(seat, event) for event in events]
        self._program: Program | None = None
        self._lock = threading.Lock()
        self._closed = False
        self.failed = False
        self._refusal: Refusal | None = None
        """Why the last decision was refused: the next `decide` says so and puts the same question again."""
        self._told: list[Event] = []
        self._refusals = 0
        self._log = log
        self.refused_answers = 0
        """In the whole match, unreadable ones included."""

    def observe(self, events: Iterable[Event]) -> None:
        self._events += [seen_by(self._seat, event) for event in events]

    def decide(self, view: View) -> PlayerChoice:
        """Return the program's answer, or the stand-in's once the program has failed."""
        with self._lock:
            if self._refusal is None:
                self._refusals = 0
                self._told = []
            else:
                self._refuse(self._refusal, view)
                self._refusal = None
            while not (self.failed or self._closed):
                try:
                    answer = parse_answer(self._ask(view), self._seat, view.names, view.rules.faces)
                    if isinstance(answer, Cut) and view.phase is Phase.CUT and 0 < answer.count < view.rules.deck_size:
                        # The number is an aim, to which the spread of a hand is added (B1).
                        answer = self._stand_in.cut_near(view, answer.count)
                    return PlayerChoice(answer)
                except NotationError as error:
                    self.refused_answers += 1
                    self._refuse(Refusal("answer.unreadable", "T1", f"The answer cannot be read: {error}"), view)
                except Failed as failure:
                    self._fail(str(failure), view)
            return self._stand_in.decide(view)

    def refused(self, refusal: Refusal) -> None:
        """Note the refusal of the last decision; `decide` puts the same question again, or the stand-in answers."""
        self._refusal = refusal
        self.refused_answers += not self.failed

    def finish(self, names: Sequence[str], winners: Sequence[int], totals: Sequence[int]) -> None:
        with self._lock:
            if self._program is not None and not self.failed:
                with suppress(Failed):
                    self._program.send(result_message(names, winners, totals), FAREWELL)
                    self._program.part(FAREWELL)
        self.close()

    def close(self) -> None:
        """End the program; a `decide` under way returns at once with the stand-in's decision."""
        self._closed = True
        if (program := self._program) is not None:
            program.kill()
        with self._lock:
            if self._program is not None:
                self._program.close()
                self._program = None

    def _ask(self, view: View) -> str:
        if self._program is None:
            self._program = Program(self._command, self._log)
            if self._closed:
                raise Failed("is not needed any more")
            self._program.send(hello_message(view), self._patience)
        new, self._events = self._events, []
        self._told += new
        self._program.send(ask_message(view, self._told), self._patience)
        return self._program.answer(self._patience)

    def _refuse(self, refusal: Refusal, view: View) -> None:
        self._refusals += 1
        if self.failed or self._closed or self._program is None:
            return
        try:
            self._program.send(refused_message(refusal), self._patience)
            if self._refusals >= REFUSALS:
                raise Failed(f"was refused {REFUSALS} times (last: {refusal.message})")
        except Failed as failure:
            self._fail(str(failure), view)

    def _fail(self, why: str, view: View) -> None:
        self.failed = True
        self._events, self._told = [], []
        if self._program is not None:
            self._program.close()
            self._program = None
        if self._notice is not None and not self._closed:
            self._notice(f"The program of {whom(view.names[self._seat])} {why}. The novice AI plays on for it.")


class Program:
    """Running program: its input and output, and a file for its complaints; Failed if it cannot be started."""

    def __init__(self, command: Sequence[str], log: Path | None = None) -> None:
        self._errors = tempfile.TemporaryFile() if log is None else log.open("a+b")  # noqa: SIM115 - `close` does
        try:
            # A session of its own: Ctrl+C at the table is not its business, and its children end with it.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
                env=environment(),
            )
        except (OSError, ValueError) as error:
            self._errors.close()
            why = error.strerror if isinstance(error, OSError) else None
            raise Failed(f"cannot be started: {why or error}") from None
        self._guard = _guard(self._process.pid)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self._output = self._process.stdin, self._process.stdout

    def send(self, message: Message, patience: float) -> None:
        with self._within(patience):
            self._input.write(json.dumps(message).encode() + b"\n")
            self._input.flush()

    def answer(self, patience: float) -> str:
        """Read the next line that the program writes; raise Failed if none comes in time, or it is malformed."""
        with self._within(patience):
            line = self._output.readline(LONGEST_ANSWER + 1)
            if len(line) > LONGEST_ANSWER:
                raise Failed(f"wrote a line longer than {LONGEST_ANSWER} bytes")
            if not line.endswith(b"\n"):
                raise BrokenPipeError
        try:
            return line.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise Failed("wrote text that is not UTF-8") from None

    def part(self, patience: float) -> None:
        with suppress(OSError, subprocess.TimeoutExpired):
            self._input.close()
            self._process.wait(patience)

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        self.kill()
        if self._guard is not None and self._guard.stdin is not None:
            # Nobody is left to guard; the number may be another group's from now on.
            self._guard.kill()
            self._guard.wait()
            self._guard.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL)
        for file in (self._input, self._output, self._errors):
            with suppress(OSError):
                file.close()

    @contextmanager
    def _within(self, patience: float) -> Iterator[None]:
        """Wait for the program for so many seconds; then kill it, which ends every wait for it."""
        silent = threading.Event()

        def give_up() -> None:
            silent.set()
            self.kill()

        timer = threading.Timer(patience, give_up)
        timer.start()
        try:
            yield
        except OSError:
            timer.cancel()
            raise Failed(f"was silent for {patience:g} seconds" if silent.is_set() else self._end()) from None
        finally:
            timer.cancel()

    def _end(self) -> str:
        code = None
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(FAREWELL)
        start = max(0, os.fstat(self._errors.fileno()).st_size - KEPT_ERRORS)
        complaint = os.pread(self._errors.fileno(), KEPT_ERRORS, start)
        last = complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        text = "".join(character for character in last[:200] if character.isprintable())
        how = "closed its output" if code is None else f"ended with exit code {code}"
        return f"{how}{f', saying {text!r}' if text else ''}"


def environment() -> dict[str, str]:
    """Return the environment of a program at a seat, without paths to matches, and with them hidden cards."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OWN_VARIABLES)}


def _guard(group: int) -> subprocess.Popen[bytes] | None:
    """Start a process that ends the group once its own input, which only this process holds open, has ended."""
    try:
        return subprocess.Popen(
            ["/bin/sh", "-c", 'read -r _; kill -s KILL -- "-$1"', "guard", str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={},
        )
    except OSError:
        return None
