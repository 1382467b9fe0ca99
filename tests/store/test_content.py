"""Images and vectors: stored once, found by content, never in the ledger."""

from functools import partial
from hashlib import sha256

import pytest

from benchwright.domain.call import Image, Message, Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.domain.embed import embed, pack, space
from benchwright.domain.ids import text_id
from benchwright.engine.earlier import earlier, rebuild_request
from benchwright.engine.record import StoreRecord
from benchwright.errors import NotFound, Unreadable, Unusable
from benchwright.llm.budget import most
from benchwright.store import blobs, calls, vectors
from benchwright.store.database import Database

MODEL = Model("m", "direct", "m-1", "http://127.0.0.1:9/v1")
PNG = b"\x89PNG\r\n\x1a\n a picture"
HASH = sha256(PNG).hexdigest()


def showing(image: Image) -> Request:
    return Request(MODEL, (Message("user", ("Look:", image, "Which?")),), {}, step="look")


async def test_an_image_is_stored_once_and_found_by_its_hash() -> None:
    async with await Database.open(None) as database:
        first, again = [await database.write(partial(blobs.put, data=PNG)) for _ in range(2)]
        assert first == again == Image(HASH, "image/png")
        assert await StoreRecord(database).image(HASH) == PNG
        assert await database.read(lambda c: c.execute("SELECT count(*), media FROM blobs").fetchall()) == [
            (1, "image/png")
        ]
        with pytest.raises(NotFound, match="no image ab"):
            await StoreRecord(database).image("ab")
        with pytest.raises(Unreadable):
            await database.write(partial(blobs.put, data=b"text"))


async def test_the_ledger_names_an_image_by_its_hash_and_holds_none_of_its_bytes() -> None:
    async with await Database.open(None) as database:
        request = showing(await database.write(partial(blobs.put, data=PNG)))
        await database.write(partial(calls.intend, request=request, now="now"))
        found = await database.read(lambda c: calls.get(c, request.id))
        assert found is not None
        assert found["messages"] == [
            {
                "role": "user",
                "content": f"Look:\n\n[image/png sha256:{HASH}]\n\nWhich?",
                "images": [{"hash": HASH, "media_type": "image/png"}],
            }
        ]
        assert await database.read(lambda c: c.execute("SELECT body FROM texts ORDER BY body").fetchall()) == [
            ("Look:",),
            ("Which?",),
        ]


async def test_a_lost_call_with_an_image_counts_as_no_less_than_it_reserved() -> None:
    async with await Database.open(None) as database:
        request = showing(Image(HASH, "image/png"))
        await database.write(partial(calls.intend, request=request, now="now"))
        again = await database.read(lambda c: rebuild_request(c, request.id, {"m": MODEL}))
        assert most(again).tokens >= most(request).tokens > 2000
        assert (await database.read(partial(earlier, models={"m": MODEL}))).lost == 1


EMBEDDER = Model("e", "direct", "e-1", "http://127.0.0.1:9/v1", embeds=True)
ONE, TWO = pack([1.0, 0.0]), pack([0.0, 1.0])


async def test_vectors_are_kept_by_the_content_of_their_texts_with_the_call_that_paid() -> None:
    request = embed(EMBEDDER, ["one", "two"], "pool")
    async with await Database.open(None) as database:
        record = StoreRecord(database)
        assert await record.find(request) is None
        await record.begin(request)
        await record.settle(request, Reply("{}", usage=Usage(7), cost=0.5, vectors=(ONE, TWO)))
        assert await record.vectors(space(EMBEDDER), [text_id("two"), text_id("three"), text_id("one")]) == {
            text_id("two"): TWO,
            text_id("one"): ONE,
        }
        assert await record.vectors("elsewhere", [text_id("one")]) == {}
        (spent,) = await database.read(calls.spending_by_model)
        assert (spent.step, spent.calls, spent.prompt, spent.cost) == ("pool", 1, 7, 0.5)
        found = await database.read(lambda c: calls.get(c, request.id))
        assert found is not None
        assert found["messages"][0]["content"] == "one\n\ntwo"


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ((ONE,), "2 texts were sent, and 1 vectors came back"),
        ((pack([1.0]), pack([1.0, 1.0, 1.0])), "1 and 2 and 3 numbers"),
        ((pack([1.0]), pack([1.0])), "1 and 2 numbers"),
    ],
)
async def test_vectors_that_do_not_fit_are_paid_for_and_not_kept(given: tuple[bytes, ...], fault: str) -> None:
    first, second = embed(EMBEDDER, ["one"], "pool"), embed(EMBEDDER, ["two", "three"], "pool")
    async with await Database.open(None) as database:
        record = StoreRecord(database)
        for request, came in ((first, (ONE,)), (second, given)):
            await record.begin(request)
            if request is second:
                with pytest.raises(Unusable, match=fault):
                    await record.settle(request, Reply("{}", cost=0.5, vectors=came))
            else:
                await record.settle(request, Reply("{}", cost=0.5, vectors=came))
        (spent,) = await database.read(calls.spending_by_model)
        assert (spent.calls, spent.cost) == (2, 1.0)
        assert await database.read(lambda c: vectors.get(c, space(EMBEDDER), second.names)) == {}
