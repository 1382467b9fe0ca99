"""The engine: admits items, claims tickets, asks agents, and ends when nothing is owed."""
