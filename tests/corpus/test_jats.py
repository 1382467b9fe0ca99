"""JATS articles: what is read, what is left out, what is refused."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from unicodedata import normalize
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import pytest

from benchwright.corpus.jats import LEAST, read_jats
from benchwright.domain.document import Document, read_out, whole
from benchwright.errors import Unreadable
from benchwright.pipelines.choice.sections import mask_discussion

FILLER = "The wells were dry. " * 40


def article(
    body: str, *, meta: str = "", kind: str = "research-article", head: str = "", filler: str = FILLER
) -> bytes:
    return (
        f'{head}<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML" '
        f'article-type="{kind}" xml:lang="EN"><front><article-meta>{meta}</article-meta></front>'
        f"<body>{body}<sec><title>Annex</title><p>{filler}</p></sec></body></article>"
    ).encode()


def first_block(body: str) -> str:
    return read_jats(article(f"<p>{body}</p>"), "a.xml").text.split("\n\n")[0]


def maths(inner: str) -> str:
    return f"<inline-formula><mml:math>{inner}</mml:math></inline-formula>"


def outline(document: Document) -> list[tuple[str, str]]:
    return [(section.title, section.kind) for section in document.sections]


def test_title_doi_licence_and_language_are_read() -> None:
    meta = """<article-id pub-id-type="pmc">7</article-id><article-id pub-id-type="doi"> 10.5555/w </article-id>
      <title-group><article-title>Wells of
        <italic>Ngolo</italic><xref ref-type="fn"><sup>*</sup></xref></article-title></title-group>
      <permissions><license xlink:href="https://example.org/by"><license-p>Free.</license-p></license></permissions>"""
    document = read_jats(article("<p>A.</p>", meta=meta), "a.xml")
    assert document.title == "Wells of Ngolo"
    assert (document.doi, document.licence, document.language) == ("10.5555/w", "https://example.org/by", "en")


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        ("<license><license-p>Use it <bold>freely</bold>.</license-p></license>", "Use it freely."),
        (
            "<license><license-p>See <ext-link xlink:href='http://x.org/l'>it</ext-link></license-p></license>",
            "http://x.org/l",
        ),
        (
            "<license><ali:license_ref xmlns:ali='urn:ali'> http://x.org/r </ali:license_ref></license>",
            "http://x.org/r",
        ),
        ("<copyright-year>2014</copyright-year>", ""),
    ],
)
def test_the_licence_is_an_address_or_else_its_words(licence: str, expected: str) -> None:
    document = read_jats(article("", meta=f"<permissions>{licence}</permissions>"), "a.xml")
    assert document.licence == expected


def test_sections_abstracts_and_summaries_have_names_and_kinds() -> None:
    meta = """<abstract abstract-type="summary"><title>Author Summary</title><p>Plain.</p></abstract>
      <abstract abstract-type="toc"><p>Blurb.</p></abstract>
      <abstract><sec><title>Background</title><p>Wells.</p></sec><sec><title>Results</title><p>Dry.</p></sec></abstract>"""
    body = """<p>Opening.</p><sec><title>Methods</title><p>One.</p><sec><title>Study <italic>area</italic></title>
      <p>Two.</p></sec><p>After.</p></sec>
      <sec sec-type="supplementary-material"><title>Supporting Information</title><p>File S1.</p></sec>"""
    document = read_jats(article(body, meta=meta), "a.xml")
    assert outline(document) == [
        ("Abstract: Background", "abstract"),
        ("Abstract: Results", "abstract"),
        ("Author Summary", "summary"),
        ("", "body"),
        ("Methods", "body"),
        ("Methods: Study area", "body"),
        ("Methods", "body"),
        ("Annex", "body"),
    ]
    assert "Blurb" not in document.text
    assert "File S1" not in document.text


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Dry <bold>and</bold>\n   <italic>hot</italic>.", "Dry and hot."),
        ("Seen <xref ref-type='bibr'>[1]</xref>–<xref ref-type='bibr'>[3]</xref>.", "Seen [1]–[3]."),
        ("Seen [<xref ref-type='bibr'/>, <xref ref-type='bibr'/>] here.", "Seen here."),
        ("Seen<sup><xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref></sup> here.", "Seen here."),
        ("Seen<xref ref-type='fn'><sup>a</sup></xref> here.", "Seen here."),
        ("About 10<sup>−6</sup> m<sup>2</sup>, the 4<sup>th</sup>, CO<sub>2</sub>.", "About 10⁻⁶ m², the 4th, CO2."),
        (f"So {maths('<mml:mi>p</mml:mi><mml:mo>&lt;</mml:mo><mml:mn>0.05</mml:mn>')} held.", "So p<0.05 held."),
        (f"So {maths('<mml:mfrac><mml:mn>1</mml:mn><mml:mn>2</mml:mn></mml:mfrac>')} held.", "So [formula] held."),
        ("So <inline-formula><graphic/><tex-math>x^2</tex-math></inline-formula> held.", "So [formula] held."),
        (
            "See<fn><p>a note</p></fn> <ext-link>a page</ext-link><break/>or <email>x@y.org</email>.",
            "See a page or x@y.org.",
        ),
        ("<![CDATA[a < b & c &alpha;]]>", "a < b & c &alpha;"),
        ("5&nbsp;km, &alpha; &eacute; &#946; &lt; &hellip;", "5\u00a0km, α é β < …"),
    ],
)
def test_running_text_is_kept_and_apparatus_left_out(body: str, expected: str) -> None:
    assert first_block(body) == expected


def test_a_document_says_how_many_formulas_it_shows_as_a_mark() -> None:
    formula = "<disp-formula><label>(1)</label><tex-math>x^2</tex-math></disp-formula>"
    document = read_jats(article(f"<p>As {formula} shows.</p><sec><title>S</title>{formula}<p>B.</p></sec>"), "a.xml")
    assert document.text.startswith("As [formula] shows.\n\n[formula]\n\nB.")
    assert document.notes == ("2 formulas shown as [formula]",)


def test_lists_and_quotations_inside_a_paragraph_stand_by_themselves() -> None:
    body = (
        "Before <list><list-item><label>1.</label><p>one</p></list-item><list-item><p>two</p></list-item></list> after"
    )
    document = read_jats(article(f"<p>{body}</p><disp-quote><p>Said.</p><attrib>She</attrib></disp-quote>"), "a.xml")
    assert document.text.startswith("Before\n\none\n\ntwo\n\nafter\n\nSaid.\n\nShe\n\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "<p>The rate is</p><F/><p>where b is a rate.</p><p>Next.</p>",
            "The rate is [formula] where b is a rate.\n\nNext.",
        ),
        ("<p>The rate is:</p><F/><p>Next.</p>", "The rate is: [formula]\n\nNext."),
        ("<p>Done.</p><F/><p>Next.</p>", "Done.\n\n[formula]\n\nNext."),
        ("<F/><p>where b is a rate.</p>", "[formula] where b is a rate."),
        ("<p>So it is<F/>where b is a rate.</p>", "So it is [formula] where b is a rate."),
        ("<p>Two <list><list-item><p>one</p></list-item></list>, and so on.</p>", "Two\n\none, and so on."),
        ("<p>Two <list><list-item><p>one</p></list-item></list>.</p><p>*</p>", "Two\n\none."),
        (
            "<def-list><def-item><term>CFR</term><def><p>Case fatality.</p><p>A share.</p></def></def-item></def-list>",
            "CFR: Case fatality.\n\nA share.",
        ),
        ("<speech><speaker>Ada:</speaker><p>It rained.</p></speech>", "Ada: It rained."),
    ],
)
def test_displayed_formulas_commas_and_terms_stay_with_their_sentences(body: str, expected: str) -> None:
    formula = "<disp-formula><tex-math>x^2</tex-math></disp-formula>"
    document = read_jats(article(body.replace("<F/>", formula)), "a.xml")
    assert document.text.startswith(f"{expected}\n\nThe wells")


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<mml:msup><mml:mn>10</mml:mn><mml:mn>6</mml:mn></mml:msup>", "10\u2076"),
        ("<mml:msup><mml:mrow><mml:mi>e</mml:mi></mml:mrow><mml:mn>0.5</mml:mn></mml:msup>", "e^0.5"),
        (
            "<mml:msup><mml:mrow><mml:mi>a</mml:mi><mml:mi>b</mml:mi></mml:mrow><mml:mn>2</mml:mn></mml:msup>",
            "[formula]",
        ),
        ("<mml:msub><mml:mi>R</mml:mi><mml:mn>0</mml:mn></mml:msub>", "R0"),
        ("<mml:mn>10</mml:mn><mml:mspace/><mml:mn>6</mml:mn>", "10 6"),
        ("<mml:mn>10</mml:mn><mml:mn>6</mml:mn>", "10 6"),
        ("<mml:msqrt><mml:mn>6</mml:mn></mml:msqrt>", "[formula]"),
        ("", "[formula]"),
    ],
)
def test_a_formula_of_one_line_keeps_its_numbers(inner: str, expected: str) -> None:
    assert first_block(f"So {maths(inner)} held.") == f"So {expected} held."
    assert first_block("So <inline-formula>10<sup>6</sup></inline-formula> held.") == "So 10\u2076 held."


def test_a_box_inside_a_paragraph_is_a_section_of_its_own() -> None:
    box = "<boxed-text><p>Nets.</p><boxed-text><p>Inner.</p></boxed-text><p>More.</p></boxed-text>"
    document = read_jats(article(f"<sec><title>S</title><p>Before {box} after.</p></sec>"), "a.xml")
    assert outline(document)[:5] == [("S", "body"), *[("S: Box", "body")] * 3, ("S", "body")]


@pytest.mark.parametrize(
    ("kind", "title", "expected"),
    [
        ("discussion", "What it means", "Discussion: What it means"),
        ("discussion", "", "Discussion"),
        ("discussion", "Discussion and outlook", "Discussion and outlook"),
        ("conclusions", "Summary", "Conclusions: Summary"),
        ("results|discussion", "What we saw", "Results and discussion: What we saw"),
        ("discussion", "Results", "Results"),
        ("intro", "", "Introduction"),
        ("intro", "Wells", "Wells"),
        ("cases", "", ""),
    ],
)
def test_the_type_of_a_section_says_what_its_title_does_not(kind: str, title: str, expected: str) -> None:
    body = f'<sec sec-type="{kind}"><title>{title}</title><p>A.</p><sec sec-type="{kind}"><title>T</title></sec></sec>'
    assert read_jats(article(body), "a.xml").sections[0].title == expected


ABSTRACTS = """<abstract><p>One.</p></abstract><abstract xml:lang="es"><p>Dos.</p></abstract>
  <abstract abstract-type="summary" xml:lang="en-GB"><p>Plain.</p></abstract>"""


def test_abstracts_in_a_second_language_are_left_out_and_said() -> None:
    document = read_jats(article("<p>A.</p>", meta=ABSTRACTS), "a.xml")
    assert document.text.startswith("One.\n\nPlain.\n\nA.")
    assert document.notes == ("an abstract in another language (es) left out",)


def test_an_abstract_that_is_called_a_translation_is_not_read_beside_the_first() -> None:
    meta = "<abstract><p>One.</p></abstract><trans-abstract xml:lang='fr'><p>Un.</p></trans-abstract>"
    meta += "<trans-abstract><p>Uno.</p></trans-abstract>"
    assert read_jats(article("<p>A.</p>", meta=meta), "a.xml").text.startswith("One.\n\nA.")


def test_abstracts_all_in_another_language_than_the_article_says_are_read() -> None:
    meta = """<abstract xml:lang="es"><p>Uno.</p></abstract><abstract xml:lang="pt"><p>Um.</p></abstract>"""
    assert read_jats(article("<p>A.</p>", meta=meta), "a.xml").text.startswith("Uno.\n\nA.")


@pytest.mark.parametrize("tag", ["sub-article article-type", "response response-type"])
def test_a_translation_within_an_article_can_be_chosen(tag: str) -> None:
    stub = "<front-stub><title-group><article-title>Pozos</article-title></title-group></front-stub>"
    body = f"<body><p>{'Los pozos. ' * 60}</p></body>"
    name = tag.partition(" ")[0]
    translation = f'<{tag}="translation" xml:lang="es">{stub}{body}</{name}></article>'
    data = article("<p>A.</p>").replace(b"</article>", translation.encode())
    first, chosen = read_jats(data, "a.xml"), read_jats(data, "a.xml", ["pt", "es-MX"])
    assert first.notes == ("a translation (es) is not read",)
    assert (chosen.title, chosen.language, chosen.notes) == ("Pozos", "es", ())
    assert chosen.text.startswith("Los pozos.")
    assert read_jats(data, "a.xml", ["es", "en"]) == read_jats(data, "a.xml", ["fr"]) == first


def test_tables_figures_and_back_matter_are_left_out_and_boxes_kept() -> None:
    body = """<sec><title>S</title><fig><label>Fig 1</label><caption><p>HIDDEN</p></caption></fig>
      <table-wrap><table><tbody><tr><td>HIDDEN</td></tr></tbody></table></table-wrap>
      <boxed-text><caption><title>Box</title></caption><sec><title>Inner</title><p>Shown.</p></sec></boxed-text>
      <p>Text <fig><caption><p>HIDDEN</p></caption></fig>goes on.</p></sec>"""
    data = article(body).replace(b"</body>", b"</body><back><ack><p>HIDDEN</p></ack></back>")
    document = read_jats(data, "a.xml")
    assert document.text.startswith("Box\n\nInner\n\nShown.\n\nText goes on.\n\n")
    assert "HIDDEN" not in document.text


def test_a_box_is_a_section_of_its_own_so_that_one_with_conclusions_can_be_told_from_the_text_around() -> None:
    box = "<boxed-text><caption><title>Research in context</title></caption><p>Nets should be given.</p></boxed-text>"
    introduction = f"<sec><title>Introduction</title><p>Fever is common.</p>{box}<p>We asked why.</p></sec>"
    findings = f"<sec><title>Results</title><p>{FILLER}</p></sec><sec><title>Discussion</title><p>So.</p></sec>"
    document = read_jats(article(introduction + findings), "a.xml")
    assert outline(document)[:3] == [("Introduction", "body"), ("Introduction: Box", "body"), ("Introduction", "body")]
    assert document.text.startswith("Fever is common.\n\nResearch in context\n\nNets should be given.\n\nWe asked why.")
    assert "Nets" not in read_out(document, mask_discussion(document)).text


@pytest.mark.parametrize(
    "wrap",
    [
        '<article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/"><body><p>{}</p></body></article>',
        "<record><metadata><article><body><p>{}</p></body></article></metadata></record>",
        "<article><body><p>{}</p></body><sub-article><body><p>Review.</p></body></sub-article></article>",
    ],
)
def test_namespaces_wrappers_and_sub_articles_do_not_matter(wrap: str) -> None:
    assert read_jats(wrap.format(FILLER).encode(), "a.xml").text == FILLER.strip()


def test_an_article_in_utf_16_is_read() -> None:
    data = '<?xml version="1.0" encoding="utf-16"?><article><body><p>Été. ' + FILLER + "</p></body></article>"
    assert read_jats(data.encode("utf-16"), "a.xml").text.startswith("Été. The wells")


def test_no_outside_entity_is_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("SECRET", encoding="utf-8")
    uri = (tmp_path / "secret").as_uri()
    for dtd in (f'<!ENTITY x SYSTEM "{uri}">', f'<!ENTITY % p SYSTEM "{uri}"> %p; <!ENTITY x "y">'):
        document = read_jats(article("<p>Say &x; now.</p>", head=f"<!DOCTYPE article [{dtd}]>"), "a.xml")
        assert document.text.startswith("Say &x; now.")
        assert document.notes == ("&x; left as it stands: no outside entity is read",)


def test_the_dtd_of_an_article_is_not_fetched() -> None:
    head = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS//EN" "http://192.0.2.1/JATS.dtd">'
    assert read_jats(article("<p>Say &alpha;.</p>", head=head), "a.xml").text.startswith("Say α.")


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            article("<p>&e9;</p>", head=f'<!DOCTYPE article [<!ENTITY e0 "ha">{BOMB}]>'),
            "line 1: .*(amplification|loop)",
        ),
        (b"<article>" + b"<sec>" * 5000 + b"</sec>" * 5000 + b"</article>", "line 1: .*Excessive depth"),
        (article("<p>broken</sec>"), "line 1: cannot be read as XML .*mismatch.*; mend or re-download it"),
        (article("<p>&unheard;</p>"), "line 1: .*'unheard' not defined"),
        (b"<article><![CDATA[open\nend</article>", r"line 2: cannot be read as XML \(CData section not finished\)"),
        (b'<?xml version="1.0" encoding="klingon"?><article/>', "line 1: .*encoding"),
        (b"plain words", "line 1: .*Start tag expected"),
        (b'<?xml version="1.0" encoding="utf-8"?><article>\xe9</article>', "line 1: .*[Ii]nvalid"),
        (b"<html><body>x</body></html>", ": its root is <html>, not a JATS <article>"),
        (b"<set><article/><article/></set>", ": holds 2 articles; save each as its own file"),
        (b"%PDF-1.4", ": is a PDF"),
        (article("", kind="correction"), r": a notice \(correction\) has no main text of its own"),
        (
            article("", filler="Short."),
            rf": an article \(research-article\) without main text: its body has 6 .* {LEAST}",
        ),
        (b"<article><front/></article>", r": an article \(article\) without main text: it has no body text"),
    ],
)
def test_what_is_no_article_or_has_no_main_text_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=rf"^a\.xml(, )?{reason}") as refusal:
        read_jats(data, "a.xml")
    assert "\n" not in str(refusal.value)


# ---------------------------------------------------------------------------------------------- nine published files

REFUSED = {"journal.pone.0108198.xml": "correction", "journal.ppat.1005207.xml": "retraction"}


def published(shared_data: Callable[[str], Path]) -> list[Path]:
    return sorted(shared_data("real/jats").glob("*.xml"))


def test_seven_published_articles_are_read_and_two_notices_refused(shared_data: Callable[[str], Path]) -> None:
    for path in published(shared_data):
        if path.name in REFUSED:
            with pytest.raises(Unreadable, match=rf"a notice \({REFUSED[path.name]}\)"):
                read_jats(path.read_bytes(), path.name)
            continue
        document = read_jats(path.read_bytes(), path.name)
        assert document.doi == f"10.1371/{path.stem}"
        assert document.title
        assert document.licence
        assert document.language == "en"
        assert sum(len(section.sentences) for section in document.sections) > 40
        read_out(document, whole(document))


APPARATUS = {"fig", "table-wrap", "supplementary-material", "fn"}
FORMULAS = {"inline-formula", "disp-formula"}


def independent_paragraphs(element: Element) -> Iterator[str]:
    """The paragraphs outside of tables, figures, files and notes, by the standard library's parser."""
    for child in element:
        if child.tag == "p":
            yield independent_text(child)
        elif child.tag not in APPARATUS:
            yield from independent_paragraphs(child)


def independent_text(element: Element) -> str:
    """All characters of an element, with a mark in the place of each formula."""
    if element.tag in FORMULAS:
        return "\ue000"
    return (element.text or "") + "".join(independent_text(child) + (child.tail or "") for child in element)


def letters(text: str) -> str:
    return "".join(normalize("NFKC", text).replace("−", "-").split())


def test_no_paragraph_of_the_body_is_lost(shared_data: Callable[[str], Path]) -> None:
    for path in published(shared_data):
        if path.name in REFUSED:
            continue
        document = read_jats(path.read_bytes(), path.name)
        body = [span for section in document.sections if section.kind == "body" for span in section.sentences]
        found = letters(" ".join(document.text[span.start : span.end] for span in body))
        published_body = ET.parse(path).getroot().find("body")  # noqa: S314 - our own test data
        assert published_body is not None
        paragraphs = list(independent_paragraphs(published_body))
        position = 0
        for paragraph in paragraphs:
            for piece in filter(None, re.split("\ue000", letters(paragraph))):
                at = found.find(piece, position)
                assert at >= 0, f"{path.name}: lost {piece[:80]}"
                position = at + len(piece)
        assert len(found) >= sum(len(letters(paragraph)) for paragraph in paragraphs)
