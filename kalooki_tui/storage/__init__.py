"""Where things live on disk: matches as they are played, statistics, settings. Nothing above it speaks to SQLite."""
