"""The kinds of text that agents write, and the faults of wording that code can see and a model can mend."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Annotated

from pydantic import AfterValidator, Field

from benchwright.agents.choice.topic import topic_name
from benchwright.domain.document import Reading
from benchwright.domain.evidence import locate
from benchwright.domain.numbers import NAMED, digits, number_readings, number_texts, readings
from benchwright.domain.text import plain, within
from benchwright.errors import BadReply

QUESTION_MARKS = "?\uff1f\u061f"  # also the full-width and the Arabic one
INVENTED = ("Tarnvale", "Vodrik", "Quelm", "Zorvel")  # names that only the worked examples of the prompts use
COUNT_HINTS = ("of the following", "that apply", "of these options")
PLACES = 2  # sentences at least that are joined
COPIED = 7  # words in a row that two texts do not share by chance
STATED = 4  # words from which on a text that stands in the document is a restatement, not a term that it shares
# English only: in other languages the prompt and the panel stand alone.
NAMING = "type|group|phase|stage|grade"  # what a number after it names, also at the end of a word: serotype
NAMED_IN_WORDS = re.compile(rf"(?:{NAMING}) \d+[A-Za-z]?\b", re.IGNORECASE)
NOUN_OF_SOURCE = (
    "study|passage|text|document|article|report|paper|table|figure|excerpt|author|finding|researcher|investigator"
)
OF_THE_FIELD = "area|site|region|period|population|participant|subject|group|arm|village|district|setting|animal"
POINTER = re.compile(
    rf"""\baccording\ to\b|\bas\ (?:described|mentioned|stated|shown|reported)\b
    |\b(?:the|this|these|that)\ (?:(?:present|current|above|given)\ )?
    (?:{NOUN_OF_SOURCE})s?\b(?!\ (?:{OF_THE_FIELD})s?\b)
    |\b(?:our|we)\b|\b(?:in|from|of)\ (?:table|figure|fig\.?|appendix)\ [A-Z]?\d+""",
    re.VERBOSE | re.IGNORECASE,
)
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
DATE = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?\ (?:of\ )?(?:{MONTHS})\b|\b(?:{MONTHS})\ \d{{1,2}}\b|\b(?:1[89]|20)\d\d\b",
    re.IGNORECASE,
)  # a day of a month, a year: they name a time, as a place is named


def question_pattern(character: str) -> str:
    """The form of one question of such characters; the empty text stands for none."""
    return rf"^(?:{character}{{12,240}}[{QUESTION_MARKS}])?$"


def fold_line(text: str) -> str:
    """The text on one line; nothing may be left of it."""
    return " ".join(text.split())


# A question, or an empty text where there is none to ask.
Question = Annotated[
    str,
    AfterValidator(fold_line),
    Field(json_schema_extra={"pattern": question_pattern(rf'[^"\\\n{QUESTION_MARKS}]')}),
]


def fault(text: str, known: dict[str, str]) -> str | None:
    """What is wrong with an option's text, and what to do; `known` says by plain form what each known text is."""
    form = plain(text)
    if not form:
        return f"{text!r} has no words: write the answer itself"
    if name := next((name for name in INVENTED if f" {plain(name)}" in f" {form}"), None):
        return f"{text!r} is about {name}, a name of the examples: use the document in the <document> tags instead"
    if form in known:
        return f"{text!r} repeats {known[form]}: take another fact of the document"
    return None


def demand_new(texts: Sequence[str], known: Iterable[str], what: str) -> None:
    """Raise `BadReply` unless one text at least is usable and none of the known ones; `what` names those.

    The others fall at the pipeline's gates, each for its own recorded reason, and cost the good ones nothing.
    """
    forms = {plain(text): what for text in known}
    faults = [fault(text, forms) for text in texts]
    if faults and all(faults):
        message = "; ".join(filter(None, faults))
        raise BadReply(message)


def demand_one_question(text: str) -> None:
    """Raise `BadReply` unless the text is one question that says nothing of a count of answers."""
    marks = sum(text.count(mark) for mark in QUESTION_MARKS)
    if not text.endswith(tuple(QUESTION_MARKS)):
        message = f"the question does not end in a question mark: {text!r}; write one complete question"
        raise BadReply(message)
    if marks > 1:
        message = f"there are {marks} questions in {text!r}: ask one only"
        raise BadReply(message)
    if hint := next((hint for hint in COUNT_HINTS if hint in text.casefold()), None):
        message = f"the question says {hint!r}: ask so that it stands without any options"
        raise BadReply(message)


def demand_question_or_none(text: str, evidence: Sequence[int]) -> bool:
    """Whether there is a question; raises `BadReply` where it is none, or stands without the sentences it rests on."""
    if not text:
        return False
    if not evidence:
        message = "the question cites no sentence: name those that it rests on, or leave the question empty"
        raise BadReply(message)
    demand_one_question(text)
    return True


def demand_topic_unnamed(text: str, topic: str, source: str) -> None:
    """Raise `BadReply` where a question names its topic as no document does that is about it.

    A name of one word is a word of the field ("Cases"), and what the document says the question may say. It does not
    repeat the topic itself either.
    """
    if text and within(plain(text), plain(topic)):
        message = f"the question repeats what the topic is about: ask for one fact of the document instead of {text!r}"
        raise BadReply(message)
    name = plain(topic_name(topic))
    if " " in name and within(name, plain(text)) and not within(name, plain(source)):
        message = f"the question names its topic ({topic_name(topic)}): ask for the fact without these words"
        raise BadReply(message)


def demand_unpointed(text: str) -> None:
    """Raise `BadReply` where a question points at its source."""
    if found := POINTER.search(text):
        message = f"the question says {found[0]!r}: ask about the matter itself, without a pointer to where it stands"
        raise BadReply(message)


def demand_no_figures(text: str, cited: Sequence[str], title: str) -> None:
    """Raise `BadReply` where a question gives figures of the sentences `cited` away: they are part of its answer.

    Names (serotype 19A, H5N1), days and years tell which case is meant, and so does what the title says.
    """
    bare = DATE.sub(" ", NAMED_IN_WORDS.sub(" ", NAMED.sub(" ", digits(text))))
    known, free = number_readings(digits(" ".join(cited))), number_readings(digits(title))
    said = (number for number in number_texts(bare) if known.intersection(readings(number)))
    if found := next((number for number in said if not free.intersection(readings(number))), None):
        message = f"the question says {found!r}, a figure of the evidence: leave it out, so that it must be found"
        raise BadReply(message)


def demand_question_from_pieces(question: str, evidence: Sequence[int], reading: Reading) -> None:
    """Raise `BadReply` where a question that is to be reasoned out has figures of the sentences that it rests on."""
    cited = [one.text for one in reading.sentences if one.number in evidence]
    demand_no_figures(question, cited, reading.title)


@lru_cache(maxsize=1024)  # the same document at each reply about it
def fold_source(text: str) -> str:
    """The plain form of a long text between blanks, so that whole words are found in it."""
    return f" {plain(text)} "


@lru_cache(maxsize=256)  # the same examples at each reply of a role
def runs_of_examples(examples: tuple[tuple[str, str], ...], size: int) -> frozenset[str]:
    """All runs of so many words in worked examples, in plain form."""
    return frozenset(runs(plain(" ".join(chain.from_iterable(examples))), size))


def runs(text: str, size: int) -> Iterator[str]:
    """All runs of so many words of a text in plain form."""
    words = text.split()
    return (" ".join(words[start : start + size]) for start in range(len(words) - size + 1))


def copied_from_example(text: str, examples: Iterable[tuple[str, str]], source: str) -> str | None:
    """What of a text stands in a worked example and not in the document: a number with its neighbour, or many words.

    None where there is nothing of the kind.
    """
    own, shown = plain(text), tuple(examples)
    for size in (2, COPIED):
        known = runs_of_examples(shown, size)
        for phrase in filter(known.__contains__, runs(own, size)):
            there = fold_source(source)
            if f" {phrase} " not in there and (size == COPIED or strange_number(phrase.split(), there)):
                return phrase
    return None


def strange_number(pair: Sequence[str], there: str) -> bool:
    """Whether two words are a number that a text does not have, or a day of a month."""
    numbers = [word for word in pair if word[0].isdigit()]
    dated = any(word in MONTHS.split("|") for word in pair)
    return bool(numbers) and (dated or not any(f" {number} " in there for number in numbers))


def demand_uncopied(texts: Sequence[str], examples: Iterable[tuple[str, str]], source: str) -> None:
    """Raise `BadReply` where each text has something of a worked example that the document does not have."""
    shown = tuple(examples)
    found = [copied_from_example(one, shown, source) for one in texts]
    if found and all(found):
        message = f"{found[0]!r} stands in an example, not in the document: take the document in the <document> tags"
        raise BadReply(message)


def demand_several(numbers: Sequence[int]) -> None:
    """Raise `BadReply` unless two sentences at least are cited: one alone is no reasoning."""
    if len(numbers) < PLACES:
        message = f"evidence cites sentence {numbers[0]} only: join it with another of the document"
        raise BadReply(message)


def demand_apart(numbers: Sequence[int]) -> None:
    """Raise `BadReply` unless two of the cited sentences at least are no neighbours."""
    if max(numbers) - min(numbers) <= 1:
        cited = " and ".join(map(str, sorted(numbers)))
        message = f"evidence cites {cited} only, one place: join it with a sentence from another place of the document"
        raise BadReply(message)


def demand_unstated(texts: Sequence[str], source: str) -> None:
    """Raise `BadReply` where each text stands word for word in what all get to see; the panel refuses single ones."""
    if texts and all(restates(text, source) for text in texts):
        message = f"the document itself states {'; '.join(map(repr, texts))}: take what stands in no sentence of it"
        raise BadReply(message)


def restates(text: str, source: str) -> bool:
    """Whether a text of some length stands in the source word for word: then it restates, and infers nothing."""
    return len(plain(text).split()) >= STATED and locate(text, source) is not None
