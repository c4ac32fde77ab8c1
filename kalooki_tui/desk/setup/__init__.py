"""What a match is opened from: seats, choices, what is kept of them."""
