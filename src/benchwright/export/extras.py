"""What only some pipelines' items have: how hard they are, and what of knowledge graphs they used."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from benchwright.domain.campaign import Campaign
from benchwright.export.select import Difficulty, Fact, Judgement, Knowledge, Statement, Version
from benchwright.pipelines.lookups import TopicFacts, find_facts
from benchwright.store import items
from benchwright.store.database import Connection


def difficulty(body: Mapping[str, Any]) -> Difficulty | None:
    """How hard an item in its final form is; None where that was not measured."""
    told = body.get("difficulty")
    if told is None:
        return None
    versions = tuple(map(version, told["versions"]))
    best = versions[told["best"]]
    return Difficulty(
        score=best.score,
        score_exact=best.score_exact,
        level=told["level"],
        alpha=float(Fraction(told["rule"]["alpha"])),
        threshold=float(Fraction(told["rule"]["threshold"])),
        answered=best.answered,
        failed=best.failed,
        kept=told["best"],
        why=told["why"],
        versions=versions,
    )


def version(told: Mapping[str, Any]) -> Version:
    """A stem as it was measured."""
    return Version(
        stem=told["stem"],
        entity=told["entity"],
        phrase=told["phrase"],
        sources=tuple(told["sources"]),
        score=None if told["score"] is None else float(Fraction(told["score"])),
        score_exact=told["score"],
        level=told["level"],
        answered=told["answered"],
        failed=told["failed"],
        judgements=tuple(Judgement(**mark) for mark in told["marks"]),
    )


def knowledge(connection: Connection, row: items.Row, campaign: Campaign) -> Knowledge | None:
    """What of graphs an item was given and used; None where none was asked."""
    told = known(row.body or {}, campaign)
    if told is None:
        return None
    facts = facts_of(connection, row.seq) if told["used"] else {}
    used = (Statement(one["statement"], tuple(facts[name] for name in one["facts"])) for one in told["used"])
    return Knowledge(told["given"], tuple(used))


def known(body: Mapping[str, Any], campaign: Campaign) -> Mapping[str, Any] | None:
    """What an item's final form says of graphs; None where no graph was asked: its pipeline has none, or the campaign.

    What was given stays told, though the campaign may ask none any more.
    """
    told: Mapping[str, Any] | None = body.get("knowledge")
    asked = (campaign.settings.get("knowledge") or {}).get("graphs")
    return told if told and (asked or told["given"]) else None


def facts_of(connection: Connection, seq: int) -> Mapping[str, Fact]:
    """The facts that graphs had for an item, by their ids."""
    said = [answer for answer in items.answers(connection, seq) if answer.step == find_facts.name]
    facts = [fact for answer in said for fact in TopicFacts.model_validate(answer.value).facts]
    return {
        fact.id: Fact(
            id=fact.id,
            subject=fact.subject.name,
            subject_id=fact.subject.id,
            relation=fact.relation,
            object=fact.object.name,
            object_id=fact.object.id,
            source=fact.source,
            details=fact.details,
        )
        for fact in facts
    }
