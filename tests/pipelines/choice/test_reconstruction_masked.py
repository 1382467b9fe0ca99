"""Who sees the masked part of real articles, whatever its sections are called: nobody but those who must."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.conftest import shared_data
from tests.contracts.pipeline import Run, World
from tests.pipelines.said import json_options
from tests.scripted_choice import Temper, reconstruction, world
from tests.scripted_recall import CHECKED

from benchwright.corpus.read import read
from benchwright.domain.call import Request
from benchwright.domain.campaign import Panel
from benchwright.domain.document import TITLE, Document, View, read_out
from benchwright.domain.item import Ending, ItemState, Progress
from benchwright.domain.source import outline
from benchwright.errors import Unreadable

pytestmark = pytest.mark.untraced  # whole items, again and again

SEE_IT = {"extract_conclusion", "compare_conclusion", "mislead"}
SUITED = ("pcbi.1004692", "pmed.1001300", "pntd.0001041", "pntd.0001969", "pntd.0002570")
REFUSED = {
    "pcbi.1004152": "is discussion and more in one",
    "pntd.0000149": "no section with text is named Discussion or Conclusion",
    "pone.0108198": "a notice",
    "ppat.1005207": "a notice",
}
NAMED = (
    "Discussion", "Discussions", "Conclusion", "Conclusions", "Concluding remarks", "Final considerations",
    "Discussion and conclusion", "Discussion and conclusions", "Discussion & Conclusions", "Conclusions and outlook",
    "General discussion", "Discussion of results",
)  # fmt: skip
NUMBERED = ("{}", "4. {}", "4 {}", "IV. {}", "4.1 {}", "{}.", "{}:")
CASED: tuple[Callable[[str], str], ...] = (str, str.upper, str.lower, str.title)
FOREIGN = ("Diskussion", "Discusi\u00f3n", "Conclus\u00f5es", "Schlussfolgerungen", "\u8ba8\u8bba", "Discussione")
MADE = reconstruction(
    panel=Panel(("red", "green")),
    refine={"rounds": 1, "measures": 1},
    several_correct=0.5,
    none_correct=0.25,
    **CHECKED,
)


@cache
def article(name: str) -> Document:
    """A real article."""
    file = f"journal.{name}.xml"
    return read(shared_data("real/jats") / file, file)


def renamed(name: str, title: str) -> Document:
    """The article with another name for each masked section, which keeps the names of its parts."""
    one = article(name)
    sections = list(one.sections)
    for index in set(MADE.shows(one).masked) - {TITLE}:
        _, colon, part = sections[index].title.partition(": ")
        sections[index] = replace(sections[index], title=f"{title.rstrip(':')}{colon}{part}" if colon else title)
    return replace(one, sections=tuple(sections))


@dataclass(frozen=True)
class Talkative(Temper):
    """Writers and checkers who repeat the masked sentences that they see wherever a reason is asked of them."""

    def __call__(self, request: Request) -> str | Exception:
        """What a model says."""
        said = super().__call__(request)
        seen = [line.partition("] ")[2] for line in request.messages[-1].content.splitlines() if line.startswith("[D")]
        if not seen or isinstance(said, Exception):
            return said
        body = json.loads(said)
        for part in body.get("options", body.get("conclusions", [body])):
            part |= {key: " ".join(seen) for key in ("rationale", "flaw", "reason") if key in part}
        return json.dumps(body)


def secrets(document: Document, view: View) -> list[str]:
    """The masked sentences, but for those that the body has too."""
    reading = read_out(document, view)
    return [one.text for one in reading.masked if one.text not in reading.text]


def produced(document: Document, slot: int) -> tuple[World, View, Ending]:
    """A whole item of that article, with all that was asked for it."""
    documents = {document.id: document}
    here = world(MADE, Talkative(), documents)
    seed = MADE.admit([outline(document, MADE.shows(document))], Progress(0, (), 1))[0]
    seed = replace(seed, slot=slot)
    return here, seed.view, Run(MADE, seed, here.say).to_the_end(Random(0))


def shown(here: World) -> Iterator[tuple[str, str]]:
    """What was asked of each role and of people and searches, as they see it."""
    for due, call in here.asked:
        yield due.agent.name, "\n".join(message.content for message in call.messages)
    yield from (("look_up", str(ask)) for _, key, ask in here.said if key.startswith("look_up/"))


def leaks(text: str, masked: list[str]) -> list[str]:
    return [sentence for sentence in masked if sentence in text]


def hold_masked(document: Document, slot: int) -> tuple[set[str], Ending]:
    """Produce an item and see that nobody was shown what is masked; who was asked, and the item's end."""
    here, view, end = produced(document, slot)
    masked, roles = secrets(document, view), set[str]()
    assert masked
    for role, text in shown(here):
        roles.add(role)
        seen = [] if role in SEE_IT else leaks(text, masked)
        assert not seen, role
    seen = leaks(read_out(document, view).text, masked)
    assert not seen, "what a user of the set is shown"
    body = sum((section.sentences for n, section in enumerate(document.sections) if n in view.sections), ())
    places = {(span.start, span.end) for span in body}
    for option in json_options(end.body):
        seen = leaks(" ".join([option["text"], *(span["text"] for span in option["evidence"])]), masked)
        assert {(span["start"], span["end"]) for span in option["evidence"]} <= places
        assert not seen, option["label"]
    return roles, end


drawn = st.builds(
    lambda number, case, title: number.format(case(title)),
    st.sampled_from(NUMBERED),
    st.sampled_from(CASED),
    st.sampled_from(NAMED),
)


@settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.generate))  # a smaller title tells no more
@given(name=st.sampled_from(SUITED), title=drawn, slot=st.integers(0, 7))
def test_whatever_the_masked_part_is_called_nobody_sees_it_but_those_who_must(name: str, title: str, slot: int) -> None:
    document = renamed(name, title)

    assert MADE.shows(document) == MADE.shows(article(name))
    hold_masked(document, slot)


def test_every_role_of_a_whole_item_is_put_to_the_test() -> None:
    roles, states = set[str](), set[ItemState]()
    for name in SUITED:
        for slot in range(3):
            asked, end = hold_masked(article(name), slot)
            roles |= asked
            states.add(end.state)

    assert ItemState.KEPT in states
    assert roles == {agent.name for agent in MADE.agents} - {"review_option", "review_stem"} | {"look_up"}


def test_those_who_must_see_the_masked_part_do() -> None:
    document, seen = article("pntd.0001041"), set[str]()
    for slot in range(4):  # what an item needs depends on how many of its options are right
        here, view, _ = produced(document, slot)
        masked = secrets(document, view)
        seen |= {role for role, text in shown(here) if leaks(text, masked)}

    assert seen == SEE_IT


@pytest.mark.parametrize("title", FOREIGN)
def test_an_article_whose_discussion_is_named_in_another_language_is_refused(title: str) -> None:
    for name in SUITED:
        with pytest.raises(Unreadable, match="named in another language"):
            MADE.shows(renamed(name, title))


def test_an_article_in_another_language_is_refused_whatever_its_sections_are_called() -> None:
    for name in SUITED:
        with pytest.raises(Unreadable, match="written in another language"):
            MADE.shows(replace(article(name), language="es"))


@pytest.mark.parametrize("name", REFUSED)
def test_an_article_that_does_not_suit_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(Unreadable, match=REFUSED[name]):
        MADE.shows(article(name))
