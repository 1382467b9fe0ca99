"""Counts over the items of a campaign: what there is, how models answer, what judges and people say of it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from benchwright.agents.crisis.prefer_answer import CRITERIA
from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.campaign import Campaign
from benchwright.domain.item import ItemState
from benchwright.domain.statistics import Rate, wilson
from benchwright.domain.text import plural
from benchwright.pipelines.crisis.body import UNCLASSED, Answered, Judged, QuestionSet, Scene
from benchwright.pipelines.crisis.judging import (
    PUBLISHED,
    Correlation,
    Order,
    SelfPreference,
    correlations,
    model_of,
    order_of,
    score,
    scores,
    self_preferences,
)
from benchwright.pipelines.crisis.making import embeds
from benchwright.pipelines.crisis.measuring import Measured, Texts, measure_all
from benchwright.pipelines.crisis.metrics.weights import open_weights
from benchwright.pipelines.crisis.preferences import Outcome, Tally, agreement, attention, outcomes_of, tally
from benchwright.pipelines.crisis.settings import CrisisSettings
from benchwright.pipelines.crisis.tables import parts, shares
from benchwright.pipelines.crisis.validating import Validated
from benchwright.pipelines.kind import Part, Seen, SetCard


class CrisisReport:
    """See `pipelines.kind.Report`."""

    def __init__(self, campaign: Campaign, kept: Path | None = None) -> None:
        self.campaign = campaign
        self.kept = kept
        self.settings = CrisisSettings.model_validate(dict(campaign.settings))
        self.scenes: list[Scene] = []
        self.cells: Counter[tuple[str, str, str]] = Counter()  # questions by incident, place, time frame
        self.classes: Counter[tuple[str, str]] = Counter()  # questions by class of what is missing, time frame
        self.phrases: Counter[str] = Counter()
        self.leaks: Counter[str] = Counter()  # of questions: those looked at by meaning, those that people looked at
        self.validated = Validated()
        self.sets = 0
        self.answered: list[Answered] = []
        self.judged: list[tuple[str, Judged]] = []
        self.texts = Texts()

    def take(self, item: Seen) -> None:
        """Count one item, if it was kept; what experts said of questions counts also where these fell."""
        if isinstance(item.body, QuestionSet):
            self.validated.take(item.body)
        if item.state is not ItemState.KEPT:
            return
        match item.body:
            case Scene() as scene:
                self.scenes.append(scene)
                self.texts.take_scene(scene)
            case QuestionSet() as found:
                self.take_set(found)
            case Answered() as found:
                self.answered.append(found)
                self.texts.take_answers(found)
            case Judged() as found:
                self.judged.append((item.id, found))

    def take_set(self, found: QuestionSet) -> None:
        """Count a set of questions."""
        self.sets += 1
        for one in found.kept:
            self.cells[found.facts.incident, found.facts.place, one.time] += 1
            self.classes[found.facts.resource_class or UNCLASSED, one.time] += 1
            self.phrases[one.time_phrase] += 1
            self.leaks.update({"by_meaning": int(one.meaning is not None), "seen_by_people": int(bool(one.leak))})

    # ------------------------------------------------------------------------------------------------------ figures

    @property
    def questions(self) -> int:
        """How many questions stand."""
        return self.cells.total()

    @cached_property
    def items(self) -> list[Judged]:
        """The judged questions."""
        return [one for _, one in self.judged]

    @cached_property
    def models(self) -> tuple[str, ...]:
        """The models that answered or failed to, in the order of the campaign file."""
        return tuple(dict.fromkeys(reply.source for one in self.answered for reply in one.replies))

    def answers_of(self, model: str) -> dict[str, int]:
        """How a model did: answers, those that are too long, failures by cause."""
        found = [reply for one in self.answered for reply in one.replies if reply.source == model]
        failed = Counter(reply.failure for reply in found if reply.failure)
        flagged = sum(bool(reply.flags) for reply in found)
        return {"answers": len(found) - failed.total(), "too_long": flagged, "failed": failed.total()}

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Those whose answers were judged, the people first."""
        return tuple(dict.fromkeys(reply.source for one in self.items for reply in one.replies if not reply.failure))

    def scores_of(self, source: str, time: str = "") -> dict[str, Any]:
        """The judges' means of a source's answers, all or those of a time frame; answers with a veto are among them."""
        marks = [
            mark for one in self.items for mark in one.marks if mark.source == source and time in {"", one.asked.time}
        ]
        return asdict(scores(marks, self.settings.formula))

    def group_scores(self, key: Callable[[Judged], tuple[str, ...]]) -> dict[tuple[str, ...], dict[str, list[float]]]:
        """The overall scores of answers by what they are about, and by source."""
        found: dict[tuple[str, ...], dict[str, list[float]]] = {}
        for item in self.items:
            for mark in item.marks:
                value = score(mark, self.settings.formula)["overall"]
                found.setdefault(key(item), {}).setdefault(mark.source, []).append(value)
        return found

    def vetoes_of(self, source: str) -> Rate:
        """How many of a source's judged answers endanger life."""
        there = [one for one in self.items if any(reply.source == source for reply in one.replies if not reply.failure)]
        return wilson(sum(source in one.vetoed for one in there), len(there))

    @cached_property
    def attention(self) -> Mapping[str, Any]:
        """How people did in comparisons whose outcome is known."""
        return attention(one for item in self.items for one in item.preferences)

    def counts_as_person(self, who: str) -> bool:
        """Whether a person's words count."""
        return who not in self.attention or self.attention[who].counts

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """What people say whose words count."""
        found = (one for name, item in self.judged for one in outcomes_of(name, item))
        return [one for one in found if self.counts_as_person(one.person)]

    def tallies(self) -> Iterator[tuple[str, str, str, Tally]]:
        """By model, time frame and criterion."""
        for model in dict.fromkeys(one.model for one in self.outcomes):
            for time in TIME_FRAMES:
                for criterion in CRITERIA:
                    place = (model, time, criterion)
                    found = [one for one in self.outcomes if (one.model, one.time, one.criterion) == place]
                    if found:
                        yield model, time, criterion, tally(found)

    def orders(self) -> Iterator[tuple[str, Order]]:
        """By judge."""
        for judge in sorted({model_of(one.by) for item in self.items for one in item.comparisons}):
            yield judge, order_of(self.items, judge)

    def own(self) -> Sequence[SelfPreference]:
        """Judges that are measured too."""
        return tuple(self_preferences(self.items, self.settings.formula, self.same_model))

    def same_model(self, one: str, other: str) -> bool:
        """Whether two entries of the catalogue are one model, or of one family."""
        first, second = self.campaign.models[one], self.campaign.models[other]
        family = first.family and first.family == second.family
        return first.target == second.target or bool(family)

    def correlations(self) -> Sequence[Correlation]:
        """Judges and people."""
        return tuple(correlations(self.items, self.settings.formula, self.counts_as_person))

    @cached_property
    def measures(self) -> list[Measured]:
        """The automatic measures."""
        weights = open_weights(self.settings.bertscore, self.settings.bleurt, self.kept)
        return list(measure_all(self.texts, weights)) if self.answered else []

    # ------------------------------------------------------------------------------------------------------ reports

    def summary(self) -> Mapping[str, Any]:
        """What a run has come to."""
        return self.counts()

    def counts(self) -> Mapping[str, Any]:
        """What a set holds."""
        drafted = sum(bool(scene.drafted) for scene in self.scenes)
        found: dict[str, Any] = {
            "scenes": {"annotations": len(self.scenes), "scenes": len(self.texts.gold), "drafted": drafted},
            "questions": {
                "sets": self.sets,
                "questions": self.questions,
                "time_phrases": dict(sorted(self.phrases.items())),
                "leaks": {name: self.leaks[name] for name in ("by_meaning", "seen_by_people")},
            },
        }
        if self.validated.words:
            found["validation"] = self.validation()
        if self.answered:
            found["answers"] = {model: self.answers_of(model) for model in self.models}
            found["measures"] = [
                {
                    "model": one.source,
                    "time": one.time,
                    "part": one.part,
                    **asdict(one.score),
                    "ceiling": one.ceiling.value,
                }
                for one in self.measures
            ]
        if self.judged:
            found["judgement"] = self.judgement()
        if self.outcomes or self.attention:
            found["people"] = self.people()
        return found

    def validation(self) -> dict[str, Any]:
        """How far experts agree with the panel."""
        rows = self.validated.rows()
        names = ("criterion", "same", "experts_alone_reject", "experts_alone_keep")
        found = [dict(zip(names, (one, asdict(same), *alone), strict=True)) for one, same, *alone in rows]
        return {"criteria": found, "kappa": asdict(self.validated.kappa)}

    def judgement(self) -> dict[str, Any]:
        """What judges say."""
        return {
            "formula": self.settings.formula,
            "scores": {source: self.scores_of(source) for source in self.sources},
            "vetoes": {source: asdict(self.vetoes_of(source)) for source in self.sources},
            "order": {judge: asdict(found) for judge, found in self.orders()},
            "self_preference": [{**asdict(one), "gap": one.gap} for one in self.own()],
        }

    def people(self) -> dict[str, Any]:
        """What people say."""
        return {
            "rates": [
                {"model": model, "time": time, "criterion": criterion, **asdict(found), "flag": found.place.flag}
                for model, time, criterion, found in self.tallies()
            ],
            "agreement": asdict(agreement(self.outcomes)),
            "attention": {who: {**asdict(one), "counts": one.counts} for who, one in self.attention.items()},
            "with_judges": [asdict(one) for one in self.correlations()],
            "published": PUBLISHED,
        }

    def lines(self) -> Sequence[str]:
        """The same in sentences."""
        annotations, names = len(self.scenes), len(self.texts.gold)
        found = [
            f"{plural(annotations, 'annotation')} of {plural(names, 'scene')}; {plural(self.questions, 'question')}"
        ]
        found += self.leak_lines()
        if pairs := self.validated.pairs:
            *_, (_, same, *_) = self.validated.rows()
            found.append(f"experts and the panel say the same of {same.n} of {plural(len(pairs), 'drawn check')}")
        for model in self.models:
            n = self.answers_of(model)
            found.append(f"{model}: {plural(n['answers'], 'answer')}, {n['too_long']} too long, {n['failed']} failed")
        for source in self.sources:
            overall, veto = self.scores_of(source)["means"]["overall"], self.vetoes_of(source)
            score = "not graded" if overall is None else f"judges give {overall:.2f}"
            found.append(f"answers of {source}: {score}; {veto.n} of {veto.of} endanger life")
        for model in dict.fromkeys(one.model for one in self.outcomes):
            for criterion in CRITERIA:
                of_both = [one for one in self.outcomes if (one.model, one.criterion) == (model, criterion)]
                found.append(f"people on {model}, {criterion}: {shares(tally(of_both))}")
        return found

    def leak_lines(self) -> Iterator[str]:
        """How questions were looked at for what they give away."""
        if self.questions:
            why = "" if embeds(self.campaign) else ", because no model serves embed_texts"
            seen = f"people looked at {self.leaks['seen_by_people']}"
            yield f"leaks: {self.leaks['by_meaning']} of {self.questions} looked for by meaning{why}; {seen}"

    def card(self) -> SetCard:
        """The same for its card."""
        rows = (
            ("annotations", len(self.scenes)),
            ("scenes", len(self.texts.gold)),
            ("sets of questions", self.sets),
            ("questions", self.questions),
            ("answered questions", len(self.answered)),
            ("judged questions", len(self.judged)),
        )
        rule = self.campaign.rule
        method = (
            "Code built every pair of incident and place; a model wrote one question for each time frame, and code"
            " checked its words for the time. A panel voted on each question by each of six criteria: one was met when"
            f" at least {rule.accept} of the votes said so, failed below {rule.reject}; else people decided."
        )
        return SetCard("Scenes, questions, answers and judgements", "", rows, tuple(self.parts()), method)

    def parts(self) -> Iterator[Part]:
        """The tables of the card."""
        yield from parts(self)
