"""A key that a provider echoes is found nowhere: not in the database, an export, a log, nor on the terminal."""

import base64
import json
import logging
from collections import Counter
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.cli.campaign import HOSTILE, Typed, answer, served, typed
from tests.e2e.test_quota import campaign
from tests.stub import Answer, Raw

from benchwright.domain.campaign import Model
from benchwright.engine import outcome
from benchwright.llm.providers.hosted import library
from benchwright.show.code import Code

KEY = 'sk-Very/secret+"0123456789"=abcdefghij'
BASIC = base64.b64encode(f"user:{KEY}".encode()).decode()
ONCE = json.dumps(KEY)[1:-1]
SPELLINGS = (KEY, quote(KEY, safe=""), ONCE, json.dumps(ONCE)[1:-1], BASIC)
NAMELESS = KEY[:20]  # cut, it is no key any more, but nearly

ECHOES = (
    Raw(500, json.dumps({"error": {"message": f"cannot use {KEY}"}})),
    Raw(502, f"<html>{KEY}</html>", {"x-key": KEY}),
    Raw(503, json.dumps({"error": {"message": f"at /v1?key={quote(KEY, safe='')}: Basic {BASIC}"}})),
    Raw(429, f"slow down, {NAMELESS}...", {"retry-after": KEY}),
    Raw(200, f"<html>{KEY}</html>"),
    Raw(200, json.dumps({"error": {"message": KEY, "code": 500}})),
    Raw(200, "", {f"bad {KEY}\0": KEY}),  # the client library quotes the line
    Raw(200, KEY, drop=True),
)
PROVIDERS = {
    "direct": 'base_url = "{url}"\nmodel = "stub"\napi_key_env = "STUB_KEY"\n',
    "litellm": 'litellm = "openai/stub"\napi_key_env = "STUB_KEY"\n',
    "litellm by its own variable": 'litellm = "openai/stub"\n',
}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("STUB_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.01)
    caplog.set_level(logging.DEBUG)


def echoing() -> Answer:
    """Each request fails once, in turn in one of the ways to echo a key; then the reply itself quotes it."""
    seen, echoes = Counter[str](), cycle(ECHOES)

    def said(body: dict[str, Any]) -> dict[str, Any] | Raw:
        request = json.dumps(body["messages"])
        seen[request] += 1
        if seen[request] == 1:
            return next(echoes)
        whole = answer(body)
        message = whole["choices"][0]["message"]
        message["content"] = message["content"].replace(json.dumps(HOSTILE), json.dumps(KEY))
        return whole | {"id": KEY, "choices": [{"finish_reason": "stop", "message": message | {"reasoning": KEY}}]}

    return said


def made(folder: Path, url: str, provider: str, patch: pytest.MonkeyPatch) -> Path:
    patch.setenv("OPENAI_API_BASE", url)  # where litellm goes
    file = campaign(folder, url, documents=4, width=2)
    text = file.read_text().replace(f'base_url = "{url}"\nmodel = "stub"\n', PROVIDERS[provider].format(url=url))
    file.write_text(text)
    return file


def clean(folder: Path, ran: Typed, log: str) -> None:
    """No spelling of the key in any file, nor in what was printed or logged."""
    files = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(name.endswith(".db") for name in files)
    said = {"stdout": ran.out.encode(), "stderr": ran.err.encode(), "log": log.encode()}
    for name, body in (files | said).items():
        found = [spelt for spelt in (*SPELLINGS, NAMELESS) if spelt.encode() in body]
        assert not found, (name, found)


@pytest.mark.filterwarnings("default")  # litellm's own
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_key_that_the_provider_echoes_is_found_nowhere(
    tmp_path: Path, provider: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if "litellm" in provider and find_spec("litellm") is None:
        pytest.skip("litellm is not installed")
    with served(echoing()) as stub:
        file = made(tmp_path, stub.url, provider, monkeypatch)
        ran = typed("run", file, "--debug", "--log", tmp_path / "run.log")
        assert ran.code == Code.DONE, ran
        assert "failure" in (tmp_path / "run.log").read_text("utf-8")
        assert len(stub.seen) == 40
        assert all(sent["authorization"] == f"Bearer {KEY}" for sent in stub.headers if "authorization" in sent)
        assert typed("export", file).code == Code.DONE
        assert typed("explain", file, typed("items", file, "--json").json[0]["id"], "--prompts").code == Code.DONE
        clean(tmp_path, ran, caplog.text)
        kept = b"".join(path.read_bytes() for path in tmp_path.glob("*.db*"))
        assert b"[key]" in kept

        stub.answer = lambda body: Raw(401, json.dumps({"error": {"message": f"Incorrect API key: {KEY}"}}))
        (tmp_path / "again").mkdir()
        refused = typed("run", made(tmp_path / "again", stub.url, provider, monkeypatch), "--debug")
        assert refused.code == Code.FAILED
        assert "does not accept" in refused.err
        clean(tmp_path, refused, caplog.text)


@pytest.mark.filterwarnings("default")
@pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed")
def test_a_key_in_an_exception_that_nobody_foresaw_is_found_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    litellm = library(Model("m", "litellm", "openai/stub"))

    async def broken(**given: Any) -> None:
        message = f"header value {given['api_key']!r}"
        raise ValueError(message)

    monkeypatch.setattr(litellm, "acompletion", broken)
    monkeypatch.setattr("benchwright.llm.limits.circuit.LASTING", 0.0)
    with served() as stub:
        file = made(tmp_path, stub.url, "litellm", monkeypatch)
        ran = typed("run", file, "--debug")
        assert ran.code == Code.PAUSED
        assert "ValueError" in ran.out
        clean(tmp_path, ran, caplog.text)
