"""The game in a browser: a page, and who may open it."""
