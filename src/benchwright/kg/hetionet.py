"""Hetionet: a table of nodes (id, name, kind) and one of edges (source, metaedge, target), as published."""

from collections.abc import Iterator
from pathlib import Path

from benchwright.domain.knowledge import Entity, Record, Triple
from benchwright.kg.tables import line_error, rows

SOURCE = "Hetionet"
KINDS = {"compound": "drug"}  # what the other graphs call it
VERBS = {
    "AdG": "downregulates",
    "AeG": "expresses",
    "AuG": "upregulates",
    "CbG": "binds",
    "CcSE": "causes",
    "CdG": "downregulates",
    "CpD": "palliates",
    "CrC": "resembles",
    "CtD": "treats",
    "CuG": "upregulates",
    "DaG": "is associated with",
    "DdG": "downregulates",
    "DlA": "localizes to",
    "DpS": "presents",
    "DrD": "resembles",
    "DuG": "upregulates",
    "GcG": "covaries with",
    "GiG": "interacts with",
    "GpBP": "participates in",
    "GpCC": "participates in",
    "GpMF": "participates in",
    "GpPW": "participates in",
    "Gr>G": "regulates",
    "PCiC": "includes",
}


def read(nodes: Path, edges: Path) -> Iterator[Record]:
    """Every node, then every edge."""
    for line, row in rows(nodes, ("id", "name", "kind")):
        if not row["id"]:
            raise line_error(nodes, line, "has no id")
        kind = row["kind"].lower()
        yield Entity(row["id"], row["name"] or row["id"], KINDS.get(kind, kind))
    for line, row in rows(edges, ("source", "metaedge", "target")):
        if not (verb := VERBS.get(row["metaedge"])):
            raise line_error(edges, line, f"has the unknown metaedge {row['metaedge']!r}; known are {', '.join(VERBS)}")
        yield Triple(row["source"], verb, row["target"], SOURCE)
