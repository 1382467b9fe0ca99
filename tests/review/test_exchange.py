"""The human queue out of a real campaign and the decisions in again."""

import csv
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.review.campaign import NOW, Desk, Waiting, row, waiting

from benchwright.agents.choice import review_option
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.opinion import Policy
from benchwright.engine.runner import How
from benchwright.errors import UsageError
from benchwright.pipelines.base import HUMAN, state_of
from benchwright.pipelines.choice.option import DISTRACTOR
from benchwright.review.exchange import Outcome, person_of, same
from benchwright.review.files import read, write
from benchwright.review.sheet import Row
from benchwright.store import items, jobs
from benchwright.store.database import Connection

Choose = Callable[[Waiting], str]


def at_random(card: Waiting) -> str:
    return seeded_random(card.key).choice(["keep", "reject"])


def everything(word: str) -> Choose:
    return lambda card: word


async def of_one_item(desk: Desk) -> list[Waiting]:
    """The waiting options of an item that has several, a distractor first."""
    cards = await desk.cards()
    several = next(
        item
        for item in dict.fromkeys(card.item for card in cards)
        if len([card for card in cards if card.item == item]) > 1
        and any(card.item == item and card.claim == DISTRACTOR for card in cards)
    )
    return sorted((card for card in cards if card.item == several), key=lambda card: card.claim != DISTRACTOR)


async def finish(desk: Desk, choose: Choose = at_random) -> None:
    """Decide and go on until nothing waits."""
    while cards := await desk.cards():
        await desk.take(*(row(card, choose(card)) for card in cards))
        await desk.run()


async def said(desk: Desk, card: Waiting) -> list[Answer]:
    """What people said about an option."""

    def answers(item: str) -> Callable[..., tuple[Answer, ...]]:
        return lambda c: items.answers(c, items.find(c, item).seq)

    found = await desk.database.read(answers(card.item))
    return [answer for answer in found if (answer.step, answer.about) == ("review_option", card.option_id)]


async def test_every_waiting_option_gets_a_card_with_what_a_decision_needs(desk: Desk) -> None:
    cards = await desk.under(Policy(blind=False)).cards()
    waiting = await desk.database.read(lambda c: jobs.in_queue(c, HUMAN))
    assert len(cards) == len(waiting) > 4
    assert len({card.key for card in cards}) == len(cards)
    for card in cards:
        assert card.key == f"{card.item}/{card.option_id}"
        assert card.question.startswith("Which ")
        assert card.claim in {"correct option", "distractor"}
        assert card.evidence.startswith("[")
        assert card.votes
        assert card.option not in card.others
        title = card.shown("title")
        assert card.shown("document") == f"report-{title[-1]}.md"
        assert list(card.entry.cells)[:4] == ["decision", "wording", "reason", "reviewer"]
        assert list(card.entry.cells)[-1] == "key"
        assert card.evidence in card.shown("context")
        assert [card.entry.cells[name] for name in ("decision", "wording", "reason", "reviewer")] == [""] * 4


async def test_votes_do_not_go_out_to_people_who_are_to_decide_blind(desk: Desk) -> None:
    assert {card.votes for card in await desk.cards()} == {()}


async def test_the_queue_is_the_same_each_time(desk: Desk) -> None:
    assert await desk.cards() == await desk.cards()


@pytest.mark.parametrize("name", ["queue.csv", "queue.jsonl", "queue.xlsx"])
@pytest.mark.parametrize("choose", [everything("keep"), everything("reject"), at_random])
async def test_decisions_by_file_bring_a_campaign_to_its_end(
    name: str, choose: Choose, desk: Desk, tmp_path: Path
) -> None:
    rounds = 0
    while cards := await desk.cards():
        path = tmp_path / f"{rounds}-{name}"
        write(path, [card.filled(decision=choose(card)) for card in cards])
        done = await desk.take(*read(path))
        assert {one.outcome for one in done} == {Outcome.APPLIED}
        ended = await desk.run()
        rounds += 1
        assert rounds < 20
    assert ended.how in {How.DONE, How.PARTIAL}
    states = set((await desk.states()).values())
    assert states <= {"kept", "discarded"}
    assert "kept" in states or choose({}) == "reject"  # type: ignore[arg-type]


async def test_a_file_imported_twice_is_a_file_imported_once(desk: Desk) -> None:
    rows = [row(card, at_random(card), reason="=1+1") for card in await desk.cards()]
    await desk.take(*rows)
    before = await desk.content()
    again = await desk.take(*rows)
    assert {one.outcome for one in again} == {Outcome.ALREADY}
    assert all("ada said so before" in one.message for one in again)
    assert await desk.content() == before
    await desk.run()
    assert {one.outcome for one in await desk.take(*rows)} == {Outcome.ALREADY}


async def test_the_order_of_the_rows_does_not_matter(desk: Desk) -> None:
    cards = await of_one_item(desk)
    rows = [row(card, "reject") for card in cards]
    assert {one.outcome for one in await desk.take(*rows[::-1])} == {Outcome.APPLIED}


async def test_an_item_waits_until_all_its_options_are_decided_whatever_was_decided_before(desk: Desk) -> None:
    first, *others = await of_one_item(desk)
    await desk.take(row(first, "reject"))
    assert {card.key for card in others} == {card.key for card in await desk.cards() if card.item == first.item}
    assert {one.outcome for one in await desk.take(*(row(card, "reject") for card in others))} == {Outcome.APPLIED}
    assert (await desk.states())[first.item] == "open"
    await finish(desk)
    for card in (first, *others):
        assert [answer.value["decision"] for answer in await said(desk, card)] == ["reject"]


async def test_deleted_and_undecided_rows_go_on_waiting(desk: Desk) -> None:
    first, second, third, *rest = await desk.cards()
    done = await desk.take(row(first, ""), row(third, "keep"))
    assert [one.outcome for one in done] == [Outcome.UNDECIDED, Outcome.APPLIED]
    assert {card.key for card in (first, second, *rest)} == {card.key for card in await desk.cards()}


async def test_a_doubled_row_counts_once_and_a_contradiction_is_named(desk: Desk) -> None:
    card = (await desk.cards())[0]
    done = await desk.one_by_one(row(card), row(card), row(card, "reject"))
    assert [one.outcome for one in done] == [Outcome.APPLIED, Outcome.ALREADY, Outcome.CONFLICT]
    assert done[-1].message == "ada says reject, but ada said keep, and that stands"
    assert [answer.value["decision"] for answer in await said(desk, card)] == ["keep"]


async def test_one_person_who_says_two_things_in_one_file_has_said_nothing(desk: Desk) -> None:
    card, other = (await desk.cards())[:2]
    before = await desk.content()
    done = await desk.take(row(card), row(card, "reject"), row(card, "edit", wording="Other words"))
    assert {one.outcome for one in done} == {Outcome.CONFLICT}
    assert done[0].message == (
        "ada says keep on line 0 and reject on line 1 and edit on line 2: leave one of them in the file"
    )
    assert await desk.content() == before
    done = await desk.take(row(other), row(other))
    assert [(one.outcome, one.message) for one in done] == [
        (Outcome.APPLIED, ""), (Outcome.ALREADY, "line 0 says so too")
    ]  # fmt: skip


async def test_two_people_agree_or_both_opinions_are_kept_and_a_third_is_asked_for(desk: Desk) -> None:
    card = (await of_one_item(desk))[0]
    await desk.take(row(card))
    before = await desk.content()
    (agrees,) = await desk.take(row(card), by="Zoë")
    assert (agrees.outcome, agrees.message) == (Outcome.ALREADY, "ada said so before")
    assert await desk.content() == before
    (differs,) = await desk.take(row(card, "reject"), by="Zoë")
    assert differs.outcome is Outcome.CONFLICT
    assert differs.message == "Zoë says reject, but ada said keep: both are kept, as a conflict"
    assert card.key in {one.key for one in await desk.cards("cyd")}
    assert card.key not in {one.key for one in (*await desk.cards("ada"), *await desk.cards("Zoë"))}
    assert [one.outcome for one in await desk.take(row(card, "reject"), by="cyd")] == [Outcome.APPLIED]
    assert card.key not in {one.key for one in await desk.cards()}


async def test_an_opinion_against_what_ended_an_item_is_told_and_changes_nothing(desk: Desk) -> None:
    cards = await desk.cards()
    await finish(desk, everything("keep"))
    before = await desk.content()
    (differs,) = await desk.take(row(cards[0], "reject"), by="Zoë")
    assert differs.outcome is Outcome.CONFLICT
    assert differs.message.endswith("but ada said keep, and that stands: the item has ended")
    assert await desk.content() == before


async def opinions_taken(image: sqlite3.Connection, order: Callable[[list[Row]], list[Row]]) -> list[str]:
    """What comes of the opinions of three people, who do not agree, when they stand in this order."""
    async with waiting(image) as desk:
        chance = seeded_random("opinions")
        rows = [
            row(card, chance.choice(["keep", "reject", "cannot_say"]), reviewer=name)
            for card in await desk.cards()
            for name in ("ada", "bob", "cyd", "ada")
        ]
        done = await desk.take(*order(rows))
        assert Outcome.CONFLICT in {applied.outcome for applied in done}
        return sorted(map(str, [*await desk.cards(), *(await desk.states()).items()]))


@settings(deadline=None)
@given(seed=st.integers(0, 10**6))
async def test_neither_the_order_of_rows_nor_who_comes_first_in_a_file_changes_anything(
    image: sqlite3.Connection, seed: int
) -> None:
    mixed = await opinions_taken(image, lambda rows: seeded_random(seed).sample(rows, len(rows)))
    assert mixed == await opinions_taken(image, list)


async def test_a_named_adjudicator_and_nobody_else_settles_a_conflict(desk: Desk) -> None:
    judged = desk.under(Policy(2, adjudicator="judy"))
    await judged.replan()
    card = (await judged.cards())[0]
    (early,) = await judged.take(row(card), by="judy")
    assert early.message == "judy only settles conflicts, and there is none here"
    await judged.take(row(card))
    await judged.take(row(card, "reject"), by="bob")
    (other,) = await judged.take(row(card), by="cyd")
    assert (other.outcome, other.message) == (
        Outcome.REFUSED, "opinions differ here, and only judy settles conflicts"
    )  # fmt: skip
    assert [one.outcome for one in await judged.take(row(card), by="judy")] == [Outcome.APPLIED]


async def test_who_could_not_say_may_say_later_and_nobody_else_is_bound(desk: Desk) -> None:
    card = (await desk.cards())[0]
    assert [one.outcome for one in await desk.take(row(card, "cannot_say"))] == [Outcome.APPLIED]
    assert card.key in {one.key for one in await desk.cards()}
    assert [one.outcome for one in await desk.take(row(card, "cannot_say"))] == [Outcome.ALREADY]
    assert [one.outcome for one in await desk.take(row(card))] == [Outcome.APPLIED]
    assert [answer.by for answer in await said(desk, card)] == ["human:ada", "human:ada#2"]


async def test_an_edit_keeps_the_option_in_other_words_and_the_ones_before_stay_on_record(desk: Desk) -> None:
    cards = await of_one_item(desk)
    edited, *others = cards
    await desk.take(row(edited, "edit", wording="a wording by people"), *(row(card) for card in others))
    await finish(desk, everything("keep"))
    rows = await desk.database.read(lambda c: list(items.pages(c, "kept")))
    (option,) = [o for r in rows for o in (r.body or {})["options"] if o["text"] == "a wording by people"]
    assert option["replaces"] == {"id": edited.option_id, "text": edited.option}
    (late,) = await desk.take(row(edited, "reject"), by="bob")
    assert "the item has ended" in late.message


@pytest.mark.parametrize(
    ("wording", "told"),
    [
        ("{own}", "the same as before"),
        ("  {own}\n", "the same as before"),
        ("{other}", "says the same as another option"),
        ("Option A", "says nothing that could be an answer"),
        ("Which", "only repeats the question"),
        ("bell \a", "control characters"),
    ],
)
async def test_a_wording_that_cannot_stand_is_refused(wording: str, told: str, desk: Desk) -> None:
    card = (await desk.cards())[0]
    before = await desk.content()
    (done,) = await desk.take(row(card, "edit", wording=wording.format(own=card.option, other=card.others[0])))
    assert done.outcome is Outcome.REFUSED
    assert told in done.message
    assert await desk.content() == before


@pytest.mark.parametrize(
    ("given", "text", "alike"),
    [
        ("TRUE", "true", True),
        ("7", "007", True),
        ("0.5", "0.50", True),
        ("it\u2019s \u201cso\u201d \u2013 yes", 'it\'s "so" - yes', True),
        ("12", "21", False),
        ("It's", "it's", False),
        ("nan", "x", False),
    ],
)
def test_what_spreadsheets_do_to_a_text_is_told_from_another_text(given: str, text: str, *, alike: bool) -> None:
    assert same(given, text) is alike


async def test_ones_own_earlier_word_comes_before_that_of_others(desk: Desk) -> None:
    card = (await desk.cards())[0]
    await desk.take(row(card))

    def also_zoe(decision: str) -> Callable[..., bool]:
        body = canonical({"decision": decision, "reason": ""})
        answer = Answer("review_option", card.option_id, "human:zoe", body)
        return lambda c: items.say(c, items.find(c, card.item).seq, answer, NOW)

    await desk.database.write(also_zoe("reject"))
    done = await desk.take(row(card, "reject"), by="zoe")
    assert done[0].outcome is Outcome.ALREADY


async def test_an_answer_says_who_decided_what_and_why(desk: Desk) -> None:
    card, other, third = (await desk.cards())[:3]
    await desk.take(row(card, "reject", reason="=see\nwhy ☃", reviewer=" Zoe\u0308 "), row(other, reviewer=""))
    (answer,) = await said(desk, card)
    assert answer.by == "human:Zoë"
    assert answer.call is None
    assert review_option.Answer.model_validate(answer.value) == review_option.Answer(
        decision="reject", reason="=see\nwhy ☃"
    )
    assert [one.by for one in await said(desk, other)] == ["human:ada"]
    assert await said(desk, third) == []


@pytest.mark.parametrize("name", ["", "  ", "a/b", "a\nb", "a\tb", "a\0b"])
async def test_a_row_without_a_proper_name_is_refused(name: str, desk: Desk) -> None:
    card = (await desk.cards())[0]
    before = await desk.content()
    done = await desk.take(row(card), by=name)
    assert done[0].outcome is Outcome.REFUSED
    assert "name" in done[0].message
    assert await desk.content() == before


@settings(deadline=None)
@given(name=st.text())
def test_a_name_is_trimmed_and_one_line_or_it_is_refused(name: str) -> None:
    try:
        by = person_of(name)
    except UsageError:
        return
    assert by.startswith("human:")
    assert by == person_of(by.removeprefix("human:"))
    assert len(by.splitlines()) == 1
    assert "/" not in by


async def test_a_row_about_nothing_here_is_refused_and_the_rest_goes_on(desk: Desk) -> None:
    first, second = (await desk.cards())[:2]
    strange = (
        "",
        "/",
        "abc",
        first.item[:6] + "/" + first.option_id,
        f"{first.item}/",
        f"{first.item}/{'0' * 12}",
        f"{'0' * 32}/{first.option_id}",
        f"{first.key}/",
        "'; DROP TABLE items; --/x",
        "é%_\0",
    )
    done = await desk.take(*(replace(row(first), key=key, line=7) for key in strange), row(second))
    assert [one.outcome for one in done] == [Outcome.REFUSED] * len(strange) + [Outcome.APPLIED]
    assert all(repr(key) in one.message for key, one in zip(strange, done, strict=False))
    assert {one.line for one in done[:-1]} == {7}


async def test_an_option_that_was_rewritten_in_the_file_is_refused_with_both_texts(desk: Desk) -> None:
    card = (await desk.cards())[0]
    done = await desk.take(row(card, option="a better wording"))
    assert done[0].outcome is Outcome.REFUSED
    assert "'a better wording'" in done[0].message
    assert repr(card.option) in done[0].message


@pytest.mark.parametrize("lost", [str.upper, lambda text: "x" + text])
async def test_a_changed_text_is_told_from_changed_blanks(lost: Callable[[str], str], desk: Desk) -> None:
    card, other, third = (await desk.cards())[:3]
    blanks = row(card, option=f"  {card.option.replace(' ', '  ')}\r\n")
    done = await desk.take(blanks, row(other, option=""), row(third, option=lost(third.option)))
    assert [one.outcome for one in done] == [Outcome.APPLIED, Outcome.APPLIED, Outcome.REFUSED]


async def test_a_row_that_was_refused_when_read_changes_nothing(desk: Desk) -> None:
    done = await desk.take(Row(3, "x/y", fault="the line is not JSON"))
    assert (done[0].line, done[0].outcome, done[0].message) == (3, Outcome.REFUSED, "the line is not JSON")


async def test_a_decision_about_an_option_that_the_panel_settled_says_what_became_of_it(desk: Desk) -> None:
    await finish(desk, everything("keep"))
    rows = await desk.database.read(lambda c: list(items.pages(c, "kept")))
    option = next(o for r in rows for o in (r.body or {})["options"] if o["route"] == "keep")
    item = next(r for r in rows if option in (r.body or {})["options"])
    done = await desk.take(Row(1, f"{item.id}/{option['id']}", {"decision": "reject"}))
    assert (done[0].outcome, done[0].message) == (
        Outcome.OVER,
        f"its item has ended: kept ({item.cause}), this option: keep",
    )


async def test_a_decision_about_an_item_that_fell_meanwhile_says_what_became_of_it(desk: Desk) -> None:
    card = (await desk.cards())[0]

    def fall(item: str) -> Callable[..., bool]:
        found = Answer("near_duplicate", "", "code", canonical({"of": "ab" * 16}))
        return lambda c: jobs.decide(c, items.find(c, item).seq, "", found, desk.plan, NOW)

    await desk.database.write(fall(card.item))
    assert card.key not in {one.key for one in await desk.cards()}
    done = await desk.take(row(card))
    assert done[0].outcome is Outcome.OVER
    assert done[0].message == "its item has ended: discarded (near-duplicate question)"


async def test_an_option_that_the_panel_decides_is_not_for_people(desk: Desk) -> None:
    card = (await desk.cards())[0]

    def written(item: str) -> Callable[..., set[str]]:
        def found(connection: Connection) -> set[str]:
            row = items.find(connection, item)
            state = state_of(desk.pipeline, row.seed, items.answers(connection, row.seq))
            return {option.id for option in state.draft.options}

        return found

    asked = {one.option_id for one in await desk.cards()}
    settled = await desk.database.read(written(card.item)) - asked
    done = await desk.take(*(Row(1, f"{card.item}/{name}", {"decision": "keep"}) for name in settled))
    assert settled
    assert {one.outcome for one in done} == {Outcome.OVER}
    assert "at present" in done[0].message


async def test_a_ticket_whose_option_is_no_longer_owed_gets_no_card(desk: Desk) -> None:
    card, other = (await desk.cards())[:2]

    def untold(item: str) -> Callable[..., bool]:
        found = Answer("near_duplicate", "", "code", canonical({"of": "ab" * 16}))
        return lambda c: items.say(c, items.find(c, item).seq, found, NOW)

    await desk.database.write(untold(card.item))
    left = {one.item for one in await desk.cards()}
    assert card.item not in left
    assert other.item in left or other.item == card.item


async def test_a_spreadsheet_may_do_its_worst(desk: Desk, tmp_path: Path) -> None:
    cards = await desk.cards()
    write(tmp_path / "queue.csv", [card.filled(decision=at_random(card), reason="-1") for card in cards])
    text = (tmp_path / "queue.csv").read_bytes().decode("utf-8-sig")
    head, *lines = list(csv.reader(StringIO(text, newline="")))
    order = seeded_random("columns").sample(range(len(head)), len(head))
    lines = [[line[n].replace("\n", "\r\n") for n in order] + ["mine"] for line in sorted(lines, reverse=True)]
    out = StringIO(newline="")
    csv.writer(out, delimiter=";").writerows([[head[n].upper() for n in order] + ["Notes"], *lines, [""] * 3])
    (tmp_path / "back.csv").write_bytes(out.getvalue().encode("utf-16"))
    done = await desk.take(*read(tmp_path / "back.csv"))
    assert [one.outcome for one in done] == [Outcome.APPLIED] * len(cards)
    assert {answer.value["reason"] for card in cards for answer in await said(desk, card)} == {"-1"}


async def test_what_came_of_the_decisions_stands_in_the_item(desk: Desk) -> None:
    chosen: dict[str, str] = {}
    while cards := await desk.cards():
        chosen |= {card.key: at_random(card) for card in cards}
        await desk.take(*(row(card, chosen[card.key]) for card in cards))
        await desk.run()
    rows = await desk.database.read(lambda c: list(items.pages(c)))
    fates = {f"{r.id}/{o['id']}": o["fate"] for r in rows for o in (r.body or {}).get("options", ())}
    assert {key: fates[key] for key in chosen} == chosen


async def test_a_file_of_an_earlier_version_is_taken_in_as_it_is(desk: Desk, tmp_path: Path) -> None:
    """What is to be filled in stood at its end, and what the card shows had other columns beside."""
    first, second = (await desk.cards())[:2]
    shown = ("question", "option", "claim", "evidence", "votes", "others", "document", "title", "item", "option_id")
    head = ["key", *shown, "decision", "wording", "reason", "reviewer"]
    out = StringIO(newline="")
    lines = [
        [first.key, *(str(first.entry.shown.get(name, "")) for name in shown), "reject", "", "so", "bob"],
        [second.key, *(str(second.entry.shown.get(name, "")) for name in shown), "edit", "Other words", "", "bob"],
    ]
    csv.writer(out).writerows([head, *lines])
    (tmp_path / "old.csv").write_text(out.getvalue(), "utf-8")
    assert [one.outcome for one in await desk.take(*read(tmp_path / "old.csv"))] == [Outcome.APPLIED] * 2
    assert [one.value for one in await said(desk, first)] == [{"decision": "reject", "reason": "so", "text": ""}]
    assert [one.value["text"] for one in await said(desk, second)] == ["Other words"]


async def test_an_item_is_discarded_or_its_question_edited_by_a_row_of_its_own(desk: Desk) -> None:
    cards = {card.item: card for card in await desk.cards()}
    first, second = list(cards)[:2]
    rows = [
        Row(1, first, {"decision": "discard"}),
        Row(2, first, {"decision": "discard", "reason": "not sound", "question": "another"}),
        Row(3, first, {"decision": "discard", "reason": "not sound", "question": cards[first].question}),
        Row(4, second, {"decision": "edit", "wording": "Which of these options?"}),
        Row(5, second, {"decision": "edit", "wording": "Which harbour was it?"}),
        Row(6, f"{first}/", {"decision": "discard", "reason": "so"}),
    ]
    done = await desk.one_by_one(*rows)
    assert [one.outcome for one in done] == [
        Outcome.REFUSED, Outcome.REFUSED, Outcome.APPLIED, Outcome.REFUSED, Outcome.APPLIED, Outcome.REFUSED,
    ]  # fmt: skip
    assert "takes a reason" in done[0].message
    assert "the file's question is 'another'" in done[1].message
    assert (await desk.states())[first] == "discarded"
    await finish(desk, everything("keep"))
    found = await desk.database.read(lambda c: items.find(c, second))
    assert found.body
    assert found.body["question"]["question"] == "Which harbour was it?"
    assert found.body["question"]["replaces"] == cards[second].question
    gone = await desk.database.read(lambda c: items.find(c, first))
    assert (gone.cause, gone.detail) == ("discarded by people", "not sound")
