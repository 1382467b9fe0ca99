"""How each provider is spoken to, what its failures mean, and what may not be said of its keys."""
