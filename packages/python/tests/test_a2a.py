"""Answers that no node gives: the client takes none of them for one, and sends nothing elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from countersign_client import A2aClient, CountersignError, Key, sign_message
from countersign_client.proof import sign_document

from .conftest import ONCE

NODE = Key(bytes([8] * 32))
AGENT = Key(bytes([7] * 32))
BODY = {"agentDid": AGENT.did, "principalDid": AGENT.did, "request": {"maxAmount": 5, "currency": "USD"}}


def client_of(answer: Callable[[Any], Any], gateway: str = "http://node.example/a2a/gateway") -> A2aClient:
    """A client whose node answers each JSON-RPC request with what is made of it."""

    def handle(request: httpx.Request) -> httpx.Response:
        assert request.url.host == "node.example"
        if request.method == "GET":
            card = {"did": NODE.did, "url": "http://node.example", "endpoints": {"a2a": gateway}}
            return httpx.Response(200, json=card)
        return httpx.Response(200, json=answer(json.loads(request.content)))

    http = httpx.Client(transport=httpx.MockTransport(handle))
    return A2aClient("http://node.example", AGENT, retries=ONCE, http=http)


def reply(asked: Any, signer: Key = NODE, **changes: Any) -> Any:
    message = asked["params"]["message"]
    content = {
        "id": "answer",
        "type": "IntentResult",
        "from": NODE.did,
        "to": AGENT.did,
        "created": message["created"],
        "inReplyTo": message["id"],
        "body": {"allowed": True},
    } | changes
    signed = sign_document(signer, content, created=message["created"], purpose="authentication")
    return {"jsonrpc": "2.0", "id": asked["id"], "result": {"message": signed}}


def test_an_answer_that_the_node_signed_is_taken() -> None:
    assert client_of(reply).send("IntentMandate", BODY) == {"allowed": True}


def test_a_refusal_is_an_answer() -> None:
    data = {"allowed": False, "reasonCodes": ["AMOUNT_OVER_CAP"], "details": {}}
    client = client_of(
        lambda asked: {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32000, "message": "no", "data": data}}
    )
    assert client.send("IntentMandate", BODY) == data


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda asked: reply(asked, signer=AGENT), id="signed by another"),
        pytest.param(lambda asked: reply(asked, to=NODE.did), id="to another agent"),
        pytest.param(lambda asked: reply(asked, inReplyTo="other"), id="to another message"),
        pytest.param(lambda asked: reply(asked, type="PaymentResult"), id="of another type"),
        pytest.param(lambda asked: reply(asked, contextId="other"), id="of another session"),
        pytest.param(lambda asked: reply(asked, body="yes"), id="whose body is a text"),
        pytest.param(lambda asked: reply(asked) | {"id": "other"}, id="to another request"),
        pytest.param(lambda asked: {"jsonrpc": "2.0", "id": asked["id"]}, id="with neither result nor error"),
        pytest.param(lambda asked: {"jsonrpc": "2.0", "id": asked["id"], "result": None}, id="whose result is null"),
        pytest.param(lambda asked: {"jsonrpc": "2.0", "id": asked["id"], "error": "no"}, id="whose error is a text"),
        pytest.param(
            lambda asked: {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32000, "message": "no", "data": {"allowed": False}}},
            id="whose refusal gives no reasons",
        ),
        pytest.param(lambda asked: [reply(asked)], id="that is a list"),
    ],
)
def test_other_answers_are_errors_of_the_client_s_own(answer: Callable[[Any], Any]) -> None:
    with pytest.raises(CountersignError) as raised:
        client_of(answer).send("IntentMandate", BODY)
    assert raised.value.code in ("INVALID_ANSWER", "-32000")


@pytest.mark.parametrize(
    "gateway",
    ["http://node.example.evil.example/a2a/gateway", "http://node.example@evil.example/a2a", "http://node.example:81/a2a"],
)
def test_a_card_whose_gateway_is_elsewhere_is_no_card(gateway: str) -> None:
    with pytest.raises(CountersignError, match="not a node’s agent card"):
        client_of(reply, gateway).send("IntentMandate", BODY)


def test_another_node_than_the_one_that_was_named_is_refused() -> None:
    client = client_of(reply)
    other = A2aClient("http://node.example", AGENT, node_did=AGENT.did, http=client._http)
    with pytest.raises(CountersignError, match="WRONG_NODE"):
        other.node_did()


def test_an_error_carries_the_node_s_code() -> None:
    error = {"code": -32004, "message": "There is none.", "data": {"code": "NOT_FOUND"}}
    client = client_of(lambda asked: {"jsonrpc": "2.0", "id": asked["id"], "error": error})
    with pytest.raises(CountersignError, match="^NOT_FOUND: There is none."):
        client.send("IntentMandate", BODY)


def test_a_message_without_canonical_json_is_not_signed() -> None:
    with pytest.raises(CountersignError, match="^BAD_REQUEST"):
        sign_message(AGENT, "IntentMandate", {"amount": float("inf")}, to=NODE.did)
