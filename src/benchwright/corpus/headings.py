"""Headings that a source did not mark as such: a short bold line, or bold words with which a paragraph begins."""
# ruff: noqa: RUF001 - dashes are meant

import re

LONGEST, WORDS = 80, 10  # characters and words of a heading

_KNOWN = re.compile(
    r"(?:[\d.]+\s+|[IVX]+\.\s+)?(?:(?:general|main|overall) )?"
    r"(?:introduction|background|(?:study )?(?:aims?|objectives?)|(?:materials?|patients|subjects) (?:and|&) methods?|"
    r"methods?|methodology|results?|findings|(?:results?|findings) (?:and|&) discussions?|"
    r"discussions?(?: (?:and|&) (?:conclusions?|limitations))?|"
    r"conclusions?(?:(?: (?:and|&) |/)(?:recommendations?|significance|relevance|implications))?|"
    r"concluding remarks|final remarks|(?:strengths (?:and|&) )?limitations|interpretation|recommendations|"
    r"implications|abstract|summary)",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"(?:\w+ )?(?:fig(?:ure|s)?|tab(?:le)?s?|box|panel|video|movie|file|note|eq|source)\b", re.IGNORECASE
)
_ENDED = re.compile(r"[.:]\s*\Z|\s[–—-]\s*\Z")
_PARTED = re.compile(r"\s*[:–—]\s+|\.\s+")
_PLAIN = re.compile(rf"({_KNOWN.pattern})\s*[:—]\s+(?=\w)", re.IGNORECASE)
_CONCLUDING = re.compile(r"discussion|conclu|remarks|recommend|implicat|interpret|limitation", re.IGNORECASE)
_STOP = re.compile(r"[.:!?;,…]\Z")


def heading_of(bold: str, rest: str, *, faint: bool = False) -> tuple[str, str] | None:
    """The heading that bold words are, and the text after it; None where they are part of the text.

    `rest` is what follows in the same paragraph, nothing where the bold words stand alone. Words that are `faint`, in
    italics, are a heading only where it is one of the usual ones or has its stop: names of species are in italics, too.
    """
    title = bold.strip().rstrip(".:–—- ").strip()
    known = _KNOWN.fullmatch(title) is not None
    parted = _PARTED.match(rest)
    if not known and (not _could_head(title) or (faint and not _ENDED.search(bold) and not parted)):
        return None
    if not rest.strip():
        return (title, "") if known or not _STOP.search(bold.strip()) else None
    if parted and not _ENDED.search(bold):
        return _split_heading(title, rest[parted.end() :], known=known)
    after = _split_heading(title, rest.lstrip(), known=known and _ENDED.search(bold) is not None)
    return after if _ENDED.search(bold) or (known and rest[:1].isspace()) else None


def _could_head(title: str) -> bool:
    """Whether words are short enough, begin like a heading and name no figure or table."""
    fits = 1 < len(title) <= LONGEST and len(title.split()) <= WORDS and any(map(str.isalpha, title))
    return fits and not title[:1].islower() and not _OTHER.match(title)


def _split_heading(title: str, rest: str, *, known: bool) -> tuple[str, str] | None:
    """Both, where the text goes on as a sentence begins; behind a usual heading it may begin small."""
    first = next((char for char in rest if char.isalnum()), "")
    return (title, rest) if first and (known or not first.islower()) else None


def plain_heading(text: str) -> tuple[str, str] | None:
    """The usual heading that an unmarked paragraph is, or begins with before a colon, and the text after it."""
    words = text.strip()
    if _KNOWN.fullmatch(words.rstrip(".:")) and len(words.split()) <= WORDS:
        return words.rstrip(".:"), ""
    led = _PLAIN.match(words)
    return (led[1], words[led.end() :]) if led and _CONCLUDING.search(led[1]) else None
