"""A reply that cannot be used is shown back to the model once, with the reason; a cut one gets more room."""

from dataclasses import replace

from benchwright.domain.call import Message, Reply, Request
from benchwright.errors import BadReply, BadRequest, Refused
from benchwright.llm.gateway import Llm
from benchwright.llm.reply import clean, json_object
from benchwright.llm.tokens import prompt_tokens

QUOTED_MOST = 2000  # characters of a bad reply that are shown back
ADVICE = "Reply again with one complete JSON object of the form asked for, and nothing else."
REFUSALS = {"refused": "the model declined to answer", "filtered": "the provider's content filter held back the answer"}


def accepted(request: Request, reply: Reply) -> str:
    """The canonical body of the answer; raises `BadReply` with its cause, or `Refused`."""
    if reply.finish in REFUSALS:
        message = f"model {request.model.name!r}: {REFUSALS[reply.finish]}"
        raise Refused(message, reply.finish)
    try:
        body = json_object(reply.text)
    except BadReply as error:
        if reply.finish != "length":
            raise
        message = f"the reply was cut off after {request.model.max_tokens} tokens"
        raise BadReply(message, reply.text, "truncated") from error
    try:
        return request.accept(body)
    except BadReply as error:
        raise BadReply(str(error), reply.text, error.cause) from error


def roomier(request: Request, reply: Reply) -> Request | None:
    """The same question with twice the room for its reply, as far as the context allows; None if it allows none."""
    model = request.model
    room = model.context - (reply.usage.prompt or prompt_tokens(request))
    most = min(2 * model.max_tokens, room)
    return replace(request, model=replace(model, max_tokens=most)) if most > model.max_tokens else None


def corrected(request: Request, reply: Reply, error: BadReply) -> Request:
    """The same question, the reply, and what is wrong with it."""
    said = clean(reply.text).strip()[:QUOTED_MOST] or "(nothing)"
    turns = (Message("assistant", (said,)), Message("user", (f"Your reply cannot be used: {error}\n{ADVICE}",)))
    return replace(request, messages=request.messages + turns)


def again(request: Request, reply: Reply, error: BadReply) -> Request | None:
    """The next thing to ask after a bad reply."""
    return roomier(request, reply) if error.cause == "truncated" else corrected(request, reply, error)


class Repair:
    """Returns replies whose `text` is the accepted body; raises the last `BadReply` when its turns are used up."""

    def __init__(self, inner: Llm, turns: int = 1) -> None:
        """`turns` is how often a bad reply is shown back."""
        self.inner = inner
        self.turns = turns

    async def ask(self, request: Request) -> Reply:
        """The accepted reply; `call` names the one call of perhaps several that it came from."""
        return await self.attempt(request, self.turns)

    async def attempt(self, request: Request, turns: int) -> Reply:
        """Ask; after a bad reply ask again while turns are left."""
        reply = await self.inner.ask(request)
        try:
            return replace(reply, text=accepted(request, reply))
        except BadReply as error:
            following = again(request, reply, error) if turns else None
            if following is None:
                raise
            try:
                return await self.attempt(following, turns - 1)
            except BadRequest:  # the correction no longer fits the context: the bad reply is the outcome
                raise error from None
