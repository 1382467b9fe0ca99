"""How each item of the set came about: evidence, votes, decisions of people, models, difficulty, use of graphs.

Every line has the same columns of the same types, whatever the item: what an item has not is "", [] or, of a number,
null. So a file whose first decision of a person comes late loads like any other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.vote import Route
from benchwright.pipelines.choice.body import (
    Body,
    Choice,
    Decision,
    Difficulty,
    EvidenceCheck,
    OptionSet,
    OptionVote,
    Quote,
    Version,
)
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.kind import ColumnType, Kept, Source
from benchwright.pipelines.lookups import TopicFacts, find_facts

WITHHELD = "left out on purpose, though it is sound"  # the reason for which a sound option is not in the set
VOTES = {True: "yes", False: "no", None: "abstains"}
ABOUT = """\
- `provenance.jsonl` says how each item of `items.jsonl` came about, one item a line, under the same `id`; `document` is
  a source in `documents.jsonl`. `question` and `options` hold their evidence, cited by sentence number in `context`
  and by characters `start` to `end` of the document's `text`. Each option has its `label`, the `votes` of checkers,
  the `decisions` of people and the `rationale` of its writer; `answers` are the ids of the correct ones; `dropped`
  lists the options that did not make it, and why. The `votes` and `decisions` of a question were given before its
  options were written; `written` is the wording of its writer, where people changed it then. In a vote, `answer` is the
  checker's own answer and `cites` are the sentences that it relied on; both were given before its verdict. `vetoes`
  names the families of models that said no in all of their runs. `relied` says how many of the votes that confirm an
  option and name sentences name one that it cites. `carried` says how many of a panel that saw the cited sentences
  without the document say that these carry a correct option; `evidence_checks` holds their votes, and those on a single
  sentence. `doubt` is why an option fell, or was put to people, whatever its ratio. `first` in a decision is what that
  person had decided before they changed it. `models` names who served each role. All lines have the same columns: what
  an item has not is empty."""

EVIDENCE: list[ColumnType] = [{"sentence": "int64", "start": "int64", "end": "int64", "text": "string"}]
VOTE: Mapping[str, ColumnType] = {
    **dict.fromkeys(("by", "verdict", "vote", "reason", "answer"), "string"),
    "cites": ["int64"],
}
DECISION: Mapping[str, ColumnType] = dict.fromkeys(("by", "decision", "text", "reason", "first"), "string")
OPTION: Mapping[str, ColumnType] = {
    "id": "string",
    "label": "string",
    "text": "string",
    "rationale": "string",
    "confusion": "string",
    "evidence": EVIDENCE,
    "gate": "string",
    "route": "string",
    "ratio": "string",
    "audited": "bool",
    "votes": [VOTE],
    "vetoes": ["string"],
    "decisions": [DECISION],
    "author": "string",
    "replaces": {"id": "string", "text": "string"},
    "relied": "string",
    "relied_share": "float64",
    "carried": "string",
    "carried_share": "float64",
    "evidence_checks": [{"sentences": ["int64"], "ratio": "string", "route": "string", "votes": [VOTE]}],
    "doubt": "string",
    "reason": "string",
}
VERSION: Mapping[str, ColumnType] = {
    "stem": "string",
    "entity": "string",
    "phrase": "string",
    "sources": ["string"],
    "score": "float64",
    "score_exact": "string",
    "level": "string",
    "answered": "int64",
    "failed": "int64",
    "judgements": [{"by": "string", "f1": "string", "exact": "int64"}],
}
DIFFICULTY: Mapping[str, ColumnType] = {
    "score": "float64",
    "score_exact": "string",
    "level": "string",
    "alpha": "float64",
    "threshold": "float64",
    "answered": "int64",
    "failed": "int64",
    "kept": "int64",
    "why": "string",
    "versions": [VERSION],
    "sets": [
        {"options": ["string"], "score": "float64", "score_exact": "string", "level": "string", "untaken": ["string"]}
    ],
}
FACT = ("id", "subject", "subject_id", "relation", "object", "object_id", "source", "details")
KNOWLEDGE: Mapping[str, ColumnType] = {
    "given": "int64",
    "used": [{"text": "string", "facts": [dict.fromkeys(FACT, "string")]}],
}
COLUMNS: Mapping[str, ColumnType] = {
    "id": "string",
    "document": "string",
    "language": "string",
    "class": "string",
    "topic": "string",
    "question": {
        "text": "string",
        "author": "string",
        "replaces": "string",
        "evidence": EVIDENCE,
        "written": "string",
        "route": "string",
        "ratio": "string",
        "votes": [VOTE],
        "decisions": [DECISION],
    },
    "options": [OPTION],
    "answers": ["string"],
    "dropped": [OPTION],
    "intended": "string",
    "difficulty": DIFFICULTY,
    "original_question": "string",
    "knowledge": KNOWLEDGE,
    "models": [{"role": "string", "models": ["string"], "runs": "int64"}],
    "seed": "int64",
    "slot": "int64",
    "attempt": "int64",
}
UNMEASURED: Mapping[str, Any] = {
    name: [] if isinstance(kind, list) else "" if kind == "string" else None for name, kind in DIFFICULTY.items()
}


def record(kept: Kept, campaign: Campaign) -> dict[str, Any]:
    """An item by the columns.

    `options` stand in their stored order, `answers` are the ids of the correct ones, `dropped` those that did not make
    it.
    """
    item, (source, *_) = kept.item, kept.sources
    body: Body = item.body  # type: ignore[assignment] # a kept item has one
    return {
        "id": item.id,
        "document": source.id,
        "language": source.language if campaign.language == "document" else campaign.language,
        "class": body.topic_class,
        "topic": body.topic,
        "question": question(body, source),
        "options": [option(one, source) for one in body.options_in_item],
        "answers": [one.id for one in body.options_in_item if one.label == CORRECT],
        "dropped": [option(one, source, why_left_out(one)) for one in body.other_options],
        "intended": body.intended,
        "difficulty": difficulty(body.difficulty) if body.difficulty else dict(UNMEASURED),
        "original_question": body.difficulty.versions[0].stem if body.difficulty else "",
        "knowledge": knowledge(body, campaign, item.read_answers),
        "models": [
            {"role": role, "models": list(panel.models), "runs": panel.runs}
            for role, panel in sorted(campaign.roles.items())
        ],
        "seed": campaign.seed,
        "slot": item.seed.slot,
        "attempt": item.seed.attempt,
    }


def why_left_out(one: Choice) -> str:
    """Why a sound option is not in the set; "" where it is not sound."""
    return WITHHELD if one.fate == Route.KEEP else ""


def question(body: Body, source: Source) -> dict[str, Any]:
    """The question with what its panel and people said of it; of one that people reworded also whose words it has.

    `replaces` is the wording that its options were voted on for, `written` that of its writer, where people changed it.
    """
    one, check = body.question, body.stem_check
    return {
        "text": one.question,
        "author": one.author,
        "replaces": one.replaces,
        "evidence": evidence(one.evidence, source),
        "written": check.written if check else "",
        "route": (check.route or "") if check else "",
        "ratio": check.ratio if check else "",
        "votes": [vote(cast) for cast in check.votes] if check else [],
        "decisions": [decision(said) for said in check.decisions] if check else [],
    }


def evidence(quotes: Iterable[Quote], source: Source) -> list[dict[str, Any]]:
    """Cited sentences, letter by letter as they stand in the stored text."""
    return [
        {
            "sentence": one.sentence,
            "start": one.start,
            "end": one.end,
            "text": source.stored[one.start : one.end] or one.text,
        }
        for one in quotes
    ]


def option(one: Choice, source: Source, reason: str = "") -> dict[str, Any]:
    """An option with its history; one that fell at a gate got no route from votes."""
    return {
        "id": one.id,
        "label": one.label,
        "text": one.text,
        "rationale": one.rationale,
        "confusion": one.confusion,
        "evidence": evidence(one.evidence, source),
        "gate": one.gate or "",
        "route": "" if one.gate else one.route or "",
        "ratio": one.ratio,
        "audited": one.audited,
        "votes": [vote(cast) for cast in one.votes],
        "vetoes": list(one.vetoes),
        "decisions": [decision(said) for said in one.decisions],
        "author": one.author,
        "replaces": {
            "id": one.replaces.id if one.replaces else "",
            "text": one.replaces.text if one.replaces else "",
        },
        "relied": one.relied,
        "relied_share": share(one.relied),
        "carried": one.evidence_checks[0].ratio if one.evidence_checks else "",
        "carried_share": share(one.evidence_checks[0].ratio) if one.evidence_checks else None,
        "evidence_checks": [evidence_check(found) for found in one.evidence_checks],
        "doubt": one.doubt,
        "reason": reason,
    }


def evidence_check(found: EvidenceCheck) -> dict[str, Any]:
    """What a panel said of cited sentences without the document."""
    votes = [vote(cast) for cast in found.votes]
    return {"sentences": list(found.sentences), "ratio": found.ratio, "route": found.route or "", "votes": votes}


def share(ratio: str) -> float | None:
    """A ratio "5/6" as a decimal; None of nothing."""
    part, _, whole = ratio.partition("/")
    return int(part) / int(whole) if whole and int(whole) else None


def vote(cast: OptionVote) -> dict[str, Any]:
    """A vote; `vote` says what the verdict counts as: that the option is what it claims to be, or not."""
    said = {"by": cast.by, "verdict": cast.verdict, "vote": VOTES[cast.keep], "reason": cast.reason}
    return {**said, "answer": cast.answer, "cites": list(cast.cites)}


def decision(said: Decision) -> dict[str, str]:
    """What a person decided."""
    return {
        "by": said.by,
        "decision": said.decision,
        "text": said.text,
        "reason": said.reason,
        "first": said.first,
    }


def difficulty(found: Difficulty) -> dict[str, Any]:
    """How hard the kept stem is, and all versions; `kept` is its place among them."""
    best = found.versions[found.best]
    return {
        "score": number(best.score),
        "score_exact": best.score or "",
        "level": found.level,
        "alpha": number(found.rule["alpha"]),
        "threshold": number(found.rule["threshold"]),
        "answered": best.answered,
        "failed": best.failed,
        "kept": found.best,
        "why": found.why,
        "versions": [version(one) for one in found.versions],
        "sets": [option_set(one) for one in found.sets],
    }


def option_set(one: OptionSet) -> dict[str, Any]:
    """A set of options as judges answered it; `untaken` are the distractors that none of them took."""
    return {
        "options": list(one.options),
        "score": number(one.score),
        "score_exact": one.score or "",
        "level": one.level,
        "untaken": list(one.untaken),
    }


def version(one: Version) -> dict[str, Any]:
    """A stem as it was measured."""
    return {
        "stem": one.stem,
        "entity": one.entity,
        "phrase": one.phrase,
        "sources": list(one.sources),
        "score": number(one.score),
        "score_exact": one.score or "",
        "level": one.level,
        "answered": one.answered,
        "failed": one.failed,
        "judgements": [{"by": said.by, "f1": said.f1 or "", "exact": said.exact} for said in one.marks],
    }


def number(exact: str | None) -> float | None:
    """A fraction as a decimal."""
    return None if exact is None else float(Fraction(exact))


def knowledge(body: Body, campaign: Campaign, read_answers: Callable[[], Sequence[Answer]]) -> dict[str, Any]:
    """What of graphs the item was given and used, with the facts; no number where none was asked."""
    if not knows(body, campaign) or body.knowledge is None:
        return {"given": None, "used": []}
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
