"""A key is taken out of whatever a provider says, before anyone else sees it."""

import base64
import json
import os
import re
from collections.abc import Iterable
from itertools import takewhile
from urllib.parse import quote, quote_plus

LEAST = 4  # characters: what is shorter is no secret
SHORT = 8  # characters: a shorter key is taken out only where it stands by itself, for it may be a part of words
# What people write where an endpoint wants a key and looks at none: words of many texts.
PLACEHOLDERS = {
    *("none", "null", "empty", "ollama", "dummy", "test", "token", "local", "vllm", "fake", "unused", "secret"),
    *("default", "llama", "changeme", "placeholder", "nokey", "no-key", "api-key", "apikey", "not-needed"),
    *("lm-studio", "lmstudio", "anything", "sk-no-key-required"),
}
PART = 14  # characters: a piece of a key so long is as good as the key; usual beginnings, "sk-ant-api03-", are shorter
STEP, PROBE = 5, 10  # each piece of 14 holds ten characters that begin at a multiple of five
NESTED = 3  # how often JSON may stand in JSON: a reply is an object in a text in an object
INSTEAD = "[key]"


class Scrub:
    """Replaces keys in their usual spellings: whole, cut, in a URL, in JSON, in base64 as of basic authentication."""

    def __init__(self, *keys: str) -> None:
        """Without a key that is long enough every text is left as it is."""
        known = {key for key in keys if len(key) >= LEAST and key.lower() not in PLACEHOLDERS}
        self.long = [key for key in known if len(key) >= PART]
        self.probes = [(key, start) for key in self.long for start in range(0, len(key) - PROBE + 1, STEP)]
        whole = sorted({spelt for key in known if len(key) >= SHORT for spelt in spellings(key)}, key=len, reverse=True)
        alone = [key for key in known if len(key) < SHORT]
        self.marks = (*whole, *alone)
        bounded = [rf"(?<![\w-]){re.escape(key)}(?![\w-])" for key in alone]
        self.found = re.compile("|".join([*map(re.escape, whole), *bounded]))

    def __call__(self, said: object) -> str:
        """What was said, as a text without the keys."""
        text = str(said)  # looking for each mark first costs a hundredth of what the pattern does
        if any(mark in text for mark in self.marks):
            text = self.found.sub(INSTEAD, text)
        for key, start in self.probes:
            if key[start : start + PROBE] in text:
                text = cut_pieces(text, key, start)
        return text


def cut_pieces(text: str, key: str, start: int) -> str:
    """The text without the pieces of a key, 14 characters or longer, around the ten that begin there in the key."""
    probe, at = key[start : start + PROBE], 0
    while (at := text.find(probe, at)) >= 0:
        before = common_length(reversed(key[:start]), reversed(text[max(0, at - start) : at]))
        after = common_length(key[start + PROBE :], text[at + PROBE : at + PROBE + len(key)])
        if before + PROBE + after >= PART:
            text = text[: at - before] + INSTEAD + text[at + PROBE + after :]
            at += len(INSTEAD) - before
        else:
            at += PROBE
    return text


def common_length(one: Iterable[str], other: Iterable[str]) -> int:
    """How many characters two texts have in common from their beginnings."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


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
