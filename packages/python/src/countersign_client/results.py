"""How a purchase ends: paid, refused, declined by the rail, or waiting for the person."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from ._faults import REMEDIES
from .errors import CountersignError

Step = Literal["intent", "cart", "approval", "payment"]
Document = dict[str, Any]
"""A signed document, exactly as it came: a change of any member breaks its signature."""


@dataclass(frozen=True, slots=True)
class Paid:
    """The node allowed the payment, and the rail took it."""

    mandate_id: str
    """``pm_…``"""
    status: str
    """What the rail answered: ``requires_capture`` where it holds the amount until the goods are delivered,
    ``succeeded`` where it took it, ``unknown`` where it has not answered yet: the node asks on, under the same key."""
    amount: float
    """In units of the currency: 42.5 is 42.50 USD."""
    currency: str
    """ISO 4217."""
    merchant: str
    """The merchant's domain."""
    rail: str
    mandate: Document = field(repr=False)
    """The signed payment mandate (a W3C Verifiable Credential), to hand to the merchant."""


@dataclass(frozen=True, slots=True)
class Declined:
    """The policy allowed the payment, and the rail declined it: no money moved."""

    mandate_id: str
    code: str
    """What the rail calls it, such as ``card_declined``."""
    message: str
    """One sentence for a person."""
    rail: str
    mandate: Document = field(repr=False)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the policy refuses."""

    code: str
    """Stable, for programs, such as ``AMOUNT_OVER_CAP``."""
    sentence: str
    """One sentence for a person."""
    facts: Document
    """The numbers behind it: ``requested``, ``limit``, ``used``, ``left``, as far as the rule has them."""

    @property
    def remedy(self) -> str:
        """What a person does about it."""
        return REMEDIES.get(self.code, "")


@dataclass(frozen=True, slots=True)
class Refused:
    """The policy does not allow the purchase, or the person did not."""

    step: Step
    """Where it ended."""
    reasons: tuple[Reason, ...]
    """Every reason against it, in a fixed order."""
    sentence: str
    """Why, for a person."""
    would_pass: str | None
    """What would pass instead, in a sentence; None where nothing like it would, or the node did not say."""
    limits: tuple[Document, ...] = ()
    """Every limit over time that refuses it, as the node tells them: ``limit``, ``used``, ``left``, ``window``."""
    duplicate_of: Document | None = None
    """The payment that was made for the same before."""

    @property
    def reason_codes(self) -> tuple[str, ...]:
        return tuple(reason.code for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Approval:
    """What a person is asked, with what the purchase goes on with once they decided."""

    id: str
    """``apr_…``"""
    url: str
    """The page where the person approves or denies; give it to them."""
    expires_at: str
    """ISO 8601."""
    sentence: str
    """Why the person is asked."""
    intent: Document = field(repr=False)
    cart: Document = field(repr=False)
    instrument: str | None = None
    idempotency_key: str | None = None
    """Of the purchase; the approval's own id where none is given."""


def reasons_in(refusal: Document) -> tuple[Reason, ...]:
    """The reasons of a refusal as the node tells it. Raises CountersignError INVALID_ANSWER where it tells none."""
    details, codes = refusal.get("details"), refusal.get("reasonCodes")
    if not isinstance(details, dict) or not isinstance(codes, list):
        raise CountersignError("INVALID_ANSWER", "The refusal gives no reasons.", status=200)
    told = [(str(code), details.get(code) or {}) for code in codes]
    return tuple(
        Reason(code, str(facts.get("message", "")), {name: value for name, value in facts.items() if name != "message"})
        for code, facts in told
    )
