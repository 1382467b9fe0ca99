"""Pictures that a camera stored lying are turned upright, by Pillow (extra images).

Models and browsers do not agree on whether they heed what EXIF says of a picture's orientation, and EXIF is dropped
before people see it. So the picture itself is turned, once, when it is taken in.
"""

from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from benchwright.domain.image import media_type
from benchwright.domain.orientation import UPRIGHT, orientation_of
from benchwright.errors import Unreadable

PIXELS_MOST = 100_000_000  # more are a bomb, or no photograph
FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/webp": "WEBP"}
QUALITY = 95  # of JPEG and WebP: a second coding that nobody sees
NOT_TURNED = "stored lying, and not turned, because Pillow is not installed: pip install 'benchwright[images]'"


def turn_upright(data: bytes) -> tuple[bytes, str]:
    """The image upright and without EXIF, and "" or why it was not turned; as it is where it stands upright.

    Raises `Unreadable` where the picture is damaged or far too large.
    """
    orientation = orientation_of(data)
    if orientation == UPRIGHT:
        return data, ""
    if find_spec("PIL") is None:
        return data, f"EXIF orientation {orientation}: {NOT_TURNED}"
    pillow: Any = import_module("PIL.Image")
    operations: Any = import_module("PIL.ImageOps")
    form = FORMATS[media_type(data)]
    try:
        with pillow.open(BytesIO(data), formats=(form,)) as image:
            if image.width * image.height > PIXELS_MOST:
                raise Unreadable(f"it has {image.width} x {image.height} pixels: make it smaller")
            turned, written = operations.exif_transpose(image), BytesIO()
            turned.save(written, form, quality=QUALITY, exif=b"", icc_profile=image.info.get("icc_profile"))
    except (OSError, ValueError, SyntaxError, pillow.DecompressionBombError) as error:
        raise Unreadable(f"the picture is damaged, it cannot be turned upright: {error}") from error
    return written.getvalue(), ""
