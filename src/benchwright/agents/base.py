"""What every agent is: a typed question, a prompt in `NAME.md`, a typed answer, and how the three meet.

A prompt file has the parts `# rules`, then worked examples as pairs of `# ask` and `# reply`, then `# task`. What the
question is about comes before all of it, identical for every role of one frame, so that one prefix serves every role's
cache.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import import_module
from importlib.resources import files
from itertools import accumulate, chain
from pkgutil import walk_packages
from string import Template
from typing import Any

from pydantic import BaseModel, ValidationError

from benchwright.agents.citing import bound_schema, locate_citations, strip_marks
from benchwright.agents.frames import DOCUMENT, Frame, Source, escape_tags, first_reading
from benchwright.domain.administrative import is_administrative
from benchwright.domain.call import Message, Request, tokens
from benchwright.domain.campaign import Model
from benchwright.domain.document import Part, Reading, Sentence, parts_of
from benchwright.domain.ids import canonical, content_id, seeded_random
from benchwright.domain.text import plain
from benchwright.errors import BadReply

TOPICAL = 3  # how much likelier each word of its topic makes a passage
ROOT = 5  # letters by which a word of a topic is found


def anything(ask: Any, answer: Any) -> None:
    """The check of an agent that has nothing to add to its schema."""


def against_nothing(ask: Any, answer: Any, source: Any) -> None:
    """The same for what only the source can show."""


def as_is(ask: Any, body: Any) -> Any:
    """The settling of an agent whose answer needs none."""
    return body


def own_schema(agent: "Agent", ask: Any) -> dict[str, Any]:
    """The schema of the agent's answer type, the same for every question: to be built upon, never changed."""
    return schema_of(agent.Answer)


def narrow_schema(schema: dict[str, Any], field: str, **limits: Any) -> dict[str, Any]:
    """The schema of an object with these limits on one of its fields besides its own."""
    properties: dict[str, Any] = schema["properties"]
    return schema | {"properties": properties | {field: properties[field] | limits}}


@cache
def schema_of(answer: type[BaseModel]) -> dict[str, Any]:
    """An answer type's JSON schema; building one takes as long as all else about a question."""
    return answer.model_json_schema()


@dataclass(frozen=True, slots=True)
class Agent:
    """A role: `Ask` is a dataclass whose fields are the names in the prompt, `Answer` what comes back.

    `check` raises `BadReply` where an answer fits its type but not its question, `against` where it fits both but not
    the source; `object_to` says what its writer should mend once in an answer that can be used (None: nothing ever).
    `schema` may narrow the answer's JSON schema to the question, so that a provider that enforces schemas cannot go
    wrong; `settle` puts lasting ids in the place of the labels that only this question used, before the answer is
    recorded. `file` names the prompt file, where it is not the agent's own; `frame` is the system text and what comes
    before the rules.
    """

    name: str
    Ask: type
    Answer: type[BaseModel]
    check: Callable[[Any, Any], None] = anything
    schema: Callable[["Agent", Any], dict[str, Any]] = own_schema
    settle: Callable[[Any, Any], Any] = as_is
    against: Callable[[Any, Any, Any], None] = against_nothing
    object_to: Callable[[Any, Any, Any], Sequence[str]] | None = None
    file: str = ""
    frame: Frame = DOCUMENT

    @property
    def schema_id(self) -> str:
        """The hash of its answer type, for recipes and manifests."""
        return content_id("schema", strip_marks(schema_of(self.Answer)))

    @property
    def prompt(self) -> "Prompt":
        """The parsed prompt file, which lies beside the module of the question."""
        return load_prompt(self.Ask.__module__.rpartition(".")[0], self.file or self.name, self.frame)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file taken apart; `id` is the hash of the file and of the `system` text of its frame."""

    system: str
    rules: str
    examples: tuple[tuple[str, str], ...]
    task: Template
    id: str

    @property
    def size(self) -> int:
        """About how many tokens it adds to its source."""
        return sum(map(tokens, [self.system, self.rules, *chain(*self.examples), self.task.template]))


@cache
def load_prompt(package: str, name: str, frame: Frame = DOCUMENT) -> Prompt:
    """Read `NAME.md` in the package of the agent."""
    text = files(package).joinpath(f"{name}.md").read_text("utf-8")
    parts = re.split(r"^# (rules|ask|reply|task)\n", text, flags=re.MULTILINE)[1:]
    named = [(kind, body.strip()) for kind, body in zip(parts[::2], parts[1::2], strict=True)]
    asks = [body for kind, body in named if kind == "ask"]
    replies = [body for kind, body in named if kind == "reply"]
    rules, task = (next(body for kind, body in named if kind == wanted) for wanted in ("rules", "task"))
    examples = tuple(zip(asks, replies, strict=True))
    return Prompt(frame.system, rules, examples, Template(task), content_id("prompt", [frame.system, text]))


@cache
def every_agent() -> dict[str, Agent]:
    """All agents by name, found by walking the packages of the kinds: there is no registry."""
    package = import_module(__package__)
    modules = [import_module(found.name) for found in walk_packages(package.__path__, f"{package.__name__}.")]
    return {module.agent.name: module.agent for module in modules if hasattr(module, "agent")}


@dataclass(frozen=True, slots=True)
class Quoted:
    """A field of a question that quotes the document: these sentences, and up to `around` on either side of each.

    They stand under their numbers, one a line, or as running text where they are `bare`: nobody is to cite them.
    """

    numbers: tuple[int, ...]
    around: int = 0
    bare: bool = False

    def text(self, reading: Reading) -> str:
        """The sentences as the document shows them."""
        near = {n + off for n in self.numbers for off in range(-self.around, self.around + 1)}
        shown = [one for one in reading.sentences if one.number in near]
        return " ".join(one.text for one in shown) if self.bare else "\n".join(f"[{n.number}] {n.text}" for n in shown)


@dataclass(frozen=True, slots=True)
class Passage:
    """A field of a question that quotes `most` sentences in a row, from a place that the seed decides.

    They lie within one section: the one of the title `section`, or else any that is not administrative. Places where
    words of the `topic` stand are likelier.
    """

    seed: str
    most: int
    section: str = ""
    topic: str = ""

    def text(self, reading: Reading) -> str:
        """The sentences under the document's title."""
        runs = [run for part in self.eligible(reading) for run in windows(part.numbers, self.most)]
        topic = topic_words(self.topic)
        said = {one.number: sum(word in f" {plain(one.text)}" for word in topic) for one in reading.sentences}
        weights = [1 + TOPICAL * sum(said[n] for n in run) for run in runs]
        (chosen,) = seeded_random(self.seed).choices(runs, weights) if runs else ((),)
        return f"{reading.title}\n{Quoted(chosen).text(reading)}"

    def eligible(self, reading: Reading) -> list[Part]:
        """The parts of the text in which the passage may begin."""
        parts = [part for part in parts_of(reading) if part.numbers]
        named = [part for n, part in enumerate(parts, 1) if self.section and self.section in (part.title, f"part {n}")]
        return named or [part for part in parts if not is_administrative(part.title)] or parts


def windows(numbers: tuple[int, ...], most: int) -> list[tuple[int, ...]]:
    """All runs of so many of the numbers; one of all of them where they are fewer."""
    return [numbers[start : start + most] for start in range(max(1, len(numbers) - most + 1))]


def topic_words(topic: str) -> tuple[str, ...]:
    """How the longer words of a topic begin, each after a blank."""
    return tuple(dict.fromkeys(f" {word[:ROOT]}" for word in plain(topic).split() if len(word) >= ROOT))


@dataclass(frozen=True, slots=True)
class Masked:
    """A field of a question that quotes the masked part of a document: nobody without such a field sees any of it.

    Either these sentences by `numbers`, or a run of whole sentences of about `most` tokens, from a place that the seed
    decides, one at least; all of them where they fit. Without either it quotes nothing.
    """

    seed: str = ""
    most: int = 0
    numbers: tuple[int, ...] = ()

    def text(self, reading: Reading) -> str:
        """The sentences under the numbers by which they are cited."""
        return "\n".join(f"[D{one.number}] {one.text}" for one in self.select_sentences(reading.masked))

    def select_sentences(self, sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
        """Those that are shown."""
        if self.numbers:
            return tuple(one for one in sentences if one.number in self.numbers)
        if not self.most:
            return ()
        ends = list(accumulate(tokens(one.text) for one in sentences))
        if not ends or ends[-1] <= self.most:
            return sentences
        begins = [0, *ends]
        starts = [n for n in range(len(ends)) if n == 0 or ends[-1] - begins[n - 1] > self.most]
        first = seeded_random(self.seed, "masked").choice(starts)  # the last of them is where all that follows fits
        most = max(ends[first], self.most + begins[first])
        return tuple(one for one, end in zip(sentences[first:], ends[first:], strict=True) if end <= most)


NOTHING_MASKED = Masked()


def field_text(value: object, reading: Reading, tags: tuple[str, ...] = DOCUMENT.tags) -> str:
    """A field of a question as the prompt shows it: a tuple one line an entry, "none" where it is empty.

    `tags` are those that tell sources from instructions, which no text of a field can close.
    """
    if isinstance(value, Quoted | Passage | Masked):
        return escape_tags(value.text(reading), tags)
    return escape_tags("\n".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value), tags)


def render(agent: Agent, ask: Any, source: Source) -> tuple[Message, ...]:
    """The turns of one request: the sources first and alone, the rules, the worked examples, the task."""
    prompt, frame, reading = agent.prompt, agent.frame, first_reading(source)
    values = {field.name: field_text(getattr(ask, field.name), reading, frame.tags) for field in fields(ask)}
    turns = [turn for example in prompt.examples for turn in example] + [prompt.task.substitute(values)]
    sources = frame.parts(source)
    first = Message("user", (*sources, prompt.rules, turns[0]), len(sources))
    rest = [Message("assistant" if n % 2 == 0 else "user", (turn,)) for n, turn in enumerate(turns[1:])]
    return (Message("system", (frame.system,)), first, *rest)


def visible_reading(ask: Any, reading: Reading) -> Reading:
    """The reading as whoever is asked sees it: of its masked part no more than the question quotes."""
    values = (getattr(ask, field.name) for field in fields(ask)) if reading.masked else ()
    quoted = {
        one.number for value in values if isinstance(value, Masked) for one in value.select_sentences(reading.masked)
    }
    return replace(reading, masked=tuple(one for one in reading.masked if one.number in quoted))


def accept(agent: Agent, ask: Any, source: Source, text: str) -> str:
    """The canonical body of the typed answer that `text`, a JSON object, holds; raises `BadReply`."""
    try:
        answer = agent.Answer.model_validate_json(text)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'reply'}: {fault['msg']}" for fault in error.errors())
        raise BadReply(faults, text, "schema") from error
    agent.check(ask, answer)
    agent.against(ask, answer, source)
    return canonical(agent.settle(ask, locate_citations(answer, visible_reading(ask, first_reading(source)))))


def objections(agent: Agent, ask: Any, source: Source, text: str) -> str:
    """What is to be mended in an answer that is accepted, "" where nothing is."""
    if agent.object_to is None:
        return ""
    return "; ".join(agent.object_to(ask, agent.Answer.model_validate_json(text), source))


def request(agent: Agent, ask: Any, source: Source, model: Model, run: int, seed: int) -> Request:
    """The call that puts this question about this source to this model."""
    return Request(
        model=model,
        messages=render(agent, ask, source),
        schema=bound_schema(agent.schema(agent, ask), visible_reading(ask, first_reading(source))),
        run=run,
        seed=seed,
        step=agent.name,
        accept=lambda text: accept(agent, ask, source, text),
        objections=lambda text: objections(agent, ask, source, text),
    )
