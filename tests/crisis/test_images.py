"""A scene that is told by its image: shown to a model once, named in the ledger, shown to people without its EXIF."""

import json
import signal
import subprocess
import sys
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.cli.campaign import typed
from tests.contracts.commands import hidden, link
from tests.crisis.campaign import RECORDS, campaign
from tests.crisis.models import agree
from tests.domain.test_image import JPEG, SECRET
from tests.e2e.machine import environment, rows
from tests.stub import Stub, in_thread

from benchwright.show.code import Code

NAME = sha256(JPEG).hexdigest()
SEEN = 'images = "models"\nexperts = 1.0\ncompared = 0.0'
RECORD = {name: value for name, value in RECORDS[0].items() if name != "text"} | {"image": "photos/gap.jpg"}


def with_photo(folder: Path, url: str, settings: str, records: list[dict[str, Any]]) -> Path:
    (folder / "photos").mkdir(parents=True)
    (folder / "photos" / "gap.jpg").write_bytes(JPEG)
    return campaign(folder, url, settings=settings, records=records)


def parts(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The images of a request."""
    contents = [turn["content"] for turn in body["messages"] if isinstance(turn["content"], list)]
    return [part for content in contents for part in content if part["type"] == "image_url"]


def test_an_image_goes_to_a_model_once_and_to_people_without_its_metadata(tmp_path: Path) -> None:
    with in_thread(Stub(agree)) as models:
        (tmp_path / "cut.jpg").write_bytes(JPEG[:40])
        damaged = {**RECORD, "scene": "cut", "image": "cut.jpg"}
        file = with_photo(tmp_path, models.url, SEEN, [RECORD, damaged])
        assert typed("run", file).code == Code.WAITING
        shown = [parts(body) for body in models.seen]
    sent = [
        b64decode(one["image_url"]["url"].removeprefix("data:image/jpeg;base64,")) for found in shown for one in found
    ]
    assert sorted(sent, key=len) == [JPEG[:40], JPEG]
    assert NAME in str(rows(file, "SELECT * FROM calls"))
    item, _ = typed("items", file, "--json").json
    told = typed("explain", file, item["id"])
    assert NAME in "".join(told.out.split())
    images = [
        turn["images"] for said in typed("explain", file, item["id"], "--json").json["said"] for turn in turns(said)
    ]
    assert [[one["hash"] for one in found] for found in images if found] == [[NAME]]
    people_see_it(file)


def turns(said: dict[str, Any]) -> list[dict[str, Any]]:
    """The turns of the call behind an answer, each with its images."""
    return [{"images": [], **turn} for turn in said["call"]["messages"]] if said["call"] else []


def people_see_it(file: Path) -> None:
    """The desk shows the picture and nothing else; to nobody else."""
    line = [sys.executable, "-m", "benchwright", "review", "serve", str(file), "--port", "0"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(line, env=environment(), **pipes) as desk:
        try:
            base, word = link(desk).split("/enter?word=")
            with httpx2.Client(base_url=base, follow_redirects=True, headers={"Origin": base}) as browser:
                assert SECRET not in browser.get(f"/image/{NAME}").content
                page = browser.post("/enter", data={"word": word, "name": "Bob"}).text
                assert f'<img class="shown" src="/image/{NAME}"' in page
                assert "card" in hidden(page)
                image = browser.get(f"/image/{NAME}")
                assert (image.status_code, image.headers["content-type"]) == (200, "image/jpeg")
                assert b"second scan" in image.content
                assert SECRET not in image.content
                assert b"Exif" not in image.content
                assert browser.get("/image/nothing").status_code == 404
                refused = browser.get(f"/image/{sha256(JPEG[:40]).hexdigest()}")
                assert (refused.status_code, "damaged" in refused.text) == (415, True)
        finally:
            desk.send_signal(signal.SIGINT)
    cards = file.with_name("cards.jsonl")
    assert typed("review", "export", file, cards).code == Code.DONE
    assert json.loads(cards.read_text("utf-8").splitlines()[0])["image"] == f"[image/jpeg sha256:{NAME}]"


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"image": "gone.jpg"}, "image 'gone.jpg': it: does not exist any more"),
        ({"image": "../../etc/hostname"}, "lies outside of the folder"),
        ({"image": "scenes.jsonl"}, "this is no PNG, JPEG, WebP or GIF image"),
        ({"image": " "}, "has no fields"),
    ],
)
def test_a_record_whose_image_cannot_be_used_is_refused_and_the_others_go_on(
    tmp_path: Path, record: dict[str, Any], why: str
) -> None:
    with in_thread(Stub(agree)) as models:
        file = with_photo(tmp_path, models.url, "experts = 1.0", [RECORDS[0], record, {**RECORDS[1], "image": ""}])
        assert typed("run", file).code == Code.WAITING
    status = typed("status", file, "--json").json
    assert (status["items"]["waiting"], why in json.dumps(status)) == (2, True)


def test_a_model_that_takes_no_images_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    file = with_photo(tmp_path, "http://127.0.0.1:9/v1", SEEN, [RECORD])
    text = file.read_text("utf-8").replace("[models.writer]", "[models.writer]\nimages = false")
    file.write_text(text, "utf-8")
    told = typed("run", file)
    assert told.code == Code.USAGE
    assert "model 'writer' takes no images, and a role shows it some" in told.err


def test_without_a_model_that_sees_a_scene_needs_words_and_that_is_said(tmp_path: Path) -> None:
    with in_thread(Stub(agree)) as models:
        file = with_photo(tmp_path, models.url, "compared = 0.0", [RECORD])
        told = typed("run", file)
        assert not models.seen
    assert "the records name 1 image, and no model is shown any" in told.out + told.err
    assert told.code == Code.PARTIAL
    assert "no caption" in told.out
