"""The course: chapters as data, lessons made from them by seed, and what a learner has mastered."""
