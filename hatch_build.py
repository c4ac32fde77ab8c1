"""What a build adds to pyproject.toml: the native core, and the address of the project where that is known.

Wheels and installations hold the native core where there is a C compiler to build it; else they do without.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sysconfig
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ADDRESS = "KALOOKI_ADDRESS"
"""Names the project's address for one build, as the workflow does, which knows where it runs."""
WHEEL = "KALOOKI_WHEEL"
"""For one build: the tag of a wheel, and after a = the folder of the core that was compiled for it, or nothing."""
PAGES = {
    "Documentation": "/blob/{version}/docs/guide/README.md",
    "Changelog": "/blob/{version}/CHANGELOG.md",
    "Source": "",
    "Issues": "/issues",
}
"""The pages that an index names, by what follows the address."""
PICTURES = (".png", ".gif")

CORE = Path(__file__).parent / "kalooki_tui" / "playouts"


def load_compiler() -> ModuleType:
    """Import the module that builds the core without the package, whose dependencies need not be there yet."""
    spec = importlib.util.spec_from_file_location("compiler", CORE / "compiler.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class NativeCore(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the core before anything is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the core if it is not current, and name the platform that a wheel with it is for."""
        compiler = load_compiler()
        if wanted := os.environ.get(WHEEL):
            tag, _, folder = wanted.partition("=")
            build_data["tag"] = f"py3-none-{tag}"
            if folder:
                build_data["pure_python"] = False
                for file in Path(folder).iterdir():
                    build_data["force_include"][str(file)] = f"kalooki_tui/playouts/core/{file.name}"
            return
        try:
            if not compiler.is_current():
                compiler.build()
        except compiler.NotBuilt as reason:
            self.app.display_warning(f"{reason} The game does without it.")
            with suppress(OSError):  # where nothing can be written, an old core stays; it is not packed
                compiler.LIBRARY.unlink(missing_ok=True)
            return
        build_data["artifacts"].append(f"/{compiler.LIBRARY.relative_to(self.root).as_posix()}")
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"


class Project(MetadataHookInterface):
    """Names the project's pages, and has the README's links and pictures lead there; without an address it does not."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what depends on where the project is."""
        address = (os.environ.get(ADDRESS) or self.config["address"]).rstrip("/")
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        version = f"v{metadata['version']}"
        if address:
            metadata["urls"] = {name: address + page.format(version=version) for name, page in PAGES.items()}
            text = with_addresses(text, address, version)
        else:
            metadata["urls"] = {}
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def with_addresses(text: str, address: str, version: str) -> str:
    """Return a page of the project's first folder whose links lead to the same places from anywhere."""

    def absolute(link: re.Match[str]) -> str:
        page = link[1].partition("#")[0]
        kind = "raw" if page.endswith(PICTURES) else "tree" if (Path(__file__).parent / page).is_dir() else "blob"
        return f"]({address}/{kind}/{version}/{link[1]})"

    return re.sub(r"\]\((?![a-z]+:|#)([^)\s]+)\)", absolute, text)
