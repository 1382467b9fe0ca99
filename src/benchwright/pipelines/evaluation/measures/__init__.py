"""Measures, one a module: pure functions of answers and keys."""
