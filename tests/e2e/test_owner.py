"""Two runners on one file, by whatever path: the second is told who owns it, and changes nothing (QUEUE test 8)."""

import os
import re
import signal
import socket
from pathlib import Path

from tests.e2e.machine import Command, begin, campaign, command, rows, until
from tests.e2e.models import serving

from benchwright.show.code import Code

TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"


def everything(file: Path) -> dict[str, object]:
    """The whole database, the owner's lock, and which files lie beside it."""
    tables = {name: rows(file, f"SELECT * FROM {name}") for (name,) in rows(file, TABLES)}  # noqa: S608
    lock = file.with_name(f"{file.stem}.db.lock").read_bytes()
    return {"tables": tables, "lock": lock, "files": sorted(path.name for path in file.parent.iterdir())}


def other_paths(file: Path) -> dict[Path, Path]:
    """Other ways to name the same campaign, each with the folder to be in."""
    folder, links = file.parent, file.parents[1] / "links"
    links.mkdir()
    (links / "folder").symlink_to(folder)
    for name in (file.name, f"{file.stem}.db"):
        (links / name).symlink_to(folder / name)
    return {
        file: Path.cwd(),
        Path("..", folder.name, f"{file.stem}.db"): links,
        links / "folder" / file.name: folder,
        Path(file.name): links,
    }


def test_a_second_runner_is_told_who_owns_the_campaign_and_changes_nothing(tmp_path: Path) -> None:
    with serving(60) as models:
        file = campaign(tmp_path / "campaign", models.url)
        first = begin("run", file)
        try:
            until(lambda: len(models.traces) == 4, "the first runner's calls are in flight")
            told_and_idle(file, first)
            assert len(models.traces) == 4
        finally:
            first.kill()


def told_and_idle(file: Path, first: Command) -> None:
    """Every other path is refused and nothing moves."""
    before = everything(file)
    for path, folder in other_paths(file).items():
        told = command("run", path, cwd=folder)
        assert told.code == Code.USAGE, told
        assert f"by process {first.process.pid} on {socket.gethostname()} since " in told.err
        assert re.search(r"since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", told.err)
        assert everything(file) == before


def test_a_stopped_owner_still_owns_and_a_killed_one_does_not(tmp_path: Path) -> None:
    with serving(0.02) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=2)
        first = begin("run", file)
        try:
            until(lambda: models.traces, "the first runner's calls are in flight")
            os.kill(first.process.pid, signal.SIGSTOP)
            assert command("run", file).code == Code.USAGE
        finally:
            first.kill()
        assert command("run", file).code in {Code.DONE, Code.WAITING}
