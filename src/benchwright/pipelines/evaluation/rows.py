"""Rows of a set: as its test takers get them, with the key; and what another table says of how each came about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, TypeGuard

from benchwright.pipelines.evaluation.responses import Question

MOST = len(ascii_uppercase)  # choices of a question that letters name
FIELDS = "id, question, choices (a list of texts) and answer (the letters of the right ones, such as AC)"


@dataclass(frozen=True, slots=True)
class Row:
    """A question of a set. Its choices are named A, B, ... in the order of the set."""

    id: str
    text: str
    choices: tuple[str, ...]
    key: frozenset[str]
    context: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the choices."""
        return tuple(ascii_uppercase[: len(self.choices)])

    @property
    def named(self) -> tuple[tuple[str, str], ...]:
        """The choices with their names."""
        return tuple(zip(self.names, self.choices, strict=True))

    def question(self, origin: Mapping[str, Any] | None = None) -> Question:
        """As it is measured; `origin` is its line of `provenance.jsonl`."""
        told = origin or {}
        groups = {name: str(told[name]) for name in ("class", "topic", "intended", "language") if told.get(name)}
        if level := (told.get("difficulty") or {}).get("level"):
            groups["difficulty"] = str(level)
        groups["right choices"] = str(len(self.key))
        traps = zip(self.names, (one.get("confusion", "") for one in told.get("options", ())), strict=False)
        return Question(
            id=self.id,
            choices=self.names,
            key=self.key,
            cluster=str(told.get("document") or self.context or self.id),
            groups=groups,
            traps={name: family for name, family in traps if family and name not in self.key},
            text=self.text,
        )


def read_row(fields: Mapping[str, Any]) -> Row:
    """A row from the fields of a record; raises `ValueError` that says what is wrong with it."""
    name, text, choices = fields.get("id"), fields.get("question"), fields.get("choices")
    if not isinstance(name, str) or not name or not isinstance(text, str) or not text.strip():
        raise ValueError(f"lacks an id or a question: a row has {FIELDS}")
    if not is_list_of_texts(choices) or not 0 < len(choices) <= MOST:
        raise ValueError(f"choices should be a list of 1 to {MOST} texts: a row has {FIELDS}")
    return Row(
        name, text, tuple(choices), read_key(fields.get("answer"), len(choices)), str(fields.get("context") or "")
    )


def is_list_of_texts(value: object) -> TypeGuard[list[str]]:
    """Whether it is one."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def read_key(answer: object, choices: int) -> frozenset[str]:
    """The names of the right choices; raises `ValueError`."""
    letters = answer if isinstance(answer, str) else "".join(answer) if is_list_of_texts(answer) else None
    known = ascii_uppercase[:choices]
    if letters is None or not set(letters) <= set(known):
        raise ValueError(
            f"answer should be letters of its choices, {known}, or empty where none is right, not {answer!r}"
        )
    return frozenset(letters)


def questions_of(rows: Sequence[Row], origins: Mapping[str, Mapping[str, Any]]) -> list[Question]:
    """The questions of a set, with what is known of how each came about."""
    return [row.question(origins.get(row.id)) for row in rows]
