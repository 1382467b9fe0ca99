"""Campaigns, documents, items, calls: what goes in comes out, and what must be told is told."""

from dataclasses import replace
from functools import partial

import pytest
from tests.scripted_recall import document

from benchwright.domain.answer import Answer
from benchwright.domain.call import Message, Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.domain.document import View, whole
from benchwright.domain.ids import content_id
from benchwright.domain.item import ItemState, Seed, discarded_ending, kept_ending
from benchwright.errors import NotFound
from benchwright.store import calls, campaigns, counts, documents, items, jobs
from benchwright.store.database import Connection, Database
from benchwright.store.sources import Corpus

MODEL = Model("small", "direct", "small-1", "http://127.0.0.1:9/v1")


def request(text: str = "hello", run: int = 0) -> Request:
    messages = (Message("system", ("be brief",)), Message("user", ("the document", text)))
    return Request(MODEL, messages, {"type": "object"}, run, 7, "write_question")


def seed(slot: int, attempt: int = 0, report: int = 0) -> Seed:
    return Seed(slot, attempt, View(f"{report:032x}", (0, 1)), '{"focus":"any"}')


async def test_a_campaign_that_has_not_begun_is_told_so() -> None:
    async with await Database.open(None) as database:
        assert await database.read(campaigns.find) is None
        with pytest.raises(NotFound, match="benchwright run"):
            await database.read(campaigns.get)


async def test_a_campaign_keeps_its_recipe_and_every_accepted_change() -> None:
    async with await Database.open(None) as database:
        await database.write(lambda c: campaigns.begin(c, "demo", "name = 'demo'", {"seed": 1}, "monday", "0.1"))
        await database.write(lambda c: campaigns.accept(c, "seed = 2", {"seed": 2}, "tuesday"))
        await database.write(lambda c: campaigns.accept(c, "seed = 2", {"seed": 2}, "friday", who="ada", why="to see"))
        await database.write(lambda c: campaigns.refresh(c, "seed = 2 # the same"))
        await database.write(lambda c: campaigns.pause(c, paused=True))
        await database.write(lambda c: campaigns.end(c, {"how": "paused"}))
        found = await database.read(campaigns.get)
        assert found == campaigns.Record(
            "demo", "seed = 2 # the same", {"seed": 2}, "monday", "0.1", paused=True, ended={"how": "paused"}
        )
        assert await database.read(campaigns.changes) == [
            campaigns.Change("tuesday", {"seed": 1}, {"seed": 2}),
            campaigns.Change("friday", {"seed": 2}, {"seed": 2}, "ada", "to see"),
        ]
        await database.write(lambda c: campaigns.end(c, None))
        assert (await database.read(campaigns.get)).ended is None


async def test_a_document_comes_back_as_it_was_taken_in() -> None:
    async with await Database.open(None) as database:
        for _ in range(2):
            await database.write(partial(documents.admit, document=document(3), view=whole(document(3))))
        assert await database.read(lambda c: documents.get(c, document(3).id)) == (document(3), whole(document(3)))
        [outline] = await database.read(lambda c: list(Corpus(c)))
        assert outline.titles == ("Findings", "Response")


async def test_a_view_and_a_seed_come_back_with_what_they_mask() -> None:
    view = View(document(3).id, (0,), (1,))
    begun = Seed(0, 0, view)
    async with await Database.open(None) as database:
        await database.write(partial(documents.admit, document=document(3), view=view))
        assert await database.read(lambda c: documents.get(c, document(3).id)) == (document(3), view)
        [outline] = await database.read(lambda c: list(Corpus(c)))
        assert (outline.view, outline.titles) == (view, ("Findings",))
        await database.write(partial(items.add, seed=begun))
        assert (await database.read(lambda c: items.find(c, begun.id))).seed == begun


async def test_the_same_bytes_under_a_second_name_are_refused_with_the_first_name() -> None:
    async with await Database.open(None) as database:
        await database.write(partial(documents.admit, document=document(3), view=whole(document(3))))
        copy = replace(document(3), name="copy.md")
        await database.write(partial(documents.admit, document=copy, view=whole(copy)))
        assert await database.read(documents.list_files) == (
            documents.Listed("report-3.md", document(3).id, None),
            documents.Listed("copy.md", None, "the same bytes as report-3.md"),
        )


async def test_an_unknown_document_is_named() -> None:
    async with await Database.open(None) as database:
        with pytest.raises(NotFound, match="no document abc"):
            await database.read(lambda c: documents.get(c, "abc"))


async def test_an_item_is_found_by_the_beginning_of_its_id_if_that_is_unique() -> None:
    async with await Database.open(None) as database:
        for slot in range(40):
            await database.write(partial(items.add, seed=seed(slot)))
        name = seed(7).id
        assert (await database.read(lambda c: items.find(c, name[:12]))).seed == seed(7)
        with pytest.raises(NotFound, match="several items begin with"):
            await database.read(lambda c: items.find(c, ""))
        with pytest.raises(NotFound, match="no item zz"):
            await database.read(lambda c: items.find(c, "zz"))


async def test_items_come_in_the_order_of_the_set_page_after_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "PAGE", 3)
    async with await Database.open(None) as database:
        for slot in (4, 2, 0, 1, 3, 5):
            await database.write(partial(items.add, seed=seed(slot)))
        found = await database.read(lambda c: [row.seed.slot for row in items.pages(c)])
        assert found == [0, 1, 2, 3, 4, 5]
        assert await database.read(lambda c: list(items.pages(c, ItemState.KEPT))) == []


async def test_the_same_seed_is_one_item() -> None:
    async with await Database.open(None) as database:
        assert await database.write(partial(items.add, seed=seed(0))) == 1
        assert await database.write(partial(items.add, seed=seed(0))) is None


async def test_progress_counts_slots_begun_room_left_and_tries_to_come() -> None:
    async with await Database.open(None) as database:
        for slot in range(4):
            await database.write(partial(items.add, seed=seed(slot)))
        await database.write(lambda c: items.move(c, 1, discarded_ending("too few options")))
        await database.write(lambda c: items.move(c, 2, discarded_ending("refused")))
        await database.write(lambda c: items.move(c, 3, kept_ending("kept", {})))
        found = await database.read(lambda c: items.progress(c, 3, 10))
        assert (found.begun, found.discarded, found.room) == (4, ((0, 0), (1, 0)), 9)
        await database.write(partial(items.add, seed=seed(0, 1)))
        assert (await database.read(lambda c: items.progress(c, 3, 10))).discarded == ((1, 0),)
        assert (await database.read(lambda c: items.progress(c, 1, 10))).discarded == ()
        assert (await database.read(lambda c: items.progress(c, 3, 1))).room == 0
        assert await database.read(items.shortfalls) == [("refused", 1)]
        assert await database.read(items.causes) == [
            ("discarded", "refused", 1),
            ("discarded", "too few options", 1),
            ("kept", "kept", 1),
        ]
        assert await database.read(lambda c: items.seqs(c, unfinished=True)) == [4, 5]
        assert await database.read(lambda c: items.seqs(c, unfinished=False)) == [1, 2, 3, 4, 5]


async def test_an_answer_is_said_once() -> None:
    async with await Database.open(None) as database:
        await database.write(partial(items.add, seed=seed(0)))
        one, other = Answer("s", "", "m#1", '{"a":1}', "c"), Answer("s", "", "m#1", '{"a":2}')
        assert await database.write(lambda c: items.say(c, 1, one, "now"))
        assert not await database.write(lambda c: items.say(c, 1, other, "now"))
        assert await database.read(lambda c: items.answers(c, 1)) == (one,)
        assert await database.read(lambda c: list(items.answers_of_step(c, "s"))) == [
            (1, seed(0).id, (0, 0), '{"a":1}')
        ]
        assert await database.read(lambda c: counts.of(c, "answer")) == {"s": {"given": 1}}


def reply(cost: float | None = 0.25) -> Reply:
    return Reply('{"a":1}', "thought", "stop", Usage(100, 20, 60), cost, 1.5, request().id)


async def test_a_call_is_intended_settled_and_found_again() -> None:
    async with await Database.open(None) as database:
        assert await database.read(lambda c: calls.find(c, request().id)) is None
        await database.write(lambda c: calls.intend(c, request(), "now"))
        assert await database.read(calls.uncertain) == 1
        assert await database.read(lambda c: calls.find(c, request().id)) is None
        await database.write(lambda c: calls.settle(c, request(), reply()))
        assert await database.read(calls.uncertain) == 0
        assert await database.read(lambda c: calls.find(c, request().id)) == reply()
        assert await database.read(calls.ids) == [request().id]


async def test_a_call_that_left_again_without_a_word_of_the_first_time_stays_perhaps_paid() -> None:
    async with await Database.open(None) as database:
        for _ in range(3):
            await database.write(lambda c: calls.intend(c, request(), "now"))
        assert await database.read(calls.uncertain) == 3
        assert await database.read(calls.perhaps) == [(request().id, 3, False)]
        await database.write(lambda c: calls.settle(c, request(), reply()))
        assert await database.read(calls.uncertain) == 2
        assert await database.read(calls.perhaps) == [(request().id, 2, False)]


async def test_a_call_that_failed_or_is_with_its_provider_is_not_perhaps_paid() -> None:
    async with await Database.open(None) as database:
        await database.write(lambda c: calls.intend(c, request(), "now"))
        await database.write(lambda c: calls.fail(c, request(), "no"))
        await database.write(lambda c: calls.intend(c, request(), "now"))
        await database.write(
            lambda c: c.execute("INSERT INTO batches (name, model, total, at, expires) VALUES ('b','m',1,0,9)")
        )
        await database.write(lambda c: c.execute("INSERT INTO batched VALUES (?, 'b')", (request().id,)))
        await database.write(lambda c: calls.intend(c, request(), "later"))
        assert await database.read(calls.uncertain) == 0
        assert await database.read(calls.perhaps) == [(request().id, 0, True)]
        await database.write(lambda c: c.execute("UPDATE batches SET state = 'lost'"))
        assert await database.read(calls.perhaps) == [(request().id, 1, False)]


async def test_a_settled_call_is_never_overwritten() -> None:
    async with await Database.open(None) as database:
        await database.write(lambda c: calls.intend(c, request(), "now"))
        await database.write(lambda c: calls.settle(c, request(), reply()))
        await database.write(lambda c: calls.intend(c, request(), "later"))
        await database.write(lambda c: calls.settle(c, request(), reply(cost=9)))
        await database.write(lambda c: calls.fail(c, request(), "no"))
        assert await database.read(lambda c: calls.find(c, request().id)) == reply()
        [spent] = await database.read(calls.spending_by_model)
        assert spent == calls.Spent("small", "write_question", 1, 100, 20, 60, 0, 0.25, 0, 1.5)


async def test_an_unknown_price_stays_unknown_beside_known_ones() -> None:
    async with await Database.open(None) as database:
        for run, cost in enumerate((0.5, None, 0.0)):
            await database.write(partial(calls.intend, request=request(run=run), now="now"))
            await database.write(partial(calls.settle, request=request(run=run), reply=reply(cost)))
        [spent] = await database.read(calls.spending_by_model)
        assert (spent.calls, spent.cost, spent.unpriced) == (3, 0.5, 1)


async def test_a_failed_call_says_why_and_may_leave_again() -> None:
    async with await Database.open(None) as database:
        await database.write(lambda c: calls.intend(c, request(), "now"))
        await database.write(lambda c: calls.fail(c, request(), "boom"))
        await database.write(lambda c: calls.intend(c, request(), "now"))
        found = await database.read(lambda c: calls.get(c, request().id))
        assert found is not None
        assert (found["state"], found["sent"], found["error"]) == ("intended", 2, "boom")


async def test_a_call_is_shown_with_its_prompt_and_a_document_is_stored_once() -> None:
    async with await Database.open(None) as database:
        for text in ("hello", "good bye"):
            await database.write(partial(calls.intend, request=request(text), now="now"))
        found = await database.read(lambda c: calls.get(c, request().id))
        assert found is not None
        assert found["messages"] == [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": "the document\n\nhello"},
        ]
        assert found["model"] == "small"
        assert found["parameters"]["target"] == "small-1"
        stored = await database.read(lambda c: c.execute("SELECT count(*) FROM texts").fetchone()[0])
        assert stored == 4
        assert await database.read(lambda c: calls.get(c, content_id("call", "other"))) is None


def test_a_connection_is_what_operations_take() -> None:
    assert Connection.__module__ == "sqlite3"


async def test_a_decision_made_twice_is_taken_once_and_plans_once() -> None:
    planned: list[Seed] = []

    def plan(begun: Seed, _: object) -> list[tuple[str, str]]:
        planned.append(begun)
        return [("ask", "writer")]

    async with await Database.open(None) as database:
        await database.write(partial(items.add, seed=seed(0)))
        said = Answer("review_option", "x", "human:ada", "{}")
        decide = partial(jobs.decide, seq=1, key="old", answer=said, plan=plan, now="now")
        assert await database.write(decide)
        assert not await database.write(decide)
        assert planned == [seed(0)]


async def test_changed_rules_plan_every_unfinished_item_again() -> None:
    async with await Database.open(None) as database:
        for slot in range(3):
            await database.write(partial(items.add, seed=seed(slot)))
        await database.write(lambda c: items.move(c, 2, discarded_ending("too few options")))
        await database.write(lambda c: jobs.replan(c, lambda begun, _: [(f"ask/{begun.slot}", "writer")]))
        tickets = await database.read(lambda c: c.execute("SELECT item, key FROM jobs").fetchall())
        assert tickets == [(1, "ask/0"), (3, "ask/2")]
