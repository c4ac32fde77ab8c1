"""Themes, palettes, glyphs, and the player's own themes and keys."""
