"""Caribbean Kalooki in the terminal."""

from importlib.metadata import PackageNotFoundError, version
from typing import Final

__all__ = ["__version__"]


def _installed_version() -> str:
    """Return the version of the installed distribution, or ``0+unknown`` when run from a bare source tree."""
    try:
        return version("kalooki-tui")
    except PackageNotFoundError:
        return "0+unknown"


__version__: Final = _installed_version()
