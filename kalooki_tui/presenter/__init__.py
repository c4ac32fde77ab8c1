"""Prompts, commands, hands, moves and sentences that every front end shares and none draws."""
