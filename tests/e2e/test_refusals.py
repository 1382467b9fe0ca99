"""What a provider may refuse about one document, and what that may do to the others: the command line on loopback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import answer, served, typed
from tests.e2e.test_quota import campaign, rows
from tests.stub import Raw, completion

from benchwright.engine import outcome
from benchwright.show.code import Code

BAD = "Report 3"


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.01)


def error(message: str, **more: Any) -> str:
    return json.dumps({"error": {"message": message, **more}})


def about_bad(body: dict[str, Any]) -> bool:
    return any(BAD in message["content"] for message in body["messages"])


PAGE = "<html><head><title>403 Forbidden</title></head><body><h1>Request blocked</h1>cloud firewall</body></html>"
LONG = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
REFUSALS: dict[str, tuple[Raw, str]] = {
    "flagged": (Raw(400, error("Your prompt was flagged as potentially violating our usage policy")), "filtered"),
    "biology": (Raw(403, error("This request touches biology that we do not serve")), "refused"),
    "content risk": (Raw(400, error("Content Exists Risk")), "filtered"),
    "firewall": (Raw(403, PAGE, {"content-type": "text/html"}), "refused"),
    "schema": (Raw(400, error("Failed to generate JSON", code="json_validate_failed")), "refused"),
    "too long": (Raw(400, error(LONG, code="context_length_exceeded")), "too long"),
    "too large": (Raw(413, "Payload Too Large"), "too long"),
    "unprocessable": (Raw(422, error("messages.1.content: value error")), "refused"),
    "inspection": (Raw(400, error("data_inspection_failed")), "filtered"),
    "moved": (Raw(404, error("No endpoints found that can handle this request")), "refused"),
    "legal": (Raw(451, "Unavailable For Legal Reasons"), "refused"),
    "teapot": (Raw(418, ""), "refused"),
}


@pytest.mark.parametrize(("refusal", "cause"), REFUSALS.values(), ids=REFUSALS.keys())
def test_of_eight_documents_seven_are_made_in_one_command_and_the_refused_one_is_named(
    refusal: Raw, cause: str, tmp_path: Path
) -> None:
    with served(lambda body: refusal if about_bad(body) else answer(body)) as stub:
        file = campaign(tmp_path, stub.url, documents=8, width=2)
        ran = typed("run", file)
        assert ran.code == Code.DONE, ran
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(7,)]
        assert rows(file, "SELECT cause FROM items WHERE state = 'discarded'") == [(f"choose_topic: {cause}",)]
        told = " ".join((ran.out + ran.err).split())
        [item] = rows(file, "SELECT substr(id, 1, 10) FROM items WHERE state = 'discarded'")
        assert f"item {item[0]} (documents/003.md): choose_topic by writer: {cause}: " in told
        asked = len(stub.seen)
        assert sum(map(about_bad, stub.seen)) == (outcome.REJECTIONS if cause == "refused" else 1)
        assert typed("run", file).code == Code.DONE
        assert len(stub.seen) == asked


class Mended:
    """Misbehaves until it is mended."""

    def __init__(self, bad: Callable[[dict[str, Any]], Any]) -> None:
        self.bad, self.sound = bad, False

    def __call__(self, body: dict[str, Any]) -> Any:
        return answer(body) if self.sound else self.bad(body)


def test_a_schema_failure_that_passes_at_the_next_try_costs_nothing(tmp_path: Path) -> None:
    met: list[str] = []

    def flaky(body: dict[str, Any]) -> Any:
        asked = json.dumps(body["messages"])
        met.append(asked)
        failed = Raw(400, error("Failed to generate JSON", code="json_validate_failed"))
        return failed if met.count(asked) == 1 and len(met) % 3 == 0 else answer(body)

    with served(flaky) as stub:
        file = campaign(tmp_path, stub.url, documents=8, width=2)
        assert typed("run", file).code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(8,)]


EVERY: dict[str, tuple[Raw, int]] = {
    "the key": (Raw(401, error("Incorrect API key")), 3),
    "the model": (Raw(404, error("The model `stub` does not exist", code="model_not_found")), 3),
    "a parameter": (Raw(422, error("extra fields not permitted: seed")), 24),
    "the account": (Raw(403, PAGE), 24),
}


@pytest.mark.parametrize(("refusal", "most"), EVERY.values(), ids=EVERY.keys())
def test_an_endpoint_that_rejects_everything_stops_the_run_and_when_mended_all_is_made(
    refusal: Raw, most: int, tmp_path: Path
) -> None:
    endpoint = Mended(lambda _: refusal)
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=8, width=2)
        ran = typed("run", file)
        assert ran.code == Code.FAILED, ran
        assert "item " in ran.err
        assert "(documents/00" in ran.err
        assert f"(status {refusal.status})" in ran.err
        assert len(stub.seen) <= most
        assert rows(file, "SELECT count(*) FROM answers") == [(0,)]
        stands = " ".join(typed("status", file).out.split())
        assert ": failed (" in stands
        assert f"(status {refusal.status})" in stands
        endpoint.sound = True
        assert typed("run", file).code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(8,)]


def test_an_endpoint_that_begins_to_reject_everything_is_given_up_after_twenty_prompts(tmp_path: Path) -> None:
    accepted: list[int] = []

    def tired(body: dict[str, Any]) -> Any:
        accepted.append(1)
        return answer(body) if len(accepted) <= 12 else Raw(403, PAGE)

    endpoint = Mended(tired)
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=40, width=2)
        ran = typed("run", file)
        assert ran.code == Code.FAILED
        assert "20 different requests in a row were rejected" in " ".join(ran.err.split())
        assert len(stub.seen) <= 12 + outcome.REJECTIONS * 30
        assert rows(file, "SELECT count(*) FROM answers WHERE json_extract(body, '$.failure') IS NOT NULL") == [(0,)]
        endpoint.sound = True
        assert typed("run", file).code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(40,)]


def test_one_document_that_always_gets_a_500_is_set_aside_and_taken_up_by_the_next_run(tmp_path: Path) -> None:
    endpoint = Mended(lambda body: Raw(500, "boom") if about_bad(body) else answer(body))
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=8, width=2)
        ran = typed("run", file)
        assert ran.code == Code.PAUSED, ran
        told = " ".join((ran.out + ran.err).split())
        assert "(documents/003.md): choose_topic by writer: unavailable: " in told
        assert "set aside until the next run" in told
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(7,)]
        assert sum(map(about_bad, stub.seen)) == outcome.ATTEMPTS
        endpoint.sound = True
        assert typed("run", file).code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(8,)]


@pytest.mark.parametrize("documents", [1, 8, 30])
def test_replies_that_cannot_be_used_stop_the_run_and_when_the_server_is_mended_all_is_asked_anew(
    documents: int, tmp_path: Path
) -> None:
    endpoint = Mended(lambda body: completion(body, "Sure! Here is what I think."))
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=documents, width=2)
        assert typed("run", file).code == Code.FAILED
        [(paid,)] = rows(file, "SELECT sum(calls) FROM spending")
        assert paid == len(stub.seen)
        assert "Name another model" in typed("status", file).out
        endpoint.sound = True
        assert typed("run", file).code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(documents,)]
        assert rows(file, "SELECT sum(calls) FROM spending") == [(len(stub.seen),)]


def test_a_run_in_which_everything_failed_does_not_end_as_done(tmp_path: Path) -> None:
    with served(lambda body: completion(body, "", "content_filter")) as stub:
        file = campaign(tmp_path, stub.url, documents=3, width=2)
        ran = typed("run", file)
        assert ran.code == Code.PARTIAL
        assert "every call to a model failed" in " ".join(ran.out.split())


def test_the_manifest_says_what_was_really_sent(tmp_path: Path) -> None:
    with served(answer) as stub:
        file = campaign(tmp_path, stub.url, documents=2, width=2)
        spoken = 'omit = ["seed"]\nrename = { max_tokens = "n_predict" }\nextra = { min_p = 0.1 }\n[roles]'
        file.write_text(file.read_text().replace("[roles]", spoken))
        assert typed("run", file).code == Code.DONE
        assert {tuple(sorted(body)) for body in stub.seen} == {
            ("messages", "min_p", "model", "n_predict", "response_format", "temperature")
        }
        assert typed("export", file).code == Code.DONE
        manifest = json.loads((tmp_path / "hundred-set" / "manifest.json").read_text())
        assert manifest["sent"]["writer"] == {
            "parameters": {"min_p": 0.1, "n_predict": 1024, "temperature": 0.0},
            "form": ["response_format"],
            "renamed": {"max_tokens": "n_predict"},
            "dropped": ["seed"],
            "added": {"min_p": 0.1},
        }
