"""A server that asks by MPP is paid through a real node."""

from __future__ import annotations

import base64
import json
from typing import Any

import httpx

from countersign_client import Client, PayingClient

from .conftest import Node


def encoded(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_a_report_is_paid_and_captured_by_the_servers_receipt(node: Node) -> None:
    key = node.new_agent()
    details = {"networkId": "profile_reports", "paymentMethodTypes": ["card"]}
    request_text = encoded({"amount": "500", "currency": "usd", "methodDetails": details})
    challenge = (
        f'Payment id="{key.did[-20:]}", realm="reports.example", method="stripe", intent="charge", '
        f'request="{request_text}", expires="2099-01-01T00:00:00Z"'
    )

    def server(request: httpx.Request) -> httpx.Response:
        if "authorization" not in request.headers:
            return httpx.Response(402, headers={"WWW-Authenticate": challenge})
        receipt = encoded({"method": "stripe", "status": "success", "reference": "pi_python"})
        return httpx.Response(200, headers={"Payment-Receipt": receipt}, text="report")

    with Client(node.url, api_key=node.api_key) as client:
        with PayingClient(client, agent_did=key.did, transport=httpx.MockTransport(server)) as paying:
            assert paying.get("https://reports.example/report").text == "report"
        [payment] = client.list_payments(agent_did=key.did).data
        assert (payment.status, payment.merchant, payment.amount) == ("CAPTURED", "reports.example", 5)
