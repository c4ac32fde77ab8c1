"""Command line: one small function a command."""
