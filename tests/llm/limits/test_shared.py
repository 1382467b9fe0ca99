"""What processes tell each other about an endpoint, through a file of the user's."""

import asyncio
import fcntl
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import clock
from tests.llm.traffic import MODEL, Provider, ask_all, busiest, request

from benchwright.domain.call import Reply
from benchwright.domain.campaign import Model
from benchwright.errors import RateLimited
from benchwright.llm.limits.limit import Limit
from benchwright.llm.limits.shared import LATER, Alone, Shared, book, place
from benchwright.llm.limits.window import LONGEST, MINUTE, TICK, Window

NOW = 1_800_000_000.0


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "limits" / "endpoint.json"


def shared(file: Path, said: list[str] | None = None, rpm: int = 100) -> Shared:
    """One process's view; it fails the test where it has to say something that nobody expects."""

    def say(message: str) -> None:
        assert said is not None, message
        said.append(message)

    return Shared(Window(rpm), file, say)


def use(one: Shared, now: float, requests: int = 1, tokens: int = 0) -> tuple[int, int]:
    """Count something; returns what everybody has used."""
    with one.hold(now):
        one.add(now, requests, tokens)
        return one.window.requests, one.window.tokens


def seen(one: Shared, now: float) -> tuple[int, int]:
    with one.hold(now) as window:
        return window.requests, window.tokens


def state(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.json"))


# ------------------------------------------------------------------------------------------------------------ the file


def test_processes_see_each_others_minute_and_forget_it_together(file: Path) -> None:
    one, two = shared(file), shared(file)
    assert use(one, NOW, 2, 50) == (2, 50)
    assert use(two, NOW + 30, 1, 5) == (3, 55)
    assert seen(one, NOW + 30) == (3, 55)
    assert seen(one, NOW + MINUTE + TICK) == (1, 5)
    assert not one.mine.buckets
    assert seen(two, NOW + 200) == (0, 0)
    assert json.loads(file.read_bytes()) == {}


def test_a_correction_reaches_the_others(file: Path) -> None:
    one, two = shared(file), shared(file)
    use(one, NOW, 1, 500)
    use(two, NOW)
    one.add(NOW, 0, -400)
    assert seen(one, NOW + 1) == seen(two, NOW + 1) == (2, 100)


def test_a_cool_down_reaches_the_others_and_the_longest_holds(file: Path) -> None:
    one, two = shared(file), shared(file)
    one.cool(NOW + 30)
    seen(one, NOW)
    two.cool(NOW + 10)
    with two.hold(NOW) as window:
        assert window.cooling == NOW + 30


def test_who_has_company_knows_it(file: Path) -> None:
    one, two = shared(file), shared(file)
    use(one, NOW)
    assert not one.company
    use(two, NOW)
    assert two.company
    seen(two, NOW + 100)
    assert not two.company


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 20), st.integers(1, 9)), max_size=30))
def test_whoever_looks_sees_the_sum_of_all(
    tmp_path_factory: pytest.TempPathFactory, uses: list[tuple[int, float, int]]
) -> None:
    file = tmp_path_factory.mktemp("state") / "endpoint.json"
    many, total, now = [shared(file) for _ in range(3)], Window(rpm=100), NOW
    for who, after, tokens in uses:
        now += after
        total.turn(now)
        total.add(now, 1, tokens)
        assert use(many[who], now, 1, tokens) == (total.requests, total.tokens)
        assert file.stat().st_size < 10_000


# ------------------------------------------------------------------------------------------------------ what goes wrong


BROKEN = {
    "cut": b'{"a": [0.0, [[36000000',
    "bytes": b"\xff\xfe\x00",
    "another form": b'{"a": {"requests": 5}}\n',
    "no numbers": b'{"a": [NaN, []]}\n',
    "less than nothing": b'{"a": [0.0, [[3600000000, -5, -5]]]}\n',
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_said_and_begun_anew(file: Path, broken: bytes) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(broken)
    said: list[str] = []
    one, two = shared(file, said), shared(file)
    assert use(one, NOW, 2, 50) == (2, 50)
    assert use(two, NOW) == (3, 50)
    assert len(said) == 1
    assert f"{file} was broken and is begun anew" in said[0]


def test_what_a_longer_line_has_left_behind_is_not_read(file: Path) -> None:
    one, two = shared(file), shared(file)
    use(one, NOW, 2)
    file.write_bytes(file.read_bytes() + b"[0.0, [[3600000000, 5, 5]]]}\n")  # killed before the file was cut
    assert use(two, NOW) == (3, 0)


def test_a_file_that_disappears_comes_back_with_what_each_has_used_itself(file: Path) -> None:
    one, two = shared(file), shared(file)
    use(one, NOW, 2)
    file.unlink()
    assert use(two, NOW, 3) == (3, 0)
    assert seen(one, NOW) == seen(two, NOW) == (5, 0)


def test_times_that_no_clock_gives_stop_nobody(file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"a": [NOW * 2, [[10**15, 99, 99]]]}))
    one = shared(file)
    with one.hold(NOW) as window:
        assert (window.requests, window.tokens) == (0, 0)
        assert window.cooling <= NOW + LONGEST


def test_a_place_that_cannot_be_written_is_said_and_the_process_goes_on_alone(file: Path) -> None:
    file.parent.parent.mkdir(parents=True)
    file.parent.write_text("a file where the folder should be")
    said: list[str] = []
    one = shared(file, said)
    assert [use(one, NOW), use(one, NOW + 1)] == [(1, 0), (2, 0)]
    assert len(said) == 1  # it is not tried again at once
    assert "set BENCHWRIGHT_STATE to a folder that can be written" in said[0]
    file.parent.unlink()
    assert use(one, NOW + LATER) == (3, 0)
    assert use(shared(file), NOW + LATER) == (4, 0)  # and then the others learn what they have missed


def test_a_process_that_stands_still_with_the_lock_stops_nobody(file: Path) -> None:
    said: list[str] = []
    one = shared(file, said)
    use(one, NOW)
    with file.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        began = time.monotonic()
        assert [use(one, NOW + 0.1), use(one, NOW + 0.2)] == [(2, 0), (3, 0)]
        assert time.monotonic() - began < 1
    assert len(said) == 1
    assert "is locked by a process that does not go on" in said[0]
    assert use(shared(file), NOW + 1) == (2, 0)  # what was used meanwhile is not known to others yet


@pytest.mark.parametrize(("full", "said"), [("locked", "cannot be locked"), ("written", "cannot be written")])
def test_what_the_disk_refuses_is_said(file: Path, monkeypatch: pytest.MonkeyPatch, full: str, said: str) -> None:
    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    if full == "locked":
        monkeypatch.setattr(fcntl, "flock", refuse)
    else:
        monkeypatch.setattr(os, "pwrite", refuse)
    heard: list[str] = []
    assert use(shared(file, heard), NOW, 2) == (2, 0)
    assert [said in message and "No space left" in message for message in heard] == [True]


# --------------------------------------------------------------------------------------------------- who has which file


def test_the_file_is_named_by_a_hash_that_holds_no_key_and_no_address(tmp_path: Path) -> None:
    def kept(*key: str) -> Path:
        found = book(Window(), (key[0], key[1], key[2], key[3]), tmp_path, print)
        assert isinstance(found, Shared)
        return found.file

    one = kept("direct", "http://user:pass@host/v1", "m", "KEY")
    assert one == kept("direct", "http://user:pass@host/v1", "m", "KEY")
    assert one != kept("direct", "http://user:pass@host/v1", "m", "OTHER_KEY")
    assert "pass" not in str(one.relative_to(tmp_path))
    assert isinstance(book(Window(), ("direct", "", "", ""), None, print), Alone)


PLACES = {
    "our own": ({"BENCHWRIGHT_STATE": "/s", "HOME": "/h", "XDG_STATE_HOME": "/x"}, "linux", "/s"),
    "freedesktop": ({"HOME": "/h", "XDG_STATE_HOME": "/x"}, "linux", "/x/benchwright"),
    "home": ({"HOME": "/h"}, "linux", "/h/.local/state/benchwright"),
    "macOS": ({"HOME": "/h", "XDG_STATE_HOME": "/x"}, "darwin", "/h/Library/Application Support/benchwright"),
    "Windows": ({"HOME": "/h", "LOCALAPPDATA": "/l"}, "win32", "/l/benchwright"),
    "nowhere": ({}, "linux", None),
    "nowhere on macOS": ({}, "darwin", None),
}


@pytest.mark.parametrize(("environ", "platform", "expected"), PLACES.values(), ids=PLACES)
def test_the_place_is_the_platforms(environ: dict[str, str], platform: str, expected: str | None) -> None:
    assert place(environ, platform) == (expected and Path(expected))


def test_the_tests_have_a_place_of_their_own() -> None:
    assert "/states" in str(place())


# ----------------------------------------------------------------------------------------------------- whole campaigns


def fail_on_trouble(line: str) -> None:
    """Nothing is said of the shared state; that an endpoint refuses may be."""
    if "refuses" not in line:
        pytest.fail(line)


def campaign(provider: Provider, folder: Path, **changes: object) -> Limit:
    model = replace(MODEL, **changes)  # type: ignore[arg-type]
    return Limit(provider, [model], folder, fail_on_trouble, clock.now)


def test_two_campaigns_share_the_minute_of_an_endpoint_and_leave_none_of_it_unused(tmp_path: Path) -> None:
    provider = Provider(takes=lambda n: 0.5 + n % 3)
    limits = [campaign(provider, tmp_path, rpm=60, tpm=3000) for _ in range(2)]
    requests = [request(n, prompt=30) for n in range(150)]

    async def main() -> None:
        await asyncio.gather(*(ask_all(limit, requests) for limit in limits))

    clock.run(main)
    assert busiest([(when, 1) for when, _ in provider.arrived]) <= 60
    assert busiest(provider.used) <= 3000
    assert len(provider.arrived) == 300
    assert provider.times[-1] <= 4 * 60 / 0.95


def test_room_that_one_campaign_gives_back_is_soon_found_by_the_other(tmp_path: Path) -> None:
    provider = Provider(takes=lambda _: 5.0)
    one, two = (campaign(provider, tmp_path, tpm=1100, max_tokens=900) for _ in range(2))
    greedy = request(prompt=90, model=replace(MODEL, max_tokens=900))

    async def main() -> None:
        first = asyncio.create_task(one.ask(greedy))
        await asyncio.sleep(1)
        await asyncio.gather(first, two.ask(greedy))

    clock.run(main)
    assert 5 <= provider.times[1] <= 6.5


def test_what_one_campaign_is_told_to_wait_the_other_waits_too(tmp_path: Path) -> None:
    provider = Provider(takes=lambda _: 0.0, says=lambda n: RateLimited("slow", 40) if n == 0 else 10)
    one, two = (campaign(provider, tmp_path, rpm=60) for _ in range(2))

    async def main() -> list[Reply | BaseException]:
        return [*await ask_all(one, [request(1)]), *await ask_all(two, [request(2)])]

    assert [type(reply) for reply in clock.run(main)] == [RateLimited, Reply]
    assert provider.times == [0, 40]


UNTOUCHED = {
    "without limits": MODEL,
    "local": replace(MODEL, provider="local", base_url="", rpm=60, tpm=3000),
}


@pytest.mark.parametrize("model", UNTOUCHED.values(), ids=UNTOUCHED)
def test_no_file_is_touched(tmp_path: Path, model: Model) -> None:
    limit = Limit(Provider(), [model], tmp_path, fail_on_trouble, clock.now)
    clock.run(lambda: ask_all(limit, [request(n, model) for n in range(5)]))
    assert state(tmp_path) == []


def test_an_endpoint_without_limits_shares_its_cool_down_alone(tmp_path: Path) -> None:
    provider = Provider(says=lambda n: RateLimited("slow", 40) if n == 0 else 10)
    limit = campaign(provider, tmp_path)
    clock.run(lambda: ask_all(limit, [request(1)]))
    (file,) = state(tmp_path)
    ((cooling, _),) = json.loads(file.read_bytes()).values()
    assert cooling == clock.EPOCH + 41


def test_trouble_with_the_state_is_said_once_for_all_endpoints(tmp_path: Path) -> None:
    (tmp_path / "limits").write_text("a file where the folder should be")
    models = [replace(MODEL, name=name, target=name, rpm=60) for name in "ab"]
    said: list[str] = []
    limit = Limit(Provider(), models, tmp_path, said.append, clock.now)
    clock.run(lambda: ask_all(limit, [request(n, model) for n in range(5) for model in models]))
    assert len(said) == 1


PROGRAM = """
import sys
from pathlib import Path
from benchwright.llm.limits.shared import Shared
from benchwright.llm.limits.window import Window
one = Shared(Window(rpm=10**6), Path(sys.argv[1]), sys.exit)
for n in range(300):
    with one.hold(1_800_000_000.0 + n / 10):
        one.add(1_800_000_000.0 + n / 10, 1, 2)
"""


def test_real_processes_lose_nothing_between_them(file: Path) -> None:
    line = [sys.executable, "-c", PROGRAM, str(file)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    running = [subprocess.Popen(line, env=environment) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    assert seen(shared(file), NOW + 30) == (900, 1800)
