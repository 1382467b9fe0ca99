"""What BM25 counts of a text. Names with hyphens and digits stay whole, numbers stay, and no word is left out."""

import re
from unicodedata import normalize

# Ideographs and kana stand alone; a number keeps its point; a word keeps its hyphens, slashes and apostrophes.
TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,]\d+)*(?!\w)|\w+(?:[-/'\u2019]\w+)*")
JOINT = re.compile(r"[-/'\u2019]")
GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")  # 1,000 is 1000


def terms(text: str) -> list[str]:
    """The terms of a text in their order, in lower case; a joined one (BCR-ABL) also by its parts."""
    found: list[str] = []
    for term in TERM.findall(GROUPED.sub("", normalize("NFKC", text)).casefold()):
        found.append(term)
        parts = [part for part in JOINT.split(term) if part]
        if len(parts) > 1:
            found += parts
    return found
