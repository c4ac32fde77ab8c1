"""The framework's driver for a browser, which ends the app with the server that it draws for."""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver


class BrowserDriver(WebDriver):
    """Nobody would see what an app goes on drawing once its server has gone."""

    def run_input_thread(self) -> None:
        """Hear what is typed, until there is nobody to type."""
        super().run_input_thread()
        loop = self._app._loop  # the framework has no other way to it that does not wait
        if loop is not None and not self.exit_event.is_set():
            loop.call_soon_threadsafe(self._app.exit)
