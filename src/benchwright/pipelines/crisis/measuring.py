"""The automatic measures of answers, against the gold of all who noted the same scene, and their ceiling.

The ceiling is what one person's notes score against those of the others: no answer can be expected to do better.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.pipelines.crisis.body import Answered, Reply, Scene
from benchwright.pipelines.crisis.metrics.bertscore import BERTSCORE, bertscore
from benchwright.pipelines.crisis.metrics.bleu import bleu, chrf
from benchwright.pipelines.crisis.metrics.bleurt import BLEURT, bleurt
from benchwright.pipelines.crisis.metrics.texts import Case, Score
from benchwright.pipelines.crisis.metrics.weights import Weights

FIELDS = ("action", "explanation", "both")


def place_of(time: str) -> int:
    """The place of a time frame."""
    return [str(one) for one in TIME_FRAMES].index(time)


def text_of(reply: Reply, part: str) -> str:
    """What of an answer is measured; `both` is action and explanation with a blank between."""
    texts = {"action": reply.action, "explanation": reply.explanation}
    return texts.get(part, f"{reply.action} {reply.explanation}")


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure of one model's answers in one time frame and of one part; the `ceiling` is that of people."""

    source: str
    time: str
    part: str
    score: Score
    ceiling: Score


@dataclass
class Texts:
    """All that is measured: gold answers by scene and annotator, and the answers of models."""

    gold: dict[str, dict[str, tuple[Reply, ...]]] = field(default_factory=dict)
    replies: dict[tuple[str, str], list[tuple[str, str, Reply]]] = field(default_factory=dict)

    def take_scene(self, scene: Scene) -> None:
        """Take a scene's gold answers in."""
        self.gold.setdefault(scene.scene, {})[f"{scene.annotator} {len(self.gold.get(scene.scene, {}))}"] = scene.gold

    def take_answers(self, found: Answered) -> None:
        """Take the answers to a question in."""
        asked = found.asked
        for reply in found.replies:
            if not reply.failure:
                place = self.replies.setdefault((reply.source, asked.time), [])
                place.append((asked.facts.scene, asked.facts.annotator, reply))

    def references(self, scene: str, time: str, part: str, *, without: str = "") -> tuple[str, ...]:
        """The gold texts of a scene, of all who noted it but one."""
        place = place_of(time)
        by_annotator = self.gold.get(scene, {})
        texts = (text_of(gold[place], part) for name, gold in by_annotator.items() if name != without)
        return tuple(dict.fromkeys(filter(str.strip, texts)))

    def cases(self, source: str, time: str, part: str) -> list[Case]:
        """A model's answers with their gold texts."""
        found = self.replies.get((source, time), [])
        pairs = ((text_of(reply, part), self.references(scene, time, part)) for scene, _, reply in found)
        return [Case(text, gold) for text, gold in pairs if gold]

    def ceiling(self, time: str, part: str) -> list[Case]:
        """Each person's notes against those of all others about the same scene."""
        place = place_of(time)
        found = list[Case]()
        for scene, by_annotator in self.gold.items():
            for name, gold in by_annotator.items():
                others = self.references(scene, time, part, without=name)
                text = text_of(gold[place], part)
                if others and text.strip():
                    found.append(Case(text, others))
        return found


def measure(cases: Sequence[Case], weights: Weights) -> Iterator[Score]:
    """Every measure that can be taken; of the others, why not."""
    yield bleu(cases)
    yield chrf(cases)
    yield bertscore(cases, weights.bertscore, weights.reasons.get(BERTSCORE, ""))
    yield bleurt(cases, weights.bleurt, weights.reasons.get(BLEURT, ""))


def measure_all(texts: Texts, weights: Weights) -> Iterator[Measured]:
    """All models, time frames and parts, each with its ceiling."""
    sources = sorted({source for source, _ in texts.replies})
    for time in TIME_FRAMES:
        for part in FIELDS:
            ceilings = tuple(measure(texts.ceiling(time, part), weights))
            for source in sources:
                found = measure(texts.cases(source, time, part), weights)
                yield from (Measured(source, time, part, *pair) for pair in zip(found, ceilings, strict=True))
    weights.keep()
