"""How somebody adds an extra, such as `host`, to the installation that runs."""

from __future__ import annotations

import json
import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

PACKAGE: Final = "kalooki-tui"
CACHED: Final = re.compile(r"archive-v\d+")
"""Folder in uv's cache where `uvx` makes its environments."""


def how_to_add(extra: str) -> str:
    """Return the command that installs the program again with an extra."""
    what, editable = installed_from()
    wanted = f"{'-e ' if editable else ''}{shlex.quote(f'{what}[{extra}]')}"
    tool = installer()
    if tool == "uvx":
        # What it runs in is a cache, to which nothing can be added.
        return f"uvx --from {wanted} kalooki{' host' if extra == 'host' else ''}"
    if tool == "uv":
        return f"uv tool install --force {wanted}"
    if tool == "pipx":
        return f"pipx install --force {wanted}"
    if find_spec("pip") is None:
        return f"uv pip install --python {shlex.quote(sys.executable)} {wanted}"
    return f"{shlex.quote(sys.executable)} -m pip install {wanted}"


def installer() -> str:
    """Return the tool that made the environment: uvx, uv, pipx, or else pip."""
    if CACHED.fullmatch(Path(sys.prefix).parent.name):
        return "uvx"
    receipts = {"uv": "uv-receipt.toml", "pipx": "pipx_metadata.json"}
    return next((tool for tool, receipt in receipts.items() if Path(sys.prefix, receipt).is_file()), "pip")


def installed_from() -> tuple[str, bool]:
    """Return the installed requirement, perhaps a folder or a file, and whether it is editable."""
    try:
        noted = json.loads(distribution(PACKAGE).read_text("direct_url.json") or "{}")
        url = urlsplit(noted["url"])
        editable = bool(noted.get("dir_info", {}).get("editable", False))
    except (PackageNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        return PACKAGE, False
    if url.scheme == "file":
        return url2pathname(url.path), editable
    return f"{PACKAGE} @ {url.geturl()}", editable
