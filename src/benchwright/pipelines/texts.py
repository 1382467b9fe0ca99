"""Texts that code finds, as things that are owed: passages of documents, near-duplicates, the best texts for a query.

So is how near texts are in meaning. They are agents whose questions go to a queue that a service works off, so they
have no prompt, and their answers are kept like all others. A phase draws on the texts of the kept items of phases
before it (`Pipeline.pieces`). A text is named by its words: the same words are one text, wherever they stand. Models
that embed texts serve `embed_texts`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.domain.ids import content_id

TEXTS = "texts"  # the queue
EXACT, HNSW = "exact", "hnsw"  # how vectors are searched
BM25 = "bm25"  # the name of the ranking by words, which no model may have
SIGNS = 16  # digits of a text's name

Mode = Literal["exact", "hnsw"]


class Body(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def text_name(text: str) -> str:
    """The name of a text, whatever its spacing."""
    return f"d{content_id('passage', ' '.join(text.split()))[:SIGNS]}"


@dataclass(frozen=True, slots=True)
class SplitAsk:
    """The runs of sentences of the item's document that are passages, each of at most so many tokens."""

    most: int


class Split(Body):
    """The first and the last sentence of each passage, and what else is known of the document.

    `tokens` are those of each passage, about; `left_out` counts the sentences that are in none.
    """

    name: str
    title: str
    language: str
    passages: tuple[tuple[int, int], ...]
    tokens: tuple[int, ...]
    left_out: int


class Where(Body):
    """Where a text stands: in a piece of an item, the `number`th from 0 on."""

    item: str
    number: int


class Stated(Body):
    """A text that was found: what its item calls it, and where it stands.

    That is in the sentences `first` to `last` of the `view`th view of the answer; another text stands here itself.
    """

    id: str
    origin: str
    view: int = 0
    first: int = 0
    last: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class RepeatsAsk:
    """The texts of this `item` of a `phase` that repeat another text of that phase and group, by the first model.

    They do where their cosine is greater than `above`, or where their words are the same.
    """

    phase: str
    item: str
    above: float
    group: str = ""


class Repeats(Body):
    """The places of such texts among the pieces of the item, each with the item and the place that it repeats."""

    repeats: Mapping[int, Where] = {}


@dataclass(frozen=True, slots=True)
class RankAsk:
    """The texts of these phases that are the best for a query, so many by each ranking.

    `task` is what is asked for, for models that want to be told; `own` are texts whose ranks are asked, by any names.
    """

    query: str
    task: str
    phases: tuple[str, ...]
    most: int
    bm25: bool
    modes: tuple[Mode, ...]
    own: tuple[str, ...] = ()


class Ranking(Body):
    """What one ranking found: the names of texts and their scores, the best first."""

    by: str
    mode: str
    hits: tuple[tuple[str, float], ...]


class Ranked(Body):
    """The rankings, each of their texts and of those asked for, and the ranks of these by `by/mode` (0: no hit).

    `views` are views of documents as JSON values; `texts` is how many texts were ranked.
    """

    rankings: tuple[Ranking, ...]
    stated: tuple[Stated, ...]
    views: tuple[dict[str, Any], ...]
    ranks: Mapping[str, Mapping[str, int]]
    texts: int


@dataclass(frozen=True, slots=True)
class LikenessAsk:
    """How near in meaning a text is to each of the others, by the first model."""

    text: str
    others: tuple[str, ...]


class Likeness(Body):
    """The cosine of the text with each of the others, in their order, and the model `by` which they are told."""

    by: str
    cosines: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """The question of a role that only lends its models."""


split_document = Agent("split_document", SplitAsk, Split)
find_repeats = Agent("find_repeats", RepeatsAsk, Repeats)
rank_texts = Agent("rank_texts", RankAsk, Ranked)
measure_likeness = Agent("measure_likeness", LikenessAsk, Likeness)
embed_texts = Agent("embed_texts", Nothing, Body)
