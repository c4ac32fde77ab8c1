"""Positions: one table at one moment as a YAML file, steps to play from it, and what must come of them."""
