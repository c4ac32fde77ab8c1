"""What is wrong with a text, said so that its writer can mend it."""

from __future__ import annotations


class NotationError(ValueError):
    """A text is not in the notation; the message names the text and what would be right."""
