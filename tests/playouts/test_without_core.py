from pathlib import Path

import pytest

from kalooki_tui.playouts import compiler, library, why_not


def test_a_compiler_that_fails_or_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "cc"
    broken.write_text("#!/bin/sh\necho 'kalooki.h:1: error: too tired' >&2\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(compiler, "compilers", lambda: [["no-such-compiler"], [str(broken)]])
    with pytest.raises(compiler.NotBuilt, match=r"could not build the native core: kalooki\.h:1: error: too tired$"):
        compiler.build(tmp_path / "core.so")
    monkeypatch.setattr(compiler, "compilers", list)
    with pytest.raises(compiler.NotBuilt, match=r"^There is no C compiler here to build the native core\.$"):
        compiler.build(tmp_path / "core.so")
    assert [path.name for path in tmp_path.iterdir()] == ["cc"]
    monkeypatch.undo()
    monkeypatch.setenv("CC", "sh -x")
    assert compiler.compilers()[0] == ["sh", "-x"], "one that is named comes first"
    with pytest.raises(compiler.NotBuilt, match=r"cannot be written to .*nowhere: No such file or dir"):
        compiler.build(tmp_path / "nowhere" / "core.so", command=["true"])


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
