"""The forms in which a set of questions with options is exported."""
