"""PDF files made for tests: words at places, in Helvetica; nothing but the standard library."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 595, 842


@dataclass(frozen=True)
class At:
    """Words whose left end is `x` points from the left edge and whose baseline `y` points below the upper one."""

    x: float
    y: float
    text: str
    size: float = 10
    font: str = "F1"  # F2 is bold


@dataclass(frozen=True)
class Rule:
    """A rule from one place to another."""

    x: float
    y: float
    to_x: float
    to_y: float


@dataclass(frozen=True)
class Raw:
    """Operators of a page's content."""

    content: str


Mark = At | Rule | Raw


def pdf(pages: Sequence[Sequence[Any]], rotate: int = 0) -> bytes:
    """A file of these pages, which are lists of marks."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    fonts = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> "
    fonts += "/F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >> >>"
    kids = []
    for page in pages:
        content = "\n".join(map(drawn, page)).encode("cp1252")
        objects.append(stream(content))
        box = f"/MediaBox [0 0 {WIDTH} {HEIGHT}] /Rotate {rotate}"
        kids.append(len(objects) + 1)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R {box} /Resources << {fonts} >> /Contents {len(objects)} 0 R >>".encode()
        )
    listed = " ".join(f"{kid} 0 R" for kid in kids)
    objects[1] = f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode()
    return file_of(objects)


def file_of(objects: Sequence[bytes], trailer: str = "") -> bytes:
    """A file of these objects, numbered from 1; the first is the catalogue."""
    body = b"%PDF-1.7\n"
    places = []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    body += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return body


def stream(content: bytes, dictionary: str = "") -> bytes:
    packed = zlib.compress(content)
    return f"<< /Length {len(packed)} /Filter /FlateDecode {dictionary} >>\nstream\n".encode() + packed + b"\nendstream"


def drawn(mark: Mark) -> str:
    if isinstance(mark, Raw):
        return mark.content
    if isinstance(mark, Rule):
        return f"0.5 w {mark.x} {HEIGHT - mark.y} m {mark.to_x} {HEIGHT - mark.to_y} l S"
    escaped = mark.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /{mark.font} {mark.size} Tf {mark.x} {HEIGHT - mark.y} Td ({escaped}) Tj ET"


def lines(text: str, x: float = 60, y: float = 100, size: float = 10) -> list[At]:
    """Lines below each other."""
    return [At(x, y + number * size * 1.2, line, size) for number, line in enumerate(text.splitlines())]


def grid(x: float, y: float, columns: Sequence[float], rows: int, height: float = 15) -> list[Rule]:
    """The rules of a table."""
    right, bottom = columns[-1], y + rows * height
    across = [Rule(x, y + row * height, right, y + row * height) for row in range(rows + 1)]
    return [*across, *(Rule(column, y, column, bottom) for column in (x, *columns))]
