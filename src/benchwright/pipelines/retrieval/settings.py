"""The table `[retrieval]` of a campaign file, and what all phases of the pipeline share."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.retrieval.write_query import SAME
from benchwright.domain.campaign import Campaign
from benchwright.domain.grade import GradeRule, Rounding
from benchwright.pipelines.retrieval.intents import Category, Intent
from benchwright.pipelines.texts import Mode, embed_texts

# The phases, first to last.
PASSAGES, DOCUMENTS, QUERIES, POOL, PAIRS = "passages", "documents", "queries", "pool", "pairs"
Strategy = Literal["direct", "steps", "criteria"]


class PromptTable(BaseModel):
    """What an embedding model reads before a query, where `{task}` is what is asked for, and before a passage."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    query: str = ""
    passage: str = ""


class RetrievalSettings(BaseModel):
    """The table; the values are ours where the preset does not say otherwise."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    # what queries are for and about: names of the two files, none is all of them
    intents: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    intents_file: str = "intents"
    categories_file: str = "hazards"
    queries: int = Field(default=10, ge=1, le=10_000)  # of each intent in each category
    # passages
    passage_tokens: int = Field(default=255, ge=32, le=4096)  # at most
    repeated_passage: float = Field(default=0.9, gt=0, le=1)  # a cosine above it: the passage is left out
    summary_tokens: int = Field(default=2500, ge=200, le=100_000)  # of a document that its summary is written from
    # queries
    needs: int = Field(default=3, ge=1, le=20)  # information needs from each passage
    copied: int = Field(default=8, ge=2, le=100)  # words in a row that a text may copy
    inconsistent: Literal["refill", "people", "keep"] = "refill"  # a query whose own text is not relevant
    review_queries: Literal["doubtful", "all", "never"] = "doubtful"  # which of them people see
    repeated_query: float = Field(default=0.95, gt=0, le=1)  # a cosine above it: the query repeats another
    repeated_queries: Literal["people", "discard", "keep"] = "people"
    # the pool
    depth: int = Field(default=10, ge=1, le=1000)  # texts by each ranking
    bm25: bool = True
    modes: Annotated[tuple[Mode, ...], Field(min_length=1)] = ("exact", "hnsw")
    prompts: dict[str, PromptTable] = {}
    planted: float = Field(default=0.1, ge=0, le=1)  # share of queries with a pair that is known to be irrelevant
    # grades
    strategies: Annotated[tuple[Strategy, ...], Field(min_length=1)] = ("direct", "steps", "criteria")
    calls: Literal["one", "separate"] = "one"  # for each strategy one call, or one for each of its parts
    rounding: Rounding = Rounding.HALF_UP
    bound: int = Field(default=2, ge=0, le=10)  # grades that lie further apart go to people
    quorum: int = Field(default=2, ge=1, le=20)  # fewer grades than this go to people, where so many are asked for
    waves: Annotated[int, Field(ge=1, le=100, strict=True)] | Literal["strategies", "eager", "frugal"] = "strategies"


@dataclass(frozen=True, eq=False)
class Setup:
    """A campaign with its settings, intents and categories."""

    campaign: Campaign
    settings: RetrievalSettings
    intents: tuple[Intent, ...]
    categories: tuple[Category, ...]

    @property
    def language(self) -> str:
        """What is written in."""
        return SAME if self.campaign.language == "document" else self.campaign.language

    @cached_property
    def by_name(self) -> Mapping[str, Intent]:
        """The intents by their names."""
        return {one.name: one for one in self.intents}

    def strategies(self, intent: Intent) -> tuple[Strategy, ...]:
        """How pairs of an intent are graded: never by none."""
        chosen = tuple(one for one in self.settings.strategies if one in intent.table.strategies)
        return chosen or intent.table.strategies[:1]

    def rule(self, intent: Intent, graders: int) -> GradeRule:
        """How the grades of so many become one."""
        asked = self.settings
        return GradeRule(0, intent.most, asked.rounding, asked.bound, min(asked.quorum, graders))

    def model(self, role: str) -> str:
        """The one model of a role."""
        return self.campaign.roles[role].models[0]

    @property
    def embedders(self) -> tuple[str, ...]:
        """The models that embed texts."""
        return self.campaign.roles[embed_texts.name].models
