"""Which failure is of which class, and how long it says to wait: one table, from what providers really send."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.campaign import Model
from benchwright.errors import (
    BadKey,
    BadRequest,
    BenchwrightError,
    Exhausted,
    RateLimited,
    Refused,
    Transient,
    UnknownModel,
)
from benchwright.llm.providers.failure import EXCERPT, LONG, failure, seconds, wait_in_headers

NOW = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)
MODEL = Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1", api_key_env="STUB_KEY")
PAGE = "<html><head><title>Error</title></head><body><h1>nginx</h1></body></html>"
GOOGLE = (
    '{"error": {"code": 429, "message": "You exceeded your current quota, please check your plan", "details": [%s]}}'
)
PER_MINUTE = '{"quotaId": "GenerateRequestsPerMinutePerModel"}, {"retryDelay": "37s"}'
PER_DAY = '{"quotaId": "GenerateRequestsPerDayPerModel-FreeTier"}, {"retryDelay": "37s"}'


def said(status: int, text: str = "", **headers: str) -> BenchwrightError:
    return failure(MODEL, status, {key.replace("_", "-"): value for key, value in headers.items()}, text, NOW)


CLASSES: list[tuple[int, str, type[BenchwrightError]]] = [
    (429, "Rate limit reached for stub on requests per min (RPM): Limit 3", RateLimited),
    (429, GOOGLE % PER_MINUTE, RateLimited),
    (429, PAGE, RateLimited),
    (529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', RateLimited),
    (503, "The model is overloaded. Please try again later.", RateLimited),
    (503, "The engine is at capacity", RateLimited),
    (500, '{"error": {"code": "rate_limit_exceeded"}}', RateLimited),
    (503, "Loading model", Transient),
    (503, PAGE, Transient),
    (500, "", Transient),
    (502, PAGE, Transient),
    (504, PAGE, Transient),
    (408, "", Transient),
    (409, "", Transient),
    (425, "", Transient),
    (402, "Payment required", Exhausted),
    (429, '{"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}', Exhausted),
    (429, "You exceeded your current quota, please check your plan and billing details.", Exhausted),
    (400, "Your credit balance is too low to access the API", Exhausted),
    (403, "Insufficient balance", Exhausted),
    (500, '{"error": {"code": "insufficient_quota"}}', Exhausted),
    (429, GOOGLE % PER_DAY, Exhausted),
    (429, "Rate limit exceeded: free-models-per-day", Exhausted),
    (401, "Incorrect API key", BadKey),
    (403, "forbidden", BadKey),
    (404, PAGE, UnknownModel),
    (400, "The model `x` does not exist", UnknownModel),
    (400, '{"error": {"code": "model_not_found"}}', UnknownModel),
    (400, "This model's maximum context length is 10", BadRequest),
    (413, "Request too large", BadRequest),
    (422, "bad field", BadRequest),
    (301, "", BadRequest),
    (400, '{"error": {"code": "content_filter"}}', Refused),
    (403, "The model requires moderation; your input was flagged", Refused),
]


@pytest.mark.parametrize(("status", "text", "kind"), CLASSES)
def test_each_failure_has_its_class_and_names_the_model(status: int, text: str, kind: type[BenchwrightError]) -> None:
    found = said(status, text)
    assert type(found) is kind
    assert str(found).startswith("model 'm': ")
    assert f"(status {status})" in str(found)


@pytest.mark.parametrize("status", [429, 503, 529])
def test_who_is_told_to_wait_for_longer_than_ten_minutes_has_used_up_a_quota(status: int) -> None:
    found = said(status, "slow down", retry_after="3600")
    assert isinstance(found, Exhausted)
    assert found.retry_after == 3600
    assert isinstance(said(status, "overloaded", retry_after=str(LONG)), RateLimited)


def test_without_credit_or_at_the_end_of_a_day_a_short_wait_is_not_believed() -> None:
    for found in (said(402, "", retry_after="5"), said(429, GOOGLE % PER_DAY)):
        assert isinstance(found, Exhausted)
        assert found.retry_after is None


def test_a_wait_in_a_header_is_believed_whatever_the_words_say() -> None:
    found = said(429, "Limit 100000 tokens per day (TPD). Please try again in 6m12.096s.", retry_after="372")
    assert isinstance(found, RateLimited)
    assert found.retry_after == 372


def wait_of(text: str = "", **headers: str) -> float | None:
    found = said(429, text, **headers)
    assert isinstance(found, RateLimited | Exhausted)
    return found.retry_after


TEXTS = {
    "Please try again in 20s.": 20,
    "Please try again in 1.5s. Visit": 1.5,
    "Please try again in 120ms": 0.12,
    "Please try again in 1m30s": 90,
    "Please retry in 37.2s.": 37.2,
    GOOGLE % PER_MINUTE: 37,
    "try again later": None,
}


@pytest.mark.parametrize(("text", "wait"), TEXTS.items())
def test_a_wait_in_the_text_counts_where_no_header_names_one(text: str, wait: float | None) -> None:
    assert wait_of(text) == (pytest.approx(wait) if wait is not None else None)
    assert wait_of(text, retry_after="3") == 3


FORMS = {
    "7": 7,
    "2.5": 2.5,
    "0": 0,
    " 12 ": 12,
    "1s": 1,
    "6m0s": 360,
    "120ms": 0.12,
    "1h2m3.5s": 3723.5,
    "2d": 172800,
    "Mon, 30 Nov 2026 14:06:00 GMT": 60,
    "2026-11-30T14:06:00Z": 60,
    "2026-11-30T15:06:00+01:00": 60,
    str(NOW.timestamp() + 60): 60,
    str(int(NOW.timestamp() + 60) * 1000): 60,
    "Mon, 30 Nov 2026 14:00:00 GMT": 0,  # over already
    "2026-11-30T14:00:00Z": 0,
    str(int(NOW.timestamp()) - 60): 0,
    "": None,
    "soon": None,
    "-5": None,
    "nan": None,
    "9" * 400: None,
}


@pytest.mark.parametrize(("form", "wait"), FORMS.items())
def test_every_form_of_a_wait_is_read(form: str, wait: float | None) -> None:
    assert seconds(form, NOW) == (pytest.approx(wait, abs=1e-3) if wait is not None else None)


def test_no_header_is_no_wait() -> None:
    assert seconds(None, NOW) is None
    assert wait_in_headers({}, NOW) is None


LIMITS: list[tuple[Mapping[str, str], float | None]] = [
    ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
    ({"retry-after-ms": "soon", "retry-after": "2"}, 2),
    ({"Retry-After": "2"}, 2),
    ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360),
    ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "120ms"}, 0.12),
    ({"x-ratelimit-remaining-tokens": "17", "x-ratelimit-reset-tokens": "6m0s"}, None),
    (
        {
            "x-ratelimit-remaining-requests": "0",
            "x-ratelimit-reset-requests": "1s",
            "x-ratelimit-remaining-tokens": "0",
            "x-ratelimit-reset-tokens": "2s",
        },
        2,
    ),
    ({"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(NOW.timestamp() * 1000) + 5000)}, 5),
    (
        {
            "anthropic-ratelimit-input-tokens-remaining": "0",
            "anthropic-ratelimit-input-tokens-reset": "2026-11-30T14:05:30Z",
            "anthropic-ratelimit-requests-remaining": "40",
            "anthropic-ratelimit-requests-reset": "2026-11-30T15:05:30Z",
        },
        30,
    ),
    ({"x-ratelimit-remaining-requests": "0"}, None),
    ({"x-ratelimit-remaining-requests": "0.0", "x-ratelimit-reset-requests": "0.5"}, 0.5),
    ({"retry-after": "7", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 7),
]


@pytest.mark.parametrize(("headers", "wait"), LIMITS)
def test_the_wait_is_the_reset_of_the_limit_of_which_nothing_remains(
    headers: Mapping[str, str], wait: float | None
) -> None:
    assert wait_in_headers(headers, NOW) == (pytest.approx(wait) if wait is not None else None)


def test_a_limit_that_resets_tomorrow_is_a_quota() -> None:
    found = said(429, "", **{"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "23h59m"})
    assert isinstance(found, Exhausted)
    assert found.retry_after == 86340


@given(st.integers(0, 10**6))
def test_both_forms_of_retry_after_say_the_same(wait: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=wait), usegmt=True)
    assert seconds(date, NOW) == seconds(str(wait), NOW) == wait


@given(st.text(max_size=40), st.dictionaries(st.text(max_size=20), st.text(max_size=20)))
def test_whatever_a_provider_writes_there_is_an_error_for_it_and_no_negative_wait(
    form: str, headers: dict[str, Any]
) -> None:
    wait = seconds(form, NOW)
    assert wait is None or wait >= 0
    spoken = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": form, "retry-after": form, **headers}
    assert len(str(failure(MODEL, 429, spoken, form, NOW))) < 3 * EXCERPT


STORY = "The bank said: insufficient funds. The credit balance is too low. Daily rate limit. Unauthorized API key."
ECHOES = [
    json.dumps({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "input": STORY}]}),
    json.dumps({"error": {"message": "bad request", "request": {"messages": [{"role": "user", "content": STORY}]}}}),
    json.dumps({"error": {"message": f'could not parse: "{STORY}"'}}),
    json.dumps({"error": {"message": "bad request", "body": json.dumps({"messages": [STORY]})}}),
]


@pytest.mark.parametrize("text", ECHOES)
@pytest.mark.parametrize("status", [400, 422, 500])
def test_words_of_a_document_that_an_endpoint_repeats_are_not_about_the_account(status: int, text: str) -> None:
    error = said(status, text)
    assert type(error) is (Transient if status == 500 else BadRequest), error


def test_a_short_quotation_is_the_endpoints_own_word() -> None:
    assert isinstance(said(400, '{"error": {"message": "code \'insufficient_quota\': you\'ve no credit"}}'), Exhausted)


def test_a_body_nested_deeper_than_anybody_nests_is_a_failure_like_any_other() -> None:
    assert isinstance(said(500, "[" * 100 + '"insufficient_quota"' + "]" * 100), Transient)
    assert isinstance(said(500, "[" * 100_000), Transient)
