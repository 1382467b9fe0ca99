"""A completion in whatever wrapping it arrives: a byte order mark, comment lines, or a stream of events. Pure."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from benchwright.errors import Transient

FIELDS = ("event:", "id:", "retry:")  # of an event, beside its data
THOUGHTS = ("reasoning_content", "reasoning")
Json = dict[str, Any]


def whole_completion(text: str) -> str:
    """The body of a completion; that of a stream is put together from its events, and any other text stays.

    Raises `Transient` where a stream ends before its completion does.
    """
    text = text.lstrip("\ufeff \t\r\n")
    if text.startswith("{"):
        return text
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith((":", *FIELDS))]
    if not lines or not all(line.startswith("data:") for line in lines):
        return "\n".join(lines) if text.startswith((":", *FIELDS)) else text
    return join_events([line.removeprefix("data:").strip() for line in lines])


def join_events(events: list[str]) -> str:
    """The completion that a stream's events are the parts of, or the error that it ends with."""
    parts = list(read_events(events))
    for part in parts:
        if part.get("error") or any("message" in choice for choice in choices_of(part)):
            return json.dumps(part)
    first = [choice for part in parts for choice in choices_of(part) if not choice.get("index")]
    finish = next((choice["finish_reason"] for choice in reversed(first) if choice.get("finish_reason")), None)
    if finish is None and "[DONE]" not in events:
        raise Transient("the stream of the reply broke off before its end")
    deltas = [choice["delta"] for choice in first if isinstance(choice.get("delta"), dict)]
    usage = next((part["usage"] for part in reversed(parts) if part.get("usage")), None)
    choice = {"message": join_deltas(deltas), "finish_reason": finish}
    return json.dumps({"choices": [choice], "usage": usage})


def read_events(events: list[str]) -> Iterator[Json]:
    """The JSON objects among the events."""
    for event in events:
        try:
            value = json.loads(event)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def choices_of(part: Json) -> list[Json]:
    """The choices of an event."""
    choices = part.get("choices")
    return [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []


def join_deltas(deltas: list[Json]) -> Json:
    """The message whose pieces these are."""
    message: Json = {name: join_text(deltas, name) or None for name in ("content", "refusal")}
    message["reasoning_content"] = next(filter(None, (join_text(deltas, name) for name in THOUGHTS)), None)
    calls: dict[int, str] = {}
    for call in (call for delta in deltas for call in delta.get("tool_calls") or () if isinstance(call, dict)):
        function, place = call.get("function"), call.get("index") or 0
        said = function.get("arguments") if isinstance(function, Mapping) else None
        calls[place] = calls.get(place, "") + (said if isinstance(said, str) else "")
    message["tool_calls"] = [{"function": {"arguments": said}} for said in calls.values()] or None
    return message


def join_text(deltas: list[Json], name: str) -> str:
    """The text of one field of all pieces."""
    return "".join(part for delta in deltas if isinstance(part := delta.get(name), str))
