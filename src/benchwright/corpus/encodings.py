"""Which encoding bytes have that are no Unicode: charset-normalizer proposes, and a text that looks odd is refused.

A wrong code page gives wrong letters in silence, so a proposal counts only if its text has the letters of one language.
"""
# ruff: noqa: RUF001 - letters and signs of many languages are meant

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

_CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp850", "cp852"),
    *("cp866", "cp874", "iso8859_2", "iso8859_5", "iso8859_6", "iso8859_7", "iso8859_9", "koi8_r", "mac_roman"),
    *("cp932", "euc_jp", "gb18030", "big5", "cp949"),
]
_ESCAPED = (
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"\x1b(?:\$[@B]|\([BJ]|\$\([A-DOQ])"), "iso2022_jp_ext"),
    (re.compile(rb"~\{(?:[!-}][!-~]){2,}~\}"), "hz"),
)
# The letters beside a-z of each language; those of the first row are written in cp1252, what else may be tried before.
_WESTERN = (
    *("àâæçéèêëîïôœùûüÿ", "äöüß", "áéíóúüñ", "ãõáàâçéêíóôúü", "àèéìíîòóùú", "åäöé", "åæøéèêòôó", "ëïéèöüáóíêç"),
    *("àèéíïòóúüç", "äöüõšž", "áéíóúý"),
)
_ALPHABETS = (
    *_WESTERN,
    *("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíľĺňóôŕšťúýž", "áéíóöőúüű", "ăâîșşțţ", "čćđšž", "çğıiöşüâîû", "áðéíóúýþæö"),
    *("āčēģīķļņšūž", "ąčęėįšųūž", "çë", "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ"),
)
_HARMLESS = frozenset("’‘–—…·°×±§\u00ad\u00a0‑−“”")
_NEVER_IN_WORDS = frozenset("‚„¿¡ˆ˜¨´¸¯ˇ˘˙˛˝")
_NOT_LETTERS = frozenset("µªº")  # of a word
_HIGH = re.compile(r"[^\x00-\x7f]")
_EAST = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "FULLWIDTH", "IDEOGRAPHIC", "HALFWIDTH"))
_UNMEASURED = frozenset(("EAST", "THAI"))  # of which the detector knows no letter frequencies
_MOST = 100_000  # signs looked at
_SPARSE = 0.03  # of letters: foreign names in English


def text_by_escapes(data: bytes) -> tuple[str, str]:
    """The text and the name of an encoding that switches alphabets by escapes (of mail in Asia); else nothing."""
    for mark, encoding in _ESCAPED:
        if mark.search(data):
            try:
                text = data.decode(encoding)
            except UnicodeDecodeError:
                continue
            if _HIGH.search(text):
                return text, encoding
    return "", ""


def guess_text(data: bytes) -> tuple[str, str]:
    """The text and the encoding; no text where the guess is unlikely, and no encoding where there is not even one."""
    from charset_normalizer import from_bytes

    western = _try_decode(data, "cp1252")
    if western and is_likely(western, _WESTERN):
        return western, "cp1252"
    found = list(from_bytes(data, cp_isolation=_CANDIDATES))
    unlikely = 0
    for place, match in enumerate(found):
        text = _try_decode(data, match.encoding)
        if not text or not is_likely(text):
            unlikely += 1
        elif match.coherence > 0.1 or (place == unlikely and _script(text) in _UNMEASURED):  # noqa: PLR2004
            return text, match.encoding
    return "", found[0].encoding if found else ""


def is_likely(text: str, alphabets: tuple[str, ...] = _ALPHABETS) -> bool:
    """Whether a text has its signs where signs stand, and the letters of one language."""
    signs = list(_high_signs(text))
    odd = sum(_is_odd(sign, before, after) for sign, before, after in signs)
    if odd * 50 > len(signs):
        return False
    letters = Counter(sign.lower() for sign, _, _ in signs if sign.isalpha() and sign not in _NOT_LETTERS)
    script = _script(text)
    if not letters or script != "LATIN":
        return not letters or (bool(script) and alphabets is _ALPHABETS)
    count = letters.total()
    covered = max(sum(letters[letter] for letter in alphabet) for alphabet in alphabets)
    plain = sum(map(str.isalpha, text[:_MOST]))
    sparse = count < _SPARSE * plain and set(letters) <= set("".join(_WESTERN))
    return covered >= 0.98 * count or sparse


def _try_decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _high_signs(text: str) -> Iterator[tuple[str, str, str]]:
    """Each sign beyond ASCII with its neighbours."""
    for number, found in enumerate(_HIGH.finditer(text)):
        if number == _MOST:
            return
        at = found.start()
        yield found[0], text[at - 1 : at], text[at + 1 : at + 2]


def _is_odd(sign: str, before: str, after: str) -> bool:
    """Whether no text has such a sign in such a place."""
    category = unicodedata.category(sign)
    if "\u2500" <= sign <= "\u259f" or "\u3130" <= sign <= "\u318f":  # lines and boxes, single Korean letters
        return True
    if sign.isalpha() and sign not in _NOT_LETTERS:
        return sign.isupper() and before.islower()
    if sign in _NOT_LETTERS:
        return (before.isalpha() and before not in "Nn") or (sign != "µ" and after.isalpha())
    if category[0] == "C" and sign not in _HARMLESS and category != "Cf":
        return True
    if sign in _NEVER_IN_WORDS:
        return before.isalpha()
    inside = before.isalpha() and after.isalpha() and ord(sign) < 0x3000  # noqa: PLR2004 - Chinese has no spaces
    return inside and sign not in _HARMLESS and category[0] != "M"


def _script(text: str) -> str:
    """The script of nearly all letters beyond ASCII; nothing where they are mixed."""
    letters = [sign for sign in _HIGH.findall(text[:_MOST]) if sign.isalpha() and sign not in _NOT_LETTERS]
    names = Counter(unicodedata.name(sign, "?").split()[0].split("-")[0] for sign in letters)
    if "HANGUL" in names and not names.keys().isdisjoint({"HIRAGANA", "KATAKANA"}):
        return ""
    scripts = Counter[str]()
    for name, count in names.items():
        scripts["EAST" if name in _EAST else name] += count
    (script, most), *_ = scripts.most_common(1) or [("", 0)]
    return script if most >= 0.95 * len(letters) else ""
