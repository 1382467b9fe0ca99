"""Never more than the campaign may cost: each call reserves the most it can come to before it leaves, and settles."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil

from benchwright.domain.budget import NANO, Account, Amount, nano
from benchwright.domain.call import Reply, Request, tokens
from benchwright.domain.campaign import Budget as Cap
from benchwright.domain.campaign import Model
from benchwright.domain.ids import canonical
from benchwright.errors import BenchwrightError, ConfigError, OverBudget
from benchwright.llm import prices
from benchwright.llm.gateway import Llm
from benchwright.llm.limits.tokens import prompt_tokens
from benchwright.llm.replies.manners import marks_cache

NOTHING = Amount()
WAY_OUT = "raise it in the campaign file and run again; what was answered is kept"


@dataclass(frozen=True, slots=True)
class Earlier:
    """What earlier runs cost, and by call what those may come to that a provider still works on.

    `lost` counts the calls in `spent` that were perhaps paid without a reply on record, at the most they can have cost;
    `unknown` the calls of which nobody knows what they cost: they are not in it.
    """

    spent: Amount = NOTHING
    held: Mapping[str, Amount] = field(default_factory=dict)
    lost: int = 0
    unknown: int = 0


def demand_price(model: Model, cap: Cap) -> None:
    """Raise `ConfigError` where a cap in money cannot be kept because nobody knows what the model costs."""
    if cap.usd is not None and prices.price(model) is None:
        raise ConfigError(
            f"model {model.name!r}: no price is known, so [budget] usd = {cap.usd:g} cannot be kept: give it price_in"
            " and price_out (US dollars per million tokens; 0.0 where it is free), or cap tokens instead of usd"
        )


def most(request: Request) -> Amount:
    """The most that a call should come to: its prompt and schema by estimate, and all the room for its reply."""
    prompt = prompt_tokens(request) + tokens(canonical(request.schema))
    money = prices.most(request.model, prompt, request.model.max_tokens, written=marks_cache(request.model))
    return Amount(nano(money or 0), prompt + request.model.max_tokens)


def amount_paid(reply: Reply, reserved: Amount) -> Amount:
    """What a call did come to; where nobody knows, that is what was reserved for it."""
    money = reserved.nano if reply.cost is None else nano(reply.cost)
    counted = reply.usage.prompt + reply.usage.completion
    return Amount(money, counted if reply.usage.prompt else reserved.tokens)


class Budget:
    """Lets a call leave when its cap has room for it; raises `OverBudget` when no reply in flight can make room.

    Calls pass in the order in which they came, so that a dear one is not overtaken for ever by cheap ones.
    """

    def __init__(self, inner: Llm, cap: Cap, earlier: Earlier | None = None) -> None:
        """`earlier` is what counts against the cap already; `demand_price` holds for every model that is asked."""
        earlier = earlier or Earlier()
        self.inner = inner
        self.held = dict(earlier.held)
        self.account = Account(cap, earlier.spent, sum(self.held.values(), NOTHING))
        self.flying = 0
        self.turn = asyncio.Lock()
        self.landed = asyncio.Event()
        self.denser: defaultdict[str, float] = defaultdict(lambda: 1.0)  # by model: how far estimates fell short

    async def ask(self, request: Request) -> Reply:
        """The reply, once there is room for what it may cost."""
        if not self.account.has_cap:
            return await self.inner.ask(request)
        reserved = await self.reserve(request)
        self.flying += 1
        cost = reserved  # a call that is cut off may be paid for all the same
        try:
            reply = await self.inner.ask(request)
            cost = amount_paid(reply, reserved)
            self.learn(request, cost, reserved)
        except BenchwrightError:
            cost = NOTHING
            raise
        finally:
            self.flying -= 1
            self.account = self.account.settle(reserved, cost)
            self.landed.set()
        return reply

    async def reserve(self, request: Request) -> Amount:
        """Reserve for a call, waiting for those in flight where that may help; returns what was reserved."""
        if before := self.held.pop(request.id, None):  # an earlier run sent it: the provider still works on it
            return before
        async with self.turn:
            wanted = self.highest_cost(request)
            while not self.account.fits(wanted):
                if not self.flying:
                    raise OverBudget(self.describe_cap(request, wanted))
                self.landed.clear()
                await self.landed.wait()
                wanted = self.highest_cost(request)
            self.account = self.account.reserve(wanted)
        return wanted

    def highest_cost(self, request: Request) -> Amount:
        """The most that a call can come to, by what is known of its model."""
        estimate, factor = most(request), self.denser[request.model.name]
        return Amount(ceil(estimate.nano * factor), ceil(estimate.tokens * factor))

    def learn(self, request: Request, cost: Amount, reserved: Amount) -> None:
        """A tokenizer that makes more of a text than the estimate does is reckoned with from now on."""
        pairs = ((cost.nano, reserved.nano), (cost.tokens, reserved.tokens))
        over = max((spent / kept for spent, kept in pairs if kept), default=1.0)
        if over > 1:
            self.denser[request.model.name] *= over

    def describe_cap(self, request: Request, wanted: Amount) -> str:
        """Which cap is in the way, what is spent, and the way out."""
        cap, spent, (money, _) = self.account.cap, self.account.spent, self.account.remainder
        if money is not None and wanted.nano > money:
            may = (
                f"cost ${wanted.nano / NANO:.4f}, and of [budget] usd = {cap.usd:g} ${spent.nano / NANO:.4f} are spent"
            )
        else:
            may = f"take {wanted.tokens} tokens, and of [budget] tokens = {cap.tokens} {spent.tokens} are spent"
        return f"the next call to model {request.model.name!r} may {may}: {WAY_OUT}"
