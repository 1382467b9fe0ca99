"""A knowledge graph in a file of its own: loaded once, then asked without reading it again.

It is no part of a campaign's database: any number of campaigns may read it, and it can be made again from its sources.
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from benchwright.domain.knowledge import Entity, Fact, Named, Record, Triple, joined, names_of, unknown_end
from benchwright.errors import StoreRefused
from benchwright.store.queries import load

SQL = load("graphs")
FORMAT = "1"
APPLICATION = 0x4257_4B47  # "BWKG"
BATCH = 20_000  # rows written at once
NONE = "[]"  # as most entities' synonyms
CACHE = -16_384  # kibibytes of pages that a reader keeps


def lay(connection: sqlite3.Connection, what: str = "lay") -> None:
    """Make the tables, or what is an `index`: that is quicker once the tables are full."""
    for name in SQL:
        if name.startswith(f"{what}_"):
            connection.execute(SQL[name])


def build(path: Path, label: str, records: Iterable[Record], stamp: str = "") -> None:
    """Load records into a new file, whole or not at all; a record may name only entities that came before it.

    `stamp` says what it was made of (see `stamped`). Raises `UsageError` where a triple names an unknown entity.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    growing = path.with_name(path.name + ".new")
    growing.unlink(missing_ok=True)
    connection = sqlite3.connect(growing, isolation_level=None)
    try:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("PRAGMA journal_mode = OFF")  # what is not finished is thrown away
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        lay(connection)
        loading = Loading(connection, label)
        for record in records:
            loading.take(record)
        loading.finish(stamp)
        connection.execute("COMMIT")
    finally:
        connection.close()
    growing.replace(path)


@dataclass(slots=True)
class Loading:
    """A graph on its way into a file; ids and claims are kept in memory, edges are not."""

    connection: sqlite3.Connection
    label: str
    places: dict[str, int] = field(default_factory=dict)
    claims: dict[tuple[str, str], int] = field(default_factory=dict)
    links: list[dict[str, Any]] = field(default_factory=list)
    total: int = 0

    def take(self, record: Record) -> None:
        """Write one record, sooner or later."""
        if isinstance(record, Triple):
            self._take_triple(record)
        elif (place := self.places.get(record.id)) is not None:
            self._take_again(place, record)
        else:
            self.places[record.id] = len(self.places)
            self.connection.execute(SQL["add_entity"], {"seq": self.places[record.id], **row_of(record)})

    def _take_triple(self, triple: Triple) -> None:
        subject, object_ = self.places.get(triple.subject), self.places.get(triple.object)
        if subject is None or object_ is None:
            raise unknown_end(self.label, triple, triple.subject if subject is None else triple.object)
        made = self.claims.setdefault((triple.relation, triple.source), len(self.claims))
        self.links.append({"subject": subject, "claim": made, "object": object_, "details": triple.details})
        if len(self.links) == BATCH:
            self._write_links()

    def _take_again(self, place: int, record: Entity) -> None:
        known = entity_of(self.connection.execute(SQL["get"], {"seq": place}).fetchone())
        if (more := joined(known, record)) != known:
            self.connection.execute(SQL["change"], {"seq": place, "synonyms": json.dumps(more.synonyms)})

    def _write_links(self) -> None:
        self.connection.executemany(SQL["add_link"], self.links)
        self.total += len(self.links)
        self.links.clear()

    def finish(self, stamp: str) -> None:
        """Write what is left: the last edges, claims, names, indexes, and what the file is."""
        self._write_links()
        for (relation, source), seq in self.claims.items():
            self.connection.execute(SQL["add_claim"], {"seq": seq, "relation": relation, "source": source})
        self.connection.executemany(SQL["add_name"], self._names())
        lay(self.connection, "index")
        counts = {"entities": len(self.places), "triples": self.total}
        for key, value in {"format": FORMAT, "label": self.label, "stamp": stamp, **counts}.items():
            self.connection.execute(SQL["note"], {"key": key, "value": str(value)})

    def _names(self) -> Iterator[dict[str, Any]]:
        for seq, *row in self.connection.execute(SQL["every"]):
            for form, named in names_of(entity_of(row)):
                yield {"form": form, "n": int(named.synonym), "entity": seq, "name": named.name}


def row_of(entity: Entity) -> dict[str, str]:
    """An entity as its row."""
    return {"id": entity.id, "name": entity.name, "kind": entity.kind, "synonyms": json.dumps(entity.synonyms)}


def entity_of(row: Sequence[str]) -> Entity:
    """A row as an entity."""
    name, title, kind, synonyms = row
    return Entity(name, title, kind, tuple(json.loads(synonyms)) if synonyms != NONE else ())


def stamped(path: Path) -> str | None:
    """What the file was made of; None where there is none, or one that this Benchwright cannot read."""
    if not path.exists():
        return None
    with GraphFile(path) as graph:
        return graph.about["stamp"] if graph.about.get("format") == FORMAT else None


class GraphFile:
    """A loaded graph (`kg.graph.Graph`), open for reading until closed; any thread may ask, one at a time."""

    def __init__(self, path: Path) -> None:
        """Raises `StoreRefused` where the file is no graph."""
        self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
        try:
            application = self._connection.execute("PRAGMA application_id").fetchone()[0]
            self.about: dict[str, str] = (
                dict(self._connection.execute(SQL["noted"])) if application == APPLICATION else {}
            )
        except sqlite3.DatabaseError:
            self.about = {}
        if not self.about:
            self.close()
            raise StoreRefused(f"{path} is no graph of Benchwright's: remove it, and it is made again")
        self._connection.execute(f"PRAGMA cache_size = {CACHE}")

    def __enter__(self) -> Self:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()

    @property
    def label(self) -> str:
        """What the run calls it."""
        return self.about["label"]

    def named(self, wanted: str) -> tuple[Named, ...]:
        """Every entity that has a name of this normal form, own names first."""
        found = self._connection.execute(SQL["named"], {"form": wanted})
        return tuple(Named(name, entity_of(entity), synonym > 0) for name, synonym, *entity in found)

    def facts(self, entity: str) -> tuple[Fact, ...]:
        """Every fact of which the entity with this id is an end, each once, in the order of the files."""
        known: dict[str, Entity] = {}  # one end is the same in every row
        facts = []
        for row in dict.fromkeys(self._connection.execute(SQL["facts"], {"id": entity})):
            for at in (0, 5):
                if row[at] not in known:
                    known[row[at]] = entity_of(row[at : at + 4])
            facts.append(Fact(known[row[0]], row[4], known[row[5]], row[9], row[10]))
        return tuple(facts)

    def names(self, kinds: Collection[str]) -> Iterator[Named]:
        """Every name of every entity of these kinds."""
        for kind in sorted(kinds):
            for row in self._connection.execute(SQL["of_kind"], {"kind": kind}):
                yield from (named for _, named in names_of(entity_of(row)))
