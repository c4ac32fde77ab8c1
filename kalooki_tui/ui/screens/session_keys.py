"""The commands of a session: those of the table that answer an exercise, and a few of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kalooki_tui.desk.commands import BY_NAME, Command


def _named(name: str, label: str = "") -> Command:
    known = BY_NAME[name]
    return replace(
        known,
        label=label or known.label,
        text=None,
        run=lambda at: at.answer_by(name),
        why=lambda at: at.desk.why_not(name, at.hand.selected),
    )


COMMANDS: Final = (
    _named("lay"),
    replace(BY_NAME["confirm"], run=lambda at: at.confirm(), why=lambda at: None),
    _named("tack"),
    _named("discard"),
    _named("end", "Done"),
    replace(BY_NAME["take-back"], run=lambda at: at.take_back()),
    Command("hint", "h", "Help", "Get help: a question, a part of the answer, the answer. It costs the second star.",
            lambda at: at.help()),
    Command("sort", "o", "Sort", "Sort the cards by suit, then by rank, in turn.", lambda at: at.sort()),
    Command("rules", "i", "Rules", "Read the rules.", lambda at: at.show_rules()),
    Command("share", "s", "Share", "One line to send to others; it is copied.", lambda at: at.share(),
            lambda at: at.why_no_share()),
    Command("leave-session", "q", "Leave", "Back to where you came from.", lambda at: at.leave()),
)  # fmt: skip
