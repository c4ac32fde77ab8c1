"""Seeds as people type them and codes hold them: digits and capital letters, which also count in base 36."""

from __future__ import annotations

import string
from typing import Final

LETTERS: Final = string.digits + string.ascii_uppercase


def new_seed(length: int = 4) -> str:
    import secrets  # takes its time, and a first screen needs no seed

    return "".join(secrets.choice(LETTERS) for _ in range(length))


def counted_on(seed: str) -> str:
    """The next seed of the same length; after the last comes the first."""
    number = (int(seed, 36) + 1) % 36 ** len(seed)
    digits = ""
    for _ in seed:
        number, digit = divmod(number, 36)
        digits = LETTERS[digit] + digits
    return digits
