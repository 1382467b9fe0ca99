"""Files for ir_datasets, with the definition that loads them: `from dataset import dataset`."""

from collections.abc import Iterable, Mapping

from benchwright.pipelines.kind import Finished
from benchwright.pipelines.retrieval.formats.listing import ABOUT_GRADES, Listing
from benchwright.pipelines.retrieval.formats.trec import contents

DEFINITION = '''"""This collection for ir_datasets: put this folder on the path, then `from dataset import dataset`."""

from pathlib import Path

import ir_datasets

HERE = Path(__file__).parent
dataset = ir_datasets.create_dataset(
    docs_tsv=str(HERE / "docs.tsv"),
    queries_tsv=str(HERE / "queries.tsv"),
    qrels_trec=str(HERE / "qrels.txt"),
)
'''


class IrDatasets:
    """See `pipelines.kind.Format`."""

    about = f"""\
- `docs.tsv` holds one text a line, `queries.tsv` one query a line, `qrels.txt` one grade a line; `dataset.py` tells
  ir_datasets where they are.
{ABOUT_GRADES}"""
    subsets = ()

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """Tab-separated texts and queries, TREC's qrels, and the definition."""
        listing = Listing(found)
        return {
            "docs.tsv": (f"{one.id}\t{contents(one.title, one.text)}\n" for one in listing.docs()),
            "queries.tsv": (f"{one.id}\t{one.text}\n" for one in listing.topics()),
            "qrels.txt": listing.qrels_trec(),
            "grades.jsonl": listing.grades(),
            "dataset.py": (DEFINITION,),
        }
