"""Money: JSON numbers on the wire, integer minor units inside, converted by decimal text without rounding errors."""

from __future__ import annotations

from decimal import Decimal

from ._currencies import EXPONENTS
from .errors import refused_here

# A JSON number carries each of 15 digits, and not every one of 16.
TOO_MUCH = 10**15
_MOST_OF_ONE = 2**53 - 1


def exponent_of(currency: object) -> int:
    """How many decimals a currency has (ISO 4217). Raises CountersignError BAD_REQUEST for a code that is not in the list."""
    exponent = EXPONENTS.get(currency) if isinstance(currency, str) else None
    if exponent is None:
        raise refused_here("currency must be an active ISO 4217 code in upper case, such as USD.", "currency")
    return exponent


def to_minor(amount: object, currency: str, path: str) -> int:
    """The exact minor units of a price, which may be 0.

    Raises CountersignError BAD_REQUEST for more decimals than the currency has, less than 0, or no number.
    """
    if isinstance(amount, bool) or not isinstance(amount, int | float | Decimal):
        raise refused_here(f"{path} must be a number.", path)
    # The shortest text of a float is what its JSON is.
    exact = Decimal(repr(amount)) if isinstance(amount, float) else Decimal(amount)
    if not exact.is_finite() or exact < 0:
        raise refused_here(f"{path} must be 0 or more.", path)
    minor = exact.scaleb(exponent_of(currency))
    if minor != minor.to_integral_value():
        raise refused_here(f"{amount} has more decimals than {currency} has.", path)
    if minor > _MOST_OF_ONE:
        raise refused_here(f"{path} is more than can be carried.", path)
    return int(minor)


def from_minor(minor: int, currency: str) -> float | int:
    """The amount for the wire: the number nearest to the decimal text."""
    amount = float(Decimal(minor).scaleb(-exponent_of(currency)))
    return int(amount) if amount.is_integer() else amount
