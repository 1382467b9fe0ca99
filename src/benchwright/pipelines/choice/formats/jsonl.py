"""The set as JSON Lines: an item a line, with everything that a data set's reader may ask about it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.jsonl import json_line
from benchwright.domain.vote import Route
from benchwright.pipelines.choice.body import Body, Choice, Difficulty, Question, Version
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.kind import Finished, Kept, Subset
from benchwright.pipelines.lookups import TopicFacts, find_facts

DATA = "items.jsonl"
WITHHELD = "left out so that no option is right"  # the reason for which a sound option is not in the set
UNTOLD = ("lacks", "degraded", "fate")  # what is of the making alone
# What not every pipeline's items have; an item says nothing of what it has not.
PECULIAR = frozenset({"class", "topic", "intended", "knowledge", "difficulty", "original_question"})

ABOUT = """\
- `items.jsonl` holds one item a line: `input_text` is what the reader of the item gets to see, `question`, `options` in
  the order to show them, `answers` the ids of the correct ones (none where no option is right). Evidence is cited by
  sentence number in `input_text` and by characters `start` to `end` of the stored document. `dropped` lists the options
  that did not make it, and why; votes, people's decisions and the models of every role stand beside them."""


class JsonLines:
    """Such a file."""

    about = ABOUT
    subsets = (Subset("items", {"test": DATA}),)

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """One file."""
        return {DATA: (json_line(record(item, found.campaign)) for item in found.items())}


def record(kept: Kept, campaign: Campaign) -> dict[str, Any]:
    """An item under the names that readers know.

    `input_text` is what its reader sees of the document, `options` stand in their stored order, `answers` are the ids
    of the correct ones, `dropped` those that did not make it; `models` names who served each role.
    """
    item, (source, *_) = kept.item, kept.sources
    body: Body = item.body  # type: ignore[assignment] # a kept item has one
    fields = {
        "id": item.id,
        "document": {name: getattr(source, name) for name in ("id", "name", "title", "doi", "licence")},
        "input_text": source.text,
        "class": body.topic_class,
        "topic": body.topic,
        "language": source.language if campaign.language == "document" else campaign.language,
        "question": question(body.question),
        "options": [option(one) for one in body.options_in_item],
        "answers": [one.id for one in body.options_in_item if one.label == CORRECT],
        "dropped": [option(one, WITHHELD if one.fate == Route.KEEP else "") for one in body.other_options],
        "models": {role: panel.models for role, panel in campaign.roles.items()},
        "seed": campaign.seed,
        "slot": item.seed.slot,
        "attempt": item.seed.attempt,
        "intended": body.intended,
        "knowledge": knowledge(body, campaign, item.read_answers),
        "difficulty": difficulty(body.difficulty) if body.difficulty else None,
        "original_question": body.difficulty.versions[0].stem if body.difficulty else None,
    }
    return {name: value for name, value in fields.items() if name not in PECULIAR or value not in ("", None)}


def question(one: Question) -> dict[str, Any]:
    """The question; of one that people reworded also whose words it has, and the wording that was voted on."""
    history = {"author": one.author, "replaces": one.replaces} if one.replaces else {}
    return {"text": one.question, "evidence": list(map(asdict, one.evidence)), **history}


def option(one: Choice, reason: str = "") -> dict[str, Any]:
    """An option with its history; one that fell at a gate got no route from votes."""
    fields = {name: value for name, value in asdict(one).items() if name not in UNTOLD}
    return fields | {"route": "" if one.gate else one.route, "gate": one.gate or "", "reason": reason}


def difficulty(found: Difficulty) -> dict[str, Any]:
    """How hard the kept stem is, and all versions; `kept` is its place among them."""
    best = found.versions[found.best]
    return {
        "score": number(best.score),
        "score_exact": best.score,
        "level": found.level,
        "alpha": number(found.rule["alpha"]),
        "threshold": number(found.rule["threshold"]),
        "answered": best.answered,
        "failed": best.failed,
        "kept": found.best,
        "why": found.why,
        "versions": [version(one) for one in found.versions],
    }


def version(one: Version) -> dict[str, Any]:
    """A stem as it was measured."""
    fields = asdict(one)
    fields["judgements"] = fields.pop("marks")
    return fields | {"score": number(one.score), "score_exact": one.score}


def number(exact: str | None) -> float | None:
    """A fraction as a decimal."""
    return None if exact is None else float(Fraction(exact))


def knowledge(body: Body, campaign: Campaign, read_answers: Callable[[], Sequence[Answer]]) -> Mapping[str, Any] | None:
    """What of graphs the item was given and used, with the facts; None where none was asked."""
    if not knows(body, campaign) or body.knowledge is None:
        return None
    facts = facts_by_id(read_answers()) if body.knowledge.used else {}
    used = [{"text": one.statement, "facts": [facts[name] for name in one.facts]} for one in body.knowledge.used]
    return {"given": body.knowledge.given, "used": used}


def knows(body: Body, campaign: Campaign) -> bool:
    """Whether a graph was asked for the item: what was given stays on record, though the campaign may ask none now."""
    graphs = (campaign.settings.get("knowledge") or {}).get("graphs")
    return body.knowledge is not None and bool(graphs or body.knowledge.given)


def facts_by_id(answers: Sequence[Answer]) -> Mapping[str, Mapping[str, Any]]:
    """The facts that graphs had for an item."""
    found = (TopicFacts.model_validate(one.value) for one in answers if one.step == find_facts.name and not one.failure)
    return {
        fact.id: {
            "id": fact.id,
            "subject": fact.subject.name,
            "subject_id": fact.subject.id,
            "relation": fact.relation,
            "object": fact.object.name,
            "object_id": fact.object.id,
            "source": fact.source,
            "details": fact.details,
        }
        for topic in found
        for fact in topic.facts
    }
