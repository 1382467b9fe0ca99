"""The pipeline: passages, documents, queries, pools, pairs, one phase after the other (DisastIR, arXiv 2505.15856)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel

from benchwright.agents.base import Agent
from benchwright.agents.retrieval import (
    brainstorm_needs,
    choose_event,
    find_answer,
    grade_by_criteria,
    grade_by_steps,
    grade_directly,
    grade_from_scores,
    review_query,
    score_criterion,
    settle_grade,
    summarise_document,
    write_document_query,
    write_query,
)
from benchwright.agents.retrieval.write_query import SAME
from benchwright.corpus.language import is_installed, known_code
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View, whole
from benchwright.domain.item import Ending, Progress, Seed
from benchwright.domain.source import Inputs, Sources
from benchwright.pipelines.base import Due, Expected, Fault, Piece, Role, Served, Usual
from benchwright.pipelines.card import Card
from benchwright.pipelines.retrieval import cards, expecting
from benchwright.pipelines.retrieval.body import PASSAGE, RELEVANT, SUMMARY
from benchwright.pipelines.retrieval.documents import DocumentPhase, PassagePhase
from benchwright.pipelines.retrieval.grading import AGENTS
from benchwright.pipelines.retrieval.intents import load_categories, load_intents
from benchwright.pipelines.retrieval.kind import RETRIEVAL, RetrievalKind
from benchwright.pipelines.retrieval.pairs import PairPhase
from benchwright.pipelines.retrieval.pooling import PoolPhase
from benchwright.pipelines.retrieval.queries import QueryPhase
from benchwright.pipelines.retrieval.settings import (
    DOCUMENTS,
    PAIRS,
    PASSAGES,
    POOL,
    QUERIES,
    RetrievalSettings,
    Setup,
)
from benchwright.pipelines.template import Starter, read_parts
from benchwright.pipelines.texts import embed_texts, find_repeats, rank_texts, split_document

APART = {Served.CODE, Served.EMBEDDERS}


@dataclass(frozen=True)
class Retrieval(Usual):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "retrieval"
    kind: ClassVar[RetrievalKind] = RETRIEVAL
    Settings: ClassVar[type[BaseModel]] = RetrievalSettings
    question_step: ClassVar[str] = ""
    inputs: ClassVar[tuple[Inputs, ...]] = (Inputs.DOCUMENTS,)
    phases: ClassVar[tuple[str, ...]] = (PASSAGES, DOCUMENTS, QUERIES, POOL, PAIRS)
    splits: ClassVar[bool] = True
    roles: ClassVar[tuple[Role, ...]] = (
        Role(embed_texts, Served.EMBEDDERS, duty="embed"),
        Role(split_document, Served.CODE, duty="split"),
        Role(find_repeats, Served.CODE, duty="find repeats"),
        Role(choose_event.agent, duty="choose event"),
        Role(summarise_document.agent, duty="summarise"),
        Role(brainstorm_needs.agent, duty="think of needs"),
        Role(write_query.agent, duty="write query"),
        Role(write_document_query.agent, duty="write query for a document"),
        Role(review_query.agent, Served.PEOPLE, duty="review query"),
        Role(rank_texts, Served.CODE, duty="rank texts"),
        Role(grade_directly.agent, Served.PANEL, stand_ins=True, duty="grade"),
        Role(grade_by_steps.agent, Served.PANEL, stand_ins=True, duty="grade in steps"),
        Role(grade_by_criteria.agent, Served.PANEL, stand_ins=True, duty="grade by criteria"),
        Role(find_answer.agent, Served.PANEL, stand_ins=True, duty="find answer"),
        Role(score_criterion.agent, Served.PANEL, stand_ins=True, duty="score criterion"),
        Role(grade_from_scores.agent, Served.PANEL, stand_ins=True, duty="grade from scores"),
        Role(settle_grade.agent, Served.PEOPLE, duty="settle grade"),
    )
    agents: ClassVar[tuple[Agent, ...]] = tuple(role.agent for role in roles if role.served not in APART)
    people: ClassVar[tuple[Agent, ...]] = (settle_grade.agent, review_query.agent)

    setup: Setup
    files: Mapping[str, str]

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Retrieval":
        """The pipeline of a campaign; files that its settings name lie below `folder`. Raises `ConfigError`."""
        asked = RetrievalSettings.model_validate(dict(campaign.settings))
        intents, first = load_intents(asked.intents_file, folder, asked.intents)
        categories, second = load_categories(asked.categories_file, folder, asked.categories)
        files = {"intents": first, "categories": second}
        return cls(Setup(campaign, asked, intents, categories), files)

    @classmethod
    def find_faults(cls, settings: RetrievalSettings, panels: Mapping[str, Panel]) -> Sequence[Fault]:
        """Texts are found by something, and prompts are those of models that embed."""
        embedders = panels.get(embed_texts.name, Panel(())).models
        strange = [name for name in settings.prompts if name not in embedders]
        wrong = f"is no model of the role {embed_texts.name}: name one that embeds texts"
        faults: list[Fault] = [(("prompts", name), wrong) for name in strange]
        if not settings.bm25 and not embedders:
            faults.append((("bm25",), "is false, and no model embeds texts: nothing would find any; set it to true"))
        return faults

    @classmethod
    def starter(cls) -> Starter:
        """Its lines of a first campaign file."""
        return Starter(**read_parts(__package__, cls.name, {}))

    # ------------------------------------------------------------------------------------------------- the phases

    @cached_property
    def parts(self) -> Mapping[str, Any]:
        """What is done in each phase."""
        kinds = (PassagePhase, DocumentPhase, QueryPhase, PoolPhase, PairPhase)
        return dict(zip(self.phases, (kind(self.setup) for kind in kinds), strict=True))

    def part(self, state: Any) -> Any:
        """The phase of an item."""
        return self.parts[state.seed.phase]

    def shows(self, document: Document) -> View:
        """All of it."""
        return whole(document)

    def sources(self) -> Mapping[str, str]:
        """The files of intents and categories."""
        return self.files

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """How many items a phase is to have."""
        wanted: int = self.parts[phase].wanted(sources)
        return wanted

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """The items that begin next."""
        return tuple(islice(self.parts[progress.phase].seeds(sources, progress), progress.room))

    def expect(self) -> Sequence[Expected]:
        """What one attempt at an item takes of each role."""
        return expecting.expect(self.setup)

    def begin(self, seed: Seed) -> Any:
        """What is known of an item of which nothing was said."""
        return self.parts[seed.phase].begin(seed)

    def fold(self, state: Any, answer: Answer) -> Any:
        """One more answer."""
        return self.part(state).fold(state, answer)

    def plan(self, state: Any) -> Sequence[Due] | Ending:
        """What is owed next, or how the item ends."""
        owed: Sequence[Due] | Ending = self.part(state).plan(state)
        return owed

    def body(self, state: Any) -> Any | None:
        """The item as it stands."""
        return self.part(state).body(state)

    def card(self, state: Any, step: str, about: str) -> Card | None:
        """What people see of a query or a pair."""
        return cards.card(self.part(state), state, step, about)

    # --------------------------------------------------------------------------------------------- texts, and doubts

    def pieces(self, body: Mapping[str, Any]) -> Iterable[Piece]:
        """Passages and summaries of documents; of queries themselves and what was written for them."""
        match body["what"]:
            case "passages":
                return tuple(Piece(PASSAGE, first=first, last=last) for first, last in body["passages"])
            case "document":
                summary = (Piece(SUMMARY, body["summary"]),) if body["summary"] else ()
                runs = (Piece(PASSAGE, first=first, last=last) for first, last in body["passages"])
                return (*runs, *summary)
        written = () if self.setup.by_name[body["intent"]].table.takes == "summary" else ((RELEVANT, body["text"]),)
        texts = (*written, *sorted(body["negatives"].items()))
        return (*(Piece(origin, text) for origin, text in texts), Piece(QUERIES, body["query"], group=QUERIES))

    def doubts(self) -> Sequence[str]:
        """A writer that grades its own texts alone, pools by one ranking, and queries in a language nobody checks."""
        campaign, found = self.setup.campaign, []
        families = {name: model.family or model.target for name, model in campaign.models.items()}
        writer = self.setup.model(write_query.agent.name)
        strategies = {strategy for intent in self.setup.intents for strategy in self.setup.strategies(intent)}
        graders = {name for one in strategies for name in campaign.roles[AGENTS[one].name].models}
        if {families[name] for name in graders} <= {families[writer]}:
            found.append(
                f"{writer} writes the queries, and no model of another family grades: such grades favour their own"
                " texts. Name a grader of another family in [roles]; the report tells written from found texts"
            )
        if not self.setup.embedders:
            found.append(
                "no model embeds texts: passages end by length alone, repeats are not found, and BM25 alone finds"
                ' texts. Add one, such as [models.minilm] with local = "minilm" and embeds = true'
            )
        if not is_installed():
            found.append("in which language queries are is not checked: pip install 'benchwright[lang]'")
        elif self.setup.language != SAME and not known_code(self.setup.language):
            found.append(f"whether queries are in {self.setup.language!r} is not checked: name a language in English")
        return found
