"""HTML as a document: its main part, in sections by heading. The same walk reads DOCX (`docx.py`).

What belongs to the page and not to its text is left out (`boilerplate.py`), as are tables and captions of figures,
which may be kept. A table that only lays a page out is text.
"""
# ruff: noqa: RUF001, SIM905 - dashes are meant; lists of words read best as words

import codecs
import re
from collections import Counter
from dataclasses import dataclass, field

from lxml import etree, html
from lxml.etree import _Element as Element

from benchwright.corpus.assemble import Part
from benchwright.corpus.boilerplate import Weights, main_part, reason_to_leave, weigh
from benchwright.corpus.decode import decode
from benchwright.corpus.draft import Draft
from benchwright.corpus.headings import heading_of
from benchwright.corpus.raised import DOWN, END, GAP, UP, level
from benchwright.domain.campaign import Documents
from benchwright.errors import Unreadable

HEAD = 4096  # bytes in which a page names its encoding
CELL_WORDS = 40  # in a cell with more of them a table lays the page out
BOLD = 7  # the level of a heading that is a bold line: below all others

_DECLARED = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_XML = re.compile(r"\A\s*<\?xml[^>]*\?>")
_PARAGRAPH = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_SPACE = re.compile(r"\s+")
_SITE = re.compile(r"\s+[|·•–—»-]\s+[^|·•–—»]{1,60}\Z")
_BLOCKS = frozenset(
    "p div section article main body html header hgroup address blockquote center dd dl dt fieldset figure figcaption "
    "h1 h2 h3 h4 h5 h6 hr li ol ul pre table caption thead tbody tfoot tr td th details summary legend".split()
)
_HEADINGS = {f"h{number}": number for number in range(1, 7)}
_MARKS = {"sup": UP, "sub": DOWN}
_STRUCK = frozenset(("del", "s", "strike"))
_KINDS = {"abstract": "abstract", "summary": "abstract", "plain language summary": "summary"}


def read_html(data: bytes, name: str, keep: Documents) -> Draft:
    """The text of a web page; raises `Unreadable` where there is none."""
    text, notes = _decoded(data, name)
    root = _parse(text, name)
    weights = weigh(root)
    walk = Walk(keep, weights, weights.text[root])
    walk.read(main_part(root, weights))
    title = walk.title or _SITE.sub("", _clean(root.findtext(".//head/title") or ""))
    licence = next((link.get("href", "") for link in root.iter("a", "link") if _is_licence(link)), "")
    language = (root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "").lower()
    return Draft(title, walk.parts(), (*notes, *walk.notes()), language.partition("-")[0], licence[:1000])


def _is_licence(link: Element) -> bool:
    return bool({"license", "licence"} & set(link.get("rel", "").lower().split()))


def _decoded(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """The text in the encoding that it names, or as any other text; NUL and the like are no part of it."""
    declared = _DECLARED.search(data[:HEAD])
    encoding = declared[1].decode("ascii", "replace").lower() if declared else ""
    if encoding and not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            # what calls itself Latin-1 is Windows' own in browsers, too
            plain = "cp1252" if codecs.lookup(encoding).name in {"iso8859-1", "ascii"} else encoding
            return decode(data.decode(plain).encode(), name)
        except (LookupError, UnicodeError):
            text, notes = decode(data, name)
            return text, (*notes, f"is not in the encoding that it names ({encoding[:40]})")
    return decode(data, name)


def _parse(text: str, name: str) -> Element:
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=False)
    try:
        root = html.document_fromstring(_XML.sub("", text), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(f"{name}: is no HTML ({error}); save it anew", "damaged") from error
    if any("depth" in entry.message for entry in parser.error_log):
        raise Unreadable(f"{name}: its elements are nested too deeply; save it anew", "damaged")
    return root


@dataclass(slots=True)
class Walk:
    """A walk through the elements of a page, and what it has read so far."""

    keep: Documents
    weights: Weights
    whole: int  # how much text the page holds
    title: str = ""
    sections: list[tuple[str, list[str]]] = field(default_factory=lambda: [("", [])])
    path: list[tuple[int, str]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    pieces: list[tuple[str, bool]] = field(default_factory=list)  # of the open paragraph, and whether each is bold
    opened: Counter[str] = field(default_factory=Counter)  # how many elements of a name are open

    def read(self, root: Element) -> None:
        """Read all below an element, without recursion: pages may be deep."""
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            tag = str(element.tag)
            if event == "start":
                why = self.reason(element) if element is not root else None
                if why is None:
                    self.enter(element, tag)
                else:
                    self.left_out[why] += bool(why)
                    self.opened["left out"] += 1
                    walk.skip_subtree()
                continue
            if self.opened["left out"]:
                self.opened["left out"] -= 1
                self.pieces.append((GAP, self.bold))
            else:
                self.leave(tag)
            if element is not root:
                self.say(element.tail)
        self.close()

    def reason(self, element: Element) -> str | None:
        """What an element is that is left out; None for one that is read."""
        tag = str(element.tag)
        if (why := reason_to_leave(element, self.weights, self.whole)) is not None:
            return why
        if tag in _STRUCK:
            return ""
        if tag == "table" and not is_layout(element):
            if self.keep.tables:
                self.read_table(element)
            return "" if self.keep.tables else "table"
        apart = {
            "caption": tag == "figcaption" and not self.keep.figures,
            "code block": tag == "pre" and next(element.iter("code"), None) is not None,
            "formula": tag == "math",
        }
        return next((what for what, is_one in apart.items() if is_one), None)

    def read_table(self, table: Element) -> None:
        """Each row of a table, with bars between its cells."""
        self.close()
        rows = (" | ".join(marked_text(cell) for cell in row.iter("td", "th")) for row in table.iter("tr"))
        self.sections[-1][1].extend(row for row in rows if any(map(str.isalnum, row)))

    @property
    def bold(self) -> bool:
        """Whether what is read now is bold."""
        return bool(self.opened["b"] or self.opened["strong"])

    def enter(self, element: Element, tag: str) -> None:
        """An element begins."""
        if tag in _BLOCKS:
            self.close()
        self.opened[tag] += 1
        self.pieces.append((_MARKS.get(tag, GAP if tag == "img" else "\n" if tag == "br" else ""), self.bold))
        self.say(element.text)

    def leave(self, tag: str) -> None:
        """An element ends."""
        self.pieces.append((END if tag in _MARKS else "", self.bold))
        if tag in _HEADINGS:
            self.head(_HEADINGS[tag], self.flush())
        elif tag in _BLOCKS:
            self.close()
        self.opened[tag] -= 1

    def say(self, text: str | None) -> None:
        """Running text; line breaks count where they are meant."""
        if text:
            self.pieces.append((text if self.opened["pre"] else _SPACE.sub(" ", text), self.bold))

    def flush(self) -> str:
        """The text of the open paragraph, which is none any more."""
        text = "".join(piece for piece, _ in self.pieces)
        self.pieces.clear()
        return text

    def close(self) -> None:
        """The open paragraph is read; it may begin with a heading, and hold several by empty lines."""
        lead = 0
        while lead < len(self.pieces) and (self.pieces[lead][1] or not self.pieces[lead][0].strip()):
            lead += 1
        bold = _clean("".join(piece for piece, _ in self.pieces[:lead]))
        rest = "".join(piece for piece, _ in self.pieces[lead:])
        text = self.flush()
        if bold and (headed := heading_of(bold, rest)) and not self.opened["li"]:
            self.head(BOLD, headed[0])
            text = headed[1]
        for paragraph in _PARAGRAPH.split(text):
            if any(map(str.isalnum, clean := _clean(paragraph))):
                self.sections[-1][1].append(clean)

    def head(self, rank: int, text: str) -> None:
        """Begin a section; the first heading of the first rank is the title instead."""
        if not (title := _clean(text)):
            return
        self.path = [(above, name) for above, name in self.path if above < rank]
        if rank == 1 and title == (self.title or title):
            self.title = title
        else:
            self.path.append((rank, title))
        self.sections.append((": ".join(name for _, name in self.path), []))

    def parts(self) -> tuple[Part, ...]:
        """The sections that hold text."""
        return tuple(
            Part(title, _KINDS.get(title.lower(), "body"), tuple(blocks)) for title, blocks in self.sections if blocks
        )

    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        return tuple(f"{count} {thing}{'s' * (count > 1)} left out" for thing, count in self.left_out.items() if thing)


def is_layout(table: Element) -> bool:
    """Whether a table only lays out a page: it holds other blocks, or much text in a cell."""
    if table.get("role") in {"presentation", "none"}:
        return True
    if next(table.iter("th", "caption"), None) is not None:
        return False
    cells = list(table.iter("td"))
    nested = any(next(cell.iter("table", "h1", "h2", "h3", "h4", "ul", "ol"), None) is not None for cell in cells)
    return nested or any(len(marked_text(cell).split()) > CELL_WORDS for cell in cells)


def marked_text(element: Element) -> str:
    """The text of an element on one line, with raised and lowered letters in their place."""
    pieces: list[str] = []
    for event, part in etree.iterwalk(element, events=("start", "end")):
        tag = str(part.tag)
        if event == "start":
            pieces += [_MARKS.get(tag, " " if tag in _BLOCKS or tag == "br" else ""), part.text or ""]
        else:
            pieces += [END if tag in _MARKS else "", (part.tail or "") if part is not element else ""]
    return _clean("".join(pieces))


def _clean(text: str) -> str:
    """Text on one line, without soft hyphens and marks."""
    return _SPACE.sub(" ", level(text.replace("\u00ad", ""))).strip()
