"""Every command on a real campaign, first to last."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.cli.campaign import CAMPAIGN, Typed, served, typed, written
from tests.stub import Raw, Stub

from benchwright.pipelines import PIPELINES
from benchwright.show.code import Code


@dataclass(frozen=True, slots=True)
class Ran:
    """A campaign that was run."""

    path: Path
    run: Typed
    stub: Stub


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ran]:
    with served() as stub:
        path = written(tmp_path_factory.mktemp("campaign"), stub.url)
        yield Ran(path, typed("run", path), stub)


def listed(path: Path, state: str) -> str:
    """The id of the first item in a state."""
    name: str = typed("items", path, "--state", state, "--json").json[0]["id"]
    return name


def harmless(text: str) -> bool:
    """Whether nothing in it could drive a terminal."""
    return not {"\x1b", "\x9b", "\u202e"} & set(text)


def test_a_run_ends_with_what_was_made_and_what_waits_and_what_to_type_next(ran: Ran) -> None:
    assert (ran.run.code, ran.run.err) == (Code.WAITING, "")
    for part in (
        "made: 1 kept of 3; 1 discarded; waiting for people: 2 decisions on 1 item",
        r"documents/empty\x1b[2J.md: is empty",
        "too few options",
        "cost unknown",
        f"benchwright explain {ran.path} {listed(ran.path, 'waiting')[:10]}",
        f"benchwright review export {ran.path} review.csv",
        f"benchwright export {ran.path}",
    ):
        assert part in ran.run.out
    assert "Only the embedded model" not in ran.run.out


def test_a_run_that_is_not_on_a_terminal_prints_plain_lines(ran: Ran) -> None:
    advice, first, *_ = ran.run.out.splitlines()
    assert "such a checker tends to confirm its own text" in advice
    assert "of 3, " in first
    assert harmless(ran.run.out)


def test_running_again_ends_the_same_and_asks_nobody(ran: Ran) -> None:
    before = len(ran.stub.seen)
    again = typed("run", ran.path, "--json")
    assert again.code == Code.WAITING
    assert (again.json["ended"]["how"], again.json["embedded"]) == ("waiting", False)
    assert again.json["status"]["items"] == {"kept": 1, "waiting": 1, "discarded": 1}
    assert "1 kept of 3" in again.err
    assert len(ran.stub.seen) == before


def test_resuming_is_running(ran: Ran) -> None:
    assert typed("resume", ran.path.with_suffix(".db"), "--json").json["ended"]["how"] == "waiting"


def test_resuming_what_has_not_begun_is_a_usage_error(tmp_path: Path) -> None:
    told = typed("resume", tmp_path / "new.toml")
    assert told.code == Code.USAGE
    assert f"{tmp_path / 'new.toml'} does not exist: check its name" in told.err


@pytest.mark.parametrize("words", [("status",), ("pause",), ("items",), ("explain", "a"), ("export",), ("checkers",)])
def test_the_file_that_was_named_is_the_one_that_is_missed(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "nope.toml"
    told = typed(words[0], path, *words[1:])
    assert (told.code, told.err) == (
        Code.USAGE,
        f"error: {path} does not exist: check its name; 'benchwright init' writes a first campaign\n",
    )
    path.write_text("", "utf-8")
    assert f"{path}: this campaign has not begun: begin it with" in typed(words[0], path, *words[1:]).err


@pytest.mark.parametrize("suffix", [".toml", ".db"])
def test_the_status_can_be_asked_by_either_file(ran: Ran, suffix: str) -> None:
    told = typed("status", ran.path.with_suffix(suffix))
    assert told.code == Code.DONE
    assert "items: 1 kept of 3, 0 in the making, 1 waiting for people (2 decisions), 1 discarded" in told.out
    assert harmless(told.out)


def test_the_status_in_json_has_unknown_money_as_null(ran: Ran) -> None:
    found = typed("status", ran.path, "--json").json
    assert (found["campaign"], found["people"], found["cost"]) == ("small", 2, None)
    paid = {(one["model"], one["cost"] is None, one["known_cost"]) for one in found["spending"]}
    assert ("second", True, 0.0) in paid
    assert all(known > 0 for model, unknown, known in paid if not unknown)
    assert found["refused"] == {"documents/empty\x1b[2J.md": "is empty; add its text or take it out"}


def test_following_a_campaign_that_has_ended_shows_it_once(ran: Ran) -> None:
    told = typed("status", ran.path, "--watch")
    assert told.code == Code.DONE
    assert told.out.count("campaign small") == 1


@pytest.mark.parametrize("state", ["kept", "waiting", "discarded"])
def test_items_are_listed_by_state_with_ids_that_explain_takes(ran: Ran, state: str) -> None:
    told = typed("items", ran.path, "--state", state)
    short = listed(ran.path, state)[:10]
    assert short in told.out
    assert f"documents/[red]{state}.md" in told.out
    assert typed("explain", ran.path, short).code == Code.DONE


def test_all_items_are_listed_without_a_state_and_none_is_said_so(ran: Ran) -> None:
    assert len(typed("items", ran.path, "--json").json) == 3
    assert typed("items", ran.path, "--state", "open").out == "no such items\n"


def test_a_kept_item_is_explained_from_the_document_to_its_line_in_the_export(ran: Ran) -> None:
    told = typed("explain", ran.path, listed(ran.path, "kept")).out
    told_in_order = (
        "document: documents/[red]kept.md",
        "[1] This document is kept.  (characters ",
        "Question",
        "Option A, ",
        "writer#1 votes ",
        "2/2 votes confirm it: keep",
        "items.jsonl, line 1: options A, B, C in this order; right: ",
        "1. choose_class, writer#1 (",
        "reply: {",
        "calls, cost unknown",
    )
    places = [told.index(part) for part in told_in_order]
    assert places == sorted(places)
    assert r"because \x1b[2J[bold]of[/bold] \x9b1m\u202eit" in told
    assert harmless(told)


def test_an_item_that_waits_is_explained_with_its_votes(ran: Ran) -> None:
    told = typed("explain", ran.path, listed(ran.path, "waiting")).out
    assert "1/2 votes confirm it: to people" in told
    assert "not yet: people owe a decision" in told


def test_a_discarded_item_is_explained_with_its_cause(ran: Ran) -> None:
    told = typed("explain", ran.path, listed(ran.path, "discarded")).out
    assert "discarded, too few options: 1 options left, 3 needed" in told
    assert "not: it was discarded" in told


def test_prompts_are_shown_in_full_where_asked_for(ran: Ran) -> None:
    name = listed(ran.path, "kept")
    short, long = typed("explain", ran.path, name).out, typed("explain", ran.path, name, "--prompts").out
    assert "</document>" in long
    assert "</document>" not in short
    assert harmless(long)


def test_an_explanation_in_json_has_every_prompt_and_reply(ran: Ran) -> None:
    found = typed("explain", ran.path, listed(ran.path, "kept"), "--json").json
    assert found["line"] == 1
    assert found["stands"]["order"] == found["item"]["body"]["order"]
    assert all(said["call"]["messages"] and said["call"]["reply"] for said in found["said"])


def test_an_item_that_is_not_there_is_a_usage_error(ran: Ran) -> None:
    told = typed("explain", ran.path, "zz", "--json")
    assert (told.code, told.json["kind"]) == (Code.USAGE, "NotFound")


def test_the_set_is_written_beside_the_campaign_or_where_one_says(ran: Ran, tmp_path: Path) -> None:
    files = typed("export", ran.path, "--folder", tmp_path / "set", "--json").json["files"]
    assert [Path(file).name for file in files] == [
        "items.jsonl", "provenance.jsonl", "documents.jsonl", "README.md", "manifest.json",
    ]  # fmt: skip
    assert json.loads(Path(files[0]).read_text("utf-8"))["id"] == listed(ran.path, "kept")
    told = typed("export", ran.path)
    assert f"wrote {ran.path.with_name('small-set')}" in told.out
    number = typed("export", ran.path, "--json").json["items"]
    assert number > 0
    assert f"the set holds {number} kept item" in told.out


def test_the_models_are_checked_without_spending(ran: Ran) -> None:
    before = len(ran.stub.seen)
    told = typed("doctor", ran.path)
    assert told.code == Code.DONE
    assert told.out.count(" ok ") == 4  # the last is advice: the writer votes too
    checks = typed("doctor", ran.path, "--json").json
    assert [check["ok"] for check in checks] == [True, True, True, True]
    assert checks[0]["message"].startswith("3 can be used, 1 refused\nrefused documents/empty")
    assert len(ran.stub.seen) == before


def test_a_model_that_is_not_there_fails_the_check_and_stops_a_run_before_it_begins(tmp_path: Path) -> None:
    path = written(tmp_path, "http://127.0.0.1:9/v1")
    assert typed("doctor", path).code == Code.USAGE
    told = typed("run", path)
    assert told.code == Code.USAGE
    assert "these cannot be used" in told.err
    assert not path.with_suffix(".db").exists()


def test_a_corpus_that_names_no_file_fails_the_check(tmp_path: Path) -> None:
    with served() as stub:
        path = written(tmp_path, stub.url)
        for document in tmp_path.glob("documents/*"):
            document.unlink()
        told = typed("doctor", path, "--json")
    assert told.code == Code.USAGE
    assert [check["name"] for check in told.json if not check["ok"]] == ["corpus"]
    assert "add some" in told.json[0]["message"]


def test_rows_that_cannot_be_taken_are_told_by_the_exit_code(tmp_path: Path) -> None:
    with served() as stub:
        path, file = written(tmp_path, stub.url), tmp_path / "review.jsonl"
        typed("run", path)
        typed("review", "export", path, file)
        first, second = (json.loads(line) for line in file.read_text("utf-8").splitlines())
        rows = (first | {"decision": "keep"}, second | {"decision": "perhaps"})
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        told = typed("review", "import", path, file, "--by", "ada")
        assert told.code == Code.PARTIAL
        assert "2 rows: 1 applied, 1 refused" in told.out
        file.write_text(json.dumps(first | {"decision": "reject"}) + "\n", "utf-8")
        assert typed("review", "import", path, file, "--by", "bob").code == Code.PARTIAL


def test_people_decide_by_file_and_the_next_run_goes_on(tmp_path: Path) -> None:
    with served() as stub:
        path, file = written(tmp_path, stub.url), tmp_path / "review.jsonl"
        typed("run", path)
        told = typed("review", "export", path, file)
        assert told.code == Code.DONE
        assert "wrote 2 cards" in told.out
        assert f"benchwright review import {path} {file} --by NAME" in told.out
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        file.write_text("".join(json.dumps(row | {"decision": "keep"}) + "\n" for row in rows), "utf-8")
        assert "2 rows: 2 applied" in typed("review", "import", path, file, "--by", "ada").out
        again = typed("review", "import", path, file, "--by", "bob", "--json").json
        assert {row["outcome"] for row in again} == {"already there"}
        assert typed("run", path).code == Code.DONE
        kept = typed("items", path, "--state", "kept").out
        assert typed("review", "export", path, tmp_path / "again.csv", "--json").json["cards"] == 0
    assert "[red]waiting.md" in kept


def test_a_decision_that_changes_nothing_is_told_by_line(ran: Ran, tmp_path: Path) -> None:
    file = tmp_path / "odd.jsonl"
    file.write_text(json.dumps({"key": "nothing/here", "decision": "keep"}) + "\n", "utf-8")
    told = typed("review", "import", ran.path, file, "--by", "ada")
    assert "1 row: 1 refused" in told.out
    assert "line 1: refused: this campaign has no card 'nothing/here'" in told.out


def test_a_pause_where_nothing_runs_says_so(ran: Ran) -> None:
    assert "no run is at work, so there is nothing to pause" in typed("pause", ran.path).out
    assert typed("pause", ran.path, "--json").json == {"paused": False, "runner": None}


def test_too_few_items_end_with_the_code_for_partial_and_the_table_of_shortfalls(tmp_path: Path) -> None:
    with served() as stub:
        path = written(tmp_path, stub.url)
        for fate in ("kept", "waiting"):
            (tmp_path / "documents" / f"[red]{fate}.md").unlink()
        path.write_text(path.read_text("utf-8") + "\n[items]\ntarget = 1\n", "utf-8")
        told = typed("run", path)
    assert told.code == Code.PARTIAL
    assert "ended short: 1 of 1 items could not be made" in told.out
    assert "wanted items that no try has filled" in told.out


def test_what_stops_a_campaign_is_told_with_the_code_for_failed(tmp_path: Path) -> None:
    with served(lambda body: Raw(status=401, text="{}")) as stub:
        path = written(tmp_path, stub.url)
        told = typed("run", path, "--json")
    assert (told.code, told.json["kind"]) == (Code.FAILED, "BadKey")
    standing = typed("status", path).out
    assert "failed (BadKey): item " in standing
    assert "model 'writer'" in standing
    assert typed("status", path, "--json").json["ended"]["how"] == "failed"
    with served() as stub:
        path.write_text(CAMPAIGN.format(url=stub.url), "utf-8")
        assert typed("run", path, "--accept-changes").code == Code.WAITING
    assert "waiting: people owe" in typed("status", path).out


def test_a_corpus_of_which_no_file_can_be_used_ends_the_run_as_failed(tmp_path: Path) -> None:
    with served() as stub:
        path = written(tmp_path, stub.url)
        for file in (tmp_path / "documents").glob("*red*"):
            file.unlink()
        assert typed("run", path).code == Code.USAGE
    assert "failed (CorpusError): no file of the corpus can be used" in typed("status", path).out


def test_a_new_campaign_is_written_with_a_folder_for_documents_and_never_over_another(tmp_path: Path) -> None:
    path = tmp_path / "my set" / "plan.toml"
    told = typed("init", path)
    assert told.code == Code.DONE
    assert f"benchwright run '{path}'" in told.out
    assert (path.parent / "documents").is_dir()
    path.write_text("mine", "utf-8")
    refused = typed("init", path)
    assert (refused.code, path.read_text("utf-8")) == (Code.USAGE, "mine")
    assert "--force" in refused.err
    assert typed("init", path, "--force", "--json").json == {"campaign": str(path)}
    assert 'name = "plan"' in path.read_text("utf-8")


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_a_first_campaign_can_be_written_for_each_pipeline_and_help_names_them_all(
    tmp_path: Path, pipeline: str
) -> None:
    path = tmp_path / "plan.toml"
    assert typed("init", path, "--pipeline", pipeline).code == Code.DONE
    assert f'pipeline = "{pipeline}"' in path.read_text("utf-8")
    assert pipeline in typed("init", "--help").out
    wrong = typed("init", path, "--force", "--pipeline", f"{pipeline}s")
    assert (wrong.code, f"did you mean {pipeline}?" in wrong.err) == (Code.USAGE, True)


def test_a_place_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    told = typed("init", tmp_path / "file" / "plan.toml")
    assert told.code == Code.USAGE
    assert "cannot be written" in told.err


def test_a_corpus_that_was_named_wrongly_is_named_anew_without_more_ado(tmp_path: Path) -> None:
    with served() as stub:
        path = written(tmp_path, stub.url)
        rules = path.read_text("utf-8")
        (tmp_path / "elsewhere").mkdir()
        path.write_text(rules.replace('["documents"]', '["elsewhere"]'), "utf-8")
        assert typed("run", path).code == Code.USAGE
        path.write_text(rules, "utf-8")
        told = typed("run", path)
        assert told.code == Code.WAITING, told.err
        path.write_text(rules.replace("reject = 0.4", "reject = 0.3"), "utf-8")
        assert "rule.reject: 2/5 -> 3/10" in typed("run", path).err
