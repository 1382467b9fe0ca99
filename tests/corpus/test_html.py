"""Web pages: their main part in sections, without what belongs to the page."""

import pytest

from benchwright.corpus.draft import Draft, finish
from benchwright.corpus.html import read_html
from benchwright.domain.campaign import Documents
from benchwright.errors import Unreadable


def read(page: str | bytes, keep: Documents | None = None) -> Draft:
    return read_html(page if isinstance(page, bytes) else page.encode(), "a.html", keep or Documents())


def blocks(draft: Draft) -> list[str]:
    return [block for part in draft.parts for block in part.blocks]


LONG = "The river rose above its banks in the first week of March, and the lower quarter of the town was flooded."


def test_headings_part_sections_and_the_first_is_the_title() -> None:
    draft = read(
        "<title>Floods | Relief Committee</title><h1>Floods in March</h1><p>It rained.</p>"
        "<h2>Needs</h2><h3>Water</h3><p>Wells were closed.</p><h2>Abstract</h2><p>In short.</p>"
    )
    assert draft.title == "Floods in March"
    assert [(part.title, part.kind, part.blocks) for part in draft.parts] == [
        ("", "body", ("It rained.",)),
        ("Needs: Water", "body", ("Wells were closed.",)),
        ("Abstract", "abstract", ("In short.",)),
    ]
    assert read("<title>Floods | Relief Committee</title><p>It rained.</p>").title == "Floods"


@pytest.mark.parametrize(
    "part",
    [
        "<nav><p>{}</p></nav>",
        "<footer>{}</footer>",
        "<aside>{}</aside>",
        "<header><p>{}</p></header>",
        "<form>{}<input></form>",
        "<script>{}</script>",
        "<style>{}</style>",
        "<noscript>{}</noscript>",
        "<template><p>{}</p></template>",
        "<div role='navigation'>{}</div>",
        "<div class='site-breadcrumb top'>{}</div>",
        "<div id='cookie_banner'>{}</div>",
        "<p hidden>{}</p>",
        "<div aria-hidden='true'>{}</div>",
        "<span style='color:red; DISPLAY : none'>{}</span>",
        "<select><option>{}</option></select>",
        "<button>{}</button>",
        "<!-- {} -->",
        "<ul><li><a href=1>{}</a><li><a href=2>Two</a><li><a href=3>Three</a></ul>",
    ],
)
def test_what_belongs_to_the_page_is_no_text(part: str) -> None:
    found = blocks(read(f"<body><p>{LONG}</p>{part.format('Give grade three')}<p>{LONG}</p></body>"))
    assert found == [LONG, LONG]


def test_a_class_does_not_take_the_text_of_a_page_away() -> None:
    assert blocks(read(f"<body><div class='page-with-sidebar nav'><p>{LONG}</p></div></body>")) == [LONG]


def test_the_main_part_is_read_where_a_page_names_one() -> None:
    page = f"<body><div><p>Read this too: {LONG}</p></div>{{}}</body>"
    assert blocks(read(page.format(f"<main><p>{LONG}</p></main>"))) == [LONG]
    assert blocks(read(page.format(f"<article><p>{LONG}</p></article>"))) == [LONG]
    assert len(blocks(read(page.format("<main></main>")))) == 1  # an empty one is a place for a script
    assert len(blocks(read(page.format(f"<article><p>{LONG}</p></article>" * 2)))) == 3


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("About 10<sup>6</sup> litres of CO<sub>2</sub>.", "About 10⁶ litres of CO2."),
        ("Others found it.<sup>12</sup> So did we.", "Others found it. So did we."),
        ("It <b>rained</b>&nbsp;&mdash; <i>much</i>.", "It rained — much."),
        ("Three<br>lines<br>here.", "Three lines here."),
        ("It rained <del>three</del><ins>five</ins> days.", "It rained five days."),
        ("flood<wbr>gate and flood&shy;plain", "floodgate and floodplain"),
        ("Rain<script>x</script>fall.", "Rain fall."),
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
    ],
)
def test_inline_text_is_read_as_it_is_seen(inner: str, text: str) -> None:
    assert blocks(read(f"<p>{inner}</p>")) == [text]


def test_list_items_cells_and_empty_lines_part_paragraphs() -> None:
    assert blocks(read("<ul><li>Rice.<li>Beans.</ul><div>One.<br><br>Two.<p>Three.</div>")) == [
        "Rice.", "Beans.", "One.", "Two.", "Three.",
    ]  # fmt: skip
    assert blocks(read("<p>Code:</p><pre><code>x = 1</code></pre>")) == ["Code:"]
    assert blocks(read("<pre>One line\ngoes on.\n\nTwo.</pre>")) == ["One line goes on.", "Two."]


TABLE = "<table><tr><th>District<th>Cases</tr><tr><td>Bay<td>10<sup>3</sup></tr></table>"


def test_tables_and_captions_are_left_out_or_kept() -> None:
    page = f"<p>It rained.</p>{TABLE}<figure><img alt=x><figcaption>Figure 1. A map.</figcaption></figure>"
    draft = read(page)
    assert (blocks(draft), draft.notes) == (["It rained."], ("1 table left out", "1 caption left out"))
    kept = read(page, Documents(tables=True, figures=True))
    assert blocks(kept) == ["It rained.", "District | Cases", "Bay | 10³", "Figure 1. A map."]


def test_a_table_that_lays_out_a_page_is_text() -> None:
    for cell in (f"<td>{LONG} {LONG} {LONG}", "<td><ul><li>It rained.</ul>", "<td><h2>Needs</h2>Water."):
        assert blocks(read(f"<table><tr><td>1{cell}</tr></table>"))
    assert blocks(read("<table role=presentation><tr><td>Water.</tr></table>")) == ["Water."]


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("utf-8", "utf-8"),
        ("cp1252", "iso-8859-1"),
        ("cp1251", "windows-1251"),
        ("utf-16", "utf-16"),
        ("cp1252", "utf-8"),
    ],
)
def test_encodings_are_those_that_the_page_names_or_else_those_of_its_bytes(encoding: str, declared: str) -> None:
    text = "Вода поднялась." if encoding == "cp1251" else "L’eau est montée à Mbandaka, où l’école était fermée."
    page = f'<meta http-equiv="Content-Type" content="text/html; charset={declared}"><p>{text}</p>'
    assert blocks(read(page.encode(encoding))) == [text]


def test_language_and_licence_are_those_that_the_page_states() -> None:
    page = '<html lang="fr-CD"><body><p>It rained.</p><a rel="nofollow license" href="https://x.test/by">CC</a>'
    draft = read(page)
    assert (draft.language, draft.licence) == ("fr", "https://x.test/by")
    document = finish(b"", "a.html", draft)
    assert (document.language, document.licence) == ("fr", "https://x.test/by")


def test_xhtml_with_a_declaration_is_read() -> None:
    page = '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Eau.</p></body></html>'
    assert blocks(read(page)) == ["Eau."]


@pytest.mark.parametrize("page", ["<html></html>", "<!-- nothing -->", "<p> </p>", "<script>x</script>"])
def test_a_page_without_text_ends_as_no_text(page: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        finish(b"", "a.html", read(page))
    assert refusal.value.state in {"no text", "damaged"}


def test_a_page_that_is_nested_without_end_is_refused_and_never_cut_in_silence() -> None:
    assert blocks(read("<div>" * 200 + "<p>It rained.</p>")) == ["It rained."]
    with pytest.raises(Unreadable, match="nested too deeply"):
        read("<div>" * 100_000 + "<p>It rained.</p>")
