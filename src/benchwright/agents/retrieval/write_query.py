"""Write a query from an information need, a text that is relevant to it, and texts that are not: the second stage.

DisastIR (arXiv 2505.15856), section 3.4 and tables 7-12. What is drawn (lengths, clarity, difficulty) stands in the
question; code checks lengths, copies and words that point at a text which a reader of the query does not have.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.frames import Source
from benchwright.agents.retrieval.frames import ORIGIN, lay_origin
from benchwright.agents.retrieval.wording import invented, longest_copy, names_something, pointer, repeated
from benchwright.corpus.language import is_installed, known_code, language_of, other_language
from benchwright.errors import BadReply

SAME = "the language of the passage"  # the language, where none is named


@dataclass(frozen=True, slots=True)
class Size:
    """So many words, as they are asked for: `words` is the text of it; `most` None is no bound."""

    words: str
    least: int
    most: int | None

    def __str__(self) -> str:
        """As the prompt shows it."""
        return self.words

    def fault(self, what: str, text: str) -> str:
        """What is wrong with the length of a text; "" where nothing is."""
        count = len(text.split())
        if count < self.least:
            return f"{what} has {count} words, and {self.words} are asked for: write more"
        if self.most is not None and count > self.most:
            return f"{what} has {count} words, and {self.words} are asked for: write less"
        return ""


@dataclass(frozen=True, slots=True)
class Negative:
    """A text that is not relevant, or less so, under its name in the answer."""

    name: str
    about: str

    def __str__(self) -> str:
        """As the prompt lists it."""
        return f"{self.name}: {self.about}"


@dataclass(frozen=True, slots=True)
class Ask:
    """A `query` of this sort for a `need`, and a `text` of that sort; `negatives` are further texts.

    Nothing copies more than `copied` words in a row. `names` is "yes" where the query has to name its event, or
    something that its source names.
    """

    query: str
    text: str
    need: str
    event: str
    query_length: Size
    text_length: Size
    clarity: str
    difficulty: str
    negatives: tuple[Negative, ...]
    copied: int
    names: str
    language: str


class Answer(BaseModel):
    """The query, the relevant text, the other texts under their names."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1)
    text: str = Field(min_length=1)
    negatives: dict[str, str]


def check(ask: Ask, answer: Answer) -> None:
    """As long as asked for, understood alone, and with the texts that are asked for."""
    wanted = {one.name for one in ask.negatives}
    if set(answer.negatives) != wanted:
        raise BadReply(f"negatives must have exactly the keys {', '.join(sorted(wanted)) or '(none)'}")
    texts = [("query", answer.query), ("text", answer.text), *sorted(answer.negatives.items())]
    empty = [f"{name} is empty: write it" for name, text in texts if not text.strip()]
    lengths = [ask.query_length.fault("query", answer.query), ask.text_length.fault("text", answer.text)]
    demand_none([*empty, *lengths, repeated(texts), fault_of_pointer(answer.query)])


def fault_of_pointer(query: str) -> str:
    """What is wrong with a query that points at a text."""
    found = pointer(query)
    return f"query says {found!r}, but who searches has no text yet: name the thing itself" if found else ""


def demand_none(faults: list[str]) -> None:
    """Raise `BadReply` with all faults, if there are any."""
    if found := [fault for fault in faults if fault]:
        raise BadReply("; ".join(found))


def against(ask: Ask, answer: Answer, source: Source) -> None:
    """No text copies its source or is in another language than asked, and the query names what it has to."""
    origin = "\n".join(lay_origin(source))
    texts = (("query", answer.query), ("text", answer.text), *answer.negatives.items())
    copies = [fault_of_copy(name, text, origin, ask.copied) for name, text in texts]
    languages = [fault_of_language(name, text, ask.language, origin) for name, text in texts]
    demand_none([*copies, *languages, name_fault(ask, answer, origin)])


def fault_of_language(name: str, text: str, asked: str, origin: str) -> str:
    """What is wrong with a text in another language than asked: one that is named, or that of the source."""
    wanted = known_code(asked)
    if not wanted and asked == SAME and is_installed():
        wanted = language_of(origin)
    found = other_language(text, wanted)
    return f"{name} is in the language '{found}', not in '{wanted}': write it in {asked}" if found else ""


def fault_of_copy(name: str, text: str, origin: str, most: int) -> str:
    """What is wrong with a text that copies too much, or from the examples."""
    if strange := invented(text, origin):
        return f"{name} is about {strange}, a name of the examples: use the passage in the <passage> tags instead"
    copy = longest_copy(text, origin)
    if len(copy) <= most:
        return ""
    return f"{name} copies {len(copy)} words in a row ({' '.join(copy[:12])} ...), {most} at most: use other words"


def name_fault(ask: Any, answer: Any, origin: str) -> str:
    """What is wrong with a query that names nothing, where it has to."""
    if ask.names != "yes" or names_something(answer.query, ask.event, origin):
        return ""
    return f"query names neither its event ({ask.event}) nor a place, body or person of the passage: name one"


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """With exactly the negatives that are asked for."""
    own = own_schema(agent, ask)
    names = [one.name for one in ask.negatives]
    each = {name: {"type": "string", "minLength": 1} for name in names}
    negatives = {"type": "object", "properties": each, "required": names, "additionalProperties": False}
    return own | {"properties": own["properties"] | {"negatives": negatives}}


agent = Agent("write_query", Ask, Answer, check, schema, against=against, frame=ORIGIN)
