"""The human queue as tasks of Label Studio, with the labeling configuration that goes with them, and answers back.

`FILE.json` is imported into a project whose labeling interface is `FILE.xml`; what the project exports as JSON, or as
JSON-MIN, comes back.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchwright.domain.opinion import DECISIONS
from benchwright.review.sheet import Card, Row, as_text, row

SHOWN = ("document", "title", "question", "claim", "option", "evidence", "others", "votes")
CONFIG = """<View>
  <Header value="Question"/>
  <Text name="question" value="$question"/>
  <Header value="Option"/>
  <Text name="option" value="$option"/>
  <Header value="It claims to be a"/>
  <Text name="claim" value="$claim"/>
  <Header value="Its writer cites"/>
  <Text name="evidence" value="$evidence"/>
  <Header value="The other options"/>
  <Text name="others" value="$others"/>
  <Choices name="decision" toName="option" choice="single" required="true" showInline="true">
{choices}
  </Choices>
  <TextArea name="wording" toName="option" placeholder="The new wording, of an edit" maxSubmissions="1"/>
  <TextArea name="reason" toName="option" placeholder="Reason" maxSubmissions="1"/>
</View>
"""
KEYS = "krec"


def make(cards: Sequence[Card]) -> Mapping[str, bytes]:
    """The tasks, and the configuration."""
    tasks = [{"data": data(card)} for card in cards]
    return {"": json.dumps(tasks, ensure_ascii=False, indent=1).encode(), ".xml": config().encode()}


def config() -> str:
    """The labeling interface."""
    choices = [f'    <Choice value="{word}" hotkey="{key}"/>' for word, key in zip(DECISIONS, KEYS, strict=True)]
    return CONFIG.format(choices="\n".join(choices))


def data(card: Card) -> dict[str, str]:
    """What a task shows, and by what it is known."""
    told = {name: value if isinstance(value, str) else "\n".join(value) for name, value in asdict(card).items()}
    return {"key": card.key} | {name: told[name] or "none" for name in SHOWN if name != "votes" or told["votes"]}


def rows(task: Mapping[str, Any], first: int) -> Iterator[Row]:
    """What people answered to a task, one row an annotation; a task without any is one undecided row."""
    told = task["data"] if isinstance(task["data"], dict) else {}
    known = {"key": as_text(told.get("key")), "option": as_text(told.get("option"))}
    given = [one for one in task.get("annotations") or () if isinstance(one, dict) and not one.get("was_cancelled")]
    for number, one in enumerate(given, first):
        yield row(number, known | answer(one) | {"reviewer": who(one.get("completed_by"))})
    if not given:
        yield row(first, known)


def answer(annotation: Mapping[str, Any]) -> dict[str, str]:
    """What an annotation says, under our names."""
    found = {}
    for region in annotation.get("result") or ():
        value = region.get("value") or {}
        said = value.get("choices") or value.get("text") or []
        found[str(region.get("from_name"))] = said if isinstance(said, str) else "\n".join(map(as_text, said))
    return found


def who(person: object) -> str:
    """An annotator's name: an address where there is one, or else the number by which the tool knows them."""
    if isinstance(person, dict):
        person = person.get("email") or person.get("username") or person.get("id")
    return f"annotator {person}" if isinstance(person, int) else as_text(person)
