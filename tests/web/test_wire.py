"""Connections that send half of what they should: none keeps others out, none keeps the server from stopping."""

import asyncio
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx2
import pytest
from tests.review.campaign import Desk
from tests.web.visitor import House

from benchwright.web import wire
from benchwright.web.serve import Address, Server, configure, listen

HALVES = {
    "head": b"GET /card HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
    "body": b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: x\r\nContent-Length: 900\r\n\r\nword=",
    "nothing": b"",
}


@asynccontextmanager
async def opened(desk: Desk) -> AsyncIterator[tuple[Server, int]]:
    listening = listen(Address())
    port = listening.getsockname()[1]
    server = Server(configure(House(desk).site.app(("localhost",))))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield server, port
    finally:
        server.should_exit = True
        async with asyncio.timeout(10):
            await serving
        listening.close()


async def halves(port: int, sent: bytes, times: int) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    found = []
    for _ in range(times):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        found.append((reader, writer))
    return found


async def asked(port: int) -> int:
    async with httpx2.AsyncClient(timeout=5) as client:
        return (await client.get(f"http://127.0.0.1:{port}/enter")).status_code


@pytest.mark.parametrize("half", HALVES)
async def test_many_half_requests_keep_nobody_out(
    half: str, desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(wire, "MOST", 8)
    async with opened(desk) as (server, port):
        left = await halves(port, HALVES[half], 40)
        assert await asked(port) == 403
        assert len(server.server_state.connections) <= 9
        for _, writer in left:
            writer.close()
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize("half", HALVES)
async def test_half_a_request_is_given_up_after_its_time(
    half: str, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "SECONDS", 0.2)
    async with opened(desk) as (_, port):
        ((reader, writer),) = await halves(port, HALVES[half], 1)
        async with asyncio.timeout(5):
            with suppress(ConnectionError):
                assert b"200" not in await reader.read()
        writer.close()


async def test_half_a_form_does_not_keep_the_server_from_stopping(desk: Desk) -> None:
    async with opened(desk) as (_, port):
        left = await halves(port, HALVES["body"], 2)
        await asyncio.sleep(0.1)
    for _, writer in left:
        writer.close()


def test_where_few_files_may_be_open_there_are_fewer_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 64))
    assert wire.most_open() == 16
