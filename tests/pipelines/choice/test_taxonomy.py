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
        ("", ": classes: is missing"),
        ("classes = []", ":1: classes: is empty"),
        (OWN.replace('name = "Wells"\n', ""), ":5: classes.0.topics.0.name: is missing"),
        (OWN.replace("Rivers", ""), ":9: classes.0.topics.1.name: is empty"),
        (OWN.replace('about = "All', 'abuot = "All'), ":4: classes.0.abuot: unknown key; did you mean about?"),
        (
            OWN.replace("[[classes.topics]]", "[[classes.topic]]"),
            ":5: classes.0.topic: unknown key; did you mean topic",
        ),
        ("[[class]]\nname = 'x'", ":1: class: unknown key; did you mean classes?"),
        ("[[classes]]\nname = 'Water'", ":1: classes.0.topics: is missing"),
        ("classes = 5", ":1: classes: should be a list of tables, [[...]]"),
        ("[[classes]]\nname = 1\ntopics = [{name = 'x'}]", ":2: classes.0.name: should be a valid string"),
        ("[[classes]\n", ":1: is not TOML: Expected ']]' at the end of an array declaration"),
        (b"\nname = '\xff'", ":2: is not UTF-8 text: save the file as UTF-8"),
    ],
)
def test_a_faulty_file_is_refused_with_its_line_and_the_key(tmp_path: Path, text: str | bytes, fault: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_taxonomy("own.toml", written(tmp_path, text))

    assert any(
        line.startswith(f"taxonomy {tmp_path / 'own.toml'}{fault}") for line in str(refused.value).splitlines()
    ), str(refused.value)


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        load_taxonomy("own.toml", written(tmp_path, OWN.replace("about", "abuot")))

    assert str(refused.value).count("did you mean about?") == 2


@pytest.mark.parametrize("name", ["absent.toml", "nonsense", "folder.toml"])
def test_a_taxonomy_that_cannot_be_read_is_refused_with_the_way_out(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.toml").mkdir()

    with pytest.raises(ConfigError, match=r"taxonomy epidemology: cannot be read .*did you mean epidemiology"):
        load_taxonomy("epidemology", tmp_path)
    with pytest.raises(ConfigError, match=f"taxonomy .*{name}: cannot be read .*known are epidemiology"):
        load_taxonomy(name, tmp_path)
