"""Models measured on a set: an evaluation begun, answers from elsewhere read, reports made. Reports ask nobody."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchwright import pipelines
from benchwright.app import LONG, count_items
from benchwright.begun import Opened, look_at_campaign
from benchwright.domain.item import ItemState
from benchwright.errors import UsageError
from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Measurement, Section
from benchwright.store import items
from benchwright.store.database import Connection

EVALUATION = "evaluation"  # the pipeline whose campaigns measure models on a set
FILE = "{}-evaluation.toml"


def begin_evaluation(place: Path, models: Sequence[str], wish: Mapping[str, Any], file: Path | None) -> Path:
    """Write the file of an evaluation; one that is there stays if it says the same, so that a run continues."""
    rows = pipelines.find_set_file(place)
    name = place.resolve().name if place.is_dir() else place.resolve().stem
    where = file or Path(FILE.format(name))
    corpus = Path(os.path.relpath(rows.resolve(), where.resolve().parent)).as_posix()
    text = pipelines.write_evaluation(place, corpus, models, wish)
    try:
        if where.exists():
            if where.read_text("utf-8-sig") != text:
                message = (
                    f"{where} is there already and says something else: 'benchwright evaluate {where}' continues it;"
                    " --into NAME.toml begins another"
                )
                raise UsageError(message)
        else:
            where.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{where}: cannot be written: {error.strerror}") from error
    return where


def measure_answers(place: Path, answers: Path, *, paper: bool) -> Measurement:
    """Measure answers that were given elsewhere."""
    return pipelines.measure_answers(place, answers, paper=paper)


async def report(path: Path, *, paper: bool = False) -> Measurement:
    """The report on a campaign: of an evaluation how the models did, of any other what was made."""
    async with look_at_campaign(path) as begun:
        if begun.campaign.pipeline != EVALUATION:
            return await begun.database.read(lambda connection: describe_campaign(connection, begun), seconds=LONG)
        name = begun.campaign.corpus[0]
        rows = begun.place.file.parent / name
        kind = begun.pipeline.kind

        def operation(connection: Connection) -> Measurement:
            bodies = [kind.read(row.body) for row in items.pages(connection, ItemState.KEPT)]
            return pipelines.measure_items(rows, bodies, paper=paper)

        found = await begun.database.read(operation, seconds=LONG)
        states = (await begun.status()).items
    left = states.get("open", 0)
    note = [f"{left} questions are not answered yet: 'benchwright evaluate {path}' continues"] if left else []
    notes = (*note, *found.notes)
    return replace(found, notes=notes, json={**found.json, "notes": list(notes)})


def describe_campaign(connection: Connection, begun: Opened) -> Measurement:
    """What a campaign has made, and why what fell fell."""
    counts = count_items(connection, begun)
    card = counts.card()
    ends = tuple((state, cause, number) for state, cause, number in items.causes(connection))
    sections = (
        Section("What was made", (*(Line(line) for line in counts.lines()), Table(("", "number"), card.counts))),
        Section("How items ended", (Table(("state", "cause", "items"), ends),)),
        *(Section(part.title, part.content) for part in card.parts),
        Section("How it was made", (Line(card.method),)),
    )
    rows = [("state", "cause", "items"), *ends]
    return Measurement(f"Campaign {begun.campaign.name}", sections, {"counts": counts.counts(), "ends": ends}, rows)
