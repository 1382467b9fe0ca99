"""The card: what a reader of the set must know before using it, as Markdown."""

import re
from collections.abc import Iterable, Iterator, Mapping

from benchwright.export.makeup import HOW_MANY, Makeup, mean
from benchwright.export.manifest import Counts, Made
from benchwright.export.select import Source
from benchwright.pipelines.choice.difficulty import Level

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

INTENDED = """\
- `intended` says how many options of an item were to be right: `one`, `several` or `none`. For the last kind the
  correct options were written and checked as well, then left out: they stand under `dropped`, with that as `reason`."""
DIFFICULTY = """\
- `difficulty` says how hard an item is for the judges: `score` (exactly: `score_exact`), `level`, how many judges
  `answered` and `failed`. It holds all `versions` of the stem, the one that was written first; `kept` is the number of
  the one in the set, counted from 0; `sources` are the addresses, files or graphs that a description rests on.
  `original_question` is the stem as it was written."""
KNOWLEDGE = """\
- `knowledge` says how many statements of knowledge graphs the writer of the question was `given`, and which of them it
  `used`, with their facts and whose these are. Nobody else saw them."""


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
    yield "\n".join((FIELDS, *further(counts.makeup)))
    yield "## Counts"
    yield table(("", "number"), counted(made, counts))
    yield from peculiar(counts.makeup)
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


def further(found: Makeup) -> Iterator[str]:
    """What is said of the fields that not every set has."""
    told = ((INTENDED, found.right), (DIFFICULTY, found.stems), (KNOWLEDGE, found.knowledge))
    return (text for text, counted in told if counted)


def peculiar(found: Makeup) -> Iterator[str]:
    """The counts that not every set has."""
    if found.right:
        yield "## How many options are right"
        rows = ((name, found.right[name], found.intended[name]) for name in HOW_MANY)
        yield table(("right options", "items", "meant to be so"), rows)
    if found.stems:
        yield "## How hard the items are"
        yield measured(found)
        yield table(("", "number"), hardness(found))
    if found.knowledge:
        graphs = found.knowledge
        yield "## What knowledge graphs gave"
        yield (
            f"Of {graphs['items']} items {graphs['given']} were written with statements of knowledge graphs at hand;"
            f" {graphs['used']} ({100 * graphs['used'] / graphs['items']:.1f} %) used what they say."
        )


def measured(found: Makeup) -> str:
    """By which rule."""
    rules = "; ".join(f"alpha {alpha}, threshold {threshold}" for alpha, threshold in sorted(found.rules))
    return (
        "The judges answered each item as it is evaluated. Its score is 1 less the mean of alpha F1 + (1 - alpha) EM"
        f" over those who answered; below the threshold it is easy ({rules}). The pool stops when easy or hard is"
        " certain. Names in stems that were easy gave way to descriptions; the hardest version was kept."
    )


def hardness(found: Makeup) -> Iterator[tuple[object, ...]]:
    """The levels, and what other stems changed."""
    stems = found.stems
    yield from ((f"items, {level}", stems[level]) for level in Level if stems[level])
    yield "items, easy as they were written", stems["easy_as_written"]
    yield "items with another stem", stems["rewritten"]
    means = (("as they were written", found.before), ("in the set", found.after))
    yield from ((f"mean score of these, {when}", f"{mean(scores):.3f}") for when, scores in means if scores)


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
