"""Rulesets: what a game's rules are, as data."""
