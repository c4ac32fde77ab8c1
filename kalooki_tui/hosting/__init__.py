"""People at their own screens: who may come, how they come, and what draws for each of them in one process."""
