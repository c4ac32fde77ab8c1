"""Set-up of a match: seats, choices, what is remembered of them."""
