"""What a provider's failure means: status, headers and body become one of our errors, by one table. Pure."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from benchwright.domain.campaign import Model
from benchwright.errors import (
    BadKey,
    BadRequest,
    BenchwrightError,
    Exhausted,
    Fatal,
    RateLimited,
    Refused,
    Rejected,
    Transient,
    UnknownModel,
)
from benchwright.llm.providers.words import TAGS, error_words

EXCERPT = 300  # characters of a provider's text in a message
LONG = 600.0  # seconds: who is told to wait longer has used up a quota, not gone too fast
LATER = {408, 409, 424, 425, 499}
BUSY = {429, 503, 529}
WRONG_PLACE = {405, 406, 410, 415, 426}  # a method, a form or an address that the server does not serve

LONGER = re.compile(
    r"context.{0,20}(length|window|size)|ContextWindow|too (long|many tokens)|maximum context|exceeds? .{0,30}context"
    r"|(prompt|input|request|payload|entity|content).{0,30} (is )?too (long|large)|reduce the length"
    r"|(input|prompt) (length|tokens?).{0,40}(exceed|longer|limit)|(exceeds?|over) the (max|limit).{0,30}tokens",
    re.IGNORECASE,
)
UNKNOWN = re.compile(
    r"model_not_found|(model|deployment).{0,80}(not found|not exist|unknown)|(unknown|no such|invalid) model",
    re.IGNORECASE,
)
CONTEXT = re.compile(r"context.{0,20}(length|window|size)", re.IGNORECASE)
FILTERED = re.compile(
    r"content.?filter|content.?policy|content management policy|content.{0,12} risk|safety|moderation|flagged|guardrail"
    r"|data_?inspection|responsible.?ai|inappropriate|prohibited|sensitive (content|information|words?|topics?)"
    r"|violat\w+.{0,40}(polic|guideline|terms)|usage polic|harmful|jailbreak|(prompt|input|content).{0,20} blocked",
    re.IGNORECASE,
)
KEYED = re.compile(
    r"(api|access|subscription|secret).?(key|token)|credential|authenti|unauthori[sz]ed|permission.?denied"
    r"|not have (access|permission)|insufficient.{0,12}permission|missing scopes?|not allowed to (use|access)",
    re.IGNORECASE,
)
NO_CREDIT = re.compile(
    r"insufficient_quota|insufficient (credit|balance|fund)|credit balance is too low|billing_hard_limit"
    r"|exceeded your current quota(?!.{0,2000}(per.?(minute|day)|retryDelay))",  # Google says so of every limit
    re.IGNORECASE | re.DOTALL,
)
DAILY = re.compile(r"per.?(day|week|month)|daily|monthly|\b(RPD|TPD)\b", re.IGNORECASE)
OVERLOADED = re.compile(
    r"overload|(over|at|no) capacity|capacity exceeded|slow ?down|throttl|server is busy|too many requests|rate.?limit",
    re.IGNORECASE,
)
TOO_FAST = re.compile(r"too many requests|rate.?limit|throttl", re.IGNORECASE)
TOLD = re.compile(r"(?:(?:try again|retry) in|retryDelay\W+)\s*((?:\d+(?:\.\d+)?(?:ms|[dhms])\s?)+)", re.IGNORECASE)
NUMBER = re.compile(r"\d{1,13}(\.\d+)?")
PART = re.compile(r"(\d{1,9}(?:\.\d+)?)(ms|[dhms])")
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds(said: str | None, now: datetime) -> float | None:
    """How long to wait from `now`, in any of the forms that providers use; None where it says nothing usable.

    They say seconds ("2.5"), a length ("6m0s", "120ms"), a date (of HTTP or RFC 3339), or an epoch in seconds or
    milliseconds.
    """
    text = (said or "").strip()
    if NUMBER.fullmatch(text):
        return since_epoch(float(text), now)
    if text and not PART.sub("", text.lower()):
        return sum(float(number) * UNITS[unit] for number, unit in PART.findall(text.lower()))
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            date = read(text)
            return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds())
        except (ValueError, OverflowError):
            continue
    return None


def since_epoch(number: float, now: datetime) -> float:
    """A number of seconds: from now on, unless it is so large that it is a date."""
    if number < 1e9:
        return number
    return max(0.0, (number / 1000 if number > 1e11 else number) - now.timestamp())


def wait_in_headers(headers: Mapping[str, str], now: datetime) -> float | None:
    """The wait that an answer's headers name: Retry-After, or the latest reset of a limit of which nothing remains."""
    known = {name.lower(): value for name, value in headers.items()}
    milliseconds = known.get("retry-after-ms", "").strip()
    if NUMBER.fullmatch(milliseconds):
        return float(milliseconds) / 1000
    wait = seconds(known.get("retry-after"), now)
    if wait is not None:
        return wait
    spent = [name for name, left in known.items() if is_limit(name) and re.fullmatch(r"0(\.0+)?", left.strip())]
    waits = [seconds(known.get(name.replace("remaining", "reset")), now) for name in spent]
    return max((wait for wait in waits if wait is not None), default=None)


def is_limit(name: str) -> bool:
    """Whether a header counts what remains of a limit."""
    return "ratelimit" in name and "remaining" in name


@dataclass(frozen=True, slots=True)
class Failed:
    """A failed call; `wait` in seconds is named by a header, or by the text where that is no limit of the day.

    `text` is the whole body, `words` what the endpoint itself says in it.
    """

    model: Model
    status: int
    text: str
    words: str
    wait: float | None

    def has(self, words: re.Pattern[str]) -> bool:
        """Whether the endpoint says so."""
        return bool(words.search(self.words))

    def names(self, parameter: re.Pattern[str]) -> bool:
        """Whether the body, which may repeat the request, is about a parameter."""
        return bool(parameter.search(self.text))

    @property
    def is_too_long(self) -> bool:
        """Whether the prompt is too long; a failure of the server must speak of a context for that."""
        return self.status == 413 or self.has(CONTEXT if self.status >= 500 else LONGER)


Fits = Callable[[Failed], bool]
NO_MORE = "the account of {key} has no credit left; add some"
USED_UP = "the limit of {place} is used up"
NO_MODEL = "{place} knows no {target!r}; check model and base_url"
FORM = re.compile(
    r"response_format|json_schema|structured.?output|guided|grammar|output schema|output_config", re.IGNORECASE
)
FEWER_FORMS = (
    '{place} does not take this response_format; set reply = "json_object" in [models.{name}] (or "tool", or "text"),'
    " then run with --accept-changes"
)
UNWANTED = re.compile(
    r"unsupported|not.{0,12}support|unrecogni[sz]ed|unknown|unexpected|not (permitted|allowed)|extra|invalid|forbidden",
    re.IGNORECASE,
)
SENT = ("seed", "temperature", "top_p", "max_tokens", "max_completion_tokens", "stream_options", "tool_choice", "tools")
TOO_LONG = (
    "the prompt is longer than the endpoint's context; set context (now {context}) and max_tokens (now {max_tokens})"
    " to what the endpoint can hold"
)
TABLE: tuple[tuple[type[BenchwrightError], Fits, str], ...] = (  # the first that fits
    (Exhausted, lambda it: it.status == 402 or it.has(NO_CREDIT), NO_MORE),
    (Exhausted, lambda it: it.status in BUSY and (it.wait or 0) > LONG, USED_UP),
    (Exhausted, lambda it: it.status == 429 and it.wait is None and it.has(DAILY), USED_UP),
    (BadKey, lambda it: it.status == 401, "{place} does not accept {key}; check its value"),
    (RateLimited, lambda it: it.status == 403 and it.has(TOO_FAST), "{place} asks for fewer requests"),
    (Refused, lambda it: it.status < 429 and it.has(FILTERED), "the provider's content filter rejects the request"),
    (BadKey, lambda it: it.status == 403 and not it.is_too_long, "{place} forbids this with {key}"),
    (RateLimited, lambda it: it.status in {429, 529}, "{place} asks for fewer requests"),
    (RateLimited, lambda it: it.status >= 500 and it.has(OVERLOADED), "{place} is overloaded"),
    (BadRequest, lambda it: it.status >= 500 and it.is_too_long, TOO_LONG),
    (Transient, lambda it: it.status >= 500 or it.status in LATER, "{place} failed"),
    (BadRequest, lambda it: it.is_too_long, TOO_LONG),
    (UnknownModel, lambda it: it.status == 404 or it.has(UNKNOWN), NO_MODEL),
    (BadRequest, lambda it: it.model.reply == "json_schema" and it.names(FORM), FEWER_FORMS),
    (BadRequest, lambda it: bool(it.status), "{place} rejects the request{hint}"),  # whatever it is
)


def failure(
    model: Model, status: int, headers: Mapping[str, str], text: str, now: datetime | None = None
) -> BenchwrightError:
    """The error that a failed call ends with; the message names the model and what to do."""
    it = describe_failure(model, status, headers, text, now or datetime.now(UTC))
    kind, advice = next((kind, advice) for kind, fits, advice in TABLE if fits(it))
    advice = advice.format(
        place=place(model),
        key=key_name(model),
        target=model.target,
        context=model.context,
        max_tokens=model.max_tokens,
        name=model.name,
        hint=parameter_hint(it),
    )
    message = f"model {model.name!r}: {advice}: {excerpt(text)!r} (status {status})"
    if kind is Exhausted:
        return Exhausted(message, it.wait if it.wait and it.wait > LONG else None)
    if issubclass(kind, Transient):
        return kind(message, it.wait)
    return Refused(message, "filtered") if kind is Refused else kind(message)


def parameter_hint(it: Failed) -> str:
    """What to write where the endpoint names a parameter that it does not take; "" where it names none."""
    own = (*SENT, *it.model.extra)
    named = next((name for name in own if re.search(rf"(?<![a-z_]){re.escape(name)}(?![a-z_])", it.text)), None)
    if not named or not it.names(UNWANTED):
        return ""
    if named == "max_tokens":
        return f'; perhaps [models.{it.model.name}] needs rename = {{ max_tokens = "max_completion_tokens" }}'
    return f'; perhaps [models.{it.model.name}] needs omit = ["{named}"]'


def refusal(model: Model, status: int, headers: Mapping[str, str], text: str) -> BenchwrightError:
    """The same for a call that asks a model: what would stop a campaign may be about this one prompt."""
    error = failure(model, status, headers, text)
    it = Failed(model, status, text, error_words(text), None)
    if isinstance(error, Refused):
        return Rejected(str(error), "filtered", BadRequest(str(error)))
    if not isinstance(error, Fatal):
        return error
    too_long = isinstance(error, BadRequest) and it.is_too_long
    return Rejected(str(error), "too long" if too_long else "refused", error, certain=is_about_all(it, error))


def is_about_all(it: Failed, error: Fatal) -> bool:
    """Whether a failure is by its own words about every request: its key, its model, its address."""
    match error:
        case BadKey():
            return it.status == 401 or it.has(KEYED)
        case UnknownModel():
            return True
    return it.status < 400 or it.status in WRONG_PLACE


def describe_failure(model: Model, status: int, headers: Mapping[str, str], text: str, now: datetime) -> Failed:
    """The call as the table looks at it."""
    words = error_words(text)
    wait, told = wait_in_headers(headers, now), TOLD.search(words)
    if wait is None and told and not DAILY.search(words):  # of a day's limit they name a wait that does not help
        wait = seconds("".join(told[1].split()), now)
    return Failed(model, status, text, words, wait)


def excerpt(text: str) -> str:
    """The provider's own words, short: the message in its JSON, or the beginning of its page."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    error = value.get("error", value) if isinstance(value, Mapping) else None
    said = error.get("message", error) if isinstance(error, Mapping) else error or TAGS.sub(" ", text)
    return " ".join(str(said).split())[:EXCERPT]


def place(model: Model) -> str:
    """Where the model is served, for messages."""
    return model.base_url or model.provider


def key_name(model: Model) -> str:
    """The variable that holds the key, for messages; never the key."""
    return f"the key in {model.api_key_env}" if model.api_key_env else "a request without a key (set api_key_env)"
