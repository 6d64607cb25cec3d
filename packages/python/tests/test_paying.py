"""Clients that pay: which hop they pay, what they send again, what they report, and when they stop."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from countersign_client import AsyncClient, AsyncPayingClient, Client, CountersignError, PayingClient
from countersign_client.models import HttpPaymentResultRefused

from .conftest import AGENT, ONCE

SHOP = "https://reports.example"
RECEIPT = "eyJtZXRob2QiOiJzdHJpcGUifQ"
CHALLENGE = 'Payment id="c1", realm="reports, and more", method="stripe", intent="charge", request="e30"'
REFUSAL = {"allowed": False, "reasonCodes": ["HP_REQUIRED"], "details": {}, "approval": {"id": "apr_1", "expiresAt": ""}}
PAYMENT = {
    "mandateId": "pm_1",
    "transactionId": "txn_1",
    "intentId": "intent_1",
    "agentDid": AGENT,
    "principalDid": AGENT,
    "merchant": "reports.example",
    "amount": 5,
    "currency": "USD",
    "rail": "SPT_RAIL",
    "railId": None,
    "status": "AUTHORIZED",
    "captured": 0,
    "refunded": 0,
    "createdAt": "",
    "updatedAt": "",
    "links": [],
}

Handler = Callable[[httpx.Request], httpx.Response]


def asks(request: httpx.Request) -> httpx.Response:
    return httpx.Response(402, headers={"WWW-Authenticate": CHALLENGE}, text="pay me")


def is_paid(request: httpx.Request) -> bool:
    return str(request.headers.get("authorization", "")).startswith("Payment ")


def once(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, headers={"Payment-Receipt": RECEIPT}, text="report") if is_paid(request) else asks(request)


class World:
    """A server, a node and a client that pays, the sync one or the async one."""

    def __init__(self, kind: str) -> None:
        self.is_async = kind == "async"
        self.server: Handler = once
        self.seen: list[httpx.Request] = []
        self.asked: list[Any] = []
        self.reports: list[Any] = []
        self.answers: list[Any] = []
        self.refusals: list[HttpPaymentResultRefused] = []
        self.loop = asyncio.new_event_loop()
        node = httpx.MockTransport(self._node)
        server = httpx.MockTransport(self._serve)
        options: Any = {"agent_did": AGENT, "on_refusal": self.refusals.append, "transport": server, "follow_redirects": True}
        url, key = "http://node.example", "ak_test_1"
        if self.is_async:
            async_http = httpx.AsyncClient(transport=node)
            self._async = AsyncPayingClient(AsyncClient(url, api_key=key, retries=ONCE, http=async_http), **options)
        else:
            http = httpx.Client(transport=node)
            self._sync = PayingClient(Client(url, api_key=key, retries=ONCE, http=http), **options)

    def fetch(self, method: str = "GET", path: str = "/report", **options: Any) -> httpx.Response:
        if self.is_async:
            return self.loop.run_until_complete(self._async.request(method, SHOP + path, **options))
        return self._sync.request(method, SHOP + path, **options)

    def close(self) -> None:
        if self.is_async:
            self.loop.run_until_complete(self._async.aclose())
        else:
            self._sync.close()
        self.loop.close()

    def _serve(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        return self.server(request)

    def _node(self, request: httpx.Request) -> httpx.Response:
        members = json.loads(request.content)
        if request.url.path.endswith("/settlements"):
            self.reports.append(members)
            return httpx.Response(200, json={**PAYMENT, "status": "CAPTURED" if "receipt" in members else "AUTHORIZED"})
        self.asked.append(members)
        header = {"name": "Authorization", "value": f"Payment token-{len(self.asked)}"}
        ids = {"mandateId": f"pm_{len(self.asked)}", "intentId": "intent_1", "transactionId": "txn_1"}
        grant = {"allowed": True, "protocol": "mpp", "send": {"header": header}, "expiresAt": "", **ids}
        answer = self.answers.pop(0) if self.answers else grant
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)


@pytest.fixture(params=["sync", "async"])
def world(request: pytest.FixtureRequest) -> Any:
    made = World(request.param)
    yield made
    made.close()


def test_what_the_node_gives_is_sent_and_the_receipt_reported(world: World) -> None:
    assert world.fetch(path="/report?of=tea").text == "report"
    assert world.asked == [{"agentDid": AGENT, "url": f"{SHOP}/report?of=tea", "method": "GET", "challenges": [CHALLENGE]}]
    assert world.reports == [{"mandateId": "pm_1", "status": 200, "receipt": RECEIPT}]


def test_a_402_that_asks_for_nothing_known_is_the_callers_with_its_body(world: World) -> None:
    world.server = lambda _: httpx.Response(402, headers={"WWW-Authenticate": 'Bearer realm="a, Payment b"'}, text="subscribe")
    assert world.fetch().text == "subscribe"
    assert world.asked == []


def test_the_same_body_is_sent_again_and_its_digest_named(world: World) -> None:
    world.fetch("POST", content=b"order")
    digest = base64.b64encode(hashlib.sha256(b"order").digest()).decode()
    assert (world.asked[0]["method"], world.asked[0]["bodyDigest"]) == ("POST", f"sha-256=:{digest}:")
    assert [each.content for each in world.seen] == [b"order", b"order"]


def test_the_hop_that_asked_is_paid_by_its_method_and_never_the_first_one(world: World) -> None:
    def server(request: httpx.Request) -> httpx.Response:
        return httpx.Response(303, headers={"Location": "/paid"}) if request.url.path == "/order" else once(request)

    world.server = server
    world.fetch("POST", "/order", content=b"order")
    assert (world.asked[0]["url"], world.asked[0]["method"]) == (f"{SHOP}/paid", "GET")
    assert "bodyDigest" not in world.asked[0]
    assert [(each.method, each.content) for each in world.seen] == [("POST", b"order"), ("GET", b""), ("GET", b"")]


def test_a_redirect_of_the_paid_answer_is_reported_and_followed_without_the_credential(world: World) -> None:
    def server(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/file":
            return httpx.Response(200, text="file")
        moved = {"Location": "/file", "Payment-Receipt": RECEIPT}
        return httpx.Response(302, headers=moved) if is_paid(request) else asks(request)

    world.server = server
    assert world.fetch().text == "file"
    assert world.reports == [{"mandateId": "pm_1", "status": 302, "receipt": RECEIPT}]
    assert "authorization" not in world.seen[-1].headers


def test_a_receipt_that_comes_with_a_failure_is_reported(world: World) -> None:
    failed = httpx.Response(500, headers={"Payment-Receipt": RECEIPT})
    world.server = lambda request: failed if is_paid(request) else asks(request)
    assert world.fetch().status_code == 500
    assert world.reports == [{"mandateId": "pm_1", "status": 500, "receipt": RECEIPT}]


def test_a_problem_is_reported_and_left_to_the_caller(world: World) -> None:
    problem = {"type": "https://paymentauth.org/problems/verification-failed", "title": "No"}
    content = gzip.compress(json.dumps(problem).encode())
    headers = {"Content-Type": "application/problem+json", "Content-Encoding": "gzip"}
    world.server = lambda request: (
        httpx.Response(403, headers=headers, stream=httpx.ByteStream(content)) if is_paid(request) else asks(request)
    )
    assert world.fetch().json() == problem
    assert world.reports == [{"mandateId": "pm_1", "status": 403, "problem": problem}]


def test_a_server_that_asks_again_is_paid_three_times_at_most_each_time_in_place_of_the_time_before(world: World) -> None:
    world.server = asks
    response = world.fetch()
    assert (response.status_code, response.text) == (402, "pay me")
    assert [each.get("replaces") for each in world.asked] == [None, "pm_1", "pm_2"]
    assert [each["status"] for each in world.reports] == [402, 402, 402]


def test_the_try_whose_answer_was_lost_is_replaced_when_the_same_is_asked_for_again(world: World) -> None:
    def server(request: httpx.Request) -> httpx.Response:
        if is_paid(request):
            raise httpx.ReadError("lost")
        return asks(request)

    world.server = server
    with pytest.raises(httpx.ReadError):
        world.fetch()
    assert world.reports == [{"mandateId": "pm_1"}]
    world.server = once
    world.fetch()
    world.fetch()
    assert [each.get("replaces") for each in world.asked] == [None, "pm_1", None]


def test_a_refusal_is_told_and_the_approval_named_when_the_same_is_asked_for_again(world: World) -> None:
    world.answers = [REFUSAL]
    response = world.fetch()
    assert (response.status_code, response.text) == (402, "pay me")
    assert [each.reason_codes for each in world.refusals] == [["HP_REQUIRED"]]
    assert world.fetch().status_code == 200
    assert world.asked[1]["approvalId"] == "apr_1"


def test_a_key_that_the_request_carries_is_never_replaced(world: World) -> None:
    assert world.fetch(headers={"Authorization": "Bearer key"}).status_code == 402
    message = world.refusals[0].details["RAIL_UNAVAILABLE"].message
    assert "takes one Authorization" in str(message)
    assert world.asked == []


def test_what_pays_is_sent_beside_a_key_where_the_challenge_names_a_header_of_its_own(world: World) -> None:
    own = CHALLENGE + ', header="Payment-Authorization"'
    world.server = lambda request: (
        httpx.Response(200)
        if "payment-authorization" in request.headers
        else httpx.Response(402, headers={"WWW-Authenticate": f'Bearer realm="x", {own}'})
    )
    header = {"name": "Payment-Authorization", "value": "Payment token"}
    ids = {"mandateId": "pm_1", "intentId": "intent_1", "transactionId": "txn_1"}
    world.answers = [{"allowed": True, "protocol": "mpp", "send": {"header": header}, "expiresAt": "", **ids}]
    assert world.fetch(headers={"Authorization": "Bearer key"}).status_code == 200
    assert world.seen[1].headers["authorization"] == "Bearer key"


def test_both_protocols_are_asked_for_at_once_where_a_server_offers_both(world: World) -> None:
    both = {"WWW-Authenticate": CHALLENGE, "PAYMENT-REQUIRED": "e30="}
    world.server = lambda request: httpx.Response(200) if is_paid(request) else httpx.Response(402, headers=both)
    world.fetch()
    assert (world.asked[0]["challenges"], world.asked[0]["paymentRequired"]) == ([CHALLENGE], "e30=")


def test_a_node_that_does_not_answer_is_an_error_and_nothing_is_paid(world: World) -> None:
    error = {"error": {"code": "FORBIDDEN", "message": "No."}}
    world.answers = [httpx.Response(403, json=error)]
    with pytest.raises(CountersignError, match="FORBIDDEN"):
        world.fetch()
    assert len(world.seen) == 1
