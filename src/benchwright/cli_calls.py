"""The command `benchwright calls`, and what makes a run ask again what failed."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from benchwright.errors import UsageError
from benchwright.show.code import Code
from benchwright.show.common import COMMON, Campaign, Common

if TYPE_CHECKING:
    from benchwright.engine.again import AskAgain

Cause = Annotated[str, Parameter(help="Only calls that failed for this cause: refused, filtered, schema ...")]
Model = Annotated[str, Parameter(help="Only calls to this model, by its name in the campaign file.")]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Again:
    """What a run asks again."""

    ask_again: Annotated[bool, Parameter(help="Ask again what failed; 'benchwright calls --failed' lists it.")] = False
    cause: Annotated[str, Parameter(help="With --ask-again: only what failed for this cause.")] = ""
    model: Annotated[str, Parameter(help="With --ask-again: only what this model failed at.")] = ""
    leave_failed: Annotated[
        bool, Parameter(help="Take an earlier --ask-again back: what nobody has answered since counts as failed again.")
    ] = False

    @property
    def wanted(self) -> "AskAgain | None":
        """Which failed answers are withdrawn, or counted again; None where all stay as they are."""
        from benchwright.engine.again import AskAgain

        if self.ask_again and self.leave_failed:
            message = "--ask-again and --leave-failed contradict each other: give one of them"
            raise UsageError(message)
        if (self.cause or self.model) and not self.ask_again:
            message = "--cause and --model say what --ask-again asks: give that, too"
            raise UsageError(message)
        return AskAgain(self.cause, self.model, undo=self.leave_failed) if self.ask_again or self.leave_failed else None


NO_AGAIN = Again()


async def calls(
    campaign: Campaign,
    /,
    *,
    failed: Annotated[bool, Parameter(help="List the calls that failed, each with what was said of it.")] = False,
    cause: Cause = "",
    model: Model = "",
    common: Common = COMMON,
) -> Code:
    """Count the calls by role and model, or list those that failed. Asks no model."""
    from benchwright import results
    from benchwright.engine.again import AskAgain
    from benchwright.show.calls import draw_calls, draw_failed_calls

    if failed or cause or model:
        found = await results.list_failed(campaign, AskAgain(cause, model))
        return common.screen.answer([asdict(one) for one in found], draw_failed_calls(campaign, found))
    counted = await results.count_calls(campaign)
    return common.screen.answer([one.json() for one in counted], draw_calls(campaign, counted))
