"""What a set says in place of people's names: by default it says "reviewer-1", so that nobody's judgement is published.

The numbers follow the order in which people first decided. So they are the same for the same campaign, stay as they
are while it goes on, and do not follow from the names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchwright.domain.answer import HUMAN
from benchwright.domain.opinion import fold_name
from benchwright.pipelines.base import Pipeline
from benchwright.store import campaigns, reviews
from benchwright.store.database import Connection

PREFIX = f"{HUMAN}:"


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """Pseudonyms by names; a name that is not among them stays."""

    by_name: Mapping[str, str] = field(default_factory=dict)

    def of(self, name: str) -> str:
        """What stands in place of a name."""
        return self.by_name.get(fold_name(name), name)

    def hide(self, value: Any) -> Any:
        """JSON values with each signature of a person (`human:ada`, `human:ada#2`) under their pseudonym."""
        if isinstance(value, dict):
            return {key: self.hide(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.hide(inner) for inner in value]
        return self.sign(value) if isinstance(value, str) and value.startswith(PREFIX) else value

    def sign(self, by: str) -> str:
        """The signature of an answer: that of a person under their pseudonym, any other as it is."""
        name, mark, word = by.removeprefix(PREFIX).partition("#")
        known = by.startswith(PREFIX) and fold_name(name) in self.by_name
        return f"{PREFIX}{self.of(name)}{mark}{word}" if known else by

    def recipe(self, recipe: Mapping[str, Any]) -> dict[str, Any]:
        """A campaign's recipe with its adjudicator under a pseudonym."""
        review = recipe.get("review", {})
        adjudicator = review.get("adjudicator")
        return {**recipe, "review": {**review, "adjudicator": self.of(adjudicator)}} if adjudicator else dict(recipe)


def number_people(names: Iterable[str]) -> Pseudonyms:
    """Pseudonyms for people, in the order of their names' first appearance."""
    folded = dict.fromkeys(fold_name(name) for name in names if name)
    return Pseudonyms({name: f"reviewer-{number}" for number, name in enumerate(folded, 1)})


def pseudonyms(connection: Connection, pipeline: Pipeline) -> Pseudonyms:
    """Those of everybody who has decided in a campaign, settles conflicts in it, or has changed its rule."""
    words = [word for agent in pipeline.people for word in reviews.words(connection, agent.name)]
    words.sort(key=lambda word: word.seq)
    deciding = [word.answer.by.removeprefix(PREFIX).partition("#")[0] for word in words]
    changes = campaigns.changes(connection)
    recipes = [one.before for one in changes] + [campaigns.get(connection).recipe]
    settling = [recipe.get("review", {}).get("adjudicator", "") for recipe in recipes]
    return number_people((*deciding, *settling, *(one.who for one in changes)))
