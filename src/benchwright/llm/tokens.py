"""Tokens estimated without a tokenizer: one for three bytes of UTF-8, rather too many than too few."""

from benchwright.domain.call import Request

BYTES = 3  # English has about four bytes a token, numbers and other scripts fewer
TURN = 8  # what a chat template adds to a turn


def prompt_tokens(request: Request) -> int:
    """About how many tokens the messages of a request are."""
    size = sum(len(message.content.encode("utf-8", "replace")) for message in request.messages)
    return size // BYTES + TURN * len(request.messages)
