"""Citing sentences by their numbers: a type of answer fields. What a field is called means nothing."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from benchwright.domain.document import Reading, Sentence
from benchwright.errors import BadReply

EVIDENCE_MOST = 6  # sentences one claim may cite
MARK = "x-benchwright-cites"  # in the JSON schema of an answer type; never in a schema that is sent

Part = Literal["body", "masked"]


class Cited(list[int]):
    """The validated numbers of a field that cites; `part` says of what."""

    part: Part = "body"


@dataclass(frozen=True, slots=True)
class Citation:
    """The last word of `Annotated[list[int], ...]`: the numbers name sentences of this part of what is read.

    The schema of the field is bounded by the sentences that there are, and on record each number becomes a span.
    """

    part: Part = "body"

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Mark the value, so that it is found wherever it lies in an answer."""
        return core_schema.no_info_after_validator_function(self.mark, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Mark the schema, so that `bound_schema` finds it."""
        return handler(core) | {MARK: self.part}

    def mark(self, numbers: list[int]) -> Cited:
        """The numbers, which now say what they cite."""
        cited = Cited(numbers)
        cited.part = self.part
        return cited


def sentences_of(reading: Reading, part: Part) -> tuple[Sentence, ...]:
    """The sentences that a citation of this part can name."""
    return reading.masked if part == "masked" else reading.sentences


Numbers = tuple[int, int]  # the first and the last number that can be cited; (1, 0) where there is none


def bound_schema(schema: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """The schema as it is sent, not to be changed: each list that cites is limited to the numbers that there are."""
    return bound_text(json.dumps(schema), numbers_of(reading.sentences), numbers_of(reading.masked))


def numbers_of(sentences: tuple[Sentence, ...]) -> Numbers:
    """The numbers of these sentences."""
    return (sentences[0].number, sentences[-1].number) if sentences else (1, 0)


@lru_cache(maxsize=256)  # most questions about a document share their schema, which takes longer to go through
def bound_text(schema: str, body: Numbers, masked: Numbers) -> dict[str, Any]:
    """The same, of a schema as JSON, whose order of fields stays: models write them in that order."""
    bound: dict[str, Any] = bound_part(json.loads(schema), {"body": body, "masked": masked})
    return bound


def bound_part(schema: Any, numbers: Mapping[Part, Numbers]) -> Any:
    """A part of a schema, its lists that cite limited to these numbers."""
    if isinstance(schema, list):
        return [bound_part(part, numbers) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if part := schema.get(MARK):
        return bound_list(schema, numbers[part])
    return {key: bound_part(part, numbers) for key, part in schema.items()}


def bound_list(schema: dict[str, Any], numbers: Numbers) -> dict[str, Any]:
    """The schema of a list of these numbers; how many it may hold stays as its type says."""
    limits = {key: schema[key] for key in ("minItems", "maxItems") if key in schema}
    least, most = numbers
    items = {"type": "array", "items": {"type": "integer", "minimum": least, "maximum": most}}
    return items | {"minItems": 1, "maxItems": EVIDENCE_MOST} | limits


def strip_marks(schema: Any) -> Any:
    """The schema without the marks of citations."""
    if isinstance(schema, list):
        return [strip_marks(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: strip_marks(part) for key, part in schema.items() if key != MARK}


def locate_citations(answer: BaseModel, reading: Reading) -> dict[str, Any]:
    """The answer as JSON values, each cited number replaced by a span with offsets and its verbatim text.

    Raises `BadReply` where there is no such sentence, or the question does not show it.
    """
    body: dict[str, Any] = spans("", answer, answer.model_dump(mode="json"), reading)
    return body


def spans(name: str, value: Any, body: Any, reading: Reading) -> Any:
    """The JSON `body` of a value of the field `name`, with spans where the value cites."""
    if isinstance(value, Cited):
        return [span(name, number, sentences_of(reading, value.part)) for number in value]
    if isinstance(value, BaseModel):
        return {key: spans(key, getattr(value, key), part, reading) for key, part in body.items()}
    if isinstance(value, list | tuple):
        return [spans(name, one, part, reading) for one, part in zip(value, body, strict=True)]
    if isinstance(value, dict):
        pairs = zip(value.values(), body.items(), strict=True)
        return {key: spans(key, one, part, reading) for one, (key, part) in pairs}
    return body


def span(name: str, number: int, sentences: tuple[Sentence, ...]) -> dict[str, Any]:
    """One cited sentence; `BadReply` where there is no such sentence."""
    sentence = next((one for one in sentences if one.number == number), None)
    if sentence is None:
        there = f"sentences {sentences[0].number} to {sentences[-1].number}" if sentences else "none"
        raise BadReply(f"{name} cites sentence {number}, but there are {there}")
    return {"sentence": number, "start": sentence.span.start, "end": sentence.span.end, "text": sentence.text}
