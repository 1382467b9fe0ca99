"""What `export` and `report` print, drawn from values."""

from pathlib import Path

import pytest
from tests.cli.status import drawn

from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Measurement, Section
from benchwright.results import Exported
from benchwright.show.measurement import draw_measurement
from benchwright.show.tables import draw_export


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (0, "no item is kept yet, so the set is empty: benchwright status a.toml says how the campaign stands"),
        (1, "the set holds 1 kept item"),
        (7, "the set holds 7 kept items"),
    ],
)
def test_an_export_says_how_many_items_it_holds(items: int, said: str) -> None:
    told = drawn(draw_export(Exported((Path("set/items.jsonl"),), items, "benchwright status a.toml")))
    assert "wrote set/items.jsonl" in told
    assert " ".join(told.split()).endswith(said)


def test_a_table_without_rows_is_left_out_of_a_report() -> None:
    section = Section("What was made", (Line("nothing"), Table(("number",), ())))
    assert "number" not in drawn(draw_measurement(Measurement("A campaign", (section,), {})))
