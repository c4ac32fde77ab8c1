"""Players that think in other processes: AI seats apart from the screen, and outside programs."""
