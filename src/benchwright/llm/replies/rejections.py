"""An endpoint that rejects many different requests in a row is not asked further, whatever its words."""

from collections import defaultdict

from benchwright.domain.call import Reply, Request
from benchwright.errors import BadReply, Refused, Rejected
from benchwright.llm.gateway import Llm

WINDOW = 20  # different requests in a row


class Rejections:
    """Raises a rejection's `fault` where it is about the endpoint: by its words, or because others meet the same."""

    def __init__(self, inner: Llm, window: int = WINDOW) -> None:
        """`window` is how many different requests of one role in a row are too many."""
        self.inner = inner
        self.window = window
        self.accepted: set[str] = set()  # models that have replied
        self.rejected: defaultdict[tuple[str, str], set[str]] = defaultdict(set)  # by model and role, since a reply

    async def ask(self, request: Request) -> Reply:
        """The reply. The roles of a model are counted apart, because a role has its own schema."""
        name, row = request.model.name, self.rejected[request.model.name, request.step]
        try:
            reply = await self.inner.ask(request)
        except Rejected as error:
            row.add(request.id)
            if error.certain and name not in self.accepted:
                raise error.fault from None
            if len(row) >= self.window:
                error.fault.locate(f"{len(row)} different requests in a row were rejected")
                raise error.fault from None
            raise
        except (BadReply, Refused):
            self.accepted.add(name)
            row.clear()
            raise
        self.accepted.add(name)
        row.clear()
        return reply
