"""The chat-completions format: a request as the body that goes out, the body that comes back as a reply. Pure."""

import json
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)

from benchwright.domain.call import Image, Message, Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.domain.ids import canonical, seeded_random
from benchwright.errors import BadReply, Transient
from benchwright.llm.replies.manners import MARK, fit, marks_cache
from benchwright.llm.replies.reply import clean, json_objects, split_thought

LARGEST = 1 << 20  # bytes of an answer: four times what 64,000 tokens of English are
SAID = 300  # characters of a provider's words
SHOWN = 2_000  # characters kept of an answer that is larger
CHOKE = {"minLength", "maxLength", "pattern", "format", "title", "default", "discriminator"}  # checked here afterwards
NAMED = {"properties", "$defs", "definitions"}  # their keys are names, not keywords
LITERAL = {"enum", "const", "required"}
STOPS = {
    *("", "stop", "stop_sequence", "stop_token", "eos", "eos_token", "end_turn", "end", "complete", "completed"),
    *("finished", "tool_calls", "tool_call", "tool_use", "function_call", "finish_reason_stop"),
}
FINISHES = {
    **dict.fromkeys(STOPS, "stop"),
    **dict.fromkeys(
        ("length", "max_tokens", "model_length", "max_output_tokens", "max_length", "incomplete"), "length"
    ),
    **dict.fromkeys(("token_limit", "model_context_window_exceeded", "context_length_exceeded"), "length"),
    **dict.fromkeys(("content_filter", "content_filtered", "safety", "recitation", "blocklist", "spii"), "filtered"),
    **dict.fromkeys(("prohibited_content", "sensitive", "guardrail_intervened"), "filtered"),
    "refusal": "refused",
}
ENFORCED = {"json_schema", "json_object", "tool"}  # ways of reply in which the endpoint sees to the form


def plain(schema: Any) -> Any:
    """The schema with what endpoints choke on left out, and every object closed with all of its keys required."""
    if isinstance(schema, list):
        return [plain(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: plain_part(key, part) for key, part in schema.items() if key not in CHOKE}
    if "properties" in kept and not kept.get("additionalProperties"):
        kept |= {"additionalProperties": False, "required": list(kept["properties"])}
    return kept


def plain_part(key: str, part: Any) -> Any:
    """The value of one keyword."""
    if key in NAMED:
        return {name: plain(schema) for name, schema in part.items()}
    return part if key in LITERAL else plain(part)


def is_closed(schema: Any) -> bool:
    """Whether every object names its keys: then an endpoint may be strict about it."""
    if isinstance(schema, list):
        return all(is_closed(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    shut = schema.get("type") != "object" or schema.get("additionalProperties") is False
    return shut and all(is_closed(part) for part in schema.values())


def messages(request: Request) -> list[dict[str, Any]]:
    """The turns; where the endpoint is not told the schema, the last one states it."""
    turns = list(request.messages)
    if request.model.reply in {"json_object", "text"}:
        stated = f"Reply with one JSON object of this JSON schema:\n{canonical(plain(request.schema))}"
        turns[-1] = replace(turns[-1], parts=(*turns[-1].parts, stated))
    marks = marks_cache(request.model)
    return [{"role": turn.role, "content": content_of(turn, request.images, marks=marks)} for turn in turns]


def content_of(turn: Message, images: Mapping[str, bytes], *, marks: bool = False) -> str | list[dict[str, Any]]:
    """What a turn says: a text, or parts of it where it shows images too, or its sources are marked for the cache."""
    marked = turn.sources if marks else 0
    if not (turn.images or marked):
        return turn.content
    parts = [
        {"type": "image_url", "image_url": {"url": data_url(part, images[part.hash])}}
        if isinstance(part, Image)
        else {"type": "text", "text": part}
        for part in turn.parts
    ]
    return [part | {MARK: {"type": "ephemeral"}} if number == marked else part for number, part in enumerate(parts, 1)]


def data_url(image: Image, data: bytes) -> str:
    """An image as an address that holds it."""
    return f"data:{image.media_type};base64,{b64encode(data).decode('ascii')}"


def plain_form(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The plain schema, not to be changed, gone through once for all questions that share it."""
    return plain_text(json.dumps(schema))


@lru_cache(maxsize=256)
def plain_text(schema: str) -> dict[str, Any]:
    """The same, of a schema as JSON, whose order of fields stays."""
    found: dict[str, Any] = plain(json.loads(schema))
    return found


def form(request: Request) -> dict[str, Any]:
    """What the endpoint is asked to enforce: a schema, any JSON, a call of a function with such parameters, nothing."""
    name = request.step or "answer"
    match request.model.reply:
        case "json_schema":
            # the embedded engine enforces lengths and patterns too, which keeps a small model from rambling on
            schema = dict(request.schema) if request.model.provider == "local" else plain_form(request.schema)
            named = {"name": name, "schema": schema} | ({"strict": True} if is_closed(schema) else {})
            return {"response_format": {"type": "json_schema", "json_schema": named}}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case "tool":
            function = {"name": name, "description": "Give the answer.", "parameters": plain(request.schema)}
            return {
                "tools": [{"type": "function", "function": function}],
                "tool_choice": {"type": "function", "function": {"name": name}},
            }
        case _:
            return {}


def body(request: Request) -> dict[str, Any]:
    """What goes out. Samples of the same question differ by their seed."""
    model = request.model
    wanted = {
        "model": model.target,
        "messages": messages(request),
        "max_tokens": model.max_tokens,
        "temperature": model.temperature,
        "top_p": model.top_p,
        "seed": seeded_random(request.seed, request.run).getrandbits(31),
    }
    streamed = {"stream": True, "stream_options": {"include_usage": True}} if model.stream else {}
    known = {key: value for key, value in wanted.items() if value is not None}
    return fit(model, known | streamed | form(request))


class Lenient(BaseModel):
    """A part of a provider's body: what we do not know is no error."""

    model_config = ConfigDict(extra="ignore")


def none_if_odd(value: Any, read: ValidatorFunctionWrapHandler) -> Any:
    """What can be read; None of a form that nobody expects: a reply is not lost for how its tokens are counted."""
    try:
        return read(value)
    except ValidationError:
        return None


class Details(Lenient):
    """Tokens served from the prefix cache, or put into it; tokens of reasoning."""

    cached_tokens: int | None = None
    cache_creation_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


class Counts(Lenient):
    """The provider's token counts."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    prompt_tokens_details: Annotated[Details | None, WrapValidator(none_if_odd)] = None
    completion_tokens_details: Annotated[Details | None, WrapValidator(none_if_odd)] = None
    prompt_cache_hit_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


CountsIfAny: TypeAlias = Annotated[Counts | None, WrapValidator(none_if_odd)]


class Part(Lenient):
    """A piece of a message that comes in pieces: text, or a thought that may come in pieces itself."""

    text: str | None = None
    thinking: "str | list[Part] | None" = None


def as_part(value: Any) -> Any:
    """A piece that is a bare text as the piece that holds it."""
    return {"text": value} if isinstance(value, str) else value


class Function(Lenient):
    """A call of a function: its arguments are JSON, as text or as a value."""

    arguments: str | dict[str, Any] | None = None


class ToolCall(Lenient):
    """A call of a tool."""

    function: Function | None = None


class Said(Lenient):
    """What the model wrote."""

    content: str | list[Annotated[Part, BeforeValidator(as_part)]] | dict[str, Any] | None = None
    function_call: Function | None = None
    tool_calls: list[ToolCall] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    thinking_blocks: list[Part] | None = None
    refusal: str | None = None


class Choice(Lenient):
    """One reply of the model."""

    message: Said
    finish_reason: Annotated[str | None, WrapValidator(none_if_odd)] = None
    error: Any = None


class Completion(Lenient):
    """The body of a completed call."""

    choices: list[Choice] = Field(min_length=1)
    usage: CountsIfAny = None


def usage(counts: Counts | None) -> Usage:
    """The counts; zeros where the provider gave none, or impossible ones.

    Some count reasoning beside the completion: the total tells.
    """
    if counts is None:
        return Usage()
    prompt, completion = counts.prompt_tokens or 0, counts.completion_tokens or 0
    shown = counts.prompt_tokens_details or Details()
    return Usage(
        prompt=prompt,
        completion=max(completion, (counts.total_tokens or 0) - prompt) if prompt else completion,
        cached=shown.cached_tokens or counts.prompt_cache_hit_tokens or 0,
        thinking=(counts.completion_tokens_details or Details()).reasoning_tokens or 0,
        written=shown.cache_creation_tokens or shown.cache_write_tokens or counts.cache_creation_input_tokens or 0,
    ).credible


def reply(request: Request, text: str | bytes, latency: float) -> Reply:
    """The reply in the body that came back; raises `Transient` where it holds none, or its provider failed."""
    name = request.model.name
    try:
        completion = Completion.model_validate(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise Transient(f"model {name!r}: {explain_body(text, error)}") from None
    choice = completion.choices[0]
    said = choice.message
    aloud, written = split_thought(clean(content(said, called=request.model.reply == "tool")))
    thoughts = [thought for thought in (clean(reasoning_text(said)), aloud) if thought]
    finish = "refused" if said.refusal else FINISHES.get((choice.finish_reason or "").casefold())
    if choice.error or (finish is None and sole_object(written) is None):
        raise Transient(f"model {name!r}: the provider failed within the reply ({describe_end(choice)})")
    if finish in {"stop", None} and not written.strip() and request.model.reply in ENFORCED:
        written = sole_object(clean(reasoning_text(said))) or ""  # some servers take the whole reply for a thought
    return Reply(
        text=written,
        reasoning="\n\n".join(thoughts),
        finish=finish or "stop",
        usage=usage(completion.usage),
        latency=latency,
        call=request.id,
    )


def sole_object(text: str) -> str | None:
    """The JSON object in a text that holds just one."""
    try:
        [found] = json_objects(text)
    except (BadReply, ValueError):
        return None
    return found


def describe_end(choice: Choice) -> str:
    """How a reply ended whose provider failed, in its words."""
    said = choice.error.get("message") if isinstance(choice.error, dict) else choice.error
    return " ".join(filter(None, (f"finish_reason {choice.finish_reason!r}", str(said or "")[:SAID])))


def oversized_reply(request: Request, text: str, latency: float) -> Reply:
    """What is kept of an answer larger than `LARGEST`: it is paid for, but nobody waits for its end."""
    return Reply(clean(text[:SHOWN]), finish="oversized", latency=latency, call=request.id)


def content(said: Said, *, called: bool) -> str:
    """What the model wrote: the arguments of its calls where one was asked for, else its text or its refusal."""
    functions = [call.function for call in said.tool_calls or ()] + [said.function_call]
    asked_for = "\n".join(filter(None, (arguments(function) for function in functions if function)))
    if called and asked_for:
        return asked_for
    if isinstance(said.content, dict):
        return json.dumps(said.content, ensure_ascii=False)
    text = said.content if isinstance(said.content, str) else "".join(part.text or "" for part in said.content or ())
    return text or said.refusal or asked_for


def arguments(function: Function) -> str:
    """The arguments of a call as JSON."""
    given = function.arguments or ""
    return given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)


def reasoning_text(said: Said) -> str:
    """What the provider itself tells apart as the model's reasoning, by whichever of its names."""
    parts = said.thinking_blocks or (said.content if isinstance(said.content, list) else ())
    return said.reasoning_content or said.reasoning or "\n\n".join(filter(None, map(thought_text, parts)))


def thought_text(part: Part) -> str:
    """The thought in a piece of a message."""
    inner = part.thinking or ""
    return inner if isinstance(inner, str) else "".join(piece.text or "" for piece in inner)


def error_code(text: str) -> int:
    """The status that some endpoints put into the body of a 200, in place of a reply or beside it; 0 for none."""
    if '"error"' not in text:
        return 0
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return 0
    choices = value.get("choices") if isinstance(value, dict) else None
    places = [value, *(choices if isinstance(choices, list) else ())]
    error = next((place["error"] for place in places if isinstance(place, dict) and place.get("error")), None)
    code = str(error.get("code") or error.get("status") or "") if isinstance(error, dict) else ""
    return (int(code) if code.isdecimal() and 400 <= int(code) < 600 else 500) if error else 0


def served_models(model: Model, text: str) -> list[str]:
    """The names in an endpoint's list of models, in any form in use; raises `Transient` where the body is no JSON."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Transient(f"model {model.name!r}: {explain_body(text, error)}") from None
    if isinstance(value, dict):
        value = next((value[key] for key in ("data", "models") if isinstance(value.get(key), list)), ())
    entries = value if isinstance(value, list) else []
    names = (entry if isinstance(entry, str) else model_name(entry) for entry in entries)
    return [name for name in names if name]


def model_name(entry: Any) -> str:
    """The name in an entry of a list of models."""
    found = (
        next((entry.get(key) for key in ("id", "name", "model") if entry.get(key)), "")
        if isinstance(entry, dict)
        else ""
    )
    return str(found)


def explain_body(text: str | bytes, error: Exception) -> str:
    """Why a body is no completion, with its beginning."""
    begins = (text if isinstance(text, str) else text.decode("utf-8", "replace"))[:120]
    kind = "JSON, but not of the form expected" if isinstance(error, ValidationError) else "no JSON"
    return f"the endpoint's answer is {kind}; it begins with {begins!r}"
