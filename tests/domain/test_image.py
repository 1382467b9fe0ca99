"""Images: what they are is seen by their bytes."""

from hashlib import sha256

import pytest

from benchwright.domain.call import Image
from benchwright.domain.image import IMAGE_MOST, image_of
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
