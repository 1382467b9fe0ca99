"""How many calls an item of each phase takes, for an estimate before anybody is asked."""

from collections.abc import Iterator

from benchwright.agents.crisis import (
    annotate_scene,
    answer_question,
    caption_scene,
    check_questions,
    check_resource,
    classify_resource,
    compare_answers,
    fill_scene,
    judge_answer,
    prefer_answer,
    review_question,
    validate_scene,
    write_questions,
)
from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.campaign import Campaign
from benchwright.pipelines.base import Expected
from benchwright.pipelines.crisis.answers import ANSWERS
from benchwright.pipelines.crisis.judgement import JUDGEMENT
from benchwright.pipelines.crisis.questions import CRITERIA, QUESTIONS
from benchwright.pipelines.crisis.scenes import SCENES
from benchwright.pipelines.crisis.settings import CrisisSettings


def expect(campaign: Campaign, settings: CrisisSettings) -> Iterator[Expected]:
    """The calls and cards of each role, phase by phase; a scene counts as annotated, so that nobody need draft it."""
    turns = {role: len(panel.models) * panel.runs for role, panel in campaign.roles.items()}
    opinions, rounds, frames = campaign.review.opinions, 1 + settings.refills, len(TIME_FRAMES)
    if settings.images == "models":
        yield Expected(caption_scene.agent.name, (0, 1), 40, (40, 200), SCENES)
    yield Expected(annotate_scene.agent.name, (0, 1 if settings.drafts else 0), 120, (120, 300), SCENES)
    yield Expected(fill_scene.agent.name, (0, 1), 0, (0, 0), SCENES)
    yield Expected(classify_resource.agent.name, (1, 1), 150, (20, 60), SCENES)
    checks = turns[check_resource.agent.name]
    yield Expected(check_resource.agent.name, (min(checks, campaign.rule.quorum), checks), 80, (20, 60), SCENES)
    yield Expected(validate_scene.agent.name, (0, settings.experts * opinions), 0, (0, 0), SCENES)
    yield Expected(write_questions.agent.name, (1, rounds), 150, (60, 200), QUESTIONS)
    votes = turns[check_questions.agent.name]
    least = frames * min(votes, campaign.rule.quorum)
    yield Expected(check_questions.agent.name, (least, frames * votes * rounds), 300, (120, 400), QUESTIONS)
    yield Expected(review_question.agent.name, (0, frames * len(CRITERIA) * opinions), 0, (0, 0), QUESTIONS)
    models = turns[answer_question.agent.name]
    yield Expected(answer_question.agent.name, (models, 2 * models), 200, (25, 60), ANSWERS)
    answers = models + 1
    yield Expected(judge_answer.agent.name, (answers * turns[judge_answer.agent.name],) * 2, 250, (100, 250), JUDGEMENT)
    duels = {"none": 0, "people": models, "all": answers * (answers - 1) // 2}[settings.pairwise]
    both = 2 * duels * turns[compare_answers.agent.name]
    yield Expected(compare_answers.agent.name, (both, both), 300, (80, 200), JUDGEMENT)
    cards = settings.compared * (models + settings.attention) * settings.evaluators
    yield Expected(prefer_answer.agent.name, (cards, cards), 0, (0, 0), JUDGEMENT)
