"""PDF as a document. Runs in a process of its own (`apart.py`), for PDFium may crash or hang on a bad file.

Columns are read one after the other; heads and feet, tables and labels of figures are left out (the last two may be
kept); broken words are mended; the list of references is cut. A page that cannot be read is noted and left out.
"""
# ruff: noqa: RUF001 - dashes and quotes are meant

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from benchwright.corpus.assemble import Part
from benchwright.corpus.draft import Draft
from benchwright.corpus.layout import BULLETS, LARGER, Block, Sort, blocks_of, is_running
from benchwright.corpus.pdf_lines import Page, read_page
from benchwright.corpus.raised import level
from benchwright.corpus.running import is_leader, join_rows, running_lines, vocabulary, without_references
from benchwright.domain.campaign import Documents
from benchwright.errors import Unreadable

TAIL = 4096  # bytes: the end of a whole file says so in them
GARBLED = 0.2  # the share of letters without meaning from which on a text is none
RUNNING_LEAST, RUNNING_SHARE = 30, 0.2  # words of running text, and their share of all outside of tables
TITLE_MOST = 250  # characters
SENTENCE_WORDS = 8
FULL_LAST = 0.85  # of the widest line: the last line of a paragraph that goes on
PAGES_NAMED = 10

_ENDED = re.compile(r"[.!?:…。！？][\"'”’»)\]]*\Z")
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|tab(?:le|leau|la|elle)?\.?|graph(?:ique)?|map|carte|box)\s*\d+\s*[:.–—-]", re.IGNORECASE
)
_CREATIVE = re.compile(rb"https?://creativecommons\.org/(?:licenses|publicdomain)/[a-z-]{2,12}/\d\.\d(?:/igo)?")
_NAMED = re.compile(r"(?:https?://)?creativecommons\.org/(?:licenses|publicdomain)/[a-z-]{2,12}/\d\.\d", re.IGNORECASE)
_SECTION = re.compile(r"\d+(?:\.\d+)*\.?\s|(?:abstract|summary|introduction|contents)\b", re.IGNORECASE)
_FLOATING = re.compile(r"tab|box", re.IGNORECASE)
_ABSTRACT = re.compile(r"(?:abstract|summary|résumé|resumen|resumo|zusammenfassung)\s*:?", re.IGNORECASE)


@dataclass(slots=True)
class _Left:
    """What was left out, or could not be read."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def finish(self) -> tuple[str, ...]:
        """All notes."""
        named = (
            f"{count} {thing.replace('*', 's' * (count > 1))} left out" for thing, count in self.counts.items() if count
        )
        return (*self.notes, *named)


def read_pdf(data: bytes, name: str, keep: Documents) -> Draft:
    """The text of a PDF; raises `Unreadable` with the state in which it ends."""
    left = _Left()
    pages = _read_pages(data, name, left)
    refuse_without_text(pages, name)
    running = running_lines(pages, body_size(pages))
    kept = [
        replace(page, lines=tuple(line for line in page.lines if line not in heads))
        for page, heads in zip(pages, running, strict=True)
    ]
    left.counts["line* of page heads and feet"] += sum(map(len, running))
    body = body_size(kept)
    by_page = [list(blocks_of(page, page.lines, body)) for page in kept]
    blocks = [block for page in by_page for block in page]
    _refuse_graphic(blocks, name, keep)
    words = vocabulary(line for page in kept for line in page.lines)
    blocks, references = without_references(blocks)
    if references:
        left.notes.append(f"the list of references ({references} paragraphs) left out")
    title, chosen = _title(by_page[0], body, words)
    parts = _parts(_selected([one for one in blocks if one not in chosen], keep, left), words)
    return Draft(title, tuple(parts), left.finish(), licence=_licence(data, pages))


def _licence(data: bytes, pages: Sequence[Page]) -> str:
    """The Creative Commons licence that a PDF states, in its metadata or its links, or on its first or last page."""
    if found := _CREATIVE.search(data):
        return found[0].decode("ascii")
    stated = " ".join(line.text for page in (pages[0], pages[-1]) for line in page.lines)
    named = _NAMED.search(stated)
    return f"https://{named[0].lower().removeprefix('https://').removeprefix('http://')}" if named else ""


def _read_pages(data: bytes, name: str, left: _Left) -> list[Page]:
    """All pages that can be read."""
    import pypdfium2

    if b"%PDF-" not in data[:1024]:
        raise Unreadable(f"{name}: is no PDF, whatever its name says; save it anew", "damaged")
    if b"%%EOF" not in data.rstrip(b"\0 \t\r\n")[-TAIL:]:
        raise Unreadable(f"{name}: is truncated: the end of the PDF is missing; copy or download it anew", "truncated")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise _fault(error, name) from error
    try:
        count = len(document)
        found = [_try_page(document, number) for number in range(count)]
    finally:
        document.close()
    pages = [page for page in found if page]
    if not pages:
        raise Unreadable(f"{name}: none of its {count} pages can be read; save it anew", "damaged")
    if lost := [number for number, page in enumerate(found, 1) if page is None]:
        left.notes.append(f"{_pages(lost)} cannot be read and {'are' if len(lost) > 1 else 'is'} left out")
    if bare := [number for number, page in enumerate(found, 1) if page and page.images and not page.lines]:
        left.notes.append(f"{_pages(bare)} {'are pictures' if len(bare) > 1 else 'is a picture'} without text")
    return pages


def _try_page(document: Any, number: int) -> Page | None:
    import pypdfium2

    try:
        return read_page(document[number])
    except pypdfium2.PdfiumError:
        return None


def _pages(numbers: Sequence[int]) -> str:
    """Some pages by their numbers."""
    some = ", ".join(map(str, numbers[:PAGES_NAMED]))
    more = f" and {len(numbers) - PAGES_NAMED} more" if len(numbers) > PAGES_NAMED else ""
    return f"page{'s' * (len(numbers) > 1)} {some}{more}"


def _fault(error: Exception, name: str) -> Unreadable:
    """Why PDFium cannot open a file."""
    import pypdfium2.raw as pdfium

    code = getattr(error, "err_code", None)
    if code in {pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY}:
        return Unreadable(f"{name}: is encrypted and needs a password; save it without one", "encrypted")
    return Unreadable(f"{name}: is a damaged PDF ({error}); save or download it anew", "damaged")


def refuse_without_text(pages: Sequence[Page], name: str) -> None:
    """Raise `Unreadable` where pages are pictures of text, or their letters have no meaning."""
    letters = sum(len(line.text) for page in pages for line in page.lines)
    unknown = sum(page.unknown for page in pages)
    if not letters:
        images = sum(page.images for page in pages)
        if images:
            message = f"{name}: is scanned: {len(pages)} pages of pictures without text; run it through OCR first"
            raise Unreadable(message, "scanned")
        raise Unreadable(f"{name}: has no text at all; take it out of the corpus", "no text")
    if unknown > GARBLED * letters:
        message = f"{name}: its fonts do not say which letters they show ({unknown} of {letters}); run it through OCR"
        raise Unreadable(message, "garbled")


def body_size(pages: Sequence[Page]) -> float:
    """The size of most letters."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[line.size] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], -size)) if sizes else 10.0


def _refuse_graphic(blocks: Sequence[Block], name: str, keep: Documents) -> None:
    """Raise `Unreadable` where there is hardly anything but tables, or the labels of a picture."""
    outside = [block for block in blocks if block.sort is not Sort.TABLE]
    running = sum(block.words for block in outside if _is_prose(block))
    words = sum(block.words for block in outside)
    tabular = sum(block.words for block in blocks if block.sort is Sort.TABLE)
    if tabular > words and keep.tables:
        return
    if running < RUNNING_LEAST and tabular > words:
        message = f"{name}: holds hardly anything but tables ([documents] tables = true keeps them)"
        raise Unreadable(message, "only tables")
    if running < RUNNING_LEAST or running < RUNNING_SHARE * words:
        message = f"{name}: has no running text, only a few words ({words}), as of a picture; take it out of the corpus"
        raise Unreadable(message, "no text")


def _is_prose(block: Block) -> bool:
    """Whether a block is running text beyond doubt: several full lines, or a whole sentence or point of a list."""
    if block.sort is not Sort.TEXT or not is_running(block.rows) or _CAPTION.match(block.rows[0].text):
        return False
    if sum(len(row.cells) > 1 for row in block.rows) * 3 > len(block.rows):
        return False  # words of several columns
    return len(block.rows) > 1 or block.rows[0].bullet or bool(_ENDED.search(block.rows[0].text))


def _title(blocks: Sequence[Block], body: float, words: Counter[str]) -> tuple[str, list[Block]]:
    """The largest heading of the first page, with those of its size that follow it; nothing where none is larger."""
    heads = [one for one in blocks if one.sort is Sort.HEADING]
    largest = max((one.size for one in heads), default=0.0)
    if largest <= LARGER * body:
        return "", []
    chosen: list[Block] = []
    for one in blocks:
        begins_section = bool(chosen) and _SECTION.match(one.rows[0].text)
        if one.sort is Sort.HEADING and one.size > largest / LARGER and not begins_section:
            chosen.append(one)
        elif chosen:
            break
    title = level(" ".join(join_rows((row.text for row in one.rows), words) for one in chosen))
    return (title, chosen) if len(title) <= TITLE_MOST else ("", [])


def _selected(blocks: Sequence[Block], keep: Documents, left: _Left) -> Iterator[Block]:
    """The blocks that the settings keep."""
    for block in blocks:
        text = block.rows[0].text
        if block.sort is Sort.TABLE and not keep.tables:
            left.counts["table*"] += 1
        elif block.sort is Sort.LABELS and not keep.figures:
            left.counts["group* of labels"] += 1
        elif _CAPTION.match(text) and not (keep.tables if _FLOATING.match(text) else keep.figures):
            left.counts["caption*"] += 1
        elif all(is_leader(row.text) for row in block.rows):
            left.counts["line* of contents"] += 1
        else:
            yield block


def _parts(blocks: Iterator[Block], words: Counter[str]) -> list[Part]:
    """Sections by heading; a paragraph that a column or a page has cut is one."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    before: Block | None = None
    for block in blocks:
        texts = _texts_of(block, words)
        if block.sort is Sort.HEADING:
            parts.append((level(texts[0]).rstrip(": "), []))
        elif before and _goes_on(before, block):
            parts[-1][1][-1] = join_rows((parts[-1][1][-1], texts[0]), words)
        else:
            parts[-1][1].extend(texts)
        before = block
    return [_part(title, blocks) for title, blocks in parts]


def _goes_on(before: Block, block: Block) -> bool:
    """Whether a paragraph goes on in the next column or page: it has no end, and its last line is full."""
    if before.sort is not Sort.TEXT or block.sort is not Sort.TEXT or block.rows[0].bullet:
        return False
    if _ENDED.search(before.rows[-1].text):
        return False
    last = before.rows[-1].right - before.rows[-1].left
    widest = max(row.right for row in before.rows) - min(row.left for row in before.rows)
    full = len(before.rows) > 1 and last >= FULL_LAST * widest and len(block.rows) > 1 and before.size == block.size
    return full or block.rows[0].text[:1].islower()


def _part(title: str, blocks: Sequence[str]) -> Part:
    """A section; a long heading over nothing is a paragraph."""
    if not blocks and len(title.split()) >= SENTENCE_WORDS:
        return Part("", "body", (title,))
    return Part(title, "abstract" if _ABSTRACT.fullmatch(title) else "body", tuple(map(level, blocks)))


def _texts_of(block: Block, words: Counter[str]) -> list[str]:
    """The words of a block without its bullet; of a table each row, with bars between its cells; of labels each."""
    if block.sort is Sort.TABLE:
        return [" | ".join(cell.text for cell in row.cells) for row in block.rows]
    if block.sort is Sort.LABELS:
        return [row.text for row in block.rows]
    return [join_rows((row.text for row in block.rows), words).lstrip(BULLETS)]
