"""Puzzles: exercises in an endless series by seed, each as hard as the best of a panel of weak rules that fails it."""
