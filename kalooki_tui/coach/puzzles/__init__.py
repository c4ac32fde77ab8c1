"""Puzzles: an endless series of exercises by seed. A puzzle is as hard as the best of some weak rules that fails it."""
