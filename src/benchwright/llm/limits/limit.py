"""No faster than a provider allows: calls in flight, requests a minute and tokens a minute, for each endpoint.

There is one line for each endpoint and no lock: all decisions are made in one thread, between two waits. The first in
line leaves when the endpoint is not cooling down, a place in its width is free and the minute has room. While the
minute has no room for the first, others may leave before it, in their order, if that does not make it wait longer: so
a long prompt neither starves nor holds up the short ones behind it. Processes that share an endpoint share its minute;
between them there is no order.

A call holds its place from the moment it leaves until it has ended, and nothing else: no wrapper above waits with a
place in its hand. The line moves when someone joins, ends or gives up, and when time alone makes room; it is not looked
at in between, unless another process asks the same endpoint.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from benchwright.clock import steady
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BadRequest, Down, Exhausted, RateLimited, Unsent
from benchwright.llm.gateway import Llm
from benchwright.llm.limits.shared import Book, book
from benchwright.llm.limits.tokens import Expected, prompt_tokens
from benchwright.llm.limits.width import Width
from benchwright.llm.limits.window import LONGEST, NO_LIMIT, Window
from benchwright.llm.providers.endpoint import Endpoint, endpoint, endpoints

STORM = 20  # refusals in a row of which people are told
LONG_WAIT = 30.0  # seconds that people are told of at once
SAY_EVERY = 60.0  # seconds between two such words
BEHIND = 64  # how many of the line may be looked at for one that can leave before the first
LOOK = 1.0  # seconds between two looks at what another process has given back


@dataclass(frozen=True, slots=True)
class Traffic:
    """How it goes at one endpoint, named by the first model that uses it. `cooling` in seconds since the epoch."""

    model: str
    width: int  # calls that may be in flight now
    most: int
    flying: int
    waiting: int
    cooling: float | None
    requests: int  # of the last minute, like the tokens; of all processes where there are limits
    tokens: int


@dataclass(eq=False, slots=True)
class Call:
    """A request in line; in flight once it has a number."""

    tokens: int  # reserved
    turn: "asyncio.Future[Exhausted | Unsent | None]"  # what comes instead of its turn
    number: int = 0
    left: float = 0.0  # by the gate's clock


def silent(_: str) -> None:
    """Tell nobody."""


class Gate:
    """The way to one endpoint."""

    def __init__(self, model: Model, kept: Book, now: Callable[[], float], say: Callable[[str], None] = silent) -> None:
        """`model` holds the limits of all who share the endpoint, `kept` its last minute.

        `say` is told when the endpoint has given nothing but refusals for a while.
        """
        self.model = model
        self.say = say
        self.refused = 0  # calls since the last reply
        self.quiet = 0.0  # until when nothing is said of refusals
        self.book = kept
        self.now = now
        self.width = Width(model.width, model.adaptive and model.provider != "local")
        self.expected = Expected()
        self.line: deque[Call] = deque()
        self.flying = 0
        self.timer: asyncio.TimerHandle | None = None

    def tokens_to_reserve(self, request: Request) -> int:
        """Tokens that the request may use, at most a minute's worth; raises `BadRequest` where no minute is enough."""
        tpm = self.model.tpm
        if not tpm:
            return 0
        prompt = prompt_tokens(request)
        if prompt > tpm:
            advice = f"more than the {tpm} a minute that tpm allows: raise tpm, or use shorter documents"
            raise BadRequest(f"model {request.model.name!r}: a prompt of about {prompt} tokens is {advice}")
        return min(prompt + self.expected.reply(request.step, request.model.max_tokens), tpm)

    async def enter(self, request: Request) -> Call:
        """Wait until this request may leave; raises `Exhausted` where it never may, `Unsent` where the run stops."""
        call = Call(self.tokens_to_reserve(request), asyncio.get_running_loop().create_future())
        self.line.append(call)
        self.move()
        try:
            instead = await call.turn
        except asyncio.CancelledError:
            self.withdraw(call)
            raise
        if instead:
            raise copy(instead)  # each who waits gets an error of his own
        return call

    def withdraw(self, call: Call) -> None:
        """The caller gives up before the request was sent: nothing of it counts."""
        if call.number:
            self.land(call, None)
        elif call in self.line:
            first = self.line[0] is call
            self.line.remove(call)
            if first:
                self.move()

    def move(self, *, tell: bool = False) -> None:
        """Let leave who may, and come back when time makes room; `tell` other processes in any case."""
        if self.timer:
            self.timer.cancel()
            self.timer = None
        free = bool(self.line) and self.flying < self.width.now
        if not free and not tell:
            return
        now = self.now()
        with self.book.hold(now) as window:
            wake = self.release(window, now) if free else None
        if wake is not None:
            soonest = min(wake, now + LOOK) if self.book.company else wake
            self.timer = asyncio.get_running_loop().call_later(soonest - now, self.move)

    def release(self, window: Window, now: float) -> float | None:
        """Let leave who may; returns when time makes room for the first who may not, None if it is not time."""
        while self.line and self.flying < self.width.now:
            first = self.line[0]
            if first.turn.done():  # cancelled, but not told yet
                self.line.popleft()
            elif window.cooling > now:
                return window.cooling
            elif window.room(first.tokens).enough:
                self.depart(self.line.popleft(), now)
            else:
                return self.overtake(window, now)
        return None

    def overtake(self, window: Window, now: float) -> float:
        """Let leave whom the first does not have to wait longer for; returns when the first may leave."""
        first, *others = islice(self.line, BEHIND)
        when, _, tokens = window.opening(first.tokens)
        for call in others:
            if self.flying + 1 >= self.width.now or not window.room(0).enough:
                break
            if call.tokens <= tokens and window.room(call.tokens).enough and not call.turn.done():
                self.line.remove(call)
                self.depart(call, now)
                tokens -= call.tokens
        return when

    def depart(self, call: Call, now: float) -> None:
        """The call is in flight from here on."""
        call.left, call.number = now, self.width.depart()
        self.flying += 1
        self.book.add(now, 1, call.tokens)
        call.turn.set_result(None)

    def land(self, call: Call, used: int | None) -> None:
        """The call has ended and used so many tokens; None where it was not even sent."""
        self.flying -= 1
        if used is None:
            self.book.add(call.left, -1, -call.tokens)
        else:
            excess = used - call.tokens
            self.book.add(self.now() if excess > 0 else call.left, 0, excess)
        self.move(tell=True)

    def record_answer(self, call: Call, request: Request, reply: Reply) -> int:
        """Learn from a reply; returns the tokens that it used, those reserved where the provider does not count."""
        self.width.record_success(call.number)
        self.refused = 0
        if reply.usage.completion:
            self.expected.learn(request.step, reply.usage.completion)
        return reply.usage.prompt + reply.usage.completion or call.tokens

    def record_refusal(self, call: Call, error: RateLimited) -> int:
        """Fewer calls, and none for a while; returns the tokens used, which is none."""
        rest, now = self.width.record_refusal(call.number), self.now()
        wait = min(error.retry_after or rest, LONGEST)
        self.book.cool(now + wait)
        self.refused += 1
        if (self.refused >= STORM or wait >= LONG_WAIT) and now >= self.quiet:
            self.quiet = now + SAY_EVERY
            calls = f"{self.refused} calls in a row" if self.refused > 1 else "a call"
            self.say(
                f"{self.model.name}: the endpoint refuses {calls}, too fast for it; the next leaves in {wait:.0f} s"
            )
        return 0

    def dismiss(self, error: Exhausted | Unsent) -> None:
        """Nobody waits in line: the endpoint gives nothing for a long time, or the run stops."""
        while self.line:
            call = self.line.popleft()
            if not call.turn.done():
                call.turn.set_result(error)

    def traffic(self) -> Traffic:
        """How it goes."""
        now, window = self.now(), self.book.window
        window.turn(now)
        cooling = window.cooling if window.cooling > now else None
        name, most, width = self.model.name, self.model.width, self.width.now
        return Traffic(name, width, most, self.flying, len(self.line), cooling, window.requests, window.tokens)


class Limit:
    """Lets each request pass when its endpoint's turn comes; nothing is held while anyone is asked again."""

    def __init__(
        self,
        inner: Llm,
        models: Iterable[Model],
        state: Path | None = None,
        say: Callable[[str], None] = silent,
        now: Callable[[], float] = steady,
    ) -> None:
        """`models` are all that may be asked for; those of the same endpoint share its limits.

        `state` is the folder that processes share them through, None for none; `say` is told once if it cannot be
        used. `now` gives seconds of a clock that all processes of the machine share.
        """
        self.inner = inner
        self.say = say
        self.said = False
        self.leaving = False
        self.gates: dict[Endpoint, Gate] = {}
        for key, model in endpoints(models).items():
            window = Window(model.rpm or NO_LIMIT, model.tpm or NO_LIMIT)
            folder = None if model.provider == "local" else state
            self.gates[key] = Gate(model, book(window, key, folder, self.tell), now, say)

    async def ask(self, request: Request) -> Reply:
        """The reply, when it is this request's turn."""
        if self.leaving:
            raise Unsent
        gate = self.gates[endpoint(request.model)]
        call = await gate.enter(request)
        used: int | None = call.tokens  # also where the call fails: the provider may have worked on it
        try:
            reply = await self.inner.ask(request)
            used = gate.record_answer(call, request, reply)
        except RateLimited as error:
            used = gate.record_refusal(call, error)
            raise
        except Down as error:
            used = call.tokens if error.asked else None
            raise
        except Unsent:
            used = None
            raise
        except Exhausted as error:
            gate.dismiss(error)
            raise
        finally:
            gate.land(call, used)
        return reply

    def leave(self) -> None:
        """The run stops: who waits in line goes home, and nobody joins it."""
        self.leaving = True
        for gate in self.gates.values():
            gate.dismiss(Unsent())

    @property
    def flying(self) -> int:
        """How many calls have left and not yet ended."""
        return sum(gate.flying for gate in self.gates.values())

    def traffic(self) -> tuple[Traffic, ...]:
        """How it goes at each endpoint."""
        return tuple(gate.traffic() for gate in self.gates.values())

    def tell(self, message: str) -> None:
        """Say what is wrong with the shared state, once."""
        if not self.said:
            self.said = True
            self.say(message)
