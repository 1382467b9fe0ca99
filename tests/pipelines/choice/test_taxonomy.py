"""Taxonomies: the one that ships, files of one's own, and what is said of faulty ones."""

import json
from pathlib import Path

import pytest
from tests.conftest import shared_data

from benchwright.errors import ConfigError
from benchwright.pipelines.choice.taxonomy import Topic, load_taxonomy, number_topics

OWN = """
[[classes]]
name = "Water"
about = "All that flows."
[[classes.topics]]
name = "Wells"
about = "Where people draw it."
[[classes.topics]]
name = "Rivers"
"""


def written(folder: Path, text: str | bytes) -> Path:
    (folder / "own.toml").write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def test_the_taxonomy_that_ships_has_six_classes_of_25_described_topics() -> None:
    taxonomy = load_taxonomy("epidemiology", Path())

    assert [len(one.topics) for one in taxonomy.classes] == [4, 4, 4, 4, 5, 4]
    assert all(topic.about for one in taxonomy.classes for topic in (one, *one.topics))


def test_its_names_are_those_of_the_published_set_and_its_descriptions_are_not() -> None:
    published = json.loads(shared_data("epiqal/taxonomy.json").read_text("utf-8"))["classes"]
    taxonomy = load_taxonomy("epidemiology", Path())

    assert [(one.name, [topic.name for topic in one.topics]) for one in taxonomy.classes] == [
        (one["name"], [topic["name"] for topic in one["topics"]]) for one in published
    ]
    theirs = {topic["about"] for one in published for topic in (one, *one["topics"])}
    assert theirs.isdisjoint(topic.about for one in taxonomy.classes for topic in (one, *one.topics))


def test_a_file_of_ones_own_is_found_beside_the_campaign(tmp_path: Path) -> None:
    taxonomy = load_taxonomy("own.toml", written(tmp_path, OWN))

    assert [topic.name for topic in taxonomy.classes[0].topics] == ["Wells", "Rivers"]


def test_a_prompt_lists_names_with_what_they_are_about_where_that_is_said() -> None:
    assert number_topics((Topic(name="Wells", about="Where."), Topic(name="Rivers"))) == (
        "1. Wells: Where.",
        "2. Rivers",
    )


def test_another_text_is_another_taxonomy(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one = load_taxonomy("own.toml", written(tmp_path / "a", OWN))
    other = load_taxonomy("own.toml", written(tmp_path / "b", OWN + 'about = "Where boats go."'))

    assert one.id != other.id


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "classes: Field required"),
        ("classes = []", "classes: Tuple should have at least 1 item"),
        (OWN.replace('name = "Wells"\n', ""), "classes.0.topics.0.name: Field required"),
        (OWN.replace("Rivers", ""), "classes.0.topics.1.name: String should have at least 1 character"),
        (OWN.replace('about = "All', 'abuot = "All'), "classes.0.abuot: Extra inputs are not permitted"),
        ("[[classes]]\nname = 'Water'", "classes.0.topics: Field required"),
        ("[[classes]]\nname = 1\ntopics = [{name = 'x'}]", "classes.0.name: Input should be a valid string"),
        ("[[classes]\n", "is not TOML: Expected ']]' at the end of an array declaration (at line 1, column 10)"),
        (b"name = '\xff'", "is not TOML"),
    ],
)
def test_a_faulty_file_is_refused_with_its_name_and_the_key(tmp_path: Path, text: str | bytes, fault: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_taxonomy("own.toml", written(tmp_path, text))

    assert "'own.toml'" in str(refused.value)
    assert fault in str(refused.value)


@pytest.mark.parametrize("name", ["absent.toml", "nonsense", "folder.toml"])
def test_a_taxonomy_that_cannot_be_read_is_refused_with_the_way_out(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.toml").mkdir()

    with pytest.raises(ConfigError, match=f"taxonomy '{name}' cannot be read .*name a .toml file, or 'epidemiology'"):
        load_taxonomy(name, tmp_path)
