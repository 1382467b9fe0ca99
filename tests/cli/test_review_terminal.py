"""The review desk in a terminal."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.campaign import Typed, served, typed, written

import benchwright
from benchwright.show.code import Code


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Path]:
    with served() as stub:
        path = written(tmp_path, stub.url)
        assert typed("run", path).code == Code.WAITING
        yield path


def answered(monkeypatch: pytest.MonkeyPatch, campaign: Path, *lines: str, who: str = "ada") -> Typed:
    """The desk, with these lines typed into it."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return typed("review", campaign, "--reviewer", who)


def decided(campaign: Path, folder: Path) -> list[list[str]]:
    """What was decided: who, what, why."""
    out = folder / "said.jsonl"
    assert typed("review", "export", campaign, out, "--decided").code == Code.DONE
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return [[said["by"], said["decision"], said["reason"]] for row in rows for said in row["opinions"]]


def test_cards_are_decided_one_by_one_and_votes_are_shown_after(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = answered(monkeypatch, campaign, "k  so it is", "r")
    assert (told.code, told.err) == (Code.DONE, "")
    assert told.out.count("It claims to be a\n  distractor") == 2
    first, after = told.out.split("Votes that confirm it", 1)
    assert "writer#1" not in first
    assert "writer#1 says wrong" in after
    assert "0 decided, 2 wait." in told.out
    assert "Nothing is left for you." in told.out
    assert "2 decisions made" in told.out
    assert decided(campaign, tmp_path) == [["human:ada", "keep", "so it is"], ["human:ada", "reject", ""]]


def test_with_json_standard_output_is_one_document(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("k\nq\n"))
    told = typed("review", campaign, "--reviewer", "ada", "--json")
    assert told.code == Code.DONE
    assert json.loads(told.out) == {"decisions": 1}
    assert told.err.count("ada> ") == 2


def test_texts_do_not_drive_the_terminal(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = answered(monkeypatch, campaign, "k", "d", "r", "u")
    assert not {"\x1b", "\x9b", "\u202e"} & set(told.out)
    assert "[bold]of[/bold]" in told.out


def test_a_key_tells_how_to_decide(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = answered(monkeypatch, campaign, "h", "q")
    assert "h how to decide" in told.out
    assert "A distractor is kept if it is a true statement" in told.out


def test_what_is_no_move_is_told_and_nothing_is_lost(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = answered(monkeypatch, campaign, "", "x", "u", "e", "", "e", "Option A", "e better", "Other words", "u", "q")
    assert "'x' is no key here" in told.out
    assert "nothing that you could take back" in told.out
    assert "no wording, no edit" in told.out
    assert "says nothing that could be an answer" in told.out
    assert "you had said: edit Other words better" in told.out
    assert "0 decisions made" in told.out
    assert decided(campaign, tmp_path) == []


def test_a_skipped_card_comes_last(campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = answered(monkeypatch, campaign, "s", "c", "S", "K")
    assert "Nothing is left for you." in told.out
    assert [said[1] for said in decided(campaign, tmp_path)] == ["cannot_say", "keep"]


def test_a_word_about_the_whole_item_is_confirmed_and_the_card_is_shown_again(
    campaign: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = answered(monkeypatch, campaign, "i", "d", "i", "e clearer", "Which place was it?", "u", "q")
    assert "nothing was said about the item: 'd' is none of e edit, x discard" in told.out
    assert "your decision about the item is on record; u takes it back" in told.out
    assert "Question, as people worded it\n  Which place was it?" in told.out
    assert told.out.count("It claims to be a") == 3  # at first, in other words, and taken back
    assert decided(campaign, tmp_path) == []


def test_opinions_that_differ_are_told_to_whoever_decides_next(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = campaign.read_text("utf-8")
    campaign.write_text(source + "[review]\nopinions = 2\nblind = false\n", "utf-8")
    assert typed("run", campaign, "--accept-changes").code == Code.WAITING
    assert "says wrong" in answered(monkeypatch, campaign, "e", "Other words", "q").out
    assert "human:ada says edit" in answered(monkeypatch, campaign, "r", "r", who="bob").out
    told = answered(monkeypatch, campaign, "s", "s", "q", who="cyd").out
    assert "opinions differ\nproposed: Other words\n" in told


def test_a_name_that_cannot_sign_is_a_usage_error(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(monkeypatch, campaign, "k", who="a/b").code == Code.USAGE


def test_ctrl_c_ends_the_desk_at_once_and_frees_the_card(campaign: Path) -> None:
    ours, theirs = pty.openpty()
    environment = os.environ | {"PYTHONPATH": str(Path(benchwright.__file__).parents[1])}
    command = [sys.executable, "-m", "benchwright", "review", str(campaign), "--reviewer", "ada"]
    with subprocess.Popen(
        command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as desk:
        seen = b""
        while b"ada> " not in seen:
            seen += os.read(ours, 4096)
        time.sleep(0.2)
        desk.send_signal(signal.SIGINT)
        assert desk.wait(10) == Code.DONE
    os.close(theirs)
    os.close(ours)
