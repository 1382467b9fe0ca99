"""From patterns to files, from files to documents or reasons."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.corpus.read import LARGEST, find, read
from benchwright.errors import CorpusError, Unreadable


@pytest.fixture(name="corpus")
def _corpus(tmp_path: Path) -> Path:
    for name in (
        "b.md",
        "a.txt",
        "deep/c.nxml",
        "deep/d.odt",
        ".hidden/e.txt",
        "deep/.f.txt",
        "[1].txt",
        "deep/G.TXT",
        "deep/n.toml",
    ):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("It rained.", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        (["a.txt"], ["a.txt"]),
        (["b.md", "a.txt", "./a.txt"], ["a.txt", "b.md"]),
        (["."], ["[1].txt", "a.txt", "b.md", "deep/G.TXT", "deep/c.nxml", "deep/d.odt"]),
        (["deep"], ["deep/G.TXT", "deep/c.nxml", "deep/d.odt"]),
        (["*.txt"], ["[1].txt", "a.txt"]),
        (["[1].txt"], ["[1].txt"]),
        (["d*"], ["deep/G.TXT", "deep/c.nxml", "deep/d.odt"]),
        (["deep/*"], ["deep/G.TXT", "deep/c.nxml", "deep/d.odt", "deep/n.toml"]),
        (["**/*.md", "**/*.nxml"], ["b.md", "deep/c.nxml"]),
        (["**"], ["[1].txt", "a.txt", "b.md", "deep/G.TXT", "deep/c.nxml", "deep/d.odt", "deep/n.toml"]),
    ],
)
def test_files_directories_and_globs_name_files_in_one_order(
    corpus: Path, patterns: list[str], expected: list[str]
) -> None:
    assert [path.relative_to(corpus).as_posix() for path in find(patterns, corpus)] == expected
    assert [
        path.relative_to(corpus).as_posix() for path in find([str(corpus / p) for p in patterns], Path("/"))
    ] == expected


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("absent.txt", r"^corpus: 'absent\.txt' names no file below .*; check its spelling, or take it out"),
        ("*.odp", r"^corpus: '\*\.odp' names no file"),
        ("empty", r"^corpus: the directory 'empty' holds no file: add some ending in \.docx, \.htm, \.html, "),
        ("x" * 5000, r"^corpus: cannot look for 'x+' \(File name too long\); check its path"),
    ],
)
def test_a_pattern_that_names_nothing_is_an_error_that_says_so(corpus: Path, pattern: str, reason: str) -> None:
    (corpus / "empty").mkdir()
    with pytest.raises(CorpusError, match=reason):
        find(["a.txt", pattern], corpus)


def test_the_same_bytes_are_the_same_document_under_any_name(corpus: Path) -> None:
    one, other = read(corpus / "a.txt", "a.txt"), read(corpus / "b.md", "b.md")
    assert one.id == other.id
    assert (one.name, other.name) == ("a.txt", "b.md")
    (corpus / "a.txt").write_text("It rained. ", encoding="utf-8")
    assert read(corpus / "a.txt", "a.txt").id != one.id


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        (
            "a.odt",
            b"PK",
            "a.odt: files ending in '.odt' are not read, only .docx, .htm, .html, .markdown, .md, .nxml, .pdf,",
        ),
        ("README", b"words", "README: files without a suffix are not read"),
        ("a.txt", b"", "a.txt: is empty; add its text or take it out"),
        ("a.xml", b" \r\n", "a.xml: holds only white space; add its text or take it out"),
        ("a.md", b"\x89PNG\r\n", "a.md: is a picture, not text"),
        ("a.xml", b"\x1f\x8b\x08", "a.xml: is a gzip archive, not text"),
    ],
)
def test_a_file_that_is_no_document_is_refused_with_one_line(
    tmp_path: Path, name: str, data: bytes, reason: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Unreadable) as refusal:
        read(tmp_path / name, name)
    assert str(refusal.value).startswith(reason)


def test_a_directory_a_pipe_and_a_vanished_file_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(Unreadable, match="is a directory"):
        read(tmp_path, "reports")
    with pytest.raises(Unreadable, match="is no regular file"):
        read(tmp_path / "pipe.txt", "pipe.txt")
    with pytest.raises(Unreadable, match="does not exist any more"):
        read(tmp_path / "gone.txt", "gone.txt")
    with pytest.raises(Unreadable, match=r"cannot be read \(File name too long\)"):
        read(tmp_path / ("x" * 5000 + ".txt"), "x.txt")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    with (tmp_path / "big.txt").open("wb") as file:
        file.truncate(LARGEST + 2**20)
    with pytest.raises(Unreadable, match=r"^big\.txt: has 51 MB, more than 50; split it into parts"):
        read(tmp_path / "big.txt", "big.txt")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_or_directory_without_permission_is_refused(corpus: Path) -> None:
    (corpus / "a.txt").chmod(0)
    (corpus / "deep").chmod(0)
    with pytest.raises(Unreadable, match="may not be read by this user; change its permissions"):
        read(corpus / "a.txt", "a.txt")
    with pytest.raises(CorpusError, match=r"cannot look into .*deep.*Permission denied"):
        find(["."], corpus)
    (corpus / "deep").chmod(0o700)


def test_published_articles_are_found_and_each_ends_as_document_or_reason(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("real/jats")
    ends = []
    for path in find([folder.name], folder.parent):
        try:
            ends.append(read(path, path.name).name)
        except Unreadable as refusal:
            ends.append(str(refusal).split(":")[0])
    assert len(ends) == 9
    assert ends == sorted(path.name for path in folder.iterdir())


def test_the_example_of_several_forms_is_read_as_it_is_seen() -> None:
    folder = Path(__file__).parents[2] / "examples" / "forms" / "reports"
    texts = {path.suffix: read(path, path.name) for path in folder.iterdir()}
    pdf, page, word = (texts[suffix] for suffix in (".pdf", ".html", ".docx"))
    assert [section.title for section in pdf.sections] == [
        *("Summary", "Water and sanitation", "Health", "Shelter", "Needs"),
    ]
    assert "from the nine houses at the mill" in pdf.text  # across the columns
    assert "between 17 March and 2 April, against 31" in pdf.text  # and across the pages
    assert "Bulletin 7" not in pdf.text
    assert "412 people" in pdf.text
    assert "held 3.1 × 10⁶ cubic metres on 1 July and 2.2 × 10⁶ on 11 July" in page.text
    assert not any(word in page.text for word in ("Home", "Cookies", "41.3"))
    assert page.licence == "https://creativecommons.org/publicdomain/zero/1.0/"
    assert (word.title, word.sections[3].title) == ("Landslide at Quillan Pass", "Supply of the upper valley: Health")
