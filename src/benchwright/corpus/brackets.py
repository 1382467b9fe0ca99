"""Brackets that are never closed: a parser of Markdown looks for the end of each, through all of the text behind it."""

import re
from itertools import pairwise

BEARABLE = 200  # open brackets of one block that cost a parser no time worth speaking of
_BLOCKS = re.compile(r"(\n[^\S\n]*\n)")
_BRACKETS = re.compile(r"\\.|[\[\]]", re.DOTALL)


def escape_lone_brackets(text: str) -> str:
    r"""The text with `\[` for each bracket that its block never closes, in blocks that have very many of them."""
    if text.count("[") - text.count("]") <= BEARABLE:
        return text
    return "".join(_escape(block) for block in _BLOCKS.split(text))


def _escape(block: str) -> str:
    lone: list[int] = []
    for found in _BRACKETS.finditer(block):
        if found[0] == "[":
            lone.append(found.start())
        elif found[0] == "]" and lone:
            lone.pop()
    if len(lone) <= BEARABLE:
        return block
    cuts = [0, *lone, len(block)]
    return "\\".join(block[start:end] for start, end in pairwise(cuts))
