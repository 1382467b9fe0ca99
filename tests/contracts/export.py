"""What every form of export must do: give back what went in, alike each time, whatever the texts hold."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from typing import Any

from benchwright.export.select import Ballot, Choice, Decision, Exported, Question, Quote, Source

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

Write = Callable[[Iterable[Exported]], bytes]
Read = Callable[[bytes], list[dict[str, Any]]]


def exported(text: str = "What was found?", slot: int = 0) -> Exported:
    """An item all of whose free texts are `text`."""
    quote = Quote(3, 10, 10 + len(text), text)
    option = Choice(
        id="o1",
        label="correct",
        text=text,
        evidence=(quote,),
        rationale=text,
        confusion=text,
        votes=(Ballot("glm#1", "correct", keep=True, reason=text), Ballot("glm#2", "cannot_say", keep=None, reason="")),
        ratio="1/1",
        route="keep",
        decisions=(Decision("human:ada", "keep", text),),
    )
    fallen = replace(
        option, id="o2", label="distractor", votes=(), ratio="0/0", route="", gate="duplicate", decisions=()
    )
    return Exported(
        id=f"item{slot}",
        document=Source("d1", "reports/a.xml", text, "10.1/x", text),
        input_text=text,
        topic_class="Surveillance",
        topic="Detection",
        language=text,
        question=Question(text, (quote,)),
        options=(option, replace(option, id="o3", label="distractor")),
        answers=("o1",),
        dropped=(fallen, replace(fallen, id="o4", gate=""), replace(option, id="o5", route="human")),
        models={"check_option": ("glm", "tiny"), "write_question": ("glm",)},
        seed=42,
        slot=slot,
        attempt=1,
    )


def export_contract(write: Write, read: Read) -> None:
    """Round trip, determinism, order, and texts that break careless writers."""
    items = [exported(text, slot) for slot, text in enumerate(HOSTILE)]
    data = write(items)
    assert read(data) == [plain(item) for item in items]
    assert write(iter(items)) == data
    turned = [replace(item, models=dict(reversed(list(item.models.items())))) for item in items]
    assert write(turned) == data
    assert read(write(reversed(items))) == [plain(item) for item in reversed(items)]
    assert write(items[:1]) + write(items[1:]) == data
    assert read(write([])) == []
    for text in HALVES:
        (back,) = read(write([exported(text)]))
        assert len(back["input_text"]) == len(text)
        back["input_text"].encode()


def plain(item: Exported) -> dict[str, Any]:
    """The item as any reader of JSON would have it."""
    body: dict[str, Any] = json.loads(json.dumps(asdict(item)))
    body["class"] = body.pop("topic_class")
    return {name: value for name, value in body.items() if value is not None and (name, value) != ("intended", "")}
