"""Files of the player: matches as they are played, statistics, settings. Nothing above it speaks to SQLite."""
