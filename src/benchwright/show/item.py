"""One item, drawn: from the sentences of its document to its place in the export, and all that was said on the way."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.domain.document import View
from benchwright.engine.history import History, Said
from benchwright.pipelines.kind import Line, Part, Table
from benchwright.results import Explained
from benchwright.show.lookups import readable
from benchwright.show.standing import indent, table
from benchwright.show.text import amount, count_text, head, money, plain

MOST = 200  # characters of a prompt or a reply that are shown without --prompts
TASK = "Now "  # how the task of every prompt begins


def history(found: Explained, *, prompts: bool) -> RenderableType:
    """The whole story of an item."""
    parts = [one for part in found.parts for one in draw_part(part)]
    return Group(*opening(found), *parts, *place(found), *transcript(found.history, prompts=prompts))


def draw_part(part: Part) -> list[RenderableType]:
    """A part of the story: its lines under their heading."""
    lines = [line(one) for one in part.content]
    return [title(part.title), indent(*lines)] if part.title else lines


def line(one: Line | Table) -> RenderableType:
    """A line of the story, or a table."""
    if isinstance(one, Line):
        return plain(one.text, "bold" if one.strong else "")
    shown = table(*one.head)
    for row in one.rows:
        shown.add_row(*map(plain, row))
    return shown


def title(text: str) -> Text:
    """A heading."""
    return plain(f"\n{text}", "bold")


def opening(found: Explained) -> list[RenderableType]:
    """The item, its standing and what it is about."""
    row, document = found.history.item, found.history.document
    why = ": ".join(filter(None, (row.cause, row.detail)))
    place_in_campaign = f"place {row.seed.slot + 1}, try {row.seed.attempt + 1}"
    about = [document.name, document.title, document.doi, document.licence]
    lines: list[RenderableType] = [
        plain(f"item {row.id} ({place_in_campaign}): {row.state}" + (f", {why}" if why not in ("", row.state) else "")),
        plain(f"{'document' if isinstance(row.seed.about, View) else 'about'}: {'; '.join(filter(None, about))}"),
    ]
    if not isinstance(row.seed.about, View):
        return lines
    sections = len(row.seed.view.sections)
    if sections < len(document.sections):
        lines.append(plain(f"shown of it: {sections} of {len(document.sections)} sections"))
    if hidden := [document.sections[index].title or "without a title" for index in row.seed.view.masked if index >= 0]:
        lines.append(plain(f"masked, seen by some writers alone: {'; '.join(hidden)}"))
    return lines


def place(found: Explained) -> list[RenderableType]:
    """The item's line in the export."""
    row = found.history.item
    if found.line is None:
        said = {"waiting": "not yet: people owe a decision", "open": "not yet: models owe answers"}
        return [title("In the export"), indent(plain(said.get(row.state, "not: it was discarded")))]
    return [title("In the export"), indent(plain(found.place))]


def transcript(found: History, *, prompts: bool) -> list[RenderableType]:
    """Every answer with its calls, first to last; then the calls that no answer came of."""
    parts = [part for number, one in enumerate(found.said, 1) for part in draw_answer(number, one, prompts=prompts)]
    if found.unanswered:
        parts.append(plain("\nwithout an answer so far"))
        parts += [part for call in found.unanswered for part in draw_call(call, prompts=prompts)]
    total = plain(f"\n{count_text(len(found.calls), 'call')}, cost {money(found.cost)}")
    return [title("What was said"), *parts, total]


def draw_answer(number: int, one: Said, *, prompts: bool) -> list[RenderableType]:
    """One answer: who, about what, for how much; what failed on the way, then prompt and reply."""
    answer, call = one.answer, one.call
    about = f" about {answer.about}" if answer.about else ""
    top = plain(f"\n{number}. {answer.step}{about}, {answer.by}{'' if call is None else f' ({call_cost_text(call)})'}")
    failed = [part for other in one.others for part in draw_call(other, prompts=prompts)]
    if call is None:
        words = readable(answer, MOST, whole=prompts)
        return [top, indent(*(words or [plain(answer.body if prompts else head(answer.body, MOST))])), *failed]
    return [top, *failed, indent(*draw_turns(call, prompts=prompts))]


def draw_call(call: Mapping[str, Any], *, prompts: bool) -> list[RenderableType]:
    """A call that gave no answer: who was asked, for how much, what came back and what is wrong with it."""
    came = call_cost_text(call) if call["state"] == "done" else call["state"]
    wrong = [plain(f"error: {call['error'] if prompts else head(call['error'], MOST)}")] if call["error"] else []
    return [
        indent(plain(f"unused: {call['step']}, {call['model']} ({came})"), *wrong, *draw_turns(call, prompts=prompts))
    ]


def draw_turns(call: Mapping[str, Any], *, prompts: bool) -> list[RenderableType]:
    """Prompt and reply of a call, whole or their heads."""
    if prompts:
        turns = [plain(f"{turn['role']}:\n{turn['content']}") for turn in call["messages"]]
        return [*turns, plain(f"reply:\n{call['reply']}")]
    asked = task(call["messages"][-1]["content"])
    return [plain(f"asked: {head(asked, MOST)}"), plain(f"reply: {head(call['reply'] or '', MOST)}")]


def task(message: str) -> str:
    """What is asked about; the first line of a task, on the form of the reply, is left out."""
    first, _, rest = message.partition("\n")
    return rest if rest and first.startswith(TASK) else message


def call_cost_text(call: Mapping[str, Any]) -> str:
    """What a call took."""
    counts = f"{amount(call['prompt'] or 0)} tokens in, {amount(call['completion'] or 0)} out"
    return f"{counts}, {call['latency'] or 0:.1f} s, {money(call['cost'])}"
