"""JATS (and NLM) articles: title, abstract, summary and body; no references, tables, figures or back matter."""
# ruff: noqa: RUF001, SIM905 - dashes are meant; word lists read best as words

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.entities import html5
from typing import TYPE_CHECKING

from benchwright.corpus.assemble import Part, assemble
from benchwright.corpus.decode import refuse_binary
from benchwright.corpus.formulas import level_formula, tag_name
from benchwright.corpus.headings import heading_of, plain_heading
from benchwright.corpus.raised import CITE, DOWN, END, GAP, POINT, UP, level
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
    "chem-struct-wrap strike del-text rt rp".split(),
)
_INVISIBLE = frozenset("object-id index-term alt-text long-desc permissions target".split())  # also within a word
_FORMULAS = frozenset("inline-formula disp-formula disp-formula-group math tex-math".split())
_LABELLED = {"def-item": "term", "speech": "speaker"}  # what is said of or by the one that is named first
_BLOCKS = frozenset(
    "p list list-item disp-quote boxed-text caption def-list def-item term def statement title subtitle verse-group "
    "verse-line speech speaker preformat code attrib question answer".split(),
)
_NO_SECTIONS = frozenset("supplementary-material coi-statement data-availability acknowledgement ack".split())
_NO_ABSTRACTS = frozenset("toc graphical teaser video key-image keywords".split())
_CITING = frozenset(("bibr", "fn", "table-fn", "aff", "corresp", "author-notes", ""))  # other pointers have words
_STRONG = frozenset("bold italic underline sc styled-content".split())
_EDGE, _DISPLAY, _BOX, _UNBOX = "\0", "\x0e", "\x0f", "\x10"  # between blocks; before a formula; around a box
_TYPED = (("discuss", "Discussion"), ("conclu", "Conclusions"))
_UNTITLED = {"intro": "Introduction", "methods": "Methods", "results": "Results", "materials|methods": "Methods"}
_PLAIN_TITLES = re.compile(r"introduction|background|results|findings|(?:materials? and )?methods", re.IGNORECASE)
_ENTITY = re.compile(rb"&(?!(?:lt|gt|amp|quot|apos);)([A-Za-z][A-Za-z0-9]*;)")
_SPACES = re.compile(r"[ \t\r\n]+")
_ADVICE = re.compile(r", (?:line|use|try|see) |\n")  # what libxml2 adds is for programmers
_FORMULA = re.compile(r"(?<=\w)(?=\[formula\])|(?<=\[formula\])(?=\w)")
_GOES_ON = re.compile(r"[,;:.)\]](?:\s|\Z)")
_EMPTY = re.compile(r" ?(?:\[[\s,;–-]*\]|\([\s,;–-]*\))")
_NUMBER, _BLANK = re.compile(r"(?:[\d.]+|\(?[a-zA-Z\dIVX]{1,4}[.)])?"), re.compile("")
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_INSIDE = {"sub-article": "article-type", "response": "response-type"}  # articles in an article, with what they are
_HREF = "{http://www.w3.org/1999/xlink}href"


def read_jats(data: bytes, name: str, languages: Sequence[str] = ()) -> Document:
    """Read one article; raises `Unreadable` for anything else, and for an article without main text.

    An article in none of `languages`, such as "en", is read in the translation that its file holds into the first of
    them, if any.
    """
    refuse_binary(data, name)
    article = _article(_parse(data, name), name)
    meta = _child(_child(article, "front"), "article-meta")
    found = _Found()
    text = _translation(article, languages, found)
    own = _child(text, "front-stub")
    about = own if own is not None else _child(_child(text, "front"), "article-meta")
    body = list(_sections(_child(text, "body"), "", "body", found))
    _demand_main_text(article, body, name)
    parts = [*_abstracts(about, _language(text), found), *body]
    title = _flat(_child(_child(about, "title-group"), "article-title"), found)
    document = assemble(data, name, title, parts, found.notes())
    return replace(document, doi=_doi(meta), licence=_licence(meta), language=_language(text))


def _translation(article: "_Element", languages: Sequence[str], found: "_Found") -> "_Element":
    """The article, or the translation within it that is wanted."""
    kinds = [(element, _INSIDE.get(tag_name(element))) for element in _children(article)]
    inside = [element for element, kind in kinds if kind and element.get(kind) == "translation"]
    if not any(_same_language(_language(article), language) for language in languages):
        for language in languages:
            for translation in inside:
                if _same_language(_language(translation), language) and _child(translation, "body") is not None:
                    return translation
    found.translations = [_language(translation) for translation in inside]
    return article


def _language(element: "_Element") -> str:
    return (element.get(_LANG) or "").lower()


def _same_language(one: str, other: str) -> bool:
    """Whether two codes name one language: "en-us" is "en"."""
    return one.lower().replace("_", "-").split("-")[0] == other.lower().replace("_", "-").split("-")[0]


@dataclass(slots=True)
class _Found:
    """What the reader had to leave as a mark or as it stood."""

    formulas: int = 0
    entities: set[str] = field(default_factory=set)
    abstracts: list[str] = field(default_factory=list)  # languages
    translations: list[str] = field(default_factory=list)

    def notes(self) -> tuple[str, ...]:
        """One line each."""
        formulas = [f"{self.formulas} formulas shown as [formula]"] if self.formulas else []
        entities = [f"{name} left as it stands: no outside entity is read" for name in sorted(self.entities)]
        abstracts = [f"an abstract in another language ({code}) left out" for code in self.abstracts]
        translations = [f"a translation ({code or 'no language named'}) is not read" for code in self.translations]
        return (*formulas, *entities, *abstracts, *translations)


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
    articles = [root] if tag_name(root) == "article" else [e for e in root.iter() if tag_name(e) == "article"]
    if not articles:
        raise Unreadable(
            f"{name}: its root is <{tag_name(root)}>, not a JATS <article>; convert it to text or Markdown"
        )
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


def _abstracts(meta: "_Element | None", language: str, found: _Found) -> Iterator[Part]:
    """The abstract first, then summaries in plain words; tables of contents, pictures, other languages are neither."""
    kinds = [(e, e.get("abstract-type") or "") for e in _children(meta) if tag_name(e) == "abstract"]
    wanted = [(element, kind) for element, kind in kinds if kind not in _NO_ABSTRACTS]
    main = _main_language([element for element, _ in wanted], language)
    for element, kind in sorted(wanted, key=lambda pair: "summary" in pair[1]):
        if _language(element) and not _same_language(_language(element), main):
            found.abstracts.append(_language(element))
            continue
        summary = "summary" in kind
        title = _flat(_child(element, "title"), found) or ("Summary" if summary else "Abstract")
        yield from _sections(element, title, "summary" if summary else "abstract", found)


def _main_language(abstracts: "list[_Element]", language: str) -> str:
    """The article's, if an abstract may be in it; else that of the first abstract."""
    named = [_language(element) for element in abstracts]
    if not named or (language and any(not own or _same_language(own, language) for own in named)):
        return language
    return named[0]


def _sections(element: "_Element | None", title: str, kind: str, found: _Found) -> Iterator[Part]:
    """The element's own paragraphs, its boxes and its sections under joined titles, in the order of the article."""
    under, run = title, ""
    for child in _children(element):
        name = tag_name(child)
        if name == "sec":
            yield from _boxes_apart(under, kind, run)
            under, run = title, ""
            if (child.get("sec-type") or "").lower() not in _NO_SECTIONS:
                yield from _sections(child, _under(title, _title_of(child, title, found)), kind, found)
        elif name == "p" and (headed := _run_in(child, found)):
            yield from _boxes_apart(under, kind, run)
            under, run = _under(title, headed[0]), headed[1]
        elif name != "title":
            run += (_EDGE + _DISPLAY if name in _FORMULAS else "") + "".join(_pieces(child, found)) + _EDGE
    yield from _boxes_apart(under, kind, run)


def _title_of(section: "_Element", above: str, found: _Found) -> str:
    """Its title; a section that is a Discussion by its type alone is named so, too."""
    own, kind = _flat(_child(section, "title"), found), (section.get("sec-type") or "").lower()
    said = next((name for mark, name in _TYPED if mark in kind), "")
    if "result" in kind and said:
        said = "Results and discussion"
    elif _PLAIN_TITLES.fullmatch(own):
        said = ""
    if said and not any(mark in f"{above} {own}".casefold() for mark, _ in _TYPED):
        return _under(said, own)
    return own or _UNTITLED.get(kind, "")


def _run_in(paragraph: "_Element", found: _Found) -> tuple[str, str] | None:
    """The heading that the first words of a paragraph are, and the running text after it."""
    lead = _leading_strong(paragraph)
    if not lead:
        plain = plain_heading(paragraph.text or "") if not len(paragraph) or ":" in (paragraph.text or "") else None
        return plain and _unmarked(paragraph, plain, found)
    scratch, rows = _Found(), list(paragraph)
    bold = " ".join(filter(None, (_flat(e, _Found()) for e in lead)))
    faint = all("bold" not in {tag_name(e), e.get("style") or "", *map(tag_name, e)} for e in lead)
    rest = (lead[-1].tail or "") + "".join(_all(e, scratch) + (e.tail or "") for e in rows[len(lead) :])
    headed = heading_of(bold, rest if rest.strip(_EDGE + GAP + " \t\r\n") else "", faint=faint)
    if headed:
        found.formulas += scratch.formulas
        found.entities |= scratch.entities
    return headed and (headed[0], headed[1] + _EDGE)


def _unmarked(paragraph: "_Element", plain: tuple[str, str], found: _Found) -> tuple[str, str]:
    """A heading at the head of plain text, and all that follows it in the paragraph."""
    return plain[0], plain[1] + "".join(_inside(paragraph, found)) + _EDGE


def _leading_strong(paragraph: "_Element") -> "list[_Element]":
    """The bold or italic elements with which a paragraph begins, behind no more than a number."""
    lead: list[_Element] = []
    before = paragraph.text or ""
    for child in paragraph:
        if tag_name(child) not in _STRONG or not (_NUMBER if not lead else _BLANK).fullmatch(before.strip()):
            break
        lead.append(child)
        before = child.tail or ""
    return lead


def _boxes_apart(title: str, kind: str, run: str) -> Iterator[Part]:
    """A box is a section of its own: often a summary, it says what the text around it does not."""
    depth = 0
    for piece in re.split(f"([{_BOX}{_UNBOX}])", run):
        if piece in {_BOX, _UNBOX}:
            depth += 1 if piece == _BOX else -1
        else:
            yield Part(_under(title, "Box" if depth else ""), kind, tuple(_blocks_of(piece)))


def _under(title: str, own: str) -> str:
    """The title of a part within a part."""
    return ": ".join(filter(None, (title, own)))


def _blocks_of(run: str) -> list[str]:
    """The paragraphs of a run: no block is a lone comma, and a formula stays with the sentence that it belongs to."""
    blocks: list[str] = []
    formula = False  # whether a sentence goes on behind one
    for piece in run.split(_EDGE):
        block = _tidy(piece.removeprefix(_DISPLAY))
        if piece.startswith(_DISPLAY) and blocks and blocks[-1][-1] not in ".!?" and block:
            blocks[-1], formula = f"{blocks[-1]} {block}", True
        elif blocks and (_GOES_ON.match(block) or (formula and block[:1].islower())):
            blocks[-1], formula = blocks[-1] + (block if _GOES_ON.match(block) else f" {block}"), False
        elif any(map(str.isalnum, block)):
            blocks.append(block)
            formula = piece.startswith(_DISPLAY)
    return blocks


def _all(element: "_Element", found: _Found) -> str:
    return "".join(_pieces(element, found))


def _pieces(element: "_Element", found: _Found) -> Iterator[str]:
    """The running text in order, with marks (which XML cannot hold) at the edges of blocks and around raised text."""
    name = tag_name(element)
    if name == "":
        found.entities.add(element.text or "")
        yield element.text or ""
    elif name in _FORMULAS:
        yield GAP + _formula(element, found) + GAP
    elif name in _LEFT_OUT:
        yield "" if name in _INVISIBLE else GAP
    elif name == "break":
        yield " "
    elif name in _LABELLED:
        yield _labelled_block(element, _LABELLED[name], found)
    else:
        before, after = _marks(element, name)
        yield before + "".join([element.text or "", *_inside(element, found)]) + after


def _marks(element: "_Element", name: str) -> tuple[str, str]:
    """What stands around the text of an element."""
    if name == "xref":
        return (CITE if (element.get("ref-type") or "") in _CITING else POINT), END
    if name in {"sup", "sub"}:
        return (UP if name == "sup" else DOWN), END
    if name == "boxed-text":
        return _EDGE + _BOX, _UNBOX + _EDGE
    return (_EDGE, _EDGE) if name in _BLOCKS else ("", "")


def _labelled_block(element: "_Element", label: str, found: _Found) -> str:
    """A term with its definition, a speaker with the words, as one block."""
    first, rest = _child(element, label), [e for e in element if tag_name(e) != label]
    term = _flat(first, found).rstrip(": ")
    said = "".join(_all(e, found) + (e.tail or "") for e in rest).strip(_EDGE + " \t\r\n")
    return _EDGE + ": ".join(filter(None, (term, said))) + _EDGE


def _inside(element: "_Element", found: _Found) -> Iterator[str]:
    for child in element:
        yield from _pieces(child, found)
        yield child.tail or ""


def _formula(element: "_Element", found: _Found) -> str:
    """Its characters where they stand in one line; a mark where fractions and the like would change their meaning."""
    text = level_formula(element)
    if text is not None and text.strip():
        return text
    found.formulas += 1
    return "[formula]"


def _flat(element: "_Element | None", found: _Found) -> str:
    """The text of a title."""
    return " ".join(_blocks_of(_all(element, found))) if element is not None else ""


def _tidy(text: str) -> str:
    """White space as one space, raised text on the line, and no brackets that citations left empty."""
    spaced = _SPACES.sub(" ", level(_SPACES.sub(" ", text)))
    return _EMPTY.sub("", _FORMULA.sub(" ", spaced)).strip()


def _doi(meta: "_Element | None") -> str:
    ids = [e for e in _children(meta) if tag_name(e) == "article-id" and e.get("pub-id-type") == "doi"]
    return (ids[0].text or "").strip() if ids else ""


def _licence(meta: "_Element | None") -> str:
    """The address of the licence where there is one, else its words."""
    licence = _child(_child(meta, "permissions"), "license")
    if licence is None:
        return ""
    inside = [e.get(_HREF) or (e.text if tag_name(e) == "license_ref" else "") or "" for e in licence.iter()]
    addresses = [address.strip() for address in inside if "://" in address]
    return addresses[0] if addresses else _flat(licence, _Found())


def _children(element: "_Element | None") -> "list[_Element]":
    return [] if element is None else list(element)


def _child(element: "_Element | None", name: str) -> "_Element | None":
    return next((child for child in _children(element) if tag_name(child) == name), None)
