"""The course: chapters as data, lessons made of them by seed, and what a learner has mastered."""
