"""What a run came to, and what to type next."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from shlex import quote

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.app import Report
from benchwright.domain.source import Inputs
from benchwright.engine.runner import How
from benchwright.glance import Place
from benchwright.show.code import Code
from benchwright.show.standing import (
    causes,
    draw_causes,
    draw_notes,
    draw_refused_files,
    draw_spending,
    ending,
    held_text,
    items_text,
)
from benchwright.show.text import command, count_text, plain, short

CODES = {
    How.DONE: Code.DONE,
    How.WAITING: Code.WAITING,
    How.PARTIAL: Code.PARTIAL,
    How.PAUSED: Code.PAUSED,
    How.FAILED: Code.FAILED,
}
FILES = {
    Inputs.DOCUMENTS: "documents (.pdf, .html, .docx, .xml of JATS, .md, .txt)",
    Inputs.RECORDS: "records (.jsonl, .csv)",
    Inputs.IMAGES: "the images that they name",
}
SAID = {How.DONE: "done", How.WAITING: "people are next", How.PARTIAL: "ended short", How.PAUSED: "paused"} | {
    How.FAILED: "failed"
}
SMALL = (
    "Only the embedded model was used. It is tiny: this shows the machinery, not a usable set. "
    "A real model, named in the campaign file, makes the set."
)


def report(path: Path, found: Report) -> RenderableType:
    """The end of a run."""
    status, ended = found.status, found.ended
    reason = ending(asdict(ended)) if ended.how is not How.WAITING else ""  # told in the next line
    parts: list[RenderableType] = [
        Text.assemble((SAID[ended.how], "bold"), plain(reason)),
        draw_items(found),
        *map(plain, found.lines),
    ]
    if found.intake.ignored:
        parts.append(plain(f"ignored {len(found.intake.ignored)} files that came after the campaign had begun"))
    parts += [*draw_refused_files(status), *draw_notes(status), *causes(status)]
    if found.shortfalls:
        parts += draw_causes("wanted items that no try has filled, by the last cause", found.shortfalls)
    parts += [*draw_spending(status), ""]
    if found.embedded:
        parts += [plain(SMALL), ""]
    return Group(*parts, *steps(path, found))


def draw_items(found: Report) -> RenderableType:
    """Items, and what waits for people, in a sentence."""
    status = found.status
    items = f"made: {items_text(status)}; {status.items.get('discarded', 0)} discarded"
    if not status.people:
        return plain(items)
    items_waiting = count_text(status.items.get("waiting", 0), "item")
    held = held_text(found.ended.phase) if found.ended.phase else ""
    people = f"; waiting for people: {count_text(status.people, 'decision')} on {items_waiting}{held}"
    return plain(items + people)


def steps(path: Path, found: Report) -> list[RenderableType]:
    """The commands that one may want next."""
    name, status = quote(str(path)), found.status
    wanted = [("how it stands", f"status {name}")]
    if found.ended.how is How.PAUSED:
        wanted.insert(0, ("go on", f"run {name}"))
    if found.example:
        wanted.append(("one item, all that was said", f"explain {name} {short(found.example)}"))
        wanted.append(("every item, with its id", f"items {name}"))
    if status.people:
        wanted.append(("decide what waits, in a browser", f"review serve {name}"))
        wanted.append(("the same in a file", f"review export {name} review.csv"))
    if status.items.get("kept"):
        wanted.append(("write the set", f"export {name}"))
    widest = max(len(why) for why, _ in wanted)
    return [Text("next", "bold"), *(command(f"  {why:{widest}}  benchwright {do}") for why, do in wanted)]


def first_steps(where: Place, inputs: Sequence[Inputs]) -> RenderableType:
    """What to do with a new campaign file, whose pipeline takes these from its corpus."""
    name, files = quote(str(where.file)), " and ".join(FILES[one] for one in inputs)
    return Group(
        command(f"wrote {where.file}"),
        command(f"1. put {files} into {where.file.with_name('documents')}"),
        command(f"2. name your models in {where.file}, then: benchwright doctor {name}"),
        command(f"3. benchwright run {name}"),
    )
