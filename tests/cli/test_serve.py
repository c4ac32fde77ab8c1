"""The command that opens the game to browsers: what it says, and what it passes on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kalooki_tui.cli import play as cli_play
from kalooki_tui.cli.main import kalooki
from kalooki_tui.hosting import doors, serving
from kalooki_tui.hosting.extras import how_to_add


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What the server is asked to serve; it tells its address and ends."""
    served: list[tuple[Any, ...]] = []

    def serve(host: str, port: int, token: str, tls: object, tell: Any) -> None:
        served.append((host, port, token, tls))
        tell(f"http://{host}:{port}/?token={token}")

    monkeypatch.setattr(serving, "serve", serve)
    return served


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("0.0.0.0", True)])
def test_there_is_always_a_token_and_a_warning_where_others_can_come(
    host: str, warned: bool, served: list[tuple[Any, ...]]
) -> None:
    result = CliRunner().invoke(kalooki, ["serve", "--host", host, "--port", "8001"])
    [(there, port, token, tls)] = served
    assert (result.exit_code, there, port, tls) == (0, host, 8001, None)
    assert ("Warning: other machines can reach this" in result.stderr) is warned
    assert len(token) >= 20
    assert f"?token={token}" in result.stdout


def test_a_certificate_that_is_none_is_named(tmp_path: Path, served: list[tuple[Any, ...]]) -> None:
    (tmp_path / "cert.pem").write_text("no certificate")
    result = CliRunner().invoke(kalooki, ["serve", "--tls", str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")])
    assert result.exit_code == 2
    assert f"--tls {tmp_path / 'cert.pem'} {tmp_path / 'key.pem'}: no certificate with its key" in result.stderr
    assert served == []


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doors, "find_spec", lambda name: None)
    result = CliRunner().invoke(kalooki, ["serve"])
    assert result.exit_code == 1
    assert result.stderr == f"Error: the browser needs more packages: {how_to_add('web')}\n"


def test_a_driver_of_the_framework_is_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    assert not cli_play.has_screen()
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.web_driver:WebDriver")
    assert cli_play.has_screen()
