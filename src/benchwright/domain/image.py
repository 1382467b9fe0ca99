"""Images that models may be shown: what they are is told by their bytes, not by their names."""

import hashlib

from benchwright.domain.call import Image
from benchwright.errors import Unreadable

IMAGE_MOST = 5_000_000  # bytes; the smallest limit among large providers
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
