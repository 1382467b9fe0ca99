"""An item read from the store, as its kind takes it."""

from functools import partial

from benchwright.pipelines.base import Pipeline, state_of
from benchwright.pipelines.kind import Seen
from benchwright.store import items
from benchwright.store.database import Connection


def read_item(connection: Connection, pipeline: Pipeline, row: items.Row) -> Seen:
    """An item as its kind takes it: with the body that it has ended with, or has so far."""
    read_answers = partial(items.answers, connection, row.seq)
    kind = pipeline.kind
    typed = kind.read(row.body) if row.body else pipeline.body(state_of(pipeline, row.seed, read_answers()))
    return Seen(row.id, row.seed, row.state, row.cause, row.detail, typed, read_answers)
