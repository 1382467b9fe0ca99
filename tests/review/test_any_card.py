"""Cards of any form: in files, in the terminal, on the page; taken back, in conflict, settled by the card's rule."""

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.contracts.cards import (
    CHOICE,
    DUEL,
    GRADE,
    ITEM,
    MARK,
    SAMPLES,
    House,
    Sample,
    by_column,
    house,
    recorded,
    write_filled,
)
from tests.web.visitor import House as Site

from benchwright.domain.opinion import Policy
from benchwright.errors import UsageError
from benchwright.pipelines.card import MOVES
from benchwright.review import files
from benchwright.review.exchange import Outcome
from benchwright.review.progress import progress
from benchwright.review.reviewed import make, reviewed_parts

EVERY = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
FORMS = pytest.mark.parametrize(
    ("form", "name"),
    [("jsonl", "a.jsonl"), ("csv", "a.csv"), ("xlsx", "a.xlsx"), ("label-studio", "a.json"), ("argilla", "a.json")],
)
JUDGED = Policy(2, adjudicator="judy")


def desk_of(house: House) -> Any:
    """The part of a house that a site needs."""
    return SimpleNamespace(database=house.database, terms=house.terms)


@EVERY
def test_keys_of_values_move_nothing_else(sample: Sample) -> None:
    for one in sample.card.inputs:
        keys = [value.key for value in one.choices]
        assert len(set(keys)) == len(keys)
        assert not set(keys) & set(MOVES)


# ------------------------------------------------------------------------------------------------------- files


@EVERY
@FORMS
async def test_a_card_goes_out_in_every_form_and_comes_back_filled_in(
    sample: Sample, form: str, name: str, tmp_path: Path
) -> None:
    async with house(sample.card) as desk:
        write_filled(tmp_path / name, form, await desk.entries(), sample.first)
        assert {one.outcome for one in await desk.take(tmp_path / name)} == {Outcome.APPLIED}
        assert {one.outcome for one in await desk.take(tmp_path / name)} == {Outcome.ALREADY}
        words = await desk.words(sample.card.step)
        assert [word.value for word in words] == [recorded(sample.card, sample.first)] * 2
        assert {row.state for row in await desk.rows()} == {"kept"}


@EVERY
@FORMS
async def test_an_untouched_file_is_replaced_and_one_that_is_filled_in_is_not(
    sample: Sample, form: str, name: str, tmp_path: Path
) -> None:
    async with house(sample.card) as desk:
        entries = await desk.entries()
        files.write(tmp_path / name, entries, form)
        write_filled(tmp_path / name, form, entries, sample.first)
        with pytest.raises(UsageError, match="holds decisions"):
            files.write(tmp_path / name, entries, form)


async def test_a_row_that_does_not_fit_its_card_is_refused_with_words(tmp_path: Path) -> None:
    async with house(GRADE, CHOICE) as desk:
        entries = {entry.card.step: entry for entry in await desk.entries()}
        path = tmp_path / "a.csv"
        cells = "key,decision,wording,grade,reason,reviewer,pair\n"
        faults = {
            f"{entries['grade'].key},,,7,,,": "grade '7' is no whole number from 0 to 3",
            f"{entries['grade'].key},,,x,,,": "grade 'x' is no whole number from 0 to 3",
            f"{entries['grade'].key},keep,,2,,,": "this card does not ask for 'decision'",
            f"{entries['grade'].key},,,2,,,another": "the file's pair is 'another'",
            f"{entries['decide'].key},hm,,,,,": "decision 'hm' is none of keep, edit",
            f"{entries['decide'].key},edit,,,,,": "'edit' needs 'wording', and only 'edit' has it",
            f"{entries['decide'].key},keep,so,,,,": "'edit' needs 'wording', and only 'edit' has it",
            f"{entries['decide'].key},edit,bell \a,,,,": "wording holds control characters",
        }
        for line, words in faults.items():
            path.write_text(cells + line, "utf-8")
            (found,) = await desk.take(path)
            assert (found.outcome, words in found.message) == (Outcome.REFUSED, True), (line, found)
        path.write_text(cells + f"{entries['grade'].key},,,,a reason alone,,\n", "utf-8")
        assert [one.outcome for one in await desk.take(path)] == [Outcome.UNDECIDED]
        path.write_text(cells + f"{entries['grade'].key},,,3.0,,,\n", "utf-8")
        assert [one.outcome for one in await desk.take(path)] == [Outcome.APPLIED]


async def test_two_roles_may_ask_about_the_same_part_and_each_card_has_a_name_of_its_own() -> None:
    async with house(GRADE, CHOICE) as desk:
        names = [entry.key for entry in await desk.entries()]
        assert len(set(names)) == len(names) == 4
        item = names[0].partition("/")[0]
        assert sorted(name for name in names if name.startswith(item)) == [f"{item}/a", f"{item}/decide/a"]
        await desk.say("ada", f"{item}/decide/a", {"decision": "keep"})
        await desk.say("ada", f"{item}/grade/a", {"grade": "3"})
        await desk.undo("ada")
        assert [word.by for word in await desk.words("grade")] == ["human:ada", "human:ada#2"]
        assert len(await desk.words("decide")) == 1
        hand = await desk.next("ada")
        assert hand
        assert (hand.case.name, hand.draft and hand.draft.values["grade"]) == (f"{item}/a", 3)


async def test_a_step_of_a_release_before_that_is_not_there_any_more_waits_for_nobody() -> None:
    async with house(GRADE) as desk:
        assert await desk.next("ada")
        await desk.say("ada", (await desk.entries())[0].key, {"grade": "1"})
        told = await desk.database.read(lambda c: progress(c, desk.terms))
        assert (told.decided, told.waiting, told.reviewers[0].decisions) == (1, 1, {"1": 1})


# --------------------------------------------------------------------------------------------- terminal and page


@EVERY
async def test_a_card_is_filled_in_at_the_terminal_and_taken_back(sample: Sample) -> None:
    async with house(sample.card) as desk:
        told = await desk.terminal("ada", *sample.typed, "u", "q")
        first, after = told.split("0 decided, 2 wait", 1)
        assert "the fever and the rains" in first
        assert "red#1 says 2" not in first
        assert "red#1 says 2" in after
        assert "you had said: " in after
        first_word, second = await desk.words(sample.card.step)
        assert first_word.value == recorded(sample.card, sample.first)
        assert second.value["decision"] == "withdraw"


@EVERY
async def test_a_card_is_filled_in_on_the_page_and_taken_back(sample: Sample) -> None:
    async with house(sample.card) as desk:
        site = Site(desk_of(desk))
        async with site.visitor("ada") as ada:
            name, page = ada.card, ada.page
            assert page
            assert ("the fever and the rains" in page.text, "red#1 says 2" in page.text) == (True, False)
            controls = {found.get("name") for tag, found in page.tags if tag in {"input", "textarea", "button"}}
            assert {one.name for one in sample.card.inputs} <= controls
            labelled = {found.get("for") for tag, found in page.tags if tag == "label"}
            for tag, found in page.tags:
                if tag == "textarea" or found.get("type") in {"text", "number"}:
                    assert found["id"] in labelled
            after = await ada.do("/decide", **sample.first)
            assert "red#1 says 2" in after.text
            assert ada.card not in {"", name}
            await ada.do("/undo")
            assert ada.card == name
            await ada.do("/decide", **sample.other)
            assert "1 of 2 cards decided" in (await ada.get("/progress")).text
        first, _, last = await desk.words(sample.card.step)
        assert first.value == recorded(sample.card, sample.first)
        assert last.value == recorded(sample.card, sample.other)


# -------------------------------------------------------------------------------------- what words come to


@EVERY
async def test_two_who_differ_are_settled_by_the_adjudicator_who_sees_what_was_said(sample: Sample) -> None:
    async with house(sample.card, policy=JUDGED) as desk:
        name = (await desk.entries())[0].key
        for who, given in (("ada", sample.first), ("bob", sample.other)):
            assert await desk.next("judy") is None
            await desk.say(who, name, given)
        (told,) = await desk.database.read(lambda c: list(reviewed_parts(c, desk.terms)))
        assert (told.status, len(told.opinions)) == ("conflict", 2)
        site = Site(desk_of(desk))
        async with site.visitor("judy") as judy:
            assert judy.page
            assert judy.card == name
            assert "opinions differ" in judy.page.text
            assert "red#1 says 2" in judy.page.text
            await judy.do("/decide", **sample.first)
            assert "Nothing is left for you" in judy.page.text
        assert sorted(row.state for row in await desk.rows()) == ["kept", "waiting"]
        (told,) = await desk.database.read(lambda c: list(reviewed_parts(c, desk.terms)))
        kept = by_column(sample.card, sample.first)
        asked = [one.column_name for one in sample.card.inputs if one.required]
        assert (told.status, dict(told.holds)) == ("decided", {name: kept.get(name, "") for name in asked})
        for suffix in (".jsonl", ".csv", ".xlsx"):
            assert make([told], suffix)


async def test_marks_come_to_their_mean_and_a_late_one_is_told() -> None:
    async with house(MARK, policy=Policy(2)) as desk:
        name = (await desk.entries())[0].key
        await desk.say("ada", name, {"grade": "70"})
        await desk.say("bob", name, {"grade": "71"})
        (told,) = await desk.database.read(lambda c: list(reviewed_parts(c, desk.terms)))
        assert told.holds == {"grade": str(Fraction(141, 2))}
        with pytest.raises(UsageError, match="decided meanwhile"):
            await desk.say("cyd", name, {"grade": "10"})


async def test_a_late_mark_by_file_changes_no_mean(tmp_path: Path) -> None:
    async with house(MARK, policy=Policy(2)) as desk:
        entries = await desk.entries()
        for who, mark in (("ada", "70"), ("bob", "71")):
            for entry in entries:
                await desk.say(who, entry.key, {"grade": mark})
        write_filled(tmp_path / "a.csv", "csv", entries, {"grade": "10"})
        found = await desk.take(tmp_path / "a.csv", "cyd")
        assert {one.outcome for one in found} == {Outcome.CONFLICT}
        assert found[0].message == "cyd says 10, but others came to 141/2, and that stands: the item has ended"


async def test_two_of_three_are_a_majority_and_nobody_calls_it_a_conflict() -> None:
    async with house(DUEL, policy=Policy(3)) as desk:
        name, sample = (await desk.entries())[0].key, SAMPLES["duel"]
        for who, given in (("ada", sample.first), ("bob", sample.other), ("cyd", sample.first)):
            await desk.say(who, name, given)
        assert name not in {entry.key for entry in await desk.entries()}


# ------------------------------------------------------------------------------------------- the item as a whole


async def test_an_item_is_discarded_by_file_under_its_own_id(tmp_path: Path) -> None:
    async with house(GRADE, ITEM) as desk:
        first, second = await desk.entries()
        item = first.key.partition("/")[0]
        (tmp_path / "a.csv").write_text(f"key,decision,reason,reviewer\n{item},discard,not sound,ada\n", "utf-8")
        assert [one.outcome for one in await desk.take(tmp_path / "a.csv")] == [Outcome.APPLIED]
        assert [one.outcome for one in await desk.take(tmp_path / "a.csv")] == [Outcome.ALREADY]
        assert [entry.key for entry in await desk.entries()] == [second.key]
        assert await desk.undo("ada") == item
        assert len(await desk.entries()) == 2


async def test_a_row_about_a_whole_item_that_has_no_card_of_its_own_says_so(tmp_path: Path) -> None:
    async with house(GRADE) as desk:
        item = (await desk.entries())[0].key.partition("/")[0]
        (tmp_path / "a.csv").write_text(f"key,grade,reason,reviewer\n{item},1,why,ada\n", "utf-8")
        (told,) = await desk.take(tmp_path / "a.csv")
        assert told.outcome is Outcome.REFUSED
        assert told.message.startswith(f"nobody can decide on the item {item[:10]} as a whole here")


async def test_an_item_is_discarded_on_the_page_and_comes_back() -> None:
    async with house(GRADE, ITEM) as desk:
        site = Site(desk_of(desk))
        async with site.visitor("ada") as ada:
            assert ada.page
            card = ada.card
            item = card.partition("/")[0]
            assert "This item" in ada.page.text
            page = await ada.do("/decide", card=item, decision="discard", reason="not sound")
            assert "You said discard of “all of it”" in page.text
            assert ada.card != card
            await ada.do("/undo")
            assert len(await desk.entries()) == 2
            assert "is none of discard, praise" in (await ada.do("/decide", card=item, decision="keep")).text


async def test_an_item_is_discarded_at_the_terminal_or_nothing_is_said() -> None:
    async with house(GRADE, ITEM) as desk:
        told = await desk.terminal("ada", "i", "", "i", "x not sound", "u", "q")
        assert "i this item" in told
        assert "nothing was said about the item" in told
        assert "x discard" not in told  # that stands in the prompt
        assert [word.value["decision"] for word in await desk.words(ITEM.step)] == ["discard", "withdraw"]


async def test_nobody_speaks_about_an_item_that_has_ended() -> None:
    async with house(GRADE, ITEM) as desk:
        name = (await desk.entries())[0].key
        await desk.say("ada", name, {"grade": "1"})
        with pytest.raises(UsageError, match="decided meanwhile"):
            await desk.say("bob", name.partition("/")[0], {"decision": "discard"})


async def test_a_card_of_an_item_about_nothing_is_drawn_without_a_document(tmp_path: Path) -> None:
    async with house(DUEL, about=()) as desk:
        write_filled(tmp_path / "a.csv", "csv", await desk.entries(), SAMPLES["duel"].first)
        site = Site(desk_of(desk))
        async with site.visitor("ada") as ada:
            assert ada.page
            assert (ada.page.status, "the fever and the rains" in ada.page.text) == (200, True)
        assert "the fever and the rains" in await desk.terminal("ada", "d", "q")
        assert {one.outcome for one in await desk.take(tmp_path / "a.csv")} == {Outcome.APPLIED}
