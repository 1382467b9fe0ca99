"""Help: there at once, complete, and true about exit codes."""

import signal

import pytest
from tests.cli.campaign import process

from benchwright.cli import main

COMMANDS = (
    "init",
    "run",
    "resume",
    "pause",
    "status",
    "explain",
    "items",
    "review",
    "export",
    "doctor",
    "drill",
    "corpus",
)
CORPUS = ("corpus collect", "corpus add", "corpus list")
HEAVY = ("asyncio", "benchwright.app", "httpx2", "litellm", "lxml", "pydantic", "sqlite3", "xllamacpp")


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as exited:
        main(words)
    assert exited.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_in_the_help_and_has_help_of_its_own(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f" {command} " in shown(capsys, "--help")
    assert f"benchwright {command}" in shown(capsys, command, "--help")


@pytest.mark.parametrize("command", [*COMMANDS[:7], "review export", "review import", *COMMANDS[8:-1], *CORPUS])
def test_each_command_can_answer_in_json(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--json" in shown(capsys, *command.split(), "--help")


def test_the_help_tells_what_each_exit_code_means(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(capsys, "--help")
    for number, meaning in enumerate(("done", "failed", "usage", "paused", "partial", "waiting")):
        assert f"  {number}  {meaning}" in told


def test_a_bare_call_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys) == shown(capsys, "--help")


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\nfrom benchwright.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        f"print('heavy:', [name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert process("-c", program).stdout.splitlines()[-1] == b"heavy: []"


def test_the_package_can_be_run_as_a_module() -> None:
    assert process("-m", "benchwright", "--version").stdout.count(b".") == 2


def test_ctrl_c_while_modules_are_read_ends_the_process_by_the_signal_and_prints_nothing() -> None:
    interrupted = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'benchwright.cli':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from benchwright.__main__ import main\n"
        "main()\n"
    )
    done = process("-c", interrupted, "--help")
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_ctrl_c_that_a_shell_has_ignored_stays_ignored() -> None:
    begun = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nfrom benchwright.__main__ import main\n"
    asked = f"{begun}try:\n    main()\nfinally:\n    print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)\n"
    assert process("-c", asked, "--version").stdout.endswith(b"True\n")
