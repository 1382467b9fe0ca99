"""Every error of Benchwright, in one tree.

BenchwrightError
├── UsageError            the person must change something: command line, campaign, file   (exit 2)
│   ├── ConfigError       a key, a value or a name in the campaign file
│   ├── CorpusError       no document can be used
│   ├── ChangedCampaign   the campaign file is not the one this run began with
│   ├── NotFound          no such item, document, campaign or database
│   └── StoreRefused      the database is not ours, newer, read-only or on a network disk
├── Owned                 another runner owns the campaign                                 (exit 2)
├── Unreadable            one source file cannot become a document (recorded; the rest goes on)
├── Unfetched             one address of the web gives no document (recorded; the rest goes on)
├── Fatal                 the campaign stops and says why                                  (exit 1)
│   ├── BadKey            the provider does not accept the key
│   ├── UnknownModel      the provider does not know the model
│   ├── BadRequest        the provider rejects what we sent
│   ├── Unusable          a model's replies never parse: going on would only burn money
│   └── StoreFailed       the database can no longer be written
│       ├── DiskFull      no space is left
│       ├── Vanished      the database was removed, moved or replaced under the run
│       └── Superseded    another process runs the campaign now
├── Unsent                the run stops before this request has left; the job goes back    (paused, exit 3)
├── OverBudget            the next call could exceed the campaign's cap                   (paused, exit 3)
├── Exhausted             a model's quota or credit is used up; it rests, the job waits    (paused, exit 3)
├── Transient             the provider failed; the same job again later
│   ├── RateLimited       too fast; later, and it costs no attempt
│   └── Down              the endpoint fails again and again: it rests, the job waits    (paused, exit 3)
├── BadReply              the model's reply cannot be used; shown back to it, then recorded
├── Refused               the model or its filter declines; recorded, never asked again
└── Rejected              the endpoint rejects one request; what that says of the others, only they tell

The class docstring is the default message. `engine/outcome.py` decides the fate of each.
"""


class BenchwrightError(Exception):
    """Something went wrong in Benchwright."""

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (type(self).__doc__ or "").split("\n")[0])

    def locate(self, place: str) -> None:
        """Begin the message with what it is about."""
        self.args = (f"{place}: {self}",)


class UsageError(BenchwrightError):
    """The command cannot be carried out as given."""


class ConfigError(UsageError):
    """The campaign file has a mistake."""


class CorpusError(UsageError):
    """No document of the corpus can be used."""


class ChangedCampaign(UsageError):
    """The campaign file has changed since its run began."""


class NotFound(UsageError):
    """There is no such thing here."""


class StoreRefused(UsageError):
    """The database cannot be used."""


class Owned(BenchwrightError):
    """Another runner owns this campaign."""


class Unreadable(BenchwrightError):
    """The file cannot be read as a document."""

    def __init__(self, message: str | None = None, state: str = "unreadable") -> None:
        """`state` is a short word for why, such as `encrypted`, `scanned` or `timed out`."""
        super().__init__(message)
        self.state = state


class Unfetched(BenchwrightError):
    """The address gives no document."""

    def __init__(self, message: str | None = None, *, again: bool = False) -> None:
        """`again` says that a later try may succeed."""
        super().__init__(message)
        self.again = again


class Fatal(BenchwrightError):
    """The campaign cannot go on."""


class BadKey(Fatal):
    """The provider does not accept the key."""


class UnknownModel(Fatal):
    """The provider does not know the model."""


class BadRequest(Fatal):
    """The provider rejects the request."""


class Unusable(Fatal):
    """A model's replies cannot be used."""


class StoreFailed(Fatal):
    """The database can no longer be written; nothing that was acknowledged is lost."""


class DiskFull(StoreFailed):
    """The disk is full: free some space, then run the same command again."""


class Vanished(StoreFailed):
    """The database was removed, moved or replaced while it was in use."""


class Superseded(StoreFailed):
    """Another process runs the campaign now; this one stops."""


class Unsent(BenchwrightError):
    """The run stopped before this request left."""


class OverBudget(BenchwrightError):
    """The next call could cost more than the budget has left."""


class Exhausted(BenchwrightError):
    """The model's quota or credit is used up."""

    def __init__(self, message: str | None = None, retry_after: float | None = None) -> None:
        """`retry_after` in seconds, where the provider named one."""
        super().__init__(message)
        self.retry_after = retry_after


class Transient(BenchwrightError):
    """The provider failed; the same call may succeed later."""

    def __init__(self, message: str | None = None, retry_after: float | None = None) -> None:
        """`retry_after` in seconds, where the provider named one."""
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(Transient):
    """The provider asks for fewer requests."""


class Down(Transient):
    """The endpoint fails again and again; it is left alone for a while."""

    def __init__(
        self,
        message: str | None = None,
        retry_after: float | None = None,
        *,
        asked: bool = False,
        lasting: bool = False,
    ) -> None:
        """`asked` tells whether this very call left and failed; `lasting` that the endpoint is down for long by now."""
        super().__init__(message, retry_after)
        self.asked = asked
        self.lasting = lasting


class BadReply(BenchwrightError):
    """The reply cannot be used.

    `calls` are the ledger entries that were paid for it; `recorded` says that the last of them was paid earlier.
    `cause` is one of `empty`, `truncated`, `oversized`, `no_json`, `several`, `schema`, `check`; `raw` is what the
    model wrote.
    """

    def __init__(self, message: str, raw: str = "", cause: str = "check") -> None:
        super().__init__(message)
        self.raw = raw
        self.cause = cause
        self.calls: tuple[str, ...] = ()
        self.recorded = False


class Refused(BenchwrightError):
    """The model declined to answer.

    `cause` is `refused` (the model) or `filtered` (the provider's content filter).
    """

    def __init__(self, message: str | None = None, cause: str = "refused") -> None:
        super().__init__(message)
        self.cause = cause


class Rejected(BenchwrightError):
    """The endpoint rejects the request.

    `cause` is `refused`, `filtered` or `too long`. `fault` is what stops the campaign if the endpoint rejects the
    other requests too; `certain` says that its words are about all of them: the key, the model, the address.
    """

    def __init__(
        self, message: str | None = None, cause: str = "refused", fault: Fatal | None = None, *, certain: bool = False
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.fault = fault or BadRequest(str(self))
        self.certain = certain
