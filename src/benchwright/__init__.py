"""Benchwright turns a research group's documents into benchmark sets that its field can trust."""

__version__ = "0.1.0"
