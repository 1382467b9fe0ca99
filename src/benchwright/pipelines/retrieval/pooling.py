"""The fourth phase: for each query the texts that are graded, found by code.

DisastIR (arXiv 2505.15856), section 3.5: the best texts of several rankings, exact and by HNSW; what was written for
the query joins them. People see a query that nearly repeats another one. All of it is pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.agents.retrieval import review_query
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending, kept_ending
from benchwright.domain.opinion import DISCARD, Ruling, rule_on, standing_opinions
from benchwright.domain.source import ItemRef, Sources
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.retrieval.body import PLANTED, Candidate, Found, Pool, Query, adapter
from benchwright.pipelines.retrieval.queries import said_of
from benchwright.pipelines.retrieval.settings import DOCUMENTS, POOL, QUERIES, Setup
from benchwright.pipelines.texts import (
    TEXTS,
    RankAsk,
    Ranked,
    Repeats,
    RepeatsAsk,
    find_repeats,
    rank_texts,
    text_name,
)

PARTNERS = 20  # queries that are looked at for one with a text that is surely irrelevant


@dataclass(frozen=True, slots=True)
class PoolState:
    """What is known of the texts of a query."""

    seed: Seed
    item: str
    query: Query
    planted: str
    repeats: Repeats | None = None
    ranked: Ranked | None = None
    failure: str = ""
    said: tuple[Answer, ...] = ()


@dataclass(frozen=True)
class PoolPhase:
    """One item for each query."""

    setup: Setup

    def wanted(self, sources: Sources) -> int:
        """As many as there are queries."""
        return len(sources)

    def seeds(self, sources: Sources, progress: Progress) -> Iterator[Seed]:
        """Each query once."""
        for slot in range(progress.begun, len(sources)):
            outline = sources[slot]
            assert isinstance(outline.about, ItemRef)  # noqa: S101 - a barrier passes items on
            body = {"query": outline.body, "planted": self.planted(sources, slot)}
            yield Seed(slot, 0, outline.about, canonical(body), POOL)

    def planted(self, sources: Sources, slot: int) -> str:
        """The relevant text of a query about something else, in a share of the queries; "" in the others."""
        chance = seeded_random(self.setup.campaign.seed, POOL, slot, PLANTED)
        if chance.random() >= self.setup.settings.planted:
            return ""
        mine: Mapping[str, Any] = sources[slot].body or {}
        for _ in range(min(PARTNERS, len(sources))):
            other: Mapping[str, Any] = sources[chance.randrange(len(sources))].body or {}
            if other["intent"] == mine["intent"] and other["event"] != mine["event"]:
                return str(other["text"])
        return ""

    def begin(self, seed: Seed) -> PoolState:
        """The query is known."""
        wishes, about = Answer("", "", "", seed.body).value, seed.about
        query = adapter().validate_python(wishes["query"])
        assert isinstance(query, Query)  # noqa: S101 - the phase before makes these
        assert isinstance(about, ItemRef)  # noqa: S101 - see `seeds`
        return PoolState(seed, about.item, query, wishes["planted"])

    def fold(self, state: PoolState, answer: Answer) -> PoolState:
        """One more answer."""
        if answer.step == review_query.agent.name:
            return replace(state, said=tuple(sorted((*state.said, answer), key=lambda one: one.by)))
        if answer.failure:
            return replace(state, failure=answer.value["detail"])
        if answer.step == find_repeats.name:
            return replace(state, repeats=Repeats.model_validate(answer.value))
        return replace(state, ranked=Ranked.model_validate(answer.value))

    def plan(self, state: PoolState) -> Sequence[Due] | Ending:
        """Whether it repeats another query, what people say of that, then its texts."""
        asked = self.setup.settings
        if state.failure:
            return discarded_ending("no texts", state.failure)
        if state.repeats is None:
            ask: Any = RepeatsAsk(QUERIES, state.item, asked.repeated_query, QUERIES)
            return [Due(find_repeats, ask, TEXTS)]
        if end := self.settle_repeat(state):
            return end
        if state.ranked is None:
            own = (state.query.text, *state.query.negatives.values())
            task = self.setup.by_name[state.query.intent].table.task
            phases = (DOCUMENTS, QUERIES)
            ask = RankAsk(state.query.query, task, phases, asked.depth, asked.bm25, asked.modes, own)
            return [Due(rank_texts, ask, TEXTS)]
        body = self.body(state)
        if not body.candidates:
            return discarded_ending("no texts", "no ranking has found any, and none was written")
        return kept_ending("found", body)

    def settle_repeat(self, state: PoolState) -> Sequence[Due] | Ending | None:
        """What becomes of a query that nearly repeats another; None where it stays."""
        other, how = self.repeated(state), self.setup.settings.repeated_queries
        if not other or how == "keep":
            return None
        cause = f"it nearly repeats the query of item {other[:10]}"
        if how == "discard":
            return discarded_ending("near-duplicate query", cause, self.body(state))
        ruling = self.ruling(state)
        if ruling.holds is None:
            given = sum(answer.value["decision"] != "withdraw" for answer in state.said)
            sort = self.setup.by_name[state.query.intent].table.query
            ask = review_query.Ask(sort, state.query.query, state.query.text, cause)
            return [Due(review_query.agent, ask, HUMAN, "", run) for run in range(given, given + ruling.missing)]
        if ruling.holds.decision == DISCARD:
            return discarded_ending("discarded by people", ruling.holds.reason, self.body(state))
        return None

    def repeated(self, state: PoolState) -> str:
        """The item of the query that it nearly repeats; "" for none."""
        found = state.repeats.repeats if state.repeats else {}
        return next((where.item for where in found.values()), "")

    def ruling(self, state: PoolState) -> Ruling:
        """What people come to."""
        return rule_on(standing_opinions(state.said), self.setup.campaign.review)

    def body(self, state: PoolState) -> Pool:
        """The pool as it stands."""
        query, ranked = state.query, state.ranked
        rankings = tuple(f"{one.by}/{one.mode}" for one in ranked.rankings) if ranked else ()
        return Pool(
            query_item=state.item,
            intent=query.intent,
            category=query.category,
            event=query.event,
            query=query.query,
            own=text_name(query.text),
            candidates=self.candidates(state),
            views=ranked.views if ranked else (),
            rankings=rankings,
            ranks=ranked.ranks if ranked else {},
            texts=ranked.texts if ranked else 0,
            repeats=self.repeated(state),
            said=tuple(said_of(one) for one in standing_opinions(state.said)),
        )

    def candidates(self, state: PoolState) -> tuple[Candidate, ...]:
        """The texts under their names, in the order of these: which ranking found them does not show."""
        if state.ranked is None:
            return ()
        found: dict[str, list[Found]] = {}
        for ranking in state.ranked.rankings:
            for rank, (name, score) in enumerate(ranking.hits, 1):
                found.setdefault(name, []).append(Found(ranking.by, ranking.mode, rank, score))
        own = {text_name(text) for text in (state.query.text, *state.query.negatives.values())}
        each = {
            one.id: Candidate(
                id=one.id,
                origin=one.origin,
                found=tuple(found.get(one.id, ())),
                own=one.id in own,
                view=one.view,
                first=one.first,
                last=one.last,
                text=one.text,
            )
            for one in state.ranked.stated
        }
        if state.planted and (name := text_name(state.planted)) not in each:
            each[name] = Candidate(name, PLANTED, text=state.planted)
        return tuple(each[name] for name in sorted(each))
