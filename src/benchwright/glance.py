"""What a campaign's database tells without its pipeline: `status` must be there at once, so it imports little."""

from dataclasses import dataclass, replace
from pathlib import Path

from benchwright.engine import status as standing
from benchwright.errors import NotFound, UsageError
from benchwright.store import campaigns
from benchwright.store.database import Connection, Database
from benchwright.store.look import Look
from benchwright.store.owner import runner


@dataclass(frozen=True, slots=True)
class Place:
    """Where a campaign lies."""

    file: Path

    @property
    def database(self) -> Path:
        """Its database."""
        return self.file.with_suffix(".db")

    @property
    def folder(self) -> Path:
        """Its export."""
        return self.file.with_name(f"{self.file.stem}-set")

    @property
    def graphs(self) -> Path:
        """Where its knowledge graphs are kept in their compact form; they can be made again."""
        return self.file.with_name(f"{self.file.stem}-graphs")

    @property
    def vectors(self) -> Path:
        """Where vectors of its texts, and indexes of them, are kept; they can be made again."""
        return self.file.with_name(f"{self.file.stem}-vectors")


def place(path: Path) -> Place:
    """The place of a campaign named by its file or its database."""
    if path.suffix == ".db":
        return Place(path.with_suffix(".toml"))
    if path.suffix == ".toml":
        return Place(path)
    message = f"{path}: name the campaign by its .toml file or its .db file"
    raise UsageError(message)


def begun_place(path: Path) -> Place:
    """The place of a campaign that has begun; raises `NotFound` in words about the file that was named."""
    where = place(path)
    if where.database.exists() or where.database.is_dir():
        return where
    if where.file.exists():
        message = f"{where.file}: this campaign has not begun: begin it with 'benchwright run {where.file}'"
    else:
        message = f"{path} does not exist: check its name; 'benchwright init' writes a first campaign"
    raise NotFound(message)


async def status(path: Path) -> standing.Status:
    """How a campaign stands."""
    async with await Look.at(begun_place(path).database) as database:
        return await status_of(database)


async def status_of(database: Database) -> standing.Status:
    """How the campaign of an open database stands, and who runs it."""
    path = database.path

    def operation(connection: Connection) -> standing.Status:
        return replace(standing.status(connection), runner=runner(connection, path) if path else None)

    return await database.read(operation)


async def pause(path: Path) -> str | None:
    """Ask the runner to finish what is in flight and stop; who that is, None where nothing runs."""
    file = begun_place(path).database
    async with await Database.open(file) as database:
        await database.read(campaigns.get)
        running = await database.read(lambda connection: runner(connection, file))
        if running:
            await database.write(lambda connection: campaigns.pause(connection, paused=True))
    return running
