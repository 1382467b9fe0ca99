"""Records of scenes: every way in which people write them down is read, and what is wrong is said."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.campaign import typed
from tests.crisis.campaign import RECORDS

from benchwright.domain.call import Image
from benchwright.domain.image import image_value
from benchwright.errors import UsageError
from benchwright.pipelines.crisis.annotation import faults, missing_pairs, pairs, read_annotation, remarks
from benchwright.pipelines.crisis.ontology import NO_LABELS, Labels, Ontology, read_ontology
from benchwright.pipelines.crisis.validation import FLAWS, validate
from benchwright.show.code import Code

LABELS = Ontology(
    Labels("incident", ("flooded", "mudslide mudflow", "with smoke"), {"flood": "flooded"}),
    Labels("place", ("building outdoor", "cabin outdoor")),
)
TEXT = st.text(max_size=12)
VALUES = st.recursive(st.none() | st.booleans() | st.floats() | TEXT, lambda inner: st.lists(inner, max_size=4))
NAMES = st.sampled_from(
    [
        *("scene", "image_id", "text", "context", "image", "incidents", "places", "problem", "missing_resource"),
        *("solutions", "explanations", "raw_labels", "scenarios", "solution_week", "annotation_no", "licence"),
    ]
)


def test_lists_and_columns_of_their_own_say_the_same() -> None:
    one = read_annotation(RECORDS[0])
    flat = {name: value for name, value in RECORDS[0].items() if name not in {"solutions", "explanations"}}
    for part in ("solution", "explanation"):
        times = zip(("immediate", "week", "month"), RECORDS[0][f"{part}s"], strict=True)
        flat |= {f"{part}_{time}": text for time, text in times}
    flat |= {"incidents": "Flooded; collapsed", "places": " bridge,, "}
    assert read_annotation(flat) == one


def test_the_names_of_the_release_are_known() -> None:
    found = read_annotation(
        {
            "image_id": "a/1.jpg",
            "annotation_no": 0,
            "context": "Water.",
            "scenarios": [{"incident": "flooded", "place": "street"}, {"incident": "fog", "place": None}, "nothing"],
        }
    )
    assert (found.scene, found.annotator, found.caption) == ("a/1.jpg", "0", "Water.")
    assert (found.incidents, found.places) == (("flooded", "fog"), ("street",))
    assert found.released == (("flooded", "street"), ("fog", ""))
    assert missing_pairs(found) == ()


def test_a_person_is_the_same_whether_a_table_wrote_3_or_3_0() -> None:
    found = [read_annotation({"scene": scene, "annotator": 3, "text": "x"}) for scene in (12, 12.0, "12")]
    assert {(one.scene, one.annotator) for one in found} == {("12", "3")}
    assert read_annotation({"annotator": 3.5}).annotator == "3.5"


def test_labels_of_its_own_tell_which_pairs_a_published_record_lacks() -> None:
    raw = {"incident": "flooded, fog", "place": "street"}
    found = read_annotation({"raw_labels": raw, "scenarios": [{"incident": "fog", "place": "street"}]})
    assert missing_pairs(found) == (("flooded", "street"),)
    assert missing_pairs(read_annotation({"raw_labels": raw})) == ()


def test_a_scene_without_a_name_is_named_by_what_it_tells() -> None:
    one, same, other = (read_annotation({"text": text}) for text in ("Smoke.", "Smoke.", "Fog."))
    assert one.scene == same.scene != other.scene


@given(st.dictionaries(NAMES, VALUES))
def test_whatever_a_record_holds_it_is_read(fields: dict[str, Any]) -> None:
    found = read_annotation(fields)
    assert len(found.solutions) == len(found.explanations) == 3
    assert all(label == label.strip() != "" for label in found.incidents + found.places)
    list(faults(found))
    list(remarks(found, LABELS))


@given(st.lists(TEXT, max_size=4), st.lists(TEXT, max_size=4))
def test_pairs_are_the_product_each_once_and_an_empty_place_is_none(incidents: list[str], places: list[str]) -> None:
    found = pairs(incidents, places)
    named = {place for place in places if place} or {""}
    assert set(found) == {(incident, place) for incident in incidents for place in named}
    assert len(set(found)) == len(found)


def test_what_makes_a_scene_unusable_is_said() -> None:
    assert list(faults(read_annotation({}))) == [
        "there is no scene: fill text, caption or image",
        "there is no incident: name one at least in incidents",
    ]
    assert not list(faults(read_annotation(RECORDS[0])))
    assert not list(faults(read_annotation({"image": image_value(Image("a", "b", 1)), "incidents": ["fog"]})))


def test_what_is_odd_about_notes_is_said_and_they_are_used() -> None:
    fields = {**RECORDS[0], "incidents": ["flood", "mudslide", "smoke", "quake"], "places": ["outdoor"]}
    found = read_annotation({**fields, "solutions": ["word " * 16, "go", ""]})
    assert list(remarks(found, LABELS)) == [
        "incident 'flood' is outside of the labels: taken as 'flooded'",
        "incident 'mudslide' is outside of the labels: taken as 'mudslide mudflow'",
        "incident 'smoke' is outside of the labels: taken as 'with smoke'",
        "incident 'quake' is outside of the labels",
        "place 'outdoor' is outside of the labels; did you mean 'cabin outdoor'?",
        "solution for immediate has 16 words, 15 at most: shorten it",
        "missing: solution_month",
    ]
    assert not list(remarks(found, NO_LABELS))[:-2]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[1]", "holds no object"),
        ("{", "is no JSON"),
        ("[" * 100_000, "is no JSON"),
        ('{"incidents": [], "places": ["a"]}', "incidents should be a list of labels"),
        ('{"incidents": ["a"], "places": "b"}', "places should be a list of labels"),
        ('{"incidents": ["a"], "places": ["b"], "aliases": ["a"]}', "aliases should map a name to a label"),
        ('{"incidents": ["a"], "places": ["b"], "aliases": {"x": "c"}}', "the alias of 'c' stands for no label"),
    ],
)
def test_a_file_of_labels_that_is_none_is_refused_with_its_reason(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "labels.json"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=why):
        read_ontology(file)
    with pytest.raises(UsageError, match="cannot be read"):
        read_ontology(tmp_path / "gone.json")


def test_a_file_of_labels_has_an_id_of_its_content(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text('{"incidents": ["On Fire"], "places": ["hill"], "aliases": {"fire": "on fire"}}', "utf-8")
    found = read_ontology(file)
    assert found.incidents.find("FIRE") == "on fire"
    assert found.id != NO_LABELS.id == ""


def test_validate_names_duplicates_and_every_other_flaw_by_its_line(tmp_path: Path) -> None:
    again = {**RECORDS[0], "annotator": "zoe", "problem": "Carts cannot cross to the mill!"}
    long = {**RECORDS[1], "solutions": ["word " * 16, "go", "build"]}
    named = {"image": "a.png", "incidents": "fog", "scene": "x"}
    lines = [*map(json.dumps, (RECORDS[0], again, long, {"text": "x"}, named)), "{"]
    file = tmp_path / "scenes.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    told = typed("validate", file)
    assert told.code == Code.FAILED
    for said in (
        "read 5 annotations, 3 scenes, 0 question sets",
        "scenes.jsonl:2: holds the same notes as line 1: leave one of them out",
        "scenes.jsonl:3: solution for immediate has 16 words",
        "scenes.jsonl:4: there is no incident",
        "scenes.jsonl:6: is not JSON",
        "4 flaws",
    ):
        assert said in told.out
    assert "scenes.jsonl:5" not in told.out


def test_validate_names_pairs_without_questions_and_labels_outside_of_the_list(tmp_path: Path) -> None:
    asked = {"raw_labels": {"incident": "fog, flood"}, "scenarios": [{"incident": "fog"}], "context": "Fog."}
    file, labels = tmp_path / "scenes.jsonl", tmp_path / "labels.json"
    file.write_text(json.dumps(asked), "utf-8")
    labels.write_text('{"incidents": ["fog"], "places": ["hill"]}', "utf-8")
    found = validate(file, labels)
    assert [str(flaw) for flaw in found.flaws] == [
        "scenes.jsonl:1: lacks questions about pairs of its labels: flood / no place"
    ]
    assert found.remarks == (
        "incident 'flood' is outside of the labels, on 1 line",
        "records that lack questions about a pair of their labels: 1",
    )
    assert found.counts["question sets"] == 1


def test_validate_says_so_where_nothing_is_wrong_and_where_nothing_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "scenes.jsonl"
    file.write_text(json.dumps(RECORDS[0]), "utf-8")
    told = typed("validate", file)
    assert (told.code, "no flaws" in told.out) == (Code.DONE, True)
    for wrong in (tmp_path, tmp_path / "gone.jsonl"):
        assert typed("validate", wrong).code == Code.USAGE


def test_no_more_flaws_are_named_than_anybody_reads(tmp_path: Path) -> None:
    file = tmp_path / "scenes.csv"
    file.write_text("text\n" + "".join(f"scene {n}\n" for n in range(FLAWS + 5)), "utf-8")
    found = validate(file)
    assert (len(found.flaws), found.total) == (FLAWS, FLAWS + 5)


def test_what_holds_no_records_is_refused_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "scenes.txt").write_text("a flood")
    with pytest.raises(UsageError, match=r"scenes.txt is no file of records: name one that ends in"):
        validate(tmp_path / "scenes.txt")
    with pytest.raises(UsageError, match=r"none.csv"):
        validate(tmp_path / "none.csv")
