"""The third phase: queries. Needs come to mind, one is drawn, a query and its texts are written and checked.

DisastIR (arXiv 2505.15856), section 3.4; the check of consistency is the advice of its appendix E. A query that fails
is written again for the next of its needs, and then the slot begins again with another passage. All of it is pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from benchwright.agents.base import Quoted
from benchwright.agents.retrieval import (
    brainstorm_needs,
    grade_directly,
    review_query,
    write_document_query,
    write_query,
)
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending, kept_ending
from benchwright.domain.opinion import DISCARD, EDIT, Ruling, rule_on, standing_opinions
from benchwright.domain.source import ItemRef, Outline, Passage, Sources, view_from_json
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.retrieval.body import Query, Said
from benchwright.pipelines.retrieval.cells import WHOLE, Origin, Rows, cell_of, cells
from benchwright.pipelines.retrieval.intents import Intent, size_of
from benchwright.pipelines.retrieval.settings import QUERIES, Setup

OWN, ORIGIN = "own", "origin"  # what is graded to see whether a query is consistent
WRITERS = (write_query.agent.name, write_document_query.agent.name)
ALL_SAME = "its own text, or the passage that it comes from, does not fit it"


@dataclass(frozen=True, slots=True)
class QueryState:
    """What is known of a query: `rounds` are what was written, `grades` what was graded, by round and what it is."""

    seed: Seed
    wishes: Mapping[str, Any]
    needs: Answer | None = None
    rounds: Mapping[int, Answer] = field(default_factory=dict)
    grades: Mapping[tuple[int, str], tuple[Answer, ...]] = field(default_factory=dict)
    said: tuple[Answer, ...] = ()

    @property
    def intent(self) -> str:
        """The name of its intent."""
        return str(self.wishes["intent"])


@dataclass(frozen=True)
class QueryPhase:
    """As many items for each intent and category as are asked for."""

    setup: Setup
    made: dict[tuple[object, ...], Rows] = field(default_factory=dict, compare=False)

    def rows(self, sources: Sources) -> Rows:
        """The rows of all cells, made once: the sources of a phase are fixed, so their ends tell them apart."""
        ends = [sources[place].about for place in (0, len(sources) - 1)] if len(sources) else []
        key = (len(sources), *ends)
        if key not in self.made:
            self.made.clear()
            self.made[key] = Rows(sources, self.setup.categories, self.setup.campaign.seed)
        return self.made[key]

    def wanted(self, sources: Sources) -> int:
        """So many in each cell."""
        return len(self.setup.intents) * len(self.setup.categories) * self.setup.settings.queries

    # ------------------------------------------------------------------------------------------- how items begin

    def seeds(self, sources: Sources, progress: Progress) -> Iterator[Seed]:
        """Further tries first, each from another passage; then the slots that have not begun."""
        rows = self.rows(sources)
        for slot, attempt in progress.discarded:
            if attempt + 1 < self.setup.campaign.quota.tries:
                yield from self.seed(sources, rows, slot, attempt + 1)
        for slot in range(progress.begun, self.wanted(sources)):
            yield from self.seed(sources, rows, slot, 0)

    def seed(self, sources: Sources, rows: Rows, slot: int, attempt: int) -> Iterator[Seed]:
        """The try at a slot; none where its cell has no further passage."""
        cell, turn = cell_of(slot, cells(self.setup.intents, self.setup.categories))
        origin = rows.origin(cell, turn + attempt * self.setup.settings.queries)
        if origin is None:
            return
        outline = sources[origin.document]
        body: Mapping[str, Any] = outline.body or {}
        chance = seeded_random(self.setup.campaign.seed, QUERIES, slot, attempt)
        wishes = {
            "intent": cell.intent.name,
            "category": cell.category.name,
            "event": body["event"],
            "document": body["name"],
            "summary": body["summary"] if origin.passage == WHOLE else "",
            "drawn": dict(chance.choice(cell.intent.table.draws)),
        }
        yield Seed(slot, attempt, about_of(outline, origin), canonical(wishes), QUERIES)

    def begin(self, seed: Seed) -> QueryState:
        """Nothing was said yet."""
        return QueryState(seed, Answer("", "", "", seed.body).value)

    def fold(self, state: QueryState, answer: Answer) -> QueryState:
        """One more answer."""
        if answer.step == brainstorm_needs.agent.name:
            return replace(state, needs=answer)
        if answer.step in WRITERS:
            return replace(state, rounds={**state.rounds, int(answer.about): answer})
        if answer.step == review_query.agent.name:
            return replace(state, said=tuple(sorted((*state.said, answer), key=lambda one: one.by)))
        number, _, what = answer.about.partition(":")
        place = (int(number), what)
        graded = tuple(sorted((*state.grades.get(place, ()), answer), key=lambda one: one.by))
        return replace(state, grades={**state.grades, place: graded})

    # --------------------------------------------------------------------------------------------- how items are made

    def plan(self, state: QueryState) -> Sequence[Due] | Ending:
        """Needs, then rounds until a query is consistent, then people where they see it."""
        if state.needs is None:
            return [self.due_for_needs(state)]
        if state.needs.failure:
            return discarded_ending(f"{state.needs.step}: {state.needs.failure}", state.needs.value["detail"])
        for number, need in enumerate(self.needs(state)):
            written = state.rounds.get(number)
            if written is None:
                return [self.due_for_query(state, number, need)]
            if written.failure:
                continue
            if owed := self.checks(state, number):
                return owed
            if self.setup.settings.inconsistent != "refill" or self.is_consistent(state, number):
                return self.finish(state, number)
        return self.give_up(state)

    def needs(self, state: QueryState) -> tuple[str, ...]:
        """The needs in a seeded order: the first is taken, the others are for further rounds."""
        found = list(state.needs.value["needs"]) if state.needs and not state.needs.failure else []
        seeded_random(self.setup.campaign.seed, state.seed.slot, state.seed.attempt, "needs").shuffle(found)
        return tuple(found)

    def give_up(self, state: QueryState) -> Ending:
        """No need has led to a query."""
        written = [one for _, one in sorted(state.rounds.items())]
        if all(one.failure for one in written):
            return discarded_ending(f"{written[-1].step}: {written[-1].failure}", written[-1].value["detail"])
        return discarded_ending("inconsistent", ALL_SAME)

    def due_for_needs(self, state: QueryState) -> Due:
        """The question for needs."""
        table = self.intent(state).table
        ask = brainstorm_needs.Ask(
            table.query, table.text, state.wishes["event"], self.setup.settings.needs, self.setup.language
        )
        return Due(brainstorm_needs.agent, ask, self.setup.model(brainstorm_needs.agent.name))

    def due_for_query(self, state: QueryState, number: int, need: str) -> Due:
        """The question for a query, and for its texts where these are written."""
        intent, drawn, asked = self.intent(state), state.wishes["drawn"], self.setup.settings
        names = "yes" if intent.table.names_event else "no"
        size, event = size_of(drawn["query_length"]), state.wishes["event"]
        if intent.table.takes == "summary":
            agent = write_document_query.agent
            ask: Any = write_document_query.Ask(
                query=intent.table.query,
                need=need,
                event=event,
                query_length=size,
                clarity=drawn["clarity"],
                difficulty=drawn["difficulty"],
                copied=asked.copied,
                names=names,
                language=self.setup.language,
            )
        else:
            agent = write_query.agent
            ask = write_query.Ask(
                query=intent.table.query,
                text=intent.table.text,
                need=need,
                event=event,
                query_length=size,
                text_length=size_of(drawn["text_length"]),
                clarity=drawn["clarity"],
                difficulty=drawn["difficulty"],
                negatives=intent.negatives,
                copied=asked.copied,
                names=names,
                language=self.setup.language,
            )
        return Due(agent, ask, self.setup.model(agent.name), str(number))

    def intent(self, state: QueryState) -> Intent:
        """Its intent."""
        return self.setup.by_name[state.intent]

    # ------------------------------------------------------------------------------------------------ consistency

    def checks(self, state: QueryState, number: int) -> list[Due]:
        """The grades that are still missing of the query's own text, and of the passage that it comes from."""
        intent, agent = self.intent(state), grade_directly.agent
        written = self.texts(state, number)
        shown: dict[str, Any] = {OWN: written[1]}
        if intent.table.seed_graded and isinstance(state.seed.about, Passage):
            shown[ORIGIN] = passage_field(state.seed.about)
        owed = []
        for what, text in shown.items():
            graded = {answer.by for answer in state.grades.get((number, what), ())}
            ask = grade_directly.Ask(intent.table.query, intent.levels, intent.most, written[0], text)
            dues = [Due(agent, ask, model, f"{number}:{what}") for model in self.graders]
            owed += [due for due in dues if due.by not in graded]
        return owed

    @property
    def graders(self) -> tuple[str, ...]:
        """Who grades in one step."""
        return self.setup.campaign.roles[grade_directly.agent.name].models

    def texts(self, state: QueryState, number: int) -> tuple[str, str]:
        """The query of a round, and its relevant text."""
        value = state.rounds[number].value
        return str(value["query"]), str(value.get("text") or state.wishes["summary"])

    def mean(self, state: QueryState, number: int, what: str) -> Fraction | None:
        """The mean grade; None where nobody could say."""
        answers = [one for one in state.grades.get((number, what), ()) if not one.failure]
        grades = [one.value["grade"] for one in answers if one.value["grade"] is not None]
        return Fraction(sum(grades), len(grades)) if grades else None

    def is_consistent(self, state: QueryState, number: int) -> bool:
        """Whether its own text is relevant, and the passage that it comes from is not irrelevant, as far as known."""
        own, origin = self.mean(state, number, OWN), self.mean(state, number, ORIGIN)
        return (own is None or own >= self.intent(state).table.relevant) and origin != 0

    # ----------------------------------------------------------------------------------------------------- people

    def finish(self, state: QueryState, number: int) -> Sequence[Due] | Ending:
        """Kept, unless people are to see it and have not kept it."""
        if not (why := self.why_people(state, number)):
            return kept_ending("kept", self.body(state))
        ruling = self.ruling(state)
        if ruling.holds is None:
            given = sum(answer.value["decision"] != "withdraw" for answer in state.said)
            query, text = self.texts(state, number)
            ask = review_query.Ask(self.intent(state).table.query, query, text, why)
            return [Due(review_query.agent, ask, HUMAN, "", run) for run in range(given, given + ruling.missing)]
        if ruling.holds.decision == DISCARD:
            return discarded_ending("discarded by people", ruling.holds.reason, self.body(state))
        return kept_ending("kept by people", self.body(state))

    def why_people(self, state: QueryState, number: int) -> str:
        """Why people see it; "" where they do not."""
        asked = self.setup.settings
        if asked.review_queries == "never":
            return ""
        if asked.review_queries == "all":
            return "every query is seen by people before texts are found for it"
        if asked.inconsistent == "people" and not self.is_consistent(state, number):
            return ALL_SAME
        share = self.setup.campaign.review.audit
        drawn = seeded_random(self.setup.campaign.seed, state.seed.id, "audit").random() < share
        return "it was drawn to see how well queries are written" if drawn else ""

    def ruling(self, state: QueryState) -> Ruling:
        """What people come to."""
        return rule_on(standing_opinions(state.said), self.setup.campaign.review)

    def last_round(self, state: QueryState) -> int | None:
        """The round whose query stands: the last that was written."""
        written = [number for number, answer in state.rounds.items() if not answer.failure]
        return max(written, default=None)

    def body(self, state: QueryState) -> Query | None:
        """The query as it stands; None before one is written."""
        number = self.last_round(state)
        if number is None:
            return None
        (query, text), holds = self.texts(state, number), self.ruling(state).holds
        reworded = holds.text if holds and holds.decision == EDIT else ""
        means = {what: self.mean(state, number, what) for what in (OWN, ORIGIN)}
        needs = self.needs(state)
        return Query(
            intent=state.intent,
            category=state.wishes["category"],
            event=state.wishes["event"],
            document=state.wishes["document"],
            query=reworded or query,
            text=text,
            negatives=dict(state.rounds[number].value.get("negatives", {})),
            drawn=state.wishes["drawn"],
            needs=(needs[number], *(one for n, one in enumerate(needs) if n != number)),
            checked={what: str(mean) for what, mean in means.items() if mean is not None},
            said=tuple(said_of(one) for one in standing_opinions(state.said)),
            replaces=query if reworded else "",
        )


def about_of(outline: Outline, origin: Origin) -> Passage | ItemRef:
    """What a query is about: a passage of a document, or the item with its summary."""
    assert isinstance(outline.about, ItemRef)  # noqa: S101 - a barrier passes items on
    if origin.passage == WHOLE:
        return outline.about
    body: Mapping[str, Any] = outline.body or {}
    return Passage(view_from_json(body["view"]), *body["passages"][origin.passage - 1])


def passage_field(passage: Passage) -> Quoted:
    """The sentences of a passage, as a question quotes them."""
    return Quoted(tuple(range(passage.first, passage.last + 1)), bare=True)


def said_of(opinion: Any) -> Said:
    """A person's decision."""
    return Said(opinion.by, opinion.decision, opinion.reason, opinion.values.get("grade"), opinion.text)
