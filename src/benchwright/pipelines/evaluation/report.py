"""What a campaign of evaluations comes to, for the end of a run, the manifest and the card of its answers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchwright.domain.campaign import Campaign
from benchwright.domain.item import ItemState
from benchwright.domain.text import plural
from benchwright.pipelines.evaluation.body import Taken
from benchwright.pipelines.evaluation.measures.scores import Score, mean_score, score_response
from benchwright.pipelines.kind import Part, Seen, SetCard, Table

STATES = ("right", "wrong", "abstained", "failed")
METHOD = (
    "Each model got each question as a test taker does. A failed call is not a wrong answer: scores are means over what"
    " was answered. Who cannot tell scores 0, also where nothing is right."
)


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Counts and scores over kept items, by model and condition."""

    campaign: Campaign
    states: dict[str, Counter[str]] = field(default_factory=dict)
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)  # of failures, by model
    scores: dict[str, list[Score]] = field(default_factory=dict)

    def take(self, item: Seen) -> None:
        """Count an item that has ended with an answer or a failure."""
        body = item.body
        if not isinstance(body, Taken) or item.state is not ItemState.KEPT:
            return
        taker = body.response().taker
        self.states.setdefault(taker, Counter())[body.state] += 1
        scored = self.scores.setdefault(taker, [])
        if found := score_response(body.response(), frozenset(body.task.key)):
            scored.append(found)
        else:
            self.causes[taker, body.failure] += 1

    def summary(self) -> Mapping[str, Any]:
        """What came of each model."""
        return {"models": {taker: self.of_taker(taker) for taker in self.states}}

    def of_taker(self, taker: str) -> dict[str, Any]:
        """One model under one condition."""
        found = mean_score(self.scores[taker])
        means = {"exact_match": found.exact if found else None, "f1": found.f1 if found else None}
        failures = {cause: n for (name, cause), n in sorted(self.causes.items()) if name == taker}
        return {**{name: self.states[taker][name] for name in STATES}, **means, "failures": failures}

    def lines(self) -> Sequence[str]:
        """The same, a sentence for each model."""
        return [*map(self.line, self.states)]

    def line(self, taker: str) -> str:
        """How a model did."""
        found, states = mean_score(self.scores[taker]), self.states[taker]
        failed = ", ".join(f"{cause} {n}" for (name, cause), n in sorted(self.causes.items()) if name == taker)
        told = [f"{plural(states.total() - states['failed'], 'answer')}"]
        told += [f"Exact Match {found.exact:.3f}, F1 {found.f1:.3f}"] if found else []
        told += [f"{plural(states['abstained'], 'abstention')}"] if states["abstained"] else []
        told += [f"{states['failed']} failed ({failed})"] if failed else []
        return f"{taker}: {', '.join(told)}"

    def counts(self) -> Mapping[str, Any]:
        """The same for the manifest."""
        return self.summary()

    def card(self) -> SetCard:
        """The same for the card."""
        table = Table(("model", "Exact Match", "F1", *STATES), tuple(self.rows()))
        return SetCard("Answers of models", "", (), (Part("How the models did", (table,)),), METHOD)

    def rows(self) -> Iterator[tuple[object, ...]]:
        """A row for each model."""
        for taker, states in self.states.items():
            found = mean_score(self.scores[taker])
            means = (f"{found.exact:.3f}", f"{found.f1:.3f}") if found else ("", "")
            yield (taker, *means, *(states[name] for name in STATES))
