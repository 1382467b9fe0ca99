"""A budget's account: what was spent, what calls in flight may still cost, and whether one more fits. Whole numbers."""

from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from benchwright.domain.campaign import Budget

NANO = 10**9  # parts of a US dollar: sums of floats would drift across a cap


def nano(usd: float | Decimal, rounding: str = ROUND_CEILING) -> int:
    """US dollars in billionths, rounded up unless told otherwise."""
    return int((Decimal(str(usd)) * NANO).to_integral_value(rounding))


@dataclass(frozen=True, slots=True)
class Amount:
    """Billionths of a US dollar, and tokens of prompts and replies."""

    nano: int = 0
    tokens: int = 0

    def __add__(self, other: "Amount") -> "Amount":
        """Both together."""
        return Amount(self.nano + other.nano, self.tokens + other.tokens)

    def __sub__(self, other: "Amount") -> "Amount":
        """What is left of this one without the other."""
        return Amount(self.nano - other.nano, self.tokens - other.tokens)


@dataclass(frozen=True, slots=True)
class Account:
    """The caps, what is spent for good, and what is reserved for calls in flight."""

    cap: Budget
    spent: Amount = Amount()
    reserved: Amount = Amount()

    @property
    def has_cap(self) -> bool:
        """Whether there is a cap at all."""
        return self.cap.usd is not None or self.cap.tokens is not None

    @property
    def remainder(self) -> tuple[int | None, int | None]:
        """Billionths of a dollar and tokens that are neither spent nor reserved; None where there is no cap."""
        taken = self.spent + self.reserved
        money = None if self.cap.usd is None else nano(self.cap.usd, ROUND_FLOOR) - taken.nano
        return money, None if self.cap.tokens is None else self.cap.tokens - taken.tokens

    def fits(self, most: Amount) -> bool:
        """Whether a call that costs at most so much keeps within every cap, whatever those in flight come to."""
        money, tokens = self.remainder
        return (money is None or most.nano <= money) and (tokens is None or most.tokens <= tokens)

    def reserve(self, most: Amount) -> "Account":
        """A call leaves."""
        return replace(self, reserved=self.reserved + most)

    def settle(self, most: Amount, paid: Amount) -> "Account":
        """It has come back and cost so much; nothing if it failed. No count of a provider lowers what is spent."""
        kept = Amount(max(paid.nano, 0), max(paid.tokens, 0))
        return replace(self, reserved=self.reserved - most, spent=self.spent + kept)
