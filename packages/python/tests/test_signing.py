"""Transports that sign: what the node is asked, what is sent, hop by hop, and what the agent's own key signs."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from countersign_client import (
    AsyncClient,
    AsyncPayingClient,
    AsyncSigningTransport,
    Client,
    CountersignError,
    Key,
    PayingClient,
    SigningTransport,
)
from countersign_client.did import key_of_did

from .conftest import AGENT, ONCE

SHOP = "https://shop.example"
KEY = Key(bytes(range(32)))


def thumbprint(key: Key) -> str:
    x = base64.urlsafe_b64encode(key_of_did(key.did)).decode().rstrip("=")
    jwk = json.dumps({"crv": "Ed25519", "kty": "OKP", "x": x}, separators=(",", ":"))
    return base64.urlsafe_b64encode(hashlib.sha256(jwk.encode()).digest()).decode().rstrip("=")


class World:
    """A shop, a node that signs, and a client of httpx, the sync one or the async one."""

    def __init__(self, kind: str) -> None:
        self.is_async = kind == "async"
        self.seen: list[httpx.Request] = []
        self.asked: list[Any] = []
        self.refused = False
        self.authority = "shop.example"
        self.keyid = thumbprint(KEY)
        self.server: Any = lambda _: httpx.Response(200, text="tea")
        self.loop = asyncio.new_event_loop()

    def fetch(
        self, path: str = "/tea", *, method: str = "GET", paying: bool = False, content: bytes | None = None, **terms: Any
    ) -> httpx.Response:
        node, shop = httpx.MockTransport(self._node), httpx.MockTransport(self._serve)
        url, key = "http://node.example", "ak_test_1"
        terms = {"intent_id": "intent_1", "transport": shop, **terms}
        if self.is_async:
            at = AsyncClient(url, api_key=key, retries=ONCE, http=httpx.AsyncClient(transport=node))
            signing = AsyncSigningTransport(at, **terms)

            async def run() -> httpx.Response:
                paid = AsyncPayingClient(at, agent_did=AGENT, transport=signing) if paying else None
                async with paid or httpx.AsyncClient(transport=signing) as client:
                    return await client.request(method, SHOP + path, content=content, follow_redirects=True)

            return self.loop.run_until_complete(run())
        here = Client(url, api_key=key, retries=ONCE, http=httpx.Client(transport=node))
        transport = SigningTransport(here, **terms)
        paid = PayingClient(here, agent_did=AGENT, transport=transport) if paying else None
        with paid or httpx.Client(transport=transport) as client:
            return client.request(method, SHOP + path, content=content, follow_redirects=True)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        answer: httpx.Response = self.server(request)
        return answer

    def _node(self, request: httpx.Request) -> httpx.Response:
        members = json.loads(request.content)
        if request.url.path == "/ap2/http-payments/authorize":
            ids = {"mandateId": "pm_1", "intentId": "intent_1", "transactionId": "txn_1"}
            grant = {"expiresAt": "", "protocol": "mpp", **ids}
            header = {"name": "Authorization", "value": "Payment token"}
            return httpx.Response(200, json={"allowed": True, "send": {"header": header}, **grant})
        if request.url.path != "/ap2/http-signatures":
            return httpx.Response(200, json={})
        self.asked.append(members)
        if self.refused:
            error = {"code": "FORBIDDEN", "message": "The purchase is from another shop.", "requestId": "req_1", "docs": ""}
            return httpx.Response(403, json={"error": error})
        number = len(self.asked)
        params = f'("@authority");created=1;keyid="{self.keyid}";nonce="n{number}"'
        headers = {"Signature-Input": f"sig1={params}", "Signature": f"sig1=:{number}:"}
        base = f'"@authority": {self.authority}\n"@signature-params": {params}'
        own = members.get("key") == "agent"
        if own:
            del headers["Signature"]
        answer = {"headers": headers, "keyid": self.keyid, "nonce": f"n{number}", "expiresAt": ""}
        return httpx.Response(200, json={**answer, **({"base": base} if own else {})})


@pytest.fixture(params=["sync", "async"])
def world(request: pytest.FixtureRequest) -> Any:
    made = World(request.param)
    yield made
    made.loop.close()


def test_a_request_is_sent_with_the_headers_that_the_node_gives_for_it(world: World) -> None:
    assert world.fetch("/tea?kind=green#top", profile="tap").text == "tea"
    url = f"{SHOP}/tea?kind=green"
    assert world.asked == [{"intentId": "intent_1", "method": "GET", "url": url, "profile": "tap"}]
    assert world.seen[0].headers["signature"] == "sig1=:1:"
    assert world.seen[0].headers["signature-input"].startswith('sig1=("@authority")')


def test_the_digest_of_a_body_is_signed_and_the_body_sent(world: World) -> None:
    world.fetch(method="POST", content=b"order")
    digest = base64.b64encode(hashlib.sha256(b"order").digest()).decode()
    assert world.asked[0]["bodyDigest"] == f"sha-256=:{digest}:"
    assert world.seen[0].content == b"order"


def test_a_body_is_not_named_for_tap_which_covers_none(world: World) -> None:
    world.fetch(method="POST", content=b"order", profile="tap")
    assert "bodyDigest" not in world.asked[0]


def test_each_hop_is_signed_by_itself_and_no_signature_is_sent_twice(world: World) -> None:
    def server(request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"Location": "/green"}) if request.url.path == "/tea" else httpx.Response(200)

    world.server = server
    assert world.fetch().status_code == 200
    assert [each["url"] for each in world.asked] == [f"{SHOP}/tea", f"{SHOP}/green"]
    assert [each.headers["signature"] for each in world.seen] == ["sig1=:1:", "sig1=:2:"]


def test_nothing_is_sent_where_the_node_does_not_sign(world: World) -> None:
    world.refused = True
    with pytest.raises(CountersignError, match="another shop"):
        world.fetch()
    assert world.seen == []


def test_what_a_paying_client_sends_is_signed_and_what_it_pays_with_again(world: World) -> None:
    challenge = 'Payment id="c1", realm="shop", method="stripe", intent="charge", request="e30"'
    asks = httpx.Response(402, headers={"WWW-Authenticate": challenge})
    world.server = lambda request: httpx.Response(200) if "authorization" in request.headers else asks
    assert world.fetch(paying=True).status_code == 200
    assert [each.headers["signature"] for each in world.seen] == ["sig1=:1:", "sig1=:2:"]


def test_the_agents_own_key_signs_what_the_node_has_written(world: World) -> None:
    world.fetch(key=KEY, signature_agent="https://agent.example")
    assert (world.asked[0]["key"], world.asked[0]["signatureAgent"]) == ("agent", "https://agent.example")
    signature = base64.b64decode(world.seen[0].headers["signature"].removeprefix("sig1=:").removesuffix(":"))
    params = world.seen[0].headers["signature-input"].removeprefix("sig1=")
    base = f'"@authority": shop.example\n"@signature-params": {params}'
    Ed25519PublicKey.from_public_bytes(key_of_did(KEY.did)).verify(signature, base.encode())


@pytest.mark.parametrize(
    ("member", "value"),
    [("authority", "other.example"), ("keyid", "another"), ("authority", 'shop.example\nx: "y"')],
)
def test_the_agents_own_key_signs_nothing_else(world: World, member: str, value: str) -> None:
    setattr(world, member, value)
    with pytest.raises(CountersignError, match="something else"):
        world.fetch(key=KEY)
    assert world.seen == []
