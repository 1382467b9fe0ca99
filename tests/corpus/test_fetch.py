"""The web asked politely and safely, on loopback: addresses, redirects, robots.txt, paces, bounds."""

import asyncio
import gzip
import tracemalloc
from ipaddress import ip_address
from itertools import pairwise

import pytest
from tests.corpus.web import Gives, Web, web

from benchwright.corpus.addresses import find_target, is_public, tidy_url
from benchwright.corpus.fetch import Manners, fetcher, find_licence
from benchwright.corpus.sniff import describe, kind_of
from benchwright.errors import Unfetched

PDF = Gives(b"%PDF-1.7 words")


async def fetch(site: Web, address: str, **manners: object) -> bytes:
    async with fetcher(site.manners(**manners)) as reader:
        return (await reader.fetch(site.url(address))).data


async def refusal(site: Web, address: str, **manners: object) -> tuple[str, bool]:
    with pytest.raises(Unfetched) as error:
        await fetch(site, address, **manners)
    return str(error.value), error.value.again


PRIVATE = """
127.0.0.1 127.8.9.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.1 224.0.0.1 240.0.0.1
255.255.255.255 192.0.2.1 198.18.0.1 ::1 :: fe80::1 fc00::1 ff02::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2002:7f00:1:: 2002:c0a8:101:: 2001:db8::1
fec0::1 fec0:0:0:ffff::1 3fff::1 192.0.0.1 4000::1
"""


@pytest.mark.parametrize("number", PRIVATE.split())
def test_numbers_that_are_not_on_the_public_net_are_never_asked(number: str) -> None:
    assert not is_public(ip_address(number))


@pytest.mark.parametrize("number", ["8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"])
def test_public_numbers_are_asked(number: str) -> None:
    assert is_public(ip_address(number))


@pytest.mark.parametrize(
    ("numbers", "host"),
    [
        (["10.0.0.1"], "docs.test"),
        (["8.8.8.8", "127.0.0.1"], "docs.test"),  # one private number of several is enough
        (["::ffff:192.168.0.1"], "docs.test"),
        (["169.254.169.254"], "metadata.test"),
        (["8.8.8.8"], "localhost"),
        (["8.8.8.8"], "printer.local"),
        (["8.8.8.8"], "vault.internal"),
    ],
)
async def test_a_name_that_leads_to_a_private_net_is_refused_before_anything_is_sent(
    numbers: list[str], host: str
) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return numbers

    async with fetcher(Manners(resolve=resolve)) as reader:
        with pytest.raises(Unfetched, match="never asked") as error:
            await reader.fetch(f"http://{host}/report.pdf")
    assert not error.value.again


@pytest.mark.parametrize("literal", ["127.0.0.1", "[::1]", "2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
async def test_loopback_is_refused_however_its_number_is_written(literal: str) -> None:
    async with fetcher(Manners()) as reader:
        with pytest.raises(Unfetched, match="never asked"):
            await reader.fetch(f"http://{literal}:9/report.pdf")


@pytest.mark.parametrize(
    ("url", "tidy"),
    [
        ("HTTP://Docs.Test:80/A?b=C#part", "http://docs.test/A?b=C"),
        ("https://docs.test.:443", "https://docs.test/"),
        ("http://docs.test:8080/a b", None),
        ("http://münchen.test/", "http://xn--mnchen-3ya.test/"),
        ("http://[2606:4700::1111]:80/x", "http://[2606:4700::1111]/x"),
        ("ftp://docs.test/a.pdf", None),
        ("file:///etc/passwd", None),
        ("http:///a.pdf", None),
        ("http://user:secret@docs.test/", None),
        ("http://docs.test:port/", None),
        ("http://docs.test/\x00", None),
        ("http://docs.test/" + "a" * 3000, None),
        ("javascript:alert(1)", None),
        ("http://" + "a" * 70 + ".test/", None),
    ],
)
def test_addresses_are_compared_in_one_form_and_others_are_refused(url: str, tidy: str | None) -> None:
    if tidy is None and " " not in url:
        with pytest.raises(Unfetched):
            tidy_url(url)
    elif tidy:
        assert tidy_url(url) == tidy == tidy_url(tidy)


async def test_the_connection_goes_to_the_number_that_was_looked_at_under_the_hosts_name() -> None:
    calls = 0

    async def rebinding(_host: str, _port: int) -> list[str]:
        nonlocal calls
        calls += 1
        return ["127.0.0.1"] if calls <= 2 else ["10.0.0.1"]  # robots.txt and the document

    async with web({"docs.test/a.pdf": PDF}) as site:
        assert await fetch(site, "docs.test/a.pdf", resolve=rebinding) == PDF.body
        assert site.asked == ["docs.test/robots.txt", "docs.test/a.pdf"]
    target = await find_target("http://docs.test:81/a?b", Web({}).resolve, lambda _: True)
    assert (target.direct, target.named, target.site) == (
        "http://127.0.0.1:81/a?b",
        "docs.test:81",
        "http://docs.test:81",
    )


async def test_a_name_without_numbers_may_have_some_later() -> None:
    async def nothing(_host: str, _port: int) -> list[str]:
        return []

    async def broken(_host: str, _port: int) -> list[str]:
        raise OSError

    async def odd(_host: str, _port: int) -> list[str]:
        return ["words"]

    for resolve, again in ((nothing, True), (broken, True), (odd, False)):
        async with fetcher(Manners(resolve=resolve)) as reader:
            with pytest.raises(Unfetched) as error:
                await reader.fetch("http://docs.test/")
            assert error.value.again is again


def moved(place: str, status: int = 302) -> Gives:
    return Gives(status=status, headers={"Location": place})


async def test_redirects_are_followed_and_the_last_address_is_told() -> None:
    pages = {"docs.test/a": moved("/b", 301), "docs.test/b": moved("c.pdf", 308), "docs.test/c.pdf": PDF}
    async with web(pages) as site, fetcher(site.manners()) as reader:
        page = await reader.fetch(site.url("docs.test/a"))
        assert (page.data, page.url) == (PDF.body, site.url("docs.test/c.pdf"))


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("http://10.0.0.1/a.pdf", "never asked"),
        ("http://169.254.169.254/latest/meta-data", "never asked"),
        ("http://inside.test/a.pdf", "never asked"),
        ("file:///etc/passwd", "does not begin with"),
        ("http://user:secret@docs.test/", "user or a password"),
        ("/a", "redirects"),
    ],
)
async def test_a_redirect_is_an_address_like_the_first_with_the_same_checks(place: str, why: str) -> None:
    async with web({"docs.test/a": moved(place)}) as site:
        site.numbers["inside.test"] = ["192.168.0.7"]
        site.numbers["10.0.0.1"] = ["10.0.0.1"]
        site.numbers["169.254.169.254"] = ["169.254.169.254"]
        found, again = await refusal(site, "docs.test/a")
        assert why in found
        assert not again
        assert {one.partition("/")[0] for one in site.asked} == {"docs.test"}


async def test_what_robots_txt_forbids_is_not_asked_for_also_after_a_redirect() -> None:
    robots = Gives(b"User-agent: *\nDisallow: /private\n\nUser-agent: benchwright\nDisallow: /*.pdf$\nCrawl-delay: 0")
    pages = {"docs.test/robots.txt": robots, "docs.test/a.pdf": PDF, "docs.test/b": PDF}
    pages |= {"open.test/a": moved("http://docs.test:0/a.pdf")}
    async with web(pages) as site:
        site.pages["open.test/a"] = moved(site.url("docs.test/a.pdf"))
        assert await refusal(site, "docs.test/a.pdf") == ("its site's robots.txt forbids it", False)
        assert await refusal(site, "open.test/a") == ("its site's robots.txt forbids it", False)
        assert await fetch(site, "docs.test/b") == PDF.body
        assert "docs.test/a.pdf" not in site.asked


@pytest.mark.parametrize(
    ("robots", "allowed", "again"),
    [
        (Gives(status=404), True, False),
        (Gives(status=403), True, False),
        (Gives(b"\xff\xfe\x00 nonsense"), True, False),
        (Gives(b"User-agent: *\nDisallow:\n" + b"#" * 2**20), True, False),
        (Gives(status=503), False, True),
        (Gives(status=429), False, True),
        (moved("/rules"), False, False),
    ],
)
async def test_a_site_whose_robots_txt_fails_is_asked_later(robots: Gives, allowed: bool, again: bool) -> None:
    pages = {"docs.test/robots.txt": robots, "docs.test/a.pdf": PDF}
    pages["docs.test/rules"] = Gives(b"User-agent: *\nDisallow: /")
    async with web(pages) as site:
        if allowed:
            assert await fetch(site, "docs.test/a.pdf") == PDF.body
        else:
            assert (await refusal(site, "docs.test/a.pdf"))[1] is again


async def test_a_site_sees_one_request_at_a_time_and_other_sites_are_asked_meanwhile() -> None:
    names = [f"{host}.test/{n}.pdf" for host in ("a", "b", "c") for n in range(3)]
    async with web(dict.fromkeys(names, Gives(PDF.body, wait=0.02))) as site:
        async with fetcher(site.manners(together=2, gap=0.05)) as reader:
            await asyncio.gather(*(reader.fetch(site.url(name)) for name in names))
        assert site.widest == 2
        for host in ("a", "b", "c"):
            when = [at for at, one in zip(site.moments, site.asked, strict=True) if one.startswith(host)]
            assert min(late - early for early, late in pairwise(when)) > 0.05


async def test_a_crawl_delay_is_heeded() -> None:
    robots = Gives(b"User-agent: *\nCrawl-delay: 0.2")
    async with web({"docs.test/robots.txt": robots, "docs.test/a": PDF, "docs.test/b": PDF}) as site:
        async with fetcher(site.manners()) as reader:
            for name in "ab":
                await reader.fetch(site.url(f"docs.test/{name}"))
        assert site.moments[2] - site.moments[1] > 0.19


async def test_a_site_that_fails_again_and_again_is_left_alone() -> None:
    async with web({"docs.test/robots.txt": Gives(), "docs.test/a": Gives(status=500)}) as site:
        async with fetcher(site.manners()) as reader:
            for _ in range(5):
                with pytest.raises(Unfetched) as error:
                    await reader.fetch(site.url("docs.test/a"))
                assert error.value.again
        assert site.asked.count("docs.test/a") == 3


@pytest.mark.parametrize(
    ("gives", "why", "again"),
    [
        (Gives(status=404), "answers with HTTP 404", False),
        (Gives(status=403), "answers with HTTP 403", False),
        (Gives(status=503), "answers with HTTP 503", True),
        (Gives(status=302), "answers with HTTP 302", False),
        (Gives(bytes(3000)), "has more than 0 MB", False),
        (Gives(gzip.compress(bytes(2**20)), headers={"Content-Encoding": "gzip"}), "has more than 0 MB", False),
        (Gives(b"x", wait=3), "did not answer in time", True),
        (Gives(b"no archive " * 9, headers={"Content-Encoding": "gzip"}), "the connection failed", True),
        (Gives(status=520), "answers with HTTP 520", True),
    ],
)
async def test_what_gives_no_document_says_why_and_whether_to_try_again(gives: Gives, why: str, again: bool) -> None:
    async with web({"docs.test/a": gives}) as site:
        found = await refusal(site, "docs.test/a", largest=2000, seconds=0.5)
        assert found[0].startswith(why.replace("has more than 0 MB", "has "))
        assert found[1] is again


async def test_a_small_answer_that_unpacks_to_very_much_costs_no_memory() -> None:
    bomb = gzip.compress(gzip.compress(bytes(2**28)))
    async with web({"docs.test/a": Gives(bomb, headers={"Content-Encoding": "gzip, gzip"})}) as site:
        tracemalloc.start()
        try:
            assert (await refusal(site, "docs.test/a", largest=2**20))[0] == "has more than 1 MB"
            assert tracemalloc.get_traced_memory()[1] < 2**25
        finally:
            tracemalloc.stop()


async def test_the_agent_says_who_asks_and_whom_to_write_to() -> None:
    async with web({"docs.test/a": PDF}) as site:
        await fetch(site, "docs.test/a", contact="ada@lab.test")
        assert all(agent.startswith("Benchwright/") and agent.endswith(" (+ada@lab.test)") for agent in site.agents)


async def test_a_licence_in_the_header_is_told() -> None:
    link = {"Link": '</style.css>; rel=stylesheet, <https://x.test/by/4.0>; rel="license"'}
    async with web({"docs.test/a": Gives(PDF.body, headers=link)}) as site, fetcher(site.manners()) as reader:
        assert (await reader.fetch(site.url("docs.test/a"))).licence == "https://x.test/by/4.0"


@pytest.mark.parametrize(
    ("links", "licence"),
    [
        ('<by>; title="a, b"; rel="next license"', "https://x.test/docs/by"),
        ("<//y.test/by>; rel=licence", "https://y.test/by"),
        ("<a>; rel=next, <b>; rel=license", "https://x.test/docs/b"),
        ("<a>; rel=relicensed", ""),
        ("<http://[>; rel=license", ""),
        ("<a>;" * 20_000, ""),  # in no time
        ("", ""),
    ],
)
def test_the_link_to_a_licence_is_found_among_others(links: str, licence: str) -> None:
    assert find_licence(links, "https://x.test/docs/a.pdf") == licence


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with web({"docs.test/a": PDF}) as site:
        assert await fetch(site, "docs.test/a") == PDF.body


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.4", "pdf"),
        (b"\n\n%PDF-1.4", "pdf"),
        (b"<!DOCTYPE html><html>", "html"),
        (b"\xef\xbb\xbf \n<!-- x --><HTML>", "html"),
        (b'<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', "html"),
        ("<html><p>Words".encode("utf-16"), "html"),
        (b"<rss><html>", ""),
        (b"PK\x03\x04 word/document.xml", "docx"),
        (b"PK\x03\x04 other", ""),
        (b"\x89PNG", ""),
        (b"words <html>", ""),
        (b"", ""),
    ],
)
def test_bytes_tell_what_they_are(data: bytes, kind: str) -> None:
    assert kind_of(data) == kind


def test_what_is_no_document_is_described() -> None:
    assert [describe(data) for data in (b"\x89PNG", b"PK\x03\x04", b"words", b"")] == [
        "a picture",
        "an archive",
        "something else",
        "empty",
    ]
