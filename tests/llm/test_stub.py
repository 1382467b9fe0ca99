"""The stub server is itself worth a test: its answers fit any schema of ours and depend on the request alone."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import httpx2
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, TypeAdapter
from tests.stub import fit_schema

from benchwright.agents.base import every_agent
from benchwright.llm.replies import chat


class Part(BaseModel):
    text: str
    evidence: list[int] = Field(min_length=2, max_length=3)


class Sample(BaseModel):
    parts: list[Part] = Field(min_length=1, max_length=4)
    level: int = Field(ge=3, le=5)
    ratio: float
    sure: bool
    kind: str | None


def asked(schema: dict[str, Any], text: str) -> dict[str, Any]:
    return {
        "model": "stub",
        "messages": [{"role": "user", "content": text}],
        "response_format": {"type": "json_schema", "json_schema": {"schema": chat.plain(schema)}},
    }


def content(body: dict[str, Any]) -> str:
    return str(fit_schema(body)["choices"][0]["message"]["content"])


@given(st.text(max_size=20))
def test_its_answers_fit_the_schema_and_depend_on_the_request_alone(text: str) -> None:
    body = asked(Sample.model_json_schema(), text)
    assert content(body) == content(dict(reversed(body.items())))
    Sample.model_validate_json(content(body))


def test_it_answers_every_agent_of_ours_that_a_model_serves() -> None:
    for agent in every_agent().values():
        if agent.name in {"review_option", "review_query", "review_stem"}:  # people answer these
            continue
        TypeAdapter(agent.Answer).validate_json(content(asked(agent.Answer.model_json_schema(), agent.name)))


def test_two_texts_of_one_answer_differ() -> None:
    parts = {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3}
    made = json.loads(content(asked({"type": "object", "properties": {"a": parts}}, "Q")))
    assert len(set(made["a"])) == 3


async def test_it_runs_as_a_program_that_logs_each_request(tmp_path: Path) -> None:
    log = tmp_path / "seen.jsonl"
    command = ["-m", "tests.stub", "--port", "0", "--log", str(log), "--latency", "0.01"]
    running = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
    assert running.stdout is not None
    url = (await running.stdout.readline()).decode().strip()
    async with httpx2.AsyncClient(trust_env=False) as client:
        body = asked(Sample.model_json_schema(), "Q")
        replies = [await client.post(f"{url}/chat/completions", json=body) for _ in range(2)]
        listed = await client.get(f"{url}/models")
    running.kill()
    await running.wait()
    assert replies[0].json() == replies[1].json()
    assert listed.json()["data"][0]["id"] == "stub"
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [line["model"] for line in lines] == ["stub", "stub"]
    assert lines[0]["sha256"] == lines[1]["sha256"]
