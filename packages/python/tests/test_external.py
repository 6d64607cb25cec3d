"""A payment elsewhere: the client tells what it paid, and tells nothing where the money may have moved."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from countersign_client import AsyncClient, Client, NotPaid, ReservationRefused
from countersign_client.models import ReservationResultAllowed

from .conftest import AGENT, ONCE
from .test_paying import REFUSAL

RESERVED = {
    "allowed": True,
    "mandateId": "pm_1",
    "intentId": "intent_1",
    "transactionId": "txn_1",
    "reserved": 10,
    "currency": "USD",
    "expiresAt": "",
    "commitUntil": "",
}
PAYMENT = {
    "mandateId": "pm_1",
    "transactionId": "txn_1",
    "intentId": "intent_1",
    "agentDid": AGENT,
    "merchant": "tea.example",
    "amount": 10,
    "currency": "USD",
    "rail": "EXTERNAL_RAIL",
    "status": "CAPTURED",
    "captured": 9,
    "refunded": 0,
    "disputed": 0,
    "disputes": [],
    "createdAt": "",
}
ASKED: Any = {
    "agent_did": AGENT,
    "merchant": "tea.example",
    "amount": 10,
    "currency": "USD",
    "channel": "card",
    "idempotency_key": "tea",
}


class World:
    """A node, asked by the sync client or by the async one."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.answer: Any = RESERVED
        self.told: list[tuple[str, Any]] = []

    def pay(self, paid: dict[str, Any] | Exception) -> Any:
        transport = httpx.MockTransport(self._node)

        def give(reserved: ReservationResultAllowed) -> dict[str, Any]:
            assert reserved.mandate_id == "pm_1"
            if isinstance(paid, Exception):
                raise paid
            return paid

        if self.kind == "sync":
            with Client("http://node.example", api_key="k", retries=ONCE, http=httpx.Client(transport=transport)) as node:
                return node.external.pay(give, **ASKED)

        async def give_later(reserved: ReservationResultAllowed) -> dict[str, Any]:
            return give(reserved)

        async def run() -> Any:
            http = httpx.AsyncClient(transport=transport)
            async with AsyncClient("http://node.example", api_key="k", retries=ONCE, http=http) as node:
                return await node.external.pay(give_later, **ASKED)

        return asyncio.run(run())

    def _node(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/ap2/external/reservations":
            return httpx.Response(200, json=self.answer)
        self.told.append((request.url.path.rsplit("/", 1)[1], json.loads(request.content)))
        return httpx.Response(200, json=PAYMENT)


@pytest.fixture(params=["sync", "async"])
def world(request: pytest.FixtureRequest) -> World:
    return World(request.param)


def test_what_was_paid_is_committed_with_its_reference(world: World) -> None:
    world.pay({"amount": 9, "reference": "o-1"})
    assert world.told == [("commit", {"amount": 9, "evidence": {"kind": "order", "reference": "o-1"}})]


def test_what_was_not_paid_is_released_and_raised(world: World) -> None:
    with pytest.raises(NotPaid):
        world.pay(NotPaid("declined"))
    assert world.told == [("release", {"reason": "declined"})]


def test_nothing_is_told_where_the_money_may_have_moved(world: World) -> None:
    with pytest.raises(ConnectionError):
        world.pay(ConnectionError())
    assert world.told == []


def test_a_refusal_pays_nothing_and_is_raised(world: World) -> None:
    world.answer = REFUSAL
    with pytest.raises(ReservationRefused) as refused:
        world.pay({})
    assert refused.value.refusal.reason_codes == ["HP_REQUIRED"]
    assert world.told == []
