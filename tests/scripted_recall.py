"""A scripted model for the recall pipeline: answers that depend on the request alone, and a campaign to run it in."""

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchwright.domain.call import Request
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.document import Document, Section, Span
from benchwright.domain.ids import seeded_random
from benchwright.domain.vote import Rule
from benchwright.pipelines.choice.recall import Recall

WORDS = ("amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbour", "island", "jetty", "knoll", "marsh")
WRITERS = ("choose_class", "choose_topic", "write_question", "write_correct_options", "design_distractors")


def phrase(*parts: object) -> str:
    """Some words that depend on the parts alone."""
    return " ".join(seeded_random(*parts).choices(WORDS, k=7))


def answer(request: Request) -> str:
    """What the scripted model says to any of the recall agents."""
    return json.dumps(ANSWERS[request.step](request))


def choice(request: Request) -> dict[str, Any]:
    return {"rationale": "because", "suitable": [1, 2, 3], "best": 1 + seeded_random(request.id).randrange(3)}


def question(request: Request) -> dict[str, Any]:
    return {"rationale": "because", "evidence": [1, 2], "question": f"Which {phrase(request.id)} was it?"}


def correct(request: Request) -> dict[str, Any]:
    return {"options": [{"rationale": "so", "evidence": [1], "text": phrase(request.id, "right")}]}


def distractors(request: Request) -> dict[str, Any]:
    wanted = request.schema["properties"]["options"]["maxItems"]
    kinds = ("role", "place", "time", "context", "measure", "population")
    return {
        "options": [
            {"confusion": kinds[n % 6], "rationale": "so", "evidence": [2], "text": phrase(request.id, "wrong", n)}
            for n in range(wanted)
        ]
    }


def verdicts(request: Request) -> dict[str, Any]:
    letters = request.schema["properties"]["verdicts"]["properties"]
    task = request.messages[-1].content
    lines = dict(re.findall(r"^([A-Z]+)\. (.+)$", task, flags=re.MULTILINE))
    return {"verdicts": {letter: {"reason": "seen", "verdict": opinion(request, lines[letter])} for letter in letters}}


def opinion(request: Request, text: str) -> str:
    """A checker mostly says of a text what all say of it."""
    common = seeded_random(text).choice(("correct", "wrong", "wrong", "wrong", "flawed"))
    own = seeded_random(request.id, text)
    return common if own.random() < 0.8 else own.choice(("correct", "wrong", "flawed", "cannot_say"))


ANSWERS = {
    "choose_class": choice,
    "choose_topic": choice,
    "write_question": question,
    "write_correct_options": correct,
    "design_distractors": distractors,
    "check_option": verdicts,
}


def document(number: int, sentences: int = 6) -> Document:
    """A small document in two sections."""
    texts = [f"Sentence {n} of report {number} tells of {phrase(number, n)}." for n in range(sentences)]
    text = " ".join(texts)
    spans = []
    for part in texts:
        start = text.index(part)
        spans.append(Span(start, start + len(part)))
    half = sentences // 2
    sections = (Section("Findings", "body", tuple(spans[:half])), Section("Response", "body", tuple(spans[half:])))
    return Document(f"{number:032x}", f"report-{number}.md", f"Report {number}", text, sections)


# Three wrong options beside all right ones that are found: the tests say what is written, option for option.
AS_PUBLISHED: Mapping[str, Any] = {"distractors": 3, "every_correct": True, "no_correct": "keep"}


def campaign(
    models: Mapping[str, Model] | None = None,
    panel: Panel | None = None,
    rule: Rule | None = None,
    quota: Quota | None = None,
    **settings: Any,
) -> Campaign:
    """A recall campaign on scripted models: one writer, three checkers of two runs."""
    names = ("writer", "red", "green", "blue")
    catalogue = models or {name: Model(name, "direct", name, "http://127.0.0.1:9/v1", width=4) for name in names}
    roles = dict.fromkeys(WRITERS, Panel(("writer",))) | {"check_option": panel or Panel(("red", "green", "blue"), 2)}
    rule = rule or Rule(Fraction(2, 3), Fraction(1, 3), 2)
    return Campaign("test", "recall", ("*.md",), catalogue, roles, rule, quota or Quota(), settings)


def pipeline(**parts: Any) -> Recall:
    """The recall pipeline of such a campaign."""
    return Recall.of(campaign(**{**AS_PUBLISHED, **parts}), Path())
