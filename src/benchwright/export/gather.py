"""From the store to what an export knows: kept items in the order of the set, read in slices."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from benchwright import __version__
from benchwright.agents.base import Agent
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document, read_out
from benchwright.domain.ids import content_id
from benchwright.domain.item import ItemState
from benchwright.export.extras import difficulty, knowledge
from benchwright.export.manifest import Made
from benchwright.export.select import WITHHELD, Ballot, Choice, Decision, Exported, Question, Quote, Source, Wording
from benchwright.pipelines.choice.option import CORRECT
from benchwright.store import campaigns, counts, documents, items
from benchwright.store.database import Connection


def gather(connection: Connection, campaign: Campaign) -> Iterator[Exported]:
    """Every kept item."""
    models = {role: panel.models for role, panel in campaign.roles.items()}
    for row in items.pages(connection, ItemState.KEPT):
        yield exported(connection, row, campaign, models)


def exported(
    connection: Connection, row: items.Row, campaign: Campaign, models: dict[str, tuple[str, ...]]
) -> Exported:
    """One kept item with its document and history."""
    body = row.body or {}
    document, _ = documents.get(connection, row.seed.view.document)
    options = {option["id"]: option for option in body["options"] if option["fate"] == "keep"}
    order, hard = body["order"], difficulty(body)
    return Exported(
        id=row.id,
        document=source(document),
        input_text=read_out(document, row.seed.view).text,
        topic_class=body["class"],
        topic=body["topic"],
        language=document.language if campaign.language == "document" else campaign.language,
        question=Question(body["question"]["question"], quotes(body["question"]["evidence"])),
        options=tuple(choice(options[name]) for name in order),
        answers=tuple(name for name in order if options[name]["label"] == CORRECT),
        dropped=tuple(
            dropped(option) for option in body["options"] if option["fate"] != "keep" or option["id"] not in order
        ),
        models=models,
        seed=campaign.seed,
        slot=row.seed.slot,
        attempt=row.seed.attempt,
        intended=body.get("intended", ""),
        knowledge=knowledge(connection, row, campaign),
        difficulty=hard,
        original_question=hard.versions[0].stem if hard else None,
    )


def source(document: Document) -> Source:
    """What the set says of a document."""
    return Source(document.id, document.name, document.title, document.doi, document.licence)


def quotes(evidence: Sequence[dict[str, Any]]) -> tuple[Quote, ...]:
    """Cited spans."""
    return tuple(Quote(**span) for span in evidence)


def choice(option: dict[str, Any]) -> Choice:
    """An option with its history; one that fell at a gate got no route from votes."""
    return Choice(
        id=option["id"],
        label=option["label"],
        text=option["text"],
        evidence=quotes(option["evidence"]),
        rationale=option["rationale"],
        confusion=option["confusion"],
        votes=tuple(Ballot(**vote) for vote in option["votes"]),
        ratio=option["ratio"],
        route="" if option["gate"] else option["route"],
        gate=option["gate"] or "",
        decisions=tuple(Decision(**decision) for decision in option["decisions"]),
        author=option.get("author", ""),
        replaces=Wording(**option["replaces"]) if option.get("replaces") else None,
        audited=option.get("audited", False),
    )


def dropped(option: dict[str, Any]) -> Choice:
    """An option that is not in the set, with the reason where neither gate nor votes nor people are it."""
    return replace(choice(option), reason=WITHHELD) if option["fate"] == "keep" else choice(option)


def made(connection: Connection, campaign: Campaign, agents: Sequence[Agent], file: str) -> Made:
    """How the set was made."""
    admitted = [row.id for row in documents.listed(connection) if row.id]
    discarded: Counter[str] = Counter()
    for state, cause, n in items.causes(connection):
        if state == ItemState.DISCARDED:
            discarded[cause] += n
    states = counts.of(connection, "item").get("", {})
    return Made(
        campaign=campaign,
        file=file,
        prompts={agent.name: agent.prompt.id for agent in agents},
        schemas={agent.name: content_id("schema", agent.Answer.model_json_schema()) for agent in agents},
        documents=tuple(source(documents.get(connection, name)[0]) for name in admitted),
        version=__version__,
        discarded=dict(sorted(discarded.items())),
        waiting=states.get(ItemState.WAITING, 0),
        unfinished=states.get(ItemState.OPEN, 0),
        sources=campaigns.get(connection).recipe.get("sources", {}),
    )
