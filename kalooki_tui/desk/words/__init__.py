"""The words for deals, actions and rules."""
