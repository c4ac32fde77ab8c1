"""Learning, exercises, reviews, and the same cards for several."""
