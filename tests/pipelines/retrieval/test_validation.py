"""Folders with test collections, ours and others': each flaw is told with its file and line."""

import json
from pathlib import Path

import pytest
from tests.cli.campaign import typed

from benchwright.errors import UsageError
from benchwright.pipelines import validate
from benchwright.show.code import Code

CORPUS = [{"_id": f"d{n}", "title": "", "text": f"text {n}"} for n in range(3)]
QUERIES = [{"_id": f"q{n}", "text": f"query {n}"} for n in range(2)]
GRADES = ["query-id\tcorpus-id\tscore", "q0\td0\t2", "q1\td1\t1"]


def lines(values: list[object]) -> str:
    return "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in values)


def beir(folder: Path, **changes: str | bytes) -> Path:
    """A sound folder in BEIR's form, with these files otherwise."""
    sound: dict[str, str | bytes] = {
        "corpus.jsonl": lines([*CORPUS]),
        "queries.jsonl": lines([*QUERIES]),
        "qrels/test.tsv": lines([*GRADES]),
    }
    names = {"corpus": "corpus.jsonl", "queries": "queries.jsonl", "qrels": "qrels/test.tsv"}
    for name, text in (sound | {names.get(key, key): text for key, text in changes.items()}).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def told(folder: Path) -> list[str]:
    return [str(flaw) for flaw in validate(folder).flaws]


def test_a_sound_folder_has_no_flaw_and_is_counted(tmp_path: Path) -> None:
    found = validate(beir(tmp_path))
    assert (found.flaws, found.total, found.remarks) == ((), 0, ())
    assert found.counts == {"texts": 3, "queries": 2, "grades": 2}


@pytest.mark.parametrize(
    ("file", "text", "flaw"),
    [
        ("qrels", lines([*GRADES, "q0\td2\t1.5"]), "qrels/test.tsv:4: grade '1.5' is no whole number"),
        ("qrels", lines([*GRADES, "q0\td2\t2.0"]), "qrels/test.tsv:4: grade '2.0' is no whole number"),
        ("qrels", lines([*GRADES, "q0\td2\t900"]), "qrels/test.tsv:4: grade 900 lies outside"),
        ("qrels", lines([*GRADES, "q0\td0\t1"]), "qrels/test.tsv:4: the pair q0 d0 has a grade already, in qrels/test"),
        ("qrels", lines([*GRADES, "q0\td9\t1"]), "qrels/test.tsv:4: text 'd9' is not among the 3"),
        ("qrels", lines([*GRADES, "q9\td1\t1"]), "qrels/test.tsv:4: query 'q9' is not among the 2"),
        ("qrels", lines([*GRADES, "q0\td1\t1\tx"]), "qrels/test.tsv:4: has 4 columns, three are read"),
        ("qrels", lines([*GRADES, "q0 d1 1"]), "qrels/test.tsv:4: has 1 columns"),
        ("qrels", lines([*GRADES, "\td1\t1"]), "qrels/test.tsv:4: query has an empty name"),
        ("qrels", lines(["q0\td0\t2"]), "qrels/test.tsv:1: is a grade, but loaders skip the first line"),
        ("qrels", "", "qrels/test.tsv: is empty"),
        ("qrels", lines([*GRADES]).replace("\n", "\r\n"), "qrels/test.tsv:1: ends with a carriage return"),
        ("corpus", b"\xef\xbb\xbf" + lines([*CORPUS]).encode(), "corpus.jsonl:1: begins with a byte order mark"),
        ("corpus", lines([*CORPUS]).encode() + b'{"_id": "\xff"}\n', "corpus.jsonl:4: is no UTF-8"),
        ("corpus", lines([*CORPUS, CORPUS[0]]), "corpus.jsonl:4: text 'd0' is there already, in corpus.jsonl:1"),
        ("corpus", lines([*CORPUS, "{"]), "corpus.jsonl:4: is no JSON"),
        ("corpus", lines([*CORPUS, "[" * 100_000]), "corpus.jsonl:4: is no JSON"),
        ("corpus", lines([*CORPUS, "[]"]), "corpus.jsonl:4: is no JSON object"),
        ("corpus", lines([*CORPUS, {"_id": "d9", "title": None, "text": "x"}]), "corpus.jsonl:4: title is None"),
        ("corpus", lines([*CORPUS, {"_id": "d9", "text": " "}]), "corpus.jsonl:4: text is empty"),
        ("corpus", lines([*CORPUS, {"_id": "d9"}]), "corpus.jsonl:4: text should be a text, not None"),
        ("corpus", lines([*CORPUS, {"_id": 9, "text": "x"}]), "corpus.jsonl:4: _id should be a text, not 9"),
        ("corpus", lines([*CORPUS, {"_id": "d 9", "text": "x"}]), "corpus.jsonl:4: text 'd 9' has a blank"),
        ("corpus", lines([*CORPUS, {"_id": "#9", "text": "x"}]), "corpus.jsonl:4: text '#9' begins with #"),
        ("corpus", lines([*CORPUS, {"_id": "q0", "text": "x"}]), "corpus.jsonl:4: 'q0' is a text and a query"),
        ("queries", lines([*QUERIES, {"_id": "q0", "text": "x"}]), "queries.jsonl:3: query 'q0' is there already"),
        ("queries", lines([*QUERIES, "nothing"]), "queries.jsonl:3: is no JSON"),
        ("topics.tsv", "q0\twords\tmore\n", "topics.tsv:1: has 3 columns, two are read"),
        ("topics.tsv", "q7\t \n", "topics.tsv:1: its text is empty"),
        ("docs.tsv", "d 1\twords\n", "docs.tsv:1: text 'd 1' has a blank"),
        ("qrels.txt", "q0 0 d2\n", "qrels.txt:1: has 3 columns, four are read"),
        ("qrels.txt", "# a comment\nq0 0 d2 x\n", "qrels.txt:2: grade 'x' is no whole number"),
        ("qrels.jsonl", lines([{"query-id": "q0", "corpus-id": "d2", "score": 1.0}]), "qrels.jsonl:1: grade '1.0'"),
        ("qrels.jsonl", lines([{"query-id": 0, "corpus-id": "d2", "score": 1}]), "qrels.jsonl:1: query-id and corpus"),
        ("qrels.jsonl", "x\n", "qrels.jsonl:1: is no JSON"),
        ("runs/a.run", "q0 Q0 d0 1 2.5\n", "runs/a.run:1: has 5 columns, six are read"),
        ("runs/a.run", "q0 0 d0 1 2.5 tag\n", "runs/a.run:1: its second column is '0'"),
        ("runs/a.run", "q0 Q0 d0 first 2.5 tag\n", "runs/a.run:1: rank 'first' is no whole number"),
        ("runs/a.run", "q0 Q0 d0 1 nan tag\n", "runs/a.run:1: score 'nan' is no finite number"),
        ("runs/a.run", "q0 Q0 d0 1 high tag\n", "runs/a.run:1: score 'high' is no finite number"),
        ("runs/a.run", "q0 Q0 d8 1 2.5 tag\n", "runs/a.run:1: text 'd8' is not among the 3"),
    ],
)  # fmt: skip
def test_a_flaw_is_told_with_its_file_and_line(tmp_path: Path, file: str, text: str | bytes, flaw: str) -> None:
    found = told(beir(tmp_path, **{file: text}))
    assert any(one.startswith(flaw) for one in found), found


def test_queries_without_a_grade_or_without_a_relevant_text_are_remarked_upon(tmp_path: Path) -> None:
    found = validate(beir(tmp_path, qrels=lines([GRADES[0], "q0\td0\t0"])))
    assert not found.flaws
    assert [remark.partition(":")[0] for remark in found.remarks] == [
        "1 queries have no grade",
        "1 queries have no grade above 0",
    ]


def test_the_first_hundred_flaws_are_listed_and_all_are_counted(tmp_path: Path) -> None:
    found = validate(beir(tmp_path, qrels=lines([GRADES[0], *(f"q0\td0\t{n}.5" for n in range(150))])))
    assert (len(found.flaws), found.total > 150) == (100, True)


def test_grades_alone_are_checked_as_far_as_they_go(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 doc1 2\n1 0 doc2 -1\n")
    assert validate(tmp_path).counts == {"grades": 2}


@pytest.mark.parametrize("name", ["qrels_readme.md", "qrels.zip", "qrels.trec.gz", "qrels-notes.html", "qrels.csv"])
def test_what_only_has_grades_in_its_name_is_no_file_of_grades(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"PK\xff\xfe no grades\n")
    assert validate(beir(tmp_path)).flaws == ()


@pytest.mark.parametrize("name", ["qrels", "qrels.adhoc.51-100", "x.qrels", "2019qrels-pass.txt", "qrels.trec"])
def test_grades_are_known_under_the_names_that_they_have_elsewhere(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("1 0 doc1 2\n")
    assert validate(tmp_path).counts == {"grades": 1}


def test_what_is_no_collection_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("nothing")
    with pytest.raises(UsageError, match="no file of a test collection"):
        validate(tmp_path)
    with pytest.raises(UsageError, match="none does not exist: name a folder"):
        validate(tmp_path / "none")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    folder = beir(tmp_path)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UsageError, match=r"corpus.jsonl: cannot be read: Permission denied"):
        validate(folder)


def test_the_command_tells_flaws_and_its_exit_code_says_whether_there_are_any(tmp_path: Path) -> None:
    sound, broken = beir(tmp_path / "sound"), beir(tmp_path / "broken", qrels=lines([*GRADES, "q0\td2\t1.5"]))
    shown, found = typed("validate", sound), typed("validate", broken)

    assert (shown.code, "no flaws" in shown.out) == (Code.DONE, True)
    assert (found.code, "qrels/test.tsv:4: grade '1.5'" in found.out, "1 flaw" in found.out) == (
        Code.FAILED,
        True,
        True,
    )
    assert typed("validate", broken, "--json").json["flaws"][0]["line"] == 4
    many = beir(tmp_path / "many", qrels=lines([GRADES[0], *(f"q0\td0\t{n}.5" for n in range(150))]))
    assert "more" in typed("validate", many).out
