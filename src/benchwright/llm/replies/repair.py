"""A reply that cannot be used is shown back to the model once, with the reason; a cut one gets more room."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchwright.domain.call import Message, Reply, Request
from benchwright.errors import BadReply, BadRequest, Refused, Rejected
from benchwright.llm.gateway import Llm
from benchwright.llm.limits.tokens import prompt_tokens
from benchwright.llm.replies.mend import mend_object
from benchwright.llm.replies.reply import BEGIN, END, clean, json_objects

GROWTH, ROOMS = 4, 3  # a model that was still thinking gets so many times the room, and so often
QUOTED_MOST = 2000  # characters of a bad reply that are shown back
ADVICE = "Reply again with one complete JSON object of the form asked for, and nothing else."
THINKING = (
    "while the model was still thinking: raise max_tokens, or let it think less, such as with"
    ' extra = { reasoning_effort = "low" } or extra = { chat_template_kwargs = { enable_thinking = false } }'
)
REJECTIONS = 3  # of one correction, without words that explain it, before it is taken for what it says
REFUSALS = {"refused": "the model declined to answer", "filtered": "the provider's content filter held back the answer"}


def accept_reply(request: Request, reply: Reply) -> tuple[str, str]:
    """The canonical body of the answer, and what could be better; raises `BadReply` with its cause, or `Refused`."""
    if reply.finish in REFUSALS:
        message = f"model {request.model.name!r}: {REFUSALS[reply.finish]}"
        raise Refused(message, reply.finish)
    if reply.finish == "oversized":
        raise BadReply("the endpoint's answer is larger than any reply; its rest was not read", reply.text, "oversized")
    try:
        bodies = json_objects(reply.text)
    except BadReply as error:
        if reply.finish != "length":
            raise
        raise BadReply(describe_cut(request, reply), reply.text, "truncated") from error
    return one_answer(request, reply, bodies)


def describe_cut(request: Request, reply: Reply) -> str:
    """Where a reply was cut off, and what to do about it: a model may still have been thinking, in whatever form."""
    cut = f"the reply was cut off after {request.model.max_tokens} tokens"
    if still_thinks(reply):
        return f"{cut}, {THINKING}"
    return f"{cut}: raise max_tokens of [models.{request.model.name}], and context if the endpoint holds more"


def still_thinks(reply: Reply) -> bool:
    """Whether a reply that was cut off has thoughts alone, in a field of their own or behind an opening tag."""
    said = reply.text.strip()
    return bool(BEGIN.match(said) and not END.search(said)) if said else bool(reply.reasoning)


def one_answer(request: Request, reply: Reply, bodies: Sequence[str]) -> tuple[str, str]:
    """The one answer that some of these objects hold, as they are or mended; two different answers are none.

    With it comes what its writer should mend, "" where nothing is.
    """
    faults: list[BadReply] = []
    for read in (str, lambda body: mend_object(body, request.schema)):
        found: dict[str, str] = {}
        for body in map(read, bodies):
            try:
                found[request.accept(body)] = body
            except BadReply as error:
                faults.append(error)
        if len(found) > 1:
            message = f"the reply holds {len(found)} different answers; one is wanted"
            raise BadReply(message, reply.text, "several")
        if found:
            answer, body = found.popitem()
            return answer, request.objections(body)
    raise BadReply(str(faults[0]), reply.text, faults[0].cause) from faults[0]


def roomier(request: Request, reply: Reply) -> Request | None:
    """The same question with more room for its reply, as far as the context allows; None if it allows no more."""
    model = request.model
    room = model.context - (reply.usage.prompt or prompt_tokens(request))
    most = min((GROWTH if still_thinks(reply) else 2) * model.max_tokens, room)
    return replace(request, model=replace(model, max_tokens=most)) if most > model.max_tokens else None


def correction_request(request: Request, reply: Reply, error: BadReply) -> Request:
    """The same question, the reply, and what is wrong with it."""
    said = clean(reply.text).strip()[:QUOTED_MOST] or "(nothing)"
    turns = (Message("assistant", (said,)), Message("user", (f"Your reply cannot be used: {error}\n{ADVICE}",)))
    return replace(request, messages=request.messages + turns)


@dataclass(frozen=True, slots=True)
class Left:
    """What may still be done about bad replies: how often one is shown back, how often a cut one gets more room."""

    turns: int
    rooms: int


def again(request: Request, reply: Reply, error: BadReply, left: Left) -> tuple[Request, Left] | None:
    """The next thing to ask after a bad reply and what is left then; None where the reply is the outcome."""
    match error.cause:
        case "oversized":
            return None
        case "truncated":
            more = roomier(request, reply) if left.rooms else None
            rooms = left.rooms - 1 if still_thinks(reply) else 0  # one that rambles does so in any room
            return (more, replace(left, rooms=rooms)) if more else None
    return (correction_request(request, reply, error), replace(left, turns=left.turns - 1)) if left.turns else None


class Repair:
    """Returns replies whose `text` is the accepted body; raises the last `BadReply` when nothing is left to do."""

    def __init__(self, inner: Llm, turns: int = 1) -> None:
        """`turns` is how often a bad reply is shown back; apart from that a cut one gets more room."""
        self.inner = inner
        self.left = Left(turns, rooms=ROOMS)

    async def ask(self, request: Request) -> Reply:
        """The accepted reply; `call` names the one call of perhaps several that it came from."""
        return await self.attempt(request, self.left)

    async def attempt(self, request: Request, left: Left) -> Reply:
        """Ask; after a bad reply ask again while something is left to do."""
        reply = await self.inner.ask(request)
        try:
            text, objections = accept_reply(request, reply)
        except BadReply as error:
            error.calls, error.recorded = (reply.call,), reply.recorded
            following = again(request, reply, error, left)
            if following is None:
                raise
            try:
                return await self.insist(*following)
            except (BadRequest, Rejected):  # such as where the correction does not fit: the bad reply is the outcome
                raise error from None
            except BadReply as later:
                later.calls = (reply.call, *later.calls)
                raise
        usable = replace(reply, text=text)
        if not (objections and left.turns):
            return usable
        return await self.improve(request, reply, usable, left, BadReply(objections))

    async def improve(self, request: Request, reply: Reply, usable: Reply, left: Left, fault: BadReply) -> Reply:
        """A reply that can be used is shown back once for its faults; if nothing better comes, it is the outcome."""
        try:
            return await self.attempt(correction_request(request, reply, fault), replace(left, turns=left.turns - 1))
        except (BadReply, BadRequest, Rejected, Refused):
            return usable

    async def insist(self, request: Request, left: Left) -> Reply:
        """Ask again, also where the endpoint rejects that without a reason: some prompts pass at the next try."""
        for _ in range(REJECTIONS - 1):
            try:
                return await self.attempt(request, left)
            except Rejected as error:
                if error.cause != "refused":
                    raise
        return await self.attempt(request, left)
