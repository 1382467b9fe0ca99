"""A key is taken out of whatever a provider says, before anyone else sees it."""

import base64
import json
import os
import re
from urllib.parse import quote, quote_plus

LEAST = 8  # characters: what is shorter is a placeholder ("none", "EMPTY"), not a secret, and a word of many texts
HEAD = 16  # characters by which a key is known where somebody has cut it
NESTED = 3  # how often JSON may stand in JSON: a reply is an object in a text in an object
INSTEAD = "[key]"


class Scrub:
    """Replaces keys in their usual spellings: whole, cut, in a URL, in JSON, in base64 as of basic authentication."""

    def __init__(self, *keys: str) -> None:
        """Without a key that is long enough every text is left as it is."""
        known = [key for key in keys if len(key) >= LEAST]
        whole = sorted({spelt for key in known for spelt in spellings(key)}, key=len, reverse=True)
        heads = [key[:HEAD] for key in known if len(key) >= 2 * HEAD]
        self.marks = (*whole, *heads)
        self.found = re.compile("|".join([*map(re.escape, whole), *(re.escape(head) + r"[\w-]*" for head in heads)]))

    def __call__(self, said: object) -> str:
        """What was said, as a text without the keys."""
        text = str(said)  # looking for each mark first costs a hundredth of what the pattern does
        return self.found.sub(INSTEAD, text) if any(mark in text for mark in self.marks) else text


def of_environment() -> list[str]:
    """The values of all variables that hold secrets by their names: a library may use any of them."""
    ends = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    return [value.strip() for name, value in os.environ.items() if name.upper().endswith(ends)]


def spellings(key: str) -> set[str]:
    """All that stands for a whole key."""
    written = {key, quote(key, safe=""), quote_plus(key), key.replace("/", "\\/")}
    for _ in range(NESTED):
        written |= {json.dumps(spelt)[1:-1] for spelt in written}
    return written | {base64_of_key(key, before) for before in range(3)}


def base64_of_key(key: str, before: int) -> str:
    """The characters of a base64 that are the key's alone, when so many bytes (modulo 3) stand before it."""
    bits = 8 * (before + len(key))
    return base64.b64encode(b" " * before + key.encode()).decode()[-(-8 * before // 6) : bits // 6]
