"""Options that several commands take, and their completion in a shell."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import click
from click.shell_completion import CompletionItem

from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.wording import cells, padded, prints

if TYPE_CHECKING:
    from kalooki_tui.session.plan import Agreed

_Command = TypeVar("_Command", bound=Callable[..., Any])
BAD_INPUT: Final = 2
"""Exit code."""
_RULESET: Final = "A ruleset's id or file."


def _beginning(words: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if word.startswith(incomplete)]


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def complete_ruleset(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from kalooki_tui.rulesets.loader import catalogue

    listed = [(entry.id, entry.ruleset) for entry in catalogue() if entry.id.startswith(incomplete)]
    found = [CompletionItem(name, help=ruleset.name) for name, ruleset in listed if ruleset is not None]
    return found or complete_file(context, parameter, incomplete)


def complete_option(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from kalooki_tui.rulesets.loader import load_ruleset

    try:
        options = load_ruleset(context.params.get("ruleset") or DEFAULT_RULESET).options
    except ValueError:
        return []
    return _beginning(options, incomplete)


def complete_seat(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from kalooki_tui.players import LEVEL_TEXTS

    name, equals, _ = incomplete.rpartition("=")
    return _beginning([f"{name}{equals}ai:{level}" for level in LEVEL_TEXTS] + [f"{name}{equals}exec:"], incomplete)


def ruleset_option(*, default: str | None = DEFAULT_RULESET) -> Callable[[_Command], _Command]:
    shown = default is not None
    return click.option(
        "--ruleset", default=default, show_default=shown, metavar="ID", help=_RULESET, shell_complete=complete_ruleset
    )


def options_option(text: str = "An option of the ruleset.") -> Callable[[_Command], _Command]:
    return click.option("--option", "options", multiple=True, metavar="NAME", help=text, shell_complete=complete_option)


def seats_option(text: str = "ai:LEVEL or exec:COMMAND, also NAME=ai:LEVEL.") -> Callable[[_Command], _Command]:
    return click.option("--seat", "seats", multiple=True, metavar="WHO", help=text, shell_complete=complete_seat)


def agreed_options(command: _Command) -> _Command:
    """Add `--deals`, `--referee`, `--handicap`, `--minutes`, `--teaching` and `--teach`."""
    teaching = click.option(
        "--teaching", is_flag=True, help="Take back anything in a deal; reasons after it; not rated."
    )
    teach = click.option("--teach", is_flag=True, help="You teach others: all hands open, contracts in cards.")
    words = "Whether what is forbidden may be tried."
    referee = click.option("--referee", type=click.Choice(("strict", "penalties")), help=words)
    words = "Points to begin with, Kid=-50, or who alone has hints, Kid=hints."
    handicap = click.option("--handicap", multiple=True, metavar="NAME=WHAT", help=words)
    words = "After so long, the deal in progress is the last."
    minutes = click.option("--minutes", metavar="N", type=click.IntRange(1, 1440), help=words)
    return deals_option(referee(handicap(minutes(teaching(teach(command))))))


def deals_option(command: _Command) -> _Command:
    return click.option("--deals", metavar="WHICH", help="Play only these deals of the game: 1-3, or 2,5,9.")(command)


class MatchOptions(NamedTuple):
    ruleset: str | None = None
    seats: tuple[str, ...] = ()
    seed: int | None = None
    options: tuple[str, ...] = ()
    agreed: Agreed | None = None

    @property
    def people(self) -> list[str]:
        return [seat for seat in self.seats if ":" not in seat]


def match_options(seats: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `--ruleset`, `--seat`, `--seed`, `--option` and those of the agreement, given as one `MatchOptions`."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def run(
            ruleset: str | None,
            seats: tuple[str, ...],
            seed: int | None,
            options: tuple[str, ...],
            deals: str | None,
            referee: str | None = None,
            handicap: tuple[str, ...] = (),
            minutes: int | None = None,
            teaching: bool = False,
            teach: bool = False,
            **others: Any,
        ) -> Any:
            if deals is not None:
                from kalooki_tui.rulesets.house import DEALS

                options = (*options, f"{DEALS}={deals}")
            agreed = None
            if referee or handicap or minutes or teaching or teach:
                from kalooki_tui.engine.rules import Referee
                from kalooki_tui.session.plan import Agreed

                agreed = Agreed(Referee(referee or "strict"), handicap, minutes or 0, teaching, teach)
            return command(MatchOptions(ruleset, seats, seed, options, agreed), **others)

        words = "The same seed deals the same cards."
        seeded = click.option("--seed", type=int, metavar="N", help=words)(options_option()(run))
        return ruleset_option(default=None)(seats_option(seats)(seeded))

    return decorate


files_argument = click.argument("files", metavar="FILE…", nargs=-1, required=True, shell_complete=complete_file)
file_argument = click.argument("file", metavar="FILE", shell_complete=complete_file)
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON object, for programs.")


def echo_json(data: object, *, indent: int | None = 2) -> None:
    """Print JSON; with `indent` None on one line."""
    # A terminal would obey control characters that JSON may hold as they are.
    lines = json.dumps(data, ensure_ascii=False, indent=indent).split("\n")
    click.echo("\n".join(map(_escape, lines)))


def _escape(line: str) -> str:
    if prints(line):
        return line
    return "".join(one if prints(one) else json.dumps(one)[1:-1] for one in line)


def echo_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        click.echo("  ".join(map(padded, row, widths)).rstrip())


@contextmanager
def usage_errors() -> Iterator[None]:
    """Turn ValueError into an error of usage; InputError tells its own line."""
    try:
        yield
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise click.UsageError(str(error)) from None
