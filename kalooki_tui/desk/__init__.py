"""What any front end needs to play a match, without drawing anything."""
