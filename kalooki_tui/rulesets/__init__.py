"""Rulesets: the rules of games as data."""

from __future__ import annotations

from typing import Final

DEFAULT_RULESET: Final = "jamaican"
