"""The command that tells what a campaign will come to, on a real campaign."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.campaign import served, typed, written
from tests.cli.status import drawn
from tests.stub import Stub, digest

from benchwright.engine.estimate import Estimate, Line, Range
from benchwright.show.code import Code
from benchwright.show.estimate import code, estimate, range_text


@pytest.fixture(scope="module")
def stub() -> Iterator[Stub]:
    with served() as stub:
        yield stub


def test_the_rough_estimate_asks_nobody_and_leaves_nothing_behind(stub: Stub, tmp_path: Path) -> None:
    path = written(tmp_path, stub.url)
    before = len(stub.seen)
    told = typed("estimate", path)
    assert (told.code, told.err) == (Code.DONE, "")
    for part in (
        r"refused documents/empty\x1b[2J.md: is empty",
        "3 items, estimated from 3 sources",
        "cost    unknown: no price is known for second; $",
        "check_option           second",
        "no model was asked",
        "writer: $1 in, $2 out",
        "second: price unknown",
    ):
        assert part in told.out
    assert len(stub.seen) == before
    assert not path.with_suffix(".db").exists()


def test_a_rough_estimate_needs_no_endpoint(tmp_path: Path) -> None:
    found = typed("estimate", written(tmp_path, "http://127.0.0.1:9/v1"), "--json").json
    assert found["items"] == found["sampled"] == 3
    assert found["calls"]["low"] == 3 * 5 + 3 * 2
    assert found["unpriced"] == ["second"]


def test_a_pilot_makes_items_for_real_and_the_run_goes_on_from_them(stub: Stub, tmp_path: Path) -> None:
    path = written(tmp_path, stub.url)
    before = len(stub.seen)
    told = typed("estimate", path, "--pilot", "2", "--json")
    assert told.code == Code.DONE, told.err
    found = told.json
    assert (found["items"], found["sampled"], found["stopped"]) == (3, 2, "")
    asked = len(stub.seen) - before
    assert found["calls"]["likely"] == pytest.approx(asked * 3 / 2)
    assert found["calls"]["low"] <= found["calls"]["likely"] <= found["calls"]["high"]
    assert typed("status", path, "--json").json["ended"]["reason"] == "the pilot of 2 items has ended"
    assert "3 items, measured on 2" in typed("estimate", path, "--pilot", "2").out
    assert len(stub.seen) - before == asked  # the same pilot again is there already
    assert typed("run", path).code == Code.WAITING
    seen = [digest(body) for body in stub.seen[before:]]
    assert len(seen) == len(set(seen)) > asked


def test_a_pilot_that_its_budget_stops_says_so_and_goes_on_later(stub: Stub, tmp_path: Path) -> None:
    path = written(tmp_path, stub.url)
    rules = path.read_text("utf-8").replace('model = "stub"', 'model = "stub"\nmax_tokens = 100\nwidth = 1')
    path.write_text(rules + "\n[budget]\ntokens = 9000\n", "utf-8")
    told = typed("estimate", path, "--pilot", "3")
    assert told.code in {Code.PAUSED, Code.USAGE}
    assert "of [budget] tokens = 9000" in told.out + told.err
    path.write_text(rules, "utf-8")
    assert typed("estimate", path, "--pilot", "3").code == Code.DONE


def test_a_pilot_of_one_item_has_no_spread_and_is_refused(tmp_path: Path) -> None:
    told = typed("estimate", written(tmp_path, "http://127.0.0.1:9/v1"), "--pilot", "1")
    assert told.code == Code.USAGE
    assert ">= 2" in told.err


def made(cost: Range | None, unpriced: tuple[str, ...] = (), stopped: str = "") -> Estimate:
    some = Range(10, 30, 20)
    lines = tuple(Line("ask", name, some, some, 0.5, some, cost) for name in ("red", "blue"))
    return Estimate(4, 2, lines, some, some, some, cost or some, unpriced, some, some, some, ("a [note]",), stopped)


def test_an_estimate_is_drawn_with_what_is_likely_and_its_range() -> None:
    told = drawn(estimate(made(Range(1, 3, 2))))
    assert "cost    $2.00 ($1.00 - $3.00)" in told
    assert "ask   red    20 (10 - 30)" in told
    assert "50 %" in told
    assert "a [note]" in told
    assert code(made(None)) is Code.DONE


def test_what_nobody_knows_is_not_drawn_as_nothing() -> None:
    assert "cost    unknown: no price is known for blue, red\n" in drawn(estimate(made(None, ("blue", "red"))))
    assert range_text(Range(1, None, 5), str) == "5 (1 - ?)"
    assert range_text(Range(3, 3), str) == range_text(Range(3, 3, 3), str) == "3"


def test_a_pilot_that_stopped_early_is_drawn_so_and_the_shell_is_told() -> None:
    stopped = made(None, (), "no money left")
    assert drawn(estimate(stopped)).startswith("the pilot ended early: no money left")
    assert code(stopped) is Code.PAUSED
