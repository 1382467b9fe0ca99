"""Markdown and plain text as documents."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from benchwright.corpus.assemble import Part, assemble
from benchwright.corpus.decode import decode
from benchwright.domain.document import Document
from benchwright.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

NESTING = 100  # quotes and lists inside each other; beyond it markdown-it would drop text

_FRONT = re.compile(r"\A---[^\S\n]*\n(.*?)\n(?:---|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(\w+)[^\S\n]*:(.*)$", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n(?:[^\S\n]*\n)+")
_TITLE = re.compile(r"[^\n]{1,150}[^\s.,;:]")
_LEFT_OUT = {"table_open": "table", "fence": "code block", "code_block": "code block", "html_block": "HTML block"}
_KINDS = {"abstract": "abstract", "author summary": "summary", "plain language summary": "summary"}


def read_plain(data: bytes, name: str) -> Document:
    """Paragraphs in one section; a short first line without a stop, apart by a blank line, is the title."""
    text, notes = decode(data, name)
    blocks = [block for block in _PARAGRAPHS.split(text.strip()) if block]
    title = ""
    if len(blocks) > 1 and _TITLE.fullmatch(blocks[0].strip()):
        title = blocks.pop(0).strip()
    return _with_text(assemble(data, name, title, [Part("", "body", tuple(blocks))], notes))


def read_markdown(data: bytes, name: str) -> Document:
    """Sections by heading, `Methods: Study area` where they nest; tables, code, HTML and pictures are left out.

    A block of `key: value` lines between `---` at the top may name title, doi, licence and language.
    """
    text, notes = decode(data, name)
    front: dict[str, str] = {}
    if block := _FRONT.match(text):
        front = {key.lower(): value.strip().strip("\"'") for key, value in _FIELD.findall(block[1])}
        text = text[block.end() :]
    outline = _Outline(title=front.get("title", ""), open=not front.get("title"))
    _read_tokens(text, name, outline)
    left_out = tuple(f"{count} {thing}{'s' * (count > 1)} left out" for thing, count in outline.left_out.items())
    document = assemble(data, name, outline.title, outline.finish(), notes + left_out)
    return replace(
        _with_text(document),
        doi=front.get("doi", ""),
        licence=front.get("licence") or front.get("license") or "",
        language=(front.get("language") or front.get("lang") or "").lower(),
    )


@dataclass(slots=True)
class _Outline:
    """What has been read so far: closed sections, the open one, and the headings above it."""

    title: str
    open: bool  # whether the title is still to be found
    parts: list[Part] = field(default_factory=list)
    path: list[tuple[int, str]] = field(default_factory=list)
    blocks: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)

    def head(self, level: int, text: str) -> None:
        """Begin a section; the first heading of level 1 is the title instead, unless the front matter had one."""
        self.finish()
        self.path = [(above, title) for above, title in self.path if above < level]
        if level == 1 and (self.open or text == self.title):
            self.title, self.open = text, False
        else:
            self.path.append((level, text))

    def finish(self) -> list[Part]:
        """Close the open section."""
        title = ": ".join(text for _, text in self.path if text)
        self.parts.append(Part(title, _KINDS.get(title.casefold(), "body"), tuple(self.blocks)))
        self.blocks.clear()
        return self.parts


def _read_tokens(text: str, name: str, outline: _Outline) -> None:
    """Carry headings and paragraphs into the outline."""
    level = 0
    for token in _outside_tables(_parse(text, name)):
        outline.left_out.update([_LEFT_OUT[token.type]] if token.type in _LEFT_OUT else [])
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "inline":
            running = _plain_text(token)
            if level:
                outline.head(level, running)
            elif running:
                outline.blocks.append(running)
            level = 0


def _parse(text: str, name: str) -> "list[Token]":
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"maxNesting": NESTING}).enable(["table", "strikethrough"]).parse(text)
    if max((token.level for token in tokens), default=0) >= NESTING - 1:
        raise Unreadable(f"{name}: lists or quotes are nested more than {NESTING} deep; flatten them")
    return tokens


def _outside_tables(tokens: "list[Token]") -> "Iterator[Token]":
    """All tokens but those inside of tables."""
    inside = False
    for token in tokens:
        if not inside:
            yield token
        inside = token.type == "table_open" or (inside and token.type != "table_close")


def _plain_text(token: "Token") -> str:
    """The text of a paragraph without its marks; a link keeps its words, a picture leaves nothing."""
    words = {"softbreak": " ", "hardbreak": " "}
    kept = ("text", "code_inline", "text_special")
    pieces = (words.get(part.type, part.content if part.type in kept else "") for part in token.children or ())
    return "".join(pieces).strip()


def _with_text(document: Document) -> Document:
    """The document, if there is anything to read in it."""
    if not document.sections:
        raise Unreadable(f"{document.name}: holds no running text; add some or take it out of the corpus")
    return document
