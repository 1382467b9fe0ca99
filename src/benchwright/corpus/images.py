"""Images that records name: files in the folder of the file that names them, or below it."""

from pathlib import Path

from benchwright.corpus.read import demand_file, file_faults
from benchwright.domain.image import IMAGE_MOST
from benchwright.errors import Unreadable


def read_image(folder: Path, name: str) -> bytes:
    """The bytes of the file that a record names; raises `Unreadable` where it is none that may be read.

    A record may come from a stranger, so no path leads out of the `folder`.
    """
    if "://" in name:
        raise Unreadable("is an address: download the image, and name its file")
    if "\0" in name:
        raise Unreadable("holds a character that no file name has: write the name anew")
    path = folder / name
    with file_faults("it"):
        if not path.resolve().is_relative_to(folder.resolve()):
            raise Unreadable("lies outside of the folder of its file of records: move it there")
        size = demand_file(path, "it").st_size
        if size > IMAGE_MOST:
            raise Unreadable(f"it has {size} bytes, more than {IMAGE_MOST}: make it smaller")
        return path.read_bytes()
