"""What bytes are, by themselves: names and headers may say anything."""

import re
import zipfile
from io import BytesIO

SUFFIXES = {"pdf": ".pdf", "html": ".html", "docx": ".docx"}

_HTML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->|<\?xml[^>]*\?>)*<(?:!doctype\s+html|html|head|body|title|meta|h1|div|p)\b",
    re.IGNORECASE | re.DOTALL,
)
_WIDE = (b"\xff\xfe", b"\xfe\xff")
_OTHERS = (
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"RIFF", "a picture or a sound"),
    (b"PK\x03\x04", "an archive"),
    (b"\x1f\x8b", "an archive"),
    (b"\xd0\xcf\x11\xe0", "an old or encrypted office document"),
    (b"{\\rtf", "an RTF document"),
)


def kind_of(data: bytes) -> str:
    """`pdf`, `html` or `docx`; "" for anything else."""
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return "docx" if _holds_word(data) else ""
    head = data[:4096]
    if head.startswith(_WIDE):
        head = head[: len(head) & ~1].decode("utf-16", "replace").encode()
    return "html" if _HTML.match(head) else ""


def describe(data: bytes) -> str:
    """What bytes are that are no document, in words."""
    return next((name for start, name in _OTHERS if data.startswith(start)), "something else" if data else "empty")


def _holds_word(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return "word/document.xml" in archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        return b"word/document.xml" in data  # truncated, perhaps: its reader says so
