"""How a camera was held is read from EXIF, whatever holds it; and no bytes lead astray."""

import struct
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.test_image import GIF, JPEG, PNG_FILE, WEBP, segment

from benchwright.domain.orientation import orientation_of


def exif(orientation: int, order: str = ">") -> bytes:
    """A block of EXIF with a maker before the orientation."""
    start = b"MM\0*" if order == ">" else b"II*\0"
    maker = struct.pack(f"{order}HHII", 271, 2, 4, 0)
    turned = struct.pack(f"{order}HHIHH", 274, 3, 1, orientation, 0)
    return start + struct.pack(f"{order}IH", 8, 2) + maker + turned + b"\0" * 4


def jpeg(block: bytes) -> bytes:
    return (
        b"\xff\xd8" + segment(0xE1, b"http://ns.adobe.com/") + b"\xff" + segment(0xE1, b"Exif\0\0" + block) + JPEG[2:]
    )


def png(block: bytes) -> bytes:
    chunk = len(block).to_bytes(4, "big") + b"eXIf" + block + zlib.crc32(b"eXIf" + block).to_bytes(4, "big")
    return PNG_FILE[:8] + chunk + PNG_FILE[8:]


def webp(block: bytes, start: bytes = b"") -> bytes:
    body = start + block
    return WEBP[:12] + b"EXIF" + len(body).to_bytes(4, "little") + body + b"\0" * (len(body) % 2) + WEBP[12:]


@pytest.mark.parametrize("number", range(1, 9))
@pytest.mark.parametrize("order", ["<", ">"])
def test_every_format_tells_its_orientation_in_both_orders_of_bytes(number: int, order: str) -> None:
    block = exif(number, order)
    assert {orientation_of(made(block)) for made in (jpeg, png, webp)} == {number}
    assert orientation_of(webp(block, b"Exif\0\0")) == number


@pytest.mark.parametrize(
    "data", [JPEG, PNG_FILE, WEBP, GIF, b"", b"no image", jpeg(exif(0)), jpeg(exif(9)), jpeg(b"x")]
)
def test_where_nothing_is_stated_an_image_stands_upright(data: bytes) -> None:
    assert orientation_of(data) == 1


def test_a_block_without_the_tag_says_nothing() -> None:
    assert orientation_of(png(exif(6).replace(struct.pack(">H", 274), struct.pack(">H", 275)))) == 1


@given(st.integers(0, 400), st.binary(max_size=6))
def test_no_damage_is_an_error(cut: int, more: bytes) -> None:
    for made in (jpeg, png, webp):
        data = made(exif(6))
        assert orientation_of(data[:cut] + more + data[cut:]) in range(1, 9)
        assert orientation_of(data[:cut] + more) in range(1, 9)
