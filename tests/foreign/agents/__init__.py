"""What the stranger's pipeline asks, each question with its prompt beside it."""
