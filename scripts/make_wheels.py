"""Make the distributions of a release on one machine: a wheel with a core for each system, one without, the source.

    python scripts/make_wheels.py [--only TAG] [DIST]

The cores are compiled by `ziglang`, which brings what each system's compiler needs. Each core is looked at before it is
packed: its processor, its functions, the oldest system it runs on, and that it holds no path of this machine. The exit
code is 1 if one is not as it should be.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from kalooki_tui.playouts import compiler  # noqa: E402

NO_CORE: Final = "any"
FUNCTIONS: Final = (b"kalooki_version", b"kalooki_fields", b"kalooki_playouts", b"kalooki_worlds", b"kalooki_advise")
GLIBC: Final = (2, 17)
ELF: Final = {"x86_64": 62, "aarch64": 183}
"""The numbers by which a library of Linux names its processor."""
MACH: Final = {"x86_64": 0x01000007, "arm64": 0x0100000C}
"""The same on macOS."""


@dataclass(frozen=True)
class Target:
    """A wheel: the tag that indexes know it by, and the system that the compiler makes its core for."""

    tag: str
    system: str
    processor: str

    @property
    def is_mac(self) -> bool:
        return self.tag.startswith("macosx")


TARGETS: Final = (
    Target("manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64-linux-gnu.2.17", "x86_64"),
    Target("manylinux_2_17_aarch64.manylinux2014_aarch64", "aarch64-linux-gnu.2.17", "aarch64"),
    Target("musllinux_1_2_x86_64", "x86_64-linux-musl", "x86_64"),
    Target("musllinux_1_2_aarch64", "aarch64-linux-musl", "aarch64"),
    Target("macosx_11_0_arm64", "aarch64-macos.11.0", "arm64"),
    Target("macosx_10_13_x86_64", "x86_64-macos.10.13", "x86_64"),
)


def compile_for(target: Target, folder: Path) -> Path:
    command = (sys.executable, "-m", "ziglang", "cc", "-target", target.system)
    # A Mac's library holds its own name, which would be where it was made.
    options = ("-Wl,-install_name,@rpath/kalooki.so",) if target.is_mac else ()
    return compiler.build(folder / compiler.LIBRARY.name, command=command, options=options)


def faults(content: bytes, target: Target) -> list[str]:
    found = [f"{name.decode()} is missing" for name in FUNCTIONS if name not in content]
    if (processor := _processor(content, target)) is not None:
        found.append(processor)
    found += [f"it holds the path {path}" for path in _paths(content)]
    wanted = [tuple(map(int, one.split(b"."))) for one in re.findall(rb"GLIBC_(\d+(?:\.\d+)+)", content)]
    if wanted and (max(wanted)[:2] > GLIBC or "manylinux" not in target.tag):
        found.append(f"it wants version {'.'.join(map(str, max(wanted)))} of the system's library")
    return found


def _processor(content: bytes, target: Target) -> str | None:
    if target.is_mac:
        magic, number = struct.unpack_from("<II", content)
        good = magic == 0xFEEDFACF and number == MACH[target.processor]
    else:
        good = content[:4] == b"\x7fELF" and struct.unpack_from("<H", content, 18)[0] == ELF[target.processor]
    return None if good else f"it is not for {target.processor}"


def _paths(content: bytes) -> list[str]:
    """Places of the machine that it was made on."""
    texts = re.findall(rb"/[\w.+-]+(?:/[\w.+-]+)+", content)
    return sorted({text.decode() for text in texts if not text.startswith((b"/usr/lib/", b"/lib"))})


def pack(tag: str, core: Path | None, dist: Path) -> None:
    environment = {**os.environ, "KALOOKI_WHEEL": f"{tag}={core}" if core else tag}
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the distributions of a release.")
    parser.add_argument("--only", metavar="TAG", help="wheels whose tag holds this text")
    parser.add_argument("dist", nargs="?", type=Path, default=ROOT / "dist")
    arguments = parser.parse_args()
    shutil.rmtree(arguments.dist, ignore_errors=True)
    failed = 0
    for target in TARGETS:
        if arguments.only and arguments.only not in target.tag:
            continue
        with tempfile.TemporaryDirectory() as folder:
            core = compile_for(target, Path(folder))
            content = core.read_bytes()
            wrong = faults(content, target)
            failed += bool(wrong)
            print(f"{target.tag}: {len(content) // 1000} kB  {'; '.join(wrong)}", flush=True)
            if not wrong:
                pack(target.tag, Path(folder), arguments.dist)
    if not arguments.only or arguments.only == NO_CORE:
        pack(NO_CORE, None, arguments.dist)
        sdist = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(arguments.dist)]
        subprocess.run(sdist, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    for file in sorted(arguments.dist.iterdir()):
        print(f"{file.stat().st_size // 1000:6} kB  {file.name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
