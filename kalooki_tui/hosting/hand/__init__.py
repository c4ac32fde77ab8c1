"""The hand in the hand: the page, and the messages between it and the table."""
