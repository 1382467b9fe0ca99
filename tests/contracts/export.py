"""What every form of export must do: give back what went in, alike each time, whatever the texts hold."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from benchwright.domain.campaign import Campaign, Model, Panel
from benchwright.domain.document import View
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.source import Content, Ref
from benchwright.domain.vote import Rule
from benchwright.pipelines.choice.body import Body, Choice, Decision, OptionVote, Question, Quote
from benchwright.pipelines.choice.formats.provenance import record
from benchwright.pipelines.kind import Kept, Seen, Source

HOSTILE = (
    "two\nlines\r\nand\ttab",
    "line\u2028and paragraph\u2029separators, next\x85line, form\x0cfeed",
    'quotes " \' ` and \\ backslash',
    "NUL \0 and delete \x7f",
    "👩🏽\u200d🔬 e\u0301 ﷽ \u202eright to left\u202c",
    "=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)",
    "</script><!-- & | * _ [x](y)",
    "{}[],:", "\ufeffmark", "  spaces  ", "",
)  # fmt: skip
HALVES = ("half \ud83d of a character", "\udcff")

Write = Callable[[Iterable[Kept]], bytes]
Read = Callable[[bytes], list[dict[str, Any]]]
CAMPAIGN = Campaign(
    name="outbreaks",
    pipeline="recall",
    corpus=("reports",),
    models={
        "glm": Model("glm", "direct", "glm-4", base_url="http://localhost/v1"),
        "tiny": Model("tiny", "local", "smollm2"),
    },
    roles={"write_question": Panel(("glm",)), "check_option": Panel(("glm",), 3)},
    rule=Rule(Fraction(4, 5), Fraction(7, 10), 2),
)
SERVED = replace(CAMPAIGN, roles={"check_option": Panel(("glm", "tiny")), "write_question": Panel(("glm",))})


@dataclass(frozen=True, slots=True)
class InMemory:
    """A set as formats read it, of these items."""

    kept: Callable[[], Iterable[Kept]]
    campaign: Campaign = SERVED

    def items(self, phase: str = "") -> Iterator[Kept]:
        return iter(self.kept())

    def content(self, ref: Ref) -> Content:
        raise NotImplementedError


def kept(text: str = "What was found?", slot: int = 0) -> Kept:
    """An item all of whose free texts are `text`."""
    quote = Quote(3, 10, 10 + len(text), text)
    option = Choice(
        id="o1",
        label="correct",
        text=text,
        evidence=(quote,),
        rationale=text,
        confusion=text,
        votes=(OptionVote("glm#1", "correct", True, text), OptionVote("glm#2", "cannot_say", None, "")),
        ratio="1/1",
        route="keep",
        decisions=(Decision("human:ada", "keep", text),),
        fate="keep",
    )
    fallen = replace(
        option, id="o2", label="distractor", votes=(), ratio="0/0", gate="duplicate", decisions=(), fate="reject"
    )
    body = Body(
        Question(text, (quote,)),
        (
            option,
            replace(option, id="o3", label="distractor"),
            fallen,
            replace(fallen, id="o4", gate=None, route=""),
            replace(option, id="o5", route="human", fate="reject"),
        ),
        ("o1", "o3"),
        "Surveillance",
        "Detection",
    )
    seed = Seed(slot, 1, View("d1", (0,)))
    item = Seen(f"item{slot}", seed, ItemState.KEPT, "kept", "", body, tuple)
    return Kept(item, (Source("d1", "reports/a.xml", text, "10.1/x", text, text, text),))


def export_contract(write: Write, read: Read) -> None:
    """Round trip, determinism, order, and texts that break careless writers."""
    items = [kept(text, slot) for slot, text in enumerate(HOSTILE)]
    data = write(items)
    assert read(data) == [plain(item) for item in items]
    assert write(iter(items)) == data
    assert read(write(reversed(items))) == [plain(item) for item in reversed(items)]
    assert write(items[:1]) + write(items[1:]) == data
    assert read(write([])) == []
    for text in HALVES:
        (back,) = read(write([kept(text)]))
        assert len(back["options"][0]["text"]) == len(text)
        back["options"][0]["text"].encode()


def plain(item: Kept) -> dict[str, Any]:
    """The item as any reader of JSON would have it."""
    found: dict[str, Any] = json.loads(json.dumps(record(item, SERVED)))
    return found
