"""Word documents: mammoth makes HTML of them, by their styles; the rest is as with HTML.

Accepted is what a reader of the document sees: insertions are text, deletions and comments are none. Footnotes are left
out, as in other formats.
"""

import io
import zipfile
import zlib
from xml.parsers.expat import ExpatError

from lxml import html

from benchwright.corpus.boilerplate import weigh
from benchwright.corpus.draft import Draft
from benchwright.corpus.html import Walk
from benchwright.domain.campaign import Documents
from benchwright.errors import Unreadable

UNPACKED = 300 * 2**20  # bytes: more is an archive made to fill the memory
OFFICE = b"\xd0\xcf\x11\xe0"  # of encrypted documents, and of those before 2007
TEXT = "word/document.xml"
# What mammoth, and zlib and expat below it, raise of a bad file; whatever else it may be ends the process (apart.py).
FAULTS = (
    *(AttributeError, EOFError, ExpatError, LookupError, NotImplementedError, OSError, TypeError, ValueError),
    *(zipfile.BadZipFile, zlib.error),
)
STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Abstract Heading'] => h2:fresh
"""


def read_docx(data: bytes, name: str, keep: Documents) -> Draft:
    """The text of a Word document; raises `Unreadable` where there is none."""
    refuse_archive(data, name)
    root = html.fragment_fromstring(_html(data, name) or "<p></p>", create_parent="div")
    notes = [_take_out(root, ".//li[starts-with(@id, 'footnote-') or starts-with(@id, 'endnote-')]", "footnote")]
    _take_out(root, ".//sup[a[starts-with(@href, '#footnote-') or starts-with(@href, '#endnote-')]]", "reference")
    weights = weigh(root)
    walk = Walk(keep, weights, weights.text[root])
    walk.read(root)
    return Draft(walk.title, walk.parts(), (*filter(None, notes), *walk.notes()))


def refuse_archive(data: bytes, name: str) -> None:
    """Raise `Unreadable` for what is no sound Word document."""
    if data.startswith(OFFICE):
        message = f"{name}: is encrypted, or a document of Word 97-2003; save it as .docx without a password"
        raise Unreadable(message, "encrypted")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
            locked = any(entry.flag_bits & 1 for entry in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        cut = data.startswith(b"PK\x03\x04")
        what = "is truncated: its end is missing" if cut else "is no Word document"
        raise Unreadable(f"{name}: {what}; save or copy it anew", "truncated" if cut else "damaged") from error
    if locked:
        raise Unreadable(f"{name}: is encrypted and needs a password; save it without one", "encrypted")
    if TEXT not in sizes:
        raise Unreadable(f"{name}: is an archive without the text of a Word document; save it as .docx", "damaged")
    if sum(sizes.values()) > UNPACKED:
        raise Unreadable(f"{name}: unpacks to more than {UNPACKED >> 20} MB; split it into parts", "too large")


def _html(data: bytes, name: str) -> str:
    import mammoth

    try:
        converted = mammoth.convert_to_html(io.BytesIO(data), style_map=STYLES, convert_image=lambda _: [])
    except FAULTS as error:
        why = str(error).strip().partition("\n")[0][:200] or type(error).__name__
        raise Unreadable(f"{name}: is a damaged Word document ({why}); save it anew", "damaged") from error
    return str(converted.value)


def _take_out(root: html.HtmlElement, path: str, thing: str) -> str:
    """Take elements out; a note on how many there were."""
    found = root.xpath(path)
    for element in found:
        element.drop_tree()
    return f"{len(found)} {thing}{'s' * (len(found) > 1)} left out" if found else ""
