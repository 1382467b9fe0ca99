"""Ranking texts for a query: by their words (BM25), and by the vectors of embedding models (exact and HNSW search)."""
