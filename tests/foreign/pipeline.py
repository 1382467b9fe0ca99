"""A stranger's pipeline: from each record of a file a query, then pairs of queries and records, graded by a panel.

Nothing here is known to the house but the line that registers it. It has two phases, so two shapes of item: a query is
about a record, a pair about a query and a record.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import floor
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field
from tests.foreign.agents import grade_pair, settle_pair, write_query
from tests.foreign.body import Body, Given, Pair, Query
from tests.foreign.kind import PAIRS, PairsKind

from benchwright.agents.base import Agent
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View
from benchwright.domain.grade import Grade, GradeRule, Rounding
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending, kept_ending
from benchwright.domain.opinion import Combination, Combine, Ruling, rule_on, standing_opinions
from benchwright.domain.source import Inputs, ItemRef, Outline, Sources
from benchwright.domain.vote import Route
from benchwright.errors import Unreadable
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import HUMAN, Due, Expected, Fault, Role, Served, Usual
from benchwright.pipelines.card import Card, Form, Input, Shown
from benchwright.pipelines.polling import Cast, Poll, SettingOfWaves, SheetAnswer, Terms, waves_of, with_ballot
from benchwright.pipelines.template import Starter, read_parts

QUERIES, JUDGEMENTS = "queries", "pairs"  # the phases
PAIR = "pair"  # what the panel grades, of an item that has nothing else
DOCUMENT_LANGUAGE = "the language of the record"


class PairsSettings(BaseModel):
    """The table `[pairs]` of a campaign file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    depth: int = Field(default=3, ge=1, le=100)  # records that each query is paired with
    bound: int = Field(default=1, ge=0, le=3)  # grades that lie further apart go to people
    rounding: Rounding = Rounding.HALF_UP
    quorum: int = Field(default=2, ge=1, le=20)
    waves: SettingOfWaves = "runs"


@dataclass(frozen=True, slots=True)
class State:
    """What is known of an item: of a query its words, of a pair the poll and what people said."""

    seed: Seed
    poll: Poll[Grade, Any]
    cast: Cast[Grade]
    query: str = ""
    failure: tuple[str, str] | None = None  # the cause why there is no query, and its detail
    said: tuple[Answer, ...] = ()

    @property
    def wishes(self) -> dict[str, Any]:
        """What the seed holds: of a query the record's name and place, of a pair the query and the record's name."""
        wishes: dict[str, Any] = json.loads(self.seed.body)
        return wishes


@dataclass(frozen=True)
class Pairs(Usual):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "pairs"
    kind: ClassVar[PairsKind] = PAIRS
    Settings: ClassVar[type[BaseModel]] = PairsSettings
    question_step: ClassVar[str] = ""
    inputs: ClassVar[tuple[Inputs, ...]] = (Inputs.RECORDS,)
    phases: ClassVar[tuple[str, ...]] = (QUERIES, JUDGEMENTS)
    roles: ClassVar[tuple[Role, ...]] = (
        Role(write_query.agent, duty="writes"),
        Role(grade_pair.agent, Served.PANEL, stand_ins=True, duty="grades"),
        Role(settle_pair.agent, Served.PEOPLE, duty="settles"),
    )
    agents: ClassVar[tuple[Agent, ...]] = tuple(role.agent for role in roles)
    people: ClassVar[tuple[Agent, ...]] = (settle_pair.agent,)

    campaign: Campaign
    settings: PairsSettings

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Pairs":
        """The pipeline of a campaign."""
        return cls(campaign, PairsSettings.model_validate(dict(campaign.settings)))

    @classmethod
    def find_faults(cls, settings: PairsSettings, panels: Mapping[str, Panel]) -> Sequence[Fault]:
        """A quorum that the graders cannot reach would send every pair to people."""
        panel = panels.get(grade_pair.agent.name, Panel(()))
        most = len(panel.models) * panel.runs
        if 0 < most < settings.quorum:
            return [(("quorum",), f"is {settings.quorum}, but {most} grades at most are given: lower it, or ask more")]
        return ()

    @classmethod
    def starter(cls) -> Starter:
        """Its lines of a first campaign file."""
        return Starter(**read_parts(__name__.rpartition(".")[0], cls.name, {}))

    @property
    def language(self) -> str:
        """What is written in."""
        return DOCUMENT_LANGUAGE if self.campaign.language == "document" else self.campaign.language

    @property
    def rule(self) -> GradeRule:
        """How grades become one."""
        asked = self.settings
        return GradeRule(grade_pair.LEAST, grade_pair.MOST, asked.rounding, asked.bound, asked.quorum)

    # ------------------------------------------------------------------------------------------- how items begin

    def shows(self, document: Document) -> View:
        """Nothing of a document: it takes records."""
        raise Unreadable(f"{document.name}: pairs are made of records")

    def sources(self) -> Mapping[str, str]:
        """It draws on no file of its own."""
        return {}

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """A query for each record, then so many pairs for each query."""
        return len(sources) if phase == QUERIES else len(sources) * self.settings.depth

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """The items that begin next."""
        return tuple(islice(self.seeds(sources, progress), progress.room))

    def seeds(self, sources: Sources, progress: Progress) -> Iterator[Seed]:
        """All that could begin, in order: further tries first."""
        make = self.query_seed if progress.phase == QUERIES else self.pair_seed
        for slot, attempt in progress.discarded:
            if attempt + 1 < self.campaign.quota.tries:
                yield make(sources, progress, slot, attempt + 1)
        for slot in range(progress.begun, self.wanted_items(progress.phase, sources)):
            yield make(sources, progress, slot, 0)

    def query_seed(self, sources: Sources, progress: Progress, slot: int, attempt: int) -> Seed:
        """A query is about a record."""
        record = sources[slot]
        wishes = {"docno": docno(record), "place": slot}
        return Seed(slot, attempt, record.about, canonical(wishes), QUERIES)

    def pair_seed(self, sources: Sources, progress: Progress, slot: int, attempt: int) -> Seed:
        """A pair is about a query and a record: its own first, then those behind it in the corpus."""
        query = sources[slot // self.settings.depth]
        body, name = PAIRS.read(query.body), query.about
        assert isinstance(body, Query)
        assert isinstance(name, ItemRef)
        record = progress.corpus[(body.place + slot % self.settings.depth) % len(progress.corpus)]
        wishes = {"query": body.query, "qid": name.item[:10], "docno": docno(record)}
        return Seed(slot, attempt, (name, record.about), canonical(wishes), JUDGEMENTS)

    def expect(self) -> Sequence[Expected]:
        """A call for each query; grades by as many as could settle one at least, and a person, for each pair."""
        panel = self.campaign.roles[grade_pair.agent.name]
        grades = (self.settings.quorum, len(panel.models) * panel.runs)
        return (
            Expected(write_query.agent.name, (1, 1), 5, (5, 40), QUERIES),
            Expected(grade_pair.agent.name, grades, 20, (10, 60), JUDGEMENTS),
            Expected(settle_pair.agent.name, (0, self.campaign.review.opinions), 0, (0, 0), JUDGEMENTS),
        )

    # ------------------------------------------------------------------------------------------ how items are made

    def begin(self, seed: Seed) -> State:
        """Nothing was said yet."""
        panel = self.campaign.roles[grade_pair.agent.name]
        substitutes = {name: self.campaign.models[name].substitute for name in panel.models}
        terms = Terms(panel, self.rule, waves_of(self.settings.waves, panel), substitutes)
        return State(seed, Poll(0, (PAIR,), {}, terms), {})

    def fold(self, state: State, answer: Answer) -> State:
        """One more answer."""
        if answer.step == settle_pair.agent.name:
            return replace(state, said=tuple(sorted((*state.said, answer), key=lambda one: one.by)))
        if answer.step == write_query.agent.name and answer.failure:
            return replace(state, failure=(answer.failure, answer.value["detail"]))
        if answer.step == write_query.agent.name:
            return replace(state, query=answer.value["query"])
        ballot = graded(answer)
        cast = with_ballot(state.cast, ballot)
        return replace(state, cast=cast, poll=state.poll.with_ballot(ballot, cast))

    def plan(self, state: State) -> Sequence[Due] | Ending:
        """What is owed next, or how the item ends."""
        return self.plan_query(state) if state.seed.phase == QUERIES else self.plan_pair(state)

    def plan_query(self, state: State) -> Sequence[Due] | Ending:
        """A query, asked for once."""
        if state.failure:
            return discarded_ending("no query", state.failure[1])
        if not state.query:
            model = self.campaign.roles[write_query.agent.name].models[0]
            return [Due(write_query.agent, write_query.Ask(self.language), model, "", state.seed.attempt)]
        return kept_ending("kept", self.body(state))

    def plan_pair(self, state: State) -> Sequence[Due] | Ending:
        """Grades in waves, then people where the panel cannot settle it."""
        ask = grade_pair.Ask(self.language)
        if asked := state.poll.wave.questions:
            turns = [(one.turn, one.about) for one in asked.values()]
            return [Due(grade_pair.agent, ask, turn.model, about, turn.run) for turn, about in turns]
        people = self.ruling(state)
        if self.settled(state) is Route.HUMAN and people.holds is None:
            given = sum(answer.value["decision"] != "withdraw" for answer in state.said)
            question = self.question(state)
            return [Due(settle_pair.agent, question, HUMAN, PAIR, run) for run in range(given, given + people.missing)]
        return kept_ending("graded by people" if self.settled(state) is Route.HUMAN else "graded", self.body(state))

    def settled(self, state: State) -> Any:
        """The panel's grade, or that people decide; None while it is asked."""
        return state.poll.end(PAIR)

    def ruling(self, state: State) -> Ruling:
        """What people come to."""
        return rule_on(standing_opinions(state.said), self.campaign.review, COMBINE)

    def body(self, state: State) -> Body | None:
        """The item as it stands; None of a query that is not written."""
        wishes = state.wishes
        if state.seed.phase == QUERIES:
            return Query(state.query, wishes["docno"], wishes["place"]) if state.query else None
        grades = tuple(Given(one.by, one.grade, one.reason) for one in state.poll.words(PAIR))
        mean = state.poll.counts[PAIR].tally.mean
        panel, people = self.settled(state), self.ruling(state).holds
        said = tuple(Given(one.by, one.values["grade"], one.reason) for one in standing_opinions(state.said))
        by_people = self.by_people(people.values["grade"]) if people else None
        grade = panel if isinstance(panel, int) else by_people
        return Pair(wishes["qid"], wishes["query"], wishes["docno"], grades, str(mean or ""), said, grade)

    def by_people(self, mean: Fraction) -> int:
        """The mean of what people say, as a grade: rounded up from the half."""
        return floor(mean + Fraction(1, 2))

    # ------------------------------------------------------------------------------------ people, and what is measured

    def question(self, state: State) -> settle_pair.Ask:
        """What people are asked."""
        grades = tuple(f"{one.by} says {one.grade}: {one.reason}" for one in state.poll.words(PAIR))
        few = state.poll.counts[PAIR].tally.cast < self.settings.quorum
        return settle_pair.Ask(
            state.wishes["query"], grades, "too few graded it" if few else "the grades lie far apart"
        )

    def card(self, state: State, step: str, about: str) -> Card | None:
        """The card of a pair; None for anything else."""
        if state.seed.phase == QUERIES or about != PAIR:
            return None
        ask = self.question(state)
        return Card(
            step=step,
            about=about,
            title="Pair",
            shown=(
                Shown("query", "Query", ask.query, subject=True),
                Shown("docno", "Record", state.wishes["docno"]),
                Shown("grades", "Grades", ask.grades, hidden=True),
            ),
            inputs=(
                Input("grade", "Grade", Form.NUMBER, least=grade_pair.LEAST, most=grade_pair.MOST),
                Input("reason", "Reason", Form.TEXT, required=False),
            ),
            rules=settle_pair.agent.prompt.rules,
            why=ask.why,
            combine=COMBINE,
        )


COMBINE = Combine(Combination.MEAN, bound=1, over=("grade",))


def docno(record: Outline) -> str:
    """A record's own name."""
    return str((record.body or {})["id"])


def graded(answer: Answer) -> SheetAnswer[Grade]:
    """A grader's answer as a ballot."""
    model, _, run = answer.by.rpartition("#")
    sheet, _, again = answer.about.partition(".")
    said = answer.value
    words = {} if answer.failure else {PAIR: Grade(PAIR, answer.by, said["grade"], said["reason"])}
    return SheetAnswer(int(sheet), model, int(run) - 1, words, answer.failure, int(again or 0))


def register() -> None:
    """The line in the registry that a kind needs."""
    PIPELINES[Pairs.name] = Pairs


@contextmanager
def registered() -> Iterator[None]:
    """The same for a while."""
    register()
    try:
        yield
    finally:
        del PIPELINES[Pairs.name]
