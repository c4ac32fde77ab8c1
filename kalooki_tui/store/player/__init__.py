"""What is kept of a player: settings, progress, puzzles, the par of daily deals."""
