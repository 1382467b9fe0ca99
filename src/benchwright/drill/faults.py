"""Faults as providers have them, by chance; however many a question meets, its good answer stays the same.

The same question meets the same faults in the same order: chance depends on a seed, on what is asked, and on how
often it was asked before.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.domain.filler import digest
from benchwright.domain.ids import seeded_random
from benchwright.drill.provider import Answer, Raw

SOON = {"retry-after": "0.1"}  # seconds
LONG = 600.0  # seconds: longer than any client of ours waits
PAGE = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body>upstream is down</body></html>"
REFUSALS = (
    (400, json.dumps({"error": {"message": "Failed to generate JSON", "code": "json_validate_failed"}})),
    (403, "<html><head><title>403 Forbidden</title></head><body>This request was blocked</body></html>"),
    (422, json.dumps({"detail": "messages.1.content: value error"})),
)
PROSE = "I would rather describe the answer: it is in the second sentence, as you can see for yourself."


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault. `make` turns the good answer into it; of one `group` a question meets at most `MOST`."""

    group: str
    make: Callable[[dict[str, Any]], dict[str, Any] | Raw]


def rate_limit(_: dict[str, Any]) -> Raw:
    """Too many requests."""
    return Raw(429, json.dumps({"error": {"message": "too many requests", "code": 429}}), SOON)


def drop_connection(good: dict[str, Any]) -> Raw:
    """The connection breaks off within the body."""
    text = json.dumps(good)
    return Raw(text=text[: len(text) // 2], drop=True)


def proxy_error(_: dict[str, Any]) -> Raw:
    """A proxy's page in place of an answer."""
    return Raw(502, PAGE, SOON | {"content-type": "text/html"})


def refuse(good: dict[str, Any]) -> Raw:
    """A refusal of this one prompt, in one of several forms, that passes at the next try."""
    number = int(digest(good)[:8], 16)
    status, text = REFUSALS[number % len(REFUSALS)]
    return Raw(status, text)


def hang(_: dict[str, Any]) -> Raw:
    """Nothing comes."""
    return Raw(drop=True, wait=LONG)


def unparsable(good: dict[str, Any]) -> dict[str, Any]:
    """A reply behind HTTP 200 that is paid for and holds no JSON."""
    return saying(good, PROSE, "stop")


def cut(good: dict[str, Any]) -> dict[str, Any]:
    """The token limit cuts the reply."""
    text = good["choices"][0]["message"]["content"]
    return saying(good, text[: len(text) // 2], "length")


def think(good: dict[str, Any]) -> dict[str, Any]:
    """The good answer behind a thought that holds a draft of it, in one of the forms that servers give."""
    text = good["choices"][0]["message"]["content"]
    draft = f'Perhaps {{"draft": true}}? Or {text[: len(text) // 2]}... I had better look again.'
    forms = (
        {"content": f"<think>\n{draft}\n</think>\n\n{text}"},
        {"content": f"{draft}\n</think>\n{text}"},
        {"content": text, "reasoning_content": draft},
        {"content": None, "reasoning_content": text},  # a server that takes all of it for a thought
    )
    message = {"role": "assistant"} | forms[int(digest(good)[:8], 16) % len(forms)]
    return good | {"choices": [{"index": 0, "finish_reason": "stop", "message": message}]}


def saying(good: dict[str, Any], content: str, finish: str) -> dict[str, Any]:
    """The same completion with other content."""
    message = {"role": "assistant", "content": content}
    return good | {"choices": [{"index": 0, "finish_reason": finish, "message": message}]}


KINDS = {
    "429": Kind("limit", rate_limit),
    "parse": Kind("reply", unparsable),
    "cut": Kind("reply", cut),
    "think": Kind("thought", think),
    "refuse": Kind("failure", refuse),
    "drop": Kind("failure", drop_connection),
    "error": Kind("failure", proxy_error),
    "hang": Kind("failure", hang),
}
# A bad reply is shown back once, three failures with a refusal among them end a job: so a good answer stays in reach.
MOST = {"limit": 20, "reply": 1, "thought": 20, "failure": 2}


class Faulty:
    """An answer with faults before it; `served` counts them by kind."""

    def __init__(self, answer: Answer, chances: Mapping[str, float], seed: int = 0) -> None:
        """`chances` are probabilities by kind, 1 at most together."""
        self.answer = answer
        self.chances = chances
        self.seed = seed
        self.served: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()  # by question
        self.met: Counter[tuple[str, str]] = Counter()  # by question and group

    def __call__(self, body: dict[str, Any]) -> dict[str, Any] | Raw:
        """A fault, or what would have been said without any."""
        first = self.first(body)
        question, good = digest(first), self.answer(first)
        kind = self.fault(question)
        self.asked[question] += 1
        if kind is None or isinstance(good, Raw):
            return good
        self.served[kind] += 1
        self.met[question, KINDS[kind].group] += 1
        return KINDS[kind].make(good)

    def first(self, body: dict[str, Any]) -> dict[str, Any]:
        """What was asked before a bad reply was shown back (two turns more) or a cut one was given more room."""
        asked = {key: part for key, part in body.items() if key != "max_tokens"}
        earlier = asked | {"messages": asked["messages"][:-2]}
        return earlier if self.met[digest(earlier), "reply"] else asked

    def fault(self, question: str) -> str | None:
        """The kind of fault that this asking meets; None for none."""
        roll = seeded_random(self.seed, question, self.asked[question]).random()
        for kind, chance in self.chances.items():
            roll -= chance
            if roll < 0:
                group = KINDS[kind].group
                return kind if self.met[question, group] < MOST[group] else None
        return None
