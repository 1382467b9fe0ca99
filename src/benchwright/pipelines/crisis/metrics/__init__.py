"""Measures of a text against one or several gold texts: what each means, from which weights, and why it is missing."""
