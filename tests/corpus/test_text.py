"""Markdown and plain text, in whatever bytes they come."""

import codecs
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.corpus.decode import decode
from benchwright.corpus.jats import read_jats
from benchwright.corpus.text import read_markdown, read_plain
from benchwright.domain.document import Document
from benchwright.errors import Unreadable

WORDS = "Déjà vu: the well of Ngolo… was “closed”.\n\nThen it rained."


def parts(document: Document) -> list[tuple[str, str, list[str]]]:
    return [
        (section.title, section.kind, [document.text[span.start : span.end] for span in section.sentences])
        for section in document.sections
    ]


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (WORDS.encode(), ""),
        (codecs.BOM_UTF8 + WORDS.encode(), "read as utf-8, by its byte order mark"),
        (WORDS.encode("utf-16"), "read as utf-16-le, by its byte order mark"),
        (codecs.BOM_UTF16_BE + WORDS.encode("utf-16-be"), "read as utf-16-be, by its byte order mark"),
        (codecs.BOM_UTF32_LE + WORDS.encode("utf-32-le"), "read as utf-32-le, by its byte order mark"),
        (WORDS.encode("utf-16-le"), "read as utf-16-le, by its zero bytes; it has no byte order mark"),
        (WORDS.encode("utf-16-be"), "read as utf-16-be, by its zero bytes; it has no byte order mark"),
        (WORDS.encode("cp1252"), "read as cp1252; it is not UTF-8"),
        (
            "Déjà vu: the well of Ngolo… was ".encode() + "“closed”.\n\nThen it rained.".encode("cp1252"),
            "2 bytes are not UTF-8 and were read as cp1252",
        ),
    ],
)
def test_the_same_words_come_out_of_every_encoding_and_a_guess_is_said(data: bytes, note: str) -> None:
    text, notes = decode(data, "wells.txt")
    assert text == WORDS
    assert notes == ((note,) if note else ())


def test_line_breaks_of_every_system_become_one_kind() -> None:
    assert decode(b"a\r\nb\rc\nd\x0ce", "x.txt") == ("a\nb\nc\nd\ne", ())
    assert decode("a\u2028b\x85c".encode(), "x.txt")[0] == "a\nb\nc"


def test_control_characters_are_removed_and_said() -> None:
    assert decode(b"The w\0ell\x07.", "x.txt") == ("The well.", ("2 control characters (NUL and the like) removed",))


def test_lone_surrogates_are_replaced_and_said_while_pairs_are_joined() -> None:
    lone = "1 lone surrogates replaced by U+FFFD"
    assert decode(b"wet \xed\xa0\x80 well", "x.txt") == ("wet \ufffd well", (lone,))
    assert decode(b"rain \xed\xa0\xbc\xed\xbc\xa7", "x.txt") == ("rain \U0001f327", ())
    text, notes = decode(codecs.BOM_UTF16_LE + "a\ud800b".encode("utf-16-le", "surrogatepass"), "x.txt")
    assert text == "a\ufffdb"
    assert lone in notes


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"%PDF-1.7 ...", "x.txt: is a PDF, not text; let its name end in .pdf"),
        (b"PK\x03\x04....", "x.txt: is a ZIP archive or an office document, not text"),
        (bytes(range(256)) * 8, "x.txt: is binary, not text"),
        (codecs.BOM_UTF16_LE + b"abc", "x.txt: is broken utf-16-le at byte 2; save it again as UTF-8"),
        (b"caf\x81", "x.txt: is neither UTF-8 nor UTF-16 nor cp1252"),
        (b" \n\t\n", "x.txt: holds no running text"),
        (b"\0\0\0\0\0", "x.txt: holds no running text"),
        ("\u00a0\u2003".encode(), "x.txt: holds no running text"),
    ],
)
def test_what_is_no_text_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match="^" + reason.replace(".", r"\.").replace("\\.\\.\\.", ".*")):
        read_plain(data, "x.txt")


def end(reader: Callable[[bytes, str], Document], data: bytes) -> Document | str:
    """What becomes of the bytes: a document, or the reason why not."""
    try:
        return reader(data, "x")
    except Unreadable as refusal:
        return str(refusal)


@pytest.mark.parametrize("reader", [read_plain, read_markdown, read_jats])
@given(data=st.binary(max_size=200))
def test_any_bytes_end_as_a_document_or_a_one_line_reason(
    reader: Callable[[bytes, str], Document], data: bytes
) -> None:
    ended = end(reader, data)
    if isinstance(ended, str):
        assert ended.startswith("x")
        assert "\n" not in ended
    else:
        ended.text.encode()
        assert not set(ended.text) & {"\0", "\r"}


def test_plain_text_has_paragraphs_and_a_title_line() -> None:
    document = read_plain(
        b"The wells of Ngolo\r\n\r\nThe first\r\nfell dry. The second did not.\r\n\r\nIt rained.", "w.txt"
    )
    assert document.title == "The wells of Ngolo"
    assert document.text == "The first\nfell dry. The second did not.\n\nIt rained."
    assert parts(document) == [("", "body", ["The first\nfell dry.", "The second did not.", "It rained."])]


@pytest.mark.parametrize(
    "text", ["It rained.\n\nThe well filled.", "A line\nanother line\n\nA paragraph.", "Only this"]
)
def test_a_first_paragraph_that_is_a_sentence_or_all_there_is_is_no_title(text: str) -> None:
    document = read_plain(text.encode(), "w.txt")
    assert document.title == ""
    assert document.text == text


def test_text_is_kept_in_composed_form() -> None:
    assert read_plain("Cafe\u0301 water.".encode(), "w.txt").text == "Caf\u00e9 water."


MARKDOWN = """---
title: "The wells: a report"
doi: 10.5555/wells
license: CC BY 4.0
Language: EN
---
Opening words with *stress*, a [link](https://example.org) and `code` &amp; more.

# Abstract
We dug.

Methods
-------
We looked
at **wells**.

### Study area
![map](map.png)

- the north
- the south. It is dry.

| well | depth |
|------|-------|
| one  | 12    |

```
print(1)
```

<div>boxed</div>

## Results ##
> None \\*at all\\*.
"""


def test_markdown_headings_become_sections_and_marks_disappear() -> None:
    document = read_markdown(MARKDOWN.encode(), "wells.md")
    assert (document.title, document.doi, document.licence, document.language) == (
        "The wells: a report",
        "10.5555/wells",
        "CC BY 4.0",
        "en",
    )
    assert parts(document) == [
        ("", "body", ["Opening words with stress, a link and code & more."]),
        ("Abstract", "abstract", ["We dug."]),
        ("Abstract: Methods", "body", ["We looked at wells."]),
        ("Abstract: Methods: Study area", "body", ["the north", "the south.", "It is dry."]),
        ("Abstract: Results", "body", ["None *at all*."]),
    ]
    assert document.notes == ("1 table left out", "1 code block left out", "1 HTML block left out")


def test_the_first_heading_of_level_one_is_the_title_and_heads_no_section() -> None:
    document = read_markdown(b"# Wells\n\nIntro.\n\n## Author summary\n\nPlain.\n\n# Annex\n\nMore.", "wells.md")
    assert document.title == "Wells"
    assert parts(document) == [
        ("", "body", ["Intro."]),
        ("Author summary", "summary", ["Plain."]),
        ("Annex", "body", ["More."]),
    ]


def test_front_matter_needs_its_end_and_its_title_may_return_as_heading() -> None:
    assert read_markdown(b"---\ntitle: Wells\n---\n# Wells\n\nDry.", "w.md").title == "Wells"
    assert parts(read_markdown(b"---\ntitle: Wells\n---\n# Wells\n\nDry.", "w.md")) == [("", "body", ["Dry."])]
    assert read_markdown(b"---\n\nJust a rule above.", "w.md").text == "Just a rule above."


@pytest.mark.parametrize(
    "text", ["# Only a heading\n", "```\ncode\n```\n", "| a |\n|---|\n| 1 |\n", "---\ntitle: x\n---\n"]
)
def test_markdown_without_running_text_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match=r"^w\.md: holds no running text"):
        read_markdown(text.encode(), "w.md")


def test_markdown_nested_too_deep_is_refused_instead_of_losing_text() -> None:
    assert read_markdown(b"> " * 40 + b"deep", "w.md").text == "deep"
    with pytest.raises(Unreadable, match=r"^w\.md: lists or quotes are nested more than 100 deep"):
        read_markdown(b"> " * 300 + b"too deep", "w.md")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10<sup>5.5</sup> to 10<SUP>6</SUP> TCID<sub>50</sub>", "10^5.5 to 10\u2076 TCID50"),
        ("100 persons<sup>3</sup>, 30 m<sup>2</sup>", "100 persons, 30 m\u00b2"),
        ("one<br>two<br/>three<br />four", "one two three four"),
        ("~~31~~ 34, <del>3~~1~~</del> 5, <s>4</s> 6 <ins>7</ins>", "34, 5, 6 7"),
        ("10^6^ of H~2~O in 10^4.6^", "10\u2076 of H2O in 10^4.6"),
        ("A count of 12[^2] and[^1] more.\n\n[^1]: x\n[^2]: A note\n    goes on.\n", "A count of 12 and more."),
        ("[x] done\n\n> [!NOTE]\n> Nine cases", "done\n\nNine cases"),
        ("::: {.note}\nEight cases\n:::", "Eight cases"),
        ("Term\n:   Its definition.", "Term: Its definition."),
        ("[[Cholera|the disease]] had ==31 cases==%%no%% ![[x.png]]in [[May]]", "the disease had 31 cases in May"),
        ("5![a](b.png)6 and 12~~3~~4 and 5<!-- no -->6", "5 6 and 12 4 and 5 6"),
        ("10**6** and 1*0*6 and [12](x)34 and **mal**aria", "10 6 and 1 0 6 and 12 34 and malaria"),
        ("```\n[^1]: code\n```\n\nText.", "Text."),
        ("A.\n\n***\n\n\\*\\*\n\nB.", "A.\n\nB."),
    ],
)
def test_markdown_keeps_what_layout_means(text: str, expected: str) -> None:
    assert read_markdown(text.encode(), "w.md").text == expected


def test_attributes_are_no_part_of_a_heading_and_notes_are_counted() -> None:
    document = read_markdown(b"# Wells\n\n## Methods {#sec-methods}\n\nDug[^a].\n\n[^a]: Deep.\n", "w.md")
    assert parts(document) == [("Methods", "body", ["Dug."])]
    assert document.notes == ("1 footnote left out",)


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: >-\n  Wells of\n  Ngolo\n---\n", "Wells of Ngolo"),
        ("---\ntitle: |\n  Wells of\n  Ngolo\nlang: en\n---\n", "Wells of Ngolo"),
        ("---\ntitle: Wells of\n  Ngolo\n---\n", "Wells of Ngolo"),
        ("---\ntitle: 'The wells''\n  of Ngolo' # draft\n---\n", "The wells' of Ngolo"),
        ('---\ntitle: "The \\"wells\\""\n---\n', 'The "wells"'),
        ("---\ntitle:\n  Wells of Ngolo\n---\n", "Wells of Ngolo"),
        ("---\ntitle: Wells # draft\n...\n", "Wells"),
        ("---\nauthors:\n  - title: Dr\ntags: [a, b]\ntitle: Wells: a report\n---\n", "Wells: a report"),
        ("---\ntitle: [a]\n---\n", "Head"),
        ("---\ntitle:\n  short: a\n---\n", "Head"),
        ("---\n---\n", "Head"),
        ("+++\ntitle = 'Wells'\ndraft = true\n+++\n", "Wells"),
        ('+++\ntitle = """\nWells of\nNgolo"""\n+++\n', "Wells of Ngolo"),
        ("+++\nno toml\n+++\n", "Head"),
    ],
)
def test_front_matter_of_any_form_gives_the_title(front: str, title: str) -> None:
    document = read_markdown(f"{front}\n# Head\n\nDry.".encode(), "w.md")
    assert document.title == title
    assert document.text == "Dry."


def test_an_abstract_in_the_front_matter_is_read() -> None:
    document = read_markdown(b"---\nabstract: |\n  We dug.\n\n  It was dry.\n---\nText.", "w.md")
    assert parts(document) == [("Abstract", "abstract", ["We dug.", "It was dry."]), ("", "body", ["Text."])]
