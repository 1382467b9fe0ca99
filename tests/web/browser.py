"""Headless Chromium, driven by its own protocol over two pipes: no driver, no port, no other package."""

import asyncio
import base64
import json
import os
import shutil
from asyncio import StreamReader
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-sandbox",  # tests run as root in containers; they load nothing but our own pages
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--no-first-run",
    "--hide-scrollbars",
)


@dataclass
class Browser:
    """A running browser: commands go out on one pipe, replies and events come in on another."""

    write: int
    replies: dict[int, "asyncio.Future[dict[str, Any]]"] = field(default_factory=dict)
    ids: "count[int]" = field(default_factory=lambda: count(1))
    events: list[dict[str, Any]] = field(default_factory=list)

    async def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        number = next(self.ids)
        self.replies[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self.write, json.dumps(message).encode() + b"\0")
        found = await asyncio.wait_for(self.replies[number], 30)
        assert "error" not in found, (method, found)
        return dict(found["result"])

    async def listen(self, reader: StreamReader) -> None:
        while True:
            try:
                message = json.loads((await reader.readuntil(b"\0"))[:-1])
            except asyncio.IncompleteReadError:
                return
            if "id" in message:
                self.replies.pop(message["id"]).set_result(message)
            else:
                self.events.append(message)

    @asynccontextmanager
    async def person(self) -> "AsyncIterator[Tab]":
        """A window with cookies of its own."""
        context = (await self.call("Target.createBrowserContext"))["browserContextId"]
        target = (await self.call("Target.createTarget", url="about:blank", browserContextId=context))["targetId"]
        session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            await tab.call(f"{domain}.enable")
        yield tab
        await self.call("Target.disposeBrowserContext", browserContextId=context)


@dataclass
class Tab:
    """One page."""

    browser: Browser
    session: str

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        return await self.browser.call(method, self.session, **params)

    async def run(self, script: str) -> Any:
        """The value of a script's last expression."""
        found = await self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def until(self, script: str) -> Any:
        """The first truthy value of a script; looked for again and again, over new pages too."""
        for _ in range(400):
            try:
                if value := await self.run(script):
                    return value
            except AssertionError:  # the page is being replaced
                pass
            await asyncio.sleep(0.025)
        raise AssertionError(script, await self.run("document.body.innerText"))

    async def moved(self, act: Callable[[], Awaitable[object]]) -> None:
        """Do something that loads another page, and wait for that."""
        await self.run("window.before = true")
        await act()
        await self.until("!window.before && document.readyState === 'complete'")

    async def open(self, url: str) -> None:
        await self.moved(lambda: self.call("Page.navigate", url=url))

    async def click(self, selector: str) -> None:
        """Click on an element that loads another page."""
        await self.moved(lambda: self.run(f"document.querySelector({json.dumps(selector)}).click()"))

    async def key(self, key: str, **more: Any) -> None:
        """Press a key, as a person does."""
        text = {"text": key} if len(key) == 1 and not more else {}
        code = {"Enter": 13, "Escape": 27}.get(key, ord(key.upper()) if len(key) == 1 else 0)
        for kind in ("keyDown", "keyUp"):
            named = {"type": kind, "key": key, "windowsVirtualKeyCode": code}
            await self.call("Input.dispatchKeyEvent", **named, **(text if kind == "keyDown" else {}), **more)

    async def type(self, text: str) -> None:
        """Type into what has the focus."""
        await self.call("Input.insertText", text=text)

    async def text(self) -> str:
        return str(await self.run("document.body.innerText"))

    async def look(self, width: int, height: int, scheme: str, path: Path) -> None:
        """A picture of the page."""
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        await self.call("Emulation.setEmulatedMedia", features=features)
        await asyncio.sleep(0.2)
        path.write_bytes(base64.b64decode((await self.call("Page.captureScreenshot"))["data"]))

    def complaints(self) -> list[str]:
        """What the page's console holds: faults of scripts, violated policies."""
        mine = [event for event in self.browser.events if event.get("sessionId") == self.session]
        logged = [event["params"]["entry"]["text"] for event in mine if event["method"] == "Log.entryAdded"]
        return logged + [str(event["params"]) for event in mine if event["method"] == "Runtime.exceptionThrown"]


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser for one test."""
    assert CHROMIUM
    ours_out, theirs_in = os.pipe()
    theirs_out, ours_in = os.pipe()
    # It expects its pipes at 3 and 4.
    shell = f'exec 3<&{theirs_out} 4>&{theirs_in}; exec "$0" "$@" 2>/dev/null'
    with TemporaryDirectory(prefix="chromium-") as profile:
        process = await asyncio.create_subprocess_exec(
            "bash", "-c", shell, CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank",
            pass_fds=(theirs_out, theirs_in), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_out)
        os.close(theirs_in)
        reader = StreamReader(limit=1 << 26)
        pipe = os.fdopen(ours_out, "rb")
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), pipe
        )
        browser = Browser(ours_in)
        listening = asyncio.create_task(browser.listen(reader))
        try:
            yield browser
        finally:
            await browser.call("Browser.close")
            await process.wait()
            await listening
            transport.close()
            os.close(ours_in)
