"""The form of export that evaluation tools of retrieval load: judgements as TREC qrels, queries as JSON lines."""

from collections.abc import Iterable, Iterator, Mapping

from tests.foreign.body import Pair, Query

from benchwright.domain.ids import canonical
from benchwright.pipelines.kind import Finished, Subset


class Trec:
    """See `pipelines.kind.Format`."""

    about = "- `qrels.txt` has the grades, `queries.jsonl` the queries."
    subsets = (Subset("queries", {"test": "queries.jsonl"}, {"id": "string", "query": "string"}),)

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The two files."""
        return {"qrels.txt": qrels(found), "queries.jsonl": queries(found)}


def qrels(found: Finished) -> Iterator[str]:
    """A line for each pair: query, nothing, record, grade."""
    for kept in found.items("pairs"):
        if isinstance(pair := kept.item.body, Pair):
            yield f"{pair.qid} 0 {pair.docno} {pair.grade}\n"


def queries(found: Finished) -> Iterator[str]:
    """A line for each query."""
    for kept in found.items("queries"):
        if isinstance(query := kept.item.body, Query):
            yield f"{canonical({'id': kept.item.id[:10], 'query': query.query})}\n"
