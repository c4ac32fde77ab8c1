"""The kinds of exercise: what each shows and asks, how it is answered, judged and helped with.

The sentences of a kind are in `texts/en/exercises/`, in the file named after it. To add a kind: add it to `KINDS` too.
"""
