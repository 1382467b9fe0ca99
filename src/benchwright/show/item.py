"""One item, drawn: from the sentences of its document to its place in the export, and all that was said on the way."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.app import Explained
from benchwright.export.select import WITHHELD
from benchwright.review.history import Said
from benchwright.show.conclusions import conclusions
from benchwright.show.lookups import facts_of, readable
from benchwright.show.refinement import refinement
from benchwright.show.standing import indented
from benchwright.show.text import amount, counted, head, money, plain

LINE = 200  # characters of a prompt or a reply that are shown without --prompts
TASK = "Now "  # how the task of every prompt begins
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def history(found: Explained, *, prompts: bool) -> RenderableType:
    """The whole story of an item."""
    body = found.body or {}
    options = ordered(body)
    parts = [*opening(found), *extracted(found), *question(body), *graphs(found), *hardness(body)]
    parts += [part for letter, option in options for part in drawn(letter, option, withheld=withheld(body, option))]
    return Group(*parts, *place(found, options), *transcript(found.history.said, prompts=prompts))


def title(text: str) -> Text:
    """A heading."""
    return plain(f"\n{text}", "bold")


def opening(found: Explained) -> list[RenderableType]:
    """The item, its standing and its document."""
    row, document, body = found.history.item, found.history.document, found.body or {}
    why = ": ".join(filter(None, (row.cause, row.detail)))
    place_in_campaign = f"place {row.seed.slot + 1}, try {row.seed.attempt + 1}"
    about = [document.name, document.title, document.doi, document.licence]
    lines = [
        plain(f"item {row.id} ({place_in_campaign}): {row.state}" + (f", {why}" if why not in ("", row.state) else "")),
        plain("document: " + "; ".join(filter(None, about))),
    ]
    sections = len(row.seed.view.sections)
    if sections < len(document.sections):
        lines.append(plain(f"shown of it: {sections} of {len(document.sections)} sections"))
    if hidden := [document.sections[index].title or "without a title" for index in row.seed.view.masked]:
        lines.append(plain(f"masked, seen by some writers alone: {'; '.join(hidden)}"))
    kind = [f"{name}: {body[name]}" for name in ("class", "topic") if body.get(name)]
    if body.get("intended"):
        kind.append(f"options meant to be right: {body['intended']}")
    return [*lines, *([plain("; ".join(kind))] if kind else [])]


def extracted(found: Explained) -> list[RenderableType]:
    """The conclusions of the article, and whether checkers take them for its own."""
    lines = list(conclusions([one.answer for one in found.history.said]))
    return [title("Conclusions, from what is masked"), indented(*lines)] if lines else []


def question(body: Mapping[str, Any]) -> list[RenderableType]:
    """The evidence that the question rests on, then the question."""
    if not body:
        return [plain("\nno question was written")]
    asked = body["question"]
    return [
        title("The question rests on"),
        indented(*cited(asked["evidence"])),
        title("Question"),
        indented(plain(asked["question"])),
    ]


def graphs(found: Explained) -> list[RenderableType]:
    """What of knowledge graphs the writer of the question was given and used, with the facts."""
    told = (found.body or {}).get("knowledge")
    if not told or not told["given"]:
        return []
    facts = facts_of([one.answer for one in found.history.said])
    lines = [
        plain(f"{counted(told['given'], 'statement')} given to the writer of the question, {len(told['used'])} used")
    ]
    for one in told["used"]:
        lines += [plain(one["statement"]), *(plain(f"  {facts.get(name, name)}") for name in one["facts"])]
    return [title("What graphs know"), indented(*lines)]


def hardness(body: Mapping[str, Any]) -> list[RenderableType]:
    """How hard the item is, and what was done for it."""
    told = body.get("difficulty")
    return [title("Difficulty"), indented(*refinement(told))] if told else []


def cited(evidence: Iterable[Mapping[str, Any]]) -> list[Text]:
    """Cited sentences with their place in the document."""
    return [plain(f"[{one['sentence']}] {one['text']}  (characters {one['start']}-{one['end']})") for one in evidence]


def ordered(body: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The options under the letters that the set's reader sees, then, without a letter, those that fell or wait."""
    order: Sequence[str] = body.get("order", ())
    letters = {name: letter for letter, name in zip(LETTERS, order, strict=False)}
    options = sorted(body.get("options", ()), key=lambda option: letters.get(option["id"], "~"))
    return [(letters.get(option["id"], ""), option) for option in options]


def withheld(body: Mapping[str, Any], option: Mapping[str, Any]) -> bool:
    """Whether a sound option was left out of a finished item, on purpose."""
    return bool(body["order"]) and option["fate"] == "keep" and option["id"] not in body["order"]


def drawn(letter: str, option: Mapping[str, Any], *, withheld: bool) -> list[RenderableType]:
    """An option: evidence, votes, route, decisions, fate."""
    kind = option["label"] + (f" ({option['confusion'].replace('_', ' ')})" if option["confusion"] else "")
    lines: list[RenderableType] = [*cited(option["evidence"]), plain(f"because: {option['rationale']}")]
    lines += [plain(f"{vote['by']} votes {vote['verdict']}: {vote['reason']}") for vote in option["votes"]]
    lines.append(plain(route(option), "bold"))
    if option["fate"] == "human" and option["route"] in ("keep", "reject"):
        lines.append(plain("people are asked all the same", "bold"))
    lines += [plain(decided(one)) for one in option["decisions"]]
    if option.get("replaces"):
        lines.append(plain(f"before {option['author']} reworded it: {option['replaces']['text']}"))
    if option["decisions"]:
        lines.append(plain(f"in the end: {option['fate']}", "bold"))
    if withheld:
        lines.append(plain(WITHHELD, "bold"))
    named = ", ".join(filter(None, (f"Option {letter}".rstrip(), kind, option["id"])))
    return [title(named), indented(plain(option["text"]), *lines)]


def decided(one: Mapping[str, str]) -> str:
    """What a person said."""
    what = f"decides {one['decision']}" if one["decision"] != "cannot_say" else "cannot say"
    wording = f" to {one['text']!r}" if one.get("text") else ""
    return f"{one['by']} {what}{wording}: {one['reason']}"


def route(option: Mapping[str, Any]) -> str:
    """Where the gate or the votes sent an option."""
    if option["gate"]:
        return f"fell at the gate: {option['gate'].replace('_', ' ')}"
    where = {"human": "to people", None: "undecided"}.get(option["route"], option["route"])
    degraded = option.get("degraded", ())
    by = f" (degraded: {', '.join(degraded)})" if degraded else ""
    return f"{option['ratio']} votes confirm it: {where}{by}"


def place(found: Explained, options: Sequence[tuple[str, Mapping[str, Any]]]) -> list[RenderableType]:
    """The item's line in the export."""
    row = found.history.item
    if found.line is None:
        said = {"waiting": "not yet: people owe a decision", "open": "not yet: models owe answers"}
        return [title("In the export"), indented(plain(said.get(row.state, "not: it was discarded")))]
    right = [letter for letter, option in options if letter and option["label"] == "correct"]
    shown = [letter for letter, _ in options if letter]
    answer = ", ".join(right) or "none of them"
    told = f"items.jsonl, line {found.line}: options {', '.join(shown)} in this order; right: {answer}"
    return [title("In the export"), indented(plain(told))]


def transcript(said: Sequence[Said], *, prompts: bool) -> list[RenderableType]:
    """Every answer with its call, first to last."""
    parts = [part for number, one in enumerate(said, 1) for part in spoken(number, one, prompts=prompts)]
    costs = [one.call["cost"] for one in said if one.call]
    total = None if None in costs else sum(costs)
    return [title("What was said"), *parts, plain(f"\n{counted(len(costs), 'call')}, cost {money(total)}")]


def spoken(number: int, one: Said, *, prompts: bool) -> list[RenderableType]:
    """One answer: who, about what, for how much; prompt and reply."""
    answer, call = one.answer, one.call
    about = f" about {answer.about}" if answer.about else ""
    top = plain(f"\n{number}. {answer.step}{about}, {answer.by}{'' if call is None else f' ({paid(call)})'}")
    if call is None:
        words = readable(answer, LINE, whole=prompts)
        return [top, indented(*(words or [plain(answer.body if prompts else head(answer.body, LINE))]))]
    if prompts:
        turns = [plain(f"{turn['role']}:\n{turn['content']}") for turn in call["messages"]]
        return [top, indented(*turns, plain(f"reply:\n{call['reply']}"))]
    asked = task(call["messages"][-1]["content"])
    return [top, indented(plain(f"asked: {head(asked, LINE)}"), plain(f"reply: {head(call['reply'] or '', LINE)}"))]


def task(message: str) -> str:
    """What is asked about; the first line of a task, on the form of the reply, is left out."""
    first, _, rest = message.partition("\n")
    return rest if rest and first.startswith(TASK) else message


def paid(call: Mapping[str, Any]) -> str:
    """What a call took."""
    counts = f"{amount(call['prompt'] or 0)} tokens in, {amount(call['completion'] or 0)} out"
    return f"{counts}, {call['latency'] or 0:.1f} s, {money(call['cost'])}"
