"""A merchant's part: it signs offers, checks the payment mandates that come for them, and the webhooks that tell of them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._domain import normal_domain
from ._money import TOO_MUCH, from_minor, to_minor
from ._request import json_bytes
from ._time import milliseconds_of
from .credentials import CheckedCredential, InvalidCredential, check_credential, issue_credential, now_ms
from .did import canonical_node_did
from .errors import CountersignError, refused_here
from .keys import Key
from .results import Document

_MOST_ITEMS = 1000
# The least that a node takes. A setting that is missing is a shorter one, by which everyone could sign.
_LEAST_SECRET = 8


def sign_cart(
    merchant: Key,
    *,
    domain: str,
    items: Sequence[Mapping[str, Any]],
    currency: str,
    members: Mapping[str, Any] | None = None,
    id: str | None = None,
    valid_seconds: float = 3600,
    issuer: str | None = None,
    now: int | None = None,
) -> Document:
    """Signs an offer as a cart, which an agent takes to its node.

    ``domain`` is the merchant's, to which the owner of the node has bound the merchant's key. ``items`` have ``name``,
    ``price`` (of one, in units of the currency) and ``quantity``; tax and shipping are items, too. ``currency`` is ISO 4217.
    ``members`` are signed as they are, and shown to the person who approves. ``id`` is a URI, unique among the merchant's
    carts, since a cart is paid once; a new one by default. ``issuer`` is ``did:web:`` and the domain, where the merchant's
    site lists the key; the key's own did:key by default. ``now`` is in milliseconds since the epoch.

    Raises CountersignError BAD_REQUEST for what no node would take.
    """
    shop = normal_domain(domain)
    total = from_minor(_minor_of(items, currency), currency)
    given = dict(members or {})
    own = f"did:web:{shop}"
    if issuer is not None and issuer != own:
        raise refused_here(f"The issuer must be {own}, or left out for the key’s own DID.", "issuer")
    if given.get("total", total) != total:
        raise refused_here(f"The total is {given['total']}, and the items come to {total}.", "total")
    issued_at = now_ms() if now is None else now
    return issue_credential(
        merchant,
        "CartMandate",
        _plain({"total": total, **given, "merchant": shop, "items": items, "currency": currency}),
        id=id or f"urn:uuid:{uuid.uuid4()}",
        issuer=issuer,
        issued_at=issued_at,
        expires_at=issued_at + int(valid_seconds * 1000),
    )


@dataclass(frozen=True, slots=True)
class PaymentMandate:
    """What a payment mandate states."""

    mandate_id: str
    """``pm_…``"""
    intent_id: str
    amount: float
    """In units of the currency."""
    currency: str
    merchant: str
    """The domain."""
    rail: str
    cart_hash: str
    agent_did: str | None
    """Who bought."""
    principal_did: str | None
    """Whose money it is."""
    expires_at: str | None
    """Until when the amount may be captured, ISO 8601."""


def verify_payment_mandate(
    merchant: Key, mandate: object, *, node_did: str, cart: Mapping[str, Any], now: int | None = None
) -> PaymentMandate:
    """Checks that a node allowed the payment of one cart of this merchant. Whether the money is held is for the rail to say.

    ``merchant`` is the key that signed the ``cart``. ``node_did`` is the DID of the buyer's node, as the merchant knows it
    already, and not from the buyer that brings the mandate. ``now`` is in milliseconds since the epoch.

    Raises CountersignError INVALID_MANDATE that names the check which failed, BAD_REQUEST for a node_did that is no DID.
    """
    node = canonical_node_did(node_did)
    now = now_ms() if now is None else now
    own = _own_cart(merchant, cart)
    try:
        checked = check_credential(mandate, "PaymentMandate", now=now)
    except InvalidCredential as error:
        raise _invalid(str(error)) from None
    if checked.issuer != node:
        raise _invalid(f"It was issued by {checked.issuer} and not by {node}.")
    if checked.expired:
        raise _invalid("It has expired.")
    paid = _mandate_in(checked.subject)
    if paid.expires_at is not None:
        until = milliseconds_of(paid.expires_at)
        if until is None:
            raise _invalid('It is malformed at "expiresAt".')
        if until <= now:
            raise _invalid(f"The amount could be captured until {paid.expires_at}.")
    stated = {
        "cartHash": (paid.cart_hash, own.hash),
        "merchant": (paid.merchant, _domain_in(own.subject)),
        "currency": (paid.currency, own.subject.get("currency")),
        "amount": (paid.amount, own.subject.get("total")),
    }
    for name, (its, carts) in stated.items():
        if its != carts:
            raise _invalid(f"Its {name} is {its}, and that of the cart {carts}.")
    return paid


def verify_webhook(
    secret: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes,
    *,
    now: float | None = None,
    tolerance_seconds: float = 300,
) -> Document:
    """The event of a webhook, once its signature holds (Standard Webhooks 1.0).

    ``secret`` is the subscription's, ``whsec_…``; several while one replaces the other. ``headers`` may be spelled in any
    case. ``body`` is what arrived, before any parsing. ``now`` is in seconds since the epoch.

    Raises CountersignError INVALID_WEBHOOK, which a server answers with the status 401.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 16):
        raise _unsigned("it has no time")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise _unsigned(f"its time is more than {tolerance_seconds:g} seconds from this machine's")
    signatures = [each.encode() for each in given.get("webhook-signature", "").split(" ")]
    content = f"{id}.{timestamp}.".encode() + body
    for each in [secret] if isinstance(secret, str) else secret:
        if len(each) < _LEAST_SECRET:
            continue
        mac = base64.b64encode(hmac.new(_webhook_key(each), content, hashlib.sha256).digest())
        if any(hmac.compare_digest(b"v1," + mac, signature) for signature in signatures):
            break
    else:
        raise _unsigned("no signature of it is by this secret")
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        raise _unsigned("it is not JSON") from None
    if not isinstance(event, dict):
        raise _unsigned("it is no event")
    return event


def _minor_of(items: Sequence[Mapping[str, Any]], currency: str) -> int:
    if not 1 <= len(items) <= _MOST_ITEMS:
        raise refused_here(f"A cart has 1 to {_MOST_ITEMS} items.", "items")
    total = 0
    for index, item in enumerate(items):
        name, quantity = item.get("name"), item.get("quantity")
        if not isinstance(name, str) or len(name.strip()) > 500 or not any(map(_is_visible, name)):
            raise refused_here("An item has a name of 1 to 500 characters that can be seen.", f"items.{index}.name")
        if isinstance(quantity, bool) or not isinstance(quantity, int) or quantity < 1:
            raise refused_here("A quantity is a whole number, 1 or more.", f"items.{index}.quantity")
        total += to_minor(item.get("price"), currency, f"items.{index}.price") * quantity
    if not 0 < total < TOO_MUCH:
        raise refused_here("The items come to nothing, or to more than one cart can carry.", "items")
    return total


def _is_visible(character: str) -> bool:
    """A letter, digit, mark of punctuation or symbol that a font draws; five of them are blank all the same."""
    return unicodedata.category(character)[0] in "LNPS" and character not in "\u115f\u1160\u2800\u3164\uffa0"


def _plain(subject: Mapping[str, Any]) -> Document:
    """As JSON has it: a Decimal is a number. Names are without blanks around them, as nodes read them."""
    plain: Document = json.loads(json_bytes(subject))
    for item in plain["items"]:
        item["name"] = item["name"].strip()
    return plain


def _own_cart(merchant: Key, cart: Mapping[str, Any]) -> CheckedCredential:
    """Raises CountersignError INVALID_MANDATE where the merchant did not sign the cart."""
    try:
        # When it was issued does not matter any more.
        checked = check_credential(cart, "CartMandate", now=2**53, resolve_key=lambda _issuer: merchant.did)
    except InvalidCredential as error:
        raise _invalid(f"The cart does not hold: {error}") from None
    if checked.issuer.startswith("did:key:") and checked.issuer != merchant.did:
        raise _invalid(f"The cart was signed by {checked.issuer} and not by {merchant.did}.")
    return checked


def _domain_in(subject: Mapping[str, Any]) -> str:
    try:
        return normal_domain(subject.get("merchant"))
    except CountersignError:
        raise _invalid("The cart is malformed.") from None


def _mandate_in(subject: Mapping[str, Any]) -> PaymentMandate:
    texts: dict[str, str] = {}
    for name in ("mandateId", "intentId", "currency", "merchant", "rail", "cartHash"):
        value = subject.get(name)
        if not isinstance(value, str):
            raise _invalid(f'It is malformed at "{name}".')
        texts[name] = value
    amount = subject.get("amount")
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        raise _invalid('It is malformed at "amount".')
    for name in ("agentDid", "principalDid", "expiresAt"):
        if not isinstance(subject.get(name, ""), str):
            raise _invalid(f'It is malformed at "{name}".')
    return PaymentMandate(
        mandate_id=texts["mandateId"],
        intent_id=texts["intentId"],
        amount=amount,
        currency=texts["currency"],
        merchant=texts["merchant"],
        rail=texts["rail"],
        cart_hash=texts["cartHash"],
        agent_did=subject.get("agentDid"),
        principal_did=subject.get("principalDid"),
        expires_at=subject.get("expiresAt"),
    )


def _webhook_key(secret: str) -> bytes:
    """The decoded base64 after ``whsec_``, or the bytes of a secret that has no such form."""
    encoded = secret[len("whsec_") :] if secret.startswith("whsec_") else ""
    try:
        return base64.b64decode(encoded, validate=True) or secret.encode()
    except binascii.Error:
        return secret.encode()


def _invalid(reason: str) -> CountersignError:
    return CountersignError("INVALID_MANDATE", f"The payment mandate does not hold: {reason}")


def _unsigned(reason: str) -> CountersignError:
    return CountersignError("INVALID_WEBHOOK", f"The webhook does not hold: {reason}.")
