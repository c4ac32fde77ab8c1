"""Rulesets: what a game's rules are, as data."""

from __future__ import annotations

from typing import Final

DEFAULT_RULESET: Final = "jamaican"
