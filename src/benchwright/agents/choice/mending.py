"""What writers are told once of an answer that can be used: so that a good value does not fall for a slip beside it."""

from collections.abc import Iterable, Iterator, Sequence

from benchwright.agents.choice.flaws import option_flaws
from benchwright.agents.choice.wording import copied_from_example
from benchwright.domain.document import Reading
from benchwright.domain.numbers import unstated_numbers

Cited = Sequence[tuple[str, Sequence[int]]]  # texts of options, each with the numbers of the sentences that it cites


def misplaced_numbers(options: Cited, stem: str, reading: Reading) -> Iterator[str]:
    """Numbers of options that do not stand in the cited sentences, with the sentences in which they do stand."""
    texts = {one.number: one.text for one in reading.sentences}
    for text, numbers in options:
        cited = " ".join([*(texts.get(number, "") for number in numbers), stem])
        for number in unstated_numbers(text, cited):
            found = [place for place, sentence in texts.items() if not unstated_numbers(number, sentence)]
            if found:
                yield f"{number} of {text!r} stands in sentence {found[0]}, which it does not cite: cite {found[0]}"
            else:
                yield f"{number} of {text!r} stands in no sentence of the document: take a value that does"


def object_to_options(
    options: Cited, stem: str, right: Sequence[str], examples: Iterable[tuple[str, str]], reading: Reading
) -> list[str]:
    """Objections to options: numbers beside their sentences, what comes from examples, flaws of wording.

    `right` are the right options beside which these are wrong; none where these are the right ones.
    """
    texts, shown = [text for text, _ in options], tuple(examples)
    copied = ((text, copied_from_example(text, shown, reading.text)) for text in texts)
    flaws = option_flaws(stem, right, texts) if right else option_flaws(stem, texts, ())
    return [
        *misplaced_numbers(options, stem, reading),
        *(f"{found!r} of {text!r} stands in an example, not in the document" for text, found in copied if found),
        *(flaw.advice for flaw in flaws),
    ]
