"""What lists of matches and statistics say."""
