"""What a benchmark ran on, and how its figures are printed."""

import json
import os
import platform
import resource
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    """The machine and how busy it is: read it before and after, for a busy one doubles every figure."""
    return {
        "cores": os.cpu_count(),
        "cpu": cpu(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "load": [round(load, 1) for load in os.getloadavg()],
    }


def cpu() -> str:
    """The processor's name, as far as the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def table(title: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as aligned text under a title; every row has the columns of the first."""
    columns = list(rows[0])
    cells = [columns, *([shown(row[column]) for column in columns] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    lines = ["  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)) for line in cells]
    return "\n".join([title, *lines, ""])


def shown(value: Any) -> str:
    """A cell: numbers rounded to what they are worth."""
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - three digits either way
    return f"{value:,}" if isinstance(value, int) else str(value)


def report(found: Mapping[str, Any], *, as_json: bool) -> None:
    """Print everything: as one JSON document, or the machine and then each list of rows as a table."""
    if as_json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
        return
    for title, rows in found.items():
        print(table(title, rows) if isinstance(rows, list) else f"{title}: {words(rows)}\n")


def words(facts: Mapping[str, Any]) -> str:
    """Facts in one line."""
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def resident() -> int:
    """Bytes of memory that this process holds now; the most it ever held where the system tells no more."""
    pages = Path("/proc/self/statm")
    if pages.exists():
        return int(pages.read_text("utf-8").split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
