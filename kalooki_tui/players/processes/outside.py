"""A seat played by a program: JSON lines over its standard input and output (notation reference, Outside players).

The program gets what the seat may know (V1) and nothing more. It can hold up the table for its patience at most:
three refusals of one question, silence, a line without end or its own end, and the `novice` AI plays on.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from kalooki_tui.engine.actions import Action, Cut
from kalooki_tui.engine.events import Event
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase, View
from kalooki_tui.notation.actions import parse_answer
from kalooki_tui.notation.cards import NotationError
from kalooki_tui.notation.messages import Message, ask_message, hello_message, refused_message, result_message, seen_by
from kalooki_tui.players.protocol import Decision
from kalooki_tui.players.seat import AiSeat
from kalooki_tui.wording import whom

PATIENCE: Final = 10.0
"""Seconds a question may stay without an answer."""
REFUSALS: Final = 3
"""Refusals of one question after which the program is asked no more."""
LONGEST_ANSWER: Final = 4096
"""Bytes of one line."""
FAREWELL: Final = 1.0
"""Seconds a program has to end by itself once it has been told the result."""
OWN_VARIABLES: Final = "KALOOKI_"
"""How the names of this program's own variables of the environment begin."""
KEPT_ERRORS: Final = 4096
"""Bytes kept of what the program wrote to its standard error last."""

MOST_LAST_WORDS: Final = 100
"""Reads of its standard error once it has ended; a pipe holds some sixteen."""

Notice = Callable[[str], None]


class Failed(Exception):
    """The program cannot play on; the text says why, without a subject: `fell silent for 10 seconds`."""


class OutsidePlayer:
    """A program at a seat; started at its first question.

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
        self._failed = False
        self._refusal: Refusal | None = None
        """Why the last decision was refused: the next `decide` says so and puts the same question again."""
        self._told: list[Event] = []
        """Events told with the question in progress."""
        self._refusals = 0
        self._log = log
        """Where all of its standard error is kept."""
        self.refused_answers = 0
        """In the whole match, unreadable ones included."""

    @property
    def failed(self) -> bool:
        """Whether the stand-in plays now."""
        return self._failed

    def observe(self, events: Iterable[Event]) -> None:
        """Take note of what happened, to be told with the next question."""
        if not (self._failed or self._closed):
            self._events += [seen_by(self._seat, event) for event in events]

    def decide(self, view: View) -> Decision:
        """The program's answer, or the stand-in's once the program has failed."""
        with self._lock:
            if self._refusal is None:
                self._refusals = 0
                self._told = []
            else:
                self._refuse(self._refusal, view)
                self._refusal = None
            while not (self._failed or self._closed):
                try:
                    answer = parse_answer(self._ask(view), self._seat, view.names, view.rules.faces)
                    return Decision(self._meant(answer, view))
                except NotationError as error:
                    self.refused_answers += 1
                    self._refuse(Refusal("answer.unreadable", "T1", f"The answer cannot be read: {error}"), view)
                except Failed as failure:
                    self._fail(str(failure), view)
            return self._stand_in.decide(view)

    def _meant(self, answer: Action, view: View) -> Action:
        """The answer as it is played: of a cut the number is the aim, and a hand's spread is added to it (B1)."""
        if isinstance(answer, Cut) and view.phase is Phase.CUT and 0 < answer.count < view.rules.deck_size:
            return self._stand_in.cut_near(view, answer.count)
        return answer

    def refused(self, refusal: Refusal) -> None:
        """The last decision was refused; `decide` puts the same question again, or the stand-in answers."""
        self._refusal = refusal
        self.refused_answers += not self._failed

    def finish(self, names: Sequence[str], winners: Sequence[int], totals: Sequence[int]) -> None:
        """Tell the program the result, and end it."""
        with self._lock:
            if self._program is not None and not self._failed:
                with suppress(Failed):
                    self._program.send(result_message(names, winners, totals), FAREWELL)
                    self._program.part(FAREWELL)
        self.close()

    def close(self) -> None:
        """End the program; a `decide` under way returns at once with the stand-in's decision."""
        self._closed = True
        program = self._program
        if program is not None:
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
        if self._failed or self._closed or self._program is None:
            return
        try:
            self._program.send(refused_message(refusal), self._patience)
            if self._refusals >= REFUSALS:
                raise Failed(f"was refused {REFUSALS} times (last: {refusal.message})")
        except Failed as failure:
            self._fail(str(failure), view)

    def _fail(self, why: str, view: View) -> None:
        self._failed = True
        self._events, self._told = [], []
        if self._program is not None:
            self._program.kill()
            self._program.close()
            self._program = None
        if self._notice is not None and not self._closed:
            self._notice(f"The program of {whom(view.names[self._seat])} {why}. The novice AI plays on for it.")


class Program:
    """A running program and its three pipes; every wait has a time limit.

    Raises:
        Failed: it cannot be started.
    """

    def __init__(self, command: Sequence[str], log: Path | None = None) -> None:
        self._log = log
        try:
            # A session of its own: Ctrl+C at the table is not its business, and its children end with it.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=environment(),
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise Failed(f"cannot be started: {why or error}") from None
        process = self._process
        self._guard = _guard(process.pid)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._pipes = (process.stdin, process.stdout, process.stderr)
        self._input, self._output, self._errors = (pipe.fileno() for pipe in self._pipes)
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe, False)
        self._read = b""
        self._complaint: bytes = b""
        self._complains = True
        self._ending = threading.Lock()
        self._reaped = False

    def send(self, message: Message, patience: float) -> None:
        """Write a message as one line.

        Raises:
            Failed: the program has ended, or does not read.
        """
        left = memoryview(json.dumps(message).encode() + b"\n")
        deadline = time.monotonic() + patience
        while left:
            if self._input in self._wait(self._input, deadline, patience):
                try:
                    left = left[os.write(self._input, left) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise self._ended() from None

    def answer(self, patience: float) -> str:
        """The next line that the program writes, without its end.

        Raises:
            Failed: none came in time, it is too long or not UTF-8, or the program has ended.
        """
        deadline = time.monotonic() + patience
        while b"\n" not in self._read:
            if len(self._read) > LONGEST_ANSWER:
                raise Failed(f"wrote a line longer than {LONGEST_ANSWER} bytes")
            if self._output in self._wait(self._output, deadline, patience):
                chunk = _read(self._output)
                if chunk == b"":
                    raise self._ended()
                self._read += chunk or b""
        line, _, self._read = self._read.partition(b"\n")
        try:
            return line.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise Failed("wrote text that is not UTF-8") from None

    def part(self, patience: float) -> None:
        """Close its input and give it time to end by itself.

        Raises:
            Failed: it did not.
        """
        self._pipes[0].close()
        deadline = time.monotonic() + patience
        while self._output not in self._wait(self._output, deadline, patience) or _read(self._output) != b"":
            pass

    def kill(self) -> None:
        """End the program and what it started, now; pipes stay open."""
        with self._ending:
            # Before it is waited for, its number cannot have gone to another process.
            if not self._reaped:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, signal.SIGKILL)

    def _dismiss_guard(self) -> None:
        """There is nobody left to guard; the number may be another group's from now on."""
        if self._guard is not None and self._guard.stdin is not None:
            self._guard.kill()
            self._guard.wait()
            self._guard.stdin.close()

    def close(self) -> None:
        """End the program, and let go of everything."""
        self.kill()
        with self._ending:
            if not self._reaped:
                self._dismiss_guard()
            self._reaped = True
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(FAREWELL)
        self._hear_the_rest()
        for pipe in self._pipes:
            with suppress(OSError):
                pipe.close()

    def _wait(self, pipe: int, deadline: float, patience: float) -> set[int]:
        """The pipes that can be used; what the program complains of is read meanwhile, so that it never blocks."""
        left = deadline - time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_WRITE if pipe == self._input else selectors.EVENT_READ)
            if self._complains and pipe != self._errors:
                selector.register(self._errors, selectors.EVENT_READ)
            ready = {key.fd for key, _ in selector.select(left)} if left > 0 else set()
        if not ready:
            raise Failed(f"was silent for {patience:g} seconds")
        if self._errors in ready:
            self._hear_complaint()
        return ready

    def _hear_complaint(self) -> bool:
        """Read what there is of its complaints; False if there was nothing."""
        chunk = _read(self._errors)
        if chunk == b"":
            self._complains = False
        self._complaint = (self._complaint + (chunk or b""))[-KEPT_ERRORS:]
        if chunk and self._log is not None:
            with self._log.open("ab") as file:
                file.write(chunk)
        return bool(chunk)

    def _hear_the_rest(self) -> None:
        """Read what lies in its pipe at the end; something that has escaped the end could write for ever."""
        for _ in range(MOST_LAST_WORDS):
            if self._pipes[2].closed or not self._hear_complaint():
                return

    def _ended(self) -> Failed:
        """Why the program is there no more: its exit code, and the last line it complained with."""
        deadline = time.monotonic() + FAREWELL
        with suppress(Failed):
            while self._complains:
                self._wait(self._errors, deadline, FAREWELL)
        self.close()
        code = self._process.returncode
        last = self._complaint.decode("utf-8", "replace").strip().rpartition("\n")[2]
        text = "".join(character for character in last[:200] if character.isprintable())
        # It is killed above if it runs still.
        how = "closed its output" if code in (None, -signal.SIGKILL) else f"ended with exit code {code}"
        return Failed(f"{how}{f', saying {text!r}' if text else ''}")


def environment() -> dict[str, str]:
    """The environment of a program at a seat: nothing in it says where matches, and with them hidden cards, lie."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OWN_VARIABLES)}


def _guard(group: int) -> subprocess.Popen[bytes] | None:
    """A process that ends the group as soon as this one has ended, however that comes; None where there can be none.

    It waits for the end of its input, which only this process holds open.
    """
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


def _read(pipe: int) -> bytes | None:
    """Read the bytes that are there: empty at the end of the stream, None if nothing has come yet."""
    try:
        return os.read(pipe, LONGEST_ANSWER)
    except BlockingIOError:
        return None
    except OSError:
        return b""
