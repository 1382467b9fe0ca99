"""From what a model wrote to one JSON object: reasoning, fences and prose fall away; nothing is guessed."""

import json
import re
from collections.abc import Iterator
from typing import Any

from benchwright.errors import BadReply

TRIES = 50  # thoughts, or things like an object, that are looked at: a reply with more of them only goes in circles
TAGS = "(?:think|thinking|thought|reasoning|analysis|reflection|seed:think)"
BEGIN = re.compile(rf"<{TAGS}>|\[THINK\]|<\|begin_of_thought\|>|<\|channel\|>analysis<\|message\|>")
END = re.compile(
    rf"</{TAGS}>|\[/THINK\]|<\|end_of_thought\|>|<\|end\|>"
    r"|(?:<\|start\|>assistant)?<\|channel\|>final\s*(?:<\|constrain\|>\w+)?<\|message\|>|assistantfinal(?=\s*[{`])"
)
MARK = re.compile(f"(?P<begin>{BEGIN.pattern})|{END.pattern}")
OPENING = re.compile(r"\s*(?:```\w*\s*)?")  # what may stand before an answer that is one from its first letter
START = re.compile(
    r"\{(?:\s|//[^\n]*\n|/\*.*?\*/)*[\"'}]", re.DOTALL
)  # a brace in prose, such as {name}, begins no object
FENCE = re.compile(r"^```\w*\s*|\s*```$")
BRACES = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL)
PYTHON_BRACES = re.compile(rf"'(?:[^'\\]|\\.)*'|{BRACES.pattern}", re.DOTALL)
TOKEN = re.compile(
    r"""\s*(?:(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<double>"(?:[^"\\]|\\.)*")|(?P<single>'(?:[^'\\]|\\.)*')|(?P<trailing>,(?=(?:\s|//[^\n]*\n|/\*.*?\*/)*[}\]]))"""
    r"""|(?P<word>True|False|None)\b|(?P<plain>[{}\[\]:,]|true\b|false\b|null\b|-?\d[\d.eE+-]*))\s*""",
    re.DOTALL,
)
PYTHON = {"True": "true", "False": "false", "None": "null"}


def clean(text: str) -> str:
    """The text without NUL; the halves of a surrogate pair are joined, a lone one becomes U+FFFD."""
    return text.replace("\0", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def clean_strings(value: Any) -> Any:
    """The JSON value with every string in it clean: escapes can smuggle in what the text did not show."""
    match value:
        case str():
            return clean(value)
        case list():
            return [clean_strings(part) for part in value]
        case dict():
            return {clean(key): clean_strings(part) for key, part in value.items()}
        case _:
            return value


def finite(number: str) -> float:
    """A number that JSON can carry; 1e999 is none."""
    value = float(number)
    if value in (float("inf"), float("-inf")):
        raise ValueError(number)
    return value


def no_constant(name: str) -> float:
    """NaN and Infinity are no JSON."""
    raise ValueError(name)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key that says two things is no answer."""
    value: dict[str, Any] = {}
    for key, part in pairs:
        if value.setdefault(key, part) != part:
            message = f"the key {key!r} appears twice with different values"
            raise BadReply(message, cause="schema")
    return value


# strict=False: a raw line break inside a string means itself
DECODER = json.JSONDecoder(object_pairs_hook=unique, parse_float=finite, parse_constant=no_constant, strict=False)


def split_thought(text: str) -> tuple[str, str]:
    """What a model thought aloud, and what it said. A mark inside the answer's own strings is its text.

    A thought may lack its opening mark, and an object in it is a draft; one without its closing mark never ended.
    """
    thoughts, said, at = [], "", 0
    for _ in range(TRIES):
        mark = next_mark(text, at)
        if mark is None:
            break
        said += text[at : mark.start()]
        if mark.lastgroup == "begin":
            end = END.search(text, mark.end())
            thoughts.append(text[mark.end() : end.start() if end else len(text)])
            at = end.end() if end else len(text)
        else:
            thoughts.append(said)
            said, at = "", mark.end()
    return "\n\n".join(thought.strip() for thought in thoughts if thought.strip()), said + text[at:]


def next_mark(text: str, at: int) -> re.Match[str] | None:
    """The next begin of a thought, if nothing like an object stands before it, or end of one, if outside the answer."""
    mark = MARK.search(text, at)
    brace = mark and START.search(text, at, mark.start())
    if mark is None or brace is None:
        return mark
    end = END.search(text, mark.start())
    found = end and first_object(text, brace.start(), end.start())
    if end is None or found is None:
        return end
    after = MARK.search(text, found[1])
    if after is None or after.lastgroup == "begin":
        return None
    answered = OPENING.fullmatch(text, at, found[0]) and not START.search(text, after.end())
    return None if answered else after


def first_object(text: str, at: int, before: int) -> tuple[int, int] | None:
    """Begin and end of the first sound object that begins between `at` and `before`."""
    for _ in range(TRIES):
        found = START.search(text, at, before)
        if found is None:
            break
        try:
            return found.start(), DECODER.raw_decode(text, found.start())[1]
        except json.JSONDecodeError as error:
            at = max(error.pos, found.end())
        except (ValueError, BadReply, RecursionError):
            break
    return None


def object_end(text: str, start: int) -> int:
    """The end of the object that begins at `start`; the end of the text where it is cut."""
    depth = 0
    braces = PYTHON_BRACES if text[start + 1 :].lstrip()[:1] == "'" else BRACES
    for found in braces.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return found.end()
    return len(text)


def rewrite_token(token: re.Match[str]) -> str:
    """One token of an almost-JSON object as JSON: single quotes, Python's words, a comma before a bracket."""
    if token["single"]:
        inner = token["single"][1:-1].replace("\\'", "'")
        return '"' + re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', inner) + '"'
    if token["trailing"] or token["comment"]:
        return ""
    return (token["double"] or "").replace("\\'", "'") or PYTHON.get(token["word"] or "", "") or token["plain"]


def strict_json(text: str) -> str:
    """Almost-JSON as JSON where that cannot change its meaning; `ValueError` where a character has no clear role."""
    out, at = [], 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None:
            message = f"unexpected {text[at : at + 20]!r}"
            raise ValueError(message)
        out.append(rewrite_token(token))
        at = token.end()
    return "".join(out)


def decode_value(text: str, start: int) -> tuple[Any, int]:
    """The value at `start` and its end; the value is None where nothing sound begins there."""
    try:
        return DECODER.raw_decode(text, start)
    except ValueError:
        end = object_end(text, start)
    try:
        return DECODER.decode(strict_json(text[start:end])), end
    except ValueError:
        return None, end


def objects(text: str) -> Iterator[dict[str, Any]]:
    """Every sound outermost object; an object inside a broken one is no answer, nor is one before a broken one."""
    at, any_sound = 0, False
    for _ in range(TRIES):
        found = START.search(text, at)
        if found is None:
            return
        value, at = decode_value(text, found.start())
        if isinstance(value, dict):
            if text[: found.start()].rstrip().endswith("[") and text[at:].lstrip().startswith(","):
                raise BadReply("the reply is a list; one JSON object is wanted", text, "no_json")
            any_sound = True
            yield value
        elif any_sound:
            raise BadReply("a second JSON object in the reply is not complete; one is wanted", text, "several")


def json_objects(text: str) -> list[str]:
    """The different valid JSON objects in the reply, as JSON; raises `BadReply` (`empty`, `no_json`, `several`)."""
    said = clean(text).strip()
    if not said:
        raise BadReply("the reply is empty", text, "empty")
    try:
        found = list(objects(said)) or list(objects(quoted_text(said)))
        bodies = [json.dumps(clean_strings(value), ensure_ascii=False) for value in found]
    except RecursionError as error:
        raise BadReply("the reply is nested too deeply", text, "no_json") from error
    if not bodies:
        raise BadReply("the reply holds no complete JSON object", text, "no_json")
    return list(dict.fromkeys(bodies))


def quoted_text(text: str) -> str:
    """What a reply says that is one JSON string; "" for any other."""
    try:
        value = json.loads(FENCE.sub("", text))
    except (ValueError, RecursionError):
        return ""
    return value if isinstance(value, str) else ""
