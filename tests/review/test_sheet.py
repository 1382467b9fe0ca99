"""The human queue as a file: out, through a spreadsheet, and back."""

import csv
import errno
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.agents.base import Masked, Quoted
from benchwright.domain.call import Image
from benchwright.errors import DiskFull, UsageError
from benchwright.pipelines.card import Card, Form, Input, Shown, fill_in, is_filled_in
from benchwright.pipelines.choice.cards import DECISIONS, decision
from benchwright.review import sheet
from benchwright.review.files import read
from benchwright.review.files import write as written
from benchwright.review.sheet import Entry, Row

ITEM, OPTION = "ab" * 16, "cd" * 6
FORM = Card(
    step="review",
    about=OPTION,
    title="Option",
    shown=(
        Shown("question", "Question", "Which market was closed?"),
        Shown("option", "Option", "the fish market", subject=True),
        Shown("claim", "It claims to be a", "correct option"),
        Shown("evidence", "Its writer cites", ("[3] The fish market was closed.",)),
        Shown("others", "The other options", ("the meat market",)),
        Shown("votes", "Votes", ("red#1 says correct: seen", "blue#1 says wrong: not seen"), hidden=True),
    ),
    inputs=decision(DECISIONS, "the fish market"),
    rules="Decide.",
)
CARD = Entry(
    key=f"{ITEM}/{OPTION}",
    card=FORM,
    shown={one.name: one.content for one in FORM.shown if not isinstance(one.content, Quoted | Masked | Image)}
    | {"document": "report.md", "title": "Report", "item": ITEM, "about": OPTION},
)
COLUMNS = ["key", "decision", "wording", "reason", "reviewer", "question", "option", "claim", "evidence"]
HOSTILE = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "  =1",
    '=HYPERLINK("http://x";"y")',
    "\uff1d1+1",
    "'quoted'",
    "''twice",
    "'=1",
    "a,b;c\td",
    'say "yes"',
    "two\nlines",
    "two\r\nlines",
    "one\rline",
    "\u2028\u2029\x85",
    "nul \0 inside",
    "\ufeffmark",
    "10-12",
    "3.50",
    "March 2020",
    "TRUE",
    " padded ",
    "Ünïcödé ☃ 😀 ﷽",
    "",
)
texts = st.text() | st.sampled_from(HOSTILE)


@pytest.fixture(params=["queue.csv", "queue.jsonl", "queue.xlsx"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


def write(target: Path, cards: list[Entry], form: str = "") -> int:
    """Write the cards; how many there were."""
    assert written(target, cards, form)[0] == target
    return len(cards)


def filled(key: str = CARD.key, shown: Mapping[str, Any] | None = None, **given: str) -> Entry:
    """The card as it is, but for what it shows and for what somebody has filled in."""
    return replace(CARD, key=key, shown={**CARD.shown, **(shown or {})}, given=given)


def table(path: Path) -> list[list[str]]:
    """What a spreadsheet would show."""
    return list(csv.reader(StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def saved(path: Path, rows: list[list[str]], separator: str = ",", ends: str = "\r\n", encoding: str = "utf-8") -> Path:
    """The table as a spreadsheet saves it."""
    text = StringIO(newline="")
    csv.writer(text, delimiter=separator, lineterminator=ends).writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path


def came(line: int, **given: str) -> Row:
    """A row that came back."""
    return Row(line, CARD.key, {"key": CARD.key, **given}, given.get("reviewer", ""))


def said_in(row: Row) -> Mapping[str, Any]:
    """What a row says on the card."""
    return fill_in(FORM, row.texts(FORM.inputs))


HEAD = ["key", "decision", "reason", "reviewer"]
LINE = [CARD.key, "keep", "", ""]


def test_the_queue_comes_back_as_it_went_out(target: Path) -> None:
    assert write(target, [CARD, filled(key="x/y")]) == 2
    rows = read(target)
    assert [(row.key, row.given["decision"], row.given["option"]) for row in rows] == [
        (CARD.key, "", "the fish market"),
        ("x/y", "", "the fish market"),
    ]
    assert not any(row.has_entry(()) for row in rows)


def test_an_empty_queue_is_a_file_without_rows(target: Path) -> None:
    assert write(target, []) == 0
    assert read(target) == []


def test_rows_are_numbered_as_the_program_that_shows_them_numbers_them(tmp_path: Path) -> None:
    cards = [filled(shown={"question": "two\nlines"}), CARD]
    write(tmp_path / "a.csv", cards)
    write(tmp_path / "a.jsonl", cards)
    assert [row.line for row in read(tmp_path / "a.csv")] == [2, 3]
    assert [row.line for row in read(tmp_path / "a.jsonl")] == [1, 2]


@settings(deadline=None)
@given(text=texts, name=st.sampled_from(["queue.csv", "queue.jsonl", "queue.xlsx"]))
def test_any_text_survives_the_round_trip_exactly(text: str, name: str) -> None:
    card = filled(shown={"option": text}, reason=text, decision="keep")
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        write(path, [card, CARD])
        first, second = read(path)
    assert (first.given["option"], first.given["reason"]) == (
        shown := sheet.without_controls(text) if name != "queue.jsonl" else text,
        shown,
    )
    assert (second.key, second.given["option"]) == (CARD.key, "the fish market")


@settings(deadline=None)
@given(text=texts)
def test_every_cell_of_the_table_can_be_restored(text: str) -> None:
    assert {sheet.cell_text(sheet.cell(name, text)) for name in COLUMNS if name not in sheet.AS_THEY_ARE} == {
        sheet.without_controls(text)
    }


@pytest.mark.parametrize("text", [text for text in HOSTILE if text.strip()[:1] in set("=+-@\uff1d")])
def test_no_cell_begins_a_formula(text: str, tmp_path: Path) -> None:
    path = tmp_path / "queue.csv"
    write(
        path,
        [filled(shown=dict.fromkeys(("question", "option", "evidence", "title"), text) | {"others": (text, text)})],
    )
    for cell in table(path)[1]:
        assert cell.strip()[:1] not in set("=+-@\uff1d")
        assert cell[:1] not in set("\t\r\n")


@pytest.mark.parametrize(
    "text", ["10-12", "3.50", "12", "0012", "1e5", "March 2020", "true", "5 %", "MARCH1", "12:30 PM", "€ 5"]
)
def test_a_short_text_that_a_spreadsheet_would_turn_into_a_number_or_a_date_is_protected(text: str) -> None:
    assert sheet.cell("option", text) == f"'{text}"


def test_a_sentence_and_an_id_stay_as_they_are() -> None:
    assert sheet.cell("option", "The market closed on 3 March 2020.") == "The market closed on 3 March 2020."
    assert sheet.cell("document", "reports/r-12.md") == "reports/r-12.md"
    assert sheet.cell("about", "12e456789012") == "12e456789012"


def test_lists_are_joined_by_line_ends_in_a_table_and_stay_lists_in_json(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", [CARD])
    write(tmp_path / "a.jsonl", [CARD])
    head, line = table(tmp_path / "a.csv")
    assert dict(zip(head, line, strict=True))["votes"] == "\n".join(CARD.shown["votes"])
    assert json.loads((tmp_path / "a.jsonl").read_bytes())["votes"] == list(CARD.shown["votes"])


def test_a_table_bears_the_mark_by_which_spreadsheets_know_utf_8(tmp_path: Path) -> None:
    write(tmp_path / "queue.csv", [CARD])
    assert (tmp_path / "queue.csv").read_bytes().startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_is_read_however_it_was_saved(separator: str, ends: str, encoding: str, tmp_path: Path) -> None:
    rows = [HEAD, [CARD.key, "keep", "a, b; c\td é", "Zoë"]]
    path = saved(tmp_path / "queue.csv", rows, separator, ends, encoding)
    assert read(path) == [came(2, decision="keep", reason="a, b; c\td é", reviewer="Zoë")]


def test_json_lines_are_read_with_a_mark_and_with_other_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "queue.JSONL"
    line = json.dumps({"Key ": f" {CARD.key} ", "decision": "reject", "reviewer": None, "mood": [1]})
    path.write_bytes(f"{line}\r\n\r\n".encode("utf-16"))
    (found,) = read(path)
    assert (found.line, found.key, found.given["decision"], found.reviewer) == (1, CARD.key, "reject", "")


def test_columns_may_stand_in_any_order_beside_others_and_cells_may_be_missing(tmp_path: Path) -> None:
    rows = [["Mood", " REVIEWER", "Decision ", "key", "reason"], ["good", " ada ", "keep", CARD.key], ["", "", "", ""]]
    path = saved(tmp_path / "queue.csv", rows)
    (found,) = read(path)
    assert (found.line, found.key, found.given["decision"], found.reviewer) == (2, CARD.key, "keep", "ada")


@pytest.mark.parametrize("said", ["keep", "KEEP", " Keep ", "keep\n"])
def test_case_and_blanks_do_not_matter_in_a_decision(said: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "queue.csv", [HEAD, [CARD.key, said, "", ""]])
    assert said_in(read(path)[0])["decision"] == "keep"


@pytest.mark.parametrize("said", ["", "  "])
def test_an_empty_decision_is_none(said: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "queue.csv", [HEAD, [CARD.key, said, "", ""]])
    assert not is_filled_in(FORM, read(path)[0].texts(FORM.inputs))


@pytest.mark.parametrize("said", ["yes?", "kept", "keep reject", "1"])
def test_another_word_is_no_decision_and_the_row_says_so(said: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "queue.csv", [HEAD, LINE, [CARD.key, said, "", ""], LINE])
    first, bad, last = read(path)
    with pytest.raises(
        UsageError, match=f"decision {said!r} is none of keep, reject, edit, cannot_say".replace("?", ".")
    ):
        said_in(bad)
    assert said_in(first)["decision"] == said_in(last)["decision"] == "keep"


def test_a_row_without_a_key_is_refused_with_its_line(tmp_path: Path) -> None:
    path = saved(tmp_path / "queue.csv", [HEAD, ["", "keep", "", ""], LINE])
    bad, good = read(path)
    assert (bad.line, good.fault) == (2, "")
    assert "no key" in bad.fault


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"key": ' + "9" * 10_000 + "}", "not JSON"),
        ('["key"]', "not a JSON object"),
        ('{"decision": "keep"}', "no key"),
        ('{"key": "x/y", "reason": "\\ud800"}', "half a character"),
        ('{"key": "x/y", "reviewer": "\\udfff"}', "half a character"),
        ('{"key": "\\ud800"}', "half a character"),
    ],
)
def test_a_line_that_cannot_be_used_does_not_end_the_rest(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "queue.jsonl"
    good = json.dumps({"key": CARD.key, "decision": "keep"})
    path.write_text(f"{good}\n{line}\n{good}\n", "utf-8")
    first, bad, last = read(path)
    assert (first.given["decision"], last.given["decision"]) == ("keep", "keep")
    assert (bad.line, bad.given) == (2, {})
    assert words in bad.fault


def test_a_cell_may_be_longer_than_python_likes_them(tmp_path: Path) -> None:
    path = tmp_path / "queue.csv"
    write(path, [filled(shown={"votes": ("x" * 200_000,)})])
    assert read(path)[0].key == CARD.key


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "no column 'key' in its first row"),
        ([["id", "decision"], ["a", "keep"]], "no column 'key' in its first row"),
        ([["key", "decision", "Decision"], ["a", "keep", "reject"]], "'decision' is there twice"),
    ],
)
def test_a_table_without_its_columns_is_refused(rows: list[list[str]], words: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "queue.csv", rows)
    with pytest.raises(UsageError, match=r"queue\.csv") as caught:
        read(path)
    assert words in str(caught.value)


def test_a_quote_that_is_never_closed_does_not_swallow_the_rows_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "queue.csv"
    path.write_text(f'key,decision,reason\n{CARD.key},keep,"open\nx/y,keep,\n', "utf-8")
    with pytest.raises(UsageError, match="not a table"):
        read(path)


@pytest.mark.parametrize("name", ["queue.xls", "queue", ".csv"])
def test_another_form_is_refused_with_the_names_of_those_there_are(name: str, tmp_path: Path) -> None:
    for use in (read, lambda path: write(path, [CARD])):
        with pytest.raises(UsageError, match=r"\.jsonl, \.csv, \.xlsx, \.json"):
            use(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_fits_two_forms_asks_for_the_form_and_one_that_fits_another_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--format label-studio or --format argilla"):
        write(tmp_path / "queue.json", [CARD])
    with pytest.raises(UsageError, match=r"of the form argilla ends in \.json"):
        write(tmp_path / "queue.csv", [CARD], "argilla")


def test_a_file_in_an_old_encoding_is_refused_with_the_way_out(tmp_path: Path) -> None:
    path = saved(tmp_path / "queue.csv", [HEAD, [CARD.key, "keep", "é", ""]], encoding="cp1252")
    with pytest.raises(UsageError, match="CSV UTF-8"):
        read(path)


def test_a_file_that_is_not_there_is_refused_by_name(target: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read(target)


def test_an_untouched_export_is_replaced(target: Path) -> None:
    write(target, [CARD, CARD])
    write(target, [CARD])
    assert len(read(target)) == 1
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_an_empty_file_is_replaced(target: Path) -> None:
    target.touch()
    assert write(target, [CARD]) == 1


@pytest.mark.parametrize(
    "work", [{"decision": "keep"}, {"decision": "hm"}, {"reason": "see p. 3"}, {"reviewer": "ada"}]
)
def test_a_file_that_holds_work_is_not_overwritten(work: dict[str, str], target: Path) -> None:
    write(target, [CARD, replace(CARD, given=work)])
    before = target.read_bytes()
    with pytest.raises(UsageError, match="holds decisions"):
        write(target, [CARD])
    assert target.read_bytes() == before


def test_a_file_that_is_no_export_is_not_overwritten(target: Path) -> None:
    target.write_text("my notes\n", "utf-8")
    with pytest.raises(UsageError):
        write(target, [CARD])
    assert target.read_text("utf-8") == "my notes\n"


def test_a_folder_or_a_place_that_does_not_exist_is_refused(target: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        write(target.parent / "nowhere" / target.name, [CARD])
    target.mkdir()
    with pytest.raises(UsageError, match="Is a directory"):
        write(target, [CARD])


def failing(code: int) -> Callable[..., Any]:
    def replace_file(self: Path, target: Path) -> None:
        raise OSError(code, "no")

    return replace_file


def test_a_failed_write_leaves_the_file_as_it_was(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(target, [CARD])
    before = target.read_bytes()
    monkeypatch.setattr(Path, "replace", failing(errno.ENOSPC))
    with pytest.raises(DiskFull):
        write(target, [CARD, CARD])
    monkeypatch.setattr(Path, "replace", failing(errno.EACCES))
    with pytest.raises(UsageError, match="cannot be written"):
        write(target, [CARD, CARD])
    assert target.read_bytes() == before
    assert [path.name for path in target.parent.iterdir()] == [target.name]


def test_what_is_filled_in_stands_in_front_and_then_what_the_card_shows(tmp_path: Path) -> None:
    write(tmp_path / "queue.csv", [CARD])
    assert table(tmp_path / "queue.csv")[0] == [
        *COLUMNS[1:], "others", "votes", "document", "title", "item", "about", "key",
    ]  # fmt: skip


OLD = ["key", "question", "option", "claim", "evidence", "votes", "others", "document", "title", "item", "option_id"]


def test_a_file_of_an_earlier_version_is_replaced_where_nobody_has_written_into_it(tmp_path: Path) -> None:
    """It had what is to be filled in at its end."""
    line = [CARD.key, "Which?", "the fish market", "correct option", "[3] so", "", "", "a.md", "A", ITEM, OPTION]
    rows = [[*OLD, "decision", "wording", "reason", "reviewer"], [*line, "", "", "", ""]]
    write(saved(tmp_path / "a.csv", rows), [CARD])
    for work in (["keep", "", "", ""], ["", "", "so", ""], ["", "", "", "ada"]):
        path = saved(tmp_path / "b.csv", [rows[0], line + work])
        with pytest.raises(UsageError, match="holds decisions"):
            write(path, [])


GRADE = replace(
    FORM, shown=(Shown("pair", "Pair", "a, b"),), inputs=(Input("grade", "Grade", Form.NUMBER, most=3), FORM.inputs[2])
)


def test_cards_of_several_forms_share_a_file_and_each_row_has_its_own(tmp_path: Path) -> None:
    graded = Entry("x/y", GRADE, {"pair": "a, b"})
    write(tmp_path / "queue.csv", [CARD, graded])
    names = table(tmp_path / "queue.csv")[0]
    assert names[:5] == ["decision", "wording", "reason", "grade", "reviewer"]
    assert names[-2:] == ["pair", "key"]
    first, second = read(tmp_path / "queue.csv")
    assert (first.given["pair"], second.given["option"], second.given["pair"]) == ("", "", "a, b")
    assert first.asks == ("decision", "wording", "reason", "grade")
    write(tmp_path / "queue.jsonl", [CARD, graded])
    assert "decision" not in json.loads((tmp_path / "queue.jsonl").read_text("utf-8").splitlines()[1])


def test_a_file_in_which_another_form_is_filled_in_is_not_overwritten(target: Path) -> None:
    write(target, [replace(Entry("x/y", GRADE, {"pair": "a, b"}), given={"grade": "2"})])
    with pytest.raises(UsageError, match="holds decisions"):
        write(target, [CARD])
