"""What an item of reconstruction rests on, drawn: conclusions, the masked sentences behind them, what checkers say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from benchwright.agents.choice import compare_conclusion, extract_conclusion
from benchwright.domain.answer import Answer
from benchwright.show.text import plain


def conclusions(said: Sequence[Answer]) -> Iterator[Text]:
    """Each conclusion under its number, in the names of the questions about it; nothing for other pipelines' items."""
    for answer in said:
        if answer.step == extract_conclusion.agent.name and not answer.failure:
            for number, one in enumerate(answer.value["conclusions"], 1):
                yield from drawn(number, one, said)


def drawn(number: int, one: Mapping[str, Any], said: Sequence[Answer]) -> Iterator[Text]:
    """A conclusion, where it stands, and whether checkers find it there."""
    yield plain(f"{number}. {one['text']}")
    yield from (plain(f"  [D{span['sentence']}] {span['text']}") for span in one["discussion"])
    for answer in said:
        if (answer.step, answer.about) == (compare_conclusion.agent.name, str(number)) and not answer.failure:
            yield plain(f"  {answer.by} says {answer.value['verdict']}: {answer.value['reason']}")
