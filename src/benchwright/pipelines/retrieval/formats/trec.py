"""TREC's files: qrels, topics, a run of each ranking; the corpus as Pyserini's JsonCollection."""

from collections.abc import Iterable, Mapping

from benchwright.domain.jsonl import json_line
from benchwright.pipelines.kind import Finished
from benchwright.pipelines.retrieval.formats.listing import ABOUT_GRADES, Listing, file_name


class Trec:
    """See `pipelines.kind.Format`."""

    about = f"""\
- `qrels.txt` holds one grade a line, `topics.tsv` one query a line, `runs/` the ranking of each retriever, all in the
  forms of TREC; `corpus/` holds the texts, in the form that Pyserini indexes.
{ABOUT_GRADES}"""
    subsets = ()

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The files; `corpus/` holds nothing else."""
        listing = Listing(found)
        runs = {f"runs/{file_name(one)}.run": listing.run(one) for one in listing.rankings()}
        return {
            "corpus/texts.jsonl": (
                json_line({"id": one.id, "contents": contents(one.title, one.text)}) for one in listing.docs()
            ),
            "topics.tsv": (f"{one.id}\t{one.text}\n" for one in listing.topics()),
            "qrels.txt": listing.qrels_trec(),
            "grades.jsonl": listing.grades(),
            **runs,
        }


def contents(title: str, text: str) -> str:
    """What is indexed of a text."""
    return f"{title} {text}" if title else text
