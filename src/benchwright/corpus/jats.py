"""JATS (and NLM) articles: title, abstract, summary and body; no references, tables, figures or back matter."""
# ruff: noqa: RUF001, SIM905 - dashes and the minus sign are meant; word lists read best as words

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.entities import html5
from typing import TYPE_CHECKING

from benchwright.corpus.assemble import Part, assemble
from benchwright.corpus.decode import refuse_binary
from benchwright.domain.document import Document
from benchwright.errors import Unreadable

if TYPE_CHECKING:
    from lxml.etree import _Element

LEAST = 500  # characters of body without which an article has no main text

_NOTICES = frozenset(
    "correction erratum corrigendum addendum retraction partial-retraction removal withdrawal expression-of-concern "
    "republished-article-notice".split(),
)
_LEFT_OUT = frozenset(
    "fig fig-group table-wrap table-wrap-group table array supplementary-material media graphic inline-graphic label "
    "ref-list fn fn-group ack glossary object-id index-term alt-text long-desc permissions sec-meta floats-group "
    "chem-struct-wrap".split(),
)
_FORMULAS = frozenset("inline-formula disp-formula disp-formula-group math tex-math".split())
_FLAT_MATHS = frozenset(
    "inline-formula disp-formula alternatives math mrow mi mn mo mtext mspace mstyle msub italic bold sub".split(),
)
_BLOCKS = frozenset(
    "p list list-item disp-quote boxed-text caption def-list def-item term def statement title subtitle verse-group "
    "verse-line speech speaker preformat code attrib question answer".split(),
)
_NO_SECTIONS = frozenset("supplementary-material coi-statement data-availability acknowledgement ack".split())
_NO_ABSTRACTS = frozenset("toc graphical teaser video key-image keywords".split())
_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
_ENTITY = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos);)([A-Za-z][A-Za-z0-9]*;)")
_SPACES = re.compile(r"[ \t\r\n]+")
_ADVICE = re.compile(r", (?:line|use|try|see) |\n")  # what libxml2 adds is for programmers
_EMPTY = re.compile(r" ?(?:\[[\s,;–-]*\]|\([\s,;–-]*\))")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_HREF = "{http://www.w3.org/1999/xlink}href"


def read_jats(data: bytes, name: str) -> Document:
    """Read one article; raises `Unreadable` for anything else, and for an article without main text."""
    refuse_binary(data, name)
    article = _article(_parse(data, name), name)
    meta = _child(_child(article, "front"), "article-meta")
    found = _Found()
    body = list(_sections(_child(article, "body"), "", "body", found))
    _demand_main_text(article, body, name)
    parts = [*_abstracts(meta, found), *body]
    title = _flat(_child(_child(meta, "title-group"), "article-title"), found)
    document = assemble(data, name, title, parts, found.notes())
    language = article.get(_LANG) or ""
    return replace(document, doi=_doi(meta), licence=_licence(meta), language=language.lower())


@dataclass(slots=True)
class _Found:
    """What the reader had to leave as a mark or as it stood."""

    formulas: int = 0
    entities: set[str] = field(default_factory=set)

    def notes(self) -> tuple[str, ...]:
        """One line each."""
        formulas = [f"{self.formulas} formulas shown as [formula]"] if self.formulas else []
        entities = [f"{name} left as it stands: no outside entity is read" for name in sorted(self.entities)]
        return (*formulas, *entities)


def _parse(data: bytes, name: str) -> "_Element":
    """The root; entities from outside are never read, bombs and endless nesting end as `Unreadable`."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_pis=True,
        remove_comments=True,
        huge_tree=False,
    )
    try:
        return etree.fromstring(_with_characters(data), parser)
    except etree.XMLSyntaxError as error:
        line = error.position[0]
        what = _ADVICE.split(error.msg)[0]
        raise Unreadable(f"{name}, line {line}: cannot be read as XML ({what}); mend or re-download it") from error


def _with_characters(data: bytes) -> bytes:
    """The named characters of HTML as numbered ones, which need no DTD; CDATA is left alone."""
    first, *rest = data.split(b"<![CDATA[")
    pieces = [(inside + end, after) for inside, end, after in (piece.partition(b"]]>") for piece in rest)]
    return b"<![CDATA[".join(
        [_ENTITY.sub(_numeric_entity, first), *(cd + _ENTITY.sub(_numeric_entity, it) for cd, it in pieces)]
    )


def _numeric_entity(entity: re.Match[bytes]) -> bytes:
    characters = html5.get(entity[1].decode(), "")
    return "".join(f"&#{ord(char)};" for char in characters).encode() or entity[0]


def _article(root: "_Element", name: str) -> "_Element":
    """The one article of the file, wherever it is wrapped."""
    articles = [root] if _name(root) == "article" else [e for e in root.iter() if _name(e) == "article"]
    if not articles:
        raise Unreadable(f"{name}: its root is <{_name(root)}>, not a JATS <article>; convert it to text or Markdown")
    if len(articles) > 1:
        raise Unreadable(f"{name}: holds {len(articles)} articles; save each as its own file")
    return articles[0]


def _demand_main_text(article: "_Element", body: list[Part], name: str) -> None:
    """Notices and articles that are only a title and an abstract are no ground for questions."""
    kind = article.get("article-type") or "article"
    length = sum(len(block) for part in body for block in part.blocks)
    if kind in _NOTICES:
        raise Unreadable(f"{name}: a notice ({kind}) has no main text of its own; take it out of the corpus")
    if length < LEAST:
        reason = f"its body has {length} characters, fewer than {LEAST}" if length else "it has no body text"
        raise Unreadable(f"{name}: an article ({kind}) without main text: {reason}; add the full text or take it out")


def _abstracts(meta: "_Element | None", found: _Found) -> Iterator[Part]:
    """The abstract first, then summaries in plain words; tables of contents and pictures are neither."""
    kinds = [(e, e.get("abstract-type") or "") for e in _children(meta) if _name(e) == "abstract"]
    wanted = [(element, kind) for element, kind in kinds if kind not in _NO_ABSTRACTS]
    for element, kind in sorted(wanted, key=lambda pair: "summary" in pair[1]):
        summary = "summary" in kind
        title = _flat(_child(element, "title"), found) or ("Summary" if summary else "Abstract")
        yield from _sections(element, title, "summary" if summary else "abstract", found)


def _sections(element: "_Element | None", title: str, kind: str, found: _Found) -> Iterator[Part]:
    """The element's own paragraphs, its boxes and its sections under joined titles, in the order of the article."""
    blocks: list[str] = []
    for child in _children(element):
        if _name(child) == "boxed-text":  # often a summary: what it says is not what the text around says
            yield Part(title, kind, tuple(blocks))
            yield Part(_under(title, "Box"), kind, tuple(_blocks(child, found)))
            blocks = []
        elif _name(child) != "sec":
            blocks += _blocks(child, found) if _name(child) not in {"title", *_FORMULAS} else []
        elif (child.get("sec-type") or "").lower() not in _NO_SECTIONS:
            yield Part(title, kind, tuple(blocks))
            blocks = []
            own = _flat(_child(child, "title"), found)
            yield from _sections(child, _under(title, own), kind, found)
    yield Part(title, kind, tuple(blocks))


def _under(title: str, own: str) -> str:
    """The title of a part within a part."""
    return ": ".join(filter(None, (title, own)))


def _blocks(element: "_Element", found: _Found) -> list[str]:
    """The paragraphs within an element; a list or a quotation inside a paragraph stands by itself."""
    pieces = "".join(_pieces(element, found)).split("\0")
    return [block for block in map(_tidy, pieces) if block]


def _pieces(element: "_Element", found: _Found) -> Iterator[str]:
    """The running text in order, with NUL (which XML cannot hold) where one block ends and another begins."""
    name = _name(element)
    if name == "":
        found.entities.add(element.text or "")
        yield element.text or ""
    elif name in _FORMULAS:
        yield _formula(element, found)
    elif name == "break":
        yield " "
    elif name not in _LEFT_OUT and not _is_marker(element):
        edge = "\0" if name in _BLOCKS else ""
        yield edge
        inner = "".join([element.text or "", *_inside(element, found)])
        yield inner.translate(_RAISED) if name == "sup" and not inner.strip("0123456789+-−() ") else inner
        yield edge


def _inside(element: "_Element", found: _Found) -> Iterator[str]:
    for child in element:
        yield from _pieces(child, found)
        yield child.tail or ""


def _is_marker(element: "_Element") -> bool:
    """A raised pointer to a reference or footnote, which would run into the word before it."""
    names = {_name(element), *(_name(child) for child in element)}
    tails = [element.text or "", *(child.tail or "" for child in element)]
    return names == {"sup", "xref"} and not "".join(tails).strip(" ,;–-\n")


def _formula(element: "_Element", found: _Found) -> str:
    """Its characters where they stand in one line; a mark where fractions or powers would change their meaning."""
    shown = [e for e in element.iter() if _name(e) not in {"graphic", "inline-graphic", "tex-math", "label"}]
    if all(_name(e) in _FLAT_MATHS for e in shown):
        text = "".join((e.text or "") + (e.tail or "" if e is not element else "") for e in shown)
        if text.strip():
            return text
    found.formulas += 1
    return "[formula]"


def _flat(element: "_Element | None", found: _Found) -> str:
    """The text of a title."""
    return " ".join(_blocks(element, found)) if element is not None else ""


def _tidy(text: str) -> str:
    """White space as one space, and no brackets that citations left empty."""
    return _EMPTY.sub("", _SPACES.sub(" ", text)).strip(" ")


def _doi(meta: "_Element | None") -> str:
    ids = [e for e in _children(meta) if _name(e) == "article-id" and e.get("pub-id-type") == "doi"]
    return (ids[0].text or "").strip() if ids else ""


def _licence(meta: "_Element | None") -> str:
    """The address of the licence where there is one, else its words."""
    licence = _child(_child(meta, "permissions"), "license")
    if licence is None:
        return ""
    inside = [e.get(_HREF) or (e.text if _name(e) == "license_ref" else "") or "" for e in licence.iter()]
    addresses = [address.strip() for address in inside if "://" in address]
    return addresses[0] if addresses else _flat(licence, _Found())


def _name(element: "_Element") -> str:
    """The tag without its namespace; empty for an entity."""
    tag: object = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _children(element: "_Element | None") -> "list[_Element]":
    return [] if element is None else list(element)


def _child(element: "_Element | None", name: str) -> "_Element | None":
    return next((child for child in _children(element) if _name(child) == name), None)
