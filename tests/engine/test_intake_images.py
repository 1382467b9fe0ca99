"""Images that records name: taken in with them, or the reason why not; the other records go on."""

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.domain.test_image import PNG_FILE
from tests.domain.test_orientation import exif, jpeg
from tests.phased.pipeline import Pairs, campaign

from benchwright.domain.image import image_of, image_value
from benchwright.domain.source import Inputs
from benchwright.engine.intake import take_in
from benchwright.store import blobs, records
from benchwright.store.database import Database
from benchwright.store.sources import Corpus

FIELDS = [
    {"image": "a.png", "n": 1},
    {"image": "gone.png"},
    {"image": " "},
    {"image": "", "n": 2},
    {"image": 3},
    {"n": 4},
]


async def test_a_record_names_its_image_by_hash_once_that_is_stored(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG_FILE)
    lines = [*map(json.dumps, FIELDS), "no record"]
    (tmp_path / "records.jsonl").write_text("\n".join(lines), "utf-8")
    pipeline = replace(Pairs(campaign()), inputs=(Inputs.RECORDS, Inputs.IMAGES))
    async with await Database.open(None) as database:
        taken = await take_in(database, pipeline.campaign, pipeline, tmp_path, lambda _: None)
        found = await database.read(lambda connection: [one.body for one in Corpus(connection)])
        refused = await database.read(lambda connection: records.refused_lines(connection, 9))
        assert await database.read(blobs.count) == 1
    assert (taken.admitted, taken.refused) == (4, 3)
    assert found == [{"image": image_value(image_of(PNG_FILE)), "n": 1}, {"n": 2}, {"image": 3}, {"n": 4}]
    assert refused["records.jsonl:2"].startswith("image 'gone.png': it: does not exist any more")
    assert refused["records.jsonl:3"] == "has no fields"


async def test_a_pipeline_that_takes_no_images_leaves_the_field_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").write_text(json.dumps(FIELDS[0]), "utf-8")
    pipeline = Pairs(campaign())
    async with await Database.open(None) as database:
        await take_in(database, pipeline.campaign, pipeline, tmp_path, lambda _: None)
        assert await database.read(lambda connection: [one.body for one in Corpus(connection)]) == [FIELDS[0]]


@pytest.mark.skipif(find_spec("PIL") is not None, reason="the extra images is installed")
async def test_how_many_pictures_stay_lying_is_said_once(tmp_path: Path) -> None:
    for n in range(3):
        (tmp_path / f"{n}.jpg").write_bytes(jpeg(exif(6 if n else 1)) + bytes([n]))
    (tmp_path / "records.jsonl").write_text("\n".join(json.dumps({"image": f"{n}.jpg"}) for n in range(3)), "utf-8")
    pipeline = replace(Pairs(campaign()), inputs=(Inputs.RECORDS, Inputs.IMAGES))
    told = list[str]()
    async with await Database.open(None) as database:
        await take_in(database, pipeline.campaign, pipeline, tmp_path, told.append)
    lying = [line for line in told if "not turned" in line]
    assert len(lying) == 1
    assert lying[0].startswith("2 images of records.jsonl: stored lying")
    assert "pip install 'benchwright[images]'" in lying[0]
