"""Try what somebody new does: install wheel and source distribution with every Python at hand, follow the documents.

    python scripts/try_installs.py [--sdist-tests] [--only wheel|sdist|follow] [--dist FOLDER]

Each install goes into a fresh environment, its dependencies by the hashes of the lock file, and plays there. Then every
line of the shell blocks of README and install page is run, in order, on a fresh copy of the last commit; a line that
opens the screen has to draw it in a terminal. `--sdist-tests` runs the tests of the source distribution from where it
is unpacked; `--dist` takes what `make wheels` has made, with the wheel for this machine. The exit code is 1 if anything
failed.
"""

from __future__ import annotations

import argparse
import os
import platform
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ("README.md", "docs/guide/install.md")
PIP: Final = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
PLAYS: Final = (
    ("--version",),
    ("rules", "list"),
    ("solve", "--ruleset", "jamaican", "--deal", "1", "--hand", "5C 5D 5H 9S 9D 9C KD KS JK"),
    ("watch", "--ruleset", "baby", "--seed", "3", "--seat", "ai:club", "--seat", "ai:club", "--seat", "ai:club"),
)
DRAWN: Final = b"\x1b[?1049h"
"""A program takes the whole terminal."""
SECONDS: Final = 20.0
"""How long a screen may take to come up, on a busy machine."""
LONGEST: Final = 3600
OURS: Final = f"*-{'macosx' if sys.platform == 'darwin' else 'manylinux'}*_{platform.machine()}.whl"
"""The wheel for this machine, of many."""


def pythons() -> list[Path]:
    """One interpreter of each minor version from 3.11 on."""
    found: dict[str, Path] = {}
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for minor in range(11, 30):
        named = [*versions.glob(f"3.{minor}.*/bin/python"), Path(shutil.which(f"python3.{minor}") or "/nowhere")]
        for path in named:
            if path.exists() and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
                found.setdefault(str(minor), path)
    return list(found.values()) or [Path(sys.executable)]


def run(*command: str | Path, cwd: Path, home: Path) -> str:
    """Run a command without a terminal; what went wrong, or nothing."""
    environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    environment["KALOOKI_HOME"] = str(home)
    done = subprocess.run(
        command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LONGEST, check=False
    )
    return "" if done.returncode == 0 else (done.stdout + done.stderr).decode(errors="replace")[-600:]


def install(python: Path, file: Path, folder: Path) -> str:
    """A fresh environment with one distribution in it, which plays; what went wrong, or nothing."""
    here = folder / f"{file.suffix[1:]}-{python.parent.parent.name}"
    inside, elsewhere = here / "bin" / "python", folder / "elsewhere"
    elsewhere.mkdir(exist_ok=True)
    steps: list[tuple[str | Path, ...]] = [
        (python, "-m", "venv", here),
        (inside, *PIP, "--require-hashes", "-r", ROOT / "requirements.lock"),
        (inside, *PIP, "--no-deps", "--no-build-isolation", file),
        *((here / "bin" / "kalooki", *play) for play in PLAYS),
    ]
    for step in steps:
        if problem := run(*step, cwd=elsewhere, home=folder / "home"):
            return f"{' '.join(map(str, step))}: {problem}"
    return ""


def draws(order: str, cwd: Path, home: Path) -> str:
    """Run a line in a terminal until a screen is drawn, and end it; what went wrong, or nothing."""
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(cwd)
        os.execvpe("bash", ["bash", "-c", order], {**os.environ, "KALOOKI_HOME": str(home), "TERM": "xterm-256color"})
    seen, until = b"", time.monotonic() + (LONGEST if order.startswith(("make", "uvx")) else SECONDS)
    try:
        while time.monotonic() < until and DRAWN not in seen:
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 65536)
    except OSError:
        pass  # it has ended
    finally:
        os.killpg(process, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(process, 0)
    return "" if DRAWN in seen else seen.decode(errors="replace")[-600:]


def opens_screen(order: str) -> bool:
    last = order.rpartition("&& ")[2].split()
    if last[:1] == ["kalooki"] and "--plain" not in last and "--list" not in last:
        return len(last) == 1 or last[1] in ("play", "watch", "learn", "daily", "puzzle")
    return last[:2] == ["make", "play"] or last[:1] == ["uvx"]


def follow(folder: Path) -> int:
    """Run every line of the pages on a fresh copy; how many failed."""
    copy, home, failed = folder / "copy", folder / "copy-home", 0
    subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
    # What a line changes for good, such as where a shell looks for commands, is changed for nobody.
    os.environ |= {"HOME": str(folder / "person")}
    os.environ |= {"PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "tools")}
    os.environ |= {"UV_TOOL_DIR": str(folder / "uv"), "UV_TOOL_BIN_DIR": str(folder / "tools")}
    os.environ["PATH"] += f"{os.pathsep}{folder / 'tools'}"
    for page in PAGES:
        text, before = (copy / page).read_text(encoding="utf-8"), ""
        for line in "".join(re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)).splitlines():
            order = re.sub(r"(^|\s)\s*#.*", "", line).strip()
            tool = order.split(maxsplit=1)[0] if order else ""
            completion = re.search(r"_COMPLETE=(\w+)_source", order)
            if tool in ("uv", "uvx", "pipx") and shutil.which(tool) is None:
                print(f"not tried, no {tool}: {order}")
                continue
            if tool == "source" or order == "make play":
                before = "source .venv/bin/activate && "
            if completion and shutil.which(completion[1]) is None:
                print(f"not tried, no {completion[1]}: {order}")
                continue
            if not order:
                continue
            shell = "bash" if completion is None else completion[1]
            whole = order if tool == "make" else f"{before}{order}"
            if order.startswith(("kalooki exercise", "kalooki play --plain")):
                whole += "; [ $? -le 130 ]"  # nobody answers, which is no fault of the line
            problem = draws(whole, copy, home) if opens_screen(order) else run(shell, "-c", whole, cwd=copy, home=home)
            failed += bool(problem)
            print(f"{'FAILED' if problem else 'works '}  {page}: {order}  {problem}", flush=True)
            if tool in ("uv", "pipx"):
                # The next line installs the same command.
                run(tool, *(("tool",) if tool == "uv" else ()), "uninstall", "kalooki-tui", cwd=copy, home=home)
    return failed


def test_source(file: Path, folder: Path) -> str:
    """The tests of an unpacked source distribution, with this environment's tools; what went wrong, or nothing."""
    with tarfile.open(file) as archive:
        archive.extractall(folder / "source", filter="data")
    (inside,) = (folder / "source").iterdir()
    options = ("-q", "-n", "auto", "--benchmark-disable", "-p", "no:cacheprovider")
    command = ("env", f"PYTHONPATH={inside}", sys.executable, "-P", "-m", "pytest", *options)
    return run(*command, cwd=inside, home=folder / "home")


def main() -> int:
    parser = argparse.ArgumentParser(description="Try installs and the documents' lines.")
    parser.add_argument("--sdist-tests", action="store_true", help="run the source distribution's own tests too")
    parser.add_argument("--only", choices=("wheel", "sdist", "follow"))
    parser.add_argument("--dist", type=Path, help="what is made already")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = arguments.dist
        if made is None:
            made = folder / "dist"
            subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", made], cwd=ROOT, check=True)
        (wheel,), (source,) = made.glob("*.whl" if arguments.dist is None else OURS), made.glob("*.tar.gz")
        for file in (wheel, source):
            kind = "wheel" if file is wheel else "sdist"
            if arguments.only in (None, kind):
                for python in pythons():
                    problem = install(python, file, folder)
                    failed += bool(problem)
                    print(f"{'FAILED' if problem else 'works '}  {kind} with {python}  {problem}", flush=True)
        if arguments.sdist_tests:
            problem = test_source(source, folder)
            failed += bool(problem)
            print(f"{'FAILED' if problem else 'works '}  tests of the source distribution  {problem}")
        if arguments.only in (None, "follow"):
            failed += follow(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
