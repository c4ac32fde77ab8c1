"""The command line: one small function a command."""
