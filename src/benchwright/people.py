"""What people do with a campaign: the part of `app` that stands apart, as it is theirs and not the models'."""

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import time

from benchwright.begun import Opened, look_at_campaign, open_campaign
from benchwright.clock import utc_iso
from benchwright.domain.opinion import Opinion, Policy, fold_name
from benchwright.engine.plans import planner
from benchwright.errors import UsageError
from benchwright.review import desk as cards
from benchwright.review import exchange, files, reviewed
from benchwright.review.progress import Progress, progress
from benchwright.store import doors, reviews
from benchwright.store.database import Connection, Database

NO_WEB = "the desk needs the extra 'web': pip install 'benchwright[web]' ({} is missing)"


@dataclass(frozen=True, slots=True)
class Room:
    """A campaign that people review, with its open database."""

    database: Database
    desk: exchange.Desk
    name: str
    now: Callable[[], float] = time

    def person(self, name: str) -> str:
        """Who decides, as answers record it."""
        return self.desk.person(name)

    async def next(self, name: str) -> cards.Hand | None:
        """The card that lies before a person, or the next one."""
        take = partial(cards.next_card, desk=self.desk, person=fold_name(self.person(name)), now=self.now())
        return await self.database.write(take)

    async def decide(self, card: str, said: Opinion) -> None:
        """Record what a person fills in on a card."""
        now = self.now()
        record = partial(cards.decide, desk=self.desk, name=card, said=said, now=now, at=utc_iso(now))
        await self.database.write(record)

    async def skip(self, name: str, card: str) -> None:
        """Pass a card over."""
        await self.database.write(partial(cards.skip, desk=self.desk, person=fold_name(self.person(name)), name=card))

    async def undo(self, name: str) -> None:
        """Take a person's last decision back."""
        now = self.now()
        await self.database.write(
            partial(cards.undo, desk=self.desk, person=fold_name(self.person(name)), now=now, at=utc_iso(now))
        )

    async def leave(self, name: str) -> None:
        """Free a person's card."""
        await self.database.write(partial(reviews.free, who=fold_name(self.person(name))))

    async def progress(self) -> Progress:
        """How the review stands."""
        return await self.database.read(partial(progress, desk=self.desk))


@asynccontextmanager
async def open_room(path: Path) -> AsyncIterator[Room]:
    """A campaign that has begun, under the policy that its database has."""
    async with open_campaign(path) as begun:
        yield room_of(begun)


@asynccontextmanager
async def look_into_room(path: Path) -> AsyncIterator[Room]:
    """The same to be read only."""
    async with look_at_campaign(path) as begun:
        yield room_of(begun)


def room_of(begun: Opened) -> Room:
    """A campaign as people review it."""
    desk = exchange.Desk(begun.pipeline, begun.campaign.review, planner(begun.pipeline))
    return Room(begun.database, desk, begun.campaign.name)


@dataclass(frozen=True, slots=True)
class Guests:
    """Who comes to the desk: so many one-time links, each bound to a name; or whoever knows the password."""

    names: tuple[str, ...] = ()
    password: str = ""


def secret(variable: str) -> str:
    """The password that an environment variable holds; `UsageError` where it holds none."""
    if variable and not os.environ.get(variable):
        message = f"the environment variable {variable} is not set: set it to the password"
        raise UsageError(message)
    return os.environ.get(variable, "") if variable else ""


async def serve(path: Path, host: str, port: int, guests: Guests, say: Callable[[str], object]) -> None:
    """Serve the review desk until Ctrl-C; `say` is told its links."""
    try:
        from benchwright.web.doors import Doors
        from benchwright.web.serve import Address, listen
        from benchwright.web.serve import serve as served
        from benchwright.web.site import Site
    except ImportError as error:
        raise UsageError(NO_WEB.format(error.name)) from error
    address = Address(host, port)
    if not (address.loopback or guests.password):
        message = (
            f"{host} can be reached from other machines: give a password for them, --password-env NAME_OF_VARIABLE"
        )
        raise UsageError(message)
    async with open_room(path) as room:
        names = [room.person(name).partition(":")[2] for name in guests.names]
        listening = listen(address)
        port = listening.getsockname()[1]
        ways = Doors(room.database, time, guests.password)
        secret_key = await set_up(room.database, address.url(port))
        site = Site(room.name, room.database, room.desk, ways, address.url(port), time, secret_key)
        links = [(name, await ways.link(name)) for name in names_of_links(room.desk.policy, names)]

        def ready() -> None:
            say(f"{room.name}: the review desk is open, until Ctrl-C")
            if guests.password:
                say(f"  with the password: {site.address}/enter")
            for name, word in links:
                say(f"  {name or 'works once'}: {site.address}/enter?word={word}")

        await served(site.app(address.names, f"desk-{port}"), listening, ready)


async def set_up(database: Database, address: str) -> str:
    """Note where the desk is served; the key that signs its cookies, made when it is served for the first time."""
    from secrets import token_urlsafe

    fresh = token_urlsafe(32)
    await database.write(partial(doors.set_up, secret=fresh, address=address))
    found = await database.read(doors.desk)
    return found[0] if found else fresh


def names_of_links(policy: Policy, asked: Sequence[str]) -> list[str]:
    """Whose links a desk prints: those of the people asked for or listed, or else one for whoever comes.

    The adjudicator, whose name takes a link of its own, has one in any case.
    """
    names = list(asked or policy.reviewers or [""])
    judge = [policy.adjudicator] if policy.adjudicator else []
    return names + [name for name in judge if fold_name(name) not in map(fold_name, names)]


async def make_link(path: Path, reviewer: str) -> str:
    """A link to the desk that lets this person in once, or whoever comes; `UsageError` where none was ever served."""
    try:
        from benchwright.web.doors import Doors
    except ImportError as error:
        raise UsageError(NO_WEB.format(error.name)) from error
    async with open_room(path) as room:
        found = await room.database.read(doors.desk)
        if found is None:
            message = f"the desk of {room.name} was never open: benchwright review serve {path} prints links"
            raise UsageError(message)
        name = room.person(reviewer).partition(":")[2] if reviewer else ""
        return f"{found[1]}/enter?word={await Doors(room.database, time).link(name)}"


@dataclass(frozen=True, slots=True)
class Written:
    """The files of an export, and how many cards are in it."""

    files: tuple[Path, ...]
    cards: int

    def json(self) -> dict[str, object]:
        """The same as JSON values."""
        return {"files": [str(file) for file in self.files], "cards": self.cards}


async def hand_out(path: Path, target: Path, form: str = "", reviewer: str = "") -> Written:
    """Write the human queue, or what of it can be this person's, to a file."""
    async with look_into_room(path) as room:

        def operation(connection: Connection) -> tuple[list[exchange.Entry], str]:
            entries = exchange.entries(connection, room.desk, reviewer)
            return entries, exchange.rules_of(connection, room.desk, entries)

        found, rules = await room.database.read(operation)
    return Written(tuple(files.write(target, found, form, rules)), len(found))


async def hand_over(path: Path, target: Path) -> Written:
    """Write what people have said so far, with all that belongs to it, to a file."""
    suffix = target.suffix.lower()
    if suffix not in reviewed.FORMS:
        message = f"{target}: what was decided goes into a file that ends in one of {', '.join(reviewed.FORMS)}"
        raise UsageError(message)
    files.refuse_other(target, reviewed.MARKS)
    async with look_into_room(path) as room:

        def operation(connection: Connection) -> list[reviewed.Reviewed]:
            return list(reviewed.reviewed_parts(connection, room.desk))

        found = await room.database.read(operation, seconds=3600)
    return Written(tuple(files.save(target, {"": reviewed.make(found, suffix)})), len(found))


async def take_in(path: Path, source: Path, reviewer: str) -> list[exchange.Applied]:
    """Take in decisions from a file; returns what became of each row."""
    rows, found = files.read(source), []
    async with open_room(path) as room:
        for group in exchange.by_item(rows):
            take = partial(exchange.take, rows=group, desk=room.desk, reviewer=reviewer, now=utc_iso(time()))
            found += await room.database.write(take)
    return exchange.in_order(rows, found)
