"""A plain CSV of triples: subject, relation, object; also source, details, subject_kind and object_kind, if known."""

from collections.abc import Iterator
from pathlib import Path

from benchwright.domain.knowledge import Entity, Record, Triple
from benchwright.kg.tables import line_error, pick, rows

WANTED = ("subject", "relation", "object")
NOTHING = frozenset(("nan", "none", "null", "<na>", "n/a", "#n/a"))  # what programs write for an empty cell
KIND = "disease"  # of a subject whose kind is not told


def read(path: Path) -> Iterator[Record]:
    """Both ends of every row under their names, then the triple; its source is the file where none is told."""
    for line, row in rows(path, WANTED):
        subject, relation, object_ = (pick(row, column) for column in WANTED)
        if not (subject and relation and object_) or NOTHING & {subject.lower(), relation.lower(), object_.lower()}:
            raise line_error(path, line, "lacks its subject, relation or object")
        ends = tuple(
            Entity(f"{kind}:{name}", name, kind)
            for name, kind in (
                (subject, pick(row, "subject_kind").lower() or KIND),
                (object_, pick(row, "object_kind").lower() or "thing"),
            )
        )
        yield from ends
        yield Triple(ends[0].id, relation, ends[1].id, pick(row, "source") or path.name, pick(row, "details"))
