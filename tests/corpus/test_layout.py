"""Lines of a page as blocks: rules that hold for any page, and scripts that the fonts of test files do not have."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from benchwright.corpus.layout import Sort, blocks_of, columns, rows_of
from benchwright.corpus.pdf import _is_prose
from benchwright.corpus.pdf_lines import Line, Page
from benchwright.corpus.rules import ruled_tables
from benchwright.corpus.running import join_rows

places = st.floats(0, 600).map(lambda value: round(value, 1))
sizes = st.sampled_from([6.0, 10.0, 10.0, 10.0, 18.0])
texts = st.sampled_from(["word", "12", "A longer line of words that runs across", "• point", "1,204", "and so on."])


@st.composite
def any_lines(draw: st.DrawFn) -> list[Line]:
    found = []
    for number in range(draw(st.integers(0, 25))):
        left, top, size, text = draw(places), draw(places), draw(sizes), draw(texts)
        found.append(Line(f"{text} {number}", left, top, left + size * len(text) / 2, top + size * 0.7, size))
    return found


@given(any_lines())
def test_every_line_of_a_page_is_in_one_block_exactly(lines: list[Line]) -> None:
    page = Page(842, tuple(lines))
    blocks = list(blocks_of(page, page.lines, 10))
    held = [line for block in blocks for row in block.rows for line in row.lines]
    assert Counter(held) == Counter(lines)
    assert Counter(line for column in columns(lines) for line in column) == Counter(lines)
    assert Counter(line for row in rows_of(lines) for line in row.lines) == Counter(lines)


@given(any_lines(), st.lists(st.tuples(places, places, places, places), max_size=30))
def test_no_line_is_lost_to_a_ruled_table(lines: list[Line], drawn: list[tuple[float, float, float, float]]) -> None:
    boxes = ruled_tables((min(a, c), min(b, d), max(a, c), max(b, d)) for a, b, c, d in drawn)
    page = Page(842, tuple(lines), tables=boxes)
    held = [line for block in blocks_of(page, page.lines, 10) for row in block.rows for line in row.lines]
    assert Counter(held) == Counter(lines)


def test_scripts_without_blanks_are_text_and_their_lines_join_without_one() -> None:
    words = ["三月第一周河水上涨淹没了城市下游地区的许多房屋和道路居民们不得不撤离到", "山上的学校暂时居住。"]
    lines = [Line(text, 60, 100 + 14 * n, 60 + 10 * len(text), 110 + 14 * n, 10) for n, text in enumerate(words)]
    [block] = blocks_of(Page(842, tuple(lines)), lines, 10)
    assert block.sort is Sort.TEXT
    assert _is_prose(block)
    assert block.words > 20
    assert join_rows(words, Counter()) == "".join(words)


def test_a_word_is_mended_by_what_the_document_writes_elsewhere() -> None:
    words = Counter({"well-known": 2, "wellknown": 1, "cooperation": 3})
    assert join_rows(["a well-", "known co-", "operation"], words) == "a well-known cooperation"
    assert join_rows(["the flood\u00ad", "ing, pre-", "Columbian 10-", "20 and end-"], Counter()) == (
        "the flooding, pre-Columbian 10-20 and end-"
    )
