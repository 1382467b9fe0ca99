"""A knowledge graph in a file of its own: loaded once, then asked without reading it again.

It is no part of a campaign's database: any number of campaigns may read it, and it can be made again from its sources.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from benchwright.domain.knowledge import Entity, Fact, Named, Record, Triple, merge_entities, names_of, unknown_end
from benchwright.errors import StoreFailed, StoreRefused
from benchwright.store.queries import load

SQL = load("graphs")
FORMAT = "3"
APPLICATION = 0x4257_4B47  # "BWKG"
BATCH = 20_000  # rows written at once
STEPS = 100_000  # of SQLite's machine between two looks whether anybody still waits
NONE = "[]"  # as most entities' synonyms
CACHE = -16_384  # kibibytes of pages that a reader keeps


def lay(connection: sqlite3.Connection, what: str = "lay") -> None:
    """Make the tables, or what is an `index`: that is quicker once the tables are full."""
    for name in SQL:
        if name.startswith(f"{what}_"):
            connection.execute(SQL[name])


def build(
    path: Path, label: str, records: Iterable[Record], stamp: str = "", left: Callable[[], bool] = lambda: False
) -> None:
    """Load records into a new file, whole or not at all; a record may name only entities that came before it.

    `stamp` says what it was made of (see `stamped`). Raises `UsageError` where a triple names an unknown entity,
    `StoreFailed` where the file cannot be written, or nobody waits for it any more: `left` is true.
    """
    growing = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        growing.unlink(missing_ok=True)
        with closing(sqlite3.connect(growing, isolation_level=None)) as connection:
            connection.set_progress_handler(left, STEPS)
            write(connection, label, records, stamp)
        growing.replace(path)
    except (OSError, sqlite3.Error) as error:
        message = f"the graph {label} cannot be written to {path}: {error}; the folder must be yours to write"
        raise StoreFailed(message) from error
    finally:
        if growing.is_file():
            growing.unlink()


def write(connection: sqlite3.Connection, label: str, records: Iterable[Record], stamp: str) -> None:
    """Fill a new file."""
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


@dataclass(slots=True)
class Loading:
    """A graph on its way into a file; ids, relations and sources are kept in memory, edges are not."""

    connection: sqlite3.Connection
    label: str
    places: dict[str, int] = field(default_factory=dict)
    relations: dict[str, int] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)
    links: list[dict[str, Any]] = field(default_factory=list)

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
        relation = self.relations.setdefault(triple.relation, len(self.relations))
        source = self.sources.setdefault(triple.source, len(self.sources))
        ends = {"subject": subject, "object": object_}
        self.links.append({**ends, "relation": relation, "source": source, "details": triple.details})
        if len(self.links) == BATCH:
            self._write_links()

    def _take_again(self, place: int, record: Entity) -> None:
        known = entity_of(self.connection.execute(SQL["get"], {"seq": place}).fetchone())
        if (more := merge_entities(known, record)) != known:
            self.connection.execute(SQL["change"], {"seq": place, "synonyms": json.dumps(more.synonyms)})

    def _write_links(self) -> None:
        self.connection.executemany(SQL["add_link"], self.links)
        self.links.clear()

    def finish(self, stamp: str) -> None:
        """Write what is left: the last edges, all of them as sides, what they name, indexes, and what the file is."""
        self._write_links()
        self.connection.execute(SQL["lay_down"])
        for statement, names in (("add_relation", self.relations), ("add_source", self.sources)):
            self.connection.executemany(SQL[statement], ({"seq": seq, "name": name} for name, seq in names.items()))
        self.connection.executemany(SQL["add_name"], self._names())
        lay(self.connection, "index")
        (triples,) = self.connection.execute(SQL["count"]).fetchone()
        counts = {"entities": len(self.places), "triples": triples}
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


def fact_of(own: Entity, row: Sequence[Any], others: dict[str, Entity]) -> Fact:
    """The fact that a row tells of an entity; the other end is one of those that are known, or becomes one."""
    name, title, kind, synonyms, role, relation, source, details = row
    if (other := others.get(name)) is None:
        other = others[name] = entity_of((name, title, kind, synonyms))
    ends = (other, own) if role else (own, other)
    return Fact(ends[0], relation, ends[1], source, details)


def read_stamp(path: Path) -> str | None:
    """What the file was made of; None where there is none, or one that this Benchwright cannot read."""
    if not path.exists():
        return None
    with GraphFile(path) as graph:
        return graph.about["stamp"] if graph.about.get("format") == FORMAT else None


class GraphFile:
    """A loaded graph (`kg.graph.Graph`), open for reading until closed; any thread may ask, one at a time."""

    def __init__(self, path: Path) -> None:
        """Raises `StoreRefused` where the file is no graph."""
        address = f"{path.resolve().as_uri()}?mode=ro"
        try:
            self._connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        except sqlite3.Error as error:  # a folder, or a file that is not ours to read
            raise StoreRefused(f"{path} cannot be opened ({error}): remove it, and it is made again") from error
        self.about = self._read_notes()
        if not self.about:
            self.close()
            raise StoreRefused(f"{path} is no graph of Benchwright's: remove it, and it is made again")
        self._connection.execute(f"PRAGMA cache_size = {CACHE}")

    def _read_notes(self) -> dict[str, str]:
        """What the file says of itself; nothing where it is no graph."""
        try:
            (application,) = self._connection.execute("PRAGMA application_id").fetchone()
            return dict(self._connection.execute(SQL["noted"])) if application == APPLICATION else {}
        except sqlite3.DatabaseError:
            return {}

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

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of things that it knows."""
        return tuple(kind for (kind,) in self._connection.execute(SQL["kinds"]))

    def find_by_name(self, wanted: str) -> tuple[Named, ...]:
        """Every entity that has a name of this normal form, own names first."""
        found = self._connection.execute(SQL["named"], {"form": wanted})
        return tuple(Named(name, entity_of(entity), synonym > 0) for name, synonym, *entity in found)

    def find_by_forms(self, forms: Collection[str]) -> tuple[Named, ...]:
        """See `kg.graph.Graph`."""
        found = self._connection.execute(SQL["spoken"], {"forms": json.dumps(list(forms))})
        return tuple(Named(name, entity_of(entity), synonym > 0) for name, synonym, *entity in found)

    def facts(self, entity: str, each: int | None = None, ends: Collection[str] = ()) -> tuple[Fact, ...]:
        """See `kg.graph.Graph`; the latest of each relation take no longer where there are a million of them."""
        found = self._connection.execute(SQL["place"], {"id": entity}).fetchone()
        if found is None:
            return ()
        here, own = found[0], entity_of(found[1:])
        others = {own.id: own}  # one end is the same in many rows
        return tuple(fact_of(own, row, others) for row in self._rows(here, each, ends))

    def _rows(self, entity: int, each: int | None, ends: Collection[str]) -> Iterable[Sequence[Any]]:
        if each is None:
            return self._connection.execute(SQL["facts"], {"entity": entity})
        rows: dict[Sequence[Any], None] = {}
        for (relation,) in self._connection.execute(SQL["relations"], {"entity": entity}):
            latest = {"entity": entity, "relation": relation, "each": each}
            rows |= dict.fromkeys(self._connection.execute(SQL["latest"], latest))
        if ends:
            between = {"entity": entity, "ends": json.dumps(list(ends))}
            rows |= dict.fromkeys(self._connection.execute(SQL["between"], between))
        return rows

    def names(self, kinds: Collection[str]) -> Iterator[Named]:
        """Every name of every entity of these kinds."""
        for kind in sorted(kinds):
            for row in self._connection.execute(SQL["of_kind"], {"kind": kind}):
                yield from (named for _, named in names_of(entity_of(row)))
