"""A live match step by step, without screens: its seats, what it waits for next, runs of AI seats."""
