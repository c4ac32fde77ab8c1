"""Learning, reviews, and the same cards for several."""
