"""What of a campaign's parameters really goes to a model, for the record: kept, renamed, left out, added.

For endpoints spoken to directly that is what the table of manners and the campaign say; for hosted models litellm is
asked how it translates a request.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from benchwright.domain.call import Message, Request
from benchwright.domain.campaign import Model
from benchwright.llm.replies import chat
from benchwright.llm.replies.manners import MARK, marks_cache

SAMPLE = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
# What litellm keeps for itself among parameters; it says that nothing is streamed by leaving `stream` out.
INTERNAL = {"extra_body", "json_mode", "fake_stream", "max_retries", "extra_headers", "stream"}
FORMS = ("response_format", "tools", "tool_choice")  # what asks for the form of a reply
BY_RUN = "by run"  # a seed: it differs from sample to sample


def describe_sent(model: Model, litellm: Any | None = None) -> dict[str, Any]:
    """What goes out beside the messages, as JSON values: `parameters`, and what was `renamed`, `dropped`, `added`.

    `form` names the parameters that ask for the form of a reply. `litellm` is the library, for models of `litellm`.
    """
    request = Request(model, (Message("user", ("",)),), SAMPLE, step="answer")
    plain = replace(request, model=replace(model, base_url="", extra={}, omit=(), rename={}))
    wanted, sent = parameters(chat.body(plain)), parameters(chat.body(request))
    seed = wanted["seed"]
    if litellm is not None:
        sent = translate(litellm, model, sent)
    renamed = find_renamed(wanted, {key: value for key, value in sent.items() if key not in model.extra})
    added = {key: sent[key] for key in sent.keys() - wanted.keys() - set(renamed.values())}
    form = sorted(key for key, value in sent.items() if isinstance(value, Mapping | list) and key not in model.extra)
    return {
        "parameters": {
            key: BY_RUN if value == seed else value for key, value in sorted(sent.items()) if key not in form
        },
        "form": form,
        "renamed": renamed,
        "dropped": sorted(wanted.keys() - sent.keys() - renamed.keys() - set(FORMS)),
        "added": {key: value for key, value in sorted(added.items()) if key not in form},
        **({"caches": MARK} if marks_cache(model) else {}),
    }


def parameters(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request's body without its model and messages."""
    return {key: value for key, value in body.items() if key not in {"model", "messages"}}


def translate(litellm: Any, model: Model, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as litellm would send them; nested ones without their nest."""
    name, owner, *_ = litellm.get_llm_provider(model.target, api_base=model.base_url or None)
    known = {key: value for key, value in wanted.items() if key not in model.extra}
    found = litellm.utils.get_optional_params(model=name, custom_llm_provider=owner, drop_params=True, **known)
    more = found.get("extra_body") or {}
    return {key: value for key, value in (found | more).items() if key not in INTERNAL} | dict(model.extra)


def find_renamed(wanted: Mapping[str, Any], sent: Mapping[str, Any]) -> dict[str, str]:
    """Which parameters go out under another name: known by their values, which no other parameter has."""
    new = {key: value for key, value in sent.items() if key not in wanted and not isinstance(value, bool)}
    lost = {key: value for key, value in wanted.items() if key not in sent and isinstance(value, int | float)}
    named = {key: [name for name, one in new.items() if one == value] for key, value in lost.items()}
    return {key: names[0] for key, names in named.items() if len(names) == 1}
