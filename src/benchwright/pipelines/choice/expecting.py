"""How many calls one attempt at a question with options takes, and how long they are: for estimates before a run.

From: checkers confirm every option at once, and what is written is hard enough. To: each round and rewrite is needed.
"""

from typing import Any, Literal

from benchwright.agents.base import Agent
from benchwright.agents.choice import answer_item, compare_stems, describe_entity, pick_entity
from benchwright.domain.call import tokens
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.vote import Rule, Tally, certain_route
from benchwright.domain.waves import Waves, size
from benchwright.pipelines.base import Expected
from benchwright.pipelines.choice.deciding import ChoiceSettings
from benchwright.pipelines.choice.refining import RefineSettings
from benchwright.pipelines.polling import waves_of

# Tokens, as long as the forms of replies allow at three bytes a token.
QUESTION, TEXT, VERDICT, PASSAGE = 90, 70, 60, 250


def expect_once(agent: Agent, ask: int, reply: tuple[int, int]) -> Expected:
    """A role that is asked once."""
    return Expected(agent.name, (1, 1), ask, reply)


def expect_choice(agent: Agent, entries: object) -> Expected:
    """A choice from a list, which the question shows."""
    return expect_once(agent, tokens(str(entries)), (30, 120))


def panel_calls(panel: Panel, rule: Rule, waves: Waves) -> tuple[int, int]:
    """How many of a panel's turns one sheet takes: where all agree that what is asked is right, and at most."""
    turns, before = len(panel.models) * panel.runs, 0
    while before < turns and certain_route(Tally(before, before), turns - before, rule) is None:
        before += size(waves, before, turns, [Tally(before, before)], rule)
    return before, turns


def expect_distractors(agent: Agent, settings: ChoiceSettings) -> Expected:
    """Rounds of distractors: one, or as many as may be."""
    wanted = settings.most_distractors
    return Expected(agent.name, (1, 1 + settings.refills), PASSAGE, (wanted * TEXT, wanted * 2 * TEXT))


def expect_checks(agent: Agent, campaign: Campaign, settings: ChoiceSettings, right: int) -> Expected:
    """The panel on the first sheet, or on one for each round, with so many right options at most."""
    panel = campaign.roles[agent.name]
    least, most = panel_calls(panel, campaign.rule, waves_of(settings.waves, panel))
    options = settings.most_distractors + right
    return Expected(
        agent.name,
        (least, most * (1 + settings.refills)),
        QUESTION + options * TEXT // 2,
        (options * VERDICT // 4, options * VERDICT),
    )


def expect_cards(agent: Agent, campaign: Campaign, settings: ChoiceSettings, right: int) -> Expected:
    """People: none, or all options by all."""
    options = settings.most_distractors * (1 + settings.refills) + right
    return Expected(agent.name, (0, options * campaign.review.opinions), 0, (0, 0))


def expect_refinement(campaign: Campaign, settings: RefineSettings | Literal[False], options: int) -> list[Expected]:
    """What hardening a stem takes, with so many options at most."""
    if not settings:
        return []
    pool, same = (campaign.roles[agent.name] for agent in (answer_item.agent, compare_stems.agent))
    turns, rounds = len(pool.models) * pool.runs, settings.rounds
    rewrites = rounds * settings.tries
    verdicts = (options * VERDICT // 4, options * VERDICT)
    answers, votes = turns * settings.measures * (1 + rounds), rewrites * len(same.models) * same.runs
    return [
        Expected(answer_item.agent.name, (1, answers), QUESTION + options * TEXT // 2, verdicts),
        Expected(pick_entity.agent.name, (0, rounds), QUESTION, (20, 90)),
        Expected(describe_entity.agent.name, (0, rewrites), PASSAGE + settings.snippets * VERDICT, (60, 160)),
        Expected(compare_stems.agent.name, (0, votes), 2 * QUESTION, (20, 80)),
    ]


def expect_options(agent: Agent, most: int) -> Expected:
    """A role that writes up to so many right options or conclusions."""
    return expect_once(agent, PASSAGE, (TEXT, most * 3 * TEXT // 2))


def expect_question(agent: Agent) -> Expected:
    """The role that writes the question."""
    return expect_once(agent, PASSAGE, (QUESTION, 3 * QUESTION))


def expect_summary(agent: Agent, knowledge: Any) -> list[Expected]:
    """Facts of graphs in words, where a graph is asked: it may have none."""
    if not (knowledge and knowledge.graphs):
        return []
    return [Expected(agent.name, (0, 1), knowledge.most * 30, (60, knowledge.most * 30))]
