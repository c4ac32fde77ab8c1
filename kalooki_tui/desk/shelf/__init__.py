"""Lists of matches, and statistics."""
