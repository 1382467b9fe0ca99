"""Who is let in: links that work once, a password where one is given, and a pause for whoever guesses.

Links and the browsers that were let in are in the campaign's database, as digests: a restart of the desk locks nobody
out, and nobody gets in by what a copy of the database says.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe

from benchwright.store import doors
from benchwright.store.database import Connection, Database
from benchwright.store.doors import Link

GUESSES = 10  # wrong words from one address within a minute, after which it has to wait for the rest of it
MINUTE = 60.0  # seconds
ADDRESSES = 1000  # of which wrong words are remembered
SESSION = 14 * 24 * 3600  # seconds that a browser stays let in


def digest(word: str) -> str:
    """A word as it is kept and compared: of one length, whatever its own."""
    return sha256(word.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass
class Doors:
    """The ways in. `now` gives seconds since the epoch; without a `password` only links let in."""

    database: Database
    now: Callable[[], float]
    password: str = ""
    _wrong: dict[str, list[float]] = field(default_factory=dict)

    async def link(self, name: str = "") -> str:
        """A new word that lets in once: this person, or whoever gives a name, whose it is from then on."""
        word = token_urlsafe(32)
        await self.database.write(lambda connection: doors.make_link(connection, digest(word), name))
        return word

    async def find(self, word: str) -> Link | None:
        """The link of a word; None for no link. Uses nothing up."""
        return await self.database.read(lambda connection: doors.link(connection, digest(word)))

    async def use(self, word: str, name: str) -> bool:
        """Let a person in by a link, once; nobody can guess one."""
        return await self.database.write(lambda connection: doors.use_link(connection, digest(word), name))

    def waits(self, address: str) -> float:
        """For how many seconds no password is heard from an address, because of wrong ones."""
        found = [moment for moment in self._wrong.get(address, ()) if moment > self.now() - MINUTE]
        return found[-GUESSES] + MINUTE - self.now() if len(found) >= GUESSES else 0.0

    def knows(self, word: str, address: str) -> bool:
        """Whether a word from an address is the password."""
        if self.waits(address):
            return False
        if self.password and compare_digest(digest(word), digest(self.password)):
            return True
        self._wrong.setdefault(address, []).append(self.now())
        if len(self._wrong) > ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        return False

    async def begin(self, who: str) -> str:
        """Let a browser in as a person; what it is to keep."""
        word = token_urlsafe(32)
        now = self.now()

        def operation(connection: Connection) -> None:
            doors.forget(connection, now)
            doors.begin(connection, digest(word), who, now + SESSION)

        await self.database.write(operation)
        return word

    async def whose(self, word: str) -> str:
        """Who a browser is let in as; "" where it is not."""
        now = self.now()
        return await self.database.read(lambda connection: doors.session(connection, digest(word), now))

    async def leave(self, word: str) -> None:
        """Let a browser in no more, whatever it has kept."""
        await self.database.write(lambda connection: doors.leave(connection, digest(word)))
