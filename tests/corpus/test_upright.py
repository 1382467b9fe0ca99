"""A picture that was stored lying is turned where Pillow is there; else the record says that it was not."""

from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import pytest
from tests.domain.test_orientation import exif, jpeg, png

from benchwright.corpus.upright import turn_upright
from benchwright.domain.orientation import orientation_of
from benchwright.errors import Unreadable

PILLOW = find_spec("PIL")
with_pillow = pytest.mark.skipif(PILLOW is None, reason="the extra images is not installed")


def test_an_upright_picture_stays_byte_for_byte() -> None:
    for data in (jpeg(exif(1)), png(b"")):
        assert turn_upright(data) == (data, "")


@pytest.mark.skipif(PILLOW is not None, reason="the extra images is installed")
def test_without_pillow_the_picture_stays_and_it_is_said_why() -> None:
    data = jpeg(exif(6))
    found, why = turn_upright(data)
    assert found == data
    assert "EXIF orientation 6" in why
    assert "pip install 'benchwright[images]'" in why


def photo(form: str, orientation: int) -> bytes:
    """A picture of 40 x 20 points, red on the left, blue on the right."""
    pillow: Any = import_module("PIL.Image")
    picture = pillow.new("RGB", (40, 20), "red")
    picture.paste("blue", (20, 0, 40, 20))
    stated = pillow.Exif()
    stated[274], stated[271] = orientation, "Canon owner Ada"
    written = BytesIO()
    picture.save(written, form, exif=stated.tobytes(), lossless=True)
    return written.getvalue()


@with_pillow
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize(
    ("orientation", "size", "red"), [(3, (40, 20), (35, 10)), (6, (20, 40), (10, 5)), (8, (20, 40), (10, 35))]
)
def test_a_lying_picture_is_turned_and_loses_its_exif(
    form: str, orientation: int, size: tuple[int, int], red: tuple[int, int]
) -> None:
    pillow: Any = import_module("PIL.Image")
    data = photo(form, orientation)
    assert orientation_of(data) == orientation
    found, why = turn_upright(data)
    assert (why, orientation_of(found), b"Canon" in found) == ("", 1, False)
    with pillow.open(BytesIO(found)) as picture:
        point = picture.convert("RGB").getpixel(red)
        assert (picture.format, picture.size) == (form, size)
    assert point[0] > 200
    assert point[2] < 60
    assert turn_upright(found) == (found, "")


@with_pillow
def test_a_lying_picture_that_is_damaged_is_refused() -> None:
    for data in (photo("JPEG", 6)[:-200], jpeg(exif(6))):
        with pytest.raises(Unreadable, match="damaged"):
            turn_upright(data)
