"""Requests handed in together, answered within a day, at a lower price."""
