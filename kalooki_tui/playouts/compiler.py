"""Building the native core: python kalooki_tui/playouts/compiler.py

With the system's C compiler if there is one, else with the one that a package brings (`ziglang`, if it is installed).
The library lies beside its sources in the package, so that an installation needs no compiler later. Nothing else of the
game needs it: without it the game says in one sentence that it does without.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).resolve().with_name("core")
LIBRARY: Final = SOURCES / "kalooki.so"
"""One name for all systems that can load it; it lies in a wheel for one system, or in a checkout on one."""

OPTIONS: Final = (
    "-std=c11",
    "-O2",
    "-fPIC",
    "-shared",
    "-s",
    "-fvisibility=hidden",
    # The same sums as Python's, to the last bit.
    "-ffp-contract=off",
)
#: Seconds a compiler may take.
PATIENCE: Final = 300


class NotBuilt(Exception):
    pass


def compilers() -> list[list[str]]:
    """Return commands of possible compilers, the likeliest first."""
    commands = [name.split() for name in (os.environ.get("CC", ""), "cc", "gcc", "clang")]
    found = [command for command in commands if command and shutil.which(command[0])]
    if importlib.util.find_spec("ziglang") is not None:
        found.append([sys.executable, "-m", "ziglang", "cc"])
    return found


def build(library: Path = LIBRARY, *, command: Sequence[str] = (), options: Sequence[str] = ()) -> Path:
    """Compile the core into `library`, which is replaced only by a complete one.

    `command` and `options`: the compiler to use and what it is told besides, as for another system than this one.

    Raises:
        NotBuilt: there is no compiler for it here, each of them failed, or nothing can be written there.
    """
    if sys.platform == "win32" and not command:
        raise NotBuilt("The native core is not built on Windows.")
    commands = [command] if command else compilers()
    if not commands:
        raise NotBuilt("There is no C compiler here to build the native core.")
    try:
        complaint = _put_in_place(library, commands, options)
    except OSError as error:
        raise NotBuilt(f"The native core cannot be written to {library.parent}: {error.strerror}.") from error
    if complaint:
        raise NotBuilt(f"The C compiler could not build the native core: {complaint}")
    return library


def _put_in_place(library: Path, commands: Sequence[Sequence[str]], options: Sequence[str]) -> str:
    """Compile with the first compiler that can; return the last one's complaint, or an empty text."""
    sources, complaint = sorted(map(str, SOURCES.glob("*.c"))), ""
    with tempfile.TemporaryDirectory(dir=library.parent) as folder:
        fresh = Path(folder) / library.name
        for each in commands:
            complaint = _compile([*each, *OPTIONS, *options, "-o", str(fresh), *sources, "-lm"], folder)
            if not complaint:
                fresh.replace(library)
                break
    return complaint


def _compile(command: Sequence[str], folder: str) -> str:
    """Run a compiler; return its first complaint, or an empty text."""
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": folder, "ZIG_LOCAL_CACHE_DIR": folder}
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False, env=environment, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if result.returncode == 0:
        return ""
    lines = [line.strip() for line in result.stderr.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line), lines[0] if lines else f"exit code {result.returncode}")


def is_current(library: Path = LIBRARY) -> bool:
    newest = max(path.stat().st_mtime for path in SOURCES.glob("*.[ch]"))
    return library.exists() and library.stat().st_mtime >= newest


def main() -> int:
    """Build what is not current; return exit code 1 where it cannot be built, with the reason unless `--quiet`."""
    if is_current():
        return 0
    try:
        path = build()
    except NotBuilt as reason:
        if "--quiet" not in sys.argv[1:]:
            sys.stdout.write(f"{reason} The game runs without it.\n")
        return 1
    sys.stdout.write(f"The native core is built: {path.name}, {path.stat().st_size // 1024} kB.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
