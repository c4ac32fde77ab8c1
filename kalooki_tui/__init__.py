"""Caribbean Kalooki: the game in the terminal, and `import kalooki_tui as kalooki` for scripts (docs/api.md)."""

# Nothing is imported before somebody asks: until the program has begun, Ctrl+C would show a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from kalooki_tui.api.files import Position, PositionStep, read_position, read_record, ruleset_ids
    from kalooki_tui.api.hands import BestLay, best_lay, distance, useful_cards
    from kalooki_tui.api.match import Advice, Bot, DealScore, Match, Option, advise, count_lines, decide, play
    from kalooki_tui.api.view import LaidMeld, View
    from kalooki_tui.engine.refusals import Refused

#: Of this release: the one place; distributions take it from here. Asking what is installed takes longer to load.
__version__ = "0.2.0"

__all__ = [
    "Advice",
    "BestLay",
    "Bot",
    "DealScore",
    "LaidMeld",
    "Match",
    "Option",
    "Position",
    "PositionStep",
    "Refused",
    "View",
    "__version__",
    "advise",
    "best_lay",
    "count_lines",
    "decide",
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
    from kalooki_tui import api

    found: object = getattr(api, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
