import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kg.text import document

from benchwright.domain.document import Span
from benchwright.kg.mentions import OVERLAP, WORD, Hit, Mention, apart, find, measure, windows

SENTENCE = st.lists(st.text(alphabet="aé-.\U0001f600 界", min_size=1, max_size=40), max_size=60).map(" ".join)
MOST = st.integers(3, 80)


def shown(sentences: Sequence[str], most: int) -> tuple[str, list[Span], list[Span]]:
    made = document(sentences, "  ")
    spans = list(made.sections[0].sentences)
    return made.text, spans, list(windows(made.text, spans, most))


@given(st.lists(SENTENCE, max_size=8), MOST)
def test_windows_cut_no_word_and_none_is_too_large(sentences: list[str], most: int) -> None:
    text, _, found = shown(sentences, most)
    words = [match.span() for match in WORD.finditer(text)]
    for window in found:
        inside = [(start, end) for start, end in words if start < window.end and end > window.start]
        assert all(window.start <= start and end <= window.end for start, end in inside)
        assert 0 < sum(measure(text[start:end]) for start, end in inside) <= most


@given(st.lists(SENTENCE, max_size=8), MOST)
def test_every_sentence_that_fits_is_whole_in_one_window(sentences: list[str], most: int) -> None:
    text, spans, found = shown(sentences, most)
    for span in spans:
        size = sum(measure(word) for word in WORD.findall(text[span.start : span.end]))
        held = [window for window in found if window.start <= span.start and span.end <= window.end]
        assert len(held) == 1 or not 0 < size <= most


@given(st.lists(SENTENCE, max_size=4), MOST, st.data())
def test_any_few_words_of_a_sentence_are_together_in_some_window(
    sentences: list[str], most: int, data: st.DataObject
) -> None:
    text, spans, found = shown(sentences, most)
    for span in spans:
        words = list(WORD.finditer(text, span.start, span.end))
        if not words or any(measure(word[0]) > 1 for word in words):
            continue
        first = data.draw(st.integers(0, len(words) - 1))
        last = min(len(words) - 1, first + min(OVERLAP, most // 2) - 1)
        wanted = words[first].start(), words[last].end()
        assert any(window.start <= wanted[0] and wanted[1] <= window.end for window in found)


@given(st.lists(SENTENCE, max_size=8), MOST)
def test_windows_follow_each_other(sentences: list[str], most: int) -> None:
    _, _, found = shown(sentences, most)
    assert all(one.start < other.start and one.end < other.end for one, other in pairwise(found))


def test_a_word_that_fills_no_window_is_passed_over_and_its_neighbours_are_not() -> None:
    text, _, found = shown(["one " + "x" * 5000 + " two"], 50)
    assert [text[window.start : window.end] for window in found] == ["one", "two"]


class Finds:
    """Finds every occurrence of one word sequence, as a model would: in the windows it is shown."""

    about = "a test"

    def __init__(self, words: int, wanted: str, score: float = 0.9) -> None:
        self.words, self.wanted, self.score = words, wanted, score
        self.batches: list[int] = []

    def find(self, texts: Sequence[str], labels: Sequence[str], threshold: float) -> list[list[Hit]]:
        self.batches.append(len(texts))
        found = [re.finditer(self.wanted, text) for text in texts]
        return [[Hit(*match.span(), labels[0], self.score) for match in matches] for matches in found]


def test_offsets_are_those_of_the_whole_text() -> None:
    made = document([f"Zoë saw the dengue fever in year {n}." for n in range(40)])
    finder = Finds(20, "dengue fever")
    found = find(made, finder)
    assert len(found) == 40
    assert {made.text[mention.start : mention.end] for mention in found} == {"dengue fever"}
    assert {mention.text for mention in found} == {"dengue fever"}
    assert finder.batches == [16, 4]


def test_a_mention_at_the_edge_of_a_window_is_found_whole_and_once() -> None:
    made = document([" ".join(["word"] * 37 + ["yellow", "fever"] + ["word"] * 200 + ["yellow", "fever"])])
    found = find(made, Finds(38, "yellow( fever)?"))
    assert [mention.text for mention in found] == ["yellow fever", "yellow fever"]


@pytest.mark.parametrize(("threshold", "count"), [(0.9, 1), (0.91, 0)])
def test_what_is_less_sure_than_the_threshold_is_left_out_whatever_the_finder_does(
    threshold: float, count: int
) -> None:
    assert len(find(document(["dengue"]), Finds(9, "dengue", 0.9), ("disease",), threshold)) == count


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(1, 9), st.floats(0, 1)), max_size=40))
def test_mentions_that_are_kept_do_not_overlap_and_each_other_overlaps_one_as_long(
    drawn: list[tuple[int, int, float]],
) -> None:
    mentions = [Mention(start, start + size, "", "disease", score) for start, size, score in drawn]
    kept = apart(mentions)
    assert all(one.end <= other.start for one, other in pairwise(kept))
    for mention in mentions:
        rivals = [other for other in kept if other.start < mention.end and mention.start < other.end]
        assert any(other.end - other.start >= mention.end - mention.start for other in rivals)


def test_an_empty_document_has_no_mentions() -> None:
    assert find(document([]), Finds(9, "dengue")) == ()
