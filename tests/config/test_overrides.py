"""What a file says otherwise than its preset is said, line by line."""

from pathlib import Path

import pytest

from benchwright.config import describe_overrides

FILE = """\
preset = "epiqal-b"
corpus = ["documents"]
{}
[models.writer]
local = "smollm2"
temperature = 0.0
[models.voter]
local = "smollm2"
{}
[roles]
default = "writer"
check_inference = {{ panel = ["voter"]{} }}
"""


def told(folder: Path, tables: str = "", voter: str = "", runs: str = "") -> list[str]:
    path = folder / "c.toml"
    path.write_text(FILE.format(tables, voter, runs), "utf-8")
    return [line.removeprefix(str(path)) for line in describe_overrides(path)]


def test_a_file_that_says_the_same_in_other_words_overrides_nothing(tmp_path: Path) -> None:
    same = '[rule]\naccept = "4/5"\nreject = 0.70\n[inference.refine]\nthreshold = 0.90'
    assert told(tmp_path, same, "temperature = 1.0", ", runs = 3") == []


@pytest.mark.parametrize(
    ("tables", "line"),
    [
        ("[rule]\nreject = 0.6", ":4: rule.reject = 0.6 overrides the preset's 0.7"),
        ('[rule]\naccept = "5/6"', ':4: rule.accept = "5/6" overrides the preset\'s 0.8'),
        ('[inference]\ntopics = "balanced"', ':4: inference.topics = "balanced" overrides the preset\'s "model"'),
        ("[inference.refine]\nrounds = 1", ":4: inference.refine.rounds = 1 overrides the preset's 3"),
    ],
)
def test_each_key_that_overrides_is_named_with_both_values(tmp_path: Path, tables: str, line: str) -> None:
    assert told(tmp_path, tables, "temperature = 1.0") == [line]


def test_a_table_that_is_taken_away_is_named_once(tmp_path: Path) -> None:
    assert told(tmp_path, "[inference]\nrefine = false", "temperature = 1.0") == [
        ":4: inference.refine = false overrides the preset's table"
    ]


def test_runs_and_temperatures_that_override_are_named(tmp_path: Path) -> None:
    assert told(tmp_path, voter="temperature = 0.5", runs=", runs = 2") == [
        ":12: roles.check_inference.runs = 2 overrides the preset's 3",
        ":9: models.voter.temperature = 0.5 overrides the preset's 1.0",
    ]


def test_a_file_without_a_preset_overrides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(FILE.format("", "", "").replace("preset =", "pipeline =").replace("epiqal-b", "inference"), "utf-8")
    assert describe_overrides(path) == ()
