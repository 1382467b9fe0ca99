"""iBKH: a folder of vocabularies (`*_vocab.csv`) and of relations (`*_res.csv`), as the published archives unpack.

A relation's first two columns are ids; each further column is a relation that holds where it is 1, but for the source
and the score of what was only inferred.
"""

from collections.abc import Iterator
from pathlib import Path

from benchwright.domain.knowledge import Entity, Record, Triple
from benchwright.errors import UsageError
from benchwright.kg.tables import Row, line_error, pick, rows

SOURCE = "iBKH"
KINDS = {"dsp": "dietary supplement product", "sdsi": "dietary supplement", "tc": "therapeutic class"}
VERBS = {
    "absent": "is absent from",
    "associate": "is associated with",
    "associates": "is associated with",
    "associated with": "is associated with",
    "association": "is associated with",
    "bind": "binds",
    "binding": "binds",
    "carrier": "is carried by",
    "cause": "causes",
    "covaries": "covaries with",
    "covary": "covaries with",
    "downregulate": "downregulates",
    "downregulation": "downregulates",
    "effect": "has an effect on",
    "enzyme": "is metabolised by",
    "express": "expresses",
    "expression": "expresses",
    "has adverse effect on": "has an adverse effect on",
    "include": "includes",
    "inferred relation": "is inferred to relate to",
    "interact": "interacts with",
    "interaction": "interacts with",
    "is a": "is a",
    "palliate": "palliates",
    "participate": "participates in",
    "present": "presents",
    "reaction": "takes part in a reaction of",
    "regulate": "regulates",
    "regulation": "regulates",
    "resemble": "resembles",
    "resemblance": "resembles",
    "semantic relation": "is related to",
    "side effect": "has the side effect",
    "target": "targets",
    "transporter": "is transported by",
    "treat": "treats",
    "treatment": "treats",
    "upregulate": "upregulates",
    "upregulation": "upregulates",
}
ENDS = 2  # columns of a relation that hold ids
APART = ("Source", "Inference_Score")


def read(folder: Path) -> Iterator[Record]:
    """Every vocabulary, then every relation of the folder and its subfolders, by name."""
    vocabularies = sorted(folder.rglob("*_vocab.csv*"))
    relations = sorted({*folder.rglob("*_res.csv*"), *folder.rglob("SDSI_Sy.csv*")})
    if not vocabularies or not relations:
        raise UsageError(f"{folder}: holds no *_vocab.csv or no *_res.csv; unpack iBKH's entity and relation archives")
    for path in vocabularies:
        yield from entities(path)
    for path in relations:
        for line, row in rows(path, ()):
            yield from triples(path, line, row)


def entities(path: Path) -> Iterator[Entity]:
    """The entities of one vocabulary; a gene's name is its symbol."""
    name = path.name.partition("_vocab")[0]
    kind = KINDS.get(name, name.replace("_", " "))
    for line, row in rows(path, ("primary",)):
        if not (found := pick(row, "primary")):
            raise line_error(path, line, "has no primary id")
        yield Entity(found, pick(row, "name", "symbol") or found, kind)


def triples(path: Path, line: int, row: Row) -> Iterator[Triple]:
    """The relations that one row says hold."""
    if len(row) < ENDS:
        raise line_error(path, line, "has fewer than two columns")
    (_, subject), (_, object_), *columns = row.items()
    if not subject or not object_:
        raise line_error(path, line, "has an empty id")
    sources = pick(row, "Source").replace(";", ", ")
    source = f"{SOURCE}: {sources}" if sources else SOURCE
    for name, value in columns:
        if name not in APART and holds(path, line, name, value):
            said = name.replace("_", " ").lower()
            score = pick(row, "Inference_Score") if "inferred" in said else ""
            details = f"inference score {score}" if score else ""
            yield Triple(subject, verb(said), object_, source, details)


def verb(said: str) -> str:
    """The words between two ends for the name of a column: a verb, also where the name is a noun that nobody knows."""
    known = VERBS.get(said) or VERBS.get(said.removesuffix("s"))
    return known or (said if said.split(maxsplit=1)[0].endswith("s") else f"has the relation {said!r} to")


def holds(path: Path, line: int, name: str, value: str) -> bool:
    """Whether a 0/1 column says yes."""
    if value in {"", "0", "0.0"}:
        return False
    if value in {"1", "1.0"}:
        return True
    raise line_error(path, line, f"has {value!r} in the column {name}, which should be 0 or 1")
