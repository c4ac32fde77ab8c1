import zipfile
from itertools import product
from pathlib import Path

from kalooki_tui.playouts.compiler import LIBRARY
from scripts.make_wheels import TARGETS, Target, faults, pack
from tests.packaging.test_wheel import ROOT

NAMES = b"kalooki_version kalooki_fields kalooki_playouts kalooki_worlds kalooki_advise"
LINUX = b"\x7fELF" + bytes(14) + (62).to_bytes(2, "little") + NAMES
MAC = 0xFEEDFACF.to_bytes(4, "little") + 0x0100000C.to_bytes(4, "little") + NAMES


def target(tag: str) -> Target:
    return next(one for one in TARGETS if one.tag.startswith(tag))


def test_each_processor_has_a_wheel_for_each_kind_of_linux_and_for_macos() -> None:
    kinds = [(one.tag.partition("_")[0], one.processor) for one in TARGETS]
    linux = product(("manylinux", "musllinux"), ("x86_64", "aarch64"))
    assert sorted(kinds) == sorted([*linux, ("macosx", "arm64"), ("macosx", "x86_64")])


def test_a_library_that_would_not_run_elsewhere_is_not_packed() -> None:
    for content, tag, fault in (
        (LINUX, "manylinux_2_17_aarch64", ["it is not for aarch64"]),
        (MAC, "macosx_10", ["it is not for x86_64"]),
        (LINUX.replace(b"kalooki_worlds", b""), "manylinux_2_17_x86_64", ["kalooki_worlds is missing"]),
        (LINUX + b"\0GLIBC_2.34\0", "manylinux_2_17_x86_64", ["it wants version 2.34 of the system's library"]),
        (LINUX + b"\0GLIBC_2.2.5\0", "musllinux_1_2_x86_64", ["it wants version 2.2.5 of the system's library"]),
        (LINUX + b"\0/home/maker/core\0", "manylinux_2_17_x86_64", ["it holds the path /home/maker/core"]),
        (LINUX + b"\0GLIBC_2.17\0GLIBC_2.2.5\0", "manylinux_2_17_x86_64", []),
        (MAC + b"\0/usr/lib/dyld\0", "macosx_11", []),
    ):
        assert faults(content, target(tag)) == fault


def test_a_wheel_holds_the_core_that_was_made_for_it(tmp_path: Path) -> None:
    core = tmp_path / "core"
    core.mkdir()
    (core / LIBRARY.name).write_bytes(MAC)
    pack("macosx_11_0_arm64", core, tmp_path / "dist")
    (wheel,) = (tmp_path / "dist").iterdir()
    assert wheel.name.endswith("-py3-none-macosx_11_0_arm64.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"kalooki_tui/playouts/core/{LIBRARY.name}") == MAC


def test_the_wheel_for_all_other_systems_holds_no_core(tmp_path: Path) -> None:
    pack("any", None, tmp_path)
    (wheel,) = tmp_path.iterdir()
    assert wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert [name for name in archive.namelist() if name.endswith(".so")] == []


def test_no_lock_file_names_where_packages_come_from() -> None:
    for lock in ROOT.glob("requirements*.lock"):
        text = lock.read_text(encoding="utf-8")
        assert "://" not in text
        assert "--index" not in text
