"""What comes over the table by itself: keys and clicks that were meant for the table give no answer there."""

from __future__ import annotations

from time import monotonic

from kalooki_tui.ui.commands import Commanded

#: Seconds after which a screen that comes by itself hears its keys.
QUIET_SECONDS = 0.5


class Unasked(Commanded):
    """Mixed into a question or a page that nobody has asked for: at first it hears no key and no click."""

    comes_by_itself = True
    """Whether that is so: a question that answers a key hears the next one at once."""
    _hears_from = 0.0

    def on_screen_resume(self) -> None:
        """It lies on top, now or again."""
        self._be_quiet()
        # A slow machine draws it late.
        self.call_after_refresh(self._be_quiet)  # type: ignore[attr-defined]

    def _be_quiet(self) -> None:
        if self.comes_by_itself:
            self._hears_from = monotonic() + QUIET_SECONDS

    def _hears(self, time: float) -> bool:
        """Whether a key or a click of this time counts."""
        return self.is_live and time >= self._hears_from

    def run_command(self, name: str) -> None:
        """Do what a command does, unless its key was meant for what lay here before."""
        if self._hears(monotonic()):
            super().run_command(name)

    def run_found(self, name: str) -> None:
        """Do it at once: what was chosen in the command palette was meant for this screen, which it lay over."""
        super().run_command(name)
