"""Votes on one thing as a whole: whether a conclusion is its source's, whether two stems ask the same. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.veto import FamilyRule
from benchwright.domain.vote import Vote
from benchwright.domain.waves import Waves
from benchwright.pipelines.polling import Cast, Poll, SheetAnswer, Terms, VotePoll, VoteTerms, with_ballot

THING = "it"  # what the checkers vote on
# What a verdict counts as; one that stands in neither list is an abstention.
SAME_STEM = {"same": True, "changed": False, "unanswerable": False}
SOURCE_SAYS = {"faithful": True, "distorted": False, "no_conclusion": False}
FAULTS = ("not_self_contained", "ambiguous", "unanswerable", "off_topic", "trivial", "administrative")  # of questions
CARRIES = {"carries": True, "falls_short": False}
SOUND = {"sound": True, **dict.fromkeys(FAULTS, False)}


def ballot(answer: Answer, sheet: int, counts: Mapping[str, bool]) -> SheetAnswer[Vote]:
    """A checker's answer as a vote on the thing; `sheet` tells it from other things that are compared."""
    model, _, run = answer.by.rpartition("#")
    said = answer.value
    if failure := said.get("failure"):
        return SheetAnswer(sheet, model, int(run) - 1, {}, failure)
    own, cites = said.get("answer", ""), tuple(span["sentence"] for span in said.get("sentences", ()))
    vote = Vote(THING, answer.by, counts.get(said["verdict"]), said["reason"], said["verdict"], own, cites)
    return SheetAnswer(sheet, model, int(run) - 1, {THING: vote})


def terms_of(campaign: Campaign, role: str, waves: Waves, *, veto: bool = False) -> VoteTerms:
    """The terms on which the panel of that role votes on a thing; of one smaller than the quorum all must vote.

    With `veto` a family of models that says no in all of its runs sends the thing to people.
    """
    panel, rule = campaign.roles[role], campaign.rule
    few = replace(rule, quorum=min(rule.quorum, len(panel.models) * panel.runs))
    held = FamilyRule.of(few, panel, campaign.models) if veto else few
    return Terms(panel, held, waves, {name: campaign.models[name].substitute for name in panel.models})


def poll(sheet: int, terms: VoteTerms) -> VotePoll:
    """The panel on the thing, before anybody has voted."""
    return Poll(sheet, (THING,), {}, terms)


def poll_after(answers: Iterable[Answer], terms: VoteTerms, counts: Mapping[str, bool]) -> VotePoll:
    """The panel on the thing after these answers."""
    said: Cast[Vote] = {}
    for answer in answers:
        said = with_ballot(said, ballot(answer, 0, counts))
    return Poll(0, (THING,), said, terms)
