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
from benchwright.llm.prices import cost
from benchwright.llm.tokens import prompt_tokens

TEXT = 120  # characters of a text of which the schema says nothing
NUMBERS, THINGS = 2, 3  # entries of a list of numbers, and of other lists, where more are allowed
SYLLABLES = "ba de fi go ku la me ni po ru sa te vi wo xu ya ze".split()  # noqa: SIM905 - easier to read
# What a checker who agrees with their writer says of these roles' texts, which begin with that word.
CLAIMS = {"write_correct_options": "correct", "design_distractors": "wrong"}
MANY = {"design_distractors": 12}  # roles that write as many things as they are asked for
LINE = re.compile(r"^(\w+)\. (\w+)", re.MULTILINE)  # of a task: a label, and the first word of what it stands for
READS, WRITES = 2000.0, 50.0  # tokens a second of a hosted model
READS_HERE, WRITES_HERE = 200.0, 20.0  # of one in this process


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes one reply: `labels` are the claims under the labels of the task, `agreement` how likely one is shared."""

    chance: Random
    labels: Mapping[str, str]
    claim: str
    most: int
    agreement: float

    def value(self, schema: Any, root: Any, of: str = "") -> Any:
        """A value that fits a JSON schema; `of` is the claim that it is about, if it is about one."""
        if "$ref" in schema:
            return self.value(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, of)
        if several := schema.get("anyOf") or schema.get("oneOf"):
            return self.value(several[0], root, of)
        if values := schema.get("enum", [schema["const"]] if "const" in schema else []):
            return self.choice(values, of)
        kind = schema.get("type", "object")
        if kind == "object":
            parts = schema.get("properties", {}).items()
            return {name: self.value(part, root, self.labels.get(name, of)) for name, part in parts}
        if kind == "array":
            return self.array(schema, root, of)
        return SCALARS[kind](self, schema)

    def choice(self, values: list[Any], of: str) -> Any:
        """One of these: the claim itself, or with a checker of another mind another."""
        if of not in values:
            return self.chance.choice(values)
        return of if self.chance.random() < self.agreement else self.chance.choice([v for v in values if v != of])

    def array(self, schema: Any, root: Any, of: str) -> list[Any]:
        """As many entries as are usual and allowed, each once."""
        entry = schema.get("items", {"type": "string"})
        usual = NUMBERS if entry.get("type") == "integer" else self.most
        count = max(schema.get("minItems", 1), min(usual, schema.get("maxItems", usual)))
        made = [self.value(entry, root, of) for _ in range(count)]
        return list({canonical(value): value for value in made}.values())

    def integer(self, schema: Any) -> int:
        """A number within its bounds."""
        least = int(schema.get("minimum", 0))
        return self.chance.randint(least, int(schema.get("maximum", least + 9)))

    def text(self, schema: Any) -> str:
        """Words without sense, as many as may be; a question where a question mark is demanded."""
        most, words = schema.get("maxLength", TEXT), [self.claim] if self.claim else []
        while sum(map(len, words)) + len(words) + 10 < most:
            words.append("".join(self.chance.choices(SYLLABLES, k=self.chance.randint(2, 4))))
        return " ".join(words).capitalize() + ("?" if "?" in schema.get("pattern", "") else "")


SCALARS: Mapping[str, Callable[[Writer, Any], Any]] = {
    "string": Writer.text,
    "integer": Writer.integer,
    "number": lambda writer, schema: float(writer.integer(schema)),
    "boolean": lambda writer, _: writer.chance.random() < writer.agreement,
    "null": lambda *_: None,
}


class Invented:
    """Any model, for nothing and at once; latencies and prices are what a real one's would about be."""

    def __init__(self, agreement: float) -> None:
        """`agreement` between 0 and 1: how likely a checker says of a text what its writer would."""
        self.agreement = agreement

    async def ask(self, request: Request) -> Reply:
        """A reply that depends on the request alone."""
        task = request.messages[-1].content
        labels = {label: word.casefold() for label, word in LINE.findall(task)}
        most = MANY.get(request.step, THINGS)
        writer = Writer(seeded(request.id), labels, CLAIMS.get(request.step, ""), most, self.agreement)
        text = json.dumps(writer.value(request.schema, request.schema), indent=1)
        usage = Usage(prompt_tokens(request) + tokens(canonical(request.schema)), tokens(text))
        paid = cost(request.model, usage, batch=request.batch)
        return Reply(text, usage=usage, cost=None if paid is None else float(paid), latency=seconds(request, usage))


def seconds(request: Request, usage: Usage) -> float:
    """About how long a call takes."""
    here = request.model.provider == "local"
    reads, writes = (READS_HERE, WRITES_HERE) if here else (READS, WRITES)
    return usage.prompt / reads + usage.completion / writes
