"""``kalooki serve``: the game in a browser."""

from __future__ import annotations

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), metavar="N")
@click.option("--tls", nargs=2, metavar="CERT KEY", help="Encrypt with this certificate and its key (PEM files).")
def serve(host: str, port: int, tls: tuple[str, str] | None) -> None:
    """Play in a browser: every window has its own game. Needs the extra `web`.

    Only browsers on this machine can open it. With another --host others can too. Either way the address has a token
    that is new each time.
    """
    import secrets

    from kalooki_tui.cli.windows import see_that_it_runs

    see_that_it_runs("The game in a browser")
    from kalooki_tui.hosting.doors import NotInstalled
    from kalooki_tui.hosting.extras import how_to_add
    from kalooki_tui.hosting.gate import is_local
    from kalooki_tui.hosting.serving import serve as run

    context = None
    if tls is not None:
        import ssl

        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(*tls)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise click.UsageError(f"--tls {tls[0]} {tls[1]}: no certificate with its key: {why}") from None
    if not is_local(host):
        unsafe = "" if context is not None else " Nothing is encrypted on the way."
        click.echo(
            "Warning: other machines can reach this. Whoever has the address plays as you: with your matches and "
            f"settings, and files of yours can be written.{unsafe}",
            err=True,
        )
    try:
        run(
            host,
            port,
            secrets.token_urlsafe(16),
            context,
            lambda address: click.echo(f"Kalooki in the browser: {address}  (ctrl+c stops it)"),
        )
    except NotInstalled:
        raise click.ClickException(f"the browser needs more packages: {how_to_add('web')}") from None
