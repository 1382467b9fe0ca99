"""An endpoint on loopback that costs next to nothing itself: one fixed completion, at once or after a latency.

Run as `python -m bench.endpoint --latency 0.5`: it prints its base_url, and serves until it is killed.
"""

import asyncio
import json
from argparse import ArgumentParser

SAID = {"verdict": "yes", "why": "Sentence 4 says that the wells were closed after the flood.", "evidence": [4]}
BODY = json.dumps(
    {
        "id": "chatcmpl-0",
        "object": "chat.completion",
        "model": "stub",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(SAID)}}
        ],
        "usage": {"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930},
    }
).encode()
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(BODY), BODY)
LENGTH = b"content-length:"


class Conversation(asyncio.Protocol):
    """One connection: the answer for each request that is complete."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
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
            del self.read[:whole]
            if self.latency:
                asyncio.get_running_loop().call_later(self.latency, self.out.write, ANSWER)
            else:
                self.out.write(ANSWER)


async def main(latency: float) -> None:
    """Serve until killed."""
    server = await asyncio.get_running_loop().create_server(lambda: Conversation(latency), "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    options = ArgumentParser(prog="python -m bench.endpoint", description=__doc__)
    options.add_argument("--latency", type=float, default=0.0, help="seconds that each answer takes")
    asyncio.run(main(options.parse_args().latency))
