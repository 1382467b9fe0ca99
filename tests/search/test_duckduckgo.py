"""The real package against a page on loopback: results, an empty page, one that asks for fewer requests, silence."""

import asyncio
from collections.abc import Iterator
from importlib.machinery import ModuleSpec

import pytest
from tests.search.site import Said, Site, site

from benchwright.domain.snippet import Snippet
from benchwright.errors import BadRequest, ConfigError, Transient
from benchwright.search import duckduckgo
from benchwright.search.duckduckgo import DuckDuckGo
from benchwright.search.pace import Pace

RESULT = """<div class="links_main body"><h2 class="title"><a href="{url}">{title}</a></h2>
<a class="snippet" href="{url}">{text}</a></div>"""
PAGE = "<html><body>{}</body></html>"
ROWS = [
    ("https://a.example/dengue", "Dengue", "A fever borne by mosquitoes."),
    ("ftp://b.example", "Also", "Break-bone fever."),
]
RESULTS = PAGE.format("".join(RESULT.format(url=url, title=title, text=text) for url, title, text in ROWS))
QUERY = "dengue definition"


class Switch:
    """What the page says next."""

    said = Said(RESULTS)


@pytest.fixture(name="switch")
def _switch() -> Switch:
    return Switch()


@pytest.fixture(name="page")
def _page(switch: Switch, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    from ddgs.engines.duckduckgo import Duckduckgo

    with site(lambda path: switch.said) as found:
        monkeypatch.setattr(Duckduckgo, "search_url", f"{found.url}/html/")
        yield found


def find(search: DuckDuckGo, most: int = 6) -> tuple[Snippet, ...]:
    return asyncio.run(search.find(QUERY, most))


def searching() -> DuckDuckGo:
    return DuckDuckGo(timeout=1, pace=Pace(0.0))


def test_it_finds_snippets_with_their_addresses_and_asks_no_other_engine(page: Site) -> None:
    found = find(searching())

    assert [one.url for one in found] == ["https://a.example/dengue", ""]  # only addresses of the web are kept
    assert "A fever borne by mosquitoes." in found[0].text
    assert found[0].title == "Dengue"
    assert len(page.asked) == 1
    assert "q=dengue+definition" in page.asked[0][1]
    assert "l=us-en" in page.asked[0][1]


def test_no_more_snippets_than_wanted_come(page: Site) -> None:
    assert len(find(searching(), most=1)) == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Said("please wait", 202), "no results, or too many requests"),
        (Said(PAGE.format("")), "no results, or too many requests"),
        (Said(RESULTS, wait=1.5), "no answer within 1 s|no results, or too many requests"),
        (Said("", 500), "no results"),
    ],
)
def test_a_failure_is_soft_and_slows_the_pace(page: Site, switch: Switch, said: Said, why: str) -> None:
    switch.said = said
    search = DuckDuckGo(timeout=1, pace=Pace(0.01))
    with pytest.raises(Transient, match=why):
        find(search)
    assert search.pace.now == 0.02


def test_a_site_that_cannot_be_reached_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from ddgs.engines.duckduckgo import Duckduckgo

    monkeypatch.setattr(Duckduckgo, "search_url", "http://127.0.0.1:9/html/")
    with pytest.raises(Transient, match="the request failed"):
        find(searching())


def test_a_proxy_that_cannot_be_used_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDGS_PROXY", "http://[nowhere")
    with pytest.raises(BadRequest, match="DDGS_PROXY, cannot be used"):
        find(searching())


def test_without_the_package_the_way_to_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(duckduckgo, "find_spec", missing)
    with pytest.raises(ConfigError, match=r"pip install 'benchwright\[search\]'"):
        DuckDuckGo()


def test_its_name_tells_what_decides_its_results() -> None:
    assert DuckDuckGo("de-de").name == "duckduckgo (de-de)"
