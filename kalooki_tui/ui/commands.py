"""Every command of the table, each defined once: key, footer text, tooltip, palette entry, help row, why not now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from kalooki_tui.cards import JOKER
from kalooki_tui.desk.desk import Desk
from kalooki_tui.engine.actions import Source
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.engine.view import Phase

if TYPE_CHECKING:
    from kalooki_tui.ui.screens.table import TableScreen


class Group(StrEnum):
    """Headings of the help screen."""

    DRAW = "Draw and call"
    MELD = "Lay, tack, swap"
    END = "End the turn"
    HAND = "Your hand"
    APP = "The table"


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a person can do at the table."""

    name: str
    """Stable: the id of its binding."""
    key: str
    """As Textual names it."""
    shown: str
    """The key as it is printed."""
    label: str
    """Footer text."""
    sentence: str
    """Tooltip, palette entry and help row."""
    group: Group
    run: Callable[[TableScreen], None]
    why: Callable[[Desk], Refusal | None] = lambda desk: None
    """Why it is not open now, if it is not. May raise `Refused` to the same end."""
    text: Callable[[Desk], str] | None = None
    """Footer text that depends on the moment."""
    watching: bool = False
    """Whether it is of use where no hand lies open."""


def _take_text(desk: Desk) -> str:
    card = desk.view.discard
    return "Take" if card is None else f"Take {desk.view.rules.faces.symbol(card)}"


def _flip_text(desk: Desk) -> str:
    card = desk.view.flip
    return "Flip" if card is None else f"Flip {desk.view.rules.faces.symbol(card)}"


def _lay_text(desk: Desk) -> str:
    word = desk.view.rules.ruleset.vocabulary.lay.capitalize()
    return f"{word} all" if desk.staged and not desk.selected else word


def _tack_text(desk: Desk) -> str:
    return desk.view.rules.ruleset.vocabulary.tack.capitalize()


def _end_text(desk: Desk) -> str:
    return "Done" if desk.view.phase is Phase.ADD_ON else "End"


COMMANDS: Final[tuple[Command, ...]] = (
    Command(
        "draw-stock", "d", "d", "Stock", "Draw the top card of the stock.",
        Group.DRAW, lambda screen: screen.moves.draw_from(Source.STOCK), lambda desk: desk.why_draw(Source.STOCK),
    ),
    Command(
        "take-discard", "t", "t", "Take", "Take the top discard as your draw.",
        Group.DRAW, lambda screen: screen.moves.draw_from(Source.DISCARD), lambda desk: desk.why_draw(Source.DISCARD),
        _take_text,
    ),
    Command(
        "take-flip", "f", "f", "Flip", "Take the card that was flipped as your draw (games with a flip).",
        Group.DRAW, lambda screen: screen.moves.draw_from(Source.FLIP), lambda desk: desk.why_draw(Source.FLIP),
        _flip_text,
    ),
    Command(
        "call", "c", "c", "Call", "Call the card out of turn: it comes with a penalty card from the stock.",
        Group.DRAW, lambda screen: screen.moves.call(), lambda desk: desk.why_call(),
    ),
    Command(
        "pass", "p,n", "p", "Pass", "Do not call this card.",
        Group.DRAW, lambda screen: screen.moves.pass_call(), lambda desk: desk.why_pass(),
    ),
    Command(
        "lay", "l", "l", "Lay", "Put the chosen cards together as a meld; with none chosen, lay all staged melds.",
        Group.MELD, lambda screen: screen.moves.lay(), lambda desk: desk.why_lay(), _lay_text,
    ),
    Command(
        "best-lay", "L", "L", "Best", "Stage the lay-down that leaves the fewest points in your hand.",
        Group.MELD, lambda screen: screen.moves.stage_best(), lambda desk: desk.why_best(),
    ),
    Command(
        "tack", "k", "k", "Tack", "Add the chosen cards to a meld on the table.",
        Group.MELD, lambda screen: screen.moves.tack(), lambda desk: desk.why_tack(), _tack_text,
    ),
    Command(
        "swap", "w", "w", "Swap", "Put the chosen card in the place of a joker that stands for it.",
        Group.MELD, lambda screen: screen.moves.swap(), lambda desk: desk.why_swap(),
    ),
    Command(
        "take-back", "escape", "esc", "Back", "Take back the meld staged last, else choose no cards.",
        Group.MELD, lambda screen: screen.moves.take_back(), lambda desk: None,
    ),
    Command(
        "discard", "x", "x", "Discard", "Throw the chosen card and end your turn.",
        Group.END, lambda screen: screen.moves.discard(), lambda desk: desk.why_discard(),
    ),
    Command(
        "end", "e", "e", "End", "End your turn without a discard, or your part in the final add-on.",
        Group.END, lambda screen: screen.moves.end_turn(), lambda desk: desk.why_end(), _end_text,
    ),
    Command(
        "challenge", "R", "R", "Challenge", "Say that a seat has called too often (games with penalties).",
        Group.END, lambda screen: screen.moves.challenge(), lambda desk: desk.why_challenge(),
    ),
    Command(
        "hint", "h", "h", "Hint", "Ask the club player what it would do with your hand.",
        Group.HAND, lambda screen: screen.moves.hint(), lambda desk: desk.why_no_hint(),
    ),
    Command(
        "undo", "u", "u", "Undo", "Take back your last step, until it has shown something new.",
        Group.HAND, lambda screen: screen.journal.undo(), lambda desk: desk.why_no_undo(),
    ),
    Command(
        "sort", "o", "o", "Sort", "Sort the hand by suit, then by rank, in turn.",
        Group.HAND, lambda screen: screen.moves.sort_hand(), lambda desk: desk.why_no_hand(),
    ),
    Command(
        "group", "g", "g", "Group", "Put the cards that make melds together.",
        Group.HAND, lambda screen: screen.moves.group_hand(), lambda desk: desk.why_no_hand(),
    ),
    Command(
        "speed", "v", "v", "Speed", "Change how fast AI seats move: instant, brisk, natural.",
        Group.APP, lambda screen: screen.cycle_speed(), watching=True,
    ),
    Command(
        "pause", "z", "z", "Pause", "Stop AI seats for a while, or let them go on.",
        Group.APP, lambda screen: screen.toggle_pause(), watching=True,
    ),
    Command(
        "settings", "comma", ",", "Settings", "Theme, four-colour deck, glyphs, motion, bell, AI speed.",
        Group.APP, lambda screen: screen.show_settings(), watching=True,
    ),
    Command(
        "rules", "i", "i", "Rules", "Read the rules of this deal.",
        Group.APP, lambda screen: screen.show_rules(), watching=True,
    ),
    Command(
        "scores", "s", "s", "Scores", "See the score so far.",
        Group.APP, lambda screen: screen.show_scores(), watching=True,
    ),
    Command(
        "help", "question_mark", "?", "Help", "List every command.",
        Group.APP, lambda screen: screen.show_help(), watching=True,
    ),
    Command(
        "quit", "q", "q", "Quit", "Leave the match, after asking.",
        Group.APP, lambda screen: screen.leave_match(), watching=True,
    ),
)  # fmt: skip

BY_NAME: Final = {command.name: command for command in COMMANDS}

_TURN: Final = ("draw-stock", "take-discard", "take-flip", "lay", "tack", "swap", "discard", "end", "hint", "undo")
_ALWAYS: Final = ("best-lay", "sort", "group", "scores", "rules", "speed", "quit", "help")
_CALLING: Final = ("call", "pass", "hint", "undo")
_WATCHING: Final = ("speed", "pause", "rules", "scores", "quit", "help")


def footer_names(desk: Desk) -> tuple[str, ...]:
    """The commands the footer shows at this moment, the most needed first."""
    view = desk.view
    ruleset = view.rules.ruleset
    if desk.seat is None:
        return _WATCHING
    if view.phase in (Phase.CALL_WINDOW, Phase.FLIP_WINDOW) and view.legal:
        return (*_CALLING, *(("challenge",) if view.may_challenge else ()), *_ALWAYS[1:])
    left_out = {"take-discard"} if ruleset.draw.offer == "flip" else {"take-flip"}
    if not _may_end(view.phase, view.hand):
        left_out.add("end")
    names = [name for name in _TURN if name not in left_out]
    if view.may_challenge:
        names.append("challenge")
    if desk.staged:
        names.insert(names.index("lay") + 1, "take-back")
    if desk.why_best() is None:
        names.insert(names.index("lay") + 1, "best-lay")
    return tuple(dict.fromkeys((*names, *_ALWAYS)))


def _may_end(phase: Phase, hand: tuple[int, ...]) -> bool:
    return phase is Phase.ADD_ON or (bool(hand) and all(card == JOKER for card in hand))
