"""What a drill came to."""

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.drill.drill import Found
from benchwright.show.standing import indent, table
from benchwright.show.text import plain, span

SERVED = {
    "429": "429, too many requests",
    "parse": "reply without JSON",
    "cut": "reply cut at the token limit",
    "think": "thought with a draft before the reply",
    "refuse": "refusal that passes at the next try",
    "drop": "connection dropped within the reply",
    "error": "502 with a web page",
    "hang": "no answer at all",
}


def draw_drill(found: Found) -> RenderableType:
    """The figures of a drill, and whether every promise was kept."""
    verdict = (
        Text("every promise was kept", "bold green")
        if not found.broken_promises
        else Text("broken promises", "bold red")
    )
    parts: list[RenderableType] = [figures(found), "", verdict]
    if found.broken_promises:
        parts.append(indent(*map(plain, found.broken_promises)))
    where = f", kept in {found.folder}" if found.folder else ""
    return Group(*parts, plain(f"took {span(found.seconds)}; no model was asked, nothing was paid{where}"))


def figures(found: Found) -> RenderableType:
    """One figure a line."""
    drawn = table("", "number", "", right=("number",))
    drawn.add_row("runs of the same command", str(found.runs))
    drawn.add_row("  killed (SIGKILL)", str(found.kills))
    drawn.add_row("requests that the provider saw", str(found.requests))
    for kind, number in found.faults.items():
        drawn.add_row(f"  {SERVED[kind]}", str(number))
    drawn.add_row("requests in flight at a kill", str(found.in_flight), "sent again, perhaps paid twice")
    drawn.add_row("replies on record", str(found.replies))
    drawn.add_row("  asked for again all the same", str(found.again), "must be 0")
    drawn.add_row("requests that the ledger does not know", str(found.unrecorded), "must be 0")
    same = "the same bytes as without faults" if found.identical else "not the set of the run without faults"
    drawn.add_row("items in the set", str(found.items), same)
    return drawn
