"""What every front end shares and none draws: commands, prompts, hands, moves, sentences."""
