"""Cards, actions, events, positions and records as text; nothing else parses or prints them."""
