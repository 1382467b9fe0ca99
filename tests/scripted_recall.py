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

UNCHECKED = {
    "check_stems": False,
    "check_evidence": False,
    "family_veto": False,
}  # most tests are about votes on options alone
CHECKED = dict.fromkeys(UNCHECKED, True)
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
    return thought({letter: {"reason": "seen", "verdict": opinion(request, lines[letter])} for letter in letters})


def thought(verdicts: Mapping[str, Any], cites: int = 1) -> dict[str, Any]:
    """Verdicts under their letters, with what a checker says before: its own answer, and where it looked."""
    found = {letter: {"sentences": [cites], **said} for letter, said in verdicts.items()}
    return {"answer": "It was amber.", "sentences": [cites], "verdicts": found}


def opinion(request: Request, text: str) -> str:
    """A checker mostly says of a text what all say of it."""
    common = seeded_random(text).choice(("correct", "wrong", "wrong", "wrong", "flawed"))
    own = seeded_random(request.id, text)
    return common if own.random() < 0.8 else own.choice(("correct", "wrong", "flawed", "cannot_say"))


def soundness(request: Request) -> dict[str, Any]:
    """A checker mostly says of a question what all say of it, which mostly is that it is sound."""
    stem = re.findall(r"^Question: (.*)$", request.messages[-1].content, flags=re.MULTILINE)[-1]
    common = seeded_random(stem, "sound").choice(("sound", "sound", "sound", "sound", "ambiguous"))
    own = seeded_random(request.id, stem)
    verdict = common if own.random() < 0.8 else own.choice(("sound", "trivial", "unanswerable", "cannot_say"))
    return {"answer": phrase(request.id, "own"), "sentences": [1], "reason": "seen", "verdict": verdict}


def carrying(request: Request) -> dict[str, Any]:
    """A checker mostly says what all say: that sentences carry an option, but one alone not, if it takes several."""
    task, shown = request.messages[-1].content, request.schema["properties"]["needed"]["items"]["enum"]
    option, how = (
        re.findall(rf"^{name}: (.*)$", task, flags=re.MULTILINE)[-1] for name in ("Option", "It is answered")
    )
    good, bad = ("carries", "falls_short") if len(shown) > 1 or "states" in how else ("falls_short", "carries")
    common = good if seeded_random(option, len(shown), "carries").random() < 0.8 else bad
    own = seeded_random(request.id, option)
    verdict = common if own.random() < 0.8 else own.choice(("carries", "falls_short", "cannot_say"))
    return {"answer": phrase(request.id, "own"), "needed": shown[:1], "reason": "seen", "verdict": verdict}


ANSWERS = {
    "choose_class": choice,
    "choose_topic": choice,
    "write_question": question,
    "write_correct_options": correct,
    "design_distractors": distractors,
    "check_option": verdicts,
    "check_stem": soundness,
    "check_evidence": carrying,
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
    roles |= dict.fromkeys(("check_stem", "check_evidence"), roles["check_option"])
    settings = {**UNCHECKED, **settings}
    return Campaign("test", "recall", ("*.md",), catalogue, roles, rule, quota or Quota(), settings)


def pipeline(**parts: Any) -> Recall:
    """The recall pipeline of such a campaign."""
    return Recall.of(campaign(**{**AS_PUBLISHED, **parts}), Path())
