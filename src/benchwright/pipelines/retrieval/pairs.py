"""The last phase: pairs of a query and a text, each graded by the panel, and by people where it does not agree.

DisastIR (arXiv 2505.15856), section 3.6. A pair whose graders cannot settle it goes to people; one that failed with a
strategy is marked, never dropped. All of it is pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Any

from benchwright.agents.retrieval import settle_grade
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Ending, Progress, Seed, kept_ending
from benchwright.domain.opinion import Combination, Combine, Ruling, rule_on, standing_opinions
from benchwright.domain.source import Passage, Sources, view_from_json
from benchwright.domain.vote import Route
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.retrieval.body import PLANTED, Given, Pair
from benchwright.pipelines.retrieval.grading import PAIR, GradeState, Grading, Judged
from benchwright.pipelines.retrieval.queries import passage_field, said_of
from benchwright.pipelines.retrieval.settings import PAIRS, Setup

COMBINE = Combine(Combination.MEAN, bound=1, over=("grade",))
TEST_SHEET = 1  # the sheet of a planted pair: what is said on it tests the graders
HALF = Fraction(1, 2)
GRADED, BY_PEOPLE = "graded", "graded by people"


@dataclass(frozen=True, slots=True)
class PairState:
    """What is known of a pair."""

    seed: Seed
    wishes: Mapping[str, Any]
    graded: GradeState
    said: tuple[Answer, ...] = ()

    @property
    def planted(self) -> bool:
        """Whether it tests the graders."""
        return bool(self.wishes["origin"] == PLANTED)


@dataclass(frozen=True)
class PairPhase:
    """One item for each query and each of its texts."""

    setup: Setup

    @property
    def stride(self) -> int:
        """Slots for each query: no pool is greater."""
        asked = self.setup.settings
        rankings = asked.bm25 + len(asked.modes) * len(self.setup.embedders)
        written = max(1 + len(one.table.negatives) for one in self.setup.intents)
        return rankings * asked.depth + written + 1

    def wanted(self, sources: Sources) -> int:
        """As many as the pools hold; before there are pools, as many as they may hold."""
        if len(sources) and sources[0].body is None:
            return len(sources) * self.stride
        return sum(len((outline.body or {})["candidates"]) for outline in sources)

    def seeds(self, sources: Sources, progress: Progress) -> Iterator[Seed]:
        """The texts of one query after the other."""
        place, number = divmod(progress.begun, self.stride)
        while place < len(sources):
            outline = sources[place]
            pool: Mapping[str, Any] = outline.body or {}
            for n in range(number, len(pool["candidates"])):
                yield self.seed(pool, place * self.stride + n, pool["candidates"][n])
            place, number = place + 1, 0

    def seed(self, pool: Mapping[str, Any], slot: int, one: Mapping[str, Any]) -> Seed:
        """A pair is about a passage, or about nothing that the corpus holds."""
        wishes = {name: pool[name] for name in ("query_item", "intent", "category", "query")}
        finders = {found["by"] for found in one["found"]}
        sole = finders.pop() if len(finders) == 1 else ""
        wishes |= {"doc": one["id"], "origin": one["origin"], "own": one["own"], "sole": sole}
        if one["last"]:
            about: Any = Passage(view_from_json(pool["views"][one["view"]]), one["first"], one["last"])
            return Seed(slot, 0, about, canonical(wishes), PAIRS)
        return Seed(slot, 0, (), canonical(wishes | {"text": one["text"]}), PAIRS)

    def begin(self, seed: Seed) -> PairState:
        """Nobody has graded it."""
        wishes = Answer("", "", "", seed.body).value
        sheet = TEST_SHEET if wishes["origin"] == PLANTED else 0
        return PairState(seed, wishes, self.panels[wishes["intent"]].begin(sheet))

    @cached_property
    def panels(self) -> Mapping[str, Grading]:
        """The panel of each intent."""
        return {one.name: Grading(self.setup, one) for one in self.setup.intents}

    def grading(self, state: PairState) -> Grading:
        """The panel of its intent."""
        return self.panels[state.wishes["intent"]]

    def fold(self, state: PairState, answer: Answer) -> PairState:
        """One more answer."""
        if answer.step == settle_grade.agent.name:
            return replace(state, said=tuple(sorted((*state.said, answer), key=lambda one: one.by)))
        return replace(state, graded=self.grading(state).fold(state.graded, answer))

    def plan(self, state: PairState) -> Sequence[Due] | Ending:
        """Grades in waves, then people where these do not settle it, or where it was drawn."""
        if owed := self.grading(state).owed(state.graded, self.judged(state)):
            return owed
        if not self.asks_people(state):
            return kept_ending(GRADED, self.body(state))
        people = self.ruling(state)
        if people.holds is None:
            given = sum(answer.value["decision"] != "withdraw" for answer in state.said)
            ask = self.question(state)
            return [Due(settle_grade.agent, ask, HUMAN, PAIR, run) for run in range(given, given + people.missing)]
        return kept_ending(BY_PEOPLE, self.body(state))

    def judged(self, state: PairState) -> Judged:
        """The query and the text."""
        about = state.seed.about
        text = passage_field(about) if isinstance(about, Passage) else str(state.wishes["text"])
        return Judged(state.wishes["query"], text)

    def asks_people(self, state: PairState) -> bool:
        """Whether people grade it; those that test graders they never see."""
        return not state.planted and bool(self.why(state))

    def why(self, state: PairState) -> str:
        """Why people are asked; "" where nothing is the reason."""
        grading = self.grading(state)
        if grading.end(state.graded) is Route.HUMAN:
            few = state.graded.poll.counts[PAIR].tally.cast < grading.terms.rule.quorum
            return "too few models could grade it" if few else "the grades of the models lie far apart"
        share = self.setup.campaign.review.audit
        drawn = seeded_random(self.setup.campaign.seed, state.seed.id, "audit").random() < share
        return "it was drawn to see how well the models grade" if drawn else ""

    def ruling(self, state: PairState) -> Ruling:
        """What people come to."""
        return rule_on(standing_opinions(state.said), self.setup.campaign.review, COMBINE)

    def question(self, state: PairState) -> settle_grade.Ask:
        """What people are asked."""
        intent, judged = self.grading(state).intent, self.judged(state)
        return settle_grade.Ask(
            intent.table.query, intent.levels, judged.query, judged.text, self.opinions(state), self.why(state)
        )

    def opinions(self, state: PairState) -> tuple[str, ...]:
        """The grades of the models, a line each."""
        words = self.grading(state).words(state.graded)
        return tuple(
            f"{turn.model}, {turn.strategy}: {'cannot say' if word.grade is None else word.grade}"
            f"{f' - {word.reason}' if word.reason else ''}"
            for turn, word in words
        )

    def body(self, state: PairState) -> Pair:
        """The pair as it stands."""
        grading, wishes = self.grading(state), state.wishes
        end, people = grading.end(state.graded), self.ruling(state).holds
        by_people = floor(people.values["grade"] + HALF) if people and self.asks_people(state) else None
        grade = by_people if by_people is not None else end if isinstance(end, int) else None
        return Pair(
            query_item=wishes["query_item"],
            intent=wishes["intent"],
            category=wishes["category"],
            query=wishes["query"],
            doc=wishes["doc"],
            origin=wishes["origin"],
            own=wishes["own"],
            grades=tuple(
                Given(f"{turn.model}#{turn.run + 1}", turn.strategy, word.grade, word.reason)
                for turn, word in grading.words(state.graded)
            ),
            mean=grading.mean(state.graded),
            people=tuple(said_of(one) for one in standing_opinions(state.said)),
            grade=grade,
            incomplete=grading.is_incomplete(state.graded),
            planted=state.planted,
            sole=wishes["sole"],
            panel=end if isinstance(end, int) else None,
        )
