"""What a set is made up of, where its items tell more than all items do: right options, difficulty, use of graphs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from benchwright.domain.campaign import Campaign
from benchwright.export.extras import difficulty, known
from benchwright.export.select import Difficulty, Version
from benchwright.pipelines.choice.difficulty import Level
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.refined_choice import NONE, ONE, SEVERAL

HOW_MANY = (NONE, ONE, SEVERAL)


@dataclass(frozen=True, slots=True)
class Makeup:
    """Counts over items, and nothing where no item tells: how many options are right, and were to be; stems; graphs.

    `stems` counts measured items: those easy as they were written, those with another stem, and by the level in the
    end; of those with another stem `before` and `after` are the scores.
    """

    right: Counter[str] = field(default_factory=Counter)
    intended: Counter[str] = field(default_factory=Counter)
    knowledge: Counter[str] = field(default_factory=Counter)
    stems: Counter[str] = field(default_factory=Counter)
    rules: Counter[tuple[float, float]] = field(default_factory=Counter)  # by alpha and threshold
    before: list[Fraction] = field(default_factory=list)
    after: list[Fraction] = field(default_factory=list)

    def add(self, right: int, intended: str, knowledge: tuple[int, int] | None, hard: Difficulty | None) -> None:
        """Count an item: how many options are right, and were to be; how many statements it was given and used."""
        if intended:
            self.right[HOW_MANY[min(right, len(HOW_MANY) - 1)]] += 1
            self.intended[intended] += 1
        if knowledge:
            given, used = knowledge
            self.knowledge.update(items=1, given=int(given > 0), used=int(used > 0))
        if hard:
            self.measured(hard)

    def take(self, body: Mapping[str, Any], campaign: Campaign) -> None:
        """Count an item of a campaign by its final form."""
        told = known(body, campaign)
        knowledge = (told["given"], len(told["used"])) if told else None
        self.add(right_of(body), body.get("intended", ""), knowledge, difficulty(body))

    def measured(self, found: Difficulty) -> None:
        """Count how hard an item is."""
        first, best = found.versions[0], found.versions[found.kept]
        easy, other = int(first.level == Level.EASY), int(found.kept > 0)
        self.stems.update({"items": 1, "easy_as_written": easy, "rewritten": other, found.level: 1})
        self.rules[found.alpha, found.threshold] += 1
        if found.kept:
            self.before.extend(scores(first))
            self.after.extend(scores(best))

    def json(self) -> dict[str, Any]:
        """What was counted, as JSON values; parts of which no item tells are left out."""
        right = {name: {"items": self.right[name], "intended": self.intended[name]} for name in HOW_MANY}
        graphs = {name: self.knowledge[name] for name in ("items", "given", "used")}
        levels = ("items", "easy_as_written", "rewritten", Level.EASY, Level.HARD, Level.UNKNOWN)
        stems = {str(name): self.stems[name] for name in levels}
        means = {"mean_score_as_written": mean(self.before), "mean_score_rewritten": mean(self.after)}
        parts = (("right_options", right, self.right), ("knowledge", graphs, self.knowledge))
        told: dict[str, Any] = {name: part for name, part, counted in parts if counted}
        return told | ({"difficulty": stems | means} if self.stems else {})


def scores(version: Version) -> Sequence[Fraction]:
    """The score of a version, if it has one."""
    return () if version.score_exact is None else (Fraction(version.score_exact),)


def mean(found: Sequence[Fraction]) -> float | None:
    """The mean; None of nothing."""
    return float(sum(found, Fraction(0)) / len(found)) if found else None


def right_of(body: Mapping[str, Any]) -> int:
    """How many options of an item in its final form are right."""
    labels = {option["id"]: option["label"] for option in body["options"]}
    return sum(labels[name] == CORRECT for name in body["order"])
