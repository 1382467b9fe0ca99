"""A poll that grows ballot by ballot is the one that is counted anew."""

from fractions import Fraction
from functools import reduce
from itertools import accumulate
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.campaign import Panel
from benchwright.domain.vote import Rule, Vote
from benchwright.pipelines.polling import UNAVAILABLE, Poll, SheetAnswer, Terms, VotePoll, VoteTerms, with_ballot

OPTIONS = ("a", "b")
MODELS = ("red", "green", "blue")
thresholds = st.tuples(st.fractions(0, 1, max_denominator=5), st.fractions(0, 1, max_denominator=5))
rules = st.builds(lambda pair, quorum: Rule(max(pair), min(pair), quorum), thresholds, st.integers(0, 6))
waves = st.sampled_from([1, 2, 3, 5, "frugal", "calls"])
substitutes = st.sampled_from([{}, {"red": "spare"}, {"red": "blue"}])
terms = st.builds(Terms, st.integers(1, 3).map(lambda runs: Panel(MODELS, runs)), rules, waves, substitutes)


@st.composite
def ballots(draw: st.DrawFn) -> SheetAnswer[Vote]:
    """Any ballot: of somebody outside the panel, a failed one, one that leaves options out, a second one."""
    model, run = draw(st.sampled_from([*MODELS, "spare", "stranger"])), draw(st.integers(0, 2))
    failure = draw(st.sampled_from([None, None, None, "refused", UNAVAILABLE]))
    names = () if failure else draw(st.sets(st.sampled_from(OPTIONS)))
    by = f"{model}#{run + 1}"
    votes = {name: Vote(name, by, draw(st.sampled_from([True, True, False, None]))) for name in sorted(names)}
    return SheetAnswer(1, model, run, votes, failure, draw(st.sampled_from([0, 0, 0, 1])))


def known(poll: VotePoll) -> list[object]:
    """All that a poll tells."""
    wave = poll.wave
    ends = {name: wave.counts[name].end for name in OPTIONS}
    each = [(poll.end(name), poll.lacks(name), poll.words(name), poll.stand_ins(name)) for name in OPTIONS]
    return [poll, poll.seats, dict(poll.counts), each, wave.before, wave.end, ends, dict(wave.questions)]


def heard(poll: VotePoll, ballot: SheetAnswer[Vote]) -> VotePoll:
    return poll.with_ballot(ballot, with_ballot(poll.said, ballot))


def anew(poll: VotePoll) -> VotePoll:
    """The same poll, with nothing remembered."""
    return Poll(poll.sheet, poll.things, poll.said, poll.terms)


@given(terms, st.lists(ballots(), max_size=14))
def test_what_a_poll_remembers_is_what_it_would_count_anew(on: VoteTerms, cast: list[SheetAnswer[Vote]]) -> None:
    for poll in accumulate(cast, heard, initial=Poll(1, OPTIONS, {}, on)):
        assert known(poll) == known(anew(poll))


@given(terms, st.lists(ballots(), max_size=10, unique_by=lambda one: (one.turn, one.again)), st.randoms())
def test_nor_does_it_matter_who_came_first(on: VoteTerms, cast: list[SheetAnswer[Vote]], chance: Random) -> None:
    mixed = chance.sample(cast, len(cast))
    begun = Poll(1, OPTIONS, {}, on)

    assert known(reduce(heard, mixed, begun)) == known(reduce(heard, cast, begun))


def test_a_ballot_that_comes_after_its_wave_leaves_the_wave_as_it_was() -> None:
    on = Terms(Panel(MODELS, 2), Rule(Fraction(1), Fraction(1, 2)), 6)
    poll = Poll(1, OPTIONS, {}, on)
    first = list(poll.wave.questions)
    late = heard(poll, SheetAnswer(1, "blue", 1, {name: Vote(name, "blue#2", keep=True) for name in OPTIONS}))

    assert (first, list(late.wave.questions)) == ([0], [0])
    assert late.counts["a"].tally.cast == 1
