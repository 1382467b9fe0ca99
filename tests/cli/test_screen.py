"""The two streams: answers, errors, crashes, readers that leave."""

import asyncio
import json
import os
from pathlib import Path

import pytest
from tests.cli.campaign import process

from benchwright import app
from benchwright.cli import run_command, show_crash, show_failure
from benchwright.errors import ConfigError, DiskFull, Fatal, Owned, UsageError
from benchwright.show.code import Code
from benchwright.show.screen import Screen


def raised(error: Exception) -> Exception:
    """The error with a traceback."""
    try:
        raise error
    except type(error) as caught:
        return caught


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("x"), Code.USAGE),
        (ConfigError("x"), Code.USAGE),
        (Owned("x"), Code.USAGE),
        (Fatal("x"), Code.FAILED),
        (DiskFull("x"), Code.FAILED),
    ],
)
def test_each_error_has_its_exit_code(error: Exception, code: Code, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_failure([], error) == code
    assert capsys.readouterr() == ("", "error: x\n")


def test_an_error_keeps_its_lines_and_drives_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show_failure([], UsageError("[bold]models\x1b[2J:\n  red: no key " + "x" * 300))
    assert capsys.readouterr().err == "error: [bold]models\\x1b[2J:\n  red: no key " + "x" * 300 + "\n"


def test_an_error_is_a_json_document_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_failure(["status", "--json"], Owned("busy \ud800 \x9b")) == Code.USAGE
    out, err = capsys.readouterr()
    assert json.loads(out) == {"error": "busy \ud800 \x9b", "kind": "Owned"}
    assert out.isascii()
    assert err == ""


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["nonsense"], 'Unknown command "nonsense"'),
        (["run"], "CAMPAIGN"),
        (["run", "a.toml", "--accept-changs"], "Did you mean --accept-changes?"),
        (["items", "a.toml", "--state", "lost"], '"lost"'),
    ],
)
def test_a_bad_command_line_is_one_line_and_exit_code_2(
    words: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(words) == Code.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert part in err
    assert err.count("\n") == 1


def test_a_bad_command_line_can_be_told_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["nonsense", "--json"]) == Code.USAGE
    assert json.loads(capsys.readouterr().out)["kind"] == "UsageError"


def test_an_unexpected_error_is_told_with_its_last_frame_and_where_to_report_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error = raised(ZeroDivisionError("nought"))
    show_crash([], ZeroDivisionError, error, None)
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("error: unexpected ZeroDivisionError: nought at ")
    assert first.endswith("in raised")
    assert "please report it" in second


@pytest.mark.parametrize("how", ["flag", "environment"])
def test_debugging_shows_the_whole_traceback(
    how: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if how == "environment":
        monkeypatch.setenv("BENCHWRIGHT_DEBUG", "1")
    words = ["--debug"] if how == "flag" else []
    show_crash(words, ZeroDivisionError, raised(ZeroDivisionError("\x1bc")), None)
    err = capsys.readouterr().err
    assert "Traceback (most recent call last)" in err
    assert "\x1b" not in err


def test_an_unexpected_error_without_a_traceback_is_told_too(capsys: pytest.CaptureFixture[str]) -> None:
    show_crash(["--json"], ValueError, ValueError("x"), None)
    assert json.loads(capsys.readouterr().out) == {"error": "unexpected ValueError: x", "kind": "ValueError"}


def test_progress_goes_to_stderr_where_stdout_is_for_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    Screen(json=True).say("a line")
    Screen().say("another")
    assert capsys.readouterr() == ("another\n", "a line\n")


async def failing(_: Path, __: object) -> list[object]:
    """What a task group makes of an error of ours."""
    async with asyncio.TaskGroup():
        raise DiskFull


async def crashing(_: Path, __: object) -> list[object]:
    """What it makes of any other."""
    async with asyncio.TaskGroup():
        raise ZeroDivisionError


def test_an_error_of_ours_is_found_in_a_group(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "doctor", failing)
    assert run_command(["doctor", "a.toml"]) == Code.FAILED
    assert capsys.readouterr().err.startswith("error: The disk is full")


def test_a_group_without_an_error_of_ours_is_unexpected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "doctor", crashing)
    with pytest.raises(ExceptionGroup):
        run_command(["doctor", "a.toml"])


def test_a_reader_that_leaves_is_no_error() -> None:
    program = (
        "import os, sys, time\nfrom benchwright.show.screen import Screen\nscreen = Screen()\n"
        "for n in range(3):\n    screen.say('line ' * 5000)\nsys.stderr.write('went on')"
    )
    read, write = os.pipe()
    os.close(read)
    done = process("-c", program, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"went on")


def test_ctrl_c_before_work_begins_is_exit_code_130() -> None:
    program = (
        "import signal, sys, threading\nfrom benchwright import app, cli\n"
        "async def slow(path, say):\n    import asyncio\n"
        "    signal.raise_signal(signal.SIGINT)\n    await asyncio.sleep(9)\n"
        "app.doctor = slow\ncli.main(['doctor', 'x.toml'])"
    )
    done = process("-c", program)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
