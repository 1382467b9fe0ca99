"""The fake that tests use: a function in, replies out."""

from collections.abc import Callable

from benchwright.domain.call import Reply, Request, Usage


class Scripted:
    """Answers every request with `answer(request)`: a text, a whole reply, or an exception that is raised."""

    def __init__(self, answer: Callable[[Request], str | Reply | Exception]) -> None:
        """`history` holds every request in the order of asking."""
        self.answer = answer
        self.history: list[Request] = []

    async def ask(self, request: Request) -> Reply:
        """The scripted reply; its usage counts words, so that accounts have something to add up."""
        self.history.append(request)
        said = self.answer(request)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Reply):
            return said
        words = sum(len(message.content.split()) for message in request.messages)
        return Reply(said, usage=Usage(words, len(said.split())), cost=0.0, call=request.id)
