"""The desk in a real browser: keys, marks, several people, hostile pages; and how it looks."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.review.campaign import Desk
from tests.web.browser import CHROMIUM, Browser, Tab, chromium
from tests.web.visitor import House

from benchwright.domain.opinion import Policy
from benchwright.store import reviews
from benchwright.web.doors import Doors
from benchwright.web.serve import Address, Server, configure, listen
from benchwright.web.site import Site

pytestmark = pytest.mark.skipif(
    not CHROMIUM, reason="no chromium on the path: apt-get install chromium, as .ci/run does where it can"
)
PICTURES = os.environ.get("BENCHWRIGHT_PICTURES")


@asynccontextmanager
async def opened(desk: Desk) -> AsyncIterator[tuple[Site, Browser]]:
    """The desk on a port of this machine, and a browser."""
    address = Address()
    listening = listen(address)
    house = House(desk)
    url = address.url(listening.getsockname()[1])
    site = Site("Outbreaks", desk.database, desk.terms, Doors(desk.database, lambda: house.now), url, lambda: house.now)
    server = Server(configure(site.app(address.names)))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        async with chromium() as browser:
            yield site, browser
    finally:
        server.should_exit = True
        await serving
        listening.close()


@asynccontextmanager
async def elsewhere(page: str) -> AsyncIterator[str]:
    """Another server on this machine; the address of its one page."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
        writer.write(f"{head}{page}".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


async def enter(site: Site, tab: Tab, name: str) -> None:
    await tab.open(f"{site.address}/enter?word={await site.doors.link(name)}")
    await tab.click("button.main")


async def card(tab: Tab) -> str:
    return str(await tab.run("(document.querySelector('[name=card]') || {}).value || ''"))


async def press(tab: Tab, key: str) -> None:
    """Press a key that loads another page."""
    await tab.moved(lambda: tab.key(key))


async def said(desk: Desk) -> list[tuple[str, str]]:
    found = await desk.database.read(lambda c: list(reviews.words(c, "review_option")))
    return [(word.answer.by, word.answer.value["decision"]) for word in found]


async def test_cards_are_decided_by_keys_alone(desk: Desk) -> None:
    async with opened(desk) as (site, browser), browser.person() as ada:
        await enter(site, ada, "Ada")
        first = await card(ada)
        await ada.key("m")
        await ada.type("skr")  # typed into the reason, these are letters
        await ada.key("Enter")
        assert await card(ada) == first
        await ada.key("Escape")
        await press(ada, "k")
        assert await card(ada) != first
        assert "You said keep" in await ada.text()
        await press(ada, "r")
        await press(ada, "c")
        last = await card(ada)
        await press(ada, "u")
        assert await card(ada) != last
        await ada.key("e")
        await ada.run("document.getElementById('text').value = ''")
        await ada.type("Other words, typed")
        await ada.moved(lambda: ada.key("Enter", modifiers=2))
        await press(ada, "s")
        assert await said(desk) == [
            ("human:Ada", "keep"), ("human:Ada", "reject"), ("human:Ada", "cannot_say"), ("human:Ada#2", "withdraw"),
            ("human:Ada#3", "edit"),
        ]  # fmt: skip
        assert ada.complaints() == []


async def test_the_evidence_is_marked_and_in_sight(desk: Desk) -> None:
    async with opened(desk) as (site, browser), browser.person() as ada:
        await ada.call("Emulation.setDeviceMetricsOverride", width=900, height=260, deviceScaleFactor=1, mobile=False)
        await enter(site, ada, "Ada")
        inside = """(() => { const mark = document.querySelector('mark').getBoundingClientRect();
            const pane = document.querySelector('.document').getBoundingClientRect();
            return mark.top >= pane.top && mark.bottom <= pane.bottom; })()"""
        await ada.until(inside)
        await ada.run("document.querySelector('.document').scrollTop = 0")
        await ada.key("j")
        await ada.until(inside)


async def test_two_people_in_two_browsers_never_have_the_same_card(desk: Desk) -> None:
    async with opened(desk) as (site, browser), browser.person() as ada, browser.person() as bob:
        await enter(site, ada, "Ada")
        await enter(site, bob, "Bob")
        seen: list[str] = []
        while (one := await card(ada)) and (other := await card(bob)):
            assert one != other
            seen += [one, other]
            await press(ada, "k")
            await press(bob, "r")
        await bob.open(f"{site.address}/card")
        await ada.open(f"{site.address}/card")
        for tab in (ada, bob):
            while left := await card(tab):
                seen.append(left)
                await press(tab, "k")
        assert len(seen) == len(set(seen)) == len(await said(desk))
        assert "Nothing is left for you" in await ada.text()


FOCUS = """(() => { const field = document.activeElement.getBoundingClientRect();
    const bar = document.querySelector('.actions.always').getBoundingClientRect();
    return document.activeElement.matches('input, textarea') && field.top >= 0 && field.bottom <= bar.top; })()"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1366, 768), (390, 844)])
async def test_what_one_types_into_stands_above_the_bar_of_buttons(desk: Desk, width: int, height: int) -> None:
    async with opened(desk) as (site, browser), browser.person() as ada:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        await ada.call("Emulation.setDeviceMetricsOverride", **size)
        await enter(site, ada, "Ada")
        await ada.key("m")
        await ada.until(FOCUS)
        await ada.run("document.activeElement.blur(); scrollTo(0, 0)")
        await ada.run("document.querySelector('.card').scrollTop = 0")
        for _ in range(40):
            await ada.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
            if await ada.run("document.activeElement.id === 'reason'"):
                break
        await ada.until(FOCUS)
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            await ada.look(width, height, "light", Path(PICTURES) / f"reason-{width}.png")


async def test_keys_work_by_their_place_where_letters_are_others(desk: Desk) -> None:
    async with opened(desk) as (site, browser), browser.person() as ada:
        await enter(site, ada, "Ada")
        for key, code in (("\u043b", "KeyK"), ("\u03c1", "KeyR"), ("\u0646", "KeyK")):
            await ada.moved(lambda key=key, code=code: ada.key(key, code=code))  # type: ignore[misc]
        assert [decision for _, decision in await said(desk)] == ["keep", "reject", "keep"]


async def test_what_was_typed_is_there_again_after_a_reload_without_a_word(desk: Desk) -> None:
    async with opened(desk) as (site, browser), browser.person() as ada:
        await enter(site, ada, "Ada")
        await ada.key("m")
        await ada.type("half a sentence")
        await ada.open(f"{site.address}/progress")
        await ada.open(f"{site.address}/card")
        assert await ada.run("document.getElementById('reason').value") == "half a sentence"
        await ada.run("stay()")
        assert ada.complaints() == []


async def test_figures_follow_what_others_do(desk: Desk) -> None:
    async with opened(desk) as (site, browser), browser.person() as ada, browser.person() as bob:
        await enter(site, ada, "Ada")
        await enter(site, bob, "Bob")
        await press(bob, "k")
        assert "0 of" in await ada.run("document.querySelector('[data-live=decided]').textContent")
        await ada.run("follow()")
        assert "1 of" in await ada.run("document.querySelector('[data-live=decided]').textContent")


async def test_a_hostile_text_runs_nothing(desk: Desk) -> None:
    hostile = "<script>window.hurt = 1</script><img src=x onerror='window.hurt = 2'>"
    async with opened(desk) as (site, browser), browser.person() as ada:
        await enter(site, ada, "Ada")
        await ada.key("e")
        await ada.run("document.getElementById('text').value = ''")
        await ada.type(hostile)
        await ada.moved(lambda: ada.key("Enter", modifiers=2))
        await press(ada, "u")
        assert hostile in await ada.run("document.getElementById('text').value")
        assert await ada.run("window.hurt || 0") == 0
        assert ada.complaints() == []


async def test_a_page_from_another_origin_decides_nothing(desk: Desk, tmp_path: Path) -> None:
    """Neither a file's page, nor one of another port of this machine, to which the browser does send the cookie."""
    async with opened(desk) as (site, browser), browser.person() as ada:
        await enter(site, ada, "Ada")
        token = await ada.run("document.querySelector('[name=csrf]').value")
        form = (
            f"<form method=post action='{site.address}/decide'><input name=card value='{await card(ada)}'>"
            f"<input name=csrf value='{token}'><input name=decision value=keep></form>"
        )
        (tmp_path / "evil.html").write_text(form, "utf-8")
        async with elsewhere(form) as page:
            for strange in ((tmp_path / "evil.html").as_uri(), page):
                await ada.open(strange)
                await ada.moved(lambda: ada.run("document.forms[0].submit()"))
                assert "Another page may not decide here" in await ada.text()
        assert await said(desk) == []


@pytest.mark.skipif(not PICTURES, reason="pictures are made where BENCHWRIGHT_PICTURES names a folder")
async def test_how_it_looks(desk: Desk) -> None:
    folder = Path(PICTURES or ".")
    folder.mkdir(parents=True, exist_ok=True)
    async with opened(desk.under(Policy(blind=False))) as (site, browser), browser.person() as ada:
        await enter(site, ada, "Ada")
        for width, height in ((1280, 800), (390, 844)):
            for scheme in ("light", "dark"):
                await ada.look(width, height, scheme, folder / f"card-{width}-{scheme}.png")
