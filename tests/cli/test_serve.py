"""The game in a browser: who may open it, and what takes the place of a terminal."""

import sys

import pytest
from click.testing import CliRunner

from kalooki_tui.cli import play as cli_play
from kalooki_tui.cli.main import kalooki
from kalooki_tui.web import serving
from kalooki_tui.web.gate import Gate, address_of, is_local


@pytest.mark.parametrize(
    ("host", "origin", "open_to"),
    [
        ("localhost:8000", None, True),
        ("127.0.0.1:8000", "http://127.0.0.1:8000", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("127.0.0.1:8000", "http://elsewhere.example", False),
        ("127.0.0.1:8000", "null", False),
        ("elsewhere.example:8000", "http://elsewhere.example:8000", False),
        ("", None, False),
        ("[", None, False),
    ],
)
def test_without_a_token_only_this_machines_own_page_is_served(host: str, origin: str | None, open_to: bool) -> None:
    assert (Gate().why_not(host, origin, None) == "") is open_to


@pytest.mark.parametrize(
    ("origin", "given", "open_to"),
    [
        (None, "secret", True),
        ("http://game.example", "secret", True),
        ("http://other.example", "secret", False),
        (None, "secre", False),
        (None, "se\u00e9cret", False),
        (None, None, False),
    ],
)
def test_with_a_token_it_must_be_given(origin: str | None, given: str | None, open_to: bool) -> None:
    assert (Gate("secret").why_not("game.example", origin, given) == "") is open_to


@pytest.mark.parametrize(
    ("host", "local"),
    [("localhost", True), ("127.0.0.1", True), ("::1", True), ("0.0.0.0", False), ("::", False), ("box.lan", False)],
)
def test_which_addresses_are_this_machines_own(host: str, local: bool) -> None:
    assert is_local(host) is local


def test_addresses_as_they_are_typed() -> None:
    assert address_of("127.0.0.1", 8000, "") == "http://127.0.0.1:8000/"
    assert address_of("::", 80, "abc") == "http://[::]:80/?token=abc"


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_whoever_lets_others_in_is_warned_and_has_a_token(
    host: str, warned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[str, int, Gate]] = []
    monkeypatch.setattr(serving, "serve", lambda *asked: served.append(asked))
    result = CliRunner().invoke(kalooki, ["serve", "--host", host, "--port", "8001"])
    [(there, port, gate)] = served
    assert (result.exit_code, there, port) == (0, host, 8001)
    assert ("Warning: other machines can reach this" in result.stderr) is warned
    assert (len(gate.token) >= 20) is warned
    assert (f"?token={gate.token}" in result.stdout) is warned


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    result = CliRunner().invoke(kalooki, ["serve"])
    assert result.exit_code == 1
    assert "pip install 'kalooki-tui[web]'" in result.stderr


def test_a_driver_of_the_framework_is_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    assert not cli_play.has_screen()
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert cli_play.has_screen()
