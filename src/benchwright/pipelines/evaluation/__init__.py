"""The kind: answers of models to the questions of a set, and what they come to."""
