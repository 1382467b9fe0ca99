"""Files that are made to hold a reader up: it takes some seconds at most, and says what it cannot use."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from benchwright.corpus.brackets import escape_lone_brackets
from benchwright.corpus.read import MADE_UP, find, read_data
from benchwright.errors import CorpusError, Unreadable

SIZE = 100_000  # a reader whose time grows with the square took ten times as long as it may
UNITS = ["[", "![", "[[a]", "[[a", "(", "<", " <b>", "*", "_ ", "`", "\n#", "\n>", "\n- ", "|", "&", "\\", " ", "1. "]


@pytest.mark.parametrize("suffix", [".md", ".txt"])
@pytest.mark.parametrize("unit", UNITS)
def test_no_repetition_holds_a_reader_up(unit: str, suffix: str) -> None:
    began = time.process_time()
    with suppress(Unreadable):
        read_data(("# Title\n\nA sentence. " + unit * (SIZE // len(unit))).encode(), ("x", suffix))
    assert time.process_time() - began < 10


def test_brackets_that_are_closed_stay_and_lone_ones_are_escaped_where_there_are_very_many() -> None:
    few = "See [1] and [2](x), [ and [."
    assert escape_lone_brackets(few) == few
    many, escaped = "[" * 500, "\\[" * 500
    assert escape_lone_brackets(f"A [1].\n\n{many}[2] \\[\n\nC [3].") == f"A [1].\n\n{escaped}[2] \\[\n\nC [3]."
    spread = "[ a.\n\n" * 500
    assert escape_lone_brackets(spread) == spread


@pytest.mark.parametrize("pattern", ["/proc", "/proc/**", "/sys/kernel", "/dev/*.txt"])
def test_what_the_system_makes_up_is_no_corpus(pattern: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="files of the system"):
        find([pattern], tmp_path)


def test_a_link_into_what_the_system_makes_up_is_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "documents").symlink_to(next(iter(sorted(MADE_UP))))
    with pytest.raises(CorpusError, match="files of the system"):
        find(["documents"], tmp_path)


def test_more_files_than_any_corpus_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchwright.corpus.read.MOST_FILES", 3)
    for number in range(4):
        (tmp_path / f"{number}.md").touch()
    with pytest.raises(CorpusError, match="more than 3 files"):
        find(["*.md"], tmp_path)
