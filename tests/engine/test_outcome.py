"""What an error means for its job, as a table."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import errors
from benchwright.engine.outcome import (
    ATTEMPTS,
    LONGEST,
    REJECTIONS,
    Again,
    Aside,
    Doubt,
    Fate,
    Pause,
    Record,
    Rejection,
    Rest,
    Stop,
    backoff,
    outcome,
)
from benchwright.engine.runner import Ended, How, failed_end

TABLE: list[tuple[errors.BenchwrightError, int, type[Fate]]] = [
    (errors.RateLimited(retry_after=7), 1, Again),
    (errors.RateLimited(), 10 * ATTEMPTS, Again),
    (errors.Transient(), 1, Again),
    (errors.Transient(), ATTEMPTS - 1, Again),
    (errors.Transient(), ATTEMPTS, Aside),
    (errors.Rejected(), 1, Again),
    (errors.Rejected(), REJECTIONS, Rejection),
    (errors.Rejected(cause="filtered"), 1, Rejection),
    (errors.Rejected(cause="too long"), 1, Rejection),
    (errors.Down(), 10 * ATTEMPTS, Rest),
    (errors.Exhausted(), 10 * ATTEMPTS, Rest),
    (errors.OverBudget(), 10 * ATTEMPTS, Pause),
    (errors.BadReply("no", cause="schema"), 1, Doubt),
    (errors.Refused(), 1, Record),
    (errors.BadKey(), 1, Stop),
    (errors.UnknownModel(), 1, Stop),
    (errors.BadRequest(), 1, Stop),
    (errors.Unusable(), 1, Stop),
    (errors.DiskFull(), 1, Stop),
    (errors.ConfigError(), 1, Stop),
]


@pytest.mark.parametrize(("error", "attempt", "fate"), TABLE)
def test_each_error_has_its_fate(error: errors.BenchwrightError, attempt: int, fate: type[Fate]) -> None:
    assert type(outcome(error, attempt, 0.5)) is fate


def leaves(kind: type[BaseException]) -> Iterator[type[BaseException]]:
    yield kind
    for child in kind.__subclasses__():
        yield from leaves(child)


def test_the_whole_tree_of_errors_has_a_fate_and_a_message() -> None:
    for kind in leaves(errors.BenchwrightError):
        error = kind("told") if kind is errors.BadReply else kind()
        assert isinstance(error, errors.BenchwrightError)
        assert str(error)
        assert outcome(error, 1, 0.0) is not None


@pytest.mark.parametrize("wait", [7.0, 0.0])
def test_a_rate_limit_costs_no_attempt_and_waits_as_told(wait: float) -> None:
    assert outcome(errors.RateLimited(retry_after=wait), 3, 0.5) == Again(wait, counted=False)


def test_a_failure_counts_and_waits_as_told() -> None:
    assert outcome(errors.Transient(retry_after=9), 1, 0.5) == Again(9, counted=True)


def test_a_quota_rests_as_long_as_it_says_or_nobody_knows_how_long() -> None:
    assert outcome(errors.Exhausted("no more", 3600), 1, 0.5) == Rest(3600, "quota", "no more")
    assert outcome(errors.Exhausted("no more"), 1, 0.5) == Rest(None, "quota", "no more")


def test_an_endpoint_that_is_down_rests_and_blames_only_who_was_asked_when_it_had_been_down_for_long() -> None:
    assert outcome(errors.Down("gone", 10), 1, 0.5) == Rest(10, "endpoint", "gone")
    assert outcome(errors.Down("gone", 10, asked=True), 1, 0.5) == Rest(10, "endpoint", "gone")
    assert outcome(errors.Down("gone", 300, lasting=True), 1, 0.5) == Rest(300, "endpoint", "gone", lasting=True)
    blamed = outcome(errors.Down("gone", 300, asked=True, lasting=True), 1, 0.5)
    assert blamed == Rest(300, "endpoint", "gone", lasting=True, blamed=True)


def test_a_job_that_was_blamed_is_not_excused_again_unless_it_was_not_even_asked() -> None:
    down = errors.Down("gone", 10, asked=True, lasting=True)
    assert outcome(down, 1, 0.5, blamed=True) == Again(10, counted=True)
    assert outcome(down, ATTEMPTS, 0.5, blamed=True) == Record("unavailable", "gone")
    assert outcome(errors.Down("gone", 10), ATTEMPTS, 0.5, blamed=True) == Rest(10, "endpoint", "gone")


def test_a_record_names_its_cause() -> None:
    assert outcome(errors.Refused("no", cause="filtered"), 1, 0.5) == Record("filtered", "no")
    assert outcome(errors.BadReply("no", cause="no_json"), 1, 0.5) == Doubt("no_json", "no")


@given(st.integers(1, 1000), st.floats(0, 1))
def test_waiting_grows_but_not_beyond_its_bounds(attempt: int, jitter: float) -> None:
    assert 0 < backoff(attempt, jitter) <= LONGEST
    assert backoff(attempt, 0) <= backoff(attempt, jitter) <= backoff(attempt + 1, 1)


def test_a_reply_that_cannot_be_used_is_in_doubt_unless_it_is_a_finding() -> None:
    error = errors.BadReply("no object", "", "no_json")
    assert isinstance(outcome(error, 1, 0.0), Doubt)
    found = outcome(error, 1, 0.0, finding=True)
    assert found == Record("no_json", "no object")
    assert not isinstance(found, Doubt)


def test_a_failed_run_ends_with_the_first_error_that_has_a_name_of_ours() -> None:
    assert failed_end(errors.UsageError("no")) == Ended(How.FAILED, "no", "UsageError")
    group = ExceptionGroup("g", [ValueError("odd"), ExceptionGroup("inner", [errors.UsageError("no")])])
    assert failed_end(group) == Ended(How.FAILED, "no", "UsageError")
    assert failed_end(ExceptionGroup("g", [ValueError("odd")])) == Ended(How.FAILED, "odd", "ValueError")
    assert len(failed_end(errors.UsageError("x" * 5000)).reason) == 1000
