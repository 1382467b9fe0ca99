"""The card: what a reader of the set must know before using it, as Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping

from benchwright.export.manifest import Counts, Made
from benchwright.export.select import Source

EMBEDDED = "smollm2"  # the model that Benchwright brings along
UNSTATED = "not stated"
CAVEAT = """\
**Made with the embedded model.** At least one role was served by a model that runs inside Benchwright and is very
small. Such a set shows how the machinery works, votes and all. Do not measure anything with it: let a capable model
make the set that you mean to use."""
FIELDS = """\
- `items.jsonl` holds one item a line: `input_text` is what the reader of the item gets to see, `question`, `options` in
  the order to show them, `answers` the ids of the correct ones (none where no option is right). Evidence is cited by
  sentence number in `input_text` and by characters `start` to `end` of the stored document. `dropped` lists the options
  that did not make it, and why; votes, people's decisions and the models of every role stand beside them.
- `manifest.json` holds the hash of that file, all counts, and what is needed to make the set again."""


def card(made: Made, counts: Counts) -> str:
    """The text of the export's README.md."""
    return "\n\n".join(blocks(made, counts)) + "\n"


def blocks(made: Made, counts: Counts) -> Iterator[str]:
    """The card's paragraphs and tables."""
    total, campaign = counts.items.total(), made.campaign
    yield f"# {plain(campaign.name)}"
    yield (
        f"Multiple-choice items: {total}, from {len(counts.items)} of the corpus's {len(made.documents)} documents."
        f" Made by Benchwright {plain(made.version)} with the pipeline `{campaign.pipeline}`."
        f" Campaign `{campaign.id}`, seed {campaign.seed}."
    )
    if any(campaign.models[name].target == EMBEDDED for panel in campaign.roles.values() for name in panel.models):
        yield CAVEAT
    yield "## Files"
    yield FIELDS
    yield "## Counts"
    yield table(("", "number"), counted(made, counts))
    yield "## How it was made"
    yield (
        f"Every option that passed the gates was put to the panel. It was kept when at least {campaign.rule.accept} of"
        f" the votes cast were for it, rejected below {campaign.rule.reject}; between the two, or with fewer than"
        f" {campaign.rule.quorum} votes, people decided."
    )
    yield table(("role", "models", "runs"), served(made))
    yield "## Documents and licences"
    yield (
        "The items quote these documents. Where a licence is not stated, find it out before you share the set."
        if any(not source.licence for source in made.documents)
        else "The items quote these documents, each under its own licence."
    )
    yield table(("licence", "documents"), licences(made.documents).items())
    yield table(("document", "title", "DOI", "licence", "items"), described(made, counts))


def counted(made: Made, counts: Counts) -> Iterator[tuple[object, ...]]:
    """The counts that matter to a reader; the manifest has the rest."""
    yield "items", counts.items.total()
    yield from ((f"items, class {name}", count) for name, count in sorted(counts.classes.items()))
    yield from ((f"options in the set, {label}", count) for label, count in sorted(counts.kept.items()))
    yield from ((f"options dropped, {cause}", count) for cause, count in sorted(counts.dropped.items()))
    yield from ((f"items discarded, {cause}", count) for cause, count in sorted(made.discarded.items()))
    yield "items waiting for people", made.waiting
    yield "items unfinished", made.unfinished


def served(made: Made) -> Iterator[tuple[object, ...]]:
    """Who served each role."""
    campaign = made.campaign
    for role, panel in sorted(campaign.roles.items()):
        names = [f"{name} ({campaign.models[name].target})" for name in panel.models]
        yield role, ", ".join(names), panel.runs


def licences(documents: Iterable[Source]) -> Mapping[str, int]:
    """How many documents stand under each licence."""
    named = sorted(source.licence or UNSTATED for source in documents)
    return {licence: named.count(licence) for licence in dict.fromkeys(named)}


def described(made: Made, counts: Counts) -> Iterator[tuple[object, ...]]:
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
