"""The commands that look at votes: `benchwright whatif` and `benchwright checkers`."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from benchwright.show.code import Code
from benchwright.show.common import COMMON, Campaign, Common

Count = Annotated[int | None, Parameter(validator=Number(gte=1))]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Terms:
    """What is to be another."""

    accept: Annotated[str | None, Parameter(help='Keep from here on: 0.75, or a fraction such as "5/9".')] = None
    reject: Annotated[str | None, Parameter(help="Reject below this.")] = None
    quorum: Annotated[Count, Parameter(help="People decide on what has fewer votes than this.")] = None
    drop_checker: Annotated[tuple[str, ...], Parameter(help="Leave this checker's votes out; may be repeated.")] = ()


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Applying:
    """Who makes a change, and why."""

    apply: Annotated[bool, Parameter(help="Change the campaign's rule, in its file too, and plan items again.")] = False
    by: Annotated[str, Parameter(help="Who changes it; stays on record.")] = ""
    why: Annotated[str, Parameter(help="Why; stays on record.")] = ""


TERMS, APPLYING = Terms(), Applying()


async def whatif(
    campaign: Campaign, /, *, terms: Terms = TERMS, applying: Applying = APPLYING, common: Common = COMMON
) -> Code:
    """See what another rule would make of the votes on record: what is kept, agreement with people. Asks no model."""
    from benchwright import panel
    from benchwright.show.votes import draw_comparison

    change = panel.Change(terms.accept, terms.reject, terms.quorum, terms.drop_checker)
    if applying.apply:
        found = await panel.apply(campaign, change, applying.by, applying.why)
    else:
        found = await panel.compare(campaign, change)
    return common.screen.answer(found.json(), draw_comparison(campaign, found))


async def checkers(campaign: Campaign, /, *, common: Common = COMMON) -> Code:
    """Show how good the checkers or graders are: planted tests, agreement, rubber stamps. Asks no model."""
    from benchwright import panel
    from benchwright.show.votes import checkers as drawn

    found = await panel.checkers(campaign)
    return common.screen.answer(found.json(), drawn(found))
