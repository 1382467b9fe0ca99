"""The folder that BEIR's loader reads, and MTEB's and Pyserini's as well: corpus, queries, grades."""

from collections.abc import Iterable, Iterator, Mapping

from benchwright.domain.jsonl import json_line
from benchwright.pipelines.kind import Finished, Subset
from benchwright.pipelines.retrieval.formats.listing import ABOUT_GRADES, Listing

HEAD = "query-id\tcorpus-id\tscore\n"  # the loader skips the first line, whatever it is


ABOUT_TABLES = """\
- `corpus.jsonl` holds one text a line (`_id`, `title`, `text`), `queries.jsonl` one query a line (`_id`, `text`; its
  intent, category and event type in `metadata`)."""
TABLES = (Subset("corpus", {"corpus": "corpus.jsonl"}), Subset("queries", {"queries": "queries.jsonl"}))


class Beir:
    """See `pipelines.kind.Format`."""

    about = f"""\
{ABOUT_TABLES}
- `qrels/test.tsv` holds one grade a line, under a head: query, text, grade.
{ABOUT_GRADES}"""
    subsets = (*TABLES, Subset("qrels", {"test": "qrels/test.tsv"}))

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The files, and all that is behind the grades."""
        listing = Listing(found)
        return {
            "corpus.jsonl": corpus_lines(listing),
            "queries.jsonl": query_lines(listing),
            "qrels/test.tsv": qrel_lines(listing),
            "grades.jsonl": listing.grades(),
        }


def corpus_lines(listing: Listing) -> Iterator[str]:
    """A text a line; the title is always a string."""
    return (json_line({"_id": one.id, "title": one.title, "text": one.text}) for one in listing.docs())


def query_lines(listing: Listing) -> Iterator[str]:
    """A query a line."""
    return (json_line({"_id": one.id, "text": one.text, "metadata": one.about}) for one in listing.topics())


def qrel_lines(listing: Listing) -> Iterator[str]:
    """A grade a line, under a head."""
    yield HEAD
    yield from (f"{one.query}\t{one.doc}\t{one.grade}\n" for one, _ in listing.pairs())
