"""Finished items out: a data file, a manifest that says how it came about, and a card for its readers."""
