"""Item analysis by classical test theory (Crocker and Algina 1986): which questions measure, and which mislead.

A unit is one model's answer to one question (the mean of its runs). Difficulty is the share that solved the question;
discrimination is the correlation of solving it with the rest of the test (corrected item-total correlation). What
cannot be told, of one model or of constant answers, is None.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from benchwright.domain.statistics import pearson
from benchwright.pipelines.evaluation.measures.scores import score_response
from benchwright.pipelines.evaluation.responses import Question, Response

STRONGEST = 3  # models whose one voice against a key is a sign that the key is wrong
LEAST = 2  # of them at least


@dataclass(frozen=True, slots=True)
class ItemStatistics:
    """One question over all models.

    `solved` is the mean Exact Match; `chosen` counts how often each choice was taken, by its name; `unused` are wrong
    choices that nobody took; `agreed` is the answer that the strongest models give in one voice against the key, empty
    where they do not.
    """

    question: Question
    answers: int
    solved: float | None
    discrimination: float | None
    chosen: Mapping[str, int]
    unused: tuple[str, ...]
    agreed: frozenset[str] | None = None

    @property
    def flag(self) -> str:
        """What a reader should look at first: a doubtful key, nobody or everybody, negative discrimination."""
        if self.agreed is not None:
            return "is the key wrong?"
        if self.solved == 0:
            return "nobody solves it"
        if self.solved == 1:
            return "everybody solves it"
        if self.discrimination is not None and self.discrimination < 0:
            return "the weaker models solve it"
        return ""


def analyse_items(questions: Sequence[Question], responses: Iterable[Response]) -> Sequence[ItemStatistics]:
    """The statistics of each question, in their order. Answers that failed are left out."""
    by_id = {one.id: one for one in questions}
    given: dict[str, list[Response]] = {one.id: [] for one in questions}
    marks: dict[str, dict[str, list[float]]] = {one.id: {} for one in questions}
    for one in responses:
        found = score_response(one, by_id[one.question].key) if one.question in by_id else None
        if found:
            given[one.question].append(one)
            marks[one.question].setdefault(one.taker, []).append(found.exact)
    solved = {name: {taker: fsum(runs) / len(runs) for taker, runs in by.items()} for name, by in marks.items()}
    totals = total_by_taker(solved)
    strongest = sorted(totals, key=lambda taker: (-totals[taker][0] / totals[taker][1], taker))[:STRONGEST]
    return [describe(one, given[one.id], solved[one.id], totals, strongest) for one in questions]


def total_by_taker(solved: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[float, int]]:
    """What each model has solved, and of how many questions."""
    totals: dict[str, tuple[float, int]] = {}
    for by in solved.values():
        for taker, value in by.items():
            total, n = totals.get(taker, (0.0, 0))
            totals[taker] = total + value, n + 1
    return totals


def describe(
    question: Question,
    given: Sequence[Response],
    solved: Mapping[str, float],
    totals: Mapping[str, tuple[float, int]],
    strongest: Sequence[str],
) -> ItemStatistics:
    """The statistics of one question."""
    taken = Counter(name for one in given for name in one.chosen or ())
    rest = {taker: (total - solved[taker], n - 1) for taker, (total, n) in totals.items() if taker in solved}
    pairs = [(solved[taker], total / n) for taker, (total, n) in sorted(rest.items()) if n]
    wrong = [name for name in question.choices if name not in question.key]
    return ItemStatistics(
        question=question,
        answers=len(given),
        solved=fsum(solved.values()) / len(solved) if solved else None,
        discrimination=pearson([one for one, _ in pairs], [other for _, other in pairs]),
        chosen={name: taken[name] for name in question.choices},
        unused=tuple(name for name in wrong if given and not taken[name]),
        agreed=find_one_voice(question, given, strongest),
    )


def find_one_voice(question: Question, given: Sequence[Response], strongest: Sequence[str]) -> frozenset[str] | None:
    """The answer that all runs of the strongest models give, where it is another than the key; None for none such.

    At least `LEAST` of them must have answered, and they must have chosen something.
    """
    answers = {one.chosen for one in given if one.taker in strongest}
    takers = {one.taker for one in given if one.taker in strongest}
    agreed = answers.pop() if len(answers) == 1 and len(takers) >= LEAST else None
    return agreed if agreed and agreed != question.key else None


def count_traps(questions: Iterable[Question], responses: Iterable[Response]) -> Mapping[str, tuple[int, int]]:
    """How often wrong choices of each family were taken, and how often they were offered to somebody who answered."""
    by_id = {one.id: one for one in questions}
    found: dict[str, tuple[int, int]] = {}
    for one in responses:
        if one.chosen is None or one.question not in by_id:
            continue
        for name, family in by_id[one.question].traps.items():
            taken, offered = found.get(family, (0, 0))
            found[family] = taken + (name in one.chosen), offered + 1
    return dict(sorted(found.items()))
