"""A scripted recall campaign whose uncertain options wait for people, and the moves that tests make in it."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Self

from tests.scripted_recall import answer, document, pipeline

from benchwright.domain.campaign import Quota
from benchwright.domain.document import whole
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.plans import planner
from benchwright.engine.readings import Readings
from benchwright.engine.runner import Ended, Runner
from benchwright.engine.worker import Tools
from benchwright.llm.providers.scripted import Scripted
from benchwright.llm.replies.repair import Repair
from benchwright.pipelines.choice.recall import Recall
from benchwright.review import exchange
from benchwright.review.sheet import Entry, Row
from benchwright.store import campaigns, documents, items, jobs
from benchwright.store.database import Connection, Database

UNSURE = Rule(Fraction(9, 10), Fraction(1, 10), 2)
REPORTS = 4
NOW = "2026-01-02T03:04:05+00:00"


@dataclass(frozen=True)
class Waiting:
    """The card of an option that waits for people, as files show it."""

    entry: Entry

    def shown(self, name: str) -> str:
        found = self.entry.shown[name]
        assert isinstance(found, str)
        return found

    def filled(self, **given: str) -> Entry:
        return replace(self.entry, given=given)

    @property
    def key(self) -> str:
        return self.entry.key

    @property
    def question(self) -> str:
        return self.shown("question")

    @property
    def option(self) -> str:
        return self.shown("option")

    @property
    def claim(self) -> str:
        return self.shown("claim")

    @property
    def evidence(self) -> str:
        return self.shown("evidence")

    @property
    def item(self) -> str:
        return self.shown("item")

    @property
    def option_id(self) -> str:
        return self.shown("about")

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(self.entry.shown["others"])

    @property
    def votes(self) -> tuple[str, ...]:
        return tuple(self.entry.shown.get("votes", ()))


@dataclass(frozen=True)
class Desk:
    """A campaign in memory, and who works on it."""

    pipeline: Recall
    database: Database

    @classmethod
    def of(cls, database: Database) -> Self:
        return cls(pipeline(rule=UNSURE, quota=Quota(target=REPORTS, tries=3)), database)

    @property
    def plan(self) -> jobs.Planner:
        return planner(self.pipeline)

    async def run(self) -> Ended:
        duplicates = Duplicates(self.pipeline.question_step, self.plan)
        await self.database.write(lambda c: jobs.rescue(c, self.plan))
        await self.database.write(lambda c: duplicates.load(c, NOW))
        model = Repair(Scripted(answer))
        tools = Tools(self.pipeline.campaign, self.pipeline, self.database, model, Readings(self.database), duplicates)
        return await Runner(tools).run()

    @property
    def terms(self) -> exchange.Desk:
        return exchange.Desk(self.pipeline, self.pipeline.campaign.review, self.plan)

    def under(self, policy: Policy) -> Self:
        """The same campaign under another policy of review."""
        return replace(self, pipeline=replace(self.pipeline, campaign=replace(self.pipeline.campaign, review=policy)))

    async def replan(self) -> None:
        """Owe what the policy at hand asks for."""
        await self.database.write(lambda c: jobs.replan(c, self.plan))

    async def entries(self, reviewer: str = "") -> list[Entry]:
        return await self.database.read(lambda c: exchange.entries(c, self.terms, reviewer))

    async def cards(self, reviewer: str = "") -> list[Waiting]:
        return [Waiting(entry) for entry in await self.entries(reviewer)]

    async def take(self, *rows: Row, by: str = "ada") -> list[exchange.Applied]:
        """What becomes of rows as lines of one file, told under the lines that they name."""
        numbered = [replace(row, line=number) for number, row in enumerate(rows)]
        found: list[exchange.Applied] = []
        for group in exchange.by_item(numbered):
            found += await self.database.write(
                partial(exchange.take, rows=group, desk=self.terms, reviewer=by, now=NOW)
            )
        told = exchange.in_order(numbered, found)
        return [replace(one, line=row.line) for one, row in zip(told, rows, strict=True)]

    async def one_by_one(self, *rows: Row, by: str = "ada") -> list[exchange.Applied]:
        """The same, each row as a file of its own."""
        return [one for row in rows for one in await self.take(row, by=by)]

    async def states(self) -> dict[str, str]:
        rows = await self.database.read(lambda c: list(items.pages(c)))
        return {row.id: row.state for row in rows}

    async def content(self) -> list[str]:
        """The whole database, as text: to see whether anything has changed."""
        return await self.database.read(lambda c: list(c.iterdump()))


async def begun(database: Database) -> Desk:
    """A new campaign."""
    desk = Desk.of(database)

    def begin(connection: Connection) -> None:
        campaigns.begin(connection, "test", "", desk.pipeline.campaign.recipe(), NOW, "0")
        for text in map(document, range(REPORTS)):
            documents.admit(connection, text, whole(text))

    await database.write(begin)
    return desk


@asynccontextmanager
async def waiting(image: sqlite3.Connection) -> AsyncIterator[Desk]:
    """A campaign that waits for people, of its own: run where the image is empty, else copied from there.

    It is copied page by page: to deserialize into an open database would pull the schema from under its prepared
    statements, and SQLite crashes.
    """
    async with await Database.open(None) as database:
        if not image.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            await (await begun(database)).run()
            await database.read(lambda connection: connection.backup(image))
        else:
            await database.read(image.backup)
        yield Desk.of(database)


def row(card: Waiting, decision: str = "keep", **others: str) -> Row:
    """The row by which someone decides about a card."""
    reviewer = others.pop("reviewer", "")
    return Row(1, card.key, {"decision": decision, "option": card.option, **others}, reviewer)
