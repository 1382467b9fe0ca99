"""What people noted of a scene: one record of a JSONL or CSV file, read, checked, and said in one way.

RESPONSE (arXiv 2503.11348, section 3): the problem, the missing resource, and for three time frames a solution with its
explanation; several people note the same scene, each in a record of their own. The names of fields are ours or those of
its release.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.ids import content_id
from benchwright.domain.image import IMAGE_FIELD, find_image
from benchwright.domain.text import plain
from benchwright.pipelines.crisis.ontology import Ontology, fold

SOLUTION_WORDS = 15  # of a solution, at most (section 3)
EACH = len(TIME_FRAMES)
# The names that a field may have, the first that is there.
NAMES: Mapping[str, tuple[str, ...]] = {
    "scene": ("scene", "scene_id", "image_id", "id"),
    "annotator": ("annotator", "annotator_id", "annotation_no"),
    "text": ("text", "scene_text", "description"),
    "caption": ("caption", "context"),
    "incidents": ("incidents", "incident"),
    "places": ("places", "place"),
    "problem": ("problem",),
    "resource": ("missing_resource", "resource"),
    "licence": ("licence", "license"),
    "source": ("source", "origin"),
    "language": ("language",),
}


@dataclass(frozen=True, slots=True)
class Annotation:
    """One person's notes of a scene; of solutions and explanations one for each time frame, "" where it is missing.

    `scene` names what several people note; `image` is the value of an image or None. `released` are the pairs of
    incident and place for which the record itself holds questions, as published sets do; None where it holds none.
    `labelled` says that the record has labels besides these.
    """

    scene: str
    annotator: str
    text: str
    caption: str
    image: Mapping[str, Any] | None
    incidents: tuple[str, ...]
    places: tuple[str, ...]
    problem: str
    resource: str
    solutions: tuple[str, ...]
    explanations: tuple[str, ...]
    licence: str = ""
    source: str = ""
    language: str = ""
    released: tuple[tuple[str, str], ...] | None = None
    labelled: bool = True

    @property
    def shown(self) -> str:
        """The scene in words: its text and its caption."""
        return "\n".join(filter(None, (self.text, self.caption)))

    @property
    def form(self) -> tuple[str, ...]:
        """The eight fields of the form."""
        return (self.problem, self.resource, *self.solutions, *self.explanations)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return all(self.form)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was noted."""
        return not any(self.form)

    @property
    def identity(self) -> str:
        """What makes two records the same notes, whatever else they hold: by whom, of which scene, which words."""
        words = [plain(text) for text in self.form]
        apart = self.annotator if self.is_empty else ""
        return content_id("annotation", [self.scene, sorted(self.incidents), sorted(self.places), words, apart])


def read_annotation(fields: Mapping[str, Any]) -> Annotation:
    """The notes in the fields of a record; what is of another form than expected counts as missing."""
    incidents, places, released = labels_of(fields)
    labelled = bool(incidents)
    if not labelled and released:
        incidents, places = (tuple(dict.fromkeys(filter(None, side))) for side in zip(*released, strict=True))
    image = fields.get(IMAGE_FIELD)
    text, caption = text_of(fields, "text"), text_of(fields, "caption")
    fallback = content_id("scene", [text, caption, image if find_image(image) else None])[:16]
    return Annotation(
        scene=text_of(fields, "scene") or fallback,
        annotator=text_of(fields, "annotator"),
        text=text,
        caption=caption,
        image=image if find_image(image) else None,
        incidents=incidents,
        places=places,
        problem=text_of(fields, "problem"),
        resource=text_of(fields, "resource"),
        solutions=three(fields, "solutions", "solution"),
        explanations=three(fields, "explanations", "explanation"),
        licence=text_of(fields, "licence"),
        source=text_of(fields, "source"),
        language=text_of(fields, "language"),
        released=released,
        labelled=labelled,
    )


def as_text(value: object) -> str:
    """A value as one line of text, 3.0 as "3"; "" for what is no text and no number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # what tables make of a number where others of its column are missing
    return " ".join(str(value).split())


def text_of(fields: Mapping[str, Any], name: str) -> str:
    """A field under the first of its names that holds something."""
    return next(filter(None, (as_text(fields.get(one)) for one in NAMES[name])), "")


def three(fields: Mapping[str, Any], many: str, one: str) -> tuple[str, ...]:
    """A text for each time frame: from a list of three, or from fields such as `solution_week`."""
    found = fields.get(many)
    if isinstance(found, Sequence) and not isinstance(found, str):
        texts = [as_text(text) for text in found][:EACH]
        return tuple(texts + [""] * (EACH - len(texts)))
    return tuple(as_text(fields.get(f"{one}_{time}")) for time in TIME_FRAMES)


def labels_of(
    fields: Mapping[str, Any],
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, str], ...] | None]:
    """Incidents and places, from fields of their own or from `raw_labels`; the pairs of published questions."""
    raw = fields.get("raw_labels")
    raw = raw if isinstance(raw, Mapping) else {}
    sets = fields.get("scenarios")
    released = tuple(each_pair(sets)) if isinstance(sets, list) else None
    incidents, places = (labels(first_of({**fields, **raw}, NAMES[name])) for name in ("incidents", "places"))
    return incidents, places, released


def first_of(fields: Mapping[str, Any], names: Sequence[str]) -> object:
    """The first field of these names that there is."""
    return next((fields[name] for name in names if fields.get(name)), None)


def labels(value: object) -> tuple[str, ...]:
    """Labels, each once: a list of them, or one text with commas, semicolons or bars between; empty ones are none."""
    if isinstance(value, str):
        value = value.replace(";", ",").replace("|", ",").split(",")
    texts = map(as_text, value) if isinstance(value, list | tuple) else ()
    return tuple(dict.fromkeys(folded for text in texts if (folded := fold(text))))


def each_pair(sets: Sequence[object]) -> Iterator[tuple[str, str]]:
    """The pairs of incident and place of published questions; a place that is missing is ""."""
    for one in sets:
        if isinstance(one, Mapping):
            yield fold(as_text(one.get("incident"))), fold(as_text(one.get("place")))


def pairs(incidents: Sequence[str], places: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Every incident with every place; an empty place is left out, and without any place each incident stands alone."""
    named = [place for place in places if place] or [""]
    return tuple(dict.fromkeys(product(incidents, named)))


# ------------------------------------------------------------------------------------------------------- findings


def faults(found: Annotation) -> Iterator[str]:
    """Why no questions can be asked about a scene; none where they can."""
    if not found.shown and not found.image:
        yield "there is no scene: fill text, caption or image"
    if not found.incidents:
        yield "there is no incident: name one at least in incidents"


def remarks(found: Annotation, ontology: Ontology, words: int = SOLUTION_WORDS) -> Iterator[str]:
    """What is odd about notes that can be used all the same."""
    yield from ontology.incidents.faults(found.incidents)
    yield from ontology.places.faults(found.places)
    for time, solution in zip(TIME_FRAMES, found.solutions, strict=True):
        if (count := len(solution.split())) > words:
            yield f"solution for {time} has {count} words, {words} at most: shorten it"
    if not found.is_empty and (missing := [name for name, text in named_form(found) if not text]):
        yield f"missing: {', '.join(missing)}"


def named_form(found: Annotation) -> Iterator[tuple[str, str]]:
    """The eight fields of the form by their names."""
    yield "problem", found.problem
    yield "missing_resource", found.resource
    for sort, texts in (("solution", found.solutions), ("explanation", found.explanations)):
        yield from ((f"{sort}_{time}", text) for time, text in zip(TIME_FRAMES, texts, strict=True))


def missing_pairs(found: Annotation) -> tuple[tuple[str, str], ...]:
    """The pairs of its own labels for which a published record lacks questions; none where it has neither."""
    if found.released is None or not found.labelled:
        return ()
    return tuple(pair for pair in pairs(found.incidents, found.places) if pair not in found.released)
