"""An endpoint on loopback that costs next to nothing itself: one completion, at once or after a latency.

Run as `python -m bench.endpoint --latency 0.5`: it prints its base_url, and serves until it is killed. It says the same
to everybody, or with `--recall` what each role of recall asks for.
"""

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Callable
from hashlib import sha256

from bench.roles import said

SAID = {"verdict": "yes", "why": "Sentence 4 says that the wells were closed after the flood.", "evidence": [4]}
LENGTH = b"content-length:"

Say = Callable[[bytes], bytes]


def answer(content: str) -> bytes:
    """A completion with this content, head and all."""
    body = json.dumps(
        {
            "id": "chatcmpl-0",
            "object": "chat.completion",
            "model": "stub",
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 4000, "completion_tokens": 30, "total_tokens": 4030},
        }
    ).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)


ANSWER = answer(json.dumps(SAID))


def always(_: bytes) -> bytes:
    """The same to everybody."""
    return ANSWER


def recall(body: bytes) -> bytes:
    """What the role wants that asks."""
    asked = json.loads(body)
    form = asked["response_format"]["json_schema"]
    return answer(said(form["name"], form["schema"], asked["messages"][-1]["content"], sha256(body).hexdigest()))


class Conversation(asyncio.Protocol):
    """One connection: the answer for each request that is complete."""

    def __init__(self, latency: float, say: Say) -> None:
        self.latency = latency
        self.say = say
        self.read = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Answers go out here."""
        assert isinstance(transport, asyncio.Transport)
        self.out = transport

    def data_received(self, data: bytes) -> None:
        """Answer whatever is whole by now."""
        self.read += data
        while (end := self.read.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.read[:end]).lower()
            at = head.find(LENGTH)
            whole = end + 4 + (int(head[at + len(LENGTH) :].split(b"\r\n", 1)[0]) if at >= 0 else 0)
            if len(self.read) < whole:
                return
            asked = bytes(self.read[end + 4 : whole])
            del self.read[:whole]
            if not asked:  # a list of models, which it has not
                self.out.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")
            elif self.latency:
                asyncio.get_running_loop().call_later(self.latency, self.out.write, self.say(asked))
            else:
                self.out.write(self.say(asked))


async def main(latency: float, say: Say) -> None:
    """Serve until killed."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Conversation(latency, say), "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    options = ArgumentParser(prog="python -m bench.endpoint", description=__doc__)
    options.add_argument("--latency", type=float, default=0.0, help="seconds that each answer takes")
    options.add_argument("--recall", action="store_true", help="answer the roles of recall")
    chosen = options.parse_args()
    asyncio.run(main(chosen.latency, recall if chosen.recall else always))
