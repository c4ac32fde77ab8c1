"""Cards, melds, actions, events, seats and messages as text; nothing else parses or prints them."""
