"""A small web on loopback: sites under invented names, and what they were asked."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path

from benchwright.corpus.addresses import Address, is_public
from benchwright.corpus.fetch import Manners


@dataclass(frozen=True)
class Gives:
    """What an address answers; `wait` seconds before."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0


@dataclass
class Web:
    """`pages` by "host/path"; a list is used up one by one. `asked` are such addresses, with the moments of asking."""

    pages: dict[str, Gives | list[Gives]]
    port: int = 0
    asked: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    moments: list[float] = field(default_factory=list)
    open: int = 0
    widest: int = 0
    numbers: dict[str, list[str]] = field(default_factory=dict)  # other numbers of some hosts

    async def resolve(self, host: str, _port: int) -> list[str]:
        return self.numbers.get(host, ["127.0.0.1"])

    def may_ask(self, address: Address) -> bool:
        """Loopback stands for the public net here; all else is judged as it is."""
        return address == ip_address("127.0.0.1") or is_public(address)

    def manners(self, **more: object) -> Manners:
        given = {"gap": 0.0, "seconds": 5.0, "resolve": self.resolve, "may_ask": self.may_ask} | more
        return Manners(**given)  # type: ignore[arg-type]

    def url(self, address: str) -> str:
        host, _, path = address.partition("/")
        return f"http://{host}:{self.port}/{path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.open += 1
        self.widest = max(self.widest, self.open)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split(" ")[1]
            headers = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)
            address = headers["Host"].rpartition(":")[0] + path
            self.asked.append(address)
            self.agents.append(headers["User-Agent"])
            self.moments.append(asyncio.get_running_loop().time())
            found = self.pages.get(address, Gives(status=404))
            gives = found.pop(0) if isinstance(found, list) else found
            await asyncio.sleep(gives.wait)
            lines = [f"HTTP/1.1 {gives.status} X", f"Content-Length: {len(gives.body)}", "Connection: close"]
            lines += [f"{name}: {value}" for name, value in gives.headers.items()]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + gives.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self.open -= 1
            writer.close()


@asynccontextmanager
async def web(pages: Mapping[str, Gives | list[Gives]]) -> AsyncIterator[Web]:
    """Such a web, for as long as the context lasts."""
    made = Web(dict(pages))
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


def fetch_slowly(root: str, port: int, count: int) -> None:
    """In a process of its own: collect from a web on loopback, at a pace that can be cut."""
    from benchwright.collector import Wanted, collect

    site = Web({}, port)
    urls = tuple(site.url(f"a.test/{n}.pdf") for n in range(count))
    asyncio.run(collect(Path(root), Wanted(urls=urls), None, site.manners(gap=0.02), lambda _: None))
