"""Images: what they are is seen by their bytes."""

from hashlib import sha256

import pytest

from benchwright.domain.call import Image
from benchwright.domain.image import (
    IMAGE_MOST,
    image_of,
    image_value,
    images_in,
    media_type,
    without_metadata,
)
from benchwright.errors import Unreadable

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 8


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0more", "image/jpeg"),
        (b"GIF87a...", "image/gif"),
        (b"GIF89a...", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    ],
)
def test_the_bytes_tell_what_an_image_is(data: bytes, kind: str) -> None:
    assert image_of(data) == Image(sha256(data).hexdigest(), kind, len(data))


@pytest.mark.parametrize("data", [b"", b"<svg/>", b"RIFF\0\0\0\0WAVE", b"\x89PNG", b"%PDF-1.7", b"BM"])
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match="no PNG, JPEG, WebP or GIF"):
        image_of(data)


def test_an_image_too_large_for_providers_is_refused() -> None:
    assert image_of(PNG.ljust(IMAGE_MOST, b"\0")).size == IMAGE_MOST
    with pytest.raises(Unreadable, match="5000001 bytes"):
        image_of(PNG.ljust(IMAGE_MOST + 1, b"\0"))


# ---------------------------------------------------------------------------------------------------------- metadata

SECRET = b"GPS 47.3769N Canon owner Ada"


def segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + (len(data) + 2).to_bytes(2, "big") + data


JPEG = (
    b"\xff\xd8"
    + segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0")
    + segment(0xE1, b"Exif\0\0" + SECRET)
    + segment(0xE2, b"ICC_PROFILE\0")
    + b"\xff"
    + segment(0xED, b"Photoshop 3.0\0" + SECRET)
    + segment(0xFE, SECRET)
    + segment(0xDB, b"\0" * 65)
    + segment(0xDA, b"\x01\x01\0\0\x3f\0")
    + b"scan\xff\x00more\xff\xd0rest"
    + segment(0xC4, b"\0" * 20)
    + segment(0xDA, b"\x01\x01\0\0\x3f\0")
    + b"second scan\xff\xd9"
)


def chunk(name: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + name + data + b"\0\0\0\0"


PICTURE = (chunk(b"IHDR", b"\0" * 13), chunk(b"gAMA", b"\0" * 4), chunk(b"IDAT", b"pixels"), chunk(b"IEND", b""))
PNG_FILE = b"\x89PNG\r\n\x1a\n" + PICTURE[0] + chunk(b"eXIf", SECRET) + chunk(b"tEXt", SECRET) + b"".join(PICTURE[1:])


def riff(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(name + len(data).to_bytes(4, "little") + data + b"\0" * (len(data) % 2) for name, data in chunks)
    return b"RIFF" + (len(body) + 4).to_bytes(4, "little") + b"WEBP" + body


WEBP = riff((b"VP8X", b"\x1c" + b"\0" * 9), (b"VP8 ", b"pixels!"), (b"EXIF", SECRET), (b"XMP ", SECRET))
GIF = (
    b"GIF89a\x01\0\x01\0\x80\0\0"
    + b"\0" * 6
    + b"!\xfe"
    + bytes([len(SECRET)])
    + SECRET
    + b"\0"
    + b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    + b"!\xff\x0bXMP DataXMP"
    + bytes([len(SECRET)])
    + SECRET
    + b"\0"
    + b"!\xf9\x04\0\0\0\0\0"
    + b",\0\0\0\0\x01\0\x01\0\x81"
    + b"\0" * 12
    + b"\x02\x02\x44\x01\0"
    + b",\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0;"
)


@pytest.mark.parametrize("data", [JPEG, JPEG + JPEG, PNG_FILE, WEBP, GIF], ids=["jpeg", "two", "png", "webp", "gif"])
def test_what_a_camera_wrote_is_removed_and_what_is_drawn_stays(data: bytes) -> None:
    assert SECRET in data
    clean = without_metadata(data)
    assert SECRET not in clean
    assert b"Exif" not in clean
    assert media_type(clean) == media_type(data)
    assert without_metadata(clean) == clean


def test_of_each_form_exactly_the_picture_stays() -> None:
    parts = (b"JFIF", b"ICC_PROFILE", b"scan\xff\x00more\xff\xd0rest", b"second scan\xff\xd9")
    assert all(part in without_metadata(JPEG) for part in parts)
    assert without_metadata(PNG_FILE) == b"\x89PNG\r\n\x1a\n" + b"".join(PICTURE)
    assert without_metadata(WEBP) == riff((b"VP8X", b"\x10" + b"\0" * 9), (b"VP8 ", b"pixels!"))
    assert b"NETSCAPE2.0" in without_metadata(GIF)
    assert without_metadata(GIF).endswith(b"\x02\x02\x44\x01\0;")


@pytest.mark.parametrize("data", [JPEG, PNG_FILE, WEBP, GIF], ids=["jpeg", "png", "webp", "gif"])
def test_an_image_that_is_cut_off_anywhere_is_refused_or_says_nothing(data: bytes) -> None:
    refused = 0
    for cut in range(13, len(data)):
        try:
            assert SECRET not in without_metadata(data[:cut])
        except Unreadable:
            refused += 1
    assert refused > len(data) // 2


@pytest.mark.parametrize(
    "data",
    [
        b"no image",
        JPEG[:2] + segment(0xE0, b"JFIF\0") + b"no marker",
        GIF[:19] + b"?",
        b"\xff\xd8\xff\xe1\0\0x",
        riff((b"VP8 ", b"pixels!!"))[:16] + b"\xff\0\0\0pixels!!",
    ],
)
def test_bytes_that_go_by_no_format_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match="damaged"):
        without_metadata(data)


def test_images_are_found_wherever_they_stand_in_a_content() -> None:
    one, other = image_of(PNG_FILE), image_of(JPEG)
    content = ({"image": image_value(one), "name": "x"}, [image_value(other), other], None)
    assert images_in(content) == (one, other)
    assert images_in({"image": {**image_value(one), "more": 1}}) == ()
