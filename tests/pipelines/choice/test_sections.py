"""What of an article is shown and what is masked, over made-up and real articles under many namings."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import shared_data

from benchwright.corpus.read import read
from benchwright.domain.document import TITLE, Document, Section, Span, View, read_out
from benchwright.errors import Unreadable
from benchwright.pipelines.choice.sections import LEAST, mask_discussion

ARGUED = (
    "Discussion",
    "Conclusion",
    "Conclusions",
    "Concluding remarks",
    "Final remarks",
    "General discussion",
    "Comment",
    "Summary and conclusions",
    "Summary of results and conclusions",
    "Discussion and conclusion",
    "Discussion and limitations",
    "Conclusions and recommendations",
    "Conclusions/Significance",
    "Conclusion/Future Directions",
    "Discussion of results",
    "Discussion with respect to earlier studies",
    "Conclusions from the findings",
    "Policy discussion",
)
SOFT = (
    "Implications",
    "Interpretation",
    "Limitations",
    "Strengths and limitations",
    "Study limitations and future work",
    "Future directions",
    "Recommendations",
    "Implications for public health",
    "Outlook",
    "Future perspectives",
    "The way forward",
)
MIXED = (
    "Results and Discussion",
    "Findings and discussion",
    "Results/Discussion",
    "Case report and discussion",
    "Analysis and conclusions",
    "Results and interpretation",
    "Results and discussion with reference to other outbreaks",
)
ASIDE = (
    "Abstract",
    "Summary",
    "Author summary",
    "Editors' Summary",
    "Key messages",
    "Highlights",
    "Significance",
    "Box 1. Lessons and conclusions",
    "Box",
    "Research in context",
    "Evidence before this study",
    "Added value of this study",
    "What is already known on this topic?",
    "What is added by this report?",
    "What does this study add?",
    "What this study adds",
    "What are the implications for public health practice?",
    "Key findings",
    "Principal findings",
    "Clinical perspective",
    "What is new?",
    "What was known",
    "What did we find?",
    "Why was this study done?",
    "How might this change practice?",
    "Plain English summary",
    "Simple summary",
    "Lessons learned",
    "Lessons learnt from the outbreak",
    "Bottom line",
    "The bottom line",
    "In a nutshell",
    "At a glance",
    "eLife digest",
    "Study highlights",
    "Importance",
    "Statement of significance",
    "Learning points",
    "Policy points",
    "Contribution to the field",
    "Translational relevance",
    "Key takeaways",
    "Core tip",
    "Main findings of this study",
    "Key learning points",
    "Novelty and significance",
    "Significance of the study",
    "Relevance to clinical practice",
    "Advances in knowledge",
    "Take-aways for clinicians",
    "Perspectives",
    "Patient summary",
    "Summary at a glance",
    "Why it matters",
    "So what?",
    "What are the new findings?",
    "Where do we go from here?",
    "Findings in brief",
    "Author contributions",
    "Acknowledgements",
    "Supporting information",
    "Conflicts of interest",
    "Declaration of competing interest",
    "Funding",
    "Data availability statement",
)
NAMED = (
    "Introduction",
    "Background",
    "Methods",
    "Materials and methods",
    "Patients and methods",
    "Material and methods",
    "Material & Methods",
    "Field methods",
    "Additional methods",
    "Sampling procedures",
    "Results",
    "Findings",
)
UNKNOWN = (
    "Prevalence in the north",
    "Ethics statement",
    "The study",
    "Perspectives of health workers",
    "Comparison with earlier findings",
    "Loyalty",
    "Focus group discussions",
)
ENOUGH = ("Methods", LEAST)


def article(*sections: tuple[str, int] | str, kind: str = "body", language: str = "") -> Document:
    """An article of sections that have so many sentences, one where nothing is said."""
    text, built = "", []
    for title, count in ((one, 1) if isinstance(one, str) else one for one in sections):
        spans = []
        for _ in range(count):
            sentence = f"Sentence {text.count('.') + 1} is said."
            spans.append(Span(len(text), len(text) + len(sentence)))
            text += sentence + "\n"
        built.append(Section(title, kind, tuple(spans)))
    return Document("d1", "d1.md", "", text, tuple(built), language=language)


def parts(*titles: tuple[str, int] | str) -> tuple[list[str], list[str]]:
    """The titles that are shown and those that are masked, of an article which has enough Methods before them."""
    document = article(ENOUGH, *titles)
    view = mask_discussion(document)
    shown, hidden = ([document.sections[n].title for n in part] for part in (view.sections, view.masked))
    return shown[1:], hidden


def refusal(*titles: tuple[str, int] | str, language: str = "") -> str:
    """Why an article of these sections is refused."""
    with pytest.raises(Unreadable) as refused:
        mask_discussion(article(*titles, language=language))
    return str(refused.value)


@pytest.mark.parametrize("name", ARGUED)
def test_a_discussion_is_masked_under_each_of_its_names(name: str) -> None:
    assert parts("Results", name) == (["Results"], [name])


@pytest.mark.parametrize("name", ARGUED)
def test_a_discussion_is_masked_wherever_it_stands(name: str) -> None:
    assert parts("Results", f"Results: {name}", "Discussion") == (["Results"], [f"Results: {name}", "Discussion"])


@pytest.mark.parametrize(
    "name", ["Comparison with other studies", "Methods", "Results", "Summary", "Limitations", "x y"]
)
def test_a_subsection_belongs_to_the_discussion_that_it_is_in(name: str) -> None:
    assert parts("Results", f"Discussion: {name}") == (["Results"], [f"Discussion: {name}"])


@pytest.mark.parametrize("name", SOFT)
def test_what_belongs_to_a_discussion_is_masked_beside_it_and_else_in_neither(name: str) -> None:
    assert parts("Results", "Discussion", name) == (["Results"], ["Discussion", name])
    assert parts(name, "Results", f"Results: {name}", "Discussion") == (["Results"], ["Discussion"])


@pytest.mark.parametrize("name", ASIDE)
def test_abstracts_and_back_matter_are_in_neither(name: str) -> None:
    titles = (name, f"{name}: Conclusions", "Results", f"Results: {name}", "Discussion", name, f"{name}: Methods")

    assert parts(*titles) == (["Results"], ["Discussion"])


@pytest.mark.parametrize("kind", ["abstract", "summary"])
def test_what_a_reader_knew_as_an_abstract_or_summary_is_in_neither(kind: str) -> None:
    document = article(ENOUGH, "Discussion", "Methods", "Conclusions")
    first, second, *others = document.sections
    others = [replace(section, kind=kind) for section in others]

    assert mask_discussion(replace(document, sections=(*others, first, second))) == View("d1", (2,), (3,))


@pytest.mark.parametrize("name", NAMED)
def test_methods_and_results_are_shown_after_the_discussion_too(name: str) -> None:
    assert parts("Discussion", name, f"{name}: Study area") == ([name, f"{name}: Study area"], ["Discussion"])


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_nobody_knows_is_shown_before_the_discussion_and_in_neither_after_it(name: str) -> None:
    assert parts(name, "Results", f"Results: {name}", "Discussion", name, f"{name}: Other") == (
        [name, "Results", f"Results: {name}"],
        ["Discussion"],
    )


def test_what_follows_a_discussion_inside_of_a_section_is_in_neither_unless_it_is_named() -> None:
    titles = ("Study: Results", "Study: Discussion", "Study: Meaning", "Study: Methods", "Study", "Discussion")

    assert parts(*titles) == (["Study: Results", "Study: Methods"], ["Study: Discussion", "Discussion"])


def test_text_of_a_section_that_goes_on_after_its_own_discussion_is_in_neither() -> None:
    assert parts("Results", "Results: Discussion", "Results") == (["Results"], ["Results: Discussion"])


def test_each_study_of_an_article_may_have_its_discussion() -> None:
    titles = ("Study 1: Results", "Study 1: Discussion", "Study 2", "Study 2: Results", "Study 2: Sample")

    assert parts(*titles, "Conclusion") == (
        ["Study 1: Results", "Study 2: Results"],
        ["Study 1: Discussion", "Conclusion"],
    )


@pytest.mark.parametrize("name", ["Comparison with other studies", "Statement of principal findings", "Disscussion"])
def test_what_stands_between_results_and_conclusion_may_be_the_discussion_where_none_is_named(name: str) -> None:
    assert parts("Sampling", "Results", name, f"{name}: Limits", "Conclusion") == (
        ["Sampling", "Results"],
        ["Conclusion"],
    )
    assert parts("Results: Severity", f"{name}: Results", "Methods", "Conclusion")[0] == [
        "Results: Severity", f"{name}: Results", "Methods"
    ]  # fmt: skip
    assert parts("Results", name, "Discussion", "Conclusion")[0] == ["Results", name]


@pytest.mark.parametrize("name", ["Focus group discussions", "Discussion groups", "Discussions with health workers"])
def test_talks_that_a_study_recorded_are_no_discussion(name: str) -> None:
    assert parts(f"Methods: {name}", "Discussion") == ([f"Methods: {name}"], ["Discussion"])
    assert parts(f"Methods: {name}; conclusions", "Discussion")[0] == []


@pytest.mark.parametrize("name", MIXED[:3])
def test_a_merged_section_is_split_where_a_subsection_is_the_discussion(name: str) -> None:
    inside = ("Prevalence", "Discussion", "Incidence", "Results", "Results: Severity", "Conclusions")
    shown, hidden = parts(name, *(f"{name}: {title}" for title in inside))

    assert shown == [f"{name}: {title}" for title in ("Prevalence", "Results", "Results: Severity")]
    assert hidden == [f"{name}: {title}" for title in ("Discussion", "Conclusions")]
    assert parts(f"{name}: Loyalty", f"{name}: Discussion") == ([f"{name}: Loyalty"], [f"{name}: Discussion"])


@pytest.mark.parametrize("last", ["Conclusions", "General discussion", "Limitations"])
def test_a_last_word_does_not_split_a_merged_section(last: str) -> None:
    merged = ("Results and discussion: Prevalence", f"Results and discussion: {last}")

    assert "'Results and discussion: Prevalence' is discussion and more in one" in refusal(
        ENOUGH, *merged, "Conclusion"
    )
    assert parts("Results and discussion: Results", *merged, "Conclusion") == (
        ["Results and discussion: Results"],
        [merged[1], "Conclusion"],
    )


@pytest.mark.parametrize("name", MIXED)
def test_a_merged_section_that_nothing_splits_is_refused_if_no_other_results_are_left(name: str) -> None:
    reason = refusal(ENOUGH, name, f"{name}: Prevalence", "Conclusions")

    assert reason == (
        f"'{name}' is discussion and more in one, not parted by subsections, and no other results are left: "
        "give each a heading, or take the document out of the corpus"
    )
    assert parts("Results", name, f"{name}: Prevalence", "Conclusions") == (["Results"], ["Conclusions"])


@pytest.mark.parametrize("opening", ["", "4", "IV.", "D I S C U S S I O N"])
def test_text_without_a_name_is_in_neither(opening: str) -> None:
    assert parts(opening, "Results", "Discussion", opening) == (["Results"], ["Discussion"])


FOUND = "Open wells spread cholera after the flood of this year."


def test_a_section_that_repeats_the_discussion_is_in_neither_and_a_repeated_sentence_stays() -> None:
    other = [f"Household number {n} drank from a well of its own." for n in range(1, 9)]
    told = {"Methods": other, "Results": [*other[:4], FOUND], "Synthesis": [FOUND, other[0]], "Discussion": [FOUND]}
    text, sections = "", []
    for title, sentences in told.items():
        spans = []
        for sentence in sentences:
            spans.append(Span(len(text), len(text) + len(sentence)))
            text += sentence + "\n"
        sections.append(Section(title, "body", tuple(spans)))
    document = Document("d1", "d1.md", "Wells", text, tuple(sections))

    view = mask_discussion(document)
    assert view == View("d1", (0, 1), (3,))
    untitled = mask_discussion(document, title=True)
    assert untitled == View("d1", (0, 1), (TITLE, 3))
    assert read_out(document, view).text.startswith("Wells\n")
    assert "Wells" not in read_out(document, untitled).text
    assert read_out(document, untitled).masked == read_out(document, view).masked


def test_an_article_without_names_is_refused() -> None:
    reason = "its sections have no names, so its Discussion cannot be told: add headings (Markdown or JATS)"

    assert refusal(("", 20)) == reason
    assert refusal(("1", 20), ("2", 20)) == reason


def test_an_article_without_a_discussion_is_refused_with_its_headings() -> None:
    reason = refusal("Introduction", ("Methods: Area", 9), ("Methods: People", 9), "", "Results", "Limitations")

    assert reason == (
        "no section with text is named Discussion or Conclusion (there are: Introduction, Methods, Results, "
        "Limitations): name the one that is, or take the document out of the corpus"
    )
    assert "named Discussion" in refusal(ENOUGH, "Results", ("Discussion", 0))
    assert len(refusal(ENOUGH, *(f"A heading about district number {n}" + "!" * n for n in range(99)))) < 500


@pytest.mark.parametrize("opening", ["Introduction", "1. Background", "Aims: The region"])
def test_an_article_that_shows_too_little_beside_its_introduction_is_refused(opening: str) -> None:
    short = ((opening, 40), ("Results", LEAST - 1), "Discussion")

    assert refusal(*short) == (
        f"beside introduction and Discussion {LEAST - 1} sentences can be shown, fewer than {LEAST}: "
        "add the methods and results, or take the document out of the corpus"
    )
    assert mask_discussion(article(*short, "Findings")) == View("d1", (0, 1, 3), (2,))


FOREIGN = (
    "Discusión",
    "Conclusiones",
    "Discussão",
    "Conclusões",
    "Résultats et discussion",
    "Diskussion",
    "Schlussfolgerung",
    "Discussione",
    "Discussie",
    "讨论",
    "Обсуждение",
)


@pytest.mark.parametrize("name", FOREIGN)
def test_headings_in_another_language_are_said_and_refused(name: str) -> None:
    assert refusal(ENOUGH, "Results", name.upper(), "Discussion") == (
        f"its sections are named in another language ({name.upper()}): "
        "name them in English, or take the document out of the corpus"
    )


def test_an_article_that_says_it_is_in_another_language_is_refused() -> None:
    assert refusal(ENOUGH, "Results", "Discussion", language="fr") == (
        "it is written in another language (fr): its Discussion can be told in English only; take it out of the corpus"
    )


@pytest.mark.parametrize("language", ["en", "en-gb", "eng", ""])
def test_an_english_article_is_taken_with_an_abstract_in_another_language(language: str) -> None:
    document = article(ENOUGH, "Resumen", "Results: Ærø", "β-lactamase", "Discussion", language=language)

    assert mask_discussion(document) == View("d1", (0, 2, 3), (4,))


def test_a_heading_that_is_broken_for_the_printer_is_still_a_discussion() -> None:
    assert parts("Results", "Dis\u00adcus\u00adsion", "Conclusions") == (
        ["Results"],
        ["Dis\u00adcus\u00adsion", "Conclusions"],
    )


SURE = (
    "Clinical findings",
    "Laboratory methods",
    "Discussion",
)  # nothing nests in the first two: they are always shown
headings = st.sampled_from((*ARGUED, *SOFT, *MIXED, *ASIDE, *NAMED, *UNKNOWN, ""))
titles = st.lists(headings, min_size=1, max_size=3).map(": ".join)
articles = st.tuples(st.lists(titles, max_size=12), st.permutations(SURE)).flatmap(
    lambda pair: st.permutations([*pair[0], *pair[1]])
)


def said(title: str) -> list[str]:
    return title.split(": ")


@given(articles)
def test_in_any_order_and_nesting_nothing_that_is_or_follows_a_discussion_is_shown(names: list[str]) -> None:
    document = article(*((name, LEAST) for name in names))
    view = mask_discussion(document)
    shown, hidden = [names[n] for n in view.sections], [names[n] for n in view.masked]
    late = [names[n] for n in view.sections if n > view.masked[0]]

    assert list(view.sections) == sorted(set(view.sections) - set(view.masked))
    assert list(view.masked) == sorted(set(view.masked) - set(view.sections))
    assert not [title for title in shown if {*said(title)} & {*ARGUED, *SOFT, *ASIDE} or said(title)[-1] in MIXED]
    assert not [title for title in hidden if said(title)[0] in ASIDE or not {*said(title)} & {*ARGUED, *SOFT}]
    assert {*SURE[:2]} <= {*shown}
    assert "Discussion" in hidden
    assert not [title for title in late if not {*said(title)} & {*NAMED, *SURE[:2]}]


NUMBERS = ("", "4. ", "4.1 ", "IV. ", "iv) ", "12 ", "A. ", "4.1.2. ", "4")
CASES: tuple[Callable[[str], str], ...] = (str, str.upper, str.lower, str.title)


@st.composite
def written(draw: st.DrawFn, title: str) -> str:
    """The title as another journal would print it."""
    written = []
    for heading in said(title):
        number, case = draw(st.sampled_from(NUMBERS)), draw(st.sampled_from(CASES))
        joined = heading.replace(" and ", draw(st.sampled_from([" and ", " & ", " AND ", "/", " - "])))
        stopped = joined + draw(st.sampled_from(["", ".", " ", ":", "\u2014", "\u00b9"]))
        written.append(number + case(stopped.replace("o", draw(st.sampled_from(["o", "\u00f3", "o\u0301"])))))
    return ": ".join(written)


@pytest.mark.untraced
@given(st.data())
def test_case_numbers_accents_and_punctuation_change_nothing(data: st.DataObject) -> None:
    names = data.draw(articles)
    others = [data.draw(written(name)) for name in names]

    assert mask_discussion(article(*((name, LEAST) for name in others))) == mask_discussion(
        article(*((name, LEAST) for name in names))
    )


REAL = {
    "journal.pcbi.1004152": "'Results and Discussion' is discussion and more in one",  # its subsections are by topic
    "journal.pcbi.1004692": ([*range(3, 13), *range(18, 30)], [13, 14, 15, 16, 17]),  # methods last; one line unnamed
    "journal.pmed.1001300": ([8, 9, 10, 11, 12, 13], [14, 15]),  # "Discussion: Conclusions"; an editors' summary
    "journal.pntd.0000149": "named Discussion or Conclusion (there are: Toxocariasis, Cysticercosis, Toxoplasmosis)",
    "journal.pntd.0001041": ([5, 6, 7], [8]),
    "journal.pntd.0001969": ([*range(5, 18)], [18]),
    "journal.pntd.0002570": ([*range(1, 9)], [9]),  # an essay with a "Concluding Statement"
    "journal.pone.0108198": "a notice (correction) has no main text",
    "journal.ppat.1005207": "a notice (retraction) has no main text",
}
SPLIT = sorted(name for name, fate in REAL.items() if not isinstance(fate, str))


@pytest.fixture(name="real", scope="module")
def _real() -> Callable[[str], Document]:
    """Reads a real article; once, as it never changes."""
    folder = shared_data("real/jats")
    return cache(lambda name: read(folder / f"{name}.xml", f"{name}.xml"))


@pytest.mark.parametrize("name", REAL)
def test_each_real_article_ends_as_it_should(name: str, real: Callable[[str], Document]) -> None:
    fate = REAL[name]
    if isinstance(fate, str):
        with pytest.raises(Unreadable) as refused:
            mask_discussion(real(name))
        assert fate in str(refused.value)
    else:
        view = mask_discussion(real(name))
        assert ([*view.sections], [*view.masked]) == fate


def renamed(document: Document, view: View, name: str) -> Document:
    """The article with its Discussion under another name; what its subsections are called stays."""
    sections = [*document.sections]
    for index in view.masked:
        _, *inner = said(sections[index].title)
        sections[index] = replace(sections[index], title=": ".join([name, *inner]))
    return replace(document, sections=tuple(sections))


@given(st.data())
def test_a_real_discussion_is_never_read_out_whatever_its_name(
    real: Callable[[str], Document], data: st.DataObject
) -> None:
    document = real(data.draw(st.sampled_from(SPLIT)))
    before = mask_discussion(document)
    document = renamed(document, before, data.draw(st.sampled_from(ARGUED).flatmap(written)))
    reading = read_out(document, mask_discussion(document))

    assert reading.view == before
    assert len(reading.masked) == sum(len(document.sections[n].sentences) for n in before.masked)
    assert not [sentence.text for sentence in reading.masked if sentence.text in reading.text]


@pytest.mark.parametrize("name", SPLIT)
@pytest.mark.parametrize("other", ["Results and Discussion", "Analysis and conclusions", "Meaning", *FOREIGN])
def test_a_real_article_whose_discussion_cannot_be_told_is_refused(
    name: str, other: str, real: Callable[[str], Document]
) -> None:
    document = real(name)
    plain = [section for section in document.sections if ": Conclusions" not in section.title]
    document = replace(document, sections=tuple(plain))

    with pytest.raises(Unreadable, match=r"[Dd]iscussion|another language"):
        mask_discussion(renamed(document, mask_discussion(document), other))
