"""What the kind `retrieval` asks models and people, each question with its prompt beside it."""
