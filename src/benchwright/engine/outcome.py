"""What an error means for the job that met it, decided in one place."""

from dataclasses import dataclass

from benchwright.errors import (
    BadReply,
    BenchwrightError,
    Down,
    Exhausted,
    OverBudget,
    RateLimited,
    Refused,
    Rejected,
    Transient,
    Unsent,
)

ATTEMPTS = 6  # of one job, within one run, that may end in a provider's failure
ALONE = 3  # failures after which a job of a batch is asked alone
# Deaths of processes, by its share in each (`jobs.share_blame`), after which a job is given up: more than people cause
# when they kill a run again and again.
DEADLY = 24
REJECTIONS = 3  # of one request, without words that explain it, before it is taken for what it says
LONGEST = 300.0  # seconds between two tries at most
REPLIES = frozenset({"empty", "truncated", "oversized", "no_json", "several", "schema", "check"})
FAILURES = REPLIES | {"refused", "filtered", "too long", "unavailable", "crashed"}  # why a call gave no answer


@dataclass(frozen=True, slots=True)
class Given:
    """The job is answered."""


@dataclass(frozen=True, slots=True)
class Again:
    """The job waits `after` seconds; `counted` tells whether the attempt counts."""

    after: float
    counted: bool


@dataclass(frozen=True, slots=True)
class Record:
    """There is no usable answer: that is recorded, and the plan goes round it."""

    cause: str
    detail: str


@dataclass(frozen=True, slots=True)
class Doubt(Record):
    """The same, but only once the model has shown that it can do better, or nothing else is left to do.

    A model whose replies can never be used stops the campaign; its jobs must then be as if they had not been asked.
    """


@dataclass(frozen=True, slots=True)
class Rejection(Doubt):
    """The same for a request that its endpoint rejects: `fault` stops the campaign if it rejects all others too."""

    fault: Exception


@dataclass(frozen=True, slots=True)
class Aside:
    """The job is set aside until the next run; its model goes on with others."""

    cause: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rest:
    """The model is left alone for `after` seconds (None: nobody knows how long); the job goes back untouched.

    `cause` is `quota` or `endpoint`; `lasting` says that a run with nothing else to do does not wait for it; `blamed`
    that the job itself may be at fault: it is set aside, and not excused a second time.
    """

    after: float | None
    cause: str
    reason: str
    lasting: bool = False
    blamed: bool = False


@dataclass(frozen=True, slots=True)
class Pause:
    """The campaign pauses, the job goes back untouched."""

    cause: str
    reason: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The campaign stops."""

    error: Exception


Fate = Given | Again | Record | Aside | Rest | Pause | Stop


def outcome(
    error: BenchwrightError, attempt: int, jitter: float, *, blamed: bool = False, finding: bool = False
) -> Fate:
    """The fate of a job at its `attempt`-th claim.

    `blamed` says that an earlier run has set it aside because its endpoint failed: what it meets now is its own
    fault. A `finding` is a reply that cannot be used where that is what is measured: it is in no doubt. `jitter`
    between 0 and 1 spreads the waiting.
    """
    match error:
        case Exhausted():
            return Rest(error.retry_after, "quota", str(error))
        case OverBudget() | Unsent():
            return Pause("budget" if isinstance(error, OverBudget) else "", str(error))
        case Down() if not (blamed and error.asked):
            alone = error.asked and error.lasting
            return Rest(error.retry_after, "endpoint", str(error), lasting=error.lasting, blamed=alone)
        case Transient():
            return again(error, attempt, jitter, blamed=blamed)
        case Rejected() if error.cause == "refused" and attempt < REJECTIONS:  # some pass at the next try
            return Again(backoff(attempt - 1, jitter), counted=True)
    return without_answer(error, finding=finding)


def without_answer(error: BenchwrightError, *, finding: bool) -> Doubt | Record | Stop:
    """The fate of a job that no further try helps."""
    match error:
        case Rejected():
            return Rejection(error.cause, str(error), error.fault)
        case BadReply() if not finding:
            return Doubt(error.cause, str(error))
        case BadReply() | Refused():
            return Record(error.cause, str(error))
    return Stop(error)


def again(error: Transient, attempt: int, jitter: float, *, blamed: bool) -> Again | Aside | Record:
    """The same job later, as long as it has attempts, then in the next run; a rate limit costs none."""
    counted = not isinstance(error, RateLimited)
    if counted and attempt >= ATTEMPTS:
        return Record("unavailable", str(error)) if blamed else Aside("unavailable", str(error))
    return Again(backoff(attempt, jitter) if error.retry_after is None else error.retry_after, counted=counted)


def backoff(attempt: int, jitter: float) -> float:
    """Seconds to wait: twice as long each time, between half and the whole of it."""
    return min(LONGEST, float(2**attempt)) * (0.5 + jitter / 2)
