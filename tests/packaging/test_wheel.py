import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Final

import pytest

from kalooki_tui import __version__

ROOT: Final = Path(__file__).resolve().parents[2]
VERSION: Final = __version__


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    result = subprocess.run(
        command, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def build(target: str, folder: Path) -> Path:
    run(sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder, cwd=ROOT)
    (distribution,) = folder.iterdir()
    return distribution


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


class Installed:
    def __init__(self, wheel: Path, home: Path) -> None:
        self.folder = home / "installed"
        self.elsewhere = home / "elsewhere"
        self.elsewhere.mkdir()
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install")
        run(*pip, "--no-index", "--no-deps", "--target", self.folder, wheel, cwd=self.elsewhere)

    def python(self, *arguments: str) -> str:
        """Run Python with the wheel and its dependencies.

        Without the ``site`` module (``-S``) the path file of an editable install is not read, so the
        dependencies' folder can be named without the checkout coming along; ``-P`` keeps out the
        working folder.
        """
        dependencies = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
        return run(
            sys.executable,
            "-S",
            "-P",
            *arguments,
            cwd=self.elsewhere,
            PYTHONPATH=os.pathsep.join([str(self.folder), *dependencies]),
            HOME=str(self.elsewhere),
            XDG_DATA_HOME=str(self.elsewhere / "data"),
            XDG_CONFIG_HOME=str(self.elsewhere / "config"),
        )


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(wheel, tmp_path_factory.mktemp("home"))


def test_wheel_holds_every_file_of_the_package(wheel_names: set[str]) -> None:
    source = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "kalooki_tui").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert source <= wheel_names


def test_wheel_with_the_native_core_names_its_platform(
    wheel: Path, wheel_names: set[str], installed: Installed
) -> None:
    holds_core = "kalooki_tui/playouts/core/kalooki.so" in wheel_names
    assert wheel.name.endswith("-py3-none-any.whl") is not holds_core
    why = installed.python("-c", "from kalooki_tui.playouts import why_not; print(why_not())").strip()
    assert why == ("" if holds_core else "The native core has not been built here, so the game runs without it.")


def test_wheel_holds_every_ruleset_and_the_schema(wheel_names: set[str]) -> None:
    rulesets = [str(path.relative_to(ROOT / "rulesets")) for path in (ROOT / "rulesets").rglob("*.yaml")]
    assert {"jamaican.yaml", "contract-rummy/carioca.yaml"} <= {*rulesets}
    assert {
        f"kalooki_tui/_rulesets/{name}" for name in [*rulesets, "compiled.json", "ruleset.schema.json"]
    } <= wheel_names


def test_wheel_holds_nothing_else(wheel_names: set[str]) -> None:
    assert {name.partition("/")[0] for name in wheel_names} == {
        "kalooki_tui",
        f"kalooki_tui-{VERSION}.dist-info",
        f"kalooki_tui-{VERSION}.data",
    }
    data = {name for name in wheel_names if ".data/" in name}
    assert data == {f"kalooki_tui-{VERSION}.data/data/share/man/man1/kalooki.1"}


def test_source_distribution_builds_from_what_it_holds(tmp_path: Path) -> None:
    with tarfile.open(build("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert not any(name.endswith(".so") for name in names)
    assert {
        "hatch_build.py",
        "kalooki_tui/playouts/core/kalooki.h",
        "pyproject.toml",
        "LICENSE",
        "kalooki_tui/cli/main.py",
        "rulesets/jamaican.yaml",
    } <= names
    assert not any(name.startswith((".venv", ".git/")) for name in names)


def test_installed_wheel_runs_without_the_checkout(installed: Installed) -> None:
    location = installed.python("-c", "import kalooki_tui; print(kalooki_tui.__file__)")
    assert Path(location.strip()) == installed.folder / "kalooki_tui" / "__init__.py"

    lines = installed.python("-m", "kalooki_tui", "rules", "list").splitlines()
    assert any("jamaican" in line.split() for line in lines)
