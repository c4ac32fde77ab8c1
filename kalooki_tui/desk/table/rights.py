"""Who may do what at a sitting: decided here for terminals and phones alike.

The host has the first place, with a seat or without one. Everybody who has a seat plays; whoever has neither looks on.
A stranger has no place, and reaches nothing of a sitting.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

#: Commands that only show something, or leave.
READS: Final = frozenset(("settings", "rules", "words", "scores", "last-round", "note-away", "help", "quit"))
#: Commands that only somebody who plays can give, whoever hosts.
PLAYS: Final = frozenset(("hosted-say", "agree", "disagree"))
#: Commands that change or read the whole match, which is the host's, and what a guest is told.
HOSTS: Final[Mapping[str, str]] = {
    "speed": "Only the host changes how fast AI seats move.",
    "reseat": "Only the host changes who plays.",
    "review": "Only the host can review the match: it is saved there.",
}
LOOKS_ON: Final = "Whoever looks on can only watch and read."


def why_not_allowed(command: str, *, is_host: bool, plays: bool) -> str:
    """Why somebody at a sitting may not give a command; empty: they may."""
    if command in READS:
        return ""
    if not plays and (command in PLAYS or not is_host):
        return LOOKS_ON
    return "" if is_host else HOSTS.get(command, "")
