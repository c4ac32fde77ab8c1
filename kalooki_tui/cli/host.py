"""``kalooki host``: a table to which others come from their own terminal or browser."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from kalooki_tui.cli.match_options import MatchOptions, agreed_options, match_options, usage_errors
from kalooki_tui.cli.play import has_screen
from kalooki_tui.rulesets import DEFAULT_RULESET
from kalooki_tui.wording import prints

if TYPE_CHECKING:
    from kalooki_tui.hosting.lobby import Chair
    from kalooki_tui.session.plan import MatchPlan

_PORT = click.IntRange(0, 65535)
LONGEST_CODE = 40


@click.command()
@match_options("A name here, NAME@ or @ at their own screen, ai:LEVEL or exec:COMMAND.")
@agreed_options
@click.option("--listen", multiple=True, metavar="ADDRESS", help="Default: this machine's private addresses.")
@click.option(
    "--name", "names", multiple=True, metavar="NAME", help="A name under which the page is opened, as a tunnel's."
)
@click.option("--ssh-port", show_default="2222", type=_PORT, metavar="N", help="0: any that is free.")
@click.option("--web-port", show_default="8000", type=_PORT, metavar="N", help="0: any that is free.")
@click.option("--code", default="", metavar="TEXT", help="The code that lets people in. Default: a new one.")
@click.option(
    "--clock",
    default=0,
    type=click.IntRange(0, 600),
    metavar="SECONDS",
    help="Time to call, or to answer a call. 0: no limit.",
)
@click.option("--table", is_flag=True, help="No hand on this screen: everybody sits at their own.")
@click.option("--match", default="", metavar="ID", help="Continue a match, with the same seats and doors.")
@click.option("--public-url", default="", metavar="URL", help="Where browsers elsewhere find the page, as a proxy's.")
@click.option("--tls", nargs=2, metavar="CERT KEY", help="A certificate and its key: the page is encrypted.")
@click.option(
    "--proxy", "proxies", multiple=True, metavar="ADDRESS", help="A proxy that says for whom it asks (X-Forwarded-For)."
)
@click.option("--no-ssh", is_flag=True, help="Browsers only.")
@click.option("--no-web", is_flag=True, help="Terminals only.")
def host(
    wanted: MatchOptions,
    listen: tuple[str, ...],
    names: tuple[str, ...],
    ssh_port: int | None,
    web_port: int | None,
    code: str,
    clock: int,
    table: bool,
    match: str,
    public_url: str,
    tls: tuple[str, str] | None,
    proxies: tuple[str, ...],
    no_ssh: bool,
    no_web: bool,
) -> None:
    """Open a table: the others come by ssh or with a browser.

    Each person has a screen of their own. This needs the extra `host`.

    Nothing listens before this command, and nobody comes in without the code. Without a terminal, as in a container,
    it is a table at which nobody sits at this screen; what happens is written as lines.
    """
    from kalooki_tui.cli.play import see_that_it_runs

    see_that_it_runs("A table that others come to")
    is_seen = has_screen()
    table = table or not (is_seen or match or wanted.seats)

    if no_ssh and no_web:
        raise click.UsageError("--no-ssh and --no-web together leave no way in")
    _check(public_url, proxies)
    if code and (len(code) > LONGEST_CODE or not prints(code) or not code.strip()):
        raise click.BadParameter(f"a code has 1 to {LONGEST_CODE} characters that can be printed", param_hint="--code")
    with usage_errors():
        if match:
            match, plan, chairs = _left(match)
        else:
            plan, chairs = _new(wanted, table=table)
    plan = replace(plan, answer_seconds=clock or plan.answer_seconds)
    if not any(chair.is_own for chair in chairs):
        raise click.UsageError(
            "everybody sits at this screen: write --seat NAME@ for somebody elsewhere, or --seat @ for whoever comes"
        )
    sits_here = any(chair.is_person and not chair.is_own for chair in chairs)
    if table and sits_here:
        raise click.UsageError("with --table nobody sits at this screen: write --seat NAME@ for everybody")
    if not is_seen and sits_here:
        raise click.UsageError("there is no terminal here to sit at: write --seat NAME@ for everybody")
    from kalooki_tui.cli.play import run_app, run_unseen
    from kalooki_tui.hosting.apps import HostApp
    from kalooki_tui.hosting.doors import kept_doorway, reopen_hosted_table
    from kalooki_tui.hosting.lobby import Lobby
    from kalooki_tui.storage.kept import Doorway, HostedFile
    from kalooki_tui.tui import routes

    kept = HostedFile.of(match)
    before = kept_doorway(kept.kept)
    doorway = Doorway(
        listen or before.addresses,
        None if no_ssh else before.ssh_port if ssh_port is None else ssh_port,
        None if no_web else before.web_port if web_port is None else web_port,
        names or before.names,
        public_url or before.public_url,
        tls or before.tls,
        proxies or before.proxies,
    )
    hosted = reopen_hosted_table(Lobby(plan, chairs), kept, doorway, "".join(code.split()))
    if is_seen:
        run_app(routes.home(), lambda first: HostApp(hosted, match))
    else:
        run_unseen(HostApp(hosted, match, echo=click.echo))
    if hosted.problem:
        click.echo(f"kalooki: {hosted.problem}", err=True)
        sys.exit(2)


def _check(public_url: str, proxies: tuple[str, ...]) -> None:
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    try:
        url = urlsplit(public_url)
        is_url = url.scheme in ("http", "https") and url.hostname and url.path in ("", "/") and prints(public_url)
    except ValueError:
        is_url = False
    if public_url and not is_url:
        raise click.BadParameter("an address is like https://table.example/", param_hint="--public-url")
    for proxy in proxies:
        try:
            ip_address(proxy)
        except ValueError:
            raise click.BadParameter(f"{proxy!r} is no address such as 127.0.0.1", param_hint="--proxy") from None


def _new(wanted: MatchOptions, *, table: bool) -> tuple[MatchPlan, list[Chair]]:
    from kalooki_tui.hosting.lobby import read_chairs
    from kalooki_tui.rulesets.loader import load_ruleset, resolve
    from kalooki_tui.session.plan import MatchPlan, as_usual
    from kalooki_tui.storage.player.settings_file import SettingsFile

    usual = ("@",) * 3 if table else ("You", "@", "ai:club", "ai:club")
    ruleset, seats, seed, options, agreed = wanted
    try:
        chairs = read_chairs(seats or usual)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--seat") from None
    resolve(load_ruleset(ruleset or DEFAULT_RULESET), options, len(chairs))
    plan = MatchPlan(ruleset=ruleset or DEFAULT_RULESET, options=options, seed=seed)
    if agreed is not None:
        plan = agreed.applied_to(plan, [chair.name for chair in chairs])
    return as_usual(plan, SettingsFile.load().settings), chairs


def _left(match: str) -> tuple[str, MatchPlan, list[Chair]]:
    from kalooki_tui.hosting.lobby import chairs_of
    from kalooki_tui.session.plan import plan_of_live
    from kalooki_tui.storage.match_store import Store
    from kalooki_tui.storage.player.settings_file import SettingsFile

    with Store.open() as store, store.resume(match) as live:
        plan = plan_of_live(live, SettingsFile.load().settings)
    return live.id, plan, chairs_of(plan)
