"""BM25 (Robertson's formula in Lucene's form, k1 = 1.5, b = 0.75) by bm25s; texts without a common term are no hits."""

from collections.abc import Iterable
from typing import Any

from benchwright.domain.extra import library
from benchwright.retrieval.hits import Hits, best, rank_in
from benchwright.retrieval.words import terms

K1, B = 1.5, 0.75
USE = "ranking texts by their words"


class Bm25:
    """An index of texts by their places."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Raises `ConfigError` where bm25s is not installed."""
        bm25s: Any = library("bm25s", USE, "ir")
        vocabulary: dict[str, int] = {}
        counted = [[vocabulary.setdefault(term, len(vocabulary)) for term in terms(text)] for text in texts]
        self._vocabulary = vocabulary
        self._index: Any = None
        if vocabulary:  # bm25s cannot index texts that have no term at all
            self._index = bm25s.BM25(k1=K1, b=B, method="lucene")
            self._index.index((counted, vocabulary), show_progress=False, create_empty_token=False)

    def search(self, query: str, most: int) -> Hits:
        """The best texts that have a term of the query, the best first."""
        scores = self._scores(query)
        return () if scores is None else best(scores, most, above=0.0)

    def rank(self, query: str, place: int) -> int:
        """Where a text comes among all, from 1 on; 0 where it has no term of the query."""
        scores = self._scores(query)
        return 0 if scores is None or scores[place] <= 0 else rank_in(scores, place)

    def _scores(self, query: str) -> Any:
        """The score of every text; None where no text has any term of the query."""
        known = [self._vocabulary[term] for term in terms(query) if term in self._vocabulary]
        return self._index.get_scores_from_ids(known) if known else None
