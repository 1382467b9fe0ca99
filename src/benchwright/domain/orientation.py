"""How a camera was held: the orientation that EXIF states of an image (EXIF 2.32, tag 274).

The numbers 1 to 8 say how the stored picture is turned or mirrored; 1 is upright. Cameras of telephones often store a
picture lying, with the number 3, 6 or 8.
"""

import struct
from collections.abc import Iterator

from benchwright.domain.image import media_type

UPRIGHT = 1
TAG, SHORT_NUMBER = 274, 3  # a 16-bit number
KNOWN = range(1, 9)
JPEG_EXIF, JPEG_SCAN = 0xE1, 0xDA
BYTE_ORDERS = {b"II*\0": "<", b"MM\0*": ">"}


def orientation_of(data: bytes) -> int:
    """The orientation of an image; upright where nothing is stated, or nothing that can be read."""
    try:
        found = next((read_orientation(exif) for exif in EXIF_OF[media_type(data)](data)), UPRIGHT)
    except (KeyError, IndexError, struct.error):
        return UPRIGHT
    return found if found in KNOWN else UPRIGHT


def read_orientation(exif: bytes) -> int:
    """The number in a block of EXIF, which has the form of a TIFF file."""
    order = BYTE_ORDERS[exif[:4]]
    (start,) = struct.unpack_from(f"{order}I", exif, 4)
    (count,) = struct.unpack_from(f"{order}H", exif, start)
    for place in range(start + 2, start + 2 + 12 * count, 12):
        tag, kind, _, value = struct.unpack_from(f"{order}HHIH", exif, place)
        if (tag, kind) == (TAG, SHORT_NUMBER):
            return int(value)
    return UPRIGHT


def jpeg_exif(data: bytes) -> Iterator[bytes]:
    """The blocks of EXIF before the picture."""
    place = 2
    while data[place] == 0xFF and data[place + 1] != JPEG_SCAN:  # noqa: PLR2004 - every marker begins with it
        if data[place + 1] == 0xFF:  # noqa: PLR2004 - it may be repeated
            place += 1
            continue
        end = place + 2 + int.from_bytes(data[place + 2 : place + 4], "big")
        if data[place + 1] == JPEG_EXIF and data[place + 4 : place + 10] == b"Exif\0\0":
            yield data[place + 10 : end]
        place = end


def png_exif(data: bytes) -> Iterator[bytes]:
    """The chunks of EXIF."""
    place = 8
    while place < len(data):
        size, name = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        if name == b"eXIf":
            yield data[place + 8 : place + 8 + size]
        place += 12 + size


def webp_exif(data: bytes) -> Iterator[bytes]:
    """The chunks of EXIF; some programs write the beginning there that JPEG wants."""
    place = 12
    while place < len(data):
        size = int.from_bytes(data[place + 4 : place + 8], "little")
        if data[place : place + 4] == b"EXIF":
            yield data[place + 8 : place + 8 + size].removeprefix(b"Exif\0\0")
        place += 8 + size + size % 2


EXIF_OF = {"image/jpeg": jpeg_exif, "image/png": png_exif, "image/webp": webp_exif}
