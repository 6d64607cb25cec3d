"""The steps of a purchase: ask for an intent, have the merchant's cart approved, wait for the person, pay."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from ._request import Connection, Row
from ._steps import Script, ask, pause
from .errors import CountersignError, refused_here
from .keys import random_id
from .results import Approval, Declined, Document, Paid, Refused, Step, reasons_in

_INTENT = Row("POST", "/ap2/intents", idempotent=True)
_CART = Row("POST", "/ap2/carts/validate", idempotent=True)
_PAYMENT = Row("POST", "/ap2/payments/mandate", idempotent=True)
_APPROVAL = Row("GET", "/ap2/approvals/:id", in_path=("id",))
_EXPLAIN = Row("POST", "/ap2/policies/explain")

# A node holds a request for so long at most.
_LONGEST_WAIT_SECONDS = 30

Money: TypeAlias = float | Decimal
Cart: TypeAlias = Mapping[str, Any]
Outcome: TypeAlias = Paid | Declined | Refused | Approval


class Buyer:
    """As whom and for whom a program buys."""

    def __init__(self, connection: Connection, agent_did: str, principal_did: str) -> None:
        self.connection = connection
        self.agent_did = agent_did
        self.principal_did = principal_did

    def asked(self, row: Row, members: Mapping[str, Any], idempotency_key: str | None = None) -> Script[Document]:
        """The answer of an operation that answers a JSON object."""
        answer = yield from self.connection.call(row, members, idempotency_key)
        if not isinstance(answer, dict):
            raise CountersignError("INVALID_ANSWER", "The answer is no JSON object.", status=200)
        return answer

    def ask(
        self,
        max_amount: Money,
        currency: str,
        merchant: str | None,
        *,
        once: str,
        description: str | None = None,
        confirm: bool = False,
    ) -> Script[Document | Refused]:
        """The signed intent to spend up to an amount, or why not. ``once`` names the purchase, as in ``buy``."""
        request: Document = {"maxAmount": max_amount, "currency": currency}
        if merchant is not None:
            request["vendorHints"] = {"domain": merchant}
        shopping = {"description": description, "confirmCart": confirm or None}
        if any(value is not None for value in shopping.values()):
            request["shopping"] = {name: value for name, value in shopping.items() if value is not None}
        body = {"agentDid": self.agent_did, "principalDid": self.principal_did, "request": request}
        result = yield from self.asked(_INTENT, body, f"{once}:intent")
        if result.get("allowed") is True:
            return document_in(result, "intentVc")
        return (yield from self._refused("intent", result, max_amount, currency, merchant))

    def settle(
        self, intent: Document, cart: Cart, instrument: str | None, once: str, presence: Document | None = None
    ) -> Script[Outcome]:
        """Has the cart approved, and pays for it."""
        body = {"intentVc": intent, "cartVc": cart, "hpProof": presence, "instrument": instrument}
        # The cart with the person's proof is another request than the one before it.
        key = f"{once}:cart" if presence is None else f"{once}:approved-cart"
        result = yield from self.asked(_CART, body, key)
        if result.get("allowed") is not True:
            approval = result.get("approval") or {}
            if presence is None and isinstance(approval.get("url"), str):
                return Approval(
                    id=str(approval["id"]),
                    url=approval["url"],
                    expires_at=str(approval["expiresAt"]),
                    sentence=" ".join(reason.sentence for reason in reasons_in(result)),
                    intent=intent,
                    cart=dict(cart),
                    instrument=instrument,
                    idempotency_key=once,
                )
            return (yield from self._refused("cart", result, *priced(cart)))
        payment = {"approvalToken": result.get("approvalToken"), "instrument": instrument}
        result = yield from self.asked(_PAYMENT, payment, f"{once}:payment")
        if "pmVc" not in result:
            return (yield from self._refused("payment", result, *priced(cart)))
        return _paid(result)

    def buy(
        self,
        cart: Cart | Callable[[Document], Cart | Awaitable[Cart]],
        *,
        max_amount: Money | None,
        currency: str | None,
        merchant: str | None,
        description: str | None,
        instrument: str | None,
        confirm: bool,
        idempotency_key: str | None,
    ) -> Script[Outcome]:
        """Buys what a cart holds, from the intent to the payment. Each request has a key made of ``idempotency_key``."""
        once = random_id() if idempotency_key is None else idempotency_key
        if callable(cart):
            if max_amount is None or currency is None:
                raise refused_here("max_amount and currency must be given where the cart comes after the intent.")
            asked = (max_amount, currency, merchant)
        else:
            total, its_currency, its_merchant = priced(cart)
            asked = (total if max_amount is None else max_amount, currency or its_currency, merchant or its_merchant)
        intent = yield from self.ask(*asked, once=once, description=description, confirm=confirm)
        if isinstance(intent, Refused):
            return intent
        if callable(cart):
            shop, signed_intent = cart, intent
            cart = yield from ask(lambda: shop(signed_intent))
        return (yield from self.settle(intent, cart, instrument, once))

    def decided(self, approval: Approval, timeout_seconds: float) -> Script[Outcome]:
        """Waits until the person decides, and goes on with the purchase; the approval itself where they have not by then."""
        until = time.monotonic() + timeout_seconds
        while True:
            left = max(0.0, until - time.monotonic())
            wait = min(_LONGEST_WAIT_SECONDS, int(left))
            asked_at = time.monotonic()
            state = yield from self.asked(_APPROVAL, {"id": approval.id, "wait": wait})
            status = state.get("status")
            if status == "approved":
                presence = document_in(state, "hpProof")
                once = approval.idempotency_key or approval.id
                return (yield from self.settle(approval.intent, approval.cart, approval.instrument, once, presence))
            if status in ("denied", "expired"):
                why = "The person denied it." if status == "denied" else "No person decided in time."
                return Refused(step="approval", reasons=(), sentence=why, would_pass=None)
            if time.monotonic() >= until or left < 1:
                return approval
            # A node that does not wait is not asked again at once.
            if time.monotonic() - asked_at < 1:
                yield from pause(1)

    def _refused(
        self, step: Step, refusal: Document, amount: Money, currency: str, merchant: str | None
    ) -> Script[Refused]:
        """The refusal, with what would pass instead. To ask for that counts nothing."""
        if refusal.get("allowed") is not False:
            raise CountersignError("INVALID_ANSWER", "The answer says neither that it is allowed nor why not.", status=200)
        asked = {
            "agentDid": self.agent_did,
            "principalDid": self.principal_did,
            "amount": amount,
            "currency": currency,
            "merchantDomain": merchant,
        }
        try:
            told = yield from self.asked(_EXPLAIN, asked)
        except CountersignError:
            # The refusal stands without it.
            told = {}
        reasons = reasons_in(refusal)
        return Refused(
            step=step,
            reasons=reasons,
            sentence=" ".join(reason.sentence for reason in reasons),
            would_pass=(told.get("counterfactual") or {}).get("sentence"),
            limits=tuple(refusal.get("limits") or ()),
            duplicate_of=refusal.get("duplicateOf"),
        )


def document_in(result: Document, name: str) -> Document:
    """A signed document of an answer."""
    document = result.get(name)
    if not isinstance(document, dict):
        raise CountersignError("INVALID_ANSWER", f"The answer has no {name}.", status=200)
    return document


def priced(cart: Cart) -> tuple[Money, str, str]:
    """Total, currency and merchant of a cart. Raises CountersignError BAD_REQUEST for what is no signed cart."""
    subject = cart.get("credentialSubject")
    if isinstance(subject, Mapping):
        total, currency, merchant = (subject.get(name) for name in ("total", "currency", "merchant"))
        if isinstance(total, int | float | Decimal) and isinstance(currency, str) and isinstance(merchant, str):
            return total, currency, merchant
    raise refused_here("A cart is a signed credential whose subject has merchant, currency and total.", "cart")


def _paid(result: Document) -> Paid | Declined:
    mandate = document_in(result, "pmVc")
    try:
        subject, rail = mandate["credentialSubject"], result["railResponse"]
        if rail["status"] == "failed":
            error = rail.get("error") or {}
            return Declined(
                mandate_id=subject["mandateId"],
                code=error.get("code", "failed"),
                message=error.get("message", "The rail declined the payment."),
                rail=rail["rail"],
                mandate=mandate,
            )
        return Paid(
            mandate_id=subject["mandateId"],
            status=rail["status"],
            amount=subject["amount"],
            currency=subject["currency"],
            merchant=subject["merchant"],
            rail=rail["rail"],
            mandate=mandate,
        )
    except (KeyError, TypeError):
        raise CountersignError("INVALID_ANSWER", "The answer is no payment.", status=200) from None
