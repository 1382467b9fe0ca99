"""The roles of evaluations: who is measured."""
