"""Judging what a seat may do: its options with facts, what playing them out comes to, what a decision cost."""
