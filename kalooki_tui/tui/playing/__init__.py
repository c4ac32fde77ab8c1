"""Table while a match is played: questions, people at one keyboard, pointer, cards that move."""
