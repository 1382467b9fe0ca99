"""How an option of an item stands, between its votes and what people say about it. Pure."""

from dataclasses import dataclass
from typing import Any

from benchwright.domain.opinion import EDIT, Opinion, Ruling
from benchwright.domain.vote import Route, Tally, Vote
from benchwright.pipelines.choice.option import Option, option_id

NOBODY = Ruling(None, 0)  # of people whom nobody asks


@dataclass(frozen=True, slots=True)
class Standing:
    """How an option stands: its votes, their count, its route so far and what people said.

    `lacks` names the turns of the panel that have not voted on it: once it is settled they need not. `degraded` are the
    votes that a substitute gave. `audited` options are put to people though the votes are clear.
    """

    option: Option
    votes: tuple[Vote, ...]
    count: Tally
    route: Route | None
    lacks: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    opinions: tuple[Opinion, ...] = ()
    people: Ruling = NOBODY
    audited: bool = False

    @property
    def decision(self) -> Route | None:
        """What people decided, an edit being a way to keep."""
        if self.people.holds is None:
            return None
        return Route.KEEP if self.people.holds.keeps else Route.REJECT

    @property
    def fate(self) -> Route | None:
        """Keep or reject once that is certain; `human` while people owe a decision; None while the panel does."""
        return self.decision or (Route.HUMAN if self.audited and self.route else self.route)

    @property
    def text(self) -> str:
        """The option's wording, a person's where one holds."""
        holds = self.people.holds
        return holds.text if holds and holds.decision == EDIT else self.option.text

    @property
    def id(self) -> str:
        """The option's name, which another wording changes."""
        return self.option.id if self.text == self.option.text else option_id(self.option.label, self.text)


def told(standing: Standing) -> dict[str, Any]:
    """One option with its history, as plain JSON values.

    Of one that people reworded, votes and decisions are about the wording before, which stands under `replaces`.
    """
    option = standing.option
    before = {"id": option.id, "text": option.text} if standing.id != option.id else None
    return {
        "id": standing.id,
        "label": option.label,
        "text": standing.text,
        "author": standing.people.holds.by if before and standing.people.holds else "",
        "replaces": before,
        "rationale": option.rationale,
        "confusion": option.confusion,
        "evidence": [dict(span) for span in option.evidence],
        "gate": option.gate,
        "route": standing.route,
        "ratio": f"{standing.count.keep}/{standing.count.cast}",
        "votes": [
            {"by": v.by, "verdict": v.verdict, "keep": v.keep, "reason": v.reason}
            for v in sorted(standing.votes, key=lambda vote: vote.by)
        ],
        "lacks": list(standing.lacks),
        "degraded": list(standing.degraded),
        "audited": standing.audited,
        "decisions": [said.told() for said in standing.opinions],
        "fate": standing.fate,
    }
