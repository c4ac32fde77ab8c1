"""Lessons, puzzles and hints for a learner. All of them come from a seat's view."""
