"""What people do with a campaign: the part of `app` that stands apart, as it is theirs and not the models'."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import time

from benchwright.app import opened
from benchwright.engine.plans import planner
from benchwright.engine.worker import stamp
from benchwright.review import exchange
from benchwright.store.database import Database


@dataclass(frozen=True, slots=True)
class Room:
    """A campaign that people review, with its open database."""

    database: Database
    desk: exchange.Desk
    name: str


@asynccontextmanager
async def entered(path: Path) -> AsyncIterator[Room]:
    """A campaign that has begun, under the policy that its database has."""
    async with opened(path) as begun:
        desk = exchange.Desk(begun.pipeline, begun.campaign.review, planner(begun.pipeline))
        yield Room(begun.database, desk, begun.campaign.name)


async def hand_out(path: Path, target: Path) -> int:
    """Write the human queue to a file; returns how many options wait in it."""
    async with entered(path) as room:
        cards = await room.database.read(lambda connection: exchange.cards(connection, room.desk))
    return exchange.write(target, cards)


async def take_in(path: Path, source: Path, reviewer: str) -> list[exchange.Applied]:
    """Take in decisions from a file; returns what became of each row."""
    rows, found = exchange.read(source), []
    async with entered(path) as room:
        for group in exchange.by_item(rows):
            take = partial(exchange.take, rows=group, desk=room.desk, reviewer=reviewer, now=stamp(time()))
            found += await room.database.write(take)
    return exchange.in_order(rows, found)
