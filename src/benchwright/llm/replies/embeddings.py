"""OpenAI's format of embeddings: texts as the body that goes out, the body that comes back as vectors. Pure."""

import json
from typing import Any

from pydantic import Field

from benchwright.domain.call import Reply
from benchwright.domain.embed import Embed, pack
from benchwright.errors import Transient
from benchwright.llm.replies.chat import Counts, CountsIfAny, Lenient, explain_body, usage

LARGEST = 64 << 20  # bytes of an answer: 64 texts of 4,096 numbers are 6 MB


class Row(Lenient):
    """One vector, and of which text."""

    embedding: list[float] = Field(min_length=1)
    index: int | None = None


class Rows(Lenient):
    """The body of a completed call."""

    data: list[Row]
    usage: CountsIfAny = None


def body(request: Embed) -> dict[str, Any]:
    """What goes out."""
    return {"model": request.model.target, "input": list(request.texts), "encoding_format": "float"}


def reply(request: Embed, text: str, latency: float) -> Reply:
    """The vectors in the body that came back, in the order of the texts; `Transient` where one is missing or odd."""
    name = request.model.name
    try:
        rows = Rows.model_validate(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Transient(f"model {name!r}: {explain_body(text, error)}") from None
    places = [row.index for row in rows.data]
    if places == [None] * len(request.texts):
        places = list(range(len(request.texts)))
    if sorted(place for place in places if place is not None) != list(range(len(request.texts))):
        raise Transient(f"model {name!r}: {len(request.texts)} texts were sent, and vectors came back for {places[:8]}")
    ordered = sorted(zip(places, rows.data, strict=True), key=lambda pair: pair[0] or 0)
    try:
        vectors = tuple(pack(row.embedding) for _, row in ordered)
    except ValueError as error:
        raise Transient(f"model {name!r}: {error}") from None
    return vectors_reply(request, vectors, latency, rows.usage)


def vectors_reply(request: Embed, vectors: tuple[bytes, ...], latency: float, counts: Counts | None = None) -> Reply:
    """The reply that the ledger keeps: how many vectors of which length; they themselves lie elsewhere."""
    if len({len(vector) for vector in vectors}) > 1:
        raise Transient(f"model {request.model.name!r}: the vectors of one call have different lengths")
    kept = json.dumps({"vectors": len(vectors)})
    return Reply(kept, usage=usage(counts), latency=latency, call=request.id, vectors=vectors)
