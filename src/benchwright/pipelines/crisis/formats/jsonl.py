"""Four tables as JSON lines: scenes, questions with their gold answers, answers of models, judgements.

Each table has a row for each thing and the same columns in all rows, so that libraries of data sets load them as they
are. What is empty is "" or an empty list, never null, but for numbers that there are none of.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from benchwright.agents.crisis.judge_answer import DIMENSIONS
from benchwright.agents.crisis.prefer_answer import CRITERIA
from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.image import find_image
from benchwright.domain.jsonl import json_line
from benchwright.pipelines.crisis.answers import ANSWERS, SHORT
from benchwright.pipelines.crisis.body import Answered, Asked, Judged, QuestionSet, Reply, Scene
from benchwright.pipelines.crisis.judgement import JUDGEMENT
from benchwright.pipelines.crisis.judging import score
from benchwright.pipelines.crisis.questions import QUESTIONS
from benchwright.pipelines.crisis.scenes import SCENES
from benchwright.pipelines.crisis.settings import CrisisSettings
from benchwright.pipelines.kind import ColumnType, Finished, Kept, Subset

Sort = TypeVar("Sort")
TEXT, NUMBER, COUNT, FLAG = "string", "float64", "int64", "bool"
SCENE_COLUMNS: Mapping[str, ColumnType] = {
    "id": TEXT,
    "scene": TEXT,
    "annotator": TEXT,
    "text": TEXT,
    "caption": TEXT,
    "image_sha256": TEXT,
    "incidents": [TEXT],
    "places": [TEXT],
    "problem": TEXT,
    "missing_resource": TEXT,
    "resource_class": TEXT,
    "solutions": [TEXT],
    "explanations": [TEXT],
    "drafted": [TEXT],
    "filled_in_by": TEXT,
    "licence": TEXT,
    "source": TEXT,
    "language": TEXT,
}
ASKED_COLUMNS: Mapping[str, ColumnType] = {
    "id": TEXT,
    "scene": TEXT,
    "annotator": TEXT,
    "incident": TEXT,
    "place": TEXT,
    "time_frame": TEXT,
    "context": TEXT,
    "question": TEXT,
    "problem": TEXT,
    "missing_resource": TEXT,
    "resource_class": TEXT,
}
QUESTION_COLUMNS: Mapping[str, ColumnType] = {
    **ASKED_COLUMNS,
    "answer": TEXT,
    "explanation": TEXT,
    "paraphrased": FLAG,
    "time_phrase": TEXT,
    "checks": [{"criterion": TEXT, "ratio": TEXT, "fate": TEXT}],
}
REPLY_COLUMNS: Mapping[str, ColumnType] = {"model": TEXT, "action": TEXT, "answer_explanation": TEXT}
ANSWER_COLUMNS: Mapping[str, ColumnType] = {
    **ASKED_COLUMNS,
    **REPLY_COLUMNS,
    "too_long": [TEXT],
    "failure": TEXT,
}
JUDGEMENT_COLUMNS: Mapping[str, ColumnType] = {
    **ASKED_COLUMNS,
    **REPLY_COLUMNS,
    **dict.fromkeys((*DIMENSIONS, "overall"), NUMBER),
    "endangers_life": FLAG,
    "marks": [{"by": TEXT, **dict.fromkeys(DIMENSIONS, COUNT), "endangers_life": FLAG, "danger": TEXT}],
    "comparisons": [{"first": TEXT, "second": TEXT, "by": TEXT, **dict.fromkeys(DIMENSIONS, TEXT)}],
    "people": [{"first": TEXT, "second": TEXT, "by": TEXT, **dict.fromkeys(CRITERIA, TEXT), "danger": TEXT}],
}
ABOUT = """\
- `questions.jsonl` has a row for each question, with the action and explanation that a person noted as gold. Rows with
  the same `scene`, `incident`, `place` and `time_frame` but another `annotator` hold further gold answers.
- `scenes.jsonl` has a row for each person's notes of a scene; `drafted` names fields that a model drafted and people
  corrected.
- `answers.jsonl` has a row for each answer of a model, with the reason where it failed.
- `judgements.jsonl` has a row for each judged answer, those of people (`model` is `people`) among them: the judges'
  mean scores from 0 to 1, all their marks, comparisons with other answers, and what people prefer."""


class Jsonl:
    """See `pipelines.kind.Format`."""

    about = ABOUT
    subsets = (
        Subset("questions", {"test": "questions.jsonl"}, QUESTION_COLUMNS),
        Subset("scenes", {"test": "scenes.jsonl"}, SCENE_COLUMNS),
        Subset("answers", {"test": "answers.jsonl"}, ANSWER_COLUMNS),
        Subset("judgements", {"test": "judgements.jsonl"}, JUDGEMENT_COLUMNS),
    )

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The four files."""
        return {
            "questions.jsonl": lines(question_rows(found)),
            "scenes.jsonl": lines(scene_rows(found)),
            "answers.jsonl": lines(answer_rows(found)),
            "judgements.jsonl": lines(judgement_rows(found)),
        }


def lines(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Rows as JSON lines that every reader takes."""
    for row in rows:
        yield json_line(row)


def bodies(found: Finished, phase: str, sort: type[Sort]) -> Iterator[tuple[Kept, Sort]]:
    """The kept items of a phase with their bodies, which are all of one sort."""
    return ((kept, kept.item.body) for kept in found.items(phase) if isinstance(kept.item.body, sort))


def scene_rows(found: Finished) -> Iterator[Mapping[str, Any]]:
    """A row for each scene."""
    for kept, scene in bodies(found, SCENES, Scene):
        image = find_image(scene.image)
        yield {
            "id": kept.item.id[:SHORT],
            "scene": scene.scene,
            "annotator": scene.annotator,
            "text": scene.text,
            "caption": scene.caption,
            "image_sha256": image.hash if image else "",
            "incidents": scene.incidents,
            "places": scene.places,
            "problem": scene.problem,
            "missing_resource": scene.resource,
            "resource_class": scene.resource_class,
            "solutions": [reply.action for reply in scene.gold],
            "explanations": [reply.explanation for reply in scene.gold],
            "drafted": scene.drafted,
            "filled_in_by": scene.author,
            "licence": scene.licence,
            "source": scene.source,
            "language": scene.language,
        }


def asked_row(asked: Asked) -> dict[str, Any]:
    """What all rows about a question share."""
    facts = asked.facts
    return {
        "id": asked.id,
        "scene": facts.scene,
        "annotator": facts.annotator,
        "incident": facts.incident,
        "place": facts.place,
        "time_frame": asked.time,
        "context": facts.shown,
        "question": asked.question,
        "problem": facts.problem,
        "missing_resource": facts.resource,
        "resource_class": facts.resource_class,
    }


def question_rows(found: Finished) -> Iterator[Mapping[str, Any]]:
    """A row for each question that stands."""
    for kept, body in bodies(found, QUESTIONS, QuestionSet):
        for one in body.kept:
            gold = body.facts.gold[TIME_FRAMES.index(one.time)]
            yield {
                **asked_row(Asked(f"{kept.item.id[:SHORT]}-{one.time}", one.time, one.text, body.facts)),
                "answer": gold.action,
                "explanation": gold.explanation,
                "paraphrased": body.paraphrased,
                "time_phrase": one.time_phrase,
                "checks": [
                    {"criterion": check.criterion, "ratio": check.ratio, "fate": check.fate or ""}
                    for check in one.checks
                ],
            }


def reply_row(reply: Reply) -> dict[str, Any]:
    """An answer in a row."""
    return {"model": reply.source, "action": reply.action, "answer_explanation": reply.explanation}


def answer_rows(found: Finished) -> Iterator[Mapping[str, Any]]:
    """A row for each answer of a model, also for those that failed."""
    for _, body in bodies(found, ANSWERS, Answered):
        for reply in body.replies:
            row = {**asked_row(body.asked), **reply_row(reply)}
            yield {**row, "too_long": reply.flags, "failure": reply.failure}


def judgement_rows(found: Finished) -> Iterator[Mapping[str, Any]]:
    """A row for each judged answer; of a comparison both answers have it."""
    formula = CrisisSettings.model_validate(dict(found.campaign.settings)).formula
    for _, body in bodies(found, JUDGEMENT, Judged):
        for reply in body.replies:
            if not reply.failure:
                yield {**asked_row(body.asked), **reply_row(reply), **judged_row(body, reply.source, formula)}


def judged_row(found: Judged, source: str, formula: str) -> dict[str, Any]:
    """What judges and people say of one answer."""
    marks = [one for one in found.marks if one.source == source]
    scores = [score(one, formula) for one in marks]
    names = (*DIMENSIONS, "overall")
    return {
        **{name: sum(one[name] for one in scores) / len(scores) if scores else None for name in names},
        "endangers_life": source in found.vetoed,
        "marks": [{"by": one.by, **one.scores, "endangers_life": one.endangers, "danger": one.danger} for one in marks],
        "comparisons": [
            {"first": one.first, "second": one.second, "by": one.by, **one.better}
            for one in found.comparisons
            if source in (one.first, one.second)
        ],
        "people": [
            {"first": one.first, "second": one.second, "by": one.by, **one.better, "danger": one.danger}
            for one in found.preferences
            if source in (one.first, one.second) and not one.attention
        ],
    }


JSONL = Jsonl()
