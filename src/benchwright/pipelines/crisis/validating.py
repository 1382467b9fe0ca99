"""How far experts agree with the panel, on checks of questions that were drawn for them whatever the panel said.

Checks on which the panel is divided are left out: people saw them for being difficult. Experts do not see the votes
before they decide.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from benchwright.domain.agreement import Agreement, cohen
from benchwright.domain.statistics import Rate, wilson
from benchwright.pipelines.crisis.body import Check, QuestionSet

KEEP, REJECT = "keep", "reject"
SETTLED = (KEEP, REJECT)


@dataclass
class Validated:
    """The drawn checks on which both have decided, by criterion: the panel's word and the experts'."""

    words: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def take(self, found: QuestionSet) -> None:
        """Take the checks of a set in, those of questions that fell too."""
        for question in found.questions:
            for check in question.checks:
                if is_validated(check):
                    pair = (check.route or "", check.fate or "")
                    self.words.setdefault(check.criterion, []).append(pair)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The words on all criteria."""
        return [pair for found in self.words.values() for pair in found]

    def rows(self) -> Iterator[tuple[str, Rate, int, int]]:
        """Each criterion: how often both say the same, how often experts alone reject, and alone keep."""
        for criterion, found in (*sorted(self.words.items()), ("all", self.pairs)):
            same = wilson(sum(panel == experts for panel, experts in found), len(found))
            yield criterion, same, found.count((KEEP, REJECT)), found.count((REJECT, KEEP))

    @property
    def kappa(self) -> Agreement:
        """Cohen's kappa of panel and experts."""
        pairs = self.pairs
        return cohen([panel for panel, _ in pairs], [experts for _, experts in pairs], list(SETTLED))


def is_validated(check: Check) -> bool:
    """Whether a check was drawn, the panel has settled it, and people have."""
    return check.audited and check.route in SETTLED and bool(check.decisions) and check.fate in SETTLED
