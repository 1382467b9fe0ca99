"""How far the judgements that a set rests on can be trusted, for its manifest and its card.

Agreement of the checkers and of people, the share of things that people decided, how often checkers are wrong about
things that are known to be right or wrong, and each change of the rule.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from benchwright.domain.agreement import Agreement
from benchwright.domain.quality import Checker, Quality, Share
from benchwright.domain.statistics import Rate
from benchwright.domain.text import plural
from benchwright.pipelines.kind import Line, Part, Table

NOT_PLANTED = "not measured"
WHY_NOT = "How often a checker is wrong is not measured where nothing known was planted among what it judged."


@dataclass(frozen=True, slots=True)
class People:
    """What people did: how many there were, cards decided, and their agreement.

    `pairs` are the cards with several first words, said blind, `alike` those of them where all were the same;
    `changed` counts the opinions that their people changed afterwards.
    """

    reviewers: int
    cards: int
    pairs: int
    alike: int
    changed: int
    alpha: Agreement


@dataclass(frozen=True, slots=True)
class Change:
    """A change of the campaign while it went on: who made it and why ("" where a run took it), and what it changed."""

    who: str
    why: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgements that a set rests on.

    `thing` is what the panel speaks about, in a word. `panels` were measured on the first `measured` items of all
    attempts. `by_people` is the share of the things in kept items that people decided, of those under the rule.
    """

    thing: str
    panels: tuple[Quality, ...]
    measured: int
    people: People
    by_people: Share
    changes: tuple[Change, ...] = ()

    def json(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "panels": [panel_json(one) for one in self.panels],
            "panels_measured_on_items": self.measured,
            "people": asdict(self.people),
            f"{self.thing}s_decided_by_people": share_json(self.by_people),
            "changes_of_the_campaign": [asdict(one) | {"changes": list(one.changes)} for one in self.changes],
        }

    def parts(self) -> Iterator[Part]:
        """The same for the card."""
        for panel in self.panels:
            yield Part(f"The checkers ({panel.words})", tuple(self.panel_lines(panel)))
        yield Part("What people decided", tuple(self.people_lines()))
        if self.changes:
            rows = tuple((one.who or "a run", one.why or "not stated", "; ".join(one.changes)) for one in self.changes)
            text = "The campaign was changed while it went on. All items are judged by the rule that held last."
            yield Part("Changes", (Line(text), Table(("by", "why", "what changed"), rows)))

    def panel_lines(self, panel: Quality) -> Iterator[Line | Table]:
        """A panel: its agreement, then how often each checker is wrong."""
        yield Line(
            f"Measured on {self.measured} items. Krippendorff's alpha of the checkers' first words:"
            f" {coefficient(panel.alpha)}; Fleiss' kappa: {coefficient(panel.kappa)}."
        )
        head = ("checker", "words", "cannot say", f"known right {self.thing}s called wrong", "known wrong called right")
        yield Table(head, tuple(row(one) for one in panel.checkers))
        if not all(one.true_positives.of and one.false_positives.of for one in panel.checkers):
            yield Line(WHY_NOT)

    def people_lines(self) -> Iterator[Line]:
        """What people did."""
        found, share = self.people, self.by_people
        if share.of:
            yield Line(f"People decided {percent(share)} of the {self.thing}s that were put to a vote in kept items.")
        yield Line(f"{plural(found.cards, 'card')} decided, by {plural(found.reviewers, 'reviewer')}.")
        if found.pairs:
            yield Line(
                f"Cards with several opinions: {found.pairs}. Their people agreed on {found.alike} of them at first,"
                f" before they knew what others said: Krippendorff's alpha {coefficient(found.alpha)}."
            )
        if found.changed:
            yield Line(
                f"Opinions that were changed afterwards: {found.changed}. What was said first stands beside them."
            )


def panel_json(panel: Quality) -> dict[str, Any]:
    """A panel's measures."""
    return {
        "words": panel.words,
        "alpha": asdict(panel.alpha),
        "kappa": asdict(panel.kappa),
        "checkers": [
            {
                "model": one.model,
                "words": one.said.of,
                "abstains": share_json(one.abstains),
                "confirms": share_json(one.confirms),
                "mean_grade": one.mean,
                "known_right_called_wrong": asdict(one.misses),
                "known_wrong_called_right": asdict(one.false_alarms),
                "flag": one.flag,
            }
            for one in panel.checkers
        ],
    }


def row(one: Checker) -> tuple[object, ...]:
    """A checker."""
    if not (one.true_positives.of or one.false_positives.of):
        return one.model, one.said.of, percent(one.abstains), NOT_PLANTED, NOT_PLANTED
    return one.model, one.said.of, percent(one.abstains), error(one.misses), error(one.false_alarms)


def share_json(share: Share) -> dict[str, Any]:
    """A share."""
    return {"n": share.n, "of": share.of}


def percent(share: Share) -> str:
    """A share in words."""
    return f"{share.n} of {share.of} ({100 * share.n / share.of:.1f} %)" if share.of else "none of none"


def error(rate: Rate) -> str:
    """A rate in words, with its interval."""
    if rate.low is None or rate.high is None:
        return "none of none"
    share = f"{rate.n} of {rate.of} ({100 * rate.n / rate.of:.1f} %"
    return f"{share}; 95 % interval {100 * rate.low:.1f} to {100 * rate.high:.1f} %)"


def coefficient(found: Agreement) -> str:
    """A coefficient, or why there is none."""
    return f"undefined ({found.reason})" if found.value is None else f"{found.value:.2f}"


def decided_share(decided: Iterable[str]) -> Share:
    """The share of things that people decided; each is their decision, or "" where there is none."""
    found = Counter(map(bool, decided))
    return Share(found[True], found.total())
