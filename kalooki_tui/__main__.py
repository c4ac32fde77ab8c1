"""Process ``kalooki`` or ``python -m kalooki_tui``: its signals and streams are put in order before all else."""

from __future__ import annotations

# Ctrl+C while anything is imported here shows a traceback: nothing else is.
import os
import signal
import sys

INTERRUPTED = 130
"""Exit code after Ctrl+C, as in shells."""


def main() -> None:
    # Where the caller has Ctrl+C ignored it stays so.
    heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if heard:
        signal.signal(signal.SIGINT, _leave)
        sys.unraisablehook = _unraisable
    _open_streams()
    from kalooki_tui.cli import main as cli

    code: object = 0
    try:
        try:
            if heard:
                signal.signal(signal.SIGINT, _interrupt)
            cli.main()
        finally:
            # What is left to do has nothing that needs to be cleaned up.
            if heard:
                signal.signal(signal.SIGINT, _leave)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except SystemExit as end:
        code = end.code
    _close_streams()
    sys.exit(code if isinstance(code, int) else 0)


def _leave(number: int, frame: object) -> None:
    """End at once: modules are being imported, or the command is over."""
    os._exit(INTERRUPTED)


def _interrupt(number: int, frame: object) -> None:
    """Interrupt a command, which may clean up; the next interruption ends it."""
    signal.signal(signal.SIGINT, _leave)
    raise KeyboardInterrupt


def _unraisable(problem: sys.UnraisableHookArgs) -> None:
    """Count an interruption that came where no exception can be raised, such as in the collector."""
    if isinstance(problem.exc_value, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(problem)


def _open_streams() -> None:
    """Open three streams that take every character; a closed one must not give its number to the next file."""
    import codecs

    codecs.register_error("kalooki", _in_other_words)
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115 - pathlib takes long to import
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    for stream, errors in ((sys.stdin, "backslashreplace"), (sys.stdout, "kalooki"), (sys.stderr, "kalooki")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)


#: What stands for a character in an encoding that does not have it. None of it has to be escaped in JSON.
_OTHERS = {
    "–": "-", "—": "-", "−": "-", "…": "...", "·": ".", "•": "*", "×": "x", "±": "+/-", "→": "->",
    "‘": "'", "’": "'", "“": "'", "”": "'", "★": "JK", "☻": "JK",
}  # fmt: skip


def _in_other_words(error: UnicodeError) -> tuple[str, int]:
    """Replace characters that the encoding lacks, or escape them as in JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from kalooki_tui.wording import ASCII

    others = {**ASCII, **_OTHERS}
    text = error.object[error.start : error.end]
    return "".join(others.get(character) or _escape(character) for character in text), error.end


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _close_streams() -> None:
    """Flush the output streams; a failure has nobody left to hear of it."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            try:
                # The interpreter flushes once more, and would complain.
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
            except (OSError, ValueError):
                continue


if __name__ == "__main__":
    main()
