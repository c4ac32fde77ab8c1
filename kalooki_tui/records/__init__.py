"""Records: a whole match as JSON lines, written as it is played and replayed exactly."""
