"""What the manifest says of its hashes is enough to compute them: done here from the folder, by nothing but its words.

`document_ids` and `source_ids` say how; the test uses the standard library alone, so that anybody could.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from benchwright import app, begun, results
from benchwright.config import load
from benchwright.engine.intake import take_in
from benchwright.glance import place
from benchwright.store.database import Database

LARGE = 1048576  # bytes, as the manifest says
CAMPAIGN = """
name = "hashes"
pipeline = "inference"
corpus = ["documents"]
[models.writer]
base_url = "http://127.0.0.1:9/v1"
model = "none"
[roles]
default = "writer"
[inference]
taxonomy = "ours.toml"
[inference.knowledge]
graphs = [{ form = "ibkh", path = "graphs/ibkh" }, { form = "triples", path = "graphs/own.csv", label = "Own" }]
[inference.search]
use = ["glossary"]
glossary = "terms.csv"
"""
FILES = {
    "documents/a.md": b"# Fever\n\nA fever was seen in Suva. It spread with the rains.\n",
    "documents/deep/\u00fcber.txt": "Dengue was reported in \u00c5land. Nobody died.\n".encode(),
    "ours.toml": (
        '[[classes]]\r\nname = "\u00dcberwachung"\r\n[[classes.topics]]\r\nname = "Ausbr\u00fcche"\r\n'.encode()
    ),
    "terms.csv": "term,description,synonyms\nfi\u00e8vre,A fever.,\n".encode(),
    "graphs/own.csv": b"subject,relation,object\nfever,presents,rash\n",
    "graphs/ibkh/a/z.csv": b"z",  # folder by folder it comes before a.csv, letter by letter behind it
    "graphs/ibkh/a.csv": b"a",
    "graphs/ibkh/\u00e9t\u00e9 1.csv": "\u00e9".encode(),
    "graphs/ibkh/empty.csv": b"",
    "graphs/ibkh/limit.csv": b"x" * LARGE,
    "graphs/ibkh/large.csv": b"x" * (LARGE + 1),
}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def first_32(kind: str, value: Any) -> str:
    """SHA-256 over the kind, a line feed and JSON without spaces and without escaped letters."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return sha256(f"{kind}\n{text}".encode())[:32]


def files_of(path: Path) -> list[list[Any]]:
    """Path, size and SHA-256 of each file, in the order of the paths compared folder by folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    names = {file.relative_to(path).as_posix(): file for file in files}
    found = []
    for name in sorted(names, key=lambda name: name.split("/")):
        data = names[name].read_bytes()
        found.append([name, len(data), sha256(data) if len(data) <= LARGE else ""])
    return found


@pytest.fixture
async def manifest(tmp_path: Path) -> dict[str, Any]:
    """The manifest of a campaign that has taken its corpus in."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    file = tmp_path / "hashes.toml"
    file.write_text(CAMPAIGN, "utf-8")
    where = place(file)
    campaign = load(where.file)
    pipeline = begun.pipeline_of(campaign, where)
    async with await Database.open(where.database, create=True) as database:
        await app.begin(begun.Opened(where, campaign, pipeline, database), app.Watcher(print), accept_changes=False)
        await take_in(database, campaign, pipeline, tmp_path, print)
    paths = (await results.export(file)).files
    text = next(path for path in paths if path.name == "manifest.json").read_text("utf-8")
    return dict(json.loads(text))


def test_the_ids_of_documents_follow_from_their_files(manifest: dict[str, Any], tmp_path: Path) -> None:
    assert "quoted SHA-256 of the file" in manifest["document_ids"]
    expected = {
        name: first_32("document", sha256(data)) for name, data in FILES.items() if name.startswith("documents/")
    }
    assert {document["name"]: document["id"] for document in manifest["documents"]} == expected


def test_the_hashes_of_sources_follow_from_their_files(manifest: dict[str, Any], tmp_path: Path) -> None:
    for words in ("size in bytes, SHA-256 of the file", str(LARGE), "folder by folder", "line feeds as line ends"):
        assert words in manifest["source_ids"]
    taxonomy = (tmp_path / "ours.toml").read_bytes().decode().replace("\r\n", "\n")
    assert manifest["sources"] == {
        "taxonomy": first_32("taxonomy", taxonomy),
        "graph ibkh": first_32("files", files_of(tmp_path / "graphs" / "ibkh")),
        "graph Own": first_32("files", files_of(tmp_path / "graphs" / "own.csv")),
        "glossary": first_32("files", files_of(tmp_path / "terms.csv")),
    }


def test_the_hash_of_the_data_is_that_of_its_file(manifest: dict[str, Any], tmp_path: Path) -> None:
    for name, told in manifest["files"].items():
        (path,) = tmp_path.rglob(name)
        assert sha256(path.read_bytes()) == told["sha256"]
