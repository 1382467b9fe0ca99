"""Bytes that requests show, by their hash: stored once, whoever shows them."""

import sqlite3

from benchwright.domain.call import Image
from benchwright.domain.image import image_of
from benchwright.errors import NotFound
from benchwright.store.queries import load

SQL = load("blobs")


def put(connection: sqlite3.Connection, data: bytes) -> Image:
    """Store an image; raises `Unreadable` where the bytes are none that every provider takes."""
    image = image_of(data)
    connection.execute(SQL["put"], {"id": image.hash, "media": image.media_type, "body": data})
    return image


def count(connection: sqlite3.Connection) -> int:
    """How many images there are."""
    number: int = connection.execute(SQL["count"]).fetchone()[0]
    return number


def get(connection: sqlite3.Connection, name: str) -> bytes:
    """The bytes of an image."""
    row = connection.execute(SQL["get"], {"id": name}).fetchone()
    if row is None:
        raise NotFound(f"the campaign's database holds no image {name}")
    body: bytes = row[0]
    return body
