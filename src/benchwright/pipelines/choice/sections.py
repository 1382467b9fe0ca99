"""Which part a section of an article plays, and what of an article is hidden when its conclusion is to be rebuilt.

EpiQAL-C (arXiv 2601.03471, section 3.3) hides the Discussion. Its code hides each section with "discussion" or
"conclusion" in its title, a merged "Results and Discussion" too, which leaves articles without results. Here a section
that cannot be told is in neither part: that costs some evidence, while discussion that is shown gives the answer away.
"""
# ruff: noqa: SIM905 - word lists read best as words

import re
from dataclasses import dataclass
from enum import Enum, auto
from textwrap import shorten
from unicodedata import category, normalize

from benchwright.domain.document import TITLE, Document, View, span_text
from benchwright.domain.text import plain
from benchwright.errors import Unreadable

LEAST = 5  # sentences of body beside the introduction: with fewer there is nothing that could support a conclusion

WORDS, REPEATED = 6, 3  # words of a sentence that counts as repeated; more than one in so many is a repetition

# Headings are compared as bare words: no case, accents, punctuation, numbering, "and" or "the" (see `_bare`).
_WORD = re.compile(r"[^\W\d_]+")
_DROPPED = re.compile(r"[ivxlc]+|[a-z]|and|the")
_NESTING = re.compile(r"\s*:\s+")  # how readers join the titles of nested sections

# Talks that a study recorded, which are a method or a result of it; a single discussion "with respect to" is none.
_TALKS = re.compile(
    r"\b(?:group|community|village|household|stakeholder|informal) discussions?\b|"
    r"\bdiscussions? (?:guides?|groups?)\b|\bdiscussions (?:with|among|between)\b"
)

# The names of the part itself; "Comment" alone is what some medical journals call their Discussion.
_ARGUED = re.compile(
    r"\b(?:discussions?|conclusions?|concluding|"
    r"(?:final|closing|conclusive) (?:remarks?|comments?|considerations?|thoughts?|statements?))\b|^comments?$"
)
# With none of these named, what stands between results and conclusion may be the Discussion under another name.
_NAMED = re.compile(r"\bdiscussions?\b|^comments?$")
# What belongs to a Discussion in epidemiology (STROBE, items 18 to 21), but also names other things: the limits of a
# test among Methods, what those questioned recommend among Results, a drug's strengths in an essay. Beside a Discussion
# it is masked with it; elsewhere it may say the same, and is in neither part.
_SOFT = frozenset(
    "limitation limitations strength strengths weakness weaknesses caveat caveats implication implications "
    "interpretation interpretations recommendation recommendations outlook "
    "future next forward generalisability generalizability".split()
)
_QUALIFIERS = frozenset(
    "this our study studies potential possible policy clinical practical public health main key general overall "
    "methodological scientific research work direction directions needs challenges perspective perspectives practice "
    "prospects way steps".split()
)
# Words of headings under which a text says in short what it found or what that means; and words that only qualify them.
_GIST = frozenset(
    "highlight highlights takeaway takeaways aways message messages tip tips pearl pearls insight insights lesson "
    "lessons meaning importance impact relevance significance novelty contribution contributions advance advances "
    "perspective perspectives commentary viewpoint viewpoints opinion reflections remarks verdict epilogue "
    "afterword postscript precis capsule gist nutshell summary synopsis digest headline headlines topline".split()
)
_BESIDE_GIST = _QUALIFIERS.union(
    "result results finding findings evidence core quick brief short simple patient patients lay layman popular "
    "plain language english article paper editor editors author authors s statement box panel point points "
    "knowledge gained literature field clinicians practitioners policymakers learning learned learnt teaching new "
    "home take bottom top line glance principal translational social societal economic important outcome outcomes "
    "of for to in on at by from is it".split()
)
# What follows is the matter, not the part: "Discussion of results", "Implications for control".
_MATTER = re.compile(r" (?:of|on|from|about|for|to|in|by)\b")

_RESULTS = frozenset("result results finding findings observation observations".split())
_OPENING = frozenset("introduction background aim aims objective objectives rationale".split())
# Without one of these words no section that stands after the Discussion is shown ...
_FIRM = (
    _RESULTS
    | _OPENING
    | frozenset("method methods methodology methodologies material materials procedures experimental".split())
)
# ... nor with any word beyond these: "Patients and methods" is, "Comparison with earlier findings" is not.
_ALLOWED = _FIRM | frozenset(
    "of study data patients participants subjects statistical analysis design population online star section clinical "
    "laboratory detailed details field sampling sample samples collection computational mathematical supplementary "
    "additional brief summary procedure sources".split()
)
# A heading that also holds one of these is of two parts: "Case report and discussion".
_MIXING = _FIRM | frozenset("analysis analyses case cases report evaluation experiments outcomes".split())

# Abstracts and the like, which state the conclusions, and what is no part of the argument. "Significance" is the
# statement that some journals print beside the abstract; boxes such as "Research in context" say what follows, too.
_ASIDE = re.compile(
    r"(?:\w+ )?abstract|(?:(?:author|authors|editor|editors|executive|lay|plain language|structured) )?summary|"
    r"summary (?:points|box|statement)|summary of (?:(?:main|key|principal) )?(?:findings|results|evidence)|synopsis|"
    r"(?:key|take home|take away|main) (?:points?|messages?)|"
    r"(?:key|main|principal) findings?(?: of (?:this |our )?(?:study|work|paper|research|analysis))?|"
    r"(?:key|principal) results?|"
    r"(?:\w+ )?(?:highlights|digest|pearls?)|(?:public health |clinical )?significance(?: statement)?|box\b.*|"
    r"statement of (?:significance|novelty|relevance|importance)|(?:impact|novelty|relevance) statement|importance|"
    r"research in context|(?:evidence before|added value of) this study|contribution to field|"
    r"(?:clinical|translational|practical|policy|research) (?:perspectives?|relevance|points?|insights?)|"
    r"(?:plain english|simple|short|brief|article|study|non technical|easy read|in brief) summary|summary for .*|"
    r"(?:key )?(?:learning|teaching|practice|talking|bullet) points?|lessons? (?:learned|learnt)(?: \w+)*|"
    r"(?:\w+ )?bottom line|in (?:brief|short|nutshell|summary)|at glance|tl dr|"
    r"what (?:this .*|(?:is|was) (?:already )?known\b.*|(?:is|are) (?:new|novel|added|key|main)\b.*|does this .* add|"
    r"are implications .*|"
    r"(?:did|do|does|have|has) (?:we|this|these|researchers|study)\b.*|we (?:learned|learnt|found|know|knew)\b.*|"
    r"to (?:know|remember).*)|why (?:was|is|does|did) (?:this|study)\b.*|how (?:might|could|will|does) this\b.*|"
    r"why it matters|so what|where do we go(?: from here| next)?|summing up|knowledge gained|"
    r"to conclude|added value|answer|panel|"
    r"practical applications?|applications? to practice|key facts|(?:findings|results) in brief|take home|top line|"
    r"quick points?|resumen|resume|resumo|zusammenfassung|riassunto|"
    r"acknowledge?ments?|(?:\w+ )?contributions|(?:\w+ )?(?:funding|disclosures?)(?: \w+)?|financial support|"
    r"(?:\w+ )*(?:competing|conflicts?|declarations?)(?: of)? interests?(?: \w+)?|declarations?|"
    r"data (?:\w+ )?availability(?: \w+)?|(?:supporting|supplementary|supplemental|additional) "
    r"(?:information|materials?|files?|data)|references|bibliography|literature cited|further reading|"
    r"appendix\b.*|appendices|abbreviations|glossary|footnotes|notes|correspondence"
)

# French "Discussion" and "Conclusion" are the English words: its other headings tell it.
_FOREIGN = frozenset(
    "discusion conclusiones resultados metodos introduccion discussao conclusao conclusoes introducao resultats "
    "methodes diskussion schlussfolgerung schlussfolgerungen fazit ergebnisse methoden methodik einleitung discussione "
    "conclusione conclusioni risultati metodi introduzione discussie conclusie conclusies resultaten".split()
)
_RENAME = "name them in English, or take the document out of the corpus"

_Path = tuple[str, ...]  # headings from the outermost in, as bare words


class _Part(Enum):
    """What a section, or a section around it, was found to be."""

    BODY = auto()
    MASKED = auto()
    MIXED = auto()  # results and discussion in one: what its subsections do not tell stays unknown
    UNSURE = auto()  # after a Discussion, and it may go on there under a heading of its own
    ASIDE = auto()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a section stands: its headings from the outermost in, and the part that each of them begins."""

    path: _Path
    parts: tuple[_Part, ...]

    @property
    def part(self) -> _Part:
        """That of the text itself."""
        return self.parts[-1]


def mask_discussion(document: Document, *, title: bool = False) -> View:
    """The body to be seen by all, with the Discussion and Conclusion masked; both hold sections of kind `body` only.

    With `title` the title is masked, too. A section that mostly repeats the Discussion is in neither.
    Raises `Unreadable` where the parts cannot be told apart, or one of them is missing.
    """
    _demand_english(document)
    places = _places(document)
    _demand_results(document, places)
    body = tuple(index for index, place in enumerate(places) if place.part is _Part.BODY)
    hidden = tuple(index for index, place in enumerate(places) if place.part is _Part.MASKED)
    _demand_discussion(document, [index for index in hidden if _is_argued(places[index].path)])
    body = tuple(index for index in body if not _repeats(document, index, hidden))
    _demand_body(document, [index for index in body if not _is_opening(places[index].path)])
    return View(document.id, body, ((TITLE,) if title else ()) + hidden)


def _repeats(document: Document, index: int, hidden: tuple[int, ...]) -> bool:
    """Whether a third of a section's sentences are those of the masked part."""
    own = _wordings(document, index)
    return len(own & {words for n in hidden for words in _wordings(document, n)}) * REPEATED > len(own)


def _wordings(document: Document, index: int) -> set[str]:
    """The plain words of each sentence of a section that says enough to be told from others."""
    sentences = (plain(span_text(document, span)) for span in document.sections[index].sentences)
    return {words for words in sentences if len(words.split()) >= WORDS}


def _places(document: Document) -> list[_Place]:
    """The place of each section; order counts, as what follows a Discussion may belong to it."""
    paths = [_path(section.title) for section in document.sections]
    divided = {path[:depth] for path in paths for depth, heading in enumerate(path) if _divides(heading)}
    body = [path for section, path in zip(document.sections, paths, strict=True) if section.kind == "body"]
    named = any(_NAMED.search(_TALKS.sub(" ", heading)) for path in body for heading in path)
    places, discussed, reported = [], set[_Path](), set[_Path]()
    for section, path in zip(document.sections, paths, strict=True):
        parts = _parts(path, divided, discussed) if section.kind == "body" else (_Part.ASIDE,)
        if parts[-1] is _Part.BODY and not named and _follows(path, reported):
            parts = (*parts, _Part.UNSURE)
        places.append(_Place(path, parts))
        if parts[-1] is _Part.MASKED:
            discussed |= {path[:depth] for depth in range(len(path))}
        reported |= {path[:depth] for depth, heading in enumerate(path) if _reports(heading)}
    return places


def _follows(path: _Path, reported: set[_Path]) -> bool:
    """Whether it stands after results, `reported` beside it, under headings that do not say what it is."""
    told = any(_heading_kind(heading) == "body" for heading in path)
    return not told and any(path[:depth] in reported for depth in range(len(path)))


def _reports(heading: str) -> bool:
    """Whether it names results."""
    return _heading_kind(heading) == "body" and not _RESULTS.isdisjoint(heading.split())


def _parts(path: _Path, divided: set[_Path], discussed: set[_Path]) -> tuple[_Part, ...]:
    """The part of each heading and, last, of the text under them all.

    `divided` headings have a Discussion among their subsections, `discussed` ones had it before here.
    """
    if not path:
        return (_Part.ASIDE,)  # nobody named it: before the first heading often stands an abstract
    part, parts = _Part.BODY, []
    for depth, heading in enumerate(path):
        above = path[:depth]
        part = _next(part, _heading_kind(heading), divided=above in divided, discussed=above in discussed)
        parts.append(part)
    return (*parts, _Part.UNSURE) if part is _Part.BODY and path in discussed else tuple(parts)


def _next(part: _Part, naming: str, *, divided: bool, discussed: bool) -> _Part:
    """The part of a heading inside of one that is `part`: `divided` and `discussed` say the same of that one."""
    if part in {_Part.MASKED, _Part.ASIDE}:
        return part
    if naming in _TOLD:
        return _TOLD[naming]
    if naming == "soft":
        return _Part.MASKED if discussed or part is _Part.MIXED else _Part.ASIDE
    if discussed:
        return _Part.UNSURE
    if part is _Part.MIXED:
        return _Part.BODY if divided else _Part.UNSURE
    return part


_TOLD = {"aside": _Part.ASIDE, "argued": _Part.MASKED, "mixed": _Part.MIXED, "body": _Part.BODY}


def _heading_kind(heading: str) -> str:
    """What a heading says by itself: `aside`, `argued`, `mixed`, `body`, `soft`, or nothing."""
    words = frozenset(heading.split())
    if _ASIDE.fullmatch(heading) or (words & _GIST and words <= _GIST | _BESIDE_GIST):
        return "aside"
    heading = _head(_TALKS.sub(" ", heading))
    words = frozenset(heading.split())
    if _ARGUED.search(heading):
        return "mixed" if words & _MIXING and not heading.startswith("summary ") else "argued"
    if words & _SOFT and words <= _SOFT | _QUALIFIERS | _RESULTS:
        return "mixed" if words & _RESULTS else "soft"
    return "body" if words & _FIRM and words <= _ALLOWED else ""


def _head(heading: str) -> str:
    """The heading up to where it says what is discussed, concluded, recommended."""
    head: list[str] = []
    for phrase in _MATTER.split(heading):
        head.append(phrase)
        if _ARGUED.search(phrase) or _SOFT.intersection(phrase.split()):
            break
    return "".join(head)


def _divides(heading: str) -> bool:
    """Whether it sets the discussion apart within a merged section.

    A closing "Conclusions" or "General discussion" does not: what stands before it may well discuss.
    """
    words = heading.split()
    named = not {"discussion", "discussions"}.isdisjoint(words) and {"general", "overall"}.isdisjoint(words)
    return named and _heading_kind(heading) == "argued"


def _is_argued(path: _Path) -> bool:
    """Whether it is, or is part of, a section named Discussion or Conclusion."""
    return any(_heading_kind(heading) == "argued" for heading in path)


def _is_opening(path: _Path) -> bool:
    """Whether it is an introduction, which holds nothing found."""
    return _OPENING.issuperset(path[0].split())


def _path(title: str) -> _Path:
    """The headings of a section that say anything; none for a number alone."""
    return tuple(filter(None, map(_bare, _NESTING.split(title))))


def _bare(heading: str) -> str:
    """Its words alone: "4.1 Résults & Discussion." is `results discussion`."""
    letters = "".join(char for char in normalize("NFKD", heading) if category(char) not in {"Mn", "Cf"})
    return " ".join(word for word in _WORD.findall(letters.casefold()) if not _DROPPED.fullmatch(word))


def _demand_english(document: Document) -> None:
    """Other languages are told by what the document says of itself, else by its headings."""
    if document.language and not document.language.startswith("en"):
        message = f"it is written in another language ({document.language}): its Discussion can be told in English only"
        raise Unreadable(f"{message}; take it out of the corpus")
    titles = [section.title for section in document.sections if section.kind == "body"]
    if foreign := [title for title in titles if any(map(_is_foreign, _path(title)))]:
        raise Unreadable(f"its sections are named in another language ({_outermost_headings(foreign)}): {_RENAME}")
    if not any(map(_path, titles)):
        raise Unreadable(
            "its sections have no names, so its Discussion cannot be told: add headings (Markdown or JATS)"
        )


def _is_foreign(heading: str) -> bool:
    """Whether it is one of the usual headings in another language, or in a script of which we know none."""
    return not _FOREIGN.isdisjoint(heading.split()) or not any(map(str.isascii, heading.replace(" ", "")))


def _demand_results(document: Document, places: list[_Place]) -> None:
    """Where results and discussion are merged, some results must be left that can be shown."""
    mixed = [n for n, place in enumerate(places) if _Part.MIXED in place.parts]
    if mixed and not any(place.part is _Part.BODY and _has_results(place) for place in places):
        title = shorten(document.sections[mixed[0]].title, 100, placeholder=" ...")
        message = f"{title!r} is discussion and more in one, not parted by subsections, and no other results are left"
        raise Unreadable(f"{message}: give each a heading, or take the document out of the corpus")


def _has_results(place: _Place) -> bool:
    """Whether a body section is of the results: by a name, or as what is left of a merged section."""
    return any(map(_reports, place.path)) or _Part.MIXED in place.parts


def _demand_discussion(document: Document, argued: list[int]) -> None:
    """Limitations or an outlook alone hold no conclusion: one section at least must be named for it."""
    if not _sentences(document, argued):
        titles = _outermost_headings([section.title for section in document.sections if section.kind == "body"])
        message = f"no section with text is named Discussion or Conclusion (there are: {titles})"
        raise Unreadable(f"{message}: name the one that is, or take the document out of the corpus")


def _demand_body(document: Document, found: list[int]) -> None:
    """`found` are the body sections beside the introduction."""
    count = _sentences(document, found)
    if count < LEAST:
        message = f"beside introduction and Discussion {count} sentences can be shown, fewer than {LEAST}"
        raise Unreadable(f"{message}: add the methods and results, or take the document out of the corpus")


def _sentences(document: Document, sections: list[int]) -> int:
    return sum(len(document.sections[index].sentences) for index in sections)


def _outermost_headings(titles: list[str]) -> str:
    """The outermost headings, each once, as they stand."""
    outermost = dict.fromkeys(_NESTING.split(title)[0] for title in titles if title)
    return shorten(", ".join(outermost), 300, placeholder=" ...")
