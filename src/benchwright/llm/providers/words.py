"""Where a failed answer says what is wrong: not where it repeats what it was sent, such as a document about money."""

import json
import re
from collections.abc import Iterator
from typing import Any

ECHOED = {  # names under which endpoints repeat a request, or a part of it
    *("input", "inputs", "body", "request", "prompt", "messages", "contents", "content", "payload", "instances"),
    *("received", "value", "query", "document", "documents", "ctx", "given", "rejected_value", "echo"),
}
LONGEST = 2000  # characters of one saying; what is longer repeats something
DEEPEST = 20
TAGS = re.compile(r"<(style|script)\b.*?</\1\s*>|<[!/a-z][^>]*>", re.IGNORECASE | re.DOTALL)
QUOTED = re.compile(r"(?<!\w)([\"'`])(?:(?!\1).|\1(?=\w)){60,}?\1(?!\w)", re.DOTALL)  # words, not a name


def error_words(text: str) -> str:
    """What an endpoint says in its own words: one saying a line, without long quotations."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = TAGS.sub(" ", text[: 10 * LONGEST])
    return "\n".join(QUOTED.sub(" ", said[:LONGEST]) for said in sayings(value, DEEPEST))


def sayings(value: Any, deep: int) -> Iterator[str]:
    """The texts in a JSON value, with the names of their fields, but for what is repeated."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, list) and deep:
        for part in value:
            yield from sayings(part, deep - 1)
    elif isinstance(value, dict) and deep:
        for name, part in value.items():
            if name.lower() not in ECHOED or not isinstance(part, str | list | dict):
                for said in sayings(part, deep - 1):
                    yield f"{name}: {said}"
