"""``python -m kalooki_tui``: the same as the ``kalooki`` command."""

from kalooki_tui.cli import main

if __name__ == "__main__":
    main()
