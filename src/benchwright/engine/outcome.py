"""What an error means for the job that met it, decided in one place."""

from dataclasses import dataclass

from benchwright.errors import BadReply, BenchwrightError, RateLimited, Refused, Transient

ATTEMPTS = 6  # claims of one job, within one run, that may end in a provider's failure
CRASHES = 3  # claims that died with their process, after which a job is worked off alone
# Claims after which it is given up. A process that is killed again and again takes jobs along that did nothing to it.
DEADLY = 12
LONGEST = 300.0  # seconds between two tries at most


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
class Pause:
    """The campaign pauses, the job is tried again by the next run."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stop:
    """The campaign stops."""

    error: Exception


Fate = Again | Record | Pause | Stop


def outcome(error: BenchwrightError, attempt: int, streak: int, jitter: float) -> Fate:
    """The fate of a job at its `attempt`-th claim.

    `streak` counts the failures of its model since the last success: when nothing at all comes back, the fault is
    not this job's. `jitter` between 0 and 1 spreads the waiting.
    """
    match error:
        case RateLimited():
            return Again(error.retry_after or backoff(attempt, jitter), counted=False)
        case Transient() if attempt < ATTEMPTS:
            return Again(error.retry_after or backoff(attempt, jitter), counted=True)
        case Transient():
            return Pause(str(error)) if streak >= ATTEMPTS else Record("unavailable", str(error))
        case BadReply() | Refused():
            return Record(error.cause, str(error))
    return Stop(error)


def backoff(attempt: int, jitter: float) -> float:
    """Seconds to wait: twice as long each time, between half and the whole of it."""
    return min(LONGEST, float(2**attempt)) * (0.5 + jitter / 2)
