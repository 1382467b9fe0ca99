"""A key is taken out of whatever a provider says, before anyone else sees it."""

import base64
import json
import re
from urllib.parse import quote, quote_plus

LEAST = 8  # characters: what is shorter is a placeholder ("none", "EMPTY"), not a secret, and a word of many texts
HEAD = 16  # characters by which a key is known where somebody has cut it
INSTEAD = "[key]"


class Scrub:
    """Replaces a key in its usual spellings: as it is, cut, in a URL, in JSON, in base64 as of basic authentication."""

    def __init__(self, key: str) -> None:
        """An empty key leaves every text as it is."""
        self.found = re.compile("|".join(spellings(key))) if len(key) >= LEAST else None

    def __call__(self, said: object) -> str:
        """What was said, as a text without the key."""
        return self.found.sub(INSTEAD, str(said)) if self.found else str(said)


def spellings(key: str) -> list[str]:
    """Patterns of all that stands for a key, the longest first."""
    found = {key, quote(key, safe=""), quote_plus(key), json.dumps(key)[1:-1], key.replace("/", "\\/")}
    found |= {encoded(key, before) for before in range(3)}
    whole = [re.escape(text) for text in sorted(found, key=len, reverse=True)]
    return [*whole, re.escape(key[:HEAD]) + r"[\w-]*"] if len(key) >= 2 * HEAD else whole


def encoded(key: str, before: int) -> str:
    """The characters of a base64 that are the key's alone, when so many bytes (modulo 3) stand before it."""
    bits = 8 * (before + len(key))
    return base64.b64encode(b" " * before + key.encode()).decode()[-(-8 * before // 6) : bits // 6]
