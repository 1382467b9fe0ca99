"""Exported collections in the real evaluation tools, where these are installed: all count the same."""

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.retrieval.made import retrieval

from benchwright.domain.document import Reading, Sentence, Span, View
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.source import Content, Ref, view_json
from benchwright.pipelines.kind import Kept, Seen
from benchwright.pipelines.retrieval.body import Body, Candidate, Described, Found, Pair, Pool
from benchwright.pipelines.retrieval.formats import FORMATS
from benchwright.pipelines.retrieval.settings import DOCUMENTS, PAIRS, POOL
from benchwright.pipelines.texts import text_name

VIEW = View("d", (0,))
WORDS = ("A wave came at dawn.", "Wells were salt for weeks.", "The bridge fell.", "Nobody was warned.")
SENTENCES = tuple(Sentence(n, Span(n, n + 1), text) for n, text in enumerate(WORDS, 1))
NAMES = tuple(map(text_name, WORDS))
GRADES = {("a" * 32, 0): 3, ("a" * 32, 1): 1, ("a" * 32, 2): 0, ("b" * 32, 2): 2, ("b" * 32, 3): 0}


class Set:
    """Two queries and four passages."""

    campaign = retrieval().setup.campaign

    def items(self, phase: str = "") -> Any:
        bodies: dict[str, list[Body]] = {
            DOCUMENTS: [Described(view_json(VIEW), "r", "T", "en", "c", "e", "", tuple((n, n) for n in range(1, 5)))],
            POOL: [self.pool(query) for query in ("a" * 32, "b" * 32)],
            PAIRS: [
                Pair(query, "qa", "c", f"of {query[0]}", NAMES[n], "passage", own=False, grade=grade)
                for (query, n), grade in GRADES.items()
            ],
        }
        for slot, body in enumerate(bodies.get(phase, [])):
            yield Kept(Seen(f"i{slot}", Seed(slot, 0, (), "{}", phase), ItemState.KEPT, "", "", body, tuple), ())

    def pool(self, query: str) -> Pool:
        places = [n for name, n in GRADES if name == query]
        found = [
            Candidate(NAMES[n], "passage", (Found("bm25", "exact", rank, 2.0),)) for rank, n in enumerate(places, 1)
        ]
        return Pool(query, "qa", "c", "e", f"of {query[0]}", "", tuple(found), (), ("bm25/exact",), {}, 4)

    def content(self, ref: Ref) -> Content:
        return Reading(VIEW, "T", SENTENCES, "")


def written(folder: Path, form: str) -> Path:
    for name, lines in FORMATS[form].files(Set()).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines), "utf-8")
    return folder


def tool(name: str) -> Any:
    return pytest.importorskip(name, reason=f"{name} is not installed: it comes with the group interop")


@pytest.fixture(name="on_path")
def _on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("task", "dataset"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_ir_measures_and_pytrec_eval_score_the_same(tmp_path: Path) -> None:
    measures, trec = tool("ir_measures"), tool("pytrec_eval")
    folder = written(tmp_path, "trec")
    grades = list(measures.read_trec_qrels(str(folder / "qrels.txt")))
    run = list(measures.read_trec_run(str(folder / "runs" / "bm25-exact.run")))
    score = measures.calc_aggregate([measures.nDCG @ 10], grades, run)
    with (folder / "qrels.txt").open() as first, (folder / "runs" / "bm25-exact.run").open() as second:
        found = trec.RelevanceEvaluator(trec.parse_qrel(first), {"ndcg_cut_10"}).evaluate(trec.parse_run(second))

    assert (len(grades), len(run)) == (5, 5)
    mean = sum(one["ndcg_cut_10"] for one in found.values()) / len(found)
    assert next(iter(score.values())) == pytest.approx(mean) == pytest.approx(1.0)


def test_ranx_reads_grades_and_runs(tmp_path: Path) -> None:
    ranx = tool("ranx")
    folder = written(tmp_path, "trec")
    grades = ranx.Qrels.from_file(str(folder / "qrels.txt"), kind="trec")
    run = ranx.Run.from_file(str(folder / "runs" / "bm25-exact.run"), kind="trec")
    assert sum(map(len, grades.to_dict().values())) == sum(map(len, run.to_dict().values())) == 5


def test_ir_datasets_reads_its_definition(on_path: Path) -> None:
    tool("ir_datasets")
    written(on_path, "ir_datasets")
    found = importlib.import_module("dataset").dataset
    counts = [len(list(each())) for each in (found.docs_iter, found.queries_iter, found.qrels_iter)]
    assert counts == [4, 2, 5]


def test_mteb_reads_its_task(on_path: Path) -> None:
    tool("mteb")
    tool("datasets")
    written(on_path, "mteb")
    task = importlib.import_module("task").Task()
    task.load_data()
    task.load_data()
    found = task.dataset["default"]["test"]
    assert (len(found["corpus"]), len(found["queries"])) == (4, 2)
    assert sum(map(len, found["relevant_docs"].values())) == 5
    assert all(isinstance(grade, int) for each in found["relevant_docs"].values() for grade in each.values())
