"""Helper process that thinks for the AI seats: reads questions from its input, writes answers to its output.

Both are frames: four bytes of length, then a pickle. While it thinks it also sends empty frames, so that the asking
process can tell a long thought from a hang. It ends when its input does.
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import signal
import struct
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final, TypeAlias

from kalooki_tui.engine.view import View
from kalooki_tui.players import make_player
from kalooki_tui.players.protocol import Player

BEAT: Final = 0.2
"""Seconds between two signs of life."""
LENGTH: Final = struct.Struct("!I")
END_WITH_PARENT: Final = 1
"""Linux: `PR_SET_PDEATHSIG`, the signal that a process gets when its parent ends."""

Question: TypeAlias = tuple[str, str, View] | tuple[Callable[..., object], tuple[object, ...]]
"""Level, seed and view; or anything else that takes its time: a function and what it is given."""


def frame(content: bytes) -> bytes:
    """A frame; empty, it is a sign of life."""
    return LENGTH.pack(len(content)) + content


def main(parent: int) -> None:
    """Answer questions until the input ends; `parent` is the process that asks them."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _end_with(parent)
    answers = os.dup(1)
    # What is printed by mistake must not be taken for an answer.
    os.dup2(2, 1)
    questions: SimpleQueue[bytes] = SimpleQueue()
    writing, thinking = threading.Lock(), threading.Event()
    threading.Thread(target=_hear, args=(questions, thinking), daemon=True).start()
    threading.Thread(target=_beat, args=(answers, writing, thinking), daemon=True).start()
    players: dict[tuple[str, str], Player] = {}
    settled = False
    while True:
        answer = _answer(players, questions.get())
        thinking.clear()
        _write(answers, writing, answer)
        if not settled:
            # What is loaded by now stays: a full collection that looks at all of it would fall into a later thought.
            settled = True
            gc.collect()
            gc.freeze()


def _end_with(parent: int) -> None:
    """See that the system ends this process with its parent, also while it is stopped. Elsewhere its input says so."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(END_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def _answer(players: dict[tuple[str, str], Player], asked: bytes) -> bytes:
    """The decision or other result asked for, or the exception; players are kept from one decision to the next."""
    try:
        question: Question = pickle.loads(asked)
        if len(question) == 2:
            function, given = question
            return pickle.dumps(function(*given))
        level, seed, view = question
        player = players.get((level, seed))
        if player is None:
            player = players[level, seed] = make_player(level, seed)
        return pickle.dumps(player.decide(view))
    except Exception as error:  # noqa: BLE001 - it goes to whoever asked
        # Notes come through where a traceback does not.
        import traceback

        error.add_note("".join(traceback.format_exception(error)))
        return pickle.dumps(error)


def _hear(questions: SimpleQueue[bytes], thinking: threading.Event) -> None:
    """Read questions; the process ends with its input, even in the middle of a thought."""
    try:
        while len(head := sys.stdin.buffer.read(LENGTH.size)) == LENGTH.size:
            asked = sys.stdin.buffer.read(LENGTH.unpack(head)[0])
            # To understand a question can take long as well: it loads the modules that are asked about.
            thinking.set()
            questions.put(asked)
    finally:
        os._exit(0)


def _beat(answers: int, writing: threading.Lock, thinking: threading.Event) -> None:
    _write(answers, writing, b"")
    pause = threading.Event()
    while True:
        thinking.wait()
        _write(answers, writing, b"")
        pause.wait(BEAT)


def _write(answers: int, writing: threading.Lock, content: bytes) -> None:
    left = memoryview(frame(content))
    with writing:
        try:
            while left:
                left = left[os.write(answers, left) :]
        except OSError:
            os._exit(0)
