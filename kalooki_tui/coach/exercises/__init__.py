"""Exercises: generated from a seed, proved by engine and solver, answered with the rule and the smallest correction."""
