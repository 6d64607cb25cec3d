"""Agents buy at a real node."""

from __future__ import annotations

import asyncio

import pytest

from countersign_client import Agent, AsyncAgent, AsyncWaiting, CountersignError, Declined, Key, Paid, Refused, Waiting

from .conftest import Node


def test_an_agent_buys_with_an_api_key(node: Node) -> None:
    key = node.new_agent()
    with Agent(node.url, api_key=node.api_key, did=key.did) as agent:
        paid = agent.buy(node.demo_cart(key.did, 42.5))
    assert isinstance(paid, Paid)
    assert (paid.status, paid.amount, paid.currency, paid.merchant) == ("requires_capture", 42.5, "USD", "store.example")
    assert node.ask("GET", f"/ap2/payments/{paid.mandate_id}")["status"] == "AUTHORIZED"


def test_an_agent_buys_with_its_own_key_and_no_secret_of_the_node(node: Node) -> None:
    key = node.new_agent()
    with Agent(node.url, key=key) as agent:
        paid = agent.buy(
            lambda _intent: node.demo_cart(key.did, 42.5),
            max_amount=50,
            currency="USD",
            merchant="store.example",
            description="Groceries for the week",
        )
    assert isinstance(paid, Paid)


def test_a_purchase_over_the_cap_is_refused_with_what_would_pass(node: Node) -> None:
    key = node.new_agent()
    with Agent(node.url, key=key) as agent:
        refused = agent.buy(node.demo_cart(key.did, 500))
    assert isinstance(refused, Refused)
    assert "AMOUNT_OVER_CAP" in refused.reason_codes
    assert "500.00 USD" in refused.sentence
    assert refused.would_pass == "It would pass with at most 200.00 USD."


def test_a_card_that_is_declined_is_told(node: Node) -> None:
    key = node.new_agent()
    with Agent(node.url, key=key) as agent:
        declined = agent.buy(node.demo_cart(key.did, 20), instrument="pm_card_visa_chargeDeclined")
    assert isinstance(declined, Declined)
    assert declined.code == "card_declined"


def test_the_person_approves_and_the_agent_pays(node: Node) -> None:
    key = node.new_agent()
    with Agent(node.url, key=key) as agent:
        waiting = agent.buy(node.demo_cart(key.did, 150))
        assert isinstance(waiting, Waiting)
        assert "/approve/apr_" in waiting.url
        assert isinstance(waiting.wait(60), Paid)


def test_the_same_purchase_called_twice_is_paid_once(node: Node) -> None:
    key = node.new_agent()
    cart = node.demo_cart(key.did, 150)
    with Agent(node.url, key=key) as agent:
        first = agent.buy(cart, idempotency_key="order-1")
        assert isinstance(first, Waiting)
        paid = first.wait(60)
        again = agent.buy(cart, idempotency_key="order-1")
        assert isinstance(again, Waiting) and again.approval == first.approval
        assert isinstance(paid, Paid) and again.wait(60) == paid
        assert len(agent.client.list_payments().data) == 1


def test_async_agents_wait_side_by_side(node: Node) -> None:
    keys = [node.new_agent() for _ in range(3)]

    async def buy(key: Key) -> object:
        async with AsyncAgent(node.url, key=key) as agent:
            result = await agent.buy(node.demo_cart(key.did, 150))
            return await result.wait(60) if isinstance(result, AsyncWaiting) else result

    async def all_of_them() -> list[object]:
        return await asyncio.gather(*(buy(key) for key in keys))

    assert all(isinstance(result, Paid) for result in asyncio.run(all_of_them()))


def test_an_agent_that_is_not_registered_is_told_so(node: Node) -> None:
    key = Key.generate()
    with Agent(node.url, key=key) as agent, pytest.raises(CountersignError) as raised:
        agent.buy(node.demo_cart(key.did, 42.5))
    assert raised.value.code == "UNAUTHORIZED"
    assert raised.value.request_id is not None
    assert raised.value.remedy != ""
