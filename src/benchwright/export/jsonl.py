"""JSON Lines: one item a line, in UTF-8, the same bytes for the same items."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from benchwright.domain.ids import canonical
from benchwright.export.select import Exported

# Legal in JSON, but line ends to many a reader.
LINE_ENDS = {code: f"\\u{code:04x}" for code in (0x7F, 0x85, 0x2028, 0x2029)}
# What not every pipeline's items have; an item says nothing of what it has not.
PECULIAR = frozenset({"class", "topic", "intended", "knowledge", "difficulty", "original_question"})
SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: no UTF-8 can hold it


def lines(items: Iterable[Exported]) -> Iterator[str]:
    """Each item as one line, without its line end."""
    return (sound(canonical(record(item))) for item in items)


def record(item: Exported) -> dict[str, Any]:
    """The item as JSON values, under the names that readers know."""
    body = asdict(item)
    body["class"] = body.pop("topic_class")
    return {name: value for name, value in body.items() if name not in PECULIAR or value not in ("", None)}


def sound(text: str) -> str:
    """JSON that every reader takes: no character ends a line, half characters are U+FFFD, all offsets stay."""
    return SURROGATE.sub("\ufffd", text).translate(LINE_ENDS)
