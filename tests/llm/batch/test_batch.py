"""Requests gather, leave together, are waited for and come back one by one; what is held is found, never sent again."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from tests import clock
from tests.llm.post import Post

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import (
    BadKey,
    BenchwrightError,
    RateLimited,
    Refused,
    StoreFailed,
    Transient,
    UnknownModel,
    Unsent,
)
from benchwright.llm.batch import batch as batches
from benchwright.llm.batch.api import Outcome
from benchwright.llm.batch.batch import DAY, FIRST, GRACE, LONGEST, QUIET, Batch
from benchwright.llm.providers.scripted import Scripted

MODEL = Model("judge", "direct", "judge-1", base_url="http://127.0.0.1:1/v1", price_in=2.0, price_out=4.0)
OTHER = replace(MODEL, name="other", target="other-1")
NOBODY = Scripted(lambda _: "asked at once")


def request(n: int = 0, model: Model = MODEL, *, batch: bool = True) -> Request:
    return Request(model, (Message("user", (f"Q{n}",)),), {}, batch=batch)


@dataclass
class Notes:
    """A shelf in memory that keeps the order of what is written; `full` is what writing raises."""

    held: list[OpenBatch] = field(default_factory=list)
    written: list[tuple[str, Any]] = field(default_factory=list)
    full: BenchwrightError | None = None

    async def open_batches(self) -> list[OpenBatch]:
        return self.held

    async def prepare(self, batch: OpenBatch, rows: Mapping[str, Request]) -> None:
        if self.full:
            raise self.full
        assert rows.keys() == batch.calls.keys()
        self.written.append(("prepare", batch))

    async def submit(self, batch: OpenBatch) -> None:
        self.written.append(("submit", batch.remote))

    async def progress(self, name: str, done: int) -> None:
        self.written.append(("progress", done))

    async def collect(self, name: str, outcomes: Mapping[str, Outcome]) -> None:
        self.written.append(("collect", outcomes))

    async def lose(self, name: str, reason: str) -> None:
        self.written.append(("lose", reason))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.written if kind != "progress"]

    def only(self, kind: str) -> Any:
        """What was written once."""
        (found,) = [what for written, what in self.written if written == kind]
        return found


def made(post: Post, notes: Notes, inner: Scripted = NOBODY) -> Batch:
    return Batch(inner, notes, {"judge": MODEL, "other": OTHER}, lambda _: post, clock.now)


async def ask_all(llm: Batch, requests: list[Request]) -> list[Reply | BaseException]:
    return await asyncio.gather(*map(llm.ask, requests), return_exceptions=True)


def held(*requests: Request, remote: str = "batch_0", at: float = clock.EPOCH) -> OpenBatch:
    return OpenBatch("ours", "judge", at, at + DAY, {one.id: one.model.name for one in requests}, remote)


# ------------------------------------------------------------------------------------------------------- gathering


def test_what_may_wait_leaves_together_when_no_more_come_and_the_rest_is_asked_at_once() -> None:
    async def main() -> None:
        post, notes, asked = Post(), Notes(), Scripted(lambda _: "at once")
        llm = made(post, notes, asked)
        replies = await ask_all(llm, [*map(request, range(5)), request(9, batch=False)])
        assert [one.text for one in replies if isinstance(one, Reply)][-1] == "at once"
        assert len(replies) == 6
        [(when, rows)] = post.sent
        assert QUIET <= when - clock.EPOCH <= 2 * QUIET
        assert sorted(rows) == sorted(request(n).id for n in range(5))
        assert len(asked.history) == 1
        assert notes.kinds == ["prepare", "submit", "collect"]

    clock.run(main)


def test_a_batch_waits_as_long_as_more_come() -> None:
    async def main() -> None:
        post = Post()
        llm = made(post, Notes())
        asking = []
        for n in range(5):
            asking.append(asyncio.create_task(llm.ask(request(n))))
            await asyncio.sleep(QUIET - 1)
        await asyncio.gather(*asking)
        assert [len(rows) for _, rows in post.sent] == [5]

    clock.run(main)


def test_a_full_batch_leaves_and_the_next_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH_MOST", 3)

    async def main() -> None:
        post = Post()
        await ask_all(made(post, Notes()), [request(n) for n in range(8)])
        assert sorted(len(rows) for _, rows in post.sent) == [2, 3, 3]

    clock.run(main)


def test_long_prompts_fill_a_batch_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BYTES_MOST", 4)

    async def main() -> None:
        post = Post()
        await ask_all(made(post, Notes()), [request(n) for n in range(4)])
        assert [len(rows) for _, rows in post.sent] == [2, 2]

    clock.run(main)


def test_each_endpoint_has_its_own_batches() -> None:
    async def main() -> None:
        post = Post()
        await ask_all(made(post, Notes()), [request(0), request(0, OTHER), request(1)])
        assert sorted(len(rows) for _, rows in post.sent) == [1, 2]

    clock.run(main)


def test_a_request_that_nobody_waits_for_any_more_does_not_leave() -> None:
    async def main() -> None:
        post, notes = Post(), Notes()
        llm = made(post, notes)
        alone = asyncio.create_task(llm.ask(request(0, OTHER)))
        several = [asyncio.create_task(llm.ask(request(n))) for n in range(3)]
        await asyncio.sleep(1)
        alone.cancel()
        several[1].cancel()
        await asyncio.gather(*several, alone, return_exceptions=True)
        assert [sorted(rows) for _, rows in post.sent] == [sorted([request(0).id, request(2).id])]
        assert llm.waiting == {}

    clock.run(main)


# --------------------------------------------------------------------------------------------------- there and back


def test_a_reply_is_recorded_before_anyone_sees_it_at_half_the_price_with_its_call_and_time() -> None:
    async def main() -> None:
        notes = Notes()
        reply = await made(Post(), notes).ask(request())
        assert reply == notes.only("collect")[request().id]
        assert reply.call == request().id
        assert reply.cost == pytest.approx(0.5 * (1000 * 2 + 1000 * 4) / 1e6)
        assert 100 <= reply.latency <= 200

    clock.run(main)


def test_an_unknown_price_stays_unknown() -> None:
    async def main() -> None:
        free = replace(MODEL, price_in=None, price_out=None)
        llm = Batch(NOBODY, Notes(), {"judge": free}, lambda _: Post(), clock.now)
        assert (await llm.ask(request(0, free))).cost is None

    clock.run(main)


def test_a_provider_is_asked_at_growing_intervals_up_to_five_minutes() -> None:
    async def main() -> None:
        post = Post(takes=3600)
        await made(post, Notes()).ask(request())
        waits = [later - sooner for sooner, later in zip(post.looks, post.looks[1:], strict=False)]
        assert waits[:3] == [FIRST, FIRST * 1.5, FIRST * 2.25]
        assert max(waits) == LONGEST
        assert len(post.looks) < 20

    clock.run(main)


def test_how_far_a_batch_has_got_is_written_down() -> None:
    async def main() -> None:
        notes = Notes()
        await ask_all(made(Post(takes=200), notes), [request(n) for n in range(10)])
        told = [what for kind, what in notes.written if kind == "progress"]
        assert told == sorted(told)
        assert told[-1] == 10
        assert any(0 < done < 10 for done in told)

    clock.run(main)


def test_each_row_goes_its_own_way() -> None:
    def mixed(number: int, call: str) -> Outcome | None:
        return ends[number % 5]

    ends: list[Outcome | None] = [
        Reply("yes"),
        Refused("no", "filtered"),
        Transient("boom"),
        RateLimited("slow", 7.0),
        None,
    ]

    async def main() -> None:
        notes = Notes()
        rows = sorted((request(n) for n in range(5)), key=lambda one: one.id)
        good, refused, boom, slow, silent = await ask_all(made(Post(says=mixed), notes), rows)
        assert isinstance(good, Reply)
        assert isinstance(refused, Refused)
        assert refused.cause == "filtered"
        assert type(boom) is Transient
        assert isinstance(slow, RateLimited)
        assert slow.retry_after == 7
        assert isinstance(silent, Transient)
        assert "ended without a reply" in str(silent)
        assert set(notes.only("collect")) == {one.id for one in rows}

    clock.run(main)


def test_only_the_rows_that_failed_go_with_the_next_batch() -> None:
    def first_fails(number: int, call: str) -> Outcome | None:
        return Transient("boom") if call == request(0).id and len(post.sent) == 1 else Reply("yes")

    post = Post(says=first_fails)

    async def again(llm: Batch, one: Request) -> Reply:
        """As the queue does."""
        try:
            return await llm.ask(one)
        except Transient:
            return await again(llm, one)

    async def main() -> None:
        llm = made(post, Notes())
        replies = await asyncio.gather(*(again(llm, request(n)) for n in range(4)))
        assert [reply.text for reply in replies] == ["yes"] * 4
        assert [len(rows) for _, rows in post.sent] == [4, 1]
        assert post.sent[1][1] == [request(0).id]

    clock.run(main)


def test_a_batch_that_failed_as_a_whole_says_why_to_every_row() -> None:
    async def main() -> None:
        post = Post(says=lambda number, call: None, trouble=RateLimited("over the limit", 300.0))
        errors = await ask_all(made(post, Notes()), [request(0), request(1)])
        assert [str(error) for error in errors] == ["over the limit"] * 2
        assert errors[0] is not errors[1]

    clock.run(main)


def test_a_provider_that_is_down_for_a_while_loses_nothing() -> None:
    async def main() -> None:
        down = [Transient("down"), RateLimited("slow", 1000.0), Transient("down")]
        post, notes = Post(troubles={"look": list(down), "results": list(down)}), Notes()
        assert (await made(post, notes).ask(request())).text == "yes 0"
        assert notes.kinds == ["prepare", "submit", "collect"]

    clock.run(main)


def test_a_batch_that_never_ends_is_given_up_after_its_time() -> None:
    async def main() -> None:
        notes = Notes()
        with pytest.raises(Transient, match="has done 0 of 1 requests in its time"):
            await made(Post(takes=1e9), notes).ask(request())
        assert notes.kinds == ["prepare", "submit", "lose"]
        assert DAY + GRACE <= clock.now() - clock.EPOCH <= DAY + GRACE + 2 * QUIET + LONGEST

    clock.run(main)


# ------------------------------------------------------------------------------------------------------ handing in


@pytest.mark.parametrize("error", [RateLimited("slow", 60.0), BadKey("no such key")])
def test_a_batch_that_is_refused_is_no_batch(error: BenchwrightError) -> None:
    async def main() -> None:
        post, notes = Post(troubles={"submit": [error]}), Notes()
        llm = made(post, notes)
        errors = await ask_all(llm, [request(0), request(1)])
        assert [type(one) for one in errors] == [type(error)] * 2
        assert notes.kinds == ["prepare", "lose"]
        assert (llm.held, llm.tasks) == ({}, {})
        assert (await llm.ask(request(0))).text == "yes 0"

    clock.run(main)


def test_a_batch_that_was_taken_although_the_connection_broke_is_found_and_not_sent_again() -> None:
    async def main() -> None:
        post, notes = Post(deaf=True, troubles={"find": [Transient("down")]}), Notes()
        assert (await made(post, notes).ask(request())).text == "yes 0"
        assert len(post.sent) == 1
        assert notes.only("submit") == "batch_0"

    clock.run(main)


def test_a_batch_that_did_not_arrive_is_lost_and_its_rows_come_again() -> None:
    async def main() -> None:
        post, notes = Post(troubles={"submit": [Transient("the connection failed")]}), Notes()
        llm = made(post, notes)
        with pytest.raises(Transient, match="did not reach its provider"):
            await llm.ask(request())
        assert notes.kinds == ["prepare", "lose"]
        assert (await llm.ask(request())).text == "yes 0"

    clock.run(main)


def test_nothing_leaves_that_could_not_be_written_down() -> None:
    async def main() -> None:
        post = Post()
        with pytest.raises(StoreFailed):
            await made(post, Notes(full=StoreFailed("no"))).ask(request())
        assert post.sent == []

    clock.run(main)


# ------------------------------------------------------------------------------------------------------ after a kill


def test_what_a_provider_holds_from_an_earlier_run_is_waited_for_and_not_sent_again() -> None:
    async def main() -> None:
        notes = Notes(held=[held(request(0), request(1))])
        post = Post(sent=[(clock.EPOCH, [request(0).id, request(1).id])])
        llm = made(post, notes)
        replies = await ask_all(llm, [request(0), request(1, batch=False), request(2)])
        assert all(isinstance(reply, Reply) for reply in replies)
        assert [rows for _, rows in post.sent[1:]] == [[request(2).id]]

    clock.run(main)


def test_all_that_an_earlier_batch_brings_is_recorded_whoever_asks_for_it() -> None:
    async def main() -> None:
        notes = Notes(held=[held(request(0), request(1))])
        post = Post(sent=[(clock.EPOCH, [request(0).id, request(1).id])])
        llm = made(post, notes)
        await llm.ask(request(5, batch=False))
        await asyncio.sleep(1000)
        assert set(notes.only("collect")) == {request(0).id, request(1).id}

    clock.run(main)


@pytest.mark.parametrize("arrived", [True, False])
def test_a_batch_that_was_only_prepared_is_looked_for_before_anything_is_sent(arrived: bool) -> None:
    async def main() -> None:
        notes = Notes(held=[held(request(), remote="")])
        sent = [(clock.EPOCH, [request().id])]
        post = Post(sent=sent, names={"ours": "batch_0"}) if arrived else Post()
        assert (await made(post, notes).ask(request())).text == "yes 0"
        assert len(post.sent) == 1
        assert notes.kinds == (["submit", "collect"] if arrived else ["lose", "prepare", "submit", "collect"])

    clock.run(main)


def test_a_batch_of_a_model_that_the_campaign_no_longer_has_is_left_alone() -> None:
    async def main() -> None:
        gone = replace(held(request()), model="gone")
        llm = made(Post(), Notes(held=[gone]))
        assert (await llm.ask(request(0, batch=False))).text == "asked at once"
        assert llm.tasks == {}

    clock.run(main)


def test_an_error_that_the_next_run_may_mend_leaves_the_batch_where_it_is() -> None:
    async def main() -> None:
        post, notes = Post(troubles={"look": [BadKey("revoked")]}), Notes()
        llm = made(post, notes)
        with pytest.raises(BadKey, match="revoked"):
            await llm.ask(request())
        assert notes.kinds == ["prepare", "submit"]
        assert (await llm.ask(request())).text == "yes 0"
        assert len(post.sent) == 1

    clock.run(main)


@pytest.mark.parametrize("days", [0, 2])
def test_a_batch_that_its_provider_does_not_know_is_lost_only_when_its_time_is_over(days: int) -> None:
    async def main() -> None:
        notes = Notes(held=[held(request(), at=clock.EPOCH - days * DAY)])
        post = Post(troubles={"look": [UnknownModel("not known")] * (1 if days else 2)})
        llm = made(post, notes)
        if days:
            assert (await llm.ask(request())).text == "yes 0"
            assert notes.written[0] == ("lose", "not known")
        else:
            with pytest.raises(UnknownModel, match="not known"):
                await llm.ask(request())
            assert notes.kinds == []

    clock.run(main)


def test_an_old_batch_is_still_collected_though_its_provider_stumbles() -> None:
    async def main() -> None:
        old = clock.EPOCH - 5 * DAY
        post = Post(sent=[(old, [request().id])], troubles={"results": [Transient("down")]})
        assert (await made(post, Notes(held=[held(request(), at=old)])).ask(request())).text == "yes 0"

    clock.run(main)


# ------------------------------------------------------------------------------------------------------- stopping


def test_when_told_to_leave_nobody_waits_and_nothing_more_goes_out() -> None:
    async def main() -> None:
        post, notes = Post(takes=3600), Notes()
        llm = made(post, notes)
        gone = asyncio.create_task(llm.ask(request(0)))
        await asyncio.sleep(3 * QUIET)
        parked = asyncio.create_task(llm.ask(request(1)))
        await asyncio.sleep(1)
        llm.leave()
        later = await ask_all(llm, [request(2), request(0)])
        assert isinstance(later[0], Unsent)
        assert isinstance(later[1], asyncio.CancelledError)
        with pytest.raises(Unsent, match="The run stopped before this request left"):
            await parked
        with pytest.raises(asyncio.CancelledError):
            await gone
        llm.leave()
        await llm.aclose()
        assert post.closed
        assert [len(rows) for _, rows in post.sent] == [1]
        assert notes.kinds == ["prepare", "submit"]

    clock.run(main)


def test_one_that_was_never_asked_closes_too() -> None:
    clock.run(lambda: made(Post(), Notes()).aclose())


def test_an_error_of_our_own_reaches_those_who_wait() -> None:
    async def main() -> None:
        post = Post()
        llm = Batch(NOBODY, Notes(), {}, lambda _: post, clock.now)  # a model that is not in the catalogue
        with pytest.raises(KeyError):
            await llm.ask(request())

    clock.run(main)
