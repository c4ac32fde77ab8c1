from pathlib import Path

import pytest

from kalooki_tui.playouts import compiler, library, why_not


def test_without_a_compiler_the_reason_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compiler, "compilers", list)
    with pytest.raises(compiler.NotBuilt, match=r"^There is no C compiler here to build the native core\.$"):
        compiler.build(tmp_path / "core.so")
    assert list(tmp_path.iterdir()) == []


def test_a_compiler_that_fails_is_named_by_its_complaint(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho 'kalooki.h:1: error: too tired' >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(compiler, "compilers", lambda: [["no-such-compiler"], [str(broken)]])
    with pytest.raises(compiler.NotBuilt, match=r"could not build the native core: kalooki\.h:1: error: too tired$"):
        compiler.build(tmp_path / "core.so")
    assert [path.name for path in tmp_path.iterdir()] == ["cc"]


def test_where_nothing_can_be_written_that_is_the_reason(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere" / "core.so"
    with pytest.raises(
        compiler.NotBuilt, match=r"^The native core cannot be written to .*nowhere: No such file or dir"
    ):
        compiler.build(missing, command=["true"])


def test_a_compiler_that_is_named_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "sh -x")
    assert compiler.compilers()[0] == ["sh", "-x"]


def test_a_library_that_is_missing_or_broken_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "core.so"
    monkeypatch.setattr(library, "LIBRARY", path)
    library.load.cache_clear()
    try:
        assert why_not() == "The native core has not been built here, so the game runs without it."
        with pytest.raises(library.PlayoutFault, match=r"^The native core has not been built here"):
            library.loaded()
        path.write_bytes(b"no library at all")
        library.load.cache_clear()
        assert why_not().startswith("The native core cannot be loaded (")
    finally:
        library.load.cache_clear()
