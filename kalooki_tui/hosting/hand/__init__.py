"""The hand in the hand: a page for phones, and the messages between it and the table."""
