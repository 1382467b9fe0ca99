"""What failed is listed, and asked again when somebody wants it: the command line on loopback."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import answer, served, typed
from tests.e2e.machine import begin, until
from tests.e2e.test_quota import campaign, rows
from tests.e2e.test_refusals import Mended, about_bad, error
from tests.stub import Raw, Stub, completion, in_thread

from benchwright.engine import outcome
from benchwright.show.code import Code

FILTERED = Raw(400, error("Content Exists Risk"))


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.01)


def kept(file: Path) -> int:
    found: int = rows(file, "SELECT count(*) FROM items WHERE state = 'kept'")[0][0]
    return found


def refuse_bad(body: dict[str, Any]) -> Any:
    return FILTERED if about_bad(body) else answer(body)


def test_a_call_that_failed_is_listed_with_all_that_is_known_of_it(tmp_path: Path) -> None:
    with served(refuse_bad) as stub:
        file = campaign(tmp_path, stub.url, documents=8, width=2)
        assert typed("calls", file).code == Code.USAGE  # it has not begun
        assert typed("run", file).code == Code.DONE
        [item] = rows(file, "SELECT id FROM items WHERE state = 'discarded'")
        [call] = typed("calls", file, "--failed", "--json").json
        said = call.pop("why")
        assert "'Content Exists Risk' (status 400)" in said
        assert call.pop("call")
        assert call == {
            "item": item[0],
            "source": "documents/003.md",
            "role": "choose_topic",
            "about": "",
            "model": "writer",
            "cause": "filtered",
            "reply": "",
            "cost": 0.0,
            "next": "run --ask-again",
        }
        told = " ".join(typed("calls", file, "--failed").out.split())
        assert f"item {item[0][:10]} (documents/003.md): choose_topic by writer: filtered" in told
        assert "Content Exists Risk" in told
        assert "--ask-again asks 1 of them again" in told
        assert typed("calls", file, "--failed", "--cause", "schema", "--json").json == []
        assert typed("calls", file, "--model", "nobody", "--json").json == []
        assert "no such calls failed" in typed("calls", file, "--model", "nobody").out
        counted = {one["step"]: one for one in typed("calls", file, "--json").json}
        assert counted["choose_topic"]["failed"] == {"filtered": 1}
        assert counted["check_option"]["failed"] == {}
        assert "calls --failed" not in typed("calls", file).err
        assert "filtered 1" in typed("calls", file).out


def unusable(body: dict[str, Any]) -> Any:
    return completion(body, "Sure!") if about_bad(body) else answer(body)


def declined(body: dict[str, Any]) -> Any:
    return completion(body, "", "content_filter") if about_bad(body) else answer(body)


@pytest.mark.parametrize("bad", [refuse_bad, unusable, declined], ids=["by HTTP", "no JSON", "by the filter"])
def test_asked_again_after_the_endpoint_is_mended_all_is_made_and_nothing_sound_is_asked_twice(
    bad: Callable[[dict[str, Any]], Any], tmp_path: Path
) -> None:
    endpoint = Mended(bad)
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=8, width=2)
        assert typed("run", file).code == Code.DONE
        assert kept(file) == 7
        before = len(stub.seen)
        assert typed("run", file).code == Code.DONE
        assert len(stub.seen) == before  # by itself nothing is asked again

        endpoint.sound = True
        ran = typed("run", file, "--ask-again")
        assert ran.code == Code.DONE, ran
        assert "asking again what failed: 1 call" in ran.out
        assert kept(file) == 8
        assert all(map(about_bad, stub.seen[before:]))
        assert len(stub.seen) - before == 5
        assert typed("calls", file, "--failed", "--json").json == []
        assert rows(file, "SELECT sum(calls) FROM spending") == [(sound_replies(stub, before, bad),)]
        answers = typed("status", file, "--json").json["answers"]
        assert all("failed" not in states for states in answers.values())
        whole = export(file)

    with served(answer) as stub:  # a campaign in which nothing ever failed
        other = tmp_path / "other"
        other.mkdir()
        file = campaign(other, stub.url, documents=8, width=2)
        assert typed("run", file).code == Code.DONE
        assert export(file) == whole


def sound_replies(stub: Stub, before: int, bad: Callable[[dict[str, Any]], Any]) -> int:
    """How many requests brought a reply."""
    first = sum(not isinstance(bad(body), Raw) for body in stub.seen[:before])
    return first + len(stub.seen) - before


def export(file: Path) -> dict[str, bytes]:
    """The data of the set."""
    assert typed("export", file).code == Code.DONE
    folder = file.with_name("hundred-set")
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".jsonl"}


def test_what_fails_again_is_as_it_was_and_may_be_asked_any_number_of_times(tmp_path: Path) -> None:
    endpoint = Mended(refuse_bad)
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=4, width=2)
        assert typed("run", file).code == Code.DONE
        first = typed("calls", file, "--failed", "--json").json
        for _ in range(3):
            before = len(stub.seen)
            assert typed("run", file, "--ask-again").code == Code.DONE
            assert len(stub.seen) - before == 1
            assert typed("calls", file, "--failed", "--json").json == first
            assert rows(file, "SELECT cause FROM items WHERE state = 'discarded'") == [("choose_topic: filtered",)]
        endpoint.sound = True
        assert typed("run", file, "--ask-again", "--cause", "schema").code == Code.DONE
        assert kept(file) == 3
        assert typed("run", file, "--ask-again", "--cause", "filtered", "--model", "writer").code == Code.DONE
        assert kept(file) == 4


def fail_checks(body: dict[str, Any]) -> Any:
    """One of two checkers declines to check."""
    checks = "verdicts" in json.dumps(body["response_format"])
    return completion(body, "", "content_filter") if checks and body["model"] == "other" else answer(body)


TWO = """
[models.second]
base_url = "{url}"
model = "other"
"""


def panel(tmp_path: Path, url: str) -> Path:
    """A campaign whose options two models check."""
    file = campaign(tmp_path, url, documents=4, width=2)
    text = file.read_text().replace('panel = ["writer"]', 'panel = ["writer", "second"]')
    file.write_text(text.replace("[roles]", f"{TWO.format(url=url)}[roles]"))
    return file


def test_a_kept_item_whose_panel_was_smaller_gets_the_votes_that_failed(tmp_path: Path) -> None:
    endpoint = Mended(fail_checks)
    with served(endpoint) as stub:
        file = panel(tmp_path, stub.url)
        typed("run", file)
        assert kept(file) == 4
        assert len(typed("calls", file, "--failed", "--model", "second", "--json").json) == 4
        before = len(stub.seen)
        endpoint.sound = True
        assert typed("run", file, "--ask-again").code == Code.DONE
        assert [body["model"] for body in stub.seen[before:]] == ["other"] * 4
        assert kept(file) == 4


def test_what_nobody_has_answered_since_can_be_left_failed_again(tmp_path: Path) -> None:
    """The checker is not merely choosy, it is gone: the kept items are open until that is taken back."""
    endpoint = Mended(fail_checks)
    with served(endpoint) as stub:
        file = panel(tmp_path, stub.url)
        typed("run", file)
        whole = export(file)
        endpoint.bad = lambda body: Raw(401, error("no")) if body["model"] == "other" else answer(body)
        assert typed("run", file, "--ask-again").code == Code.FAILED
        assert kept(file) == 0
        failed = typed("calls", file, "--failed", "--json").json
        assert {(call["cause"], call["next"]) for call in failed} <= {
            ("refused", "the next run asks again"),
            ("filtered", "the next run asks again"),
        }
        endpoint.bad = fail_checks
        ran = typed("run", file, "--leave-failed")
        assert ran.code == Code.DONE, ran
        assert "4 failed calls that nobody has answered since will not be repeated" in ran.out
        assert kept(file) == 4
        assert export(file) == whole


def test_asking_again_outlasts_kills_and_comes_to_the_same_bytes(tmp_path: Path) -> None:
    """The command that began it is killed while calls are in flight, and so are plain runs after it."""
    exports, asked = [], []
    for kills in (0, 4):
        endpoint = Mended(lambda body: fail_checks(body) if body["model"] == "other" else refuse_bad(body))
        with in_thread(Stub(endpoint, latency=0.04)) as stub:
            folder = tmp_path / str(kills)
            folder.mkdir()
            file = panel(folder, stub.url)
            typed("run", file)
            assert kept(file) == 3
            endpoint.sound, before = True, len(stub.seen)
            for number in range(kills):
                kill_in_flight(stub, "run", file, *([] if number else ["--ask-again"]))
            assert typed("run", file, *([] if kills else ["--ask-again"])).code == Code.DONE
            assert kept(file) == 4
            exports.append(export(file))
            asked.append({json.dumps(body, sort_keys=True) for body in stub.seen[before:]})
            assert typed("calls", file, "--failed", "--json").json == []
    assert exports[0] == exports[1]
    assert asked[0] == asked[1]


def kill_in_flight(stub: Stub, *words: object) -> None:
    """Begin a command and kill it once it has sent a request."""
    run, most = begin(*words), len(stub.seen) + 1
    until(lambda: len(stub.seen) >= most or run.process.poll() is not None, "calls arrive")
    run.kill()


def test_a_failure_in_whose_place_the_next_try_has_begun_stays(tmp_path: Path) -> None:
    def once(body: dict[str, Any]) -> Any:
        return FILTERED if about_bad(body) and len(seen) < 1 and not seen.append(1) else answer(body)  # type: ignore[func-returns-value]

    seen: list[int] = []
    with served(once) as stub:
        file = campaign(tmp_path, stub.url, documents=4, width=2)
        file.write_text(file.read_text() + "[items]\ntries = 2\n")
        assert typed("run", file).code == Code.DONE
        assert kept(file) == 4
        [call] = typed("calls", file, "--failed", "--json").json
        assert call["next"] == "stays"
        before = len(stub.seen)
        ran = typed("run", file, "--ask-again")
        assert "asking again what failed: 0 calls; 1 other stay" in " ".join(ran.out.split())
        assert len(stub.seen) == before


def test_a_ticket_that_is_set_aside_is_listed_and_the_next_run_asks_it(tmp_path: Path) -> None:
    endpoint = Mended(lambda body: Raw(500, "boom") if about_bad(body) else answer(body))
    with served(endpoint) as stub:
        file = campaign(tmp_path, stub.url, documents=4, width=2)
        assert typed("run", file).code == Code.PAUSED
        [call] = typed("calls", file, "--failed", "--json").json
        assert (call["cause"], call["source"], call["next"]) == (
            "unavailable",
            "documents/003.md",
            "the next run asks again",
        )
        assert "boom" in call["why"]


def test_what_stopped_a_run_is_listed(tmp_path: Path) -> None:
    with served(lambda body: Raw(422, error("extra fields not permitted: seed"))) as stub:
        file = campaign(tmp_path, stub.url, documents=3, width=2)
        assert typed("run", file).code == Code.FAILED
        calls = typed("calls", file, "--failed", "--json").json
        assert {call["cause"] for call in calls} == {"refused"}
        assert all("seed" in call["why"] for call in calls)


@pytest.mark.parametrize(
    ("words", "told"),
    [(("--ask-again", "--leave-failed"), "contradict"), (("--cause", "filtered"), "--ask-again")],
)
def test_options_that_make_no_sense_are_refused(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    ran = typed("run", campaign(tmp_path, "http://127.0.0.1:9/v1", documents=1), *words)
    assert ran.code == Code.USAGE
    assert told in ran.err
