"""The votes of a campaign, gathered to measure its checkers."""

from collections.abc import Iterator

from benchwright.domain.item import Seed
from benchwright.domain.quality import Probe, Quality, Word, quality
from benchwright.pipelines.base import Pipeline, so_far, state_of
from benchwright.pipelines.choice.planted import seen
from benchwright.store import items
from benchwright.store.database import Connection


def measured(connection: Connection, pipeline: Pipeline) -> Quality:
    """How good the checkers are, by all options of all tries."""
    words: list[Word] = []
    probes: list[Probe] = []
    for row in items.pages(connection):
        answers = items.answers(connection, row.seq)
        probes += seen(answers, pipeline.check_step)
        words += votes(pipeline, row.seed, state_of(pipeline, row.seed, answers))
    return quality(words, probes)


def votes(pipeline: Pipeline, seed: Seed, state: object) -> Iterator[Word]:
    """The votes on one item's options."""
    for option in (so_far(pipeline, state) or {}).get("options", ()):
        for vote in option["votes"]:
            model, _, run = vote["by"].rpartition("#")
            yield Word(f"{seed.id}/{option['id']}", model, int(run), vote["verdict"], vote["keep"])
