"""A file of scenes checked before a campaign is made of it, or after somebody else has: each flaw with its line."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchwright.corpus.records import RECORD_READERS, read_records
from benchwright.domain.call import Image
from benchwright.domain.flaw import Flaw, Inspection
from benchwright.domain.image import IMAGE_FIELD, image_value
from benchwright.errors import Unreadable, UsageError
from benchwright.pipelines.crisis.annotation import Annotation, faults, missing_pairs, read_annotation, remarks
from benchwright.pipelines.crisis.ontology import NO_LABELS, Ontology, read_ontology

FLAWS = 1000  # that are named


@dataclass
class Check:
    """What was found in a file so far; `places` are the lines of notes by what makes them what they are."""

    file: str
    ontology: Ontology
    notes: int = 0
    sets: int = 0
    lacking: int = 0
    flaws: list[Flaw] = field(default_factory=list)
    scenes: set[str] = field(default_factory=set)
    places: dict[str, int] = field(default_factory=dict)
    outside: Counter[str] = field(default_factory=Counter)

    def take(self, line: int, found: Annotation) -> None:
        """Check the notes on one line."""
        self.notes += 1
        self.scenes.add(found.scene)
        self.sets += len(found.released or ())
        self.flaws += (Flaw(self.file, line, message) for message in faults(found))
        self.flaws += (Flaw(self.file, line, message) for message in remarks(found, NO_LABELS))
        if missing := missing_pairs(found):
            pairs = "; ".join(f"{incident} / {place or 'no place'}" for incident, place in missing)
            self.flaws.append(Flaw(self.file, line, f"lacks questions about pairs of its labels: {pairs}"))
            self.lacking += 1
        if (first := self.places.setdefault(found.identity, line)) != line:
            self.flaws.append(Flaw(self.file, line, f"holds the same notes as line {first}: leave one of them out"))
        released = found.released or ()
        self.outside.update(self.ontology.incidents.faults({*found.incidents, *(pair[0] for pair in released)} - {""}))
        self.outside.update(self.ontology.places.faults({*found.places, *(pair[1] for pair in released)} - {""}))

    def end(self) -> Inspection:
        """What all of it comes to."""
        counts = {"annotations": self.notes, "scenes": len(self.scenes), "question sets": self.sets}
        notes = [f"{label}, on {n} line{'s' * (n != 1)}" for label, n in sorted(self.outside.items())]
        if self.lacking:
            notes.append(f"records that lack questions about a pair of their labels: {self.lacking}")
        flaws = sorted(self.flaws, key=lambda flaw: flaw.line)
        return Inspection(counts, tuple(flaws[:FLAWS]), len(flaws), tuple(notes))


def as_taken_in(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a record as a campaign has them: an image that is named is there. A run looks at the file."""
    named = fields.get(IMAGE_FIELD)
    return {**fields, IMAGE_FIELD: image_value(Image(named, "", 0))} if named and isinstance(named, str) else fields


def validate(path: Path, labels: Path | None = None) -> Inspection:
    """Check a file of scenes against a file of labels, if one is given; raises `UsageError` where it is none."""
    if path.suffix.lower() not in RECORD_READERS:
        raise UsageError(f"{path} is no file of records: name one that ends in {' or '.join(RECORD_READERS)}")
    check = Check(path.name, read_ontology(labels) if labels else NO_LABELS)
    try:
        for line, found in read_records(path, str(path)):
            if isinstance(found, str):
                check.flaws.append(Flaw(path.name, line, found))
            else:
                check.take(line, read_annotation(as_taken_in(found.fields)))
    except Unreadable as error:
        raise UsageError(str(error)) from error
    return check.end()
