"""Digests of what was recorded: whether it is still what it was, although another program has written to the file.

They find what was changed by hand or by mistake. Whoever means to deceive can write a new digest, too: for that keep
the hash of an export elsewhere.
"""

import json
from collections.abc import Iterator
from hashlib import sha256

from benchwright.errors import StoreFailed
from benchwright.store.connection import Connection
from benchwright.store.queries import load

SQL = load("digests")
WHAT = {"document": "document {}", "item": "item {}", "answer": "an answer about item {}"}
NAMED = 5  # things that an error names


def digest(*values: object) -> str:
    """32 hexadecimal digits of SHA-256 over the values in their order."""
    return sha256(json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def demand_unchanged(connection: Connection) -> None:
    """Raise `StoreFailed` where something that a set rests on is not what was recorded; rows without a digest pass."""
    changed = list(dict.fromkeys(WHAT[kind].format(name) for kind, name in changed_rows(connection)))
    if changed:
        more = f" and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
        message = (
            f"the database was changed by another program: {', '.join(changed[:NAMED])}{more} no longer hold what was "
            "recorded. Put a backup in its place"
        )
        raise StoreFailed(message)


def changed_rows(connection: Connection) -> Iterator[tuple[str, str]]:
    """What was changed: its kind, and the name of the document or item."""
    for kind in WHAT:
        for name, sealed, *values in connection.execute(SQL[kind]):
            if digest(*values) != sealed:
                yield kind, name
