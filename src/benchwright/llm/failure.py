"""What a provider's failure means: status and body become one of our errors. Pure but for the clock's reading."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from benchwright.domain.campaign import Model
from benchwright.errors import (
    BadKey,
    BadRequest,
    BenchwrightError,
    RateLimited,
    Refused,
    Transient,
    UnknownModel,
)

EXCERPT = 300  # characters of a provider's text in a message
LONGER = re.compile(
    r"context.{0,20}(length|window|size)|too long|too many tokens|maximum context|exceeds? .{0,30}context",
    re.IGNORECASE,
)
UNKNOWN = re.compile(
    r"model_not_found|(model|deployment).{0,80}(not found|not exist|unknown)|(unknown|no such|invalid) model",
    re.IGNORECASE,
)
FILTERED = re.compile(r"content_filter|content_?policy|content management policy|safety system", re.IGNORECASE)
NO_CREDIT = re.compile(
    r"insufficient_quota|insufficient (credit|balance|fund)|billing_hard_limit|exceeded your current quota",
    re.IGNORECASE,
)
LATER = {408, 409, 425}


def seconds(header: str | None, now: datetime) -> float | None:
    """How long to wait, from either form of Retry-After: seconds or a date; None where it says nothing usable."""
    if not header:
        return None
    if re.fullmatch(r"\d{1,9}(\.\d+)?", header.strip()):
        return float(header)
    try:
        date = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - now).total_seconds())


def excerpt(text: str) -> str:
    """The provider's own words, short: the message in its JSON, or the beginning of its page."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    error = value.get("error", value) if isinstance(value, Mapping) else None
    said = error.get("message", error) if isinstance(error, Mapping) else error or text
    return " ".join(str(said).split())[:EXCERPT]


def failure(
    model: Model, status: int, headers: Mapping[str, str], text: str, now: datetime | None = None
) -> BenchwrightError:
    """The error that a failed call ends with; the message names the model and what to do."""
    said = f"{excerpt(text)!r} (status {status})"
    name = f"model {model.name!r}"
    wait = seconds(headers.get("retry-after"), now or datetime.now(UTC))
    if NO_CREDIT.search(text) or status == 402:
        return BadKey(f"{name}: the account of {key_name(model)} has no credit left; add some, then run again: {said}")
    if status in {401, 403}:
        return BadKey(f"{name}: {place(model)} does not accept {key_name(model)}; check its value: {said}")
    if status == 429:
        return RateLimited(f"{name}: {place(model)} asks for fewer requests: {said}", wait)
    if status >= 500 or status in LATER:
        return Transient(f"{name}: {place(model)} failed: {said}", wait)
    return rejected(model, status, text, said)


def rejected(model: Model, status: int, text: str, said: str) -> BenchwrightError:
    """The error for a request that would be rejected again."""
    name = f"model {model.name!r}"
    if FILTERED.search(text):
        return Refused(f"{name}: the provider's content filter rejects the request: {said}", "filtered")
    if LONGER.search(text):
        advice = (
            f"set context (now {model.context}) and max_tokens (now {model.max_tokens}) to what the endpoint can hold"
        )
        return BadRequest(f"{name}: the prompt is longer than the endpoint's context; {advice}: {said}")
    if status == 404 or UNKNOWN.search(text):
        return UnknownModel(f"{name}: {place(model)} knows no {model.target!r}; check model and base_url: {said}")
    return BadRequest(f"{name}: {place(model)} rejects the request: {said}")


def place(model: Model) -> str:
    """Where the model is served, for messages."""
    return model.base_url or model.provider


def key_name(model: Model) -> str:
    """The variable that holds the key, for messages; never the key."""
    return f"the key in {model.api_key_env}" if model.api_key_env else "a request without a key (set api_key_env)"
