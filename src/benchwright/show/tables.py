"""Lists: items, checks of models, what became of decisions, files."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from rich.console import Group, RenderableType

from benchwright.domain.check import Check
from benchwright.domain.flaw import Inspection
from benchwright.people import Written
from benchwright.results import Copied, Exported, Listed
from benchwright.review.exchange import Applied, Outcome
from benchwright.show.standing import table
from benchwright.show.text import amount, command, count_text, head, plain, short

NOT_TAKEN = (Outcome.REFUSED, Outcome.CONFLICT)  # which somebody must look at
QUIET = (Outcome.APPLIED, Outcome.ALREADY, Outcome.UNDECIDED)  # outcomes that are only counted


def draw_items(found: Sequence[Listed]) -> RenderableType:
    """Items, one a line."""
    if not found:
        return plain("no such items")
    drawn = table("item", "state", "source", "what")
    for one in found:
        state = one.state if one.cause in ("", one.state) else f"{one.state}: {one.cause}"
        drawn.add_row(short(one.id), plain(state), plain(one.document), plain(head(one.title, 100)))
    return drawn


def verdict(check: Check) -> RenderableType:
    """What a check came to, in a word."""
    if not check.ok:
        return plain("failed", "red")
    return plain("warning", "yellow") if check.warning else plain("ok", "green")


def checks(found: Sequence[Check]) -> RenderableType:
    """What was found of each model, graph and search."""
    drawn = table("what", "", "found")
    for check in found:
        drawn.add_row(
            plain(check.name),
            verdict(check),
            plain(check.message),
        )
    return drawn


def draw_import(found: Sequence[Applied]) -> RenderableType:
    """How the rows of a file fared; those that changed nothing and should have, one by one."""
    counts = Counter(row.outcome for row in found)
    told = ", ".join(f"{n} {outcome}" for outcome, n in counts.items()) or "no rows"
    lines = [plain(f"line {row.line}: {row.outcome}: {row.message}") for row in found if row.outcome not in QUIET]
    return Group(plain(f"{count_text(len(found), 'row')}: {told}"), *lines)


def draw_review_files(campaign: Path, found: Written) -> RenderableType:
    """What was written for people, and how it comes back."""
    file, *others = found.files
    if not found.cards:
        return command(f"no card waits that this file could hold: {file} has no rows")
    back = f"when they have decided: benchwright review import {quote(str(campaign))} {quote(str(file))} --by NAME"
    told = [
        command(f"wrote {count_text(found.cards, 'card')} to {file}"),
        *(command(f"beside it: {one}") for one in others),
    ]
    return Group(*told, command(back))


def draw_reviewed_file(found: Written) -> RenderableType:
    """What people have said, in a file."""
    if not found.cards:
        return command(f"nobody has decided on any card yet: {found.files[0]} has no rows")
    return command(f"wrote the decisions on {count_text(found.cards, 'card')} to {found.files[0]}")


def draw_export(found: Exported) -> RenderableType:
    """The files of an export, and how many items they hold."""
    none = f"no item is kept yet, so the set is empty: {found.status} says how the campaign stands"
    said = f"the set holds {count_text(found.items, 'kept item')}" if found.items else none
    return Group(*(command(f"wrote {file}") for file in found.files), command(said))


def draw_backup(found: Copied) -> RenderableType:
    """The file of a backup."""
    return command(f"wrote {found.file} ({amount(found.size)} bytes), a sound copy of the whole database")


def draw_inspection(found: Inspection) -> RenderableType:
    """What is wrong in a folder, flaw by flaw."""
    counts = ", ".join(f"{n} {sort}" for sort, n in found.counts.items()) or "nothing"
    left = found.total - len(found.flaws)
    return Group(
        plain(f"read {counts}"),
        *(plain(str(flaw)) for flaw in found.flaws),
        *([plain(f"and {left} more")] if left else []),
        *(plain(f"note: {remark}") for remark in found.remarks),
        plain(f"{count_text(found.total, 'flaw')}" if found.total else "no flaws"),
    )
