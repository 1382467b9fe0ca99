"""A retrieval task of MTEB (version 2): corpus, queries and grades as JSON lines, and the task that loads them."""

import json
from collections.abc import Iterable, Iterator, Mapping

from benchwright.domain.jsonl import json_line
from benchwright.pipelines.kind import Finished, Subset
from benchwright.pipelines.retrieval.formats.beir import ABOUT_TABLES, TABLES, corpus_lines, query_lines
from benchwright.pipelines.retrieval.formats.listing import ABOUT_GRADES, Listing

TASK = '''"""This collection as a task of MTEB: put this folder on the path, then `from task import Task`."""

import json
from pathlib import Path

from datasets import Dataset
from mteb import TaskMetadata
from mteb.abstasks import AbsTaskRetrieval

HERE = Path(__file__).parent


def rows(name):
    """The lines of a file."""
    with (HERE / name).open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Task(AbsTaskRetrieval):
    """Its corpus, queries and grades lie beside this file."""

    metadata = TaskMetadata(
        name=NAME,
        description="A retrieval collection made by Benchwright.",
        reference=None,
        dataset={"path": HERE.name, "revision": "1"},
        type="Retrieval",
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="ndcg_at_10",
        date=None,
        domains=None,
        task_subtypes=None,
        license=None,
        annotations_creators="LM-generated",
        dialect=None,
        sample_creation="LM-generated and verified",
        bibtex_citation=None,
    )

    def load_data(self, **kwargs):
        """Read the files."""
        if self.data_loaded:
            return
        grades = {}
        for row in rows("qrels.jsonl"):
            grades.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
        corpus = [{"id": row["_id"], "title": row["title"], "text": row["text"]} for row in rows("corpus.jsonl")]
        queries = [{"id": row["_id"], "text": row["text"]} for row in rows("queries.jsonl") if row["_id"] in grades]
        found = {
            "corpus": Dataset.from_list(corpus),
            "queries": Dataset.from_list(queries),
            "relevant_docs": grades,
            "top_ranked": None,
        }
        self.dataset = {"default": {"test": found}}
        self.data_loaded = True
'''


class Mteb:
    """See `pipelines.kind.Format`."""

    about = f"""\
{ABOUT_TABLES}
- `qrels.jsonl` holds one grade a line, `task.py` the task for MTEB, which reads these files.
{ABOUT_GRADES}"""
    subsets = (*TABLES, Subset("qrels", {"test": "qrels.jsonl"}))

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """Corpus, queries, grades, the task."""
        listing = Listing(found)
        name = "".join(word.capitalize() for word in found.campaign.name.replace("_", "-").split("-")) + "Retrieval"
        return {
            "corpus.jsonl": corpus_lines(listing),
            "queries.jsonl": query_lines(listing),
            "qrels.jsonl": qrel_lines(listing),
            "grades.jsonl": listing.grades(),
            "task.py": (TASK.replace("NAME,", f"{json.dumps(name)},", 1),),
        }


def qrel_lines(listing: Listing) -> Iterator[str]:
    """A grade a line, as an integer."""
    return (json_line({"query-id": q.query, "corpus-id": q.doc, "score": q.grade}) for q, _ in listing.pairs())
