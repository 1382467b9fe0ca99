"""Votes at the command line: what another rule would make of them, changing to it, and how good the checkers are."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.campaign import served, typed, written
from tests.cli.status import drawn

from benchwright.campaign_file import Replaced
from benchwright.domain.category import Category
from benchwright.domain.grade import Grade
from benchwright.domain.quality import Probe, Share, qualities
from benchwright.errors import StoreFailed
from benchwright.panel import Checkers
from benchwright.show.code import Code
from benchwright.show.votes import checkers as drawn_checkers
from benchwright.show.votes import rate

HALF = ("--accept", "0.5", "--reject", "0.4")


@pytest.fixture(name="made", scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A campaign that has run: one item kept, one waiting for people over two options, one discarded."""
    with served() as stub:
        path = written(tmp_path_factory.mktemp("campaign"), stub.url)
        typed("run", path)
        yield path


@pytest.fixture(name="path")
def _path(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to change."""
    return Path(shutil.copytree(made.parent, tmp_path / "copy")) / made.name


def test_the_rule_as_it_is_is_shown_where_nothing_is_to_be_another(made: Path) -> None:
    told = typed("whatif", made)

    assert (told.code, told.err) == (Code.DONE, "")
    assert "nothing: this is the rule as it is" in told.out
    assert re.search(r"options to people +2 +2\n", told.out)
    assert re.search(r"items waiting +1 +1\n", told.out)
    assert "--apply" not in told.out


def test_another_rule_is_shown_beside_the_one_that_holds_and_changes_nothing(made: Path) -> None:
    before = made.read_text("utf-8"), typed("status", made, "--json").json["items"]
    told = typed("whatif", made, *HALF)

    for part in (r"rule.accept: 4/5 -> 1/2", r"options keep +5 +7\n", r"items kept +1 +2\n", r"2 +to people +keep\n"):
        assert re.search(part, told.out), part
    assert re.search(r" now █+▒+░+\nthen █+░+\n", told.out)
    assert re.search(r"0\.5 - 0\.6 +2 +█+ *\n", told.out)
    assert "the same command with --apply --by NAME --why TEXT" in told.out
    assert (made.read_text("utf-8"), typed("status", made, "--json").json["items"]) == before


def test_as_json_it_is_one_document(made: Path) -> None:
    found = typed("whatif", made, *HALF, "--quorum", "1", "--json").json

    assert found["then"]["options"]["keep"] == 7
    assert {"from": "human", "to": "keep", "options": 2} in found["moved"]
    assert found["changes"] == ["rule.accept: 4/5 -> 1/2", "rule.quorum: 2 -> 1"]
    assert (found["applied"], found["items"], found["earlier"]) == (False, [], [])


def test_a_checker_can_be_left_out(made: Path) -> None:
    assert (
        typed("whatif", made, "--drop-checker", "second", "--quorum", "1", "--json").json["then"]["items"]["kept"] == 2
    )
    wrong = typed("whatif", made, "--drop-checker", "thrid")
    assert (wrong.code, "the panel is second, writer" in wrong.err) == (Code.USAGE, True)


def test_applied_it_changes_file_and_campaign_says_who_and_why_and_leaves_the_rest(path: Path) -> None:
    ids = {state: typed("items", path, "--state", state, "--json").json for state in ("kept", "discarded")}
    told = typed("whatif", path, *HALF, "--apply", "--by", "ada", "--why", "people kept all at 1/2")

    assert told.code == Code.DONE
    assert "1 item: waiting -> kept" in told.out
    assert f"benchwright run {path}" in told.out
    assert "accept = 0.5\nreject = 0.4\n" in path.read_text("utf-8")
    assert re.search(r"by ada: people kept all at 1/2 \(rule\.accept: 4/5 -> 1/2\)", told.out)
    assert typed("status", path, "--json").json["items"] == {"kept": 2, "discarded": 1}
    assert "ada has changed the rule" in typed("status", path).out
    for state, before in ids.items():
        assert all(item in typed("items", path, "--state", state, "--json").json for item in before)
    after = typed("run", path, "--json")
    assert (after.code, after.json["ended"]["how"]) == (Code.DONE, "done")
    assert typed("whatif", path, "--json").json["earlier"][0]["who"] == "ada"


def test_what_people_decided_holds_whatever_the_rule_and_is_counted_by_route(path: Path, tmp_path: Path) -> None:
    cards = tmp_path / "cards.jsonl"
    typed("review", "export", path, cards)
    rows = [json.loads(line) for line in cards.read_text("utf-8").splitlines()]
    decided = [row | {"decision": decision} for row, decision in zip(rows, ("keep", "reject"), strict=True)]
    cards.write_text("".join(f"{json.dumps(row)}\n" for row in decided), "utf-8")
    assert typed("review", "import", path, cards, "--by", "ada").code == Code.DONE

    told = typed("whatif", path, *HALF)
    found = typed("whatif", path, *HALF, "--json").json
    assert found["now"]["people"] == {"human": {"keep": 1, "reject": 1}}
    assert found["then"]["people"] == {"keep": {"keep": 1, "reject": 1}}
    assert found["then"]["items"] == found["now"]["items"]
    assert re.search(r"votes say keep +0 +0 +1 +1 ", told.out)
    assert re.search(r"votes say to people +1 +1 +0 +0 ", told.out)


def test_a_change_that_leaves_votes_open_says_how_many_are_lacking(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace('"second"] }', '"second"], runs = 2 }'), "utf-8")
    typed("run", path, "--accept-changes")
    with_more = typed("whatif", path, "--accept", "1", "--quorum", "4")

    assert re.search(r"open options need up to \d+ more votes: what was not asked is not guessed", with_more.out)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--why", "so"), "say who changes the rule: --by NAME"),
        (("--by", "a/b", "--why", "so"), "say who changes the rule: --by NAME"),
        (("--by", "ada", "--why", " "), "say why the rule changes"),
    ],
)
def test_nobody_changes_a_rule_without_a_name_and_a_reason(made: Path, words: tuple[str, ...], told: str) -> None:
    before = made.read_text("utf-8")
    refused = typed("whatif", made, *HALF, "--apply", *words)

    assert (refused.code, told in refused.err, made.read_text("utf-8")) == (Code.USAGE, True, before)


def test_what_is_the_rule_already_cannot_be_applied(made: Path) -> None:
    refused = typed("whatif", made, "--accept", "4/5", "--apply", "--by", "ada", "--why", "so")

    assert (refused.code, "says so already" in refused.err) == (Code.USAGE, True)


def test_a_file_with_other_changes_is_not_mixed_with_this_one(path: Path) -> None:
    path.write_text(path.read_text("utf-8").replace("refills = 0", "refills = 1"), "utf-8")
    refused = typed("whatif", path, *HALF, "--apply", "--by", "ada", "--why", "so")

    assert refused.code != Code.DONE
    assert "settings.refills: 0 -> 1" in refused.err
    assert "--accept-changes" in refused.err
    assert "accept = 0.8" in path.read_text("utf-8")


def test_a_campaign_without_its_file_cannot_be_changed(path: Path) -> None:
    path.unlink()
    refused = typed("whatif", path, *HALF, "--apply", "--by", "ada", "--why", "so")

    assert (refused.code, "put it beside its database" in refused.err) == (Code.USAGE, True)
    assert typed("whatif", path, *HALF).code == Code.DONE


def test_a_file_that_cannot_be_written_leaves_the_campaign_as_it_was(path: Path) -> None:
    (path.parent / f".{path.name}.new").mkdir()
    refused = typed("whatif", path, *HALF, "--apply", "--by", "ada", "--why", "so")

    assert (refused.code, "cannot be written" in refused.err) == (Code.USAGE, True)
    assert typed("whatif", path, "--json").json["earlier"] == []


def test_a_file_keeps_its_text_where_the_database_could_not_be_changed(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("old", "utf-8")
    with pytest.raises(StoreFailed), Replaced(file, "new"):
        raise StoreFailed

    assert ([one.name for one in tmp_path.iterdir()], file.read_text("utf-8")) == (["x.toml"], "old")


def test_checkers_are_told_strictest_first_with_their_agreement(made: Path) -> None:
    told = typed("checkers", made)

    assert told.code == Code.DONE
    assert told.out.index("second ") < told.out.index("writer ")
    for part in (
        r"second and writer +9 +2 +0\.\d+ \(9 options\)",
        r"alpha of the verdicts: 0\.",
        r"panel = \[\"second\", \"writer\"\]",
    ):
        assert re.search(part, told.out), part
    assert "none asked" in told.out  # nothing was planted


def test_checkers_as_json_are_numbers_or_reasons(made: Path) -> None:
    (found,) = typed("checkers", made, "--json").json["panels"]

    assert found["words"] == "votes"
    assert [one["model"] for one in found["checkers"]] == ["second", "writer"]
    assert found["pairs"][0]["differ"] == {"n": 2, "of": 9}
    assert found["flags"] == []
    assert set(found["alpha"]) == {"value", "reason", "units"}


def test_planted_options_are_judged_and_are_not_in_the_set(tmp_path: Path) -> None:
    with served() as stub:
        path = written(tmp_path, stub.url)
        path.write_text(path.read_text("utf-8").replace("refills = 0", "refills = 0\nplanted = 1.0"), "utf-8")
        typed("run", path)

    (found,) = typed("checkers", path, "--json").json["panels"]
    assert all(one["true_positives"]["of"] == one["false_positives"]["of"] == 3 for one in found["checkers"])
    typed("export", path)
    assert "planted" not in (tmp_path / "small-set" / "provenance.jsonl").read_text("utf-8")


def test_before_any_vote_that_is_said() -> None:
    assert "nobody on a panel has said anything yet" in drawn(drawn_checkers(Checkers("pair", ())))
    assert rate(Share(1, 3)) == "33% of 3"


def test_graders_have_mean_grades_and_categories_no_order() -> None:
    grades = [Grade(f"p{n}", f"{model}#1", n % 4) for model in ("red", "green") for n in range(8)]
    graded = drawn(drawn_checkers(Checkers("pair", qualities([*grades, Grade("p9", "blue#1", None)], [], "pair"))))
    categories = [Category("s", f"{model}#1", "win") for model in ("red", "green")]
    sorted_ones = drawn(drawn_checkers(Checkers("set", qualities(categories, [Probe("red", True, True)], "set"))))

    assert re.search(r"checker +mean grade +cannot say +says mostly", graded)
    assert re.search(r"red +1\.50 +0% of 8", graded)
    assert re.search(r"blue +none +100% of 1", graded)
    assert re.search(r"alpha of the grades: +1\.000 \(8 pairs\)", graded)
    assert 'panel = ["green", "red", "blue"]' in graded
    assert "of the votes" not in graded
    assert re.search(r"checker +cannot say +right not called correct +wrong called correct +says mostly", sorted_ones)
    assert "panel = " not in sorted_ones
