"""Who is let in: one-time links, a password where one is given, and a pause for whoever guesses."""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from secrets import token_urlsafe

GUESSES = 10  # wrong words within a minute, after which no password is heard for the rest of it
MINUTE = 60.0  # seconds


def digest(word: str) -> bytes:
    """A word as it is compared: of one length, whatever its own."""
    return sha256(word.encode("utf-8", "surrogatepass")).digest()


@dataclass
class Doors:
    """The ways in. `now` gives seconds since the epoch; without a `password` only links let in."""

    now: Callable[[], float]
    password: str = ""
    _links: dict[bytes, str] = field(default_factory=dict)
    _wrong: list[float] = field(default_factory=list)

    def link(self, name: str = "") -> str:
        """A new word that lets in once: this person, or whoever gives a name."""
        word = token_urlsafe(32)
        self._links[digest(word)] = name
        return word

    def whose(self, word: str) -> str | None:
        """The name that a link is bound to, "" for none; None where it lets nobody in. Uses nothing up."""
        return self._links.get(digest(word))

    def opens(self, word: str) -> bool:
        """Whether a word lets in; a link does so once, and cannot be guessed."""
        if self._links.pop(digest(word), None) is not None:
            return True
        self._wrong = [moment for moment in self._wrong if moment > self.now() - MINUTE]
        if len(self._wrong) >= GUESSES:
            return False
        if self.password and compare_digest(digest(word), digest(self.password)):
            return True
        self._wrong.append(self.now())
        return False
