"""An agent's purchase against answers of a node that are written here."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import httpx
import pytest

from countersign_client import Agent, Approval, AsyncAgent, CountersignError, Declined, Key, Paid, Refused, Retries, Waiting

from .conftest import AGENT, CART, ONCE, FakeNode

INTENT = {"allowed": True, "intentVc": {"id": "intent"}, "hpRequired": False}
APPROVED = {"allowed": True, "approvalToken": "apt_1"}
SUBJECT = {"mandateId": "pm_1", "amount": 42.5, "currency": "USD", "merchant": "store.example"}
REFUSAL: dict[str, Any] = {
    "allowed": False,
    "reasonCodes": ["AMOUNT_OVER_CAP"],
    "details": {"AMOUNT_OVER_CAP": {"requested": 500, "limit": 200, "message": "500.00 USD is 300.00 over the cap."}},
}
TOLD = {"allowed": False, "counterfactual": {"sentence": "It would pass with at most 200.00 USD."}}
ASKS = {
    "allowed": False,
    "reasonCodes": ["HP_REQUIRED"],
    "details": {"HP_REQUIRED": {"message": "150.00 USD is over what the agent may spend alone."}},
    "approval": {"id": "apr_1", "url": "http://node.example/approve/apr_1", "expiresAt": "2026-12-01T00:00:00Z"},
}


def paid(status: str, **more: Any) -> dict[str, Any]:
    return {"pmVc": {"credentialSubject": SUBJECT}, "railResponse": {"rail": "mock", "status": status, **more}}


def agent_of(fake: FakeNode, retries: Retries = ONCE) -> Agent:
    return Agent("http://node.example/", api_key="ak_test_1", did=AGENT, retries=retries, http=fake.http())


def test_a_cart_that_is_allowed_is_paid(fake: FakeNode) -> None:
    for answer in (INTENT, APPROVED, paid("requires_capture")):
        fake.say(answer)
    result = agent_of(fake).buy(CART)
    assert isinstance(result, Paid)
    assert (result.mandate_id, result.status, result.amount) == ("pm_1", "requires_capture", 42.5)
    intent, cart, payment = fake.bodies()
    assert intent["request"] == {"maxAmount": 42.5, "currency": "USD", "vendorHints": {"domain": "store.example"}}
    assert cart == {"intentVc": {"id": "intent"}, "cartVc": CART}
    assert payment == {"approvalToken": "apt_1"}
    assert all(request.headers["authorization"] == "Bearer ak_test_1" for request in fake.requests)
    assert len({request.headers["idempotency-key"] for request in fake.requests}) == 3


def test_a_cart_can_come_after_the_intent(fake: FakeNode) -> None:
    for answer in (INTENT, APPROVED, paid("succeeded")):
        fake.say(answer)
    seen: list[Any] = []

    def shop(intent: Any) -> Any:
        seen.append(intent)
        return CART

    assert isinstance(agent_of(fake).buy(shop, max_amount=50, currency="USD"), Paid)
    assert seen == [{"id": "intent"}]
    assert fake.bodies()[0]["request"] == {"maxAmount": 50, "currency": "USD"}


def test_an_async_agent_may_wait_for_the_shop(fake: FakeNode) -> None:
    for answer in (INTENT, APPROVED, paid("succeeded")):
        fake.say(answer)

    async def shop(intent: Any) -> Any:
        await asyncio.sleep(0)
        return CART if intent == {"id": "intent"} else None

    async def buy() -> object:
        http = httpx.AsyncClient(transport=httpx.MockTransport(fake.handle))
        async with AsyncAgent("http://node.example", api_key="ak_test_1", did=AGENT, http=http) as agent:
            return await agent.buy(shop, max_amount=50, currency="USD")

    assert isinstance(asyncio.run(buy()), Paid)


@pytest.mark.parametrize("answer", [[], "yes", {}, {"allowed": True}, {"allowed": "yes"}])
def test_what_is_no_answer_of_a_node_is_an_error(fake: FakeNode, answer: Any) -> None:
    fake.say(answer)
    with pytest.raises(CountersignError, match="^INVALID_ANSWER"):
        agent_of(fake).buy(CART)


def test_a_refusal_has_its_reasons_and_what_would_pass(fake: FakeNode) -> None:
    fake.say(REFUSAL)
    fake.say(TOLD)
    result = agent_of(fake).buy(CART)
    assert isinstance(result, Refused)
    assert (result.step, result.reason_codes) == ("intent", ("AMOUNT_OVER_CAP",))
    assert result.reasons[0].facts == {"requested": 500, "limit": 200}
    assert result.reasons[0].remedy != ""
    assert result.sentence == "500.00 USD is 300.00 over the cap."
    assert result.would_pass == "It would pass with at most 200.00 USD."


def test_a_refusal_stands_where_the_policy_cannot_be_asked(fake: FakeNode) -> None:
    for answer in (INTENT, REFUSAL):
        fake.say(answer)
    fake.fail(403, "FORBIDDEN", "This key may not read.")
    result = agent_of(fake).buy(CART)
    assert isinstance(result, Refused) and (result.step, result.would_pass) == ("cart", None)


def test_a_decline_of_the_rail_is_no_payment(fake: FakeNode) -> None:
    for answer in (INTENT, APPROVED, paid("failed", error={"code": "card_declined", "message": "Declined."})):
        fake.say(answer)
    result = agent_of(fake).buy(CART)
    assert isinstance(result, Declined) and result.code == "card_declined"


def test_a_purchase_goes_on_once_the_person_approved(fake: FakeNode, no_pause: list[float]) -> None:
    for answer in (INTENT, ASKS, {"status": "pending"}):
        fake.say(answer)
    fake.say({"status": "approved", "hpProof": {"id": "hp_1"}})
    fake.say(APPROVED)
    fake.say(paid("requires_capture"))
    waiting = agent_of(fake).buy(CART)
    assert isinstance(waiting, Waiting)
    assert waiting.url == "http://node.example/approve/apr_1"
    assert isinstance(waiting.wait(60), Paid)
    assert fake.requests[2].url.params["wait"] == "30"
    assert fake.bodies()[4]["hpProof"] == {"id": "hp_1"}


def test_a_purchase_still_waits_after_the_time_given(fake: FakeNode) -> None:
    for answer in (INTENT, ASKS, {"status": "pending"}):
        fake.say(answer)
    waiting = agent_of(fake).buy(CART)
    assert isinstance(waiting, Waiting)
    assert isinstance(waiting.wait(0), Waiting)


@pytest.mark.parametrize("status", ["denied", "expired"])
def test_a_purchase_ends_where_no_person_approves(fake: FakeNode, status: str) -> None:
    fake.say({"status": status})
    approval = Approval("apr_1", "http://node.example/approve/apr_1", "2026-12-01T00:00:00Z", "", {}, CART)
    result = agent_of(fake).resume(approval)
    assert isinstance(result, Refused) and result.step == "approval" and result.sentence != ""


def test_an_error_has_code_sentence_request_and_remedy(fake: FakeNode) -> None:
    fake.fail(403, "FORBIDDEN", "This key may not write.")
    with pytest.raises(CountersignError) as raised:
        agent_of(fake).buy(CART)
    error = raised.value
    assert (error.code, error.status, error.request_id) == ("FORBIDDEN", 403, "req_1")
    assert error.message == "This key may not write."
    assert "permission" in error.remedy


def test_a_lost_answer_is_asked_for_again_under_the_same_key(fake: FakeNode, no_pause: list[float]) -> None:
    fake.answers.append(httpx.ReadError("cut"))
    fake.fail(409, "CONFLICT", "in flight")
    for answer in (INTENT, APPROVED, paid("succeeded")):
        fake.say(answer)
    assert isinstance(agent_of(fake, Retries()).buy(CART), Paid)
    assert len({request.headers["idempotency-key"] for request in fake.requests[:3]}) == 1
    assert len(no_pause) == 2


def test_a_purchase_with_a_key_is_sent_again_under_the_same_keys(fake: FakeNode) -> None:
    for answer in (INTENT, APPROVED, paid("succeeded")) * 2:
        fake.say(answer)
    agent = agent_of(fake)
    assert agent.buy(CART, idempotency_key="order-7") == agent.buy(CART, idempotency_key="order-7")
    keys = [request.headers["idempotency-key"] for request in fake.requests]
    assert keys == ["order-7:intent", "order-7:cart", "order-7:payment"] * 2


def test_a_busy_node_is_given_the_time_that_it_asks_for(fake: FakeNode, no_pause: list[float]) -> None:
    fake.say({"error": {"code": "RATE_LIMITED", "message": "Slower."}}, 429, {"retry-after": "7"})
    fake.say(REFUSAL)
    fake.say(TOLD)
    agent_of(fake, Retries()).buy(CART)
    assert no_pause == [7.0]


def test_no_answer_is_an_error_of_its_own(fake: FakeNode) -> None:
    fake.answers.append(httpx.ConnectTimeout("late"))
    with pytest.raises(CountersignError, match="NETWORK: No answer came from the node in time"):
        agent_of(fake).buy(CART)


def test_a_page_of_a_network_is_not_taken_for_the_node(fake: FakeNode) -> None:
    fake.answers.append(httpx.Response(200, html="<h1>Log in</h1>"))
    with pytest.raises(CountersignError, match="INVALID_ANSWER: The answer is a web page"):
        agent_of(fake).buy(CART)


def test_an_agent_with_a_key_proves_each_request_anew(fake: FakeNode, no_pause: list[float]) -> None:
    fake.say({"error": {"code": "RATE_LIMITED", "message": "Slower."}}, 429)
    fake.say(REFUSAL)
    fake.say(TOLD)
    key = Key.generate()
    Agent("http://node.example", key=key, http=fake.http()).buy(CART)
    proofs = [request.headers["x-did-proof"] for request in fake.requests if "x-did-proof" in request.headers]
    assert len(set(proofs)) == 3
    assert {request.headers.get("x-agent-did", key.did) for request in fake.requests} == {key.did}


@pytest.mark.parametrize(
    ("base_url", "settings"),
    [
        ("node.example", {"api_key": "a", "did": AGENT}),
        ("http://me@node.example", {"api_key": "a", "did": AGENT}),
        ("http://node.example?x=1", {"api_key": "a", "did": AGENT}),
        ("http://node.example", {"api_key": "a"}),
        ("http://node.example", {"api_key": "a", "did": "did:key:zNonsense"}),
        ("http://node.example", {"did": AGENT}),
        ("http://node.example", {"api_key": "a", "key": Key.generate()}),
        ("http://node.example", {"key": Key.generate(), "did": AGENT}),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_sent(base_url: str, settings: dict[str, Any]) -> None:
    with pytest.raises(CountersignError, match="^BAD_REQUEST"):
        Agent(base_url, **settings)


def test_waiting_ends_in_time(fake: FakeNode) -> None:
    fake.say({"status": "pending"})
    approval = Approval("apr_1", "http://node.example/approve/apr_1", "2026-12-01T00:00:00Z", "", {}, CART)
    begun = time.monotonic()
    assert isinstance(agent_of(fake).resume(approval, 0.5), Waiting)
    assert time.monotonic() - begun < 5
    assert fake.requests[0].url.params["wait"] == "0"
