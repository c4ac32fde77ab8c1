"""The commands of the set-up."""

from __future__ import annotations

from typing import Any, Final

from kalooki_tui.desk.commands import Command, choose
from kalooki_tui.engine.refusals import Refusal
from kalooki_tui.ui import routes
from kalooki_tui.ui.widgets.fields import SeatRow


def _why_no_names(at: Any) -> Refusal | None:
    if at.seat_row is None:
        return choose("", "Go to a seat first: known names are for the people there.")
    return None if at.free_names else choose("", "Nobody else is known here: type a name.")


def _why_no_badge(at: Any) -> Refusal | None:
    row = at.seat_row
    if row is None or not row.plan.is_human:
        return choose("", "Go to a person's seat first.")
    if sum(one.plan.is_human for one in at.query(SeatRow)) < 2:
        return choose("", "Nobody shares the keyboard: personal keys are for several people.")
    return None if row.plan.name else choose("", "The person needs a name first.")


def _why_no_seat(at: Any) -> Refusal | None:
    return choose("", "Go to a seat first.") if at.seat_row is None else None


COMMANDS: Final = (
    Command("start-match", "ctrl+s,f5", "Start", "Begin the match.", lambda at: at.start(), first=True),
    Command("setup-back", "escape", "Back", "To the first screen.", lambda at: at.app.go(routes.home())),
    Command("known-names", "ctrl+n,f4", "Known names", "Choose the name of somebody who has played here.",
            lambda at: at.choose_name(), _why_no_names),
    Command("person-key", "ctrl+k,f6", "Key and colour", "Choose a person's key and colour at the keyboard.",
            lambda at: at.choose_badge(), _why_no_badge, first=True),
    Command("seat-up", "ctrl+up", "Seat up", "Change places with the seat above.",
            lambda at: at.move_seat(-1), _why_no_seat, first=True),
    Command("seat-down", "ctrl+down", "Seat down", "Change places with the seat below.",
            lambda at: at.move_seat(1), _why_no_seat, first=True),
    Command("next-part", "pagedown,f8", "Next part", "To the next part: who plays, the game, the rest.",
            lambda at: at.form.go_part(1)),
    Command("last-part", "pageup,f7", "Part before", "To the previous part.",
            lambda at: at.form.go_part(-1)),
    Command("next-field", "down", "", "To the row below.", lambda at: at.form.go(1)),
    Command("last-field", "up", "", "To the row above.", lambda at: at.form.go(-1)),
)  # fmt: skip
START, BACK, NAMES, BADGE, UP, DOWN, NEXT_PART, LAST_PART = COMMANDS[:8]
