"""A merchant sells to an agent at a real node, over REST and over A2A."""

from __future__ import annotations

import asyncio
import uuid
from decimal import Decimal
from typing import Any

import pytest

from countersign_client import (
    A2aClient,
    Agent,
    AsyncA2aClient,
    CountersignError,
    Key,
    Paid,
    sign_cart,
    verify_export,
    verify_payment_mandate,
)

from .conftest import Node


@pytest.fixture
def merchant(node: Node) -> tuple[Key, str]:
    key, domain = Key.generate(), f"s{uuid.uuid4().hex[:12]}.example"
    node.ask("POST", "/ap2/admin/merchants", {"domain": domain, "did": key.did})
    return key, domain


def offer(merchant: tuple[Key, str], price: str) -> dict[str, Any]:
    key, domain = merchant
    return sign_cart(
        key,
        domain=domain,
        items=[{"name": "Coffee beans, 1 kg", "price": Decimal(price), "quantity": 1}],
        currency="USD",
        members={"deliverBy": "2026-12-24"},
    )


def test_a_merchant_takes_the_mandate_for_its_cart(node: Node, merchant: tuple[Key, str]) -> None:
    cart = offer(merchant, "29.90")
    with Agent(node.url, key=node.new_agent()) as agent, A2aClient(node.url, Key.generate()) as card:
        paid = agent.buy(cart)
        assert isinstance(paid, Paid)
        stated = verify_payment_mandate(merchant[0], paid.mandate, node_did=card.node_did(), cart=cart)
        assert (stated.mandate_id, stated.amount, stated.agent_did) == (paid.mandate_id, 29.9, agent.did)
        other = offer(merchant, "29.90")
        with pytest.raises(CountersignError, match="INVALID_MANDATE: .* cartHash"):
            verify_payment_mandate(merchant[0], paid.mandate, node_did=card.node_did(), cart=other)


def test_an_agent_buys_by_signed_messages_in_a_session(node: Node, merchant: tuple[Key, str]) -> None:
    key = node.new_agent()
    with A2aClient(node.url, key) as gateway:
        session = f"session-{uuid.uuid4()}"
        assert gateway.open_session(session, key.did)["status"] == "ACTIVE"
        body = {"agentDid": key.did, "principalDid": key.did, "request": {"maxAmount": 30, "currency": "USD"}}
        intent = gateway.send("IntentMandate", body, context_id=session)
        cart = {"intentVc": intent["intentVc"], "cartVc": offer(merchant, "29.90")}
        approved = gateway.send("CartMandate", cart, context_id=session)
        payment = gateway.send("PaymentMandate", {"approvalToken": approved["approvalToken"]}, context_id=session)
        assert payment["railResponse"]["status"] == "requires_capture"
        assert gateway.get_session(session)["status"] == "COMPLETED"
        refused = gateway.send("IntentMandate", body | {"request": {"maxAmount": 500, "currency": "USD"}})
        assert (refused["allowed"], refused["reasonCodes"]) == (False, ["AMOUNT_OVER_CAP"])


def test_async_messages_are_answered_side_by_side(node: Node) -> None:
    key = node.new_agent()

    async def ask() -> list[dict[str, Any]]:
        async with AsyncA2aClient(node.url, key) as gateway:
            session = f"session-{uuid.uuid4()}"
            opened = await gateway.open_session(session, key.did)
            assert await gateway.get_session(session) == opened
            intent = {"agentDid": key.did, "principalDid": key.did, "request": {"maxAmount": 5, "currency": "USD"}}
            return await asyncio.gather(*(gateway.send("IntentMandate", intent) for _ in range(5)))

    assert [answer["allowed"] for answer in asyncio.run(ask())] == [True] * 5


def test_the_chain_that_the_node_exports_holds(node: Node) -> None:
    with A2aClient(node.url, Key.generate()) as card:
        export = node.ask("GET", "/ap2/evidence/export")
        assert verify_export(export, issuer=card.node_did()).size == len(export["events"])
