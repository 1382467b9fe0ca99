"""The words of a campaign's panels, gathered to measure who gave them."""

from dataclasses import replace
from itertools import islice

from benchwright.domain.quality import Probe, Quality, Word, qualities
from benchwright.pipelines.base import Pipeline, state_of
from benchwright.store import items
from benchwright.store.database import Connection


def measure_checkers(connection: Connection, pipeline: Pipeline, most: int | None = None) -> tuple[Quality, ...]:
    """How good the voters are; a panel for each kind of words, none where nobody spoke.

    They are measured by all things of all tries, or by those of the first `most` items: all words are in memory.
    """
    words: list[Word] = []
    probes: list[Probe] = []
    for row in islice(items.pages(connection), most):
        answers = items.answers(connection, row.seq)
        probes += pipeline.kind.probes(answers)
        if body := pipeline.body(state_of(pipeline, row.seed, answers)):
            words += (replace(word, about=f"{row.id}/{word.about}") for word in pipeline.kind.words(body))
    return qualities(words, probes, pipeline.kind.thing)
