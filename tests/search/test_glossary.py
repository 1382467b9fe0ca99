"""A user's own glossary: what it says about a thing, and what else it calls it."""

import asyncio
import csv
from pathlib import Path

import pytest

from benchwright.domain.snippet import Snippet
from benchwright.errors import ConfigError
from benchwright.search.glossary import Glossary, load

TEXT = """\ufeffTerm,synonyms,Description,source
dengue,break-bone fever; DENV|dandy fever,"A fever borne
by Aedes mosquitoes.",https://a.example/dengue
fever,,A body warmer than it should be.,
,,,
yellow fever,YF,A haemorrhagic fever of the tropics.
"""


def glossary(path: Path, text: str = TEXT) -> Glossary:
    file = path / "terms.csv"
    file.write_text(text, "utf-8")
    return load(file)


def find(found: Glossary, query: str, most: int = 6) -> tuple[Snippet, ...]:
    return asyncio.run(found.find(query, most))


def test_an_entry_is_found_by_any_of_its_names_with_its_source(tmp_path: Path) -> None:
    terms = glossary(tmp_path)
    dengue = Snippet("A fever borne by Aedes mosquitoes.", "https://a.example/dengue", "dengue")

    assert find(terms, "Dengue") == find(terms, "denv") == (dengue,)
    assert find(terms, "definition of Break-Bone Fever") == (
        dengue,
        Snippet("A body warmer than it should be.", "terms.csv:4", "fever"),
    )
    assert find(terms, "break bone fever", most=1) == (dengue,)
    assert find(terms, "malaria") == ()
    assert terms.name == "glossary terms.csv"


def test_it_tells_what_else_a_thing_is_called(tmp_path: Path) -> None:
    terms = glossary(tmp_path)

    assert terms.other_names("Dandy fever") == ("dengue", "break-bone fever", "DENV")
    assert terms.other_names("malaria") == ()


def test_empty_cells_behind_a_row_are_none(tmp_path: Path) -> None:
    assert find(glossary(tmp_path, "term,description\ndengue,A fever.,, \n"), "dengue")[0].text == "A fever."


@pytest.mark.parametrize("mark", [";", "\t"])
def test_columns_may_be_apart_by_semicolons_or_tabs(tmp_path: Path, mark: str) -> None:
    text = f"term{mark}description\ndengue{mark}A fever, borne by mosquitoes.\n"
    assert find(glossary(tmp_path, text), "dengue")[0].text == "A fever, borne by mosquitoes."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "terms.csv:1: the first line must name as columns: description, term"),
        ("term,meaning\ndengue,x\n", "terms.csv:1: the first line must name as columns: description"),
        ("term,description\n\ndengue,\n", "terms.csv:3: a glossary entry needs a term and a description"),
        ("term,description\n,A fever.\n", "terms.csv:2: a glossary entry needs"),
        ("term,description\ndengue\n", "terms.csv:2: a glossary entry needs"),
        ("term,description\ndengue,A fever, borne by mosquitoes.\n", "terms.csv:2: has more cells than the first line"),
        (f"term,description\ndengue,{'x' * 200_000}\n", "terms.csv:2: field larger"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, why: str) -> None:
    csv.field_size_limit(131_072)  # of the whole process, and raised where larger files are read
    with pytest.raises(ConfigError, match=why):
        glossary(tmp_path, text)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"term,description\nd\xe9ngue,x\n")
    with pytest.raises(ConfigError, match="it is not UTF-8"):
        load(tmp_path / "latin.csv")
