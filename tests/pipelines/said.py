"""Answers of items with options, written by hand; the question and its options are those of recall items."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.document import View
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, Seed
from benchwright.pipelines.base import Due, Pipeline, state_of
from benchwright.pipelines.choice.body import Body, as_json
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, option_id

SEED = Seed(0, 0, View("d1", (0, 1)), '{"focus":"any part of the document"}')
SPAN = {"sentence": 1, "start": 0, "end": 4, "text": "Amber and basin were seen, then cedar, delta and ember in 2021."}


def said(step: str, body: object, about: str = "", by: str = "writer#1") -> Answer:
    return Answer(step, about, by, canonical(body))


def choice(step: str, best: int = 1, suitable: Sequence[int] = (1,)) -> Answer:
    return said(step, {"rationale": "because", "best": best, "suitable": list(suitable)})


def written(texts: Iterable[str], span: dict[str, Any], **more: str) -> dict[str, Any]:
    return {"options": [{"text": text, "rationale": f"as to {text}", "evidence": [span], **more} for text in texts]}


def question(text: str = "Which was it?") -> list[Answer]:
    """An item up to its question."""
    asked = said("write_question", {"rationale": "because", "question": text, "evidence": [SPAN]})
    return [choice("choose_class"), choice("choose_topic"), asked]


def correct(*texts: str, span: dict[str, Any] = SPAN) -> Answer:
    return said("write_correct_options", written(texts, span))


def distractors(number: int, *texts: str, span: dict[str, Any] = SPAN) -> Answer:
    """What round `number` of writing distractors brought."""
    return said("design_distractors", written(texts, span, confusion="place"), str(number))


def name(text: str, label: str = DISTRACTOR) -> str:
    return option_id(label, text)


def ballot(by: str, verdicts: Mapping[str, str], sheet: int = 1, right: Sequence[str] = ("amber",)) -> Answer:
    """A checker's verdicts by option text; `right` are the texts that claim to be correct."""
    body = {
        name(text, CORRECT if text in right else DISTRACTOR): {"reason": "seen", "verdict": verdict}
        for text, verdict in verdicts.items()
    }
    return said("check_option", {"verdicts": body}, str(sheet), by)


def refused(step: str, about: str = "", by: str = "writer#1") -> Answer:
    return failure_answer(step, about, by, "refused", "it declines")


def decision(text: str, decided: str, label: str = DISTRACTOR, by: str = "human:ada") -> Answer:
    return said("review_option", {"decision": decided, "reason": ""}, name(text, label), by)


def owed(pipeline: Pipeline, answers: Iterable[Answer], seed: Seed = SEED) -> Sequence[Due]:
    """What is owed after these answers."""
    dues = pipeline.plan(state_of(pipeline, seed, list(answers)))
    assert not isinstance(dues, Ending), dues
    return dues


def json_of(body: object) -> dict[str, Any]:
    """A body as JSON values."""
    assert isinstance(body, Body)
    return as_json(body)


def json_options(body: object) -> list[dict[str, Any]]:
    """The options of a body as JSON values; none where there is no body."""
    return [] if body is None else list(json_of(body)["options"])


def end(pipeline: Pipeline, answers: Iterable[Answer], seed: Seed = SEED) -> Ending:
    """How the item ends after these answers."""
    verdict = pipeline.plan(state_of(pipeline, seed, list(answers)))
    assert isinstance(verdict, Ending), verdict
    return verdict
