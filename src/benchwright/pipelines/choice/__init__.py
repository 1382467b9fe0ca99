"""Questions with options: recall, inference and reconstruction, and all that is particular to them."""
