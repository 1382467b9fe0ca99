"""How many calls an item takes of each role, and how long they are: for estimates before a run."""

from collections.abc import Iterator, Sequence

from benchwright.agents.retrieval import (
    brainstorm_needs,
    choose_event,
    find_answer,
    grade_directly,
    grade_from_scores,
    review_query,
    score_criterion,
    settle_grade,
    summarise_document,
    write_document_query,
    write_query,
)
from benchwright.pipelines.base import Expected
from benchwright.pipelines.retrieval.grading import AGENTS
from benchwright.pipelines.retrieval.settings import DOCUMENTS, PAIRS, QUERIES, Setup

QUERY, GRADE, NAMES = 60, 40, 400  # tokens of a query with its definitions, of a grade with a reason, of a list
POOLED = 0.4  # of the slots of a pool that rankings fill: they find the same texts (DisastIR: 140 of 600)


def expect(setup: Setup) -> Sequence[Expected]:
    """What one attempt at an item takes of each role."""
    return (*expect_documents(setup), *expect_queries(setup), *expect_pairs(setup))


def expect_documents(setup: Setup) -> Iterator[Expected]:
    """Events where paths do not tell them, and summaries where an intent searches for these."""
    yield Expected(choose_event.agent.name, (0, 2), NAMES, (6, 10), DOCUMENTS, 600)
    if any(one.table.takes == "summary" for one in setup.intents):
        yield Expected(summarise_document.agent.name, (1, 1), 40, (90, 300), DOCUMENTS, setup.settings.summary_tokens)


def expect_queries(setup: Setup) -> Iterator[Expected]:
    """Needs, a query in as many rounds as there are needs, its grades, people."""
    rounds, shown = setup.settings.needs, setup.settings.passage_tokens
    graders = len(setup.campaign.roles[grade_directly.agent.name].models)
    yield Expected(brainstorm_needs.agent.name, (1, 1), QUERY, (20 * rounds, 40 * rounds), QUERIES, shown)
    whole = sum(one.table.takes == "summary" for one in setup.intents) / len(setup.intents)
    if whole < 1:
        yield Expected(write_query.agent.name, (1 - whole, rounds * (1 - whole)), 3 * QUERY, (150, 600), QUERIES, shown)
    if whole:
        yield Expected(write_document_query.agent.name, (whole, rounds * whole), 2 * QUERY, (20, 250), QUERIES, shown)
    yield Expected(
        grade_directly.agent.name, (graders, 2 * graders * rounds), 3 * QUERY, (GRADE // 2, GRADE), QUERIES, shown
    )
    yield Expected(review_query.agent.name, (0, setup.campaign.review.opinions), 0, (0, 0), QUERIES)


def expect_pairs(setup: Setup) -> Iterator[Expected]:
    """Each strategy by its panel, in one call or several; people at the most once for each opinion."""
    shown, roles = setup.settings.passage_tokens, setup.campaign.roles
    for strategy, agent in AGENTS.items():
        share = sum(strategy in setup.strategies(one) for one in setup.intents) / len(setup.intents)
        turns = share * len(roles[agent.name].models) * roles[agent.name].runs
        if not turns:
            continue
        if setup.settings.calls == "one" or strategy == "direct":
            yield Expected(agent.name, (turns * POOLED, turns), 4 * QUERY, (GRADE // 2, GRADE), PAIRS, shown)
            continue
        yield from expect_parts(strategy, turns, shown)
    yield Expected(settle_grade.agent.name, (0, setup.campaign.review.opinions), 0, (0, 0), PAIRS)


def expect_parts(strategy: str, turns: float, shown: int) -> Iterator[Expected]:
    """The separate calls of a strategy."""
    criteria = 2 if strategy == "steps" else 4
    parts = [(score_criterion.agent.name, criteria), (grade_from_scores.agent.name, 1)]
    if strategy == "steps":
        parts.append((find_answer.agent.name, 1))
    for name, calls in parts:
        yield Expected(name, (calls * turns * POOLED, calls * turns), 2 * QUERY, (5, 10), PAIRS, shown)
