"""The forms in which a set of this kind is exported."""
