"""The JSON API of a SearXNG on loopback: results, every way to fail, and what is never followed."""

import asyncio
import json
from typing import Any

import pytest
from tests.search.site import Said, site

from benchwright.domain.snippet import Snippet
from benchwright.errors import BadRequest, RateLimited, Transient
from benchwright.search.base import ASKED, KEPT
from benchwright.search.pace import Pace
from benchwright.search.searxng import LARGEST, SearXNG

ROWS: list[dict[str, Any]] = [
    {"url": "https://a.example/1", "title": "Dengue", "content": "A fever\n borne by mosquitoes.", "score": 3.0},
    {"url": "javascript:alert(1)", "title": None, "content": "Break-bone fever."},
    {"url": None, "title": "Nothing to read", "content": None},
    {"url": "https://a.example/3", "content": "x" * 5000},
]


def page(rows: list[dict[str, Any]], silent: list[Any] | None = None) -> str:
    return json.dumps({"query": "q", "results": rows, "unresponsive_engines": silent or []})


def find(url: str, query: str = "dengue  definition", most: int = 6, timeout: float = 5.0) -> tuple[Snippet, ...]:
    return asyncio.run(SearXNG(url, timeout).find(query, most))


def test_it_finds_snippets_with_their_addresses() -> None:
    with site(lambda path: Said(page(ROWS))) as place:
        found = find(place.url + "/")
        assert find(place.url, most=1) == found[:1]

    assert found[:2] == (
        Snippet("A fever borne by mosquitoes.", "https://a.example/1", "Dengue"),
        Snippet("Break-bone fever.", ""),
    )
    assert len(found) == 3
    assert len(found[2].text) == KEPT
    assert place.asked[0] == ("/search?q=dengue+definition&format=json", "")


def test_a_category_of_results_is_asked_for_where_one_is_named() -> None:
    with site(lambda path: Said(page(ROWS))) as place:
        search = SearXNG(place.url, category="files")
        assert asyncio.run(search.find("dengue", 6))
    assert place.asked[0][0] == "/search?q=dengue&format=json&categories=files"
    assert search.name == f"searxng at {place.url}, files"


def test_one_on_this_machine_is_asked_without_the_environments_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with site(lambda path: Said(page(ROWS))) as place:
        assert find(place.url)


def test_a_long_query_is_cut() -> None:
    with site(lambda path: Said(page(ROWS))) as place:
        find(place.url, "q" * 1000)
    assert place.asked[0][0] == f"/search?q={'q' * ASKED}&format=json"


@pytest.mark.parametrize(
    ("said", "error", "why"),
    [
        (Said(status=429), RateLimited, "too many requests"),
        (Said("<html>", status=202), RateLimited, "too many requests .HTTP 202"),
        (Said(status=503), Transient, "HTTP 503"),
        (Said(status=403), BadRequest, "add json to search.formats"),
        (Said(status=404), BadRequest, "HTTP 404: is its address right"),
        (Said(status=302, headers={"Location": "http://127.0.0.1:9/"}), BadRequest, "HTTP 302.*not followed"),
        (Said("<html>"), Transient, "no JSON of search results"),
        (Said('{"answers": []}'), Transient, "no JSON of search results"),
        (Said(page([])), Transient, "engines that did not answer: none"),
        (Said(page(ROWS[2:3], [["brave", "timeout"], "odd"])), Transient, "did not answer: brave timeout; odd"),
        (Said(page(ROWS), wait=0.6), Transient, r"no answer within 0\.3 s"),
        (Said("x" * (LARGEST + 1)), Transient, "larger than"),
    ],
)
def test_each_failure_says_what_it_was(said: Said, error: type[Exception], why: str) -> None:
    with site(lambda path: said) as place, pytest.raises(error, match=why):
        find(place.url, timeout=0.3 if said.wait else 5.0)
    assert len(place.asked) == 1


@pytest.mark.parametrize(
    ("url", "error", "why"),
    [
        ("http://127.0.0.1:9", Transient, "the connection failed"),
        ("ftp://127.0.0.1", BadRequest, "its address, or the proxy"),
        ("127.0.0.1:9", BadRequest, "its address, or the proxy"),
    ],
)
def test_an_address_without_a_searxng_is_said(url: str, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        find(url)


def test_a_proxy_that_cannot_be_used_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1:9")
    with pytest.raises(BadRequest, match="the proxy of the environment, cannot be used: "):
        find("http://searx.example:9")


def test_a_failure_slows_the_pace_and_an_answer_restores_it() -> None:
    answers = [Said(status=503), Said(page(ROWS))]
    with site(lambda path: answers.pop(0)) as place:
        search = SearXNG(place.url, pace=Pace(0.01))

        async def both() -> None:
            with pytest.raises(Transient):
                await search.find("dengue", 6)
            assert search.pace.now == 0.02
            await search.find("dengue", 6)

        asyncio.run(both())
    assert search.pace.now == 0.01
    assert search.name == f"searxng at {place.url}"
