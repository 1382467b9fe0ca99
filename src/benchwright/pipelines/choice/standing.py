"""How an option of an item stands, between its votes and what people say about it. Pure."""

from dataclasses import dataclass

from benchwright.domain.opinion import EDIT, Opinion, Ruling
from benchwright.domain.veto import FamilyRule
from benchwright.domain.vote import Route, Tally, Vote, reaches
from benchwright.pipelines.choice.body import Choice, Decision, EvidenceCheck, OptionVote, Quote, Wording
from benchwright.pipelines.choice.option import Option, option_id
from benchwright.pipelines.polling import VotePoll

NOBODY = Ruling(None, 0)  # of people whom nobody asks
NONE_CAST = Tally(0, 0)


@dataclass(frozen=True, slots=True)
class OptionState:
    """How an option stands: its poll, if it is on a sheet, its route so far and what people said.

    `audited` options are put to people though the votes are clear; `doubt` is why, or why one falls that votes confirm.
    """

    option: Option
    route: Route | None
    poll: VotePoll | None = None
    opinions: tuple[Opinion, ...] = ()
    people: Ruling = NOBODY
    audited: bool = False
    relied: str = ""
    evidence_checks: tuple[EvidenceCheck, ...] = ()
    heard: tuple[str, ...] = ()
    doubt: str = ""

    @property
    def count(self) -> Tally:
        """The votes counted."""
        return self.poll.counts[self.option.id].tally if self.poll else NONE_CAST

    @property
    def votes(self) -> tuple[Vote, ...]:
        """The votes, by who cast them."""
        return tuple(sorted(self.poll.words(self.option.id), key=lambda vote: vote.by)) if self.poll else ()

    @property
    def lacks(self) -> tuple[str, ...]:
        """The turns of the panel that have not voted: once the option is settled they need not."""
        return tuple(map(str, self.poll.lacks(self.option.id))) if self.poll else ()

    @property
    def substitute_votes(self) -> tuple[str, ...]:
        """The votes that a substitute gave."""
        return self.poll.stand_ins(self.option.id) if self.poll else ()

    @property
    def fate(self) -> Route | None:
        """Keep or reject once that is certain; `human` while people owe a decision; None while the panel does."""
        return people_route(self.people) or (Route.HUMAN if self.audited and self.route else self.route)

    @property
    def text(self) -> str:
        """The option's wording, a person's where one holds."""
        holds = self.people.holds
        return holds.text if holds and holds.decision == EDIT else self.option.text

    @property
    def id(self) -> str:
        """The option's name, which another wording changes."""
        return self.option.id if self.text == self.option.text else option_id(self.option.label, self.text)


def choice(standing: OptionState) -> Choice:
    """One option with its history, as bodies hold it.

    Of one that people reworded, votes and decisions are about the wording before, which stands under `replaces`.
    """
    option, count = standing.option, standing.count
    before = Wording(option.id, option.text) if standing.id != option.id else None
    return Choice(
        id=standing.id,
        label=option.label,
        text=standing.text,
        author=standing.people.holds.by if before and standing.people.holds else "",
        replaces=before,
        rationale=option.rationale,
        confusion=option.confusion,
        evidence=tuple(Quote(**span) for span in option.evidence),
        gate=option.gate,
        route=word(standing.route),
        ratio=f"{count.keep}/{count.cast}",
        votes=tuple(map(option_vote, standing.votes)),
        vetoes=vetoes_of(standing.poll, option.id) if standing.poll else (),
        lacks=standing.lacks,
        degraded=standing.substitute_votes,
        audited=standing.audited,
        decisions=tuple(decision(one) for one in standing.opinions),
        fate=word(standing.fate),
        relied=standing.relied,
        evidence_checks=standing.evidence_checks,
        doubt=standing.doubt,
    )


def option_vote(vote: Vote) -> OptionVote:
    """A vote as it is stored."""
    return OptionVote(vote.by, vote.verdict, vote.keep, vote.reason, vote.answer, vote.cites)


def people_route(ruling: Ruling) -> Route | None:
    """What people decided, an edit being a way to keep; None while they have not."""
    if ruling.holds is None:
        return None
    return Route.KEEP if ruling.holds.keeps else Route.REJECT


def vetoes_of(poll: VotePoll, thing: str) -> tuple[str, ...]:
    """The families that said no in all of their runs to what would be kept; none where families have no veto."""
    rule, count = poll.terms.rule, poll.counts[thing].tally
    return count.vetoing if isinstance(rule, FamilyRule) and reaches(count, rule.rule.accept) else ()


def why_people(poll: VotePoll, thing: str) -> str:
    """Why the votes leave a decision to people; "" where they do not."""
    if poll.end(thing) is not Route.HUMAN:
        return ""
    if poll.counts[thing].tally.cast < max(poll.terms.rule.quorum, 1):
        return "too few votes"
    families = vetoes_of(poll, thing)
    return f"all votes of {' and of '.join(families)} are no" if families else "the votes are divided"


def decision(opinion: Opinion) -> Decision:
    """What a person said; the wording is that of an edit."""
    text = opinion.text if opinion.decision == EDIT else ""
    return Decision(opinion.by, opinion.decision, opinion.reason, text, opinion.first)


def word(route: Route | None) -> str | None:
    """A route as plain text."""
    return None if route is None else route.value
