"""What embedding models want to read before queries and passages; without it some rank far below what they can."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

TASK = "{task}"


@dataclass(frozen=True, slots=True)
class Prompts:
    """What stands before a `query`, where `{task}` is what is asked for, and before a `passage`."""

    query: str = ""
    passage: str = ""

    def for_query(self, text: str, task: str) -> str:
        """A query as the model reads it."""
        return self.query.replace(TASK, task) + text

    def for_passage(self, text: str) -> str:
        """A passage as the model reads it."""
        return self.passage + text


@cache
def registry() -> tuple[tuple[re.Pattern[str], Prompts], ...]:
    """The known models, first to last."""
    table = tomllib.loads(files(__package__).joinpath("prompts.toml").read_text("utf-8"))
    return tuple(
        (re.compile(one["names"], re.IGNORECASE), Prompts(one["query"], one["passage"])) for one in table["models"]
    )


def known_prompts(target: str) -> Prompts:
    """What the model wants that its provider calls so."""
    return next((prompts for names, prompts in registry() if names.search(target)), Prompts())
