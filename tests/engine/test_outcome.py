"""What an error means for its job, as a table."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright import errors
from benchwright.engine.outcome import ATTEMPTS, LONGEST, Again, Fate, Pause, Record, Stop, backoff, outcome

TABLE: list[tuple[errors.BenchwrightError, int, int, type[Fate]]] = [
    (errors.RateLimited(retry_after=7), 1, 1, Again),
    (errors.RateLimited(), 10 * ATTEMPTS, 10 * ATTEMPTS, Again),
    (errors.Transient(), 1, 1, Again),
    (errors.Transient(), ATTEMPTS - 1, 50, Again),
    (errors.Transient(), ATTEMPTS, ATTEMPTS - 1, Record),
    (errors.Transient(), ATTEMPTS, ATTEMPTS, Pause),
    (errors.BadReply("no", cause="schema"), 1, 0, Record),
    (errors.Refused(), 1, 0, Record),
    (errors.BadKey(), 1, 0, Stop),
    (errors.UnknownModel(), 1, 0, Stop),
    (errors.BadRequest(), 1, 0, Stop),
    (errors.DiskFull(), 1, 0, Stop),
    (errors.ConfigError(), 1, 0, Stop),
]


@pytest.mark.parametrize(("error", "attempt", "streak", "fate"), TABLE)
def test_each_error_has_its_fate(error: errors.BenchwrightError, attempt: int, streak: int, fate: type[Fate]) -> None:
    assert type(outcome(error, attempt, streak, 0.5)) is fate


def leaves(kind: type[BaseException]) -> Iterator[type[BaseException]]:
    yield kind
    for child in kind.__subclasses__():
        yield from leaves(child)


def test_the_whole_tree_of_errors_has_a_fate_and_a_message() -> None:
    for kind in leaves(errors.BenchwrightError):
        error = kind("told") if kind is errors.BadReply else kind()
        assert isinstance(error, errors.BenchwrightError)
        assert str(error)
        assert outcome(error, 1, 1, 0.0) is not None


def test_a_rate_limit_costs_no_attempt_and_waits_as_told() -> None:
    assert outcome(errors.RateLimited(retry_after=7), 3, 9, 0.5) == Again(7, counted=False)


def test_a_failure_counts_and_waits_as_told() -> None:
    assert outcome(errors.Transient(retry_after=9), 1, 1, 0.5) == Again(9, counted=True)


def test_a_record_names_its_cause() -> None:
    assert outcome(errors.Refused("no", cause="filtered"), 1, 0, 0.5) == Record("filtered", "no")


@given(st.integers(1, 1000), st.floats(0, 1))
def test_waiting_grows_but_not_beyond_its_bounds(attempt: int, jitter: float) -> None:
    assert 0 < backoff(attempt, jitter) <= LONGEST
    assert backoff(attempt, 0) <= backoff(attempt, jitter) <= backoff(attempt + 1, 1)
