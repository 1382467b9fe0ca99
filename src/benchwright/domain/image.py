"""Images that models and people may be shown: what they are is told by their bytes, not by their names.

In a record, and in whatever is made of it, an image stands as a value that names it by its hash; its bytes lie in the
store.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.domain.call import Image
from benchwright.errors import Unreadable

IMAGE_MOST = 5_000_000  # bytes; the smallest limit among large providers
IMAGE_FIELD = "image"  # of a record: the path of a file, until the record is taken in
BEGINNINGS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def media_type(data: bytes) -> str:
    """The media type of an image, "" where the bytes are none of PNG, JPEG, WebP and GIF."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for beginning, kind in BEGINNINGS.items() if data.startswith(beginning)), "")


def image_of(data: bytes) -> Image:
    """The image of these bytes; raises `Unreadable` where they are none that every provider takes."""
    kind = media_type(data)
    if not kind:
        raise Unreadable("this is no PNG, JPEG, WebP or GIF image: convert it to one of them")
    if len(data) > IMAGE_MOST:
        raise Unreadable(f"the image has {len(data)} bytes, more than {IMAGE_MOST}: make it smaller")
    return Image(hashlib.sha256(data).hexdigest(), kind, len(data))


def image_value(image: Image) -> dict[str, Any]:
    """An image as the value of a record's field."""
    return {"image_sha256": image.hash, "media_type": image.media_type, "bytes": image.size}


def find_image(value: object) -> Image | None:
    """The image that a value of a record is; None where it is none."""
    match value:
        case {"image_sha256": str(name), "media_type": str(kind), "bytes": int(size), **rest} if not rest:
            return Image(name, kind, size)
    return None


def images_in(content: object) -> tuple[Image, ...]:
    """The images of whatever an item is about, in their order, each once."""
    return tuple(dict.fromkeys(each_image(content)))


def each_image(content: object) -> Iterator[Image]:
    """All images of a content: it is one, or has some within."""
    if isinstance(content, Image):
        yield content
    elif (found := find_image(content)) is not None:
        yield found
    elif isinstance(content, Mapping):
        for value in content.values():
            yield from each_image(value)
    elif isinstance(content, tuple | list):
        for value in content:
            yield from each_image(value)


# -------------------------------------------------------------------------------------------------------- metadata


def without_metadata(data: bytes) -> bytes:
    """The image without what a camera or a program wrote about it: place, time, device, owner, comments.

    What is drawn stays as it is. Where the bytes do not go by their format, raises `Unreadable`: nothing half read is
    passed on.
    """
    try:
        return bytes(STRIPPERS[media_type(data)](data))
    except (KeyError, IndexError, ValueError) as error:
        raise Unreadable("this image is damaged, so that what is written about it cannot be removed") from error


def strip_jpeg(data: bytes) -> bytearray:
    """Without APP1 (EXIF, XMP), APP3 to APP13 and APP15, comments, and whatever follows the picture.

    JFIF, colour profile and Adobe's marker stay: they say how it looks.
    """
    kept, place = bytearray(data[:2]), 2
    while data[place] == MARK:
        marker = data[place + 1]
        if marker == END_OF_IMAGE:
            return kept + data[place : place + 2]
        size = 1 if marker == MARK else 2 + int.from_bytes(data[place + 2 : place + 4], "big")  # a mark may be repeated
        end = end_of_scan(data, place + size) if marker == SCAN else place + size
        if size == SHORT or end > len(data):
            break
        if marker not in WRITTEN:
            kept += data[place:end]
        place = end
    raise ValueError("a segment is cut off")


MARK, SCAN, END_OF_IMAGE, SHORT = 0xFF, 0xDA, 0xD9, 2
RESTARTS = range(0xD0, 0xD8)
WRITTEN = frozenset({MARK, 0xE1, *range(0xE3, 0xEE), 0xEF, 0xFE})


def end_of_scan(data: bytes, place: int) -> int:
    """Where the next marker stands after a scan: in it, a mark is followed by 0 or by a restart's number."""
    while data[place] != MARK or data[place + 1] == 0 or data[place + 1] in RESTARTS:
        place += 1
    return place


PICTURE_CHUNKS = frozenset(b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP bKGD acTL fcTL fdAT".split())


def strip_png(data: bytes) -> bytearray:
    """Only the chunks that say how the picture looks."""
    kept, place = bytearray(data[:8]), 8
    while True:
        size, name = 12 + int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        if place + size > len(data):
            raise ValueError("a chunk is cut off")
        if name in PICTURE_CHUNKS:
            kept += data[place : place + size]
        place += size
        if name == b"IEND":
            return kept


def strip_webp(data: bytes) -> bytearray:
    """Without the chunks EXIF and XMP, and without the marks that say that they are there."""
    kept, place, end = bytearray(), 12, 8 + int.from_bytes(data[4:8], "little")
    if end > len(data):
        raise ValueError("the file is cut off")
    while place < end:
        name, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
        size += 8 + size % 2
        if not name or place + size > end + 1:
            raise ValueError("a chunk is cut off")
        chunk = bytearray(data[place : place + size])
        if name == b"VP8X":
            chunk[8] &= ~0b1100  # EXIF, XMP
        if name in {b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"}:
            kept += chunk
        place += size
    return bytearray(b"RIFF") + (len(kept) + 4).to_bytes(4, "little") + b"WEBP" + kept


TRAILER, PICTURE, EXTENSION, COMMENT, PROGRAM = 0x3B, 0x2C, 0x21, 0xFE, 0xFF  # of blocks in a GIF


def strip_gif(data: bytes) -> bytearray:
    """Without comments, and without applications' blocks but the one that makes a film begin again."""

    def table(packed: int) -> int:
        return 3 * 2 ** ((packed & 7) + 1) if packed & 0x80 else 0

    def end_of_blocks(place: int) -> int:
        while data[place]:
            place += data[place] + 1
        return place + 1

    place = 13 + table(data[10])
    kept = bytearray(data[:place])
    while data[place] != TRAILER:
        if data[place] not in {PICTURE, EXTENSION}:
            raise ValueError("no block")
        extension = data[place + 1] if data[place] == EXTENSION else 0
        end = end_of_blocks(place + (2 if extension else 11 + table(data[place + 9])))
        if extension != COMMENT and (extension != PROGRAM or data[place + 3 : place + 14] == b"NETSCAPE2.0"):
            kept += data[place:end]
        place = end
    return kept + b"\x3b"


STRIPPERS = {"image/jpeg": strip_jpeg, "image/png": strip_png, "image/webp": strip_webp, "image/gif": strip_gif}
