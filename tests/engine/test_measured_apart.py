"""Where each model is measured for itself, one that rests holds back no other."""

from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import typed
from tests.evaluation.made import answer, by_model, evaluation, write_set
from tests.stub import Raw, Stub, in_thread

from benchwright.app import demand
from benchwright.domain.check import Check
from benchwright.errors import UsageError
from benchwright.show.code import Code


def test_a_model_whose_endpoint_dies_holds_nobody_back_and_is_asked_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its questions are more than may be open at once for all models together."""
    monkeypatch.chdir(tmp_path)
    dead = [True]

    def fail(body: dict[str, Any]) -> dict[str, Any] | Raw:
        lost = body["model"] == "weak" and dead[0]
        return Raw(402, '{"error": {"message": "no quota", "code": "insufficient_quota"}}') if lost else answer(body)

    write_set(tmp_path / "set", 40)
    with in_thread(Stub(fail)) as stub:
        Path("e.toml").write_text(evaluation(stub.url, "strong", "weak"), "utf-8")
        told = typed("evaluate", "e.toml")
        assert told.code == Code.PAUSED, told.out + told.err
        half = typed("report", "e.toml", "--json")
        assert by_model(half.json)["strong"]["answered"] == 40
        assert "weak" not in by_model(half.json)
        assert "questions are not answered yet" in half.json["notes"][0]
        dead[0] = False
        whole = typed("evaluate", "e.toml", "--json")
    assert whole.code == Code.DONE
    assert by_model(whole.json)["weak"]["answered"] == 40


@pytest.mark.parametrize(("status", "code"), [(401, "invalid_api_key"), (404, "model_not_found")])
def test_a_model_that_its_endpoint_does_not_take_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, code: str
) -> None:
    monkeypatch.chdir(tmp_path)

    def refuse(body: dict[str, Any]) -> dict[str, Any] | Raw:
        refusal = Raw(status, f'{{"error": {{"message": "no", "code": "{code}"}}}}')
        return refusal if body["model"] == "weak" else answer(body)

    write_set(tmp_path / "set", 40)
    with in_thread(Stub(refuse)) as stub:
        Path("e.toml").write_text(evaluation(stub.url, "strong", "weak"), "utf-8")
        told = typed("evaluate", "e.toml")
    assert told.code == Code.PAUSED, told.out + told.err
    found = by_model(typed("report", "e.toml", "--json").json)
    assert found["strong"]["answered"] == 40
    assert "weak" not in found


def test_of_models_that_are_measured_one_has_to_work_at_the_start_and_the_others_are_told() -> None:
    works, gone = Check("strong", ok=True, message="answers"), Check("weak", ok=False, message="no such host")
    said: list[str] = []
    demand([works, gone], said.append, frozenset({"strong", "weak"}))

    assert said == ["cannot be used now, the next run asks it again:\n  weak: no such host"]
    for checks, spare in (([gone], {"weak"}), ([works, gone], set[str]()), ([works, gone], {"strong"})):
        with pytest.raises(UsageError, match="these cannot be used:\n  weak: no such host"):
            demand(checks, said.append, frozenset(spare))
