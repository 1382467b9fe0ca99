"""The manifest: hashes and counts of a set, and all that is needed to make it again. No times, no machine."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchwright.domain.campaign import Campaign
from benchwright.export.jsonl import sound
from benchwright.export.makeup import Makeup
from benchwright.export.select import Choice, Exported, Source

DOCUMENT_ID = 'first 32 hexadecimal digits of SHA-256 over "document", a line feed and the quoted SHA-256 of the file'
SOURCE_ID = (
    'of graphs and glossary: first 32 hexadecimal digits of SHA-256 over "files", a line feed and a JSON list without'
    ' spaces of [path in the folder, size in bytes] of each file; of a single file the path is "."'
)


@dataclass(frozen=True, slots=True)
class Made:
    """How a set was made, as the campaign and its store tell it.

    `file` is the campaign file's name; `prompts` and `schemas` are hashes by role; `documents` those admitted;
    `discarded` counts items by cause; `waiting` for people and `unfinished` are items not in the set yet; `sources`
    are hashes by what its pipeline draws on.
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

    @property
    def looked_up(self) -> list[str]:
        """What the pipeline draws on besides its taxonomy: graphs, a glossary."""
        return sorted(set(self.sources) - {"taxonomy"})


@dataclass(frozen=True, slots=True)
class Counts:
    """What is in a set, counted while it is written."""

    items: Counter[str] = field(default_factory=Counter)  # by document id
    classes: Counter[str] = field(default_factory=Counter)
    topics: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)  # options by label
    dropped: Counter[str] = field(default_factory=Counter)  # options by what made them fall
    routes: Counter[str] = field(default_factory=Counter)  # all options, by where the votes led them
    makeup: Makeup = field(default_factory=Makeup)

    def over(self, items: Iterable[Exported]) -> Iterator[Exported]:
        """The items, counted as they pass."""
        for item in items:
            self.items[item.document.id] += 1
            self.classes.update(filter(None, (item.topic_class,)))
            self.topics.update(filter(None, (item.topic,)))
            self.languages[item.language] += 1
            self.kept.update(option.label for option in item.options)
            self.dropped.update(map(fell, item.dropped))
            self.routes.update(option.route or "gate" for option in (*item.options, *item.dropped))
            used = (item.knowledge.given, len(item.knowledge.used)) if item.knowledge else None
            self.makeup.add(len(item.answers), item.intended, used, item.difficulty)
            yield item


def fell(option: Choice) -> str:
    """What made an option fall: a gate, people, or the votes; or a reason of its own."""
    if option.reason:
        return option.reason
    return f"gate {option.gate}" if option.gate else "people" if option.decisions else "votes"


def manifest(made: Made, counts: Counts, data: str, sha256: str) -> dict[str, Any]:
    """The manifest of a set whose items stand in the file `data`."""
    campaign = made.campaign
    return {
        "name": campaign.name,
        "files": {data: {"sha256": sha256, "items": counts.items.total()}},
        "counts": {
            "items": {
                "exported": counts.items.total(),
                "discarded": dict(made.discarded),
                "waiting_for_people": made.waiting,
                "unfinished": made.unfinished,
                "by_class": dict(counts.classes),
                "by_topic": dict(counts.topics),
                "by_language": dict(counts.languages),
                "by_document": dict(counts.items),
            },
            "options": {
                "in_the_set": dict(counts.kept),
                "dropped": dict(counts.dropped),
                "by_route": dict(counts.routes),
            },
            **counts.makeup.json(),
        },
        "campaign": {"id": campaign.id, "recipe": campaign.recipe()},
        "prompts": dict(made.prompts),
        "schemas": dict(made.schemas),
        "documents": [asdict(source) for source in sorted(made.documents, key=lambda source: source.id)],
        "document_ids": DOCUMENT_ID,
        "benchwright": made.version,
        "how_to_make_it_again": again(made),
        **({"sources": dict(made.sources), "source_ids": SOURCE_ID} if made.looked_up else {}),
    }


def again(made: Made) -> list[str]:
    """The way from this manifest to the same set."""
    named = ", ".join(made.looked_up)
    drawn = [f"put these where the recipe's settings expect them, in the same release: {named}"] if named else []
    return [
        f"install benchwright {made.version}",
        f"put the documents named here where the recipe's corpus expects them: {', '.join(made.campaign.corpus)}",
        f"write the recipe into a campaign file, {made.file}: it is the same one if its id is {made.campaign.id}",
        *drawn,
        f"benchwright run {made.file}",
        f"benchwright export {made.file}",
        "models may answer differently another day; with the campaign's database at hand the recorded replies serve",
    ]


def text(value: Mapping[str, Any]) -> str:
    """The manifest as it is written: sorted, indented, the same bytes for the same value."""
    return sound(json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False)) + "\n"
