"""Puzzles: an endless series of exercises by seed. A puzzle is as hard as its kind."""
