"""Caribbean Kalooki in the terminal.

`__version__` is that of the installed distribution, or ``0+unknown`` when run from a bare source tree.
"""


def __getattr__(name: str) -> str:
    # Nothing is imported before somebody asks: until the program has begun, Ctrl+C would show a traceback.
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("kalooki-tui")
    except PackageNotFoundError:
        found = "0+unknown"
    globals()["__version__"] = found
    return found
