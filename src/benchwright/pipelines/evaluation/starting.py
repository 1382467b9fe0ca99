"""The file of an evaluation, from a set and the models that are to be measured."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from benchwright.errors import UsageError

HOW = (
    "name it as smollm2 (the embedded model), as PROVIDER/MODEL (litellm), or as an endpoint with its model,"
    " http://localhost:8000/v1#MODEL"
)
EMBEDDED = "smollm2"
TEMPERATURE = 0.3  # EpiQAL, section 4.1


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person wants of an evaluation."""

    corpus: str  # the file of the set, seen from the evaluation's own
    models: Sequence[str]
    runs: int
    conditions: Sequence[str]
    knowledge: bool
    reasoning: bool
    shots: int
    target: int | None


def write_evaluation(wish: Wish) -> str:
    """The text of the file."""
    entries = [model_lines(one) for one in wish.models]
    names = name_models(wish.models)
    tables = [
        f"[models.{quote(name)}]\n{lines}\ntemperature = {TEMPERATURE}\n"
        for name, lines in zip(names, entries, strict=True)
    ]
    flags = {"general_knowledge": wish.knowledge, "reasoning": wish.reasoning}
    return "\n".join(
        (
            "# An evaluation of Benchwright. `benchwright evaluate` on this file begins it, or continues it.",
            'pipeline = "evaluation"',
            f"corpus = [{quote(wish.corpus)}]",
            "",
            *(("[items]", f"target = {wish.target}", "") if wish.target else ()),
            "[evaluation]",
            f"conditions = {json.dumps(list(wish.conditions))}",
            *(f"{name} = {json.dumps(value)}" for name, value in flags.items()),
            f"shots = {wish.shots}",
            "",
            *tables,
            "[roles]",
            f"take_question = {{ panel = {json.dumps(names, ensure_ascii=False)}, runs = {wish.runs} }}",
            "",
        )
    )


def model_lines(model: str) -> str:
    """The provider of a model as a person names it."""
    if model == EMBEDDED:
        return f"local = {quote(model)}"
    parts = urlsplit(model)
    if parts.scheme in {"http", "https"} and parts.netloc and parts.fragment:
        address, _, target = model.partition("#")
        return f"base_url = {quote(address)}\nmodel = {quote(target)}"
    if "/" in model and not parts.scheme:
        return f"litellm = {quote(model)}"
    raise UsageError(f"model {model!r}: {HOW}")


def name_models(models: Sequence[str]) -> list[str]:
    """A short name for each model; models of one name get numbers."""
    short = [
        re.sub(r"[^A-Za-z0-9._-]+", "-", re.split(r"[/#]", model)[-1]).strip("-._")[:50] or "model" for model in models
    ]
    many, seen, names = Counter(short), Counter[str](), list[str]()
    for name in short:
        seen[name] += 1
        names.append(f"{name}-{seen[name]}" if many[name] > 1 else name)
    return names


def quote(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False)
