"""A real node signs requests to the merchant of an intent, by its own key and by the agent's."""

from __future__ import annotations

import httpx
import pytest

from countersign_client import Client, CountersignError, SigningTransport
from countersign_client.models import IntentResultAllowed

from .conftest import Node


def test_requests_to_the_merchant_are_signed_and_those_to_another_host_are_not_sent(node: Node) -> None:
    key = node.new_agent()
    seen: list[httpx.Request] = []

    def shop(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200)

    with Client(node.url, api_key=node.api_key) as client:
        issued = client.issue_intent(
            agent_did=key.did,
            principal_did=key.did,
            request={"maxAmount": 5, "currency": "USD", "vendorHints": {"domain": "shop.example"}},
        )
        assert isinstance(issued, IntentResultAllowed)
        intent_id = str(issued.intent_vc["credentialSubject"]["mandateId"])
        for own in (None, key):
            transport = SigningTransport(client, intent_id=intent_id, key=own, transport=httpx.MockTransport(shop))
            with httpx.Client(transport=transport) as http:
                assert http.post("https://shop.example/tea?kind=green", content=b"order").status_code == 200
                with pytest.raises(CountersignError):
                    http.get("https://other.example/tea")
    assert len(seen) == 2
    assert len({each.headers["signature"] for each in seen}) == 2
    assert all("content-digest" in each.headers["signature-input"] for each in seen)
