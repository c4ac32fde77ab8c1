"""The game as lines of text, for screen readers, narrow screens and slow lines: nothing is drawn, nothing moves."""
