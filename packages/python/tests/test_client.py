"""The typed client against answers of a node that are written here."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import httpx
import pytest

from countersign_client import AsyncClient, Client, CountersignError, each, each_async
from countersign_client.models import IntentResultAllowed, Refusal

from .conftest import AGENT, ONCE, FakeNode

PAYMENT = {
    "mandateId": "pm_1",
    "intentId": "intent_1",
    "transactionId": "txn_1",
    "agentDid": AGENT,
    "status": "AUTHORIZED",
    "amount": 42.5,
    "currency": "USD",
    "merchant": "shop.example",
    "rail": "mock",
    "captured": 0,
    "refunded": 0,
    "disputed": 0,
    "disputes": [],
    "createdAt": "2026-11-26T10:00:00.000Z",
}


def client_of(fake: FakeNode) -> Client:
    return Client("http://node.example", api_key="ak_test_1", retries=ONCE, http=fake.http())


def test_members_travel_in_path_query_and_body(fake: FakeNode) -> None:
    client = client_of(fake)
    fake.say(PAYMENT)
    client.capture_payment("pm_/1", amount=Decimal("42.50"))
    fake.say({"data": [], "hasMore": False, "cursor": None})
    client.list_payments(status="AUTHORIZED", min=10)
    first, second = fake.requests
    assert first.url.raw_path == b"/ap2/payments/pm_%2F1/capture"
    assert fake.bodies()[0] == {"amount": 42.5}
    assert second.url.query == b"status=AUTHORIZED&min=10"


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_a_path_that_would_lead_elsewhere_is_not_sent(fake: FakeNode, id: str) -> None:
    with pytest.raises(CountersignError, match='BAD_REQUEST: "mandateId" must be given'):
        client_of(fake).get_payment(id)
    assert fake.requests == []


def test_a_union_is_read_as_the_part_that_it_is(fake: FakeNode) -> None:
    client = client_of(fake)
    limits = {"VELOCITY_EXCEEDED": {"limit": 5, "message": "Too many."}}
    fake.say({"allowed": False, "reasonCodes": ["VELOCITY_EXCEEDED", "A_NEWER_ONE"], "details": limits})
    refused = client.issue_intent(
        agent_did=AGENT, principal_did=AGENT, request={"maxAmount": 5, "currency": "USD"}, idempotency_key="once"
    )
    assert isinstance(refused, Refusal) and refused.details["VELOCITY_EXCEEDED"].limit == 5
    assert fake.requests[0].headers["idempotency-key"] == "once"
    attested = {"policyId": "pol_1", "policyVersion": 1, "policyHash": "sha256:00"}
    fake.say({"allowed": True, "intentVc": {"b": 1, "a": 2}, "attestation": attested, "hpRequired": False})
    allowed = client.issue_intent(agent_did=AGENT, principal_did=AGENT, request={"maxAmount": 5, "currency": "USD"})
    assert isinstance(allowed, IntentResultAllowed)
    assert (allowed.intent_vc, allowed.attestation.policy_version) == ({"b": 1, "a": 2}, 1)


def test_members_that_a_newer_node_adds_are_kept(fake: FakeNode) -> None:
    fake.say(PAYMENT | {"status": "A_NEWER_ONE", "tip": 3})
    payment = client_of(fake).cancel_payment("pm_1")
    assert payment.status == "A_NEWER_ONE"
    assert payment.model_dump(by_alias=True, exclude_unset=True) == PAYMENT | {"status": "A_NEWER_ONE", "tip": 3}


def test_what_cannot_be_the_node_s_answer_is_an_error(fake: FakeNode) -> None:
    fake.say(PAYMENT | {"amount": "much"})
    with pytest.raises(CountersignError, match="INVALID_ANSWER: .*amount"):
        client_of(fake).get_payment("pm_1")


def test_what_is_no_json_is_not_sent(fake: FakeNode) -> None:
    with pytest.raises(CountersignError, match="BAD_REQUEST: The input cannot be sent as JSON"):
        client_of(fake).capture_payment("pm_1", amount=float("nan"))


def test_a_list_is_read_page_by_page(fake: FakeNode) -> None:
    fake.say({"data": [PAYMENT, PAYMENT], "hasMore": True, "cursor": "next"})
    fake.say({"data": [PAYMENT], "hasMore": False, "cursor": None})
    assert [payment.amount for payment in each(client_of(fake).list_payments, limit=2)] == [42.5] * 3
    assert fake.requests[1].url.params["cursor"] == "next"


def test_a_page_that_leads_to_itself_is_an_error(fake: FakeNode) -> None:
    for _ in range(2):
        fake.say({"data": [], "hasMore": True, "cursor": "same"})
    with pytest.raises(CountersignError, match="A page leads to itself"):
        list(each(client_of(fake).list_payments))


def test_an_access_token_may_be_asked_for_each_time(fake: FakeNode) -> None:
    tokens = iter(["one", "two"])
    client = Client("http://node.example", access_token=lambda: next(tokens), http=fake.http())
    for _ in range(2):
        fake.say(PAYMENT)
        client.cancel_payment("pm_1")
    assert [request.headers["authorization"] for request in fake.requests] == ["Bearer one", "Bearer two"]


def test_the_async_client_asks_for_the_same(fake: FakeNode) -> None:
    fake.say({"data": [PAYMENT], "hasMore": False, "cursor": None})

    async def token() -> str:
        return "later"

    async def read() -> list[float]:
        http = httpx.AsyncClient(transport=httpx.MockTransport(fake.handle))
        async with AsyncClient("http://node.example", access_token=token, http=http) as client:
            return [payment.amount async for payment in each_async(client.list_payments)]

    assert asyncio.run(read()) == [42.5]
    assert fake.requests[0].headers["authorization"] == "Bearer later"
