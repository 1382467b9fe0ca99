"""A campaign that has begun, as its database has it: its pipeline, and the database opened to work or to look."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchwright.agents.base import Agent
from benchwright.config import parse
from benchwright.domain.campaign import Campaign
from benchwright.engine import status as standing
from benchwright.glance import Place, begun_place, status_of
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import Pipeline
from benchwright.store import campaigns
from benchwright.store.database import Database
from benchwright.store.look import Look


@dataclass(frozen=True, slots=True)
class Opened:
    """A campaign that has begun, with its open database."""

    place: Place
    campaign: Campaign
    pipeline: Pipeline
    database: Database

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The roles of the pipeline."""
        return self.pipeline.agents

    async def status(self) -> standing.Status:
        """How it stands."""
        return await status_of(self.database)


def pipeline_of(campaign: Campaign, where: Place) -> Pipeline:
    """The campaign's pipeline."""
    return PIPELINES[campaign.pipeline].of(campaign, where.file.parent)


@asynccontextmanager
async def open_campaign(path: Path) -> AsyncIterator[Opened]:
    """A campaign that has begun, as its database has it."""
    where = begun_place(path)
    async with await Database.open(where.database) as database:
        yield await read_campaign(where, database)


@asynccontextmanager
async def look_at_campaign(path: Path) -> AsyncIterator[Opened]:
    """The same to be read only: it leaves no trace, and needs no permission to write."""
    where = begun_place(path)
    async with await Look.at(where.database) as database:
        yield await read_campaign(where, database)


async def read_campaign(where: Place, database: Database) -> Opened:
    """The campaign that a database holds."""
    record = await database.read(campaigns.get)
    campaign = parse(where.file, record.source)
    return Opened(where, campaign, pipeline_of(campaign, where), database)
