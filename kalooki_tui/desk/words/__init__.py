"""What is said of deals, actions and rules."""
