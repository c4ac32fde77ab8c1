"""Many matches of AI seats, and what came of them."""
