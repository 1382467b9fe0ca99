"""Documents collected from the web and from folders: manifest, duplicates, states, and going on after a cut."""

import asyncio
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import typed
from tests.corpus.docxs import docx, p
from tests.corpus.pdfs import lines, pdf
from tests.corpus.test_pdf import OTHER, PROSE, prose, scanned
from tests.corpus.web import Gives, Web, fetch_slowly, web
from tests.search.site import Said, site

from benchwright import collector
from benchwright.collector import Collected, Wanted, collect, read_topics
from benchwright.corpus.holdings import Holdings
from benchwright.domain.snippet import Snippet
from benchwright.errors import BadRequest, Owned, Transient, UsageError
from benchwright.show.code import Code

ONE, TWO = pdf([lines(prose())]), pdf([lines(prose(OTHER))])
LICENSED = f"<html><a rel=license href=https://x.test/by>CC</a><h1>Repairs</h1><p>{OTHER}".encode()


class Found:
    """A search that knows what it will find, by query; an error is raised as often as it is listed."""

    name = "invented"

    def __init__(self, found: Mapping[str, list[Any]]) -> None:
        self.found = dict(found)
        self.asked: list[str] = []

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        self.asked.append(query)
        answers = self.found.get(query, [])
        if answers and isinstance(answers[0], Exception):
            raise answers.pop(0)
        return tuple(Snippet("words", url, "title") for url in answers)[:most]


def manifest(root: Path) -> dict[str, dict[str, Any]]:
    rows = [json.loads(line) for line in (root / "manifest.jsonl").read_text().splitlines()]
    return {row["source"].rpartition(":")[2].partition("/")[2] or row["source"]: row for row in rows}


def files(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.*") if path.parent != root)


async def gather(root: Path, site: Web, *names: str, **wanted: Any) -> Collected:
    given = Wanted(urls=tuple(site.url(name) for name in names), **wanted)
    return await collect(root, given, None, site.manners(), lambda _: None)


async def test_documents_are_fetched_with_where_they_came_from(tmp_path: Path) -> None:
    pages = {
        "a.test/reports/March%20report.pdf": Gives(ONE),
        "a.test/old": Gives(status=301, headers={"Location": "/new.html"}),
        "a.test/new.html": Gives(LICENSED),
    }
    async with web(pages) as site:
        done = await gather(tmp_path, site, "a.test/reports/March%20report.pdf", "a.test/old", kinds=("pdf", "html"))
        assert (done.states, done.held, done.complete) == ({"read": 2}, 2, True)
        rows = manifest(tmp_path)
        march, moved = rows["reports/March%20report.pdf"], rows["old"]
        assert march["file"].startswith("documents/March-report-")
        assert (tmp_path / march["file"]).read_bytes() == ONE
        assert (march["kind"], march["bytes"]) == ("pdf", len(ONE))
        assert set(march) >= {"source", "final", "sha256", "date", "state"}
        assert moved["final"] == site.url("a.test/new.html")
        assert (moved["licence"], moved["title"]) == ("https://x.test/by", "Repairs")


async def test_each_source_ends_in_a_state_with_a_reason(tmp_path: Path) -> None:
    pages = {
        "a.test/good.pdf": Gives(ONE),
        "a.test/again.pdf": Gives(ONE),
        "a.test/scan.pdf": Gives(scanned(2)),
        "a.test/cut.pdf": Gives(ONE[: len(ONE) // 2]),
        "a.test/page.pdf": Gives(b"<html><p>Please log in"),
        "a.test/map.pdf": Gives(b"\x89PNG"),
        "a.test/down.pdf": Gives(status=503),
        "a.test/same": Gives(status=302, headers={"Location": "/good.pdf"}),
        "b.test/robots.txt": Gives(b"User-agent: *\nDisallow: /"),
    }
    names = ("good", "again", "scan", "cut", "page", "map", "gone", "down")
    async with web(pages) as site:
        site.numbers["c.test"] = ["10.0.0.1"]
        more = ("a.test/same", "b.test/x.pdf", "c.test/y.pdf")
        done = await gather(tmp_path, site, *(f"a.test/{name}.pdf" for name in names), *more)
        rows = {name.removesuffix(".pdf"): row for name, row in manifest(tmp_path).items()}
        assert {name: row["state"] for name, row in rows.items()} == {
            "good": "read",
            "again": "duplicate",
            "same": "duplicate",
            "scan": "scanned",
            "cut": "truncated",
            "page": "refused",
            "map": "refused",
            "gone": "refused",
            "down": "failed",
            "x": "refused",
            "y": "refused",
        }
        assert rows["page"]["reason"] == "is 'html', and only pdf is wanted"
        assert rows["map"]["reason"] == "is a picture"
        assert rows["again"]["reason"] == f"the same bytes as {rows['good']['file']}"
        assert rows["same"]["reason"] == f"the same address as {rows['good']['file']}"
        assert "never asked" in rows["y"]["reason"]
        assert [name.partition("/")[0] for name in files(tmp_path)] == ["documents", "set-aside", "set-aside"]
        assert not done.complete  # one may come if it is asked for again


async def test_the_same_call_asks_only_for_what_is_not_settled(tmp_path: Path) -> None:
    pages: dict[str, Any] = {"a.test/a.pdf": Gives(ONE), "a.test/b.pdf": [Gives(status=503), Gives(TWO)]}
    async with web(pages) as site:
        first = await gather(tmp_path, site, "a.test/a.pdf", "a.test/b.pdf", "a.test/gone.pdf")
        assert (first.states, first.known) == ({"read": 1, "failed": 1, "refused": 1}, 0)
        site.asked.clear()
        second = await gather(tmp_path, site, "a.test/a.pdf", "a.test/b.pdf", "a.test/gone.pdf")
        assert (second.states, second.known, second.held) == ({"read": 1}, 2, 2)
        assert site.asked == ["a.test/robots.txt", "a.test/b.pdf"]


async def test_topics_are_searched_once_each_and_what_is_found_is_fetched_once(tmp_path: Path) -> None:
    async with web({"a.test/a.pdf": Gives(ONE), "a.test/b.pdf": Gives(TWO)}) as site:
        one, two = site.url("a.test/a.pdf"), site.url("a.test/b.pdf")
        floods = [Transient("too many"), one, f"{one}#page=2", two]
        search = Found({"floods report filetype:pdf": floods, "fires report filetype:pdf": [two, "ftp://a.test/x"]})
        wanted = Wanted(("floods", "fires", "storms"), "report")
        done = await collect(tmp_path, wanted, search, site.manners(), lambda _: None)
        assert done.states == {"read": 2, "refused": 1}
        assert search.asked[:2] == ["floods report filetype:pdf"] * 2
        assert manifest(tmp_path)["a.pdf"]["topic"] == "floods"
        asked = len(search.asked)
        again = await collect(tmp_path, wanted, search, site.manners(), lambda _: None)
        assert (again.states, again.known, len(search.asked)) == ({}, 3, asked)


async def test_a_search_that_fails_is_named_and_tried_again_by_the_next_call(tmp_path: Path) -> None:
    search = Found({"a filetype:pdf": [Transient("too many")] * 3, "b filetype:pdf": [BadRequest("no")]})
    async with web({}) as site:
        done = await collect(tmp_path, Wanted(("a", "b")), search, site.manners(), lambda _: None)
        assert done.silent == ["a: too many", "b: no"]
        assert not done.complete
        assert (await collect(tmp_path, Wanted(("a", "b")), search, site.manners(), lambda _: None)).complete


def wait_for_more(site: Web, count: int) -> None:
    seen, limit = len(site.asked), time.monotonic() + 30
    while len(site.asked) < seen + count and time.monotonic() < limit:
        time.sleep(0.005)


async def test_a_collection_that_is_killed_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    count = 12
    pages = {f"a.test/{n}.pdf": Gives(pdf([lines(prose(f"{PROSE}Number {n}."))])) for n in range(count)}
    names = list(pages)
    async with web(pages) as site:
        await gather(tmp_path / "whole", site, *names)
        site.asked.clear()
        for kill in range(2):
            child = multiprocessing.get_context("spawn").Process(
                target=fetch_slowly, args=(str(tmp_path / "cut"), site.port, count)
            )
            child.start()
            await asyncio.to_thread(wait_for_more, site, 3 + kill)
            os.kill(child.pid or 0, signal.SIGKILL)
            await asyncio.to_thread(child.join)
        await gather(tmp_path / "cut", site, *names)
        assert files(tmp_path / "cut") == files(tmp_path / "whole")
        settled = [name for name in site.asked if name.endswith(".pdf")]
        assert len(settled) <= count + 2  # each kill costs the one that was being fetched
        assert {row["state"] for row in manifest(tmp_path / "cut").values()} == {"read"}


def test_a_line_that_a_crash_has_cut_is_taken_off_and_a_broken_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It rained.")
    assert collector.add(tmp_path / "a.txt", tmp_path / "held", print).states == {"read": 1}
    path = tmp_path / "held" / "manifest.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"source": "b')
    assert collector.add(tmp_path / "a.txt", tmp_path / "held", print).known == 1
    assert path.read_bytes() == whole
    lines_of = {b"words\n": ":2: is not JSON", b"[1]\n": ":2: is no JSON object", b"{}\n": "lacks source"}
    for broken, why in lines_of.items():
        path.write_bytes(whole + broken)
        with pytest.raises(UsageError, match=why):
            Holdings(tmp_path / "held")


def some_files(folder: Path) -> None:
    folder.mkdir()
    (folder / "a.pdf").write_bytes(ONE)
    (folder / "b.txt").write_bytes(TWO)  # a PDF under another name
    (folder / "c.pdf").write_bytes(ONE)
    (folder / "d.docx").write_bytes(docx(p(PROSE)))
    (folder / "e.html").write_text(f"<p>{PROSE}")
    (folder / "f.pdf").write_bytes(scanned(1))
    (folder / "g.md").write_text("")
    (folder / "h.pdf").write_bytes(b"\x89PNG")


def test_a_folder_is_taken_in_and_left_as_it_is(tmp_path: Path) -> None:
    some_files(tmp_path / "from")
    before = {path.name: path.read_bytes() for path in (tmp_path / "from").iterdir()}
    found = typed("corpus", "add", str(tmp_path / "from"), "--into", str(tmp_path / "held"), "--json")
    assert found.code == Code.DONE
    assert json.loads(found.out) == {
        "states": {"read": 4, "duplicate": 1, "scanned": 1, "empty": 1, "damaged": 1},
        "known": 0,
        "silent": [],
        "documents": 4,
    }
    assert {path.name: path.read_bytes() for path in (tmp_path / "from").iterdir()} == before
    assert sorted(Path(name).suffix for name in files(tmp_path / "held") if "documents" in name) == [
        *(".docx", ".html", ".pdf", ".pdf"),
    ]


def test_a_file_that_has_changed_is_taken_in_again(tmp_path: Path) -> None:
    some_files(tmp_path / "from")
    collector.add(tmp_path / "from", tmp_path / "held", print)
    (tmp_path / "from" / "g.md").write_text("It rained.")
    found = collector.add(tmp_path / "from", tmp_path / "held", print)
    assert (found.states, found.known) == ({"read": 1}, 7)


def test_what_became_of_each_source_is_listed(tmp_path: Path) -> None:
    some_files(tmp_path / "from")
    held = str(tmp_path / "held")
    drawn = typed("corpus", "add", str(tmp_path / "from"), "--into", held).out
    assert "holds 4 documents" in drawn
    assert f'corpus = ["{held}/documents"]' in drawn
    shown = typed("corpus", "list", held)
    assert shown.code == Code.DONE
    assert "is scanned" in shown.out
    rows = json.loads(typed("corpus", "list", held, "--json").out)
    assert [Path(row["source"]).name for row in rows] == sorted(Path(row["source"]).name for row in rows)
    nothing = typed("corpus", "list", str(tmp_path))
    assert nothing.code == Code.USAGE
    assert "holds no manifest.jsonl" in nothing.err


def test_topics_are_lines_or_the_lists_of_a_json_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# comment\nRiver flood\n\n  Locust  swarm \nRiver flood\n")
    assert read_topics(tmp_path / "a.txt") == ("River flood", "Locust swarm")
    value = {"_meta": {"notes": ["no topic"]}, "types": {"Water": ["Flood"], "Pests": ["Locusts", "Flood"]}}
    (tmp_path / "a.json").write_text(json.dumps(value))
    assert read_topics(tmp_path / "a.json") == ("Flood", "Locusts")


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.txt", b"# nothing\n", "holds no topics"),
        ("a.json", b"{", "is no JSON of lists of topics"),
        ("a.json", b"[" * 100_000, "is no JSON of lists of topics"),
        ("a.txt", b"\xff\xfe", "or is not UTF-8"),
        ("b.txt", None, "cannot be read"),
    ],
)
def test_a_file_without_topics_is_named(tmp_path: Path, name: str, content: bytes | None, why: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=why):
        read_topics(tmp_path / name)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "there is nothing to collect"),
        (["--topics", "topics.txt"], "--topics needs --search"),
        (["--topics", "topics.txt", "--search", "searxng"], "needs --searxng-url"),
        (["--topics", "topics.txt", "--search", "duckduckgo", "--category", "files"], "--category is for"),
        (["--urls", "absent.txt"], "absent.txt: cannot be read"),
        (["--urls", "topics.txt", "--most", "0"], "--most is 0"),
        (["--urls", "topics.txt", "--type", "odt"], "odt"),
        (["--urls", "topics.txt", "--gap", "-1"], "gap"),
    ],
)
def test_a_command_line_that_cannot_be_carried_out_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("topics.txt").write_text("floods\n")
    found = typed("corpus", "collect", "held", *words)
    assert found.code == Code.USAGE
    assert why in found.err
    assert not Path("held").exists()


def test_a_search_of_ones_own_is_asked_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "topics.json").write_text('{"Water": ["Flood"], "Pests": ["Locusts"]}')
    rows = [{"url": "http://127.0.0.1:9/a.pdf", "title": "A", "content": "words"}]
    with site(lambda path: Said(json.dumps({"results": rows}))) as place:
        words = ["--topics", str(tmp_path / "topics.json"), "--words", "report", "--search", "searxng", "--most", "5"]
        found = typed("corpus", "collect", str(tmp_path / "held"), *words, "--searxng-url", place.url)
    assert [asked for asked, _ in place.asked] == [
        "/search?q=Flood+report+filetype%3Apdf&format=json",
        "/search?q=Locusts+report+filetype%3Apdf&format=json",
    ]
    assert "this time: 1 refused" in found.out
    assert found.code == Code.DONE


def test_private_addresses_are_refused_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("http://127.0.0.1:9/a.pdf\nhttp://localhost/b.pdf\nwords\n")
    found = typed("corpus", "collect", str(tmp_path / "held"), "--urls", str(tmp_path / "urls.txt"), "--json")
    assert found.code == Code.DONE
    assert json.loads(found.out[found.out.index("{") :])["states"] == {"refused": 3}


async def test_one_process_collects_into_a_folder_at_a_time(tmp_path: Path) -> None:
    some_files(tmp_path / "from")
    with collector.own_folder(tmp_path / "held"), pytest.raises(Owned, match="another process collects"):
        collector.add(tmp_path / "from", tmp_path / "held", print)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("It rained.")
    with pytest.raises(UsageError, match="file/held: cannot be written"):
        collector.add(tmp_path / "file", tmp_path / "file" / "held", print)
