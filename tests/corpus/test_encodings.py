"""Text in old encodings is read rightly or refused with the guess; it never comes out as noise."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.corpus.languages import ENCODINGS, REPORTS

from benchwright.corpus.decode import decode
from benchwright.errors import Unreadable

WRITTEN = [(code, encoding) for code, encodings in ENCODINGS.items() for encoding in encodings.split()]
REFUSED = {("he", "cp1255", 1), ("uk", "koi8_u", 1), ("uk", "koi8_u", 30)}  # too short, and a code page not tried


@pytest.mark.parametrize("times", [1, 30])
@pytest.mark.parametrize(("code", "encoding"), WRITTEN)
def test_a_report_in_any_language_is_read_rightly_or_refused(code: str, encoding: str, times: int) -> None:
    text = f"{REPORTS[code]}\n\n" * times
    data = text.encode(encoding)
    if (code, encoding, times) in REFUSED:
        with pytest.raises(Unreadable, match=r"is neither UTF-8 nor UTF-16 nor cp1252.*; save it as UTF-8"):
            decode(data, "x.txt")
        return
    read, notes = decode(data, "x.txt")
    assert read == text
    assert len(notes) == 1
    assert ("this is a guess" in notes[0]) == (notes[0] != "read as cp1252; it is not UTF-8" and "esc" not in notes[0])


def test_a_refusal_names_the_guess() -> None:
    with pytest.raises(Unreadable, match=r"^x: .* \(the best guess, cp1251, is unlikely\); save it as UTF-8$"):
        decode(REPORTS["he"].encode("cp1255"), "x")


def test_utf_16_without_mark_and_zero_bytes_is_refused_as_what_it_may_be() -> None:
    with pytest.raises(Unreadable, match=r"^x: is binary or UTF-16 without its byte order mark; save it as UTF-8$"):
        decode(REPORTS["ja"].encode("utf-16-le"), "x")


def test_escapes_of_terminals_are_no_japanese() -> None:
    assert decode(b"red \x1b[31m and ~{}~ and ~{a~}", "x")[0] == "red [31m and ~{}~ and ~{a~}"
    assert decode(b"\x1b$B broken \xff", "x")[0]


@pytest.mark.parametrize("plain", ["ar", "ja", "zh", "vi"])
def test_published_trials_in_many_encodings_become_their_text(plain: str, shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("trials/enc")
    known = {"ja": "ja-utf-8-sig", "zh": "zh-utf-16"}.get(plain, f"{plain}-utf-8")
    expected = decode((folder / f"{known}.txt").read_bytes(), known)[0]
    for path in sorted(folder.glob(f"{plain}-*.txt")):
        if "long" in path.name or path.name == "ja-utf-16-le.txt":
            continue
        assert decode(path.read_bytes(), path.name)[0].strip() == expected.strip(), path.name
