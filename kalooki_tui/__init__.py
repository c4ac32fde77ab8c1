"""Caribbean Kalooki: the game in the terminal, and `import kalooki_tui as kalooki` for scripts (docs/api.md).

`__version__` is that of the installed distribution, or ``0+unknown`` when run from a bare source tree.
"""

# Nothing is imported before somebody asks: until the program has begun, Ctrl+C would show a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from kalooki_tui.api import (
        BestLay,
        Bot,
        DealScore,
        LaidMeld,
        Match,
        Refused,
        View,
        best_lay,
        count_lines,
        distance,
        play,
        read_position,
        read_record,
        ruleset_ids,
        useful_cards,
    )

    __version__: str

__all__ = [
    "BestLay",
    "Bot",
    "DealScore",
    "LaidMeld",
    "Match",
    "Refused",
    "View",
    "__version__",
    "best_lay",
    "count_lines",
    "distance",
    "play",
    "read_position",
    "read_record",
    "ruleset_ids",
    "useful_cards",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        found: object = _installed_version()
    else:
        from kalooki_tui import api

        found = getattr(api, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("kalooki-tui")
    except PackageNotFoundError:
        return "0+unknown"
