"""Headings that are only bold, in JATS and in Markdown."""

import pytest
from tests.corpus.test_jats import FILLER, article, outline

from benchwright.corpus.headings import heading_of
from benchwright.corpus.jats import read_jats
from benchwright.corpus.text import read_markdown
from benchwright.domain.document import read_out
from benchwright.pipelines.choice.sections import mask_discussion


@pytest.mark.parametrize(
    ("bold", "rest", "expected"),
    [
        ("Discussion", "", ("Discussion", "")),
        ("Discussion:", "", ("Discussion", "")),
        ("Study area and people", "", ("Study area and people", "")),
        ("3.2 Results and discussion", "", ("3.2 Results and discussion", "")),
        ("Conclusion.", " Nets help.", ("Conclusion", "Nets help.")),
        ("Conclusion", ". Nets help.", ("Conclusion", "Nets help.")),
        ("Conclusion", " Nets help.", ("Conclusion", "Nets help.")),
        ("Conclusion", ": nets help.", ("Conclusion", "nets help.")),
        ("Conclusion:", " nets help.", ("Conclusion", "nets help.")),
        ("Conclusion", " nets help.", None),
        ("Rain", ": nets help.", None),
        ("Study area.", " We went there.", ("Study area", "We went there.")),
        ("Methods \u2013 ", "We went there.", ("Methods", "We went there.")),
        ("Wash your hands.", "", None),
        ("Dengue", " is a virus.", None),
        ("Dengue", " Virus is seen.", None),
        ("Figure 2.", " Cases by week.", None),
        ("Supplementary file 2", "", None),
        ("31.", " The cases", None),
        ("no heading begins small", "", None),
        ("A sentence of far more words than any heading would have in any article of ours", "", None),
    ],
)
def test_bold_words_are_a_heading_or_part_of_the_text(bold: str, rest: str, expected: tuple[str, str] | None) -> None:
    assert heading_of(bold, rest) == expected


@pytest.mark.parametrize(
    ("line", "heads"),
    [
        ("**Discussion**", True),
        ("__Discussion__", True),
        ("***Discussion***", True),
        ("*Discussion*", True),
        ("<b>Discussion</b>", True),
        ("<STRONG>Discussion</STRONG>", True),
        ("**Discussion.** Nets.", True),
        ("**Discussion**\nNets.", True),
        ("*Vibrio cholerae*", False),
        ("The **Discussion**", False),
        ("<b>Discussion", True),
        ("<i>Discussion</i>", True),
        ("DISCUSSION", True),
        ("Discussion: nets help.", True),
        ("Discussion of nets", False),
        ("Discussion followed.", False),
    ],
)
def test_a_heading_of_markdown_may_be_bold_in_any_way(line: str, heads: bool) -> None:
    document = read_markdown(f"## Results\n\nDry.\n\n{line}\n\nSo.".encode(), "w.md")
    assert (outline(document)[-1][0].casefold() == "results: discussion") == heads


@pytest.mark.parametrize(
    ("words", "heads"),
    [("<italic>Discussion</italic>", True), ("<italic>Vibrio cholerae</italic>", False), ("<bold/>", False)],
)
def test_a_line_of_jats_in_italics_is_a_heading_where_it_is_a_usual_one(words: str, heads: bool) -> None:
    document = read_jats(article(f"<sec><title>S</title><p>A.</p><p>{words}</p><p>B.</p></sec>"), "a.xml")
    assert (outline(document)[1] == ("S: Discussion", "body")) == heads


def test_a_run_in_heading_and_a_bold_line_of_jats_begin_sections() -> None:
    body = (
        "<sec><title>Results</title><p>Wells were dry.</p><p><bold>Rain.</bold> It rained<sup>1</sup>.</p>"
        "<p>It went on.</p><p><bold><italic>Discussion</italic></bold></p><p>So it is.</p>"
        "<p><italic>Limitations.</italic> There are some.</p><p><italic>Vibrio</italic> grew.</p></sec>"
    )
    document = read_jats(article(body), "a.xml")
    assert outline(document)[:4] == [
        ("Results", "body"),
        ("Results: Rain", "body"),
        ("Results: Discussion", "body"),
        ("Results: Limitations", "body"),
    ]
    assert document.text.startswith(
        "Wells were dry.\n\nIt rained.\n\nIt went on.\n\nSo it is.\n\nThere are some.\n\nVibrio grew."
    )


def test_a_formula_behind_a_run_in_heading_counts_once() -> None:
    formula = "<inline-formula><tex-math>x</tex-math></inline-formula>"
    document = read_jats(article(f"<sec><title>S</title><p><bold>Rain.</bold> It was {formula}.</p></sec>"), "a.xml")
    assert document.notes == ("1 formulas shown as [formula]",)


def test_bold_lines_of_markdown_begin_sections_below_all_headings() -> None:
    text = (
        "# Wells\n\n## Abstract\n\n**Aim.** We dug.\n\n## Results\n\nDry.\n\n**Rain:** It rained.\n\n"
        "- **Dug.** Deep.\n\n**Discussion**\n\nSo.\n\nIt was **very** dry.\n\n## Annex\n\nMore."
    )
    document = read_markdown(text.encode(), "w.md")
    assert outline(document) == [
        ("Abstract: Aim", "abstract"),
        ("Results", "body"),
        ("Results: Rain", "body"),
        ("Results: Discussion", "body"),
        ("Annex", "body"),
    ]
    assert "Dug. Deep." in document.text


@pytest.mark.parametrize(
    "line",
    [
        "<bold>Discussion</bold></p><p>",
        "<bold>Conclusion.</bold> ",
        "<bold>Discussion</bold> ",
        "<bold>Conclusions:</bold> in short, ",
        "3. <bold>Discussion.</bold> ",
        "<bold>General</bold> <bold>discussion.</bold> ",
        "<italic>Discussion</italic>. ",
        "<styled-content style='bold'>Discussion</styled-content></p><p>",
        "CONCLUSION</p><p>",
        "Conclusions: <italic>Anopheles</italic> is why ",
    ],
)
def test_what_follows_a_bold_heading_of_the_discussion_is_masked(line: str) -> None:
    body = f"<sec><title>Results</title><p>{FILLER}</p><p>{line}Nets should be given.</p></sec>"
    document = read_jats(article(body), "a.xml")
    assert "ets should" in document.text
    assert "ets should" not in read_out(document, mask_discussion(document)).text
