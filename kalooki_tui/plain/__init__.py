"""Game as lines of text, for screen readers, narrow screens and slow connections. Nothing is drawn or moves."""
