"""A model of whose replies none can be used is given up early, however well its endpoint answers."""

from collections import Counter

from benchwright.domain.call import Reply, Request
from benchwright.errors import BadReply, Unusable
from benchwright.llm.gateway import Llm

WINDOW = 20  # unusable replies in a row
SHOWN = 400  # characters of the one that is shown


class Spoil:
    """Raises `Unusable` when the last replies of a model, each after its correction, all ended as `BadReply`."""

    def __init__(self, inner: Llm, window: int = WINDOW) -> None:
        """`window` is how many in a row are too many."""
        self.inner = inner
        self.window = window
        self.causes: dict[str, list[str]] = {}  # by model: of the bad replies since the last good one

    async def ask(self, request: Request) -> Reply:
        """The accepted reply. One usable reply clears a model; refusals and failed calls say nothing about it.

        Nor do replies to a question whose bad replies are findings: a measurement stops nothing, and clears nobody.
        """
        if request.finding:
            return await self.inner.ask(request)
        name = request.model.name
        try:
            reply = await self.inner.ask(request)
        except BadReply as error:
            causes = self.causes.setdefault(name, [])
            causes.append(error.cause)
            if len(causes) >= self.window:
                raise Unusable(self.verdict(name, causes[-self.window :], error)) from None
            raise
        self.causes.pop(name, None)
        return reply

    def verdict(self, name: str, causes: list[str], error: BadReply) -> str:
        """What is wrong, with one reply as it came."""
        counts = ", ".join(f"{cause} {n}" for cause, n in Counter(causes).most_common())
        more = "…" if len(error.raw) > SHOWN else ""
        return (
            f"model {name!r}: {len(causes)} of {len(causes)} replies did not parse ({counts}).\n"
            f"The last one ({error}): {error.raw[:SHOWN]!r}{more}\n"
            "Name another model, or another way of reply, in the campaign file, then run it with --accept-changes: "
            "what was asked is asked again."
        )
