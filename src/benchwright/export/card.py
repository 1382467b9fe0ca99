"""The card: what a reader of the set must know before using it, as Markdown."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from benchwright.domain.jsonl import portable
from benchwright.export.manifest import Counts, Made
from benchwright.pipelines.kind import ColumnType, Format, Line, Part, Source, Subset

EMBEDDED = "smollm2"  # the model that Benchwright brings along
NAMED = 100  # files in a table of what was not used
UNSTATED = "not stated"
CAVEAT = """\
**Made with the embedded model.** At least one role was served by a model that runs inside Benchwright and is very
small. Such a set shows how the machinery works, votes and all. Do not measure anything with it: let a capable model
make the set that you mean to use."""
RECORDS = """\
## Records and licences

The items quote records of the corpus. Their licence is not stated here: find it out before you share the set."""


ABOUT_MANIFEST = """\
- `manifest.json` holds the hashes of these files, all counts, and what is needed to make the set again."""


def card(made: Made, counts: Counts, form: Format) -> str:
    """The text of the export's README.md."""
    return "\n\n".join(filter(None, blocks(made, counts, form))) + "\n"


def blocks(made: Made, counts: Counts, form: Format) -> Iterator[str]:
    """The card's paragraphs and tables; the first block is for libraries that load the set."""
    campaign, kind = made.campaign, counts.report.card()
    yield front_matter(campaign.name, form.subsets)
    yield f"# {plain(campaign.name)}"
    yield (
        f"{kind.noun}: {counts.total}, from {origins(made, counts)}."
        f" Made by Benchwright {plain(made.version)} with the pipeline `{campaign.pipeline}`."
        f" Campaign `{campaign.id}`, seed {campaign.seed}."
    )
    if any(campaign.models[name].target == EMBEDDED for panel in campaign.roles.values() for name in panel.models):
        yield CAVEAT
    yield "## Files"
    yield "\n".join(filter(None, (form.about, kind.files, ABOUT_MANIFEST)))
    yield "## Counts"
    yield table(("", "number"), [("items", counts.total), *kind.counts, *rows_of_unexported(made)])
    for part in kind.parts:
        yield from draw_part(part)
    for part in made.judged.parts() if made.judged else ():
        yield from draw_part(part)
    yield "## How it was made"
    yield kind.method
    yield table(("role", "models", "runs"), role_rows(made))
    if made.records:
        yield RECORDS
    if made.documents:
        yield from documents_with_licences(made, counts)
    yield from left_out(made)


def front_matter(name: str, subsets: Sequence[Subset]) -> str:
    """The block of YAML by which `datasets.load_dataset` and the Hugging Face hub know the tables and their types.

    Its values are written as JSON, which is YAML too, so no name can break it. "" where there is no table.
    """
    if not subsets:
        return ""
    configs = [
        {
            "config_name": one.name,
            "data_files": [{"split": split, "path": path} for split, path in one.files.items()],
            **({"default": True} if one is subsets[0] else {}),
        }
        for one in subsets
    ]
    typed = [
        {"config_name": one.name, "features": [feature(*column) for column in one.columns.items()]}
        for one in subsets
        if one.columns
    ]
    values = {"pretty_name": name, "tags": ["benchwright"], "configs": configs, "dataset_info": typed}
    lines = (f"{key}: {portable(json.dumps(value, ensure_ascii=False))}" for key, value in values.items() if value)
    return "\n".join(("---", *lines, "---"))


def feature(name: str, kind: ColumnType) -> dict[str, object]:
    """A column as `datasets` describes it."""
    return {"name": name, **feature_type(kind)}


def feature_type(kind: ColumnType) -> dict[str, object]:
    """The type of a column."""
    if isinstance(kind, str):
        return {"dtype": kind}
    if isinstance(kind, list):
        (part,) = kind
        return {"list": part if isinstance(part, str) else [feature(*one) for one in part.items()]}
    return {"struct": [feature(*one) for one in kind.items()]}


def origins(made: Made, counts: Counts) -> str:
    """How much of the corpus the items are made of."""
    documents = f"{counts.sorts['document']} of the corpus's {len(made.documents)} documents"
    records = f"{counts.sorts['record']} of the corpus's {made.records} records"
    return " and ".join([documents] * bool(made.documents or not made.records) + [records] * bool(made.records))


def documents_with_licences(made: Made, counts: Counts) -> Iterator[str]:
    """What the items quote, and who may share it."""
    yield "## Documents and licences"
    yield (
        "The items quote these documents. Where a licence is not stated, find it out before you share the set."
        if any(not source.licence for source in made.documents)
        else "The items quote these documents, each under its own licence."
    )
    yield table(("licence", "documents"), licences(made.documents).items())
    yield table(("document", "title", "DOI", "licence", "items"), document_rows(made, counts))


def left_out(made: Made) -> Iterator[str]:
    """What of the corpus the set cannot be about, and what readers left out or guessed."""
    rest = " The manifest has more of them." if max(made.refusals, len(made.notes)) > NAMED else ""
    if made.refusals:
        yield "## Files that were not used"
        yield f"{made.refusals} files of the corpus, or lines of its files of records, could not be used.{rest}"
        yield table(("file", "reason"), islice(made.refused.items(), NAMED))
    if made.notes:
        yield "## Notes on documents"
        yield f"Of {len(made.notes)} documents something was left out or guessed when they were read.{rest}"
        yield table(
            ("document", "notes"), ((name, "; ".join(notes)) for name, notes in islice(made.notes.items(), NAMED))
        )


def rows_of_unexported(made: Made) -> Iterator[tuple[object, ...]]:
    """The items that are not in the set; the manifest has all counts."""
    yield from ((f"items discarded, {cause}", count) for cause, count in sorted(made.discarded.items()))
    yield "items waiting for people", made.waiting
    yield "items unfinished", made.unfinished


def draw_part(part: Part) -> Iterator[str]:
    """A part that only some kinds' cards have."""
    yield f"## {part.title}"
    for one in part.content:
        yield one.text if isinstance(one, Line) else table(one.head, one.rows)


def role_rows(made: Made) -> Iterator[tuple[object, ...]]:
    """Who served each role."""
    campaign = made.campaign
    for role, panel in sorted(campaign.roles.items()):
        names = [f"{name} ({campaign.models[name].target})" for name in panel.models]
        yield role, ", ".join(names), panel.runs


def licences(documents: Iterable[Source]) -> Mapping[str, int]:
    """How many documents stand under each licence."""
    named = sorted(source.licence or UNSTATED for source in documents)
    return {licence: named.count(licence) for licence in dict.fromkeys(named)}


def document_rows(made: Made, counts: Counts) -> Iterator[tuple[object, ...]]:
    """Every document's row."""
    for source in sorted(made.documents, key=lambda source: (source.name, source.id)):
        yield source.name, source.title, source.doi, source.licence or UNSTATED, counts.items[source.id]


def table(head: Iterable[str], rows: Iterable[tuple[object, ...]]) -> str:
    """A Markdown table; whatever stands in a cell stays in it."""
    names = list(head)
    cells = [" | ".join(plain(str(cell)) for cell in row) for row in rows]
    return "\n".join(f"| {row} |" for row in (" | ".join(names), " | ".join("---" for _ in names), *cells))


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    visible = "".join(letter if letter.isprintable() else " " for letter in text)
    return re.sub(r"([\\`*_{}\[\]<>#|!~&$])", r"\\\1", " ".join(visible.split()))
