"""Twenty disputed options through a spreadsheet and back: each row has its own verdict."""

from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.review.campaign import Desk, begun
from tests.scripted_recall import pipeline

from benchwright.domain.campaign import Quota
from benchwright.domain.ids import seeded_random
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule
from benchwright.errors import UsageError
from benchwright.review import workbook
from benchwright.review.exchange import Outcome
from benchwright.review.files import read, write
from benchwright.store.database import Database

DISPUTED = 20


async def disputed(database: Database) -> Desk:
    """A campaign in which people decide on everything."""
    await begun(database)
    silence = Rule(Fraction(1), Fraction(0), 9)  # more votes than there are
    desk = Desk(pipeline(rule=silence, quota=Quota(target=6, tries=2)), database)
    await desk.run()
    return desk


def by_hand(path: Path, rows: list[dict[str, Any]]) -> None:
    """Save the rows as a person's spreadsheet does: sorted, numbers as numbers, truth as truth."""
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[0]
    names = [cell.value for cell in sheet[1]]
    sheet.delete_rows(2, sheet.max_row)
    for row in sorted(rows, key=lambda row: str(row["option"])):
        sheet.append([row[str(name)] for name in names])
    book.save(path)


def rows_of(path: Path) -> list[dict[str, Any]]:
    sheet = openpyxl.load_workbook(path).worksheets[0]
    names, *rows = sheet.iter_rows(values_only=True)
    return [dict(zip(map(str, names), row, strict=True)) for row in rows]


async def test_the_list_of_verdicts_is_right_and_importing_twice_is_importing_once(tmp_path: Path) -> None:
    path = tmp_path / "queue.xlsx"
    async with await Database.open(None) as database:
        desk = await disputed(database)
        cards = (await desk.cards())[:DISPUTED]
        assert len(cards) == DISPUTED
        write(path, [card.entry for card in cards])
        rows = rows_of(path)
        keys = [row["key"] for row in rows]
        for row in rows:
            row["decision"], row["reviewer"] = seeded_random(row["key"]).choice(["keep", "reject"]), "ada"
        rows = rows[2:]  # two deleted
        twice = [
            # The same person says both, and two people say one each.
            rows[0] | {"decision": "keep"}, rows[0] | {"decision": "reject"},
            rows[1] | {"decision": "keep"}, rows[1] | {"decision": "reject", "reviewer": "bob"},
            rows[2] | {"decision": "keep"}, rows[2] | {"decision": "Keep "},
        ]  # fmt: skip
        unknown = rows[3] | {"key": f"{'0' * 32}/{'0' * 12}"}
        changed = rows[4] | {"option": "something else entirely"}
        by_hand(path, [*twice, unknown, changed, *rows[5:]])

        found = await desk.take(*read(path))
        told = sorted((one.key, one.outcome) for one in found)
        assert told == sorted(
            [
                *[(keys[2], Outcome.CONFLICT)] * 2,
                *[(keys[3], Outcome.APPLIED), (keys[3], Outcome.CONFLICT)],
                *[(keys[4], Outcome.APPLIED), (keys[4], Outcome.ALREADY)],
                *[(unknown["key"], Outcome.REFUSED), (changed["key"], Outcome.REFUSED)],
                *((key, Outcome.APPLIED) for key in keys[7:]),
            ]
        )
        refused = next(one for one in found if one.key == changed["key"])
        assert "'something else entirely'" in refused.message
        assert repr(cards[6].option) in refused.message

        once = await desk.content()
        again = await desk.take(*read(path))
        assert await desk.content() == once
        assert {one.outcome for one in again} == {Outcome.ALREADY, Outcome.CONFLICT, Outcome.REFUSED}
        left = {card.key for card in await desk.cards()}
        assert {*keys[:4], keys[5], keys[6]} <= left
        assert left.isdisjoint([keys[4], *keys[7:]])


def test_a_workbook_holds_text_alone_and_offers_the_decisions(tmp_path: Path) -> None:
    texts = ["=1+1", '=HYPERLINK("http://x")', "007", "TRUE", "1e5", "3 May", "-5", "'quoted", "a\x00b\x1f", "_x0041_"]
    rows = [["key", "decision", "option"], *(["a/b", "", text] for text in texts)]
    data = workbook.make(iter(rows), {"decision": ("keep", "reject"), "option": ()})
    sheet = openpyxl.load_workbook(BytesIO(data)).worksheets[0]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "inlineStr", "n"}
    assert all(cell.value is None for row in sheet.iter_rows() for cell in row if cell.data_type == "n")
    assert [found.formula1 for found in sheet.data_validations.dataValidation] == ['"keep,reject"']
    assert [row[2] for _, row in workbook.read(data)["review"]][1:] == texts


@pytest.mark.parametrize("values", [(), ("a,b",), ('a"b',), ("x" * 200, "y" * 200)])
def test_values_that_no_list_of_a_workbook_can_hold_are_not_offered(values: tuple[str, ...]) -> None:
    assert workbook.offer(values) == ""


@settings(deadline=None)
@given(st.text())
def test_any_text_comes_back_from_a_workbook(text: str) -> None:
    assert workbook.read(workbook.make(iter([["a"], [text, "b"]])))["review"][1:] == [(2, (text or None, "b"))]


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (True, "TRUE"), (7.0, "7"), (7.5, "7.5"), (7, "7"), ("x", "x")]
)
def test_what_a_spreadsheet_made_of_a_cell_is_read_as_it_shows_it(value: object, text: str) -> None:
    assert workbook.text(value) == text


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 half of one"])
def test_a_file_that_is_no_workbook_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "queue.xlsx"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=r"queue\.xlsx: it is no workbook"):
        read(path)


async def test_a_share_of_clear_options_waits_as_an_audit_and_can_be_decided_by_file(
    desk: Desk, tmp_path: Path
) -> None:
    audited = desk.under(Policy(audit=Fraction(1)))
    await audited.replan()
    cards = await audited.cards()
    assert len(cards) > len(await desk.cards()) - 1
    write(tmp_path / "queue.xlsx", [card.filled(decision="keep") for card in cards])
    assert {one.outcome for one in await audited.take(*read(tmp_path / "queue.xlsx"))} == {Outcome.APPLIED}
