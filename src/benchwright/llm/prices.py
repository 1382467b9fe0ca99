"""What a call costs: by the campaign's own prices, or by a public list for the model that was asked for.

What a reply says of its model counts for nothing: a server of one's own may call itself anything. A price that nobody
knows is None, never zero. Amounts are exact: decimals of US dollars.
"""

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from benchwright.domain.call import Usage
from benchwright.domain.campaign import Model

MILLION = 1_000_000
SAMPLE = 1_000  # tokens to read a price from: large prompts cost more with some providers
OTHER_NAMES = {"gemini": "google", "vertex_ai": "google", "bedrock": "aws", "together_ai": "together"}
WRITTEN = Decimal("0.25")  # what a prompt costs more that is put into a cache (Anthropic, for five minutes)
HALF = Decimal("0.5")  # what providers with a batch API take for it


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens: of prompts, replies (reasoning included), prompts in the provider's cache."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal

    def of(self, usage: Usage) -> Decimal:
        """US dollars for so many tokens."""
        fresh = Decimal(usage.prompt - usage.cached)
        fresh += usage.written * WRITTEN
        parts = fresh * self.prompt + usage.cached * self.cached + usage.completion * self.completion
        return parts / MILLION


FREE = Price(Decimal(0), Decimal(0), Decimal(0))


def own(model: Model) -> Price | None:
    """The campaign's own price; a model in this process costs nothing unless the campaign says so."""
    if model.price_in is None or model.price_out is None:
        return FREE if model.provider == "local" else None
    cached = model.price_in if model.price_cached is None else model.price_cached
    return Price(*(Decimal(str(price)) for price in (model.price_in, model.price_out, cached)))


@lru_cache(maxsize=256)  # finding the entry takes five times as long as computing with it
def entry(target: str, base_url: str) -> Any | None:
    """The public list's entry of a model; None where it has none."""
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    owner, _, name = target.partition("/")
    one = Tokens(input_tokens=1)
    try:
        if base_url:
            return calc_price(one, target, provider_api_url=base_url)
        if name:
            return calc_price(one, name, provider_id=OTHER_NAMES.get(owner, owner))
        return calc_price(one, owner)
    except LookupError:
        return None


def public_price(model: Model, usage: Usage, *, batch: bool = False) -> Decimal | None:
    """US dollars for so many tokens by the public list; None where the model is not in it."""
    from genai_prices import Usage as Tokens

    found = entry(model.target, model.base_url)
    if found is None:
        return None
    tokens = Tokens(
        input_tokens=usage.prompt,
        cache_read_tokens=usage.cached,
        cache_write_tokens=usage.written,
        output_tokens=usage.completion,
    )
    context = {"processing": "batch"} if batch else None
    total: Decimal = found.model.calc_price(tokens, found.provider, price_context=context).total_price
    return total


def cost(model: Model, usage: Usage, *, batch: bool = False) -> Decimal | None:
    """US dollars for one call; None where the price is unknown or the provider gave no counts."""
    price = own(model)
    if price is FREE:
        return Decimal(0)
    if not usage.prompt:
        return None
    if price:
        return price.of(usage) * (HALF if batch else 1)
    return public_price(model, usage, batch=batch)


def most(model: Model, prompt: int, completion: int, *, written: bool = False) -> Decimal | None:
    """US dollars that a call of at most so many tokens costs at most, cached or not, or put into the cache."""
    dear = model.price_cached is not None and model.price_in is not None and model.price_cached > model.price_in
    return cost(model, Usage(prompt, completion, prompt if dear else 0, written=prompt if written and not dear else 0))


def price(model: Model) -> Price | None:
    """The price of a model as people read it, or None where nobody knows; the list's is that of short prompts."""
    if found := own(model):
        return found
    samples = (Usage(SAMPLE), Usage(0, SAMPLE), Usage(SAMPLE, 0, SAMPLE))
    amounts = [
        amount * MILLION / SAMPLE for amount in (public_price(model, one) for one in samples) if amount is not None
    ]
    return Price(*amounts) if amounts else None
