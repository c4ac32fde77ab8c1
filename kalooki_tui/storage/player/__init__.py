"""Files of a player: settings, progress, puzzles."""
