"""What a run came to, and what to type next."""

from pathlib import Path
from shlex import quote

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from benchwright.app import Report
from benchwright.engine.runner import How
from benchwright.glance import Place
from benchwright.show.code import Code
from benchwright.show.standing import causes, indented, kept_of, refused, spent, tallied
from benchwright.show.text import counted, plain, short

CODES = {How.DONE: Code.DONE, How.WAITING: Code.WAITING, How.PARTIAL: Code.PARTIAL, How.PAUSED: Code.PAUSED}
SAID = {How.DONE: "done", How.WAITING: "people are next", How.PARTIAL: "ended short", How.PAUSED: "paused"}
SMALL = (
    "Only the embedded model was used. It is tiny: this shows the machinery, not a usable set. "
    "A real model, named in the campaign file, makes the set."
)


def report(path: Path, found: Report) -> RenderableType:
    """The end of a run."""
    status, ended = found.status, found.ended
    reason = f": {ended.reason}" if ended.reason and ended.how is not How.WAITING else ""  # told in the next line
    parts: list[RenderableType] = [Text.assemble((SAID[ended.how], "bold"), plain(reason)), made(found)]
    if found.intake.ignored:
        parts.append(plain(f"ignored {len(found.intake.ignored)} files that came after the campaign had begun"))
    parts += [*refused(status), *causes(status)]
    if found.shortfalls:
        parts += tallied("wanted items that no try has filled, by the last cause", found.shortfalls)
    parts += [*spent(status), ""]
    if found.embedded:
        parts += [plain(SMALL), ""]
    return Group(*parts, *steps(path, found))


def made(found: Report) -> RenderableType:
    """Items and waiting options in a sentence."""
    status = found.status
    items = f"made: {kept_of(status)}; {status.items.get('discarded', 0)} discarded"
    people = (
        f"; {counted(status.people, 'option')} of {counted(status.items.get('waiting', 0), 'item')} wait for people"
    )
    return plain(items + (people if status.people else ""))


def steps(path: Path, found: Report) -> list[RenderableType]:
    """The commands that one may want next."""
    name, status = quote(str(path)), found.status
    next_ones = [(f"status {name}", "how it stands")]
    if found.ended.how is How.PAUSED:
        next_ones.insert(0, (f"run {name}", "go on"))
    if found.example:
        next_ones.append((f"explain {name} {short(found.example)}", "all that was said about one item"))
        next_ones.append((f"items {name}", "every item, with its id"))
    if status.people:
        next_ones.append((f"review export {name} review.csv", "hand what waits to people"))
    if status.items.get("kept"):
        next_ones.append((f"export {name}", "write the set"))
    drawn = Table.grid(padding=(0, 2))
    drawn.add_column(no_wrap=True)
    for do, why in next_ones:
        drawn.add_row(plain(f"benchwright {do}"), plain(f"# {why}", "dim"))
    return [Text("next", "bold"), indented(drawn)]


def first_steps(where: Place) -> RenderableType:
    """What to do with a new campaign file."""
    name = quote(str(where.file))
    return Group(
        plain(f"wrote {where.file}"),
        plain(f"1. put documents (.xml of JATS, .md, .txt) into {where.file.with_name('documents')}"),
        plain(f"2. name your models in {where.file}, then: benchwright doctor {name}"),
        plain(f"3. benchwright run {name}"),
    )
