"""The review desk in a browser."""
