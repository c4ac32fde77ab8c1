"""What is kept of a player: settings, progress, puzzles."""
