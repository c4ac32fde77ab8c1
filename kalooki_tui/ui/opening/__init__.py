"""What opens the screens: one function for each way. What a screen needs is imported when it is opened."""
