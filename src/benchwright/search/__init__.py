"""What the world says about a thing: web searches and a glossary, one protocol for all; results are data."""
