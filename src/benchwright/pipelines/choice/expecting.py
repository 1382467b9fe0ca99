"""How many calls one attempt at a question with options takes, and how long they are: for estimates before a run.

From: checkers confirm every option at once, and what is written is hard enough. To: each round and rewrite is needed.
"""

from typing import Any, Literal

from benchwright.agents.base import Agent
from benchwright.agents.choice import (
    answer_item,
    check_evidence,
    check_stem,
    compare_stems,
    describe_entity,
    pick_entity,
    replace_distractors,
    review_stem,
)
from benchwright.domain.call import tokens
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.veto import FamilyRule
from benchwright.domain.vote import Route, Vote
from benchwright.domain.waves import Waves, Weighing, size
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


def panel_calls(panel: Panel, rule: Weighing[Vote, Any, Route], waves: Waves) -> tuple[int, int]:
    """How many of a panel's turns one sheet takes: where all agree that what is asked is right, and at most."""
    models, before, count = panel.models * panel.runs, 0, rule.nothing
    while before < len(models) and rule.certain_end(count, len(models) - before) is None:
        wave = size(waves, before, len(models), [count], rule)
        for model in models[before : before + wave]:
            count = rule.add(count, Vote("", f"{model}#1", keep=True))
        before += wave
    return before, len(models)


def replacing(settings: ChoiceSettings) -> int:
    """Rounds in which distractors that no judge took are replaced."""
    refine = getattr(settings, "refine", False)
    return refine.replace if isinstance(refine, RefineSettings) else 0


def role_calls(agent: Agent, campaign: Campaign, settings: ChoiceSettings) -> tuple[int, int]:
    """The same for the panel of a role, under the campaign's rule."""
    panel, rule = campaign.roles[agent.name], campaign.rule
    held = FamilyRule.of(rule, panel, campaign.models) if settings.family_veto else rule
    return panel_calls(panel, held, waves_of(settings.waves, panel))


def expect_stem(campaign: Campaign, settings: ChoiceSettings) -> list[Expected]:
    """The panel that judges a question, and people where it leaves it open; nothing where none is asked."""
    if not settings.check_stems:
        return []
    name, people = check_stem.agent.name, campaign.review.opinions
    calls = role_calls(check_stem.agent, campaign, settings)
    return [
        Expected(name, calls, 2 * QUESTION, (VERDICT, 3 * VERDICT)),
        Expected(review_stem.agent.name, (0, 2 * people), 0, (0, 0)),  # one of them may be unable to say
    ]


def expect_evidence(campaign: Campaign, settings: ChoiceSettings, right: int, *, joins: bool) -> list[Expected]:
    """The panel on the cited sentences of so many right options at most; twice where several have to be joined."""
    if not settings.check_evidence:
        return []
    name = check_evidence.agent.name
    least, most = role_calls(check_evidence.agent, campaign, settings)
    least = 0 if settings.no_correct == "keep" else least  # an item may do without a right option
    return [Expected(name, (least, (1 + joins) * right * most), PASSAGE + QUESTION, (VERDICT, 3 * VERDICT), shown=0)]


def expect_distractors(agent: Agent, settings: ChoiceSettings) -> Expected:
    """Rounds of distractors: one, or as many as may be."""
    wanted = settings.most_distractors
    return Expected(agent.name, (1, 1 + settings.refills), PASSAGE, (wanted * TEXT, wanted * 2 * TEXT))


def expect_checks(agent: Agent, campaign: Campaign, settings: ChoiceSettings, right: int) -> Expected:
    """The panel on the first sheet, or on one for each round, with so many right options at most."""
    least, most = role_calls(agent, campaign, settings)
    options = settings.most_distractors + right
    return Expected(
        agent.name,
        (least, most * (1 + settings.refills + replacing(settings))),
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
    answers, votes = (
        turns * settings.measures * (1 + rounds + settings.replace),
        rewrites * len(same.models) * same.runs,
    )
    new = options * TEXT
    writer = Expected(replace_distractors.agent.name, (0, settings.replace), PASSAGE + options * TEXT, (TEXT, 2 * new))
    return [
        *([writer] if settings.replace else []),
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
