"""The manifest: hashes and counts of a set, and all that is needed to make it again. No times, no machine."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.domain.campaign import Campaign
from benchwright.domain.jsonl import portable
from benchwright.export.judged import Judged
from benchwright.export.pseudonyms import Pseudonyms
from benchwright.pipelines.kind import Finished, Report, Source

DOCUMENT_ID = 'first 32 hexadecimal digits of SHA-256 over "document", a line feed and the quoted SHA-256 of the file'
SOURCE_ID = (
    'of graphs and glossary: first 32 hexadecimal digits of SHA-256 over "files", a line feed and a JSON list without'
    " spaces and without escaped letters of [path in the folder, size in bytes, SHA-256 of the file] of each file, in"
    ' the order of the paths compared folder by folder; of a file larger than 1048576 bytes "" stands in the place of'
    ' the SHA-256, of a single file the path is "."; of the taxonomy: the same over "taxonomy", a line feed and its'
    " text, with line feeds as line ends, as a JSON string without escaped letters"
)
CITED = ("id", "name", "title", "doi", "licence")  # what is said of a document


@dataclass(frozen=True, slots=True)
class Made:
    """How a set was made, as the campaign and its store tell it.

    `file` is the campaign file's name; `prompts` and `schemas` are hashes by role; `documents` those admitted,
    `records` the number of those admitted;
    `discarded` counts items by cause; `waiting` for people and `unfinished` are items not in the set yet; `sources`
    are hashes by what its pipeline draws on, `sent` says by model how it was really asked. `people` are the
    pseudonyms of people, `judged` says how far the judgements of checkers and people can be trusted. `refused` are the
    files of the corpus that are no documents, then lines that are no records, with the reasons, of `refusals` in all;
    `notes` what readers left out or guessed.
    """

    campaign: Campaign
    file: str
    prompts: Mapping[str, str]
    schemas: Mapping[str, str]
    documents: tuple[Source, ...]
    version: str
    discarded: Mapping[str, int] = field(default_factory=dict)
    waiting: int = 0
    unfinished: int = 0
    sources: Mapping[str, str] = field(default_factory=dict)
    records: int = 0
    people: Pseudonyms = field(default_factory=Pseudonyms)
    judged: Judged | None = None
    sent: Mapping[str, Any] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    refusals: int = 0
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def lookup_sources(self) -> list[str]:
        """What the pipeline draws on besides its taxonomy: graphs, a glossary."""
        return sorted(set(self.sources) - {"taxonomy"})


@dataclass(frozen=True, slots=True)
class Counts:
    """What is in a set: its items by source and language, what its kind counts, and its sources by their sort."""

    items: Counter[str]
    languages: Counter[str]
    report: Report
    sorts: Counter[str]

    @property
    def total(self) -> int:
        """How many items there are."""
        return self.languages.total()


@dataclass(frozen=True, slots=True)
class Written:
    """A file of the set: its hash, and how many lines it has."""

    sha256: str
    lines: int


def count(found: Finished, report: Report) -> Counts:
    """Go through the items once."""
    items: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    campaign, sorts = found.campaign, dict[str, str]()
    for kept in found.items():
        report.take(kept.item)
        items.update(source.id for source in kept.sources)
        sorts |= {source.id: source.sort for source in kept.sources}
        first = next(iter(kept.sources), None)
        languages[first.language if first and campaign.language == "document" else campaign.language] += 1
    return Counts(items, languages, report, Counter(sorts.values()))


def manifest(made: Made, counts: Counts, files: Mapping[str, Written]) -> dict[str, Any]:
    """The manifest of a set in these files."""
    campaign = made.campaign
    kind: dict[str, Any] = dict(counts.report.counts())
    items = {
        "exported": counts.total,
        "discarded": dict(made.discarded),
        "waiting_for_people": made.waiting,
        "unfinished": made.unfinished,
        "by_language": dict(counts.languages),
        "by_document": dict(counts.items),
    }
    return {
        "name": campaign.name,
        "files": {name: {"sha256": file.sha256, "lines": file.lines} for name, file in files.items()},
        "counts": {**kind, "items": items | kind.get("items", {})},
        "campaign": {"id": campaign.id, "recipe": made.people.recipe(campaign.recipe())},
        **({"sent": dict(made.sent)} if made.sent else {}),
        "prompts": dict(made.prompts),
        "schemas": dict(made.schemas),
        "documents": [cite(source) for source in sorted(made.documents, key=lambda source: source.id)],
        "document_ids": DOCUMENT_ID,
        "benchwright": made.version,
        "how_to_make_it_again": steps(made),
        **({"refused": {"all": made.refusals, "reasons": dict(made.refused)}} if made.refusals else {}),
        **({"notes_of_readers": {name: list(notes) for name, notes in made.notes.items()}} if made.notes else {}),
        **({"judgements": made.judged.json()} if made.judged else {}),
        **({"sources": dict(made.sources), "source_ids": SOURCE_ID} if made.lookup_sources else {}),
    }


def cite(source: Source) -> dict[str, str]:
    """What is said of a document."""
    return {name: getattr(source, name) for name in CITED}


def steps(made: Made) -> list[str]:
    """The way from this manifest to the same set."""
    names = ", ".join(made.lookup_sources)
    drawn = [f"put these where the recipe's settings expect them, in the same release: {names}"] if names else []
    adjudicator = made.campaign.review.adjudicator
    hidden = (
        [f"for the same id the adjudicator needs the name that stands here as {made.people.of(adjudicator)}"]
        if made.people.of(adjudicator) != adjudicator
        else []
    )
    return [
        f"install benchwright {made.version}",
        f"put the documents named here where the recipe's corpus expects them: {', '.join(made.campaign.corpus)}",
        f"write the recipe into a campaign file, {made.file}: it is the same one if its id is {made.campaign.id}",
        *hidden,
        *drawn,
        f"benchwright run {made.file}",
        f"benchwright export {made.file}",
        "models may answer differently another day; with the campaign's database at hand the recorded replies serve",
    ]


def lines(value: Mapping[str, Any]) -> Iterable[str]:
    """The manifest as it is written: sorted, indented, the same bytes for the same value."""
    return [portable(json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False)), "\n"]
