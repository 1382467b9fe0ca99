"""The values of published systems, by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True)
class Preset:
    """A paper's values; a key that stands in the campaign file wins over each.

    `tables` are keys by table, `runs` how often each voting model is asked; temperatures are those of models that
    vote and of models that write.
    """

    pipeline: str
    tables: Mapping[str, Mapping[str, Any]]
    runs: int
    voter_temperature: float
    writer_temperature: float


# EpiQAL is arXiv 2601.03471; its one item per document is our default too.
PRESETS = {
    "epiqal-a": Preset(
        pipeline="recall",
        tables={
            "rule": {"accept": Decimal("0.8"), "reject": Decimal("0.7")},
            "recall": {"topics": "model", "no_correct": "keep"},
        },
        runs=3,
        voter_temperature=1.0,
        writer_temperature=0.0,
    )
}
