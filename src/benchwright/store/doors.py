"""The desk over a restart: its key and address, its links, the browsers that are let in, and drafts."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from benchwright.domain.ids import canonical
from benchwright.store.queries import load

SQL = load("doors")


@dataclass(frozen=True, slots=True)
class Link:
    """A link: whose it is ("" until somebody has used it), and whether it has let somebody in."""

    name: str
    used: bool


def set_up(connection: sqlite3.Connection, secret: str, address: str) -> None:
    """Note where the desk is served, and the key that signs its cookies, unless it has one."""
    connection.execute(SQL["set_up"], {"secret": secret, "address": address})


def desk(connection: sqlite3.Connection) -> tuple[str, str] | None:
    """The desk's key and its last address; None where it has never been served."""
    row: tuple[str, str] | None = connection.execute(SQL["desk"]).fetchone()
    return row


def make_link(connection: sqlite3.Connection, digest: str, name: str) -> None:
    """Record a link for a person, or for whoever comes."""
    connection.execute(SQL["make_link"], {"digest": digest, "name": name})


def link(connection: sqlite3.Connection, digest: str) -> Link | None:
    """A link; None where there is none."""
    row = connection.execute(SQL["link"], {"digest": digest}).fetchone()
    return Link(row[0], bool(row[1])) if row else None


def use_link(connection: sqlite3.Connection, digest: str, name: str) -> bool:
    """Bind a link to whoever came by it; whether it lets them in."""
    return connection.execute(SQL["use_link"], {"digest": digest, "name": name}).rowcount == 1


def begin(connection: sqlite3.Connection, digest: str, who: str, until: float) -> None:
    """Let a browser in."""
    connection.execute(SQL["begin"], {"digest": digest, "who": who, "until": until})


def session(connection: sqlite3.Connection, digest: str, now: float) -> str:
    """Who a browser is let in as; "" where it is not."""
    row = connection.execute(SQL["session"], {"digest": digest, "now": now}).fetchone()
    return str(row[0]) if row else ""


def leave(connection: sqlite3.Connection, digest: str) -> None:
    """Let a browser in no more."""
    connection.execute(SQL["leave"], {"digest": digest})


def forget(connection: sqlite3.Connection, now: float) -> None:
    """Strike the browsers whose time is over off the record."""
    connection.execute(SQL["forget"], {"now": now})


def people(connection: sqlite3.Connection) -> list[str]:
    """Who is let in."""
    return [who for (who,) in connection.execute(SQL["people"])]


def draft(connection: sqlite3.Connection, who: str, card: str, given: Mapping[str, str]) -> None:
    """Keep what somebody has typed on a card; nothing typed is no draft."""
    if any(text.strip() for text in given.values()):
        connection.execute(SQL["draft"], {"who": who, "card": card, "given": canonical(dict(given))})
    else:
        drop(connection, who, card)


def drafted(connection: sqlite3.Connection, who: str, card: str) -> dict[str, str]:
    """What somebody had typed on a card."""
    row = connection.execute(SQL["drafted"], {"who": who, "card": card}).fetchone()
    return dict(json.loads(row[0])) if row else {}


def drop(connection: sqlite3.Connection, who: str, card: str) -> None:
    """Forget what somebody had typed: it is decided, or empty."""
    connection.execute(SQL["drop"], {"who": who, "card": card})
