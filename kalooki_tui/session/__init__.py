"""Match that people play: its plan, its session, one client for each screen, whose turn it is to be asked."""
