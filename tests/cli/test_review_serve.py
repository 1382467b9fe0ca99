"""The review desk, opened at the command line."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from tests.cli.campaign import served, typed, written

import benchwright
from benchwright.show.code import Code

EVERYWHERE = "0.0.0.0"  # noqa: S104 - for as long as a test takes


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with served() as stub:
        path = written(tmp_path_factory.mktemp("campaign"), stub.url)
        assert typed("run", path).code == Code.WAITING
        yield path


def opened(campaign: Path, *words: str, port: str = "0", **environment: str) -> "subprocess.Popen[str]":
    """The desk as another process."""
    known = os.environ | {"PYTHONPATH": str(Path(benchwright.__file__).parents[1])} | environment
    command = [sys.executable, "-m", "benchwright", "review", "serve", str(campaign), "--port", port, *words]
    return subprocess.Popen(command, env=known, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def links(desk: "subprocess.Popen[str]", count: int) -> list[tuple[str, str]]:
    """The links that it prints, each with whose it is."""
    assert desk.stdout
    found: list[tuple[str, str]] = []
    while len(found) < count:
        line = desk.stdout.readline()
        assert line, "the desk did not open"
        if link := re.match(r"  (.+): (http://\S+)", line):
            found.append((link[1], link[2]))
    return found


def closed(desk: "subprocess.Popen[str]") -> int:
    """The code with which it ends."""
    with desk:
        return desk.wait(20)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_desk_is_open_on_this_machine_until_it_is_stopped(campaign: Path, stop: signal.Signals) -> None:
    desk = opened(campaign)
    try:
        ((whose, link),) = links(desk, 1)
        assert whose == "works once"
        assert link.startswith("http://127.0.0.1:")
        base, word = link.split("/enter?word=")
        with httpx2.Client(base_url=base, follow_redirects=True, headers={"Origin": base}) as browser:
            assert browser.get("/card").status_code == 403
            shown = browser.post("/enter", data={"word": word, "name": "Ada", "sure": "Ada"})
            assert "claims to be a" in shown.text
            hidden = re.findall(r'type="hidden" name="(csrf|card)" value="([^"]+)"', shown.text)
            fields = dict(reversed(hidden))  # the form of the card stands first, that of its whole item behind it
            assert (
                "You said <strong>keep</strong>"
                in browser.post("/decide", data=fields | {"decision": "keep", "reason": ""}).text
            )
            assert "You said <strong>keep</strong>" not in browser.post("/undo", data=fields).text
    finally:
        desk.send_signal(stop)
        assert closed(desk) == Code.DONE


def test_each_reviewer_gets_a_link_and_a_password_is_read_from_the_environment(campaign: Path) -> None:
    desk = opened(
        campaign,
        "--reviewer",
        "Ada",
        "--reviewer",
        "Bob",
        "--host",
        EVERYWHERE,
        "--password-env",
        "DESK",
        DESK="secret",
    )
    try:
        found = links(desk, 3)
        assert [whose for whose, _ in found] == ["with the password", "Ada", "Bob"]
        port = found[0][1].rpartition(":")[2].partition("/")[0]
        base = f"http://127.0.0.1:{port}"
        with httpx2.Client(base_url=base, follow_redirects=True, headers={"Origin": base}) as browser:
            assert browser.post("/enter", data={"word": "wrong", "name": "Eve"}).status_code == 403
            assert browser.post("/enter", data={"word": "secret", "name": "Cyd"}).status_code == 200
    finally:
        desk.send_signal(signal.SIGINT)
        assert closed(desk) == Code.DONE


def test_a_restart_locks_nobody_out_and_a_link_made_beside_the_desk_lets_in(campaign: Path) -> None:
    desk = opened(campaign)
    base = links(desk, 1)[0][1].split("/enter?word=")[0]
    try:
        made = typed("review", "link", campaign, "--reviewer", "Dan", "--json").json
        assert (made["link"].startswith(base), made["reviewer"]) == (True, "Dan")
        with httpx2.Client(base_url=base, follow_redirects=True, headers={"Origin": base}) as browser:
            word = made["link"].split("word=")[1]
            assert "Leave</button>" in browser.post("/enter", data={"word": word}).text
            desk.send_signal(signal.SIGINT)
            assert closed(desk) == Code.DONE
            desk = opened(campaign, port=base.rpartition(":")[2])
            assert links(desk, 1)
            assert "Leave</button>" in browser.get("/card").text
            half = socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2])))
            half.sendall(b"POST /decide HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\ncsrf=")
            desk.send_signal(signal.SIGINT)
            assert closed(desk) == Code.DONE
            half.close()
    finally:
        if desk.poll() is None:
            desk.kill()
            closed(desk)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--host", EVERYWHERE), "give a password for them, --password-env"),
        (("--password-env", "NOT_SET_ANYWHERE"), "NOT_SET_ANYWHERE is not set"),
        (("--reviewer", "a/b"), "is no name"),
    ],
)
def test_what_cannot_be_opened_is_told(campaign: Path, words: tuple[str, ...], told: str) -> None:
    found = typed("review", "serve", campaign, "--port", "0", *words)
    assert (found.code, told in found.err) == (Code.USAGE, True), found.err


def test_a_port_that_is_taken_is_told(campaign: Path) -> None:
    desk = opened(campaign)
    try:
        port = links(desk, 1)[0][1].rpartition(":")[2].partition("/")[0]
        found = typed("review", "serve", campaign, "--port", port)
        assert found.code == Code.USAGE
        assert "give another --port" in found.err
    finally:
        desk.send_signal(signal.SIGINT)
        closed(desk)
