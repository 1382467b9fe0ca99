"""The commands by which people review: `benchwright review ...`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from benchwright.show.code import Code
from benchwright.show.common import COMMON, Campaign, Common

desk = App(name="review", sort_key=8, help="The human queue: out to a file, and the decisions in again.")

Handed = Annotated[Path, Parameter(help="The file to write; its suffix says which format.")]
Decided = Annotated[Path, Parameter(help="The file with the decisions.")]
By = Annotated[str, Parameter(help="Who decided, where a row names nobody.")]


@desk.command(name="export")
async def review_export(campaign: Campaign, file: Handed, /, *, common: Common = COMMON) -> Code:
    """Write every option that waits for people to a .csv or .jsonl file."""
    from benchwright import people
    from benchwright.show.tables import handed_out

    count = await people.hand_out(campaign, file)
    return common.screen.answer({"file": str(file), "options": count}, handed_out(campaign, file, count))


@desk.command(name="import")
async def review_import(
    campaign: Campaign,
    file: Decided,
    /,
    *,
    by: By = "",
    common: Common = COMMON,
) -> Code:
    """Take decisions in from such a file. Importing twice is importing once."""
    from benchwright import people
    from benchwright.show.tables import applied

    found = await people.take_in(campaign, file, by)
    return common.screen.answer([asdict(row) for row in found], applied(found))
