"""How the game looks: themes, palettes, glyphs, and the player's own themes and keys."""
