"""Errors in notation, worded so that the writer can fix them."""

from __future__ import annotations


class NotationError(ValueError):
    """A text is not in the notation; the message names the text and what would be right."""
