"""Embeddings by the content of their texts: a text is paid for once, however calls are cut."""

import sqlite3
from collections.abc import Iterable

from benchwright.domain.call import Reply
from benchwright.domain.embed import FLOAT, Embed, space
from benchwright.store import calls
from benchwright.store.queries import load

SQL = load("vectors")


def get(connection: sqlite3.Connection, name: str, texts: Iterable[str]) -> dict[str, bytes]:
    """The vectors that the space of this name has, by the ids of their texts."""
    found = {text: connection.execute(SQL["get"], {"space": name, "text": text}).fetchone() for text in texts}
    return {text: row[0] for text, row in found.items() if row}


def settle(connection: sqlite3.Connection, request: Embed, reply: Reply) -> str | None:
    """Record the reply, which is paid for, and keep its vectors.

    Returns why they cannot be kept, None where they are: all vectors of a space have one length.
    """
    calls.settle(connection, request, reply)
    name = space(request.model)
    there = connection.execute(SQL["size"], {"space": name}).fetchone()
    sizes = {len(vector) // FLOAT for vector in reply.vectors} | ({there[0] // FLOAT} if there else set())
    if len(reply.vectors) != len(request.texts):
        return f"{len(request.texts)} texts were sent, and {len(reply.vectors)} vectors came back"
    if len(sizes) > 1:
        return (
            f"its vectors have {' and '.join(map(str, sorted(sizes)))} numbers, and those of one model have one length"
        )
    for text, vector in zip(request.names, reply.vectors, strict=True):
        connection.execute(SQL["add"], {"space": name, "text": text, "call": request.id, "body": vector})
    return None
