"""What code looked up for an item, in words: the answers of searches and of knowledge graphs."""

from collections.abc import Callable, Iterator, Mapping

from rich.text import Text

from benchwright.domain.answer import Answer
from benchwright.pipelines.lookups import EntityFound, TopicFacts, find_facts, look_up
from benchwright.show.text import count_text, head, plain

SHOWN = 4  # lines of an answer that are shown without --prompts


def readable(answer: Answer, line: int, *, whole: bool) -> list[Text] | None:
    """The answer in words, its lines no longer than `line` characters unless it is shown whole; None for others."""
    if answer.failure or answer.step not in IN_WORDS:
        return None
    lines = list(IN_WORDS[answer.step](answer))
    shown = lines if whole else [head(one, line) for one in lines[:SHOWN]]
    left = len(lines) - len(shown)
    return [plain(one) for one in shown] + (
        [plain(f"and {count_text(left, 'line')} more: --prompts shows all")] if left else []
    )


def search_lines(answer: Answer) -> Iterator[str]:
    """What a search found, after which failures."""
    body = EntityFound.model_validate(answer.value)
    yield f"found {count_text(len(body.snippets), 'snippet')}" + (f" by {body.by}" if body.by else "")
    yield from (f"failed: {failure}" for failure in body.failures)
    if body.names:
        yield f"also called: {', '.join(body.names)}"
    yield from (
        " ".join(filter(None, (one.url, f"{one.title}:" if one.title else "", one.text))) for one in body.snippets
    )


def fact_lines(answer: Answer) -> Iterator[str]:
    """Which facts graphs have."""
    body = TopicFacts.model_validate(answer.value)
    both = sum(one.named for one in body.facts)
    yield f"{count_text(len(body.facts), 'fact')}; {both} with both names in the document"
    yield from (f"how: {one}" for one in body.about)
    if body.foreign:
        yield f"not in the document: {', '.join(body.foreign)}"
    yield from (str(one.fact) for one in body.facts)


IN_WORDS: Mapping[str, Callable[[Answer], Iterator[str]]] = {look_up.name: search_lines, find_facts.name: fact_lines}
