"""From bytes to clean text: which encoding it is, what had to be mended, and a refusal of what is no text."""

import codecs
import re

from benchwright.corpus.encodings import guess_text, is_likely, text_by_escapes
from benchwright.errors import Unreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SIGNATURES = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
    (b"{\\rtf", "an RTF document"),
)
_NAMED = {
    "a PDF": "let its name end in .pdf",
    "a ZIP archive or an office document": "let the name of a Word document end in .docx, and convert others to .txt",
}
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\f\r\x1b"))
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")
_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]")
_UNKNOWN = re.compile("[\udc81\udc8d\udc8f\udc90\udc9d]")  # bytes that cp1252 leaves open
_LATIN = {0xDC80 + byte: bytes([0x80 + byte]).decode("cp1252", "replace") for byte in range(128)}


def refuse_other_kinds(data: bytes, name: str) -> None:
    """Raise `Unreadable` where the bytes begin as those of files do that are no text."""
    kind = next((kind for start, kind in _SIGNATURES if data.startswith(start)), "")
    if kind:
        advice = _NAMED.get(kind, "convert it to .txt, .md or JATS .xml")
        raise Unreadable(f"{name}: is {kind}, not text; {advice}", "unknown kind")


def refuse_binary(data: bytes, name: str) -> None:
    """Raise `Unreadable` where the bytes are no text in any encoding that is read here."""
    refuse_other_kinds(data, name)
    if _wide(data):
        return
    kinds = sum(bytes([byte]) in data for byte in _CONTROLS)
    controls = len(data) - len(data.translate(None, _CONTROLS))
    # a stray NUL is a blemish of text; many kinds of control characters are no text at all
    if kinds >= 4 and controls * 100 > len(data):  # noqa: PLR2004
        if _is_unmarked(data):
            raise Unreadable(f"{name}: is binary or UTF-16 without its byte order mark; save it as UTF-8")
        raise Unreadable(f"{name}: is binary, not text; convert it to .txt, .md or JATS .xml")


def _is_unmarked(data: bytes) -> bool:
    """Whether bytes may be UTF-16 of a script that has no zero bytes."""
    for encoding in ("utf-16-le", "utf-16-be"):
        text = data[: len(data) & ~1].decode(encoding, "replace")
        if is_likely(text) and sum(map(str.isalpha, text)) * 2 > len(text):
            return True
    return False


def decode(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """The text, with a line feed for every line break, and a note on each thing that was guessed or mended."""
    refuse_binary(data, name)
    text, read = _characters(data, name)
    text, lone = _LONE.subn("\ufffd", _PAIR.sub(_join, text))
    text, controls = _CONTROL.subn("", _BREAK.sub("\n", text))
    notes = [read] if read else []
    if lone:
        notes.append(f"{lone} lone surrogates replaced by U+FFFD")
    if controls:
        notes.append(f"{controls} control characters (NUL and the like) removed")
    return text, tuple(notes)


def encoding_of(head: bytes) -> tuple[str, int]:
    """The encoding that the first bytes of a text show, and the length of its byte order mark."""
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding, len(mark)
    return _wide(head) or "utf-8", 0


def _characters(data: bytes, name: str) -> tuple[str, str]:
    """The bytes decoded, and a note where the encoding is not plain UTF-8."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding, name), f"read as {encoding}, by its byte order mark"
    if encoding := _wide(data):
        return _strict(data, encoding, name), f"read as {encoding}, by its zero bytes; it has no byte order mark"
    text, encoding = text_by_escapes(data)
    if text:
        return text, f"read as {encoding}, by its escapes"
    try:
        return data.decode("utf-8", "surrogatepass"), ""
    except UnicodeDecodeError:
        return _decode_mixed(data, name)


def _wide(data: bytes) -> str:
    """The name of UTF-16 without a mark where every other byte of the start, and only these, is mostly zero."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    head = data[:4096]
    even, odd, half = head[::2].count(0), head[1::2].count(0), len(head) // 2
    if len(data) % 2 or half < 2:  # noqa: PLR2004
        return ""
    if odd * 2 > half and even * 20 < half:
        return "utf-16-le"
    return "utf-16-be" if even * 2 > half and odd * 20 < half else ""


def _strict(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding, "surrogatepass")
    except UnicodeDecodeError as error:
        raise Unreadable(f"{name}: is broken {encoding} at byte {error.start}; save it again as UTF-8") from error


def _decode_mixed(data: bytes, name: str) -> tuple[str, str]:
    """Bytes that are not all UTF-8: a few wrong ones are read as cp1252, as Windows writes them; else by a guess."""
    text = data.decode("utf-8", "surrogateescape")
    wrong = len(_LONE.findall(text))
    right = sum(char > "\x7f" for char in text) - wrong
    mended = text.translate(_LATIN)
    if right and not _UNKNOWN.search(text) and is_likely(mended):
        return mended, f"{wrong} bytes are not UTF-8 and were read as cp1252"
    text, encoding = guess_text(data)
    if not text:
        guess = f" (the best guess, {encoding}, is unlikely)" if encoding else ""
        raise Unreadable(f"{name}: is neither UTF-8 nor UTF-16 nor cp1252{guess}; save it as UTF-8")
    sure = "it is not UTF-8" if encoding == "cp1252" else "it is not UTF-8, and this is a guess"
    return text, f"read as {encoding}; {sure}"


def _join(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")
