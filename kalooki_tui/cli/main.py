"""Command `kalooki`: one small function per command; the rooms below do the computing."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import click

from kalooki_tui import __version__
from kalooki_tui.cli.advise import advise, review
from kalooki_tui.cli.doctor import doctor
from kalooki_tui.cli.example import example
from kalooki_tui.cli.host import host
from kalooki_tui.cli.learn import learn, puzzle
from kalooki_tui.cli.match_options import (
    BAD_INPUT,
    MatchOptions,
    complete_file,
    complete_ruleset,
    echo_json,
    echo_table,
    files_argument,
    json_option,
    options_option,
    ruleset_option,
    usage_errors,
)
from kalooki_tui.cli.play import daily, play, play_from, run, watch
from kalooki_tui.cli.sim import sim
from kalooki_tui.cli.store import COMMANDS
from kalooki_tui.wording import escaped

if TYPE_CHECKING:
    from kalooki_tui.rulesets.loader import Listed

FAULT: Final = 70
INTERRUPTED: Final = 130

GROUPS: Final = {
    "Play": ("play", "daily", "host", "watch"),
    "Learn": ("learn", "exercise", "puzzle"),
    "Study": ("review", "advise", "replay", "stats"),
    "Your files": ("matches", "export", "import", "verify", "config", "doctor"),
    "Rules": ("rules", "meld", "solve", "check", "position"),
    "Programs": ("sim", "example"),
}


@contextmanager
def _while_it_is_read() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise click.exceptions.Exit(0) from None


class GroupedCommands(click.Group):
    """Group of commands whose help has a heading for each kind of them.

    Whoever reads what is written, as `head` does, may stop when they have enough.
    """

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _while_it_is_read():
            return super().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        with _while_it_is_read():
            return super().invoke(context)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(context)
        width = max(map(len, names))
        for heading, members in GROUPS.items():
            with formatter.section(heading):
                rows = [
                    (name.ljust(width), self.commands[name].get_short_help_str(formatter.width)) for name in members
                ]
                formatter.write_dl(rows)


@click.group(cls=GroupedCommands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kalooki", message="%(prog)s %(version)s")
@click.pass_context
def kalooki(context: click.Context) -> None:
    """Play, learn and study Caribbean Kalooki. Without a command, the game opens."""
    if context.invoked_subcommand is None:
        run(MatchOptions())


@kalooki.group(invoke_without_command=True)
@click.pass_context
def rules(context: click.Context) -> None:
    """List rulesets, print one, check your own, print their schema."""
    if context.invoked_subcommand is None:
        context.invoke(list_rulesets)


@rules.command("list")
@json_option
def list_rulesets(as_json: bool) -> None:
    """List the rulesets, including your own."""
    from kalooki_tui.rulesets.loader import catalogue

    listed = catalogue()
    if as_json:
        echo_json({"rulesets": [_listed_data(entry) for entry in listed]})
        return
    rows = [("id", "name", "seats", "deals", "options")]
    for entry in listed:
        game = entry.ruleset
        if game is None:
            rows.append((entry.id, "cannot be used: see below", "", "", ""))
            continue
        deals = "until one is left" if game.end.after == "elimination" else str(len(game.deals))
        rows.append((entry.id, game.name, _span(game.seat_counts), deals, ", ".join(game.options) or "–"))
    echo_table(rows)
    for entry in listed:
        if entry.error is not None:
            click.echo(str(entry.error), err=True)


@rules.command("show")
@click.argument("ruleset", metavar="ID", shell_complete=complete_ruleset)
@options_option("Apply an option.")
@click.option("--seats", type=int, metavar="N", help="As it is played with this many seats.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of YAML.")
def show_ruleset(ruleset: str, options: tuple[str, ...], seats: int | None, as_json: bool) -> None:
    """Print a ruleset (an id or a file) with everything it extends."""
    from kalooki_tui.rulesets.loader import load_ruleset, resolve
    from kalooki_tui.rulesets.model import to_data

    found = load_ruleset(ruleset)
    if options or seats is not None:
        found = resolve(found, options, seats)
    data = to_data(found)
    if as_json:
        echo_json(data)
        return
    from kalooki_tui.rulesets.yaml_source import write_yaml

    click.echo(write_yaml(data), nl=False)


@rules.command("check")
@files_argument
@json_option
def check_rulesets(files: tuple[str, ...], as_json: bool) -> None:
    """Check ruleset files; exit 2 if one of them is wrong."""
    from kalooki_tui.problems import InputError
    from kalooki_tui.rulesets.loader import load_file

    results: list[dict[str, object]] = []
    for file in files:
        try:
            found = load_file(file)
        except InputError as error:
            problems = [problem._asdict() for problem in error.problems]
            results.append({"file": file, "ok": False, "id": None, "problems": problems})
            if not as_json:
                click.echo(str(error), err=True)
        else:
            results.append({"file": file, "ok": True, "id": found.id, "problems": []})
            if not as_json:
                click.echo(f"{escaped(file)}: {found.name} is a valid ruleset")
    good = all(result["ok"] for result in results)
    if as_json:
        echo_json({"ok": good, "files": results})
    if not good:
        raise click.exceptions.Exit(BAD_INPUT)


@rules.command("schema")
def print_schema() -> None:
    """Print the JSON schema of ruleset files.

    Editors complete and check with it as you type.
    """
    from kalooki_tui.rulesets.validation import schema_text

    click.echo(schema_text(), nl=False)


@kalooki.command()
@files_argument
@click.option("-p", "--play", "plays", is_flag=True, help="Then play on from the position, which is one file.")
@json_option
def check(files: tuple[str, ...], plays: bool, as_json: bool) -> None:
    """Check that positions hold, in files or folders.

    Exit 1 if one fails, 2 if one is not a position.
    """
    from kalooki_tui.positions.staging import check_files

    if plays and (as_json or len(files) > 1):
        raise click.UsageError("--play goes with one file and without --json")
    _tell_checked(check_files(files), as_json=as_json)
    if plays:
        play_from(files[0], None, MatchOptions())


@kalooki.command()
@click.argument("which", metavar="RECORD|ID", shell_complete=complete_file)
@click.argument("file", metavar="[FILE]", required=False, shell_complete=complete_file)
@click.option("--at", required=True, metavar="DEAL.TURN", help="The moment, such as 3.12.")
@click.option("--open", "open_hands", is_flag=True, help="Also in the deal in progress of an unfinished match.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def position(which: str, file: str | None, at: str, open_hands: bool, force: bool) -> None:
    """Write a moment of a match as a position, to a file or to standard output."""
    from kalooki_tui.cli.store import record_of
    from kalooki_tui.positions.position_files import position_text
    from kalooki_tui.storage.files import named_file
    from kalooki_tui.training.moments import moment_in

    with usage_errors():
        moment = moment_in(record_of(which), at, open_hands=open_hands)
        text = position_text(moment.match, f"{moment.match.rules.ruleset.name}, deal {at}", options=moment.options)
    if file is None:
        click.echo(text, nl=False)
        return
    with named_file(file, overwrite=force) as stream:
        stream.write(text.encode())
    click.echo(f"{escaped(file)}: kalooki play plays on from there")


@kalooki.command()
@ruleset_option()
@options_option()
@click.option("--any-order", is_flag=True, help="Arrange the cards into a run if possible.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, for programs.")
@click.argument("groups", metavar='"CARDS"…', nargs=-1, required=True)
def meld(ruleset: str, options: tuple[str, ...], any_order: bool, as_json: bool, groups: tuple[str, ...]) -> None:
    """Say whether cards are a set or a run, and if not, why not."""
    from kalooki_tui.notation.card_text import NotationError, parse_group
    from kalooki_tui.notation.judgement import judge, judgement_data, print_judgement
    from kalooki_tui.rulesets.loader import load_ruleset, resolve

    game = resolve(load_ruleset(ruleset), options)
    wrong = False
    for text in groups:
        try:
            judgement = judge(game, parse_group(text, game.faces).cards, any_order)
        except NotationError as error:
            wrong = True
            if as_json:
                echo_json({"cards": text, "error": str(error)}, indent=None)
            else:
                click.echo(_printable(f"{text!r}: {error}"), err=True)
            continue
        if as_json:
            echo_json(judgement_data(judgement, game.faces), indent=None)
        else:
            click.echo(print_judgement(judgement, game))
    if wrong:
        raise click.exceptions.Exit(BAD_INPUT)


@kalooki.command()
@ruleset_option()
@options_option()
@click.option(
    "--seats", type=int, metavar="N", help="Number of seats; it decides the number of packs. Default: the fewest."
)
@click.option("--deal", required=True, type=int, metavar="N", help="The deal, counted from 1.")
@click.option(
    "--hand", required=True, metavar='"CARDS"', help="The hand; - reads one hand per line and answers in JSON."
)
@click.option("--table", default="", metavar='"CARDS|CARDS"', help="Melds on the table.")
@json_option
def solve(
    ruleset: str, options: tuple[str, ...], seats: int | None, deal: int, hand: str, table: str, as_json: bool
) -> None:
    """Find the best lay-down of a hand.

    Also: how far the hand is from the contract, and which cards help.
    """
    from kalooki_tui.api.hands import Asked, answer_data, answer_text, find_answer, read_hand
    from kalooki_tui.notation.card_text import NotationError

    try:
        asked = Asked.read(ruleset, options, seats, deal, table)
    except NotationError as error:
        raise NotationError(f"--{error}") from None
    if hand == "-":
        for number, line in enumerate(sys.stdin, start=1):
            if line.strip():
                found = find_answer(asked, read_hand(asked, line, f"line {number}"))
                echo_json(answer_data(asked, found), indent=None)
        return
    found = find_answer(asked, read_hand(asked, hand, "--hand"))
    if as_json:
        echo_json(answer_data(asked, found), indent=None)
    else:
        click.echo(answer_text(asked, found))


@kalooki.command()
@ruleset_option()
@click.option("--deal", type=int, metavar="N", help="Exercises for this deal. Default: any.")
@click.option("--kind", metavar="KIND", help="One kind of exercise, such as spot, build or throw. Default: any.")
@click.option(
    "--count", default=1, show_default=True, metavar="N", type=click.IntRange(1, 100), help="How many exercises."
)
def exercise(ruleset: str, deal: int | None, kind: str | None, count: int) -> None:
    """Practise with exercises about melds, contracts and choices."""
    from kalooki_tui.cli.exercise import ask, drawn
    from kalooki_tui.coach.practice_session import PracticeSession
    from kalooki_tui.training.modes import TrainingMode

    try:
        ask(TrainingMode(PracticeSession(drawn(ruleset, kind, deal, count))))
    except ValueError as error:
        raise click.UsageError(str(error)) from None


@kalooki.command()
@click.argument("which", metavar="RECORD|ID", shell_complete=complete_file)
@click.option("--open", "open_hands", is_flag=True, help="Also show the deal in progress of an unfinished match.")
@json_option
def replay(which: str, open_hands: bool, as_json: bool) -> None:
    """Show a recorded match step by step.

    Exit 1 if a line does not follow from those before it.
    """
    from kalooki_tui.cli.store import record_of
    from kalooki_tui.records.playback import Replay
    from kalooki_tui.records.reader import DoesNotFollow
    from kalooki_tui.records.text import replay_json, replay_text

    record = record_of(which)
    with record.stream:
        try:
            played = Replay(record)
            show = replay_json if as_json else replay_text
            for text in show(played, open_hands=open_hands):
                click.echo(text, nl=not as_json)
        except DoesNotFollow as error:
            click.echo(str(error), err=True)
            raise click.exceptions.Exit(1) from None
        if as_json:
            click.echo()
        if played.failure is not None:
            raise click.exceptions.Exit(1)


@kalooki.command()
@files_argument
@json_option
def verify(files: tuple[str, ...], as_json: bool) -> None:
    """Check recorded matches by playing them again.

    Exit 1 if a line does not follow from those before it or the end is missing, 2 if a file is not a record.
    """
    from kalooki_tui.records.playback import verify_files

    _tell_checked(verify_files(files), as_json=as_json, passes=lambda verdict: verdict.ok and not verdict.cut_off)


def _tell_checked(results: Iterable[Any], *, as_json: bool, passes: Callable[[Any], bool] = attrgetter("ok")) -> None:
    """Report each file; exit 2 if one is of another kind, 1 if one does not pass."""
    found = []
    for one in results:
        found.append(one)
        if not as_json:
            click.echo(str(one), err=one.error is not None)
    if as_json:
        echo_json({"ok": all(one.ok for one in found), "files": [one.data() for one in found]})
    if any(one.error for one in found):
        raise click.exceptions.Exit(BAD_INPUT)
    if not all(map(passes, found)):
        raise click.exceptions.Exit(1)


def _listed_data(entry: Listed) -> dict[str, object]:
    from kalooki_tui.rulesets.model import to_data

    game = entry.ruleset
    data: dict[str, object] = {"id": entry.id, "path": str(entry.path), "builtin": entry.builtin}
    if game is None:
        return {**data, "error": str(entry.error)}
    return {
        **data,
        "name": game.name,
        "summary": game.summary,
        "seats": list(game.seat_counts),
        "deals": [to_data(deal) for deal in game.deals],
        "options": {name: option.summary for name, option in game.options.items()},
        "settings": game.settings,
        "penalties": game.infractions is not None,
        "error": None,
    }


def _span(counts: Sequence[int]) -> str:
    """Write numbers as a person does: 3-6, or 2, 4 with gaps."""
    if len(counts) > 1 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}-{counts[-1]}"
    return ", ".join(map(str, counts))


for _command in (play, watch, *COMMANDS, learn, host, daily, puzzle, review, advise, sim, doctor, example):
    kalooki.add_command(_command)


def _printable(text: str) -> str:
    return "\n".join(map(escaped, text.split("\n")))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit: 0, 2 for bad input, 70 for a fault of the program, 130 when interrupted.

    Bad input is one clear sentence on standard error. A fault is one line too; with `KALOOKI_DEBUG` set its
    traceback is shown.
    """
    from kalooki_tui.notation.card_text import NotationError
    from kalooki_tui.problems import InputError
    from kalooki_tui.storage.files import StoreError

    try:
        code = kalooki.main(args=arguments, prog_name="kalooki", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        click.echo(_printable(shown.getvalue()), nl=False, err=True)
        sys.exit(BAD_INPUT)
    except (InputError, NotationError, StoreError) as error:
        click.echo(_printable(str(error)), err=True)
        sys.exit(BAD_INPUT)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except OSError as error:
        where = "" if error.filename is None else f"{escaped(os.fsdecode(error.filename))}: "
        click.echo(f"kalooki: {where}{error.strerror or error}", err=True)
        sys.exit(BAD_INPUT)
    except Exception as error:
        if os.environ.get("KALOOKI_DEBUG"):
            raise
        click.echo(
            f"kalooki: an error in the program, not in what you typed: {type(error).__name__}: "
            f"{_printable(str(error))}. "
            "Set KALOOKI_DEBUG=1 to see where.",
            err=True,
        )
        sys.exit(FAULT)
