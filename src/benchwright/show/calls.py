"""The calls of a campaign, counted; those that failed, one by one."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from rich.console import Group, RenderableType

from benchwright.engine.failed_calls import FailedCall, Next
from benchwright.results import RoleCalls
from benchwright.show.standing import table
from benchwright.show.text import amount, command, count_text, head, money, plain, short

WORDS = 300  # characters of what was said of a failed call
REPLY = 160  # characters of a reply that could not be used


def draw_calls(campaign: Path, found: Sequence[RoleCalls]) -> RenderableType:
    """The calls by role and model."""
    if not found:
        return plain("no calls yet")
    drawn = table("role", "model", "calls", "prompt", "reply", "cost", "failed", right=("calls", "prompt", "reply"))
    for one in found:
        spent, failed = one.spent, ", ".join(f"{cause} {n}" for cause, n in sorted(one.failed.items()))
        numbers = (amount(spent.calls), amount(spent.prompt), amount(spent.completion))
        drawn.add_row(
            plain(spent.step), plain(spent.model), *numbers, money(spent.json()["cost"]), plain(failed or "none")
        )
    if not any(one.failed for one in found):
        return drawn
    return Group(drawn, command(f"which failed, and why: benchwright calls {quote(str(campaign))} --failed"))


def draw_failed_calls(campaign: Path, found: Sequence[FailedCall]) -> RenderableType:
    """Each failed call with what was said of it, and how they are asked again."""
    if not found:
        return plain("no such calls failed")
    parts = [part for one in found for part in draw_failed_call(one)]
    again = sum(one.next is Next.ASK_AGAIN for one in found)
    advice = f"benchwright run {quote(str(campaign))} --ask-again asks {again} of them again"
    return Group(*parts, plain(count_text(len(found), "failed call")), *([command(advice)] if again else []))


def draw_failed_call(one: FailedCall) -> list[RenderableType]:
    """One of them: what it was about, why it failed, what came."""
    about = f" about {one.about}" if one.about else ""
    lines = [
        f"item {short(one.item)} ({one.source}): {one.role}{about} by {one.model}: {one.cause}, cost {money(one.cost)}",
        f"  {head(one.why, WORDS)}",
        *([f"  reply: {head(one.reply, REPLY)}"] if one.reply else []),
        f"  next: {one.next}",
    ]
    return [plain(line) for line in lines]
