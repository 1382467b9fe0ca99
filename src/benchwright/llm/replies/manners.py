"""What an endpoint takes of a request, and under which names: what known hosts refuse, then what the campaign says.

The hosts' manners are from their own references and from issues that quote their refusals; docs/endpoints.md has them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from benchwright.domain.campaign import Model

MARK = "cache_control"  # what `omit` calls it, too
MARKED = {"anthropic", "bedrock", "vertex_ai", "openrouter", "azure_ai", "databricks"}  # owners as litellm has them
COMPLETION = {"max_tokens": "max_completion_tokens"}
REASONING = re.compile(r"(^|/)(o\d|gpt-5(?!.*chat))", re.IGNORECASE)  # models of OpenAI that take one temperature only


@dataclass(frozen=True, slots=True)
class Manner:
    """What a host calls some parameters, what it refuses, and what it refuses for reasoning models."""

    rename: Mapping[str, str] = field(default_factory=dict)
    omit: frozenset[str] = frozenset()
    reasoning_omit: frozenset[str] = frozenset()


NO_SEED = Manner(omit=frozenset({"seed"}))
OPENAI = Manner(COMPLETION, reasoning_omit=frozenset({"temperature", "top_p"}))
MANNERS: tuple[tuple[str, Manner], ...] = (  # by the end of a host's name
    ("api.openai.com", OPENAI),
    (".openai.azure.com", OPENAI),
    (".services.ai.azure.com", OPENAI),
    ("api.mistral.ai", Manner({"seed": "random_seed"})),
    ("generativelanguage.googleapis.com", NO_SEED),
    ("api.perplexity.ai", NO_SEED),
    ("api.sambanova.ai", NO_SEED),
    ("api.z.ai", NO_SEED),
    ("open.bigmodel.cn", NO_SEED),
)


def marks_cache(model: Model) -> bool:
    """Whether a mark tells the provider what to put into its cache: Claude, by the ways that pass the mark on."""
    owner = model.target.partition("/")[0] if "/" in model.target else "anthropic"  # as litellm takes a bare name
    if MARK in model.omit or "claude" not in model.target.casefold():
        return False
    if model.provider == "direct":
        return (urlsplit(model.base_url).hostname or "").endswith("openrouter.ai")
    return model.provider == "litellm" and owner in MARKED


def manner(model: Model) -> Manner:
    """The manner of the host that serves a model; that of litellm is litellm's own business."""
    host = urlsplit(model.base_url).hostname or ""
    known = (one for end, one in MANNERS if host.endswith(end)) if model.provider == "direct" else ()
    return next(iter(known), Manner())


def fit(model: Model, body: Mapping[str, Any]) -> dict[str, Any]:
    """A request's body as it goes out: without what is omitted, under the names of its host, with what is extra."""
    found = manner(model)
    omitted = {*found.omit, *model.omit} | (found.reasoning_omit if REASONING.search(model.target) else set())
    names = {**found.rename, **model.rename}
    kept = {names.get(key, key): part for key, part in body.items() if key not in omitted}
    return {key: part for key, part in kept.items() if key not in model.omit} | dict(model.extra)
