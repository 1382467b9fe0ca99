"""Markdown and plain text as documents."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from benchwright.corpus.assemble import Part, assemble
from benchwright.corpus.brackets import escape_lone_brackets
from benchwright.corpus.decode import decode
from benchwright.corpus.front import read_front
from benchwright.corpus.headings import heading_of, plain_heading
from benchwright.corpus.raised import CITE, DOWN, END, GAP, UP, level
from benchwright.domain.document import Document
from benchwright.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

NESTING = 100  # quotes and lists inside each other; beyond it markdown-it would drop text

_PARAGRAPHS = re.compile(r"\n(?:[^\S\n]*\n)+")
_TITLE = re.compile(r"[^\n]{1,150}[^\s.,;:]")
_LEFT_OUT = {"table_open": "table", "fence": "code block", "code_block": "code block", "html_block": "HTML block"}
_KINDS = {"abstract": "abstract", "author summary": "summary", "plain language summary": "summary"}
_BOLD = 7  # the level of a heading that is a bold line: below all others

# What Pandoc, GitHub, Quarto and Obsidian write beyond CommonMark. Notes are left out, as those of JATS are.
_NOTE = re.compile(r"^ {0,3}\[\^[^\]\n]+\]:.*(?:\n(?:[ \t]*\n)*(?: {4}|\t).*)*", re.MULTILINE)
_CODE = re.compile(r"(^ {0,3}(?:```|~~~)[^\n]*\n.*?(?:^ {0,3}(?:```|~~~)[^\S\n]*$|\Z))", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"^ {0,3}:{3,}.*$", re.MULTILINE)  # the edges of a box
_ATTRIBUTES = re.compile(r"\s*\{[#.][^{}]*\}\s*\Z")
_EMPHASIS = "\x07"  # bold digits within a number would make it another: 10**6**
_EXTENDED = (
    (re.compile(r"!\[\[[^\]\n]*\]\]|%%[^%]*%%|\[\^[^\]\s]+\]"), GAP),
    (re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]"), r"\1"),
    (re.compile(r"(?<!=)==(?=\S)([^=\n]*[^=\s])==(?!=)"), r"\1"),
    (re.compile(r"(?<=\w)\^([^\s^$]{1,20})\^"), rf"{UP}\1{END}"),
    (re.compile(r"(?<=\w)~([^\s~$]{1,20})~"), rf"{DOWN}\1{END}"),
    (re.compile(rf"(?<=\d){_EMPHASIS}+(?=\d)"), " "),
    (re.compile(_EMPHASIS), ""),
    (re.compile(r"\A\[[ xX]\] |\A\[![A-Z]+\]\s*"), ""),
    (re.compile(r"(?<=\w) :\s+"), ": "),  # the definition of a term
)
_TAGS = {"<sup>": UP, "</sup>": END, "<sub>": DOWN, "</sub>": END, "<br>": " "}
_BOLD_TAGS = frozenset(("<b>", "<strong>"))
_STRUCK = {"<del>": 1, "<s>": 1, "<strike>": 1, "</del>": -1, "</s>": -1, "</strike>": -1}
_TAG = re.compile(r"<(/?[a-z]+)(?:\s[^>]*)?/?>", re.IGNORECASE)
_SPACES = re.compile(r" {2,}")


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

    Front matter (YAML between `---`, TOML between `+++`) may name title, doi, licence, language and abstract.
    """
    text, notes = decode(data, name)
    front, text = read_front(text)
    outline = _Outline(title=front.get("title", ""), open=not front.get("title"))
    if abstract := front.get("abstract"):
        outline.parts.append(Part("Abstract", "abstract", tuple(_PARAGRAPHS.split(abstract))))
    _read_tokens(_without_notes(text, outline), name, outline)
    left_out = tuple(f"{count} {thing}{'s' * (count > 1)} left out" for thing, count in outline.left_out.items())
    document = assemble(data, name, outline.title, outline.finish(), notes + left_out)
    return replace(
        _with_text(document),
        doi=front.get("doi", ""),
        licence=front.get("licence") or front.get("license") or "",
        language=(front.get("language") or front.get("lang") or "").lower(),
    )


def _without_notes(text: str, outline: "_Outline") -> str:
    """The text without footnotes and the edges of boxes, outside of code."""
    pieces = _CODE.split(text)
    for number in range(0, len(pieces), 2):
        pieces[number], count = _NOTE.subn("", _FENCED.sub("", pieces[number]))
        outline.left_out.update({"footnote": count} if count else {})
    return "".join(pieces)


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
        around = ": ".join(text for level, text in self.path if text and level < _BOLD) or title
        self.parts.append(Part(title, _KINDS.get(around.casefold(), "body"), tuple(self.blocks)))
        self.blocks.clear()
        return self.parts


def _read_tokens(text: str, name: str, outline: _Outline) -> None:
    """Carry headings and paragraphs into the outline."""
    heading = 0
    for token in _outside_tables(_parse(text, name)):
        outline.left_out.update([_LEFT_OUT[token.type]] if token.type in _LEFT_OUT else [])
        if token.type == "heading_open":
            heading = int(token.tag[1:])
        elif token.type == "inline":
            if heading:
                outline.head(heading, _ATTRIBUTES.sub("", _plain_text(token.children or [])))
            else:
                _read_paragraph(token, outline)
            heading = 0


def _read_paragraph(token: "Token", outline: _Outline) -> None:
    """A paragraph, perhaps with a heading that is only bold."""
    children, running = token.children or [], _plain_text(token.children or [])
    if token.level == 1 and (closes := _first_ends(children)):
        lead, rest = children[:closes], "".join(_words(children[closes + 1 :]))
        faint = not any(child.tag == "strong" or child.content.lower() in _BOLD_TAGS for child in lead)
        if headed := heading_of(_plain_text(lead), rest, faint=faint):
            outline.head(_BOLD, headed[0])
            running = _level(headed[1])
    elif token.level == 1 and (plain := plain_heading(running)):
        outline.head(_BOLD, plain[0])
        running = plain[1]
    if any(map(str.isalnum, running)):
        outline.blocks.append(running)


def _first_ends(children: "list[Token]") -> int:
    """Where the bold or italic words end with which a paragraph begins; 0 where it begins otherwise."""
    solid = [n for n, child in enumerate(children) if child.content or child.nesting]
    first = children[solid[0]] if solid else None
    if first is None or (first.tag not in {"strong", "em"} and first.content.lower() not in _BOLD_TAGS):
        return 0
    ends = first.content.lower().replace("<", "</")
    closes = (n for n, child in enumerate(children) if n and child.type == first.type.replace("open", "close"))
    return next((n for n in closes if children[n].content.lower() == ends), 0)


def _parse(text: str, name: str) -> "list[Token]":
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": NESTING}).enable(["table", "strikethrough"])
    tokens = parser.parse(escape_lone_brackets(text))
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


def _plain_text(children: "list[Token]") -> str:
    """The text of a paragraph without its marks; a link keeps its words, a picture and struck text leave nothing."""
    return _level("".join(_words(children)))


def _words(children: "list[Token]") -> "Iterator[str]":
    """The pieces of running text, with marks around raised text and where something is left out."""
    struck, inside = 0, False  # whether within a link to a place in the text itself
    for part in children:
        tag = _TAG.fullmatch(part.content) if part.type == "html_inline" else None
        name = f"<{tag[1].lower()}>" if tag else ""
        before, struck = struck, max(0, struck + _STRUCK.get(name, part.nesting if part.tag == "s" else 0))
        if struck or before:
            yield GAP
        elif part.type in {"text", "code_inline", "text_special"}:
            yield part.content
        elif part.type in {"softbreak", "hardbreak"}:
            yield " "
        elif part.type == "link_open" and str(part.attrGet("href")).startswith("#"):
            inside = True
            yield CITE
        elif part.type == "link_close" and inside:
            inside = False
            yield END
        else:
            yield _TAGS.get(name, _between(part))


def _between(part: "Token") -> str:
    """What a mark without words leaves between its neighbours."""
    if part.type == "image" or part.content.startswith("<!--"):
        return GAP
    return _EMPHASIS if part.tag in {"strong", "em", "a"} else ""


def _level(text: str) -> str:
    text = _SPACES.sub(" ", text)  # some of the patterns look through the whole of a run of spaces from each of them
    for pattern, instead in _EXTENDED:
        text = pattern.sub(instead, text)
    return _SPACES.sub(" ", level(text)).strip()


def _with_text(document: Document) -> Document:
    """The document, if there is anything to read in it."""
    if not document.sections:
        raise Unreadable(f"{document.name}: holds no running text; add some or take it out of the corpus")
    return document
