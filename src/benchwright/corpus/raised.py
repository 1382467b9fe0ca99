"""Raised, lowered and pointing text on one line: no number changes by the loss of its layout, and nothing is glued.

Readers put marks around such text that no source can hold (control characters); `level` resolves them.
"""
# ruff: noqa: RUF001 - dashes, spaces and signs are meant

import re

UP, DOWN, CITE, POINT, END = "\x01", "\x02", "\x03", "\x04", "\x05"
GAP = "\x06"  # something was left out here, so that its neighbours may not run together

_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_DASHES = str.maketrans("‐‑‒–—−﹣－", "--------")
_INNER = rf"[^{UP}-{END}]*"
_SEPARATORS = rf"[\s,;:.*†‡§\[\]()‐-―{GAP}-]*"
_POINTERS = re.compile(rf"{UP}{_SEPARATORS}(?:[{CITE}{POINT}]{_INNER}{END}{_SEPARATORS})+{END}")
_RAISED_POINTER = re.compile(rf"[{CITE}{POINT}][\s,]*{UP}({_INNER}){END}[\s,]*{END}")
_ADJACENT = re.compile(rf"{UP}({_INNER}){END}{UP}")
_ROW = re.compile(rf"({UP}[\d,;‐-―-]+){END}([,;‐-―-]){UP}(?=\d)")
_BETWEEN = re.compile(rf"(?<={GAP}){UP}[\s,;‐-―-]*{END}|{UP}[\s,;]*{END}")
_CITATIONS = re.compile(rf"{CITE}{_INNER}{END}(?:[\s,;‐-―-]*{CITE}{_INNER}{END})*")
_POINTED = re.compile(rf"{POINT}({_INNER}){END}")
_LEVELLED = re.compile(rf"([{UP}{DOWN}])({_INNER}){END}")
_ANY = re.compile(rf"[{UP}-{END}]")
_GAPS = re.compile(rf"{GAP}+")
_LOOSE = re.compile(rf"[^\S\n]+{GAP}+(?=[.,;:!?)\]])")

_STOPS = re.compile(rf"\.[^\S\n]*{GAP}+\.")  # "et al. [4]."

_BARE = re.compile(r"(?:\d{1,4}[a-z]?|[a-z]|[*†‡§¶#]+)(?:[\s,;‐-―-]+(?:\d{1,4}[a-z]?|[a-z]|[*†‡§¶#]+))*[\s,;]*")
_LISTED = re.compile(r"[\[(]\s*(?:\d+[a-z]?[\s,;‐-―-]+)*\Z")  # in brackets, numbers of references stand by themselves
_TOUCHED = re.compile(r"[\w.,;:!?)\]”’\"'»%°*\u2009\u200a\u202f]\Z")  # a thin space sets a raised sign apart
# Behind a blank a bare number is a reference, too, but where a word points to it: "see 4", "in ref. 12", "by 3".
_POINTING = re.compile(
    r"(?i)(?:\A|[(\[]|\b(?:see|refs?|references?|citations?|in|of|by|from|with|and|or|to|e\.g|i\.e|cf|nos?|numbers?|items?|"
    r"stud(?:y|ies)|trials?|reports?|papers?|articles?|reviews?|also|than|are|is|as)[.,:]?)[\s(]*\Z"
)
_BLANK = f"\u200b\u2060\ufeff{GAP}"  # characters without width
_INVISIBLE = str.maketrans(dict.fromkeys(UP + DOWN + CITE + POINT + END + _BLANK))
_SIGNED = re.compile(r"[()+-]*\d+[()+-]*|[()+-]+")
_SIMPLE = re.compile(r"[+-]?\w+(?:[.,·]\w+)*|[+-]?\w")
_POWER = re.compile(rf"(?<![\d.,])10[^\S\n]{{1,2}}{UP}(?=[+\d‐-―−-])")  # 10 <sup>6</sup>
_REFERENCES = re.compile(r"\d{1,3}(?:[,;–-]\d{1,3})*")
_WORD = re.compile(r"([^\W\d_]{4,})\s?\Z")
_FINAL = re.compile(r"(?<=\d)[.,;:]\Z")
_UNIT = re.compile(r"(?i)(?:(?:kilo|centi|milli)?met(?:er|re)s?|feet|foot|inch(?:es)?|yards?|miles?|hectares?)\Z")
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er", "ers", "re", "ère", "e", "es", "ème", "eme", "ième", "nde"})
_SHORTENED = re.compile(r"(?:\b[Nn]|\bM|\bMM|\b[DM]r?|\bS)\Z")  # No, Mme, Dr, Ste
_SHORT_ENDS = frozenset({"o", "os", "me", "mes", "lle", "lles", "gr", "r", "rs", "re", "t", "te"})
_TRADE = {"TM": "™", "tm": "™", "SM": "℠", "MC": "ᴹᶜ"}


def level(text: str) -> str:
    """The text without marks: 10⁶ and 10^4.6 stay powers, raised and glued references go, neighbours stay apart."""
    if not _ANY.search(text):
        return _GAPS.sub(_bridge, _LOOSE.sub("", text))
    text = _RAISED_POINTER.sub(GAP, _POINTERS.sub(GAP, text))
    for pattern, instead in ((_ADJACENT, rf"{UP}\1"), (_ROW, r"\1\2"), (_BETWEEN, GAP)):
        text = pattern.sub(instead, text)
    text = _CITATIONS.sub(_citations, text)
    text = _POWER.sub(rf"10{UP}", _POINTED.sub(_pointer_words, text))
    while _LEVELLED.search(text):
        text = _LEVELLED.sub(_level_text, text)
    return _GAPS.sub(_bridge, _LOOSE.sub("", _STOPS.sub(".", _ANY.sub("", text))))


def _citations(found: re.Match[str]) -> str:
    """Nothing for bare numbers that touch what stands before them; else their words, apart from their neighbours."""
    words = found[0].translate(_INVISIBLE)
    left = found.string[max(0, found.start() - 200) : found.start()].translate(_INVISIBLE)
    apart = not _TOUCHED.search(left) and (_POINTING.search(left) or not words.strip()[:1].isdecimal())
    if not apart and _BARE.fullmatch(words.strip()) and not _LISTED.search(left):
        return GAP
    return _apart(left, words, found.string[found.end() : found.end() + 1])


def _pointer_words(found: re.Match[str]) -> str:
    """The words of a pointer to a figure or the like, apart from a number beside it."""
    left, right = found.string[max(0, found.start() - 3) : found.start()], found.string[found.end() : found.end() + 1]
    word = len(left) > 2 and left.isalpha()  # noqa: PLR2004 - "Table" and 1, but S1
    return _apart(left, found[1], right) if word or left[-1:].isdecimal() or right.isdecimal() else found[1]


def _apart(left: str, words: str, right: str) -> str:
    """The words with a space where they would run into a neighbour."""
    first = " " if _runs(left[-1:], words[:1]) else ""
    return first + words + (" " if right.isdecimal() and words[-1:].isdecimal() else "")


def _runs(left: str, right: str) -> bool:
    opens = right.isalnum() or right in {"(", "["}
    return (left.isalnum() and opens) or (left in ".,;:!?)]”’%" and bool(left) and right.isalnum())


def _bridge(gap: re.Match[str]) -> str:
    """A space where what was left out parted two words."""
    left, right = gap.string[max(0, gap.start() - 1) : gap.start()], gap.string[gap.end() : gap.end() + 1]
    return " " if _runs(left, right) else ""


def _level_text(found: re.Match[str]) -> str:
    """Raised or lowered text as plain text beside its neighbours; white space at its ends stays outside."""
    inner = found[2].strip(_BLANK)
    core = inner.strip().strip(_BLANK)
    if not core:
        return inner
    start = inner.index(core)
    raised = found[1] == UP and found.string[found.start() - 1 : found.start()].isalnum()
    before, rest = "" if raised else inner[:start], inner[start + len(core) :]
    if stop := _FINAL.search(core):  # 10<sup>6.</sup> ends a sentence
        core, rest = core[: stop.start()], stop[0] + rest
    left = "" if before else found.string[max(0, found.start() - 40) : found.start()]
    left = left if left[-2:-1] == END else left.translate(_INVISIBLE)  # 10<sup>4</sup>.<sup>6</sup> is one number
    right = "" if rest else found.string[found.end() : found.end() + 2].translate(_INVISIBLE)[:1]
    done = _raise_text(core, left, right) if found[1] == UP else _lower_text(core, left[-1:], right)
    return before + done + rest


def _raise_text(core: str, left: str, right: str) -> str:
    """Raised text: as raised characters where Unicode has them, else behind a mark."""
    signed = "".join(core.translate(_DASHES).split())
    inner = signed.strip("[]()")
    if _is_reference(signed, left, right) or (signed[:1] == "[" and _REFERENCES.fullmatch(inner)):
        return GAP
    if signed[:1] == "(" and left[-1:] != "0" and _is_reference(inner, left, right):
        return GAP
    if _SIGNED.fullmatch(signed):
        return signed.translate(_RAISED)
    if not any(map(str.isalnum, core)) or _needs_no_mark(core, left, right):
        return core
    if left[-1:].isdecimal() and core in {"o", "º"}:
        return "°"
    core = signed if signed[:1] == "-" and _SIMPLE.fullmatch(signed) else core
    marked = f"^{core}" if _SIMPLE.fullmatch(core) and not right.isalnum() else f"^({core})"
    return _TRADE.get(core, marked)


def _needs_no_mark(core: str, left: str, right: str) -> bool:
    """Whether raised letters are read the same on the line: 1st, Mme, and 99m before Tc."""
    if left[-1:].isdecimal() and core.casefold() in _ORDINALS:
        return not right.isalnum()
    if core.casefold() in _SHORT_ENDS and _SHORTENED.search(left):
        return True
    free = not left[-1:].isalnum() and left[-1:] not in {")", "]"}
    return free and core[:1].isdecimal() and right.isalpha()


def _is_reference(raised: str, left: str, right: str) -> bool:
    """Whether raised numbers point to references: behind a word or a stop, or a list of them behind a number."""
    if not _REFERENCES.fullmatch(raised) or right.isalpha():
        return False
    if left[-1:] in {".", ",", ";", ":", "!", "?", "”", "’", '"'}:
        return left[-2:-1] != END
    if word := _WORD.search(left):
        return word[1][1:].islower() and not _UNIT.fullmatch(word[1])
    numbers = [int(number) for number in re.findall(r"\d+", raised)]
    listed = len(numbers) > 1 and numbers == sorted(set(numbers))
    return listed and left[-1:].isdecimal() and not re.search(r"(?<!\d)10\Z", left)


def _lower_text(core: str, left: str, right: str) -> str:
    """Lowered text stands as it is (CO2, TCID50), but for what would change a number beside it."""
    number = "0123456789.,·"
    if not ((left.isdecimal() and core[0] in number) or (right.isdecimal() and core[-1] in number)):
        return core if not (left.isdecimal() and core[0].isalpha()) else f"_{core}"
    lowered = core.translate(_LOWERED)
    return lowered if core.isdecimal() else f"_({core})"
