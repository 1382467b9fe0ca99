"""A model without sense, for estimates: it answers at once what the schema of a question allows, in plausible length.

So a campaign can be played through its real pipeline, prompts and queue without a call that anyone is paid for.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from benchwright.domain.call import Reply, Request, Usage, tokens
from benchwright.domain.ids import canonical, seeded
from benchwright.llm.limits.tokens import prompt_tokens
from benchwright.llm.prices import cost

TEXT = 120  # characters of a text of which the schema says nothing
PHRASE = 120  # characters of a description: fewer than 25 words
NUMBERS, THINGS = 2, 3  # entries of a list of numbers, and of other lists, where more are allowed
SYLLABLES = "ba de fi go ku la me ni po ru sa te vi wo xu ya ze".split()  # noqa: SIM905 - easier to read
# What a checker who agrees with their writer says of these roles' texts, which begin with that word.
CORRECT, WRONG = "correct", "wrong"
CLAIMS = {
    **dict.fromkeys(("write_correct_options", "infer_correct_options", "extract_conclusion"), CORRECT),
    **dict.fromkeys(("design_distractors", "infer_distractors", "mislead"), WRONG),
}
AGREED = {"compare_stems": "same", "compare_conclusion": "faithful"}  # what one who agrees says in these roles
MANY = 12  # the same for those who write as many things as they are asked for
LINE = re.compile(r"^(\w+)\. (\w+)", re.MULTILINE)  # of a task: a label, and the first word of what it stands for
READS, WRITES = 2000.0, 50.0  # tokens a second of a hosted model
READS_HERE, WRITES_HERE = 200.0, 20.0  # of one in this process


@dataclass(frozen=True, slots=True)
class Manner:
    """How models answer, each number between 0 and 1.

    `agreement` is how likely a checker says of a text what its writer would, `ease` how likely a judge is right about
    an option; `found` is the share of what searches and graphs are asked for that they have.
    """

    agreement: float
    ease: float = 0.0
    found: float = 1.0


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes one reply: `labels` are the claims under the labels of the task, `claim` what its own texts begin with."""

    chance: Random
    labels: Mapping[str, str]
    claim: str
    manner: Manner

    def value(self, schema: Any, root: Any, of: str, place: int = 0) -> Any:
        """A value that fits a JSON schema; `of` is the claim that it is about, `place` the one in its list."""
        if "$ref" in schema:
            return self.value(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, of, place)
        if several := schema.get("anyOf") or schema.get("oneOf"):
            return self.value(several[0], root, of, place)
        if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
            return self.choice(values, of, place)
        kind = schema.get("type", "object")
        if kind == "object":
            parts = schema.get("properties", {}).items()
            return {name: self.value(part, root, self.labels.get(name, of), place) for name, part in parts}
        if kind == "array":
            return self.array(schema, root, of)
        return self.right(of) if kind == "boolean" else SCALARS[kind](self, schema)

    def choice(self, values: list[Any], of: str, place: int) -> Any:
        """One of these: the claim itself, or with a checker of another mind another; else each in its turn."""
        if of not in values:
            return values[place % len(values)]
        agrees = self.chance.random() < self.manner.agreement
        return of if agrees else self.chance.choice([value for value in values if value != of])

    def right(self, of: str) -> bool:
        """What a judge says of an option that makes this claim."""
        return (of != WRONG) == (self.chance.random() < self.manner.ease)

    def array(self, schema: Any, root: Any, of: str) -> list[Any]:
        """As many entries as are usual and allowed, each once."""
        entry, numbers = schema.get("items", {"type": "string"}), schema.get("items", {}).get("type") == "integer"
        usual = NUMBERS if numbers else MANY if self.claim else THINGS
        count = max(schema.get("minItems", 1), min(usual, schema.get("maxItems", usual)))
        return self.apart(entry, count) if numbers else [self.value(entry, root, of, place) for place in range(count)]

    def apart(self, schema: Any, count: int) -> list[int]:
        """So many numbers within their bounds, or all there are; no neighbours where there is room."""
        least, most = limits(schema)
        count = min(count, most - least + 1)
        widest = (most - least) // max(1, count - 1)
        step = self.chance.randint(min(2, widest), widest)
        first = self.chance.randint(least, most - step * max(0, count - 1))
        return [first + step * place for place in range(count)]

    def text(self, schema: Any) -> str:
        """Words without sense, as many as may be; a question where a question mark is demanded."""
        said = babble(self.chance, schema.get("maxLength", TEXT), self.claim)
        return said + ("?" if "?" in schema.get("pattern", "") else "")


SCALARS: Mapping[str, Callable[[Writer, Any], Any]] = {
    "string": Writer.text,
    "integer": lambda writer, schema: writer.chance.randint(*limits(schema)),
    "number": lambda writer, schema: float(writer.chance.randint(*limits(schema))),
    "null": lambda *_: None,
}


def limits(schema: Any) -> tuple[int, int]:
    """The least and the most that a number may be."""
    least = int(schema.get("minimum", 0))
    return least, int(schema.get("maximum", least + 9))


def babble(chance: Random, most: int, first: str = "") -> str:
    """Words without sense, of nearly so many characters, after that first one."""
    words = [first] if first else []
    while sum(map(len, words)) + len(words) + 10 < most:
        words.append("".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))))
    return " ".join(words).capitalize()


def picked(_: Random, task: str) -> dict[str, Any]:
    """The longest word of the question that was not chosen earlier."""
    question, earlier = line("Question", task), task.partition("\nChosen earlier:\n")[2].split()
    entity = max((word for word in re.findall(r"\w+", question) if word not in earlier), key=len, default="")
    return {"kind": "disease" if entity else "none", "entity": entity}


def described(chance: Random, task: str) -> dict[str, Any]:
    """The question with a phrase in the place of what is to be described."""
    phrase = babble(chance, PHRASE).lower()
    question = re.sub(rf"\b{re.escape(line('To be described', task))}\b", phrase, line("Question", task))
    return {"sources": [1], "phrase": phrase, "question": question}


def summarised(_: Random, task: str) -> dict[str, Any]:
    """Every fact as it stands."""
    facts = re.findall(r"^(\d+)\. (.+)$", task, re.MULTILINE)
    return {"statements": [{"facts": [int(number)], "statement": fact} for number, fact in facts]}


def line(name: str, task: str) -> str:
    """What stands in a task behind a name at the beginning of a line."""
    found = re.search(rf"^{name}: (.+)$", task, re.MULTILINE)
    return found[1] if found else ""


# The parts of these roles' replies that must fit the task, of which a schema cannot tell.
FITTING: Mapping[str, Callable[[Random, str], dict[str, Any]]] = {
    "pick_entity": picked,
    "describe_entity": described,
    "summarise_knowledge": summarised,
}


class Invented:
    """Any model, for nothing and at once; latencies and prices are what a real one's would about be."""

    def __init__(self, manner: Manner) -> None:
        self.manner = manner

    async def ask(self, request: Request) -> Reply:
        """A reply that depends on the request alone."""
        task, step = request.messages[-1].content, request.step
        labels = {label: word.casefold() for label, word in LINE.findall(task)}
        writer = Writer(seeded(request.id), labels, CLAIMS.get(step, ""), self.manner)
        said = writer.value(request.schema, request.schema, AGREED.get(step, ""))
        text = json.dumps(said | (FITTING[step](writer.chance, task) if step in FITTING else {}), indent=1)
        usage = Usage(prompt_tokens(request) + tokens(canonical(request.schema)), tokens(text))
        paid = cost(request.model, usage, batch=request.batch)
        return Reply(text, usage=usage, cost=None if paid is None else float(paid), latency=seconds(request, usage))


def seconds(request: Request, usage: Usage) -> float:
    """About how long a call takes."""
    here = request.model.provider == "local"
    reads, writes = (READS_HERE, WRITES_HERE) if here else (READS, WRITES)
    return usage.prompt / reads + usage.completion / writes
