"""The forms in which a test collection is written: what evaluation tools of retrieval load without a word."""

from collections.abc import Mapping

from benchwright.pipelines.kind import Format
from benchwright.pipelines.retrieval.formats.beir import Beir
from benchwright.pipelines.retrieval.formats.ir_datasets import IrDatasets
from benchwright.pipelines.retrieval.formats.mteb import Mteb
from benchwright.pipelines.retrieval.formats.trec import Trec

FORMATS: Mapping[str, Format] = {"beir": Beir(), "trec": Trec(), "mteb": Mteb(), "ir_datasets": IrDatasets()}
