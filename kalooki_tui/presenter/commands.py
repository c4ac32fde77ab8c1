"""Commands of the table, each defined once: key, footer text, tooltip, palette entry, help row, why not now."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from msgspec import Struct

from kalooki_tui.engine.actions import Call, Draw, Pass, Source
from kalooki_tui.engine.refusals import Refusal, Refused
from kalooki_tui.engine.view import Phase

#: How keys are printed whose names are not what stands on them.
PRINTED: Final = {
    "escape": "esc", "question_mark": "?", "comma": ",", "slash": "/", "full_stop": ".",
    "pageup": "pgup", "pagedown": "pgdn", "left_square_bracket": "[", "right_square_bracket": "]",
    "left": "←", "right": "→", "up": "↑", "down": "↓",
}  # fmt: skip


def not_open(clause: str, message: str) -> Refusal:
    return Refusal("screen.choose", clause, message)


#: Why something is not open, if it is not; a function finds the reason out for whoever wants to know it.
Why: TypeAlias = Refusal | Callable[[], Refusal | None] | None

#: Whether sentences name buttons and not keys: set by a front end without a keyboard, for its own tasks.
BY_BUTTONS: Final[ContextVar[bool]] = ContextVar("by_buttons", default=False)

#: Keys that the player has chosen in the place of a command's own, by its name: each app has its own, in its context.
_CHOSEN: Final[ContextVar[Mapping[str, str]]] = ContextVar("chosen", default=MappingProxyType({}))


def use_keys(chosen: Mapping[str, str]) -> None:
    """Print these keys from now on for the commands they are chosen for; the bindings are the app's matter."""
    _CHOSEN.set(dict(chosen))


class Command(Struct, frozen=True):
    name: str
    """Id of its binding; never changes."""
    keys: str
    """As Textual names them, separated by commas; the first is the one that is printed."""
    label: str
    sentence: str
    run: Callable[[Any], object]
    """Action, given the screen."""
    why: Callable[[Any], Why] = lambda at: None
    """Reason why it is not open now. May raise `Refused` to the same end."""
    text: Callable[[Any], str] | None = None
    first: bool = False
    """Whether its keys come before those of the focused widget."""

    @property
    def key(self) -> str:
        return _CHOSEN.get().get(self.name, self.keys).partition(",")[0]

    @property
    def every_key(self) -> tuple[str, ...]:
        return tuple(_CHOSEN.get().get(self.name, self.keys).split(","))

    @property
    def shown(self) -> str:
        return PRINTED.get(self.key, self.key)

    def words(self, at: Any) -> str:
        return self.label if self.text is None else self.text(at)

    def is_open(self, at: Any) -> bool:
        return self._why(at) is None

    def why_not(self, at: Any) -> Refusal | None:
        why = self._why(at)
        return why() if callable(why) else why

    def _why(self, at: Any) -> Why:
        try:
            return self.why(at)
        except Refused as refused:
            return refused.refusal


def in_footer(commands: Iterable[Command], at: Any) -> list[tuple[Command, str, str, bool]]:
    """Return each command with what the footer shows: key, words, and whether it is open now."""
    return [(one, one.shown, one.words(at), one.is_open(at)) for one in commands]


def _take_text(at: Any) -> str:
    view = at.state.view
    return "Take" if view.discard is None else f"Take {view.rules.faces.symbol(view.discard)}"


def _flip_text(at: Any) -> str:
    view = at.state.view
    word = view.rules.ruleset.vocabulary.flip.capitalize()
    return word if view.flip is None else f"{word} {view.rules.faces.symbol(view.flip)}"


def _lay_text(at: Any) -> str:
    word: str = at.state.view.rules.ruleset.vocabulary.lay.capitalize()
    return f"{word} all" if at.state.staged and not at.state.selected else word


def _discard_text(at: Any) -> str:
    is_open = at.state.view.phase is Phase.PLAY and at.state.is_asked and not BY_BUTTONS.get()
    return f"Discard (9 {key_of('discard')}: a nine)" if is_open else "Discard"


def _why_no_cover(at: Any) -> Refusal | None:
    _ = at.state.my_seat
    return None if at.client.is_shared else not_open("", "Nobody else shares this keyboard.")


#: The table's commands, under the headings of the help screen.
TABLE: Final[dict[str, tuple[Command, ...]]] = {
    "Draw and call": (
        Command("draw-stock", "d", "Stock", "Draw the top card of the stock.",
                lambda at: at.moves.draw_from(Source.STOCK), lambda at: at.state.why_no(Draw, Source.STOCK)),
        Command("take-discard", "t", "Take", "Take the top discard as your draw.",
                lambda at: at.moves.draw_from(Source.DISCARD), lambda at: at.state.why_no(Draw, Source.DISCARD),
                text=_take_text),
        Command("take-flip", "f", "Flip", "Take the card that was flipped as your draw (games with a flip).",
                lambda at: at.moves.draw_from(Source.FLIP), lambda at: at.state.why_no(Draw, Source.FLIP),
                text=_flip_text),
        Command("call", "c", "Call", "Call the card out of turn, with what the game gives a caller from the stock.",
                lambda at: at.moves.make(Call), lambda at: at.state.why_no(Call)),
        Command("pass", "p,n", "Pass", "Do not call this card.",
                lambda at: at.moves.pass_call(), lambda at: at.state.why_no(Pass)),
    ),
    "Lay, tack, swap": (
        Command("lay", "l", "Lay", "Put the chosen cards together as a meld; with none chosen, lay all staged melds.",
                lambda at: at.moves.lay(), lambda at: at.state.why_lay(), text=_lay_text),
        Command("confirm", "enter", "Lay all", "Lay all staged melds.",
                lambda at: at.lay_staged(), lambda at: at.state.why_lay(), first=True),
        Command("best-lay", "L", "Best", "Stage the lay-down that leaves the fewest points in your hand.",
                lambda at: at.moves.stage_best(), lambda at: at.state.why_best()),
        Command("tack", "k", "Tack", "Add the chosen cards, or the one under the cursor, to a meld on the table.",
                lambda at: at.moves.tack(), lambda at: at.state.why_tack(),
                text=lambda at: str(at.state.view.rules.ruleset.vocabulary.tack).capitalize()),
        Command("swap", "w", "Swap", "Put the chosen card, or the one under the cursor, in a joker's place.",
                lambda at: at.moves.swap(), lambda at: at.state.why_swap()),
        Command(
            "take-back", "escape", "Back", "Take back the last staged meld; if there is none, clear the chosen cards.",
            lambda at: at.moves.take_back(),
        ),
    ),
    "End the turn": (
        Command("discard", "x", "Discard", "Throw the chosen card, or the one under the cursor, and end your turn.",
                lambda at: at.moves.discard(), lambda at: at.state.why_discard(), text=_discard_text),
        Command("end", "e", "End", "End your turn without a discard, or your part in the final add-on.",
                lambda at: at.moves.make(at.state.end_kind), lambda at: at.state.why_no(at.state.end_kind),
                text=lambda at: "Done" if at.state.view.phase is Phase.ADD_ON else "End"),
        Command("challenge", "R", "Challenge", "Say that a seat has called too often (games with penalties).",
                lambda at: at.moves.challenge(), lambda at: at.state.why_challenge()),
    ),
    "Your hand": (
        Command("hint", "h", "Hint", "See what to look for; press again for what to do, again for why.",
                lambda at: at.moves.hint(), lambda at: at.state.why_no_hint()),
        Command("undo", "u", "Undo", "Take back your last step, unless it showed something new.",
                lambda at: at.moves.undo(), lambda at: at.state.why_no_undo()),
        Command("sort", "o", "Sort", "Sort the hand by suit, then by rank, in turn.",
                lambda at: at.moves.sort_hand(), lambda at: at.state.why_no_hand()),
        Command("group", "g", "Group", "Group the cards that make melds or come nearest to them.",
                lambda at: at.moves.group_hand(), lambda at: at.state.why_no_hand()),
    ),
    "The table": (
        Command("cover", "b", "Not me", "Not your hand? Cover it again until its owner comes.",
                lambda at: at.cover_hand(), _why_no_cover),
        Command("speed", "v", "Speed", "Change how fast AI seats move: instant, brisk, natural.",
                lambda at: at.tuning.cycle_speed()),
        Command(
            "asking", "m", "Asked", "Choose the calls you are asked about: all, helpful ones, none before your turn.",
            lambda at: at.tuning.cycle_asking(),
        ),
        Command(
            "seats", "ctrl+o", "Seats", "Change who plays: an AI for a person, a person for an AI, a name, a level.",
            lambda at: at.open_seats(), lambda at: at.why_no_seats(),
        ),
        Command("pause", "z", "Pause", "Pause the AI seats, or let them continue.",
                lambda at: at.toggle_pause()),
        Command("settings", "comma", "Settings", "Theme, four-colour deck, glyphs, motion, bell, AI speed.",
                lambda at: at.tuning.show_settings()),
        Command("rules", "i", "Rules", "Read the rules of this deal, at the rule that refused your move.",
                lambda at: at.show_rules()),
        Command("words", "G", "Words", "What the words of this game mean, in pictures.",
                lambda at: at.show_words()),
        Command("scores", "s", "Scores", "See the score so far.",
                lambda at: at.show_scores()),
        Command("last-round", "H", "Last round", "See again what everybody did in the last round.",
                lambda at: at.show_round()),
        Command("note-away", "full_stop", "Close note", "Close the note that is shown; it will not appear again.",
                lambda at: at.close_note()),
        Command("help", "question_mark", "Help", "List every command.",
                lambda at: at.show_help()),
        Command("quit", "q", "Quit", "Leave the match, after asking.",
                lambda at: at.leave_match()),
    ),
}  # fmt: skip

#: What the keys of the hand do, wherever the focus is. `at` is the hand.
HAND: Final = (
    Command("card-left", "left", "Left", "To the card on the left.", lambda at: at.step(-1)),
    Command("card-right", "right", "Right", "To the card on the right.", lambda at: at.step(1)),
    Command("card-above", "up", "Row above", "To the row of cards above.", lambda at: at.step_row(-1)),
    Command("card-below", "down", "Row below", "To the row of cards below.", lambda at: at.step_row(1)),
    Command("first-card", "home", "First card", "To the first card.", lambda at: at.go_to(0)),
    Command("last-card", "end", "Last card", "To the last card.", lambda at: at.go_to(-1)),
    Command("choose-card", "space,enter", "Choose", "Choose the card under the cursor, or undo the choice.",
            lambda at: at.choose()),
    Command("card-to-left", "left_square_bracket,shift+left", "Card to the left",
            "Move the card under the cursor to the left; or drag it.", lambda at: at.move_card(-1)),
    Command("card-to-right", "right_square_bracket,shift+right", "Card to the right",
            "Move the card under the cursor to the right; or drag it.", lambda at: at.move_card(1)),
)  # fmt: skip
#: What the keys of the melds do while these have the focus. `at` is the melds.
MELDS: Final = (
    Command("meld-before", "left", "Previous meld", "To the previous meld.", lambda at: at.step(-1)),
    Command("meld-after", "right", "Next meld", "To the next meld.", lambda at: at.step(1)),
    Command("meld-above", "up", "Melds above", "To the row of melds above.", lambda at: at.step_row(-1)),
    Command("meld-below", "down", "Melds below", "To the row of melds below.", lambda at: at.step_row(1)),
    Command("first-meld", "home", "First meld", "To the first meld.", lambda at: at.go_to(0)),
    Command("last-meld", "end", "Last meld", "To the last meld.", lambda at: at.go_to(-1)),
    Command("choose-meld", "space,enter", "Choose meld", "Choose the meld under the cursor.", lambda at: at.choose()),
)  # fmt: skip

#: How people answer who are asked, from another screen, to let a step be taken back.
CONSENT: Final = (
    Command("agree", "Y", "", "Let a step be taken back, when somebody at another screen asks.",
            lambda at: at.consent(agrees=True), lambda at: at.why_no_consent()),
    Command("disagree", "N", "", "Have it stay.", lambda at: at.consent(agrees=False), lambda at: at.why_no_consent()),
)  # fmt: skip

COMMANDS: Final = tuple(command for commands in TABLE.values() for command in commands)
BY_NAME: Final = {command.name: command for command in (*COMMANDS, *CONSENT)}


def key_of(name: str) -> str:
    """Return the printed key of a table command, or the words on its button."""
    command = BY_NAME[name]
    return command.label if BY_BUTTONS.get() else command.shown


def by_pointer(keys: str) -> str:
    """Return how a thing on the table is pointed at: by these keys or a click, or by a tap without a keyboard."""
    return "tap" if BY_BUTTONS.get() else f"{keys} or click"
