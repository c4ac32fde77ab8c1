"""Hand on a phone: the page, and the messages between it and the table."""
