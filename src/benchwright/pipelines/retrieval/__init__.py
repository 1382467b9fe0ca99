"""The kind `retrieval`: test collections for search engines, from documents to graded pairs (DisastIR)."""
