"""A match being played: its owner, the places at it, and what a person does there."""
