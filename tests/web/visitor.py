"""A browser without a window: keeps cookies, fills in forms, sends what browsers send with them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Self

import httpx2
from tests.review.campaign import Desk

from benchwright.web.doors import Doors
from benchwright.web.site import Site

NOW = 1_800_000_000.0
BASE = "http://127.0.0.1:8765"


class Page(HTMLParser):
    """What a page holds: its text, its forms' hidden and prefilled fields, its scripts."""

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__()
        self.status, self.text, self.source = response.status_code, "", response.text
        self.url = str(response.url.path)
        self.fields: dict[str, str] = {}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(response.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "input" and found.get("name"):
            self.fields.setdefault(str(found["name"]), found.get("value") or "")

    def handle_data(self, data: str) -> None:
        self.text += data

    def inside(self, part: str) -> str:
        """The card on the page, as forms name it; or another hidden field."""
        return self.fields[part]


@dataclass
class Visitor:
    """Somebody with a browser."""

    client: httpx2.AsyncClient
    page: Page | None = None

    async def get(self, path: str, **headers: str) -> Page:
        self.page = Page(await self.client.get(path, headers=headers))
        return self.page

    async def send(self, path: str, fields: dict[str, str], **headers: str) -> Page:
        """Send a form as our own pages do."""
        sent = {"Origin": BASE, "Sec-Fetch-Site": "same-origin"} | headers
        self.page = Page(await self.client.post(path, data=fields, headers=sent))
        return self.page

    async def enter(self, word: str, name: str = "") -> Page:
        await self.get(f"/enter?word={word}")
        return await self.send("/enter", {"word": word, "name": name})

    async def do(self, path: str, **fields: str) -> Page:
        """Fill in the form of the page at hand."""
        assert self.page
        known = {name: self.page.fields[name] for name in ("csrf", "card") if name in self.page.fields}
        return await self.send(path, known | fields)

    async def decide(self, decision: str, **fields: str) -> Page:
        return await self.do("/decide", decision=decision, **fields)

    @property
    def card(self) -> str:
        """The card that lies before them; "" for none."""
        assert self.page
        return self.page.fields.get("card", "")


@dataclass
class House:
    """A desk that is open, with a clock that a test turns."""

    desk: Desk
    password: str = ""
    now: float = NOW
    secret: str = "test"
    doors: Doors = field(init=False)

    def __post_init__(self) -> None:
        self.doors = Doors(self.desk.database, lambda: self.now, self.password)
        terms = self.desk.terms
        self.site = Site("test <b>", self.desk.database, terms, self.doors, BASE, lambda: self.now, self.secret)
        self.app = self.site.app(("localhost",))

    def under(self, desk: Desk) -> Self:
        return replace(self, desk=desk)

    @asynccontextmanager
    async def visitor(self, name: str = "") -> AsyncIterator[Visitor]:
        """Somebody who comes, and is let in where a name is given."""
        transport = httpx2.ASGITransport(self.app)
        async with httpx2.AsyncClient(transport=transport, base_url=BASE, follow_redirects=True) as client:
            found = Visitor(client)
            if name:
                await found.enter(await self.doors.link(name))
            yield found
