"""``kalooki serve``: the game in a browser."""

from __future__ import annotations

import click


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="The address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535), metavar="N")
def serve(host: str, port: int) -> None:
    """Play in a browser: every window has its own game. Needs the extra `web`.

    Only browsers on this machine can open it. With another --host others can too, with the token in the address.
    """
    import secrets

    from kalooki_tui.web.gate import Gate, address_of, is_local
    from kalooki_tui.web.serving import NotInstalled
    from kalooki_tui.web.serving import serve as run

    token = "" if is_local(host) else secrets.token_urlsafe(16)
    if token:
        click.echo(
            "Warning: other machines can reach this. Whoever has the address plays as you: with your matches and "
            "settings, and files of yours can be written. Nothing is encrypted on the way.",
            err=True,
        )
    click.echo(f"Kalooki in the browser: {address_of(host, port, token)}  (ctrl+c stops it)")
    try:
        run(host, port, Gate(token))
    except NotInstalled:
        raise click.ClickException(
            "the browser needs more packages: pip install 'kalooki-tui[web]', or `make serve` in a checkout"
        ) from None
