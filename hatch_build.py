"""Wheels and installations hold the native core, where there is a C compiler to build it; else they do without."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CORE = Path(__file__).parent / "kalooki_tui" / "playouts"


def load_building() -> ModuleType:
    """The module that builds the core, without the package around it, whose dependencies need not be there yet."""
    spec = importlib.util.spec_from_file_location("building", CORE / "building.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class NativeCore(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the core before anything is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the core if it is not current, and name the platform that a wheel with it is for."""
        building = load_building()
        try:
            if not building.is_current():
                building.build()
        except building.NotBuilt as reason:
            self.app.display_warning(f"{reason} The game does without it.")
            building.LIBRARY.unlink(missing_ok=True)
            return
        for path in (building.LIBRARY, building.mark_of(building.LIBRARY)):
            build_data["artifacts"].append(f"/{path.relative_to(self.root).as_posix()}")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
