"""Tokens estimated without a tokenizer: one for three bytes of UTF-8, rather too many than too few."""

from dataclasses import dataclass, field

from benchwright.domain.call import Request

BYTES = 3  # English has about four bytes a token, numbers and other scripts fewer
IMAGE = 2_000  # of an image; providers count 85 to 4,800, by its size
TURN = 8  # what a chat template adds to a turn
LATEST = 1 / 8  # the weight of the latest reply in the averages


def prompt_tokens(request: Request) -> int:
    """About how many tokens the messages of a request are."""
    size = sum(len(message.content.encode("utf-8", "replace")) for message in request.messages)
    shown = sum(len(message.images) for message in request.messages)
    return size // BYTES + TURN * len(request.messages) + IMAGE * shown


@dataclass(slots=True)
class Expected:
    """How many tokens the next reply of each step may have: a moving average, and twice the usual distance from it."""

    seen: dict[str, tuple[float, float]] = field(default_factory=dict)

    def reply(self, step: str, most: int) -> int:
        """At most `most`, which it is before any reply."""
        if step not in self.seen:
            return most
        mean, spread = self.seen[step]
        return min(most, round(mean + 2 * spread))

    def learn(self, step: str, tokens: int) -> None:
        """A reply has come."""
        mean, spread = self.seen.get(step, (float(tokens), tokens / 2))
        off = tokens - mean
        self.seen[step] = mean + LATEST * off, spread + LATEST * (abs(off) - spread)
