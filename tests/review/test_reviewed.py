"""What people have said, as a file: decisions, reviewers, times, reasons, votes."""

import csv
import json
from functools import partial
from io import StringIO

from tests.review.campaign import NOW, Desk, row

from benchwright.domain.opinion import Opinion, Policy
from benchwright.review import desk as cards
from benchwright.review import workbook
from benchwright.review.exchange import Outcome
from benchwright.review.reviewed import Reviewed, make, reviewed_parts
from benchwright.review.sheet import Row

AT = "2026-02-03T04:05:06+00:00"


async def found(desk: Desk) -> list[Reviewed]:
    return await desk.database.read(lambda c: list(reviewed_parts(c, desk.terms)))


async def at_the_desk(desk: Desk, who: str, decision: str, seconds: float, text: str = "") -> str:
    """Take a card and decide after so many seconds; its name."""
    terms, person = desk.terms, f"human:{who}"
    card = await desk.database.write(partial(cards.next_card, desk=terms, person=person, now=100.0))
    assert card
    said, name = Opinion(person, {"decision": decision, "reason": "because", "text": text}), card.case.name
    decide = partial(cards.decide, desk=terms, name=name, said=said, now=100.0 + seconds, at=AT)
    await desk.database.write(decide)
    return name


async def test_nothing_was_said_so_there_is_nothing_to_tell(desk: Desk) -> None:
    assert await found(desk) == []
    assert make([], ".csv").decode("utf-8-sig").strip() == '"key","status"'


async def test_a_decision_is_told_with_who_when_how_long_why_and_the_votes_before_it(desk: Desk) -> None:
    name = await at_the_desk(desk, "ada", "edit", 12.34, "Other words")
    (one,) = await found(desk)
    assert (one.key, one.status, dict(one.holds)) == (name, "decided", {"decision": "edit", "wording": "Other words"})
    assert one.shown["option"] != "Other words"
    assert one.opinions == (
        {"by": "human:ada", "decision": "edit", "reason": "because", "text": "Other words", "at": AT, "seconds": 12.3},
    )
    assert (one.shown["route"], one.shown["audited"]) == ("human", "no")
    assert one.item_state in {"waiting", "kept"}
    votes = one.shown["votes"]
    assert {vote.partition("#")[0] for vote in votes} <= {"red", "green", "blue"}
    assert votes
    told = json.loads(make([one], ".jsonl"))
    assert told["opinions"][0]["seconds"] == 12.3
    assert told["votes"] == list(votes)


async def test_what_still_waits_or_is_in_conflict_is_told_as_such(desk: Desk) -> None:
    two = desk.under(Policy(2))
    await two.replan()
    first, second, third = (await two.cards())[:3]
    await two.take(row(first))
    await two.take(row(second))
    await two.take(row(second, "reject"), by="bob")
    await two.take(row(third))
    await two.take(row(third), by="bob")
    told = {one.key: one for one in await found(two)}
    assert {key: (one.status, one.holds["decision"]) for key, one in told.items()} == {
        first.key: ("waiting", ""),
        second.key: ("conflict", ""),
        third.key: ("decided", "keep"),
    }
    assert [said["seconds"] for said in told[first.key].opinions] == [None]


async def test_one_word_about_a_whole_item_holds_however_many_opinions_an_option_takes(desk: Desk) -> None:
    two = desk.under(Policy(2))
    first = (await two.cards())[0]
    item = first.key.partition("/")[0]
    (told,) = await two.take(Row(2, item, {"decision": "edit", "wording": "Which one was it?", "reason": "clearer"}))
    assert told.outcome is Outcome.APPLIED
    (one,) = await found(two)
    assert (one.key, one.status, one.holds) == (
        item, "decided", {"decision": "edit", "wording": "Which one was it?"},
    )  # fmt: skip


async def test_what_was_taken_back_is_not_told_and_the_last_word_is(desk: Desk) -> None:
    name = await at_the_desk(desk, "ada", "keep", 1)
    undo = partial(cards.undo, desk=desk.terms, person="human:ada", now=200.0, at=NOW)
    assert await desk.database.write(undo) == name
    assert await found(desk) == []
    await at_the_desk(desk, "ada", "reject", 2)
    (one,) = await found(desk)
    assert (one.holds["decision"], len(one.opinions), one.opinions[0]["at"]) == ("reject", 1, AT)


async def test_tables_hold_lines_and_no_formula(desk: Desk) -> None:
    await at_the_desk(desk, "ada", "edit", 12, '=HYPERLINK("http://x")')
    rows = await found(desk)
    names, cells = csv.reader(StringIO(make(rows, ".csv").decode("utf-8-sig"), newline=""))
    told = dict(zip(names, cells, strict=True))
    assert told["wording"] == '\'=HYPERLINK("http://x")'
    assert told["opinions"] == (f"human:ada says edit to '=HYPERLINK(\"http://x\")' ({AT}, 12 s): because")
    assert all(line.partition("#")[0] in {"red", "green", "blue"} for line in told["votes"].split("\n"))
    (_, header), (_, line) = workbook.read(make(rows, ".xlsx"))[workbook.SHEET]
    assert dict(zip(map(str, header), map(workbook.text, line), strict=True)) == told


async def test_finished_items_stay_in_the_list(desk: Desk) -> None:
    while waiting := await desk.cards():
        await desk.take(*(row(card) for card in waiting))
        await desk.run()
    told = await found(desk)
    assert {one.item_state for one in told} <= {"kept", "discarded"}
    assert {one.status for one in told} == {"decided"}
