"""Images that records name: only files beside them are read."""

from pathlib import Path

import pytest

from benchwright.corpus.images import read_image
from benchwright.domain.image import IMAGE_MOST
from benchwright.errors import Unreadable


def test_an_image_beside_its_records_is_read(tmp_path: Path) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "a.png").write_bytes(b"pixels")
    assert read_image(tmp_path, "photos/a.png") == b"pixels"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("https://example.org/a.png", "is an address: download the image"),
        ("../secret.png", "lies outside of the folder"),
        ("/etc/hostname", "lies outside of the folder"),
        ("link.png", "lies outside of the folder"),
        ("gone.png", "does not exist any more"),
        ("folder", "is a directory"),
        ("large.png", f"{IMAGE_MOST + 1} bytes"),
        ("nul\0", "holds a character that no file name has"),
    ],
)
def test_any_other_is_refused_with_its_reason(tmp_path: Path, name: str, why: str) -> None:
    base = tmp_path / "set"
    (base / "folder").mkdir(parents=True)
    (tmp_path / "secret.png").write_bytes(b"secret")
    (base / "link.png").symlink_to(tmp_path / "secret.png")
    (base / "large.png").write_bytes(b"\0" * (IMAGE_MOST + 1))
    with pytest.raises(Unreadable, match=why):
        read_image(base, name)
