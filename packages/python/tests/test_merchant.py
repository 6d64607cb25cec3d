"""A merchant signs only what a node would take, and takes only the mandate for its own cart."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from countersign_client import CountersignError, Key, sign_cart, verify_payment_mandate
from countersign_client.credentials import issue_credential
from countersign_client.jcs import hash_of

NOW = 1_800_000_000_000
MERCHANT, NODE = Key(bytes([7] * 32)), Key(bytes([8] * 32))
ITEMS = [{"name": "Oat milk", "price": Decimal("2.15"), "quantity": 3}, {"name": "Shipping", "price": 4, "quantity": 1}]


def offer(**changes: Any) -> dict[str, Any]:
    return {"domain": "shop.example", "items": ITEMS, "currency": "USD", "now": NOW} | changes


CART = sign_cart(MERCHANT, **offer())


def mandate(signer: Key = NODE, expires_at: int | None = None, **changes: Any) -> dict[str, Any]:
    content = {name: value for name, value in CART.items() if name != "proof"}
    subject = {
        "mandateId": "pm_1",
        "intentId": "intent_1",
        "amount": 10.45,
        "currency": "USD",
        "merchant": "shop.example",
        "rail": "mock",
        "cartHash": hash_of(content),
    } | changes
    return issue_credential(signer, "PaymentMandate", subject, issued_at=NOW, expires_at=expires_at)


def test_an_offer_is_added_up_and_signed() -> None:
    assert CART["credentialSubject"]["total"] == 10.45
    assert CART["credentialSubject"]["items"][0]["price"] == 2.15
    assert CART["expirationDate"] == "2027-01-15T09:00:00.000Z"


@pytest.mark.parametrize(
    ("domain", "normal"),
    [("Shop.Example.", "shop.example"), ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example", "xn--bcher-kva.example")],
)
def test_a_domain_is_signed_in_its_normal_form(domain: str, normal: str) -> None:
    assert sign_cart(MERCHANT, **offer(domain=domain))["credentialSubject"]["merchant"] == normal


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"items": []}, "items"),
        ({"items": [{"name": "A", "price": 0, "quantity": 1}]}, "items"),
        ({"items": [{"name": "A", "price": 1.005, "quantity": 1}]}, "items.0.price"),
        ({"items": [{"name": "A", "price": -1, "quantity": 1}]}, "items.0.price"),
        ({"items": [{"name": "A", "price": "1", "quantity": 1}]}, "items.0.price"),
        ({"items": [{"name": "A", "price": float("nan"), "quantity": 1}]}, "items.0.price"),
        ({"items": [{"name": "A", "price": 1, "quantity": 1.5}]}, "items.0.quantity"),
        ({"items": [{"name": "A", "price": 1, "quantity": 0}]}, "items.0.quantity"),
        ({"items": [{"name": "\u3164 ", "price": 1, "quantity": 1}]}, "items.0.name"),
        ({"items": [{"name": "A", "price": 10**13, "quantity": 100}]}, "items"),
        ({"currency": "XYZ"}, "currency"),
        ({"currency": "JPY"}, "items.0.price"),
        ({"domain": "localhost"}, "merchant"),
        ({"domain": "https://shop.example"}, "merchant"),
        ({"domain": "127.0.0.1"}, "merchant"),
        ({"issuer": "did:web:other.example"}, "issuer"),
        ({"members": {"total": 5}}, "total"),
    ],
)
def test_what_no_node_would_take_is_not_signed(changes: dict[str, Any], path: str) -> None:
    with pytest.raises(CountersignError) as raised:
        sign_cart(MERCHANT, **offer(**changes))
    assert (raised.value.code, raised.value.details[0].path) == ("BAD_REQUEST", path)


def test_the_mandate_for_the_cart_holds() -> None:
    paid = verify_payment_mandate(MERCHANT, mandate(), node_did=NODE.did, cart=CART, now=NOW)
    assert (paid.mandate_id, paid.amount, paid.agent_did) == ("pm_1", 10.45, None)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(mandate(signer=MERCHANT), id="by another node"),
        pytest.param(mandate(amount=1), id="for less"),
        pytest.param(mandate(currency="EUR"), id="in another currency"),
        pytest.param(mandate(merchant="other.example"), id="for another shop"),
        pytest.param(mandate(cartHash="sha256:00"), id="for another cart"),
        pytest.param(mandate(expires_at=NOW - 1), id="that has expired"),
        pytest.param(mandate(expiresAt="2020-01-01T00:00:00Z"), id="that can be captured no more"),
        pytest.param(mandate(mandateId=None), id="without an id"),
        pytest.param(mandate() | {"note": "x"}, id="with a member that is not signed"),
        pytest.param(CART, id="that is a cart"),
        pytest.param(None, id="that is none"),
    ],
)
def test_another_mandate_does_not_hold(wrong: Any) -> None:
    with pytest.raises(CountersignError, match="^INVALID_MANDATE"):
        verify_payment_mandate(MERCHANT, wrong, node_did=NODE.did, cart=CART, now=NOW)


def test_a_cart_that_another_signed_is_not_the_merchant_s() -> None:
    with pytest.raises(CountersignError, match="INVALID_MANDATE: .* The cart was signed by"):
        verify_payment_mandate(NODE, mandate(), node_did=NODE.did, cart=CART, now=NOW)
