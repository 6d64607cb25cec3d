"""Every operation's answers are read, and an owner administers a real node."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from countersign_client import Agent, AsyncClient, Client, CountersignError, Key, Paid, each
from countersign_client._outputs import OUTPUTS
from countersign_client.client import _read

from .conftest import Node


@pytest.fixture
def owner(node: Node) -> Iterator[Client]:
    with Client(node.url, api_key=node.api_key) as client:
        yield client


def examples(node: Node) -> Iterator[tuple[str, Any]]:
    """What the OpenAPI document shows as an answer of each operation."""
    document = httpx.get(f"{node.url}/openapi.json").json()
    for methods in document["paths"].values():
        for operation in methods.values():
            name = operation["operationId"]
            for status, answer in operation["responses"].items():
                content = answer.get("content", {}).get("application/json", {})
                shown = [each["value"] for each in content.get("examples", {}).values()]
                if name in OUTPUTS and status.startswith("2"):
                    yield from ((name, value) for value in shown)


def test_every_example_of_the_document_is_read_and_none_of_its_members_lost(node: Node) -> None:
    count = 0
    for name, value in examples(node):
        read = _read(name, value)
        if hasattr(read, "model_dump"):
            assert json.loads(json.dumps(read.model_dump(by_alias=True, exclude_unset=True))) == value, name
        count += 1
    assert count > 100


def test_an_owner_limits_an_agent_and_follows_its_payment(owner: Client, node: Node) -> None:
    key = Key.generate()
    agent = owner.register_agent(name="Shopper", public_key=key.public_key)
    assert agent.did == key.did
    assert owner.get_agent(key.did).display_name == "Shopper"
    with Agent(node.url, key=key) as buyer:
        paid = buyer.buy(node.demo_cart(key.did, 42.5))
        assert isinstance(paid, Paid)
        assert [each.mandate_id for each in buyer.client.list_payments().data] == [paid.mandate_id]
    captured = owner.capture_payment(paid.mandate_id, amount=40)
    assert (captured.status, captured.captured) == ("CAPTURED", 40)
    assert owner.refund_payment(paid.mandate_id).status in ("REFUNDED", "PARTIALLY_REFUNDED")
    mine = each(owner.list_payments, agent_did=key.did, limit=1)
    assert [payment.mandate_id for payment in mine] == [paid.mandate_id]


def test_an_owner_makes_a_key_that_ends_when_it_is_revoked(owner: Client, node: Node) -> None:
    made = owner.create_api_key(name="reader", permissions=["read"], idempotency_key=str(uuid.uuid4()))
    with Client(node.url, api_key=made.key) as reader:
        assert reader.current_policy().version >= 1
        with pytest.raises(CountersignError, match="FORBIDDEN"):
            reader.register_agent(name="no", public_key=Key.generate().public_key)
        owner.revoke_api_key(made.id)
        with pytest.raises(CountersignError, match="INVALID_API_KEY"):
            reader.current_policy()


def test_an_owner_limits_an_agent_unless_it_was_changed_meanwhile(owner: Client, node: Node) -> None:
    did = node.new_agent().did
    limited = owner.set_agent_velocity(did, max_transactions=3, time_window="1d").velocity
    assert limited is not None and limited.max_transactions == 3
    with pytest.raises(CountersignError, match="PRECONDITION_FAILED"):
        owner.change_agent(did, name="other", if_match='"of another time"')


def test_a_member_at_fault_is_named(owner: Client) -> None:
    with pytest.raises(CountersignError) as raised:
        owner.register_agent(name="", public_key="nonsense")
    assert raised.value.status == 400
    assert {detail.path for detail in raised.value.details} == {"name", "publicKey"}


def test_long_answers_come_in_pieces(owner: Client, node: Node) -> None:
    changes = owner.follow_changes()
    ready = next(changes)
    assert ready.types == () and ready.cursor is not None
    key = node.new_agent()
    assert any("AGENT_CREATED" in change.types for change in changes)
    lines = "".join(owner.stream_evidence({"format": "ndjson"})).splitlines()
    assert any(key.did in line for line in lines) and "end" in json.loads(lines[-1])
    assert "".join(owner.stream_csv("listDecisions")).startswith("createdAt,")
    replayed = list(owner.follow_replay({"rules": {"version": "2.0"}}))
    assert "result" in replayed[-1]


def test_an_async_owner_reads_them_too(node: Node) -> None:
    async def read() -> tuple[str, str, list[dict[str, Any]]]:
        async with AsyncClient(node.url, api_key=node.api_key) as owner:
            evidence = "".join([text async for text in owner.stream_evidence({"format": "csv"})])
            decisions = "".join([text async for text in owner.stream_csv("listDecisions")])
            return evidence, decisions, [line async for line in owner.follow_replay({"rules": {"version": "2.0"}})]

    evidence, decisions, replayed = asyncio.run(read())
    assert "AGENT_CREATED" in evidence and decisions.startswith("createdAt,") and "result" in replayed[-1]
