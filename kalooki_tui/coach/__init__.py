"""What a learner is told: choices with their facts, the nearest plan, hints. All of it comes from a seat's view."""
