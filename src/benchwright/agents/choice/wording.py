"""The kinds of text that agents write, and the faults of wording that code can see and a model can mend."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from benchwright.agents.text import one_line
from benchwright.domain.evidence import locate
from benchwright.domain.numbers import NAMED, digits
from benchwright.domain.text import plain
from benchwright.errors import BadReply

QUESTION_MARKS = "?\uff1f\u061f"  # also the full-width and the Arabic one
INVENTED = ("Tarnvale", "Vodrik", "Quelm", "Zorvel")  # names that only the worked examples of the prompts use
COUNT_HINTS = ("of the following", "that apply", "of these options")
STATED = 4  # words from which on a text that stands in the document is a restatement, not a term that it shares
NUMBER = re.compile(r"\d[\d.,]*|[%\u2030]|\bper ?cent\w*", re.IGNORECASE)
# English only: in other languages the prompt and the panel stand alone.
NAMING = "type|group|phase|stage|grade"  # what a number after it names, also at the end of a word: serotype
NAMED_IN_WORDS = re.compile(rf"(?:{NAMING}) \d+\b", re.IGNORECASE)
POINTER = re.compile(
    r"""\baccording\ to\b|\bas\ (?:described|mentioned|stated|shown|reported)\b
    |\b(?:the|this|these)\ (?:(?:present|current|above|given)\ )?
    (?:study|passage|text|document|article|report|paper|table|figure|excerpt|author|finding)s?\b""",
    re.VERBOSE | re.IGNORECASE,
)


Question = Annotated[
    str,
    AfterValidator(one_line),
    Field(json_schema_extra={"pattern": rf'^[^"\\\n{QUESTION_MARKS}]{{12,240}}[{QUESTION_MARKS}]$'}),
]
# A question without numbers, but for those in names such as COVID-19 and type 2 diabetes.
Stem = Annotated[
    str,
    AfterValidator(one_line),
    Field(
        json_schema_extra={
            "pattern": rf'^(?:[^"\\\n{QUESTION_MARKS}0-9]|[A-Za-z]-?[0-9]+|(?:{NAMING}) [0-9]+)'
            rf"{{12,240}}[{QUESTION_MARKS}]$"
        }
    ),
]


def fault(text: str, known: dict[str, str]) -> str | None:
    """What is wrong with an option's text, and what to do; `known` says by plain form what each known text is."""
    form = plain(text)
    if not form:
        return f"{text!r} has no words: write the answer itself"
    if name := next((name for name in INVENTED if plain(name) in form.split()), None):
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
    if all(faults):
        message = "; ".join(filter(None, faults))
        raise BadReply(message)


def demand_one_question(text: str, topic: str) -> None:
    """Raise `BadReply` unless the text is one question that names neither its topic nor a count of answers."""
    marks = sum(text.count(mark) for mark in QUESTION_MARKS)
    if not text.endswith(tuple(QUESTION_MARKS)):
        message = f"the question does not end in a question mark: {text!r}; write one complete question"
        raise BadReply(message)
    if marks > 1:
        message = f"there are {marks} questions in {text!r}: ask one only"
        raise BadReply(message)
    if f" {plain(topic)} " in f" {plain(text)} ":
        message = f"the question names its topic ({topic}): ask for the fact without these words"
        raise BadReply(message)
    if hint := next((hint for hint in COUNT_HINTS if hint in text.casefold()), None):
        message = f"the question says {hint!r}: ask so that it stands without any options"
        raise BadReply(message)


def demand_bare(text: str) -> None:
    """Raise `BadReply` where a stem states a number outside of names, or points at its source."""
    if found := NUMBER.search(NAMED_IN_WORDS.sub(" ", NAMED.sub(" ", digits(text)))):
        message = f"the question says {found[0]!r}: leave numbers, percentages and dates out"
        raise BadReply(message)
    if found := POINTER.search(text):
        message = f"the question says {found[0]!r}: ask about the matter itself, without a pointer to where it stands"
        raise BadReply(message)


def demand_apart(numbers: Sequence[int]) -> None:
    """Raise `BadReply` unless two of the cited sentences at least are no neighbours."""
    if max(numbers) - min(numbers) <= 1:
        cited = " and ".join(map(str, sorted(numbers)))
        message = f"evidence cites {cited} only, one place: join it with a sentence from another place of the document"
        raise BadReply(message)


def demand_unstated(texts: Sequence[str], source: str) -> None:
    """Raise `BadReply` where each text stands word for word in what all get to see; the panel refuses single ones."""
    if all(restates(text, source) for text in texts):
        message = f"the document itself states {'; '.join(map(repr, texts))}: take what stands in no sentence of it"
        raise BadReply(message)


def restates(text: str, source: str) -> bool:
    """Whether a text of some length stands in the source word for word: then it restates, and infers nothing."""
    return len(plain(text).split()) >= STATED and locate(text, source) is not None
