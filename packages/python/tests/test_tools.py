"""What a language model is told, and what it may get wrong."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from countersign_client import Agent, AsyncAgent

from .conftest import AGENT, CART, ONCE, FakeNode
from .test_agent import APPROVED, ASKS, INTENT, REFUSAL, TOLD, paid


def agent_of(fake: FakeNode) -> Agent:
    return Agent("http://node.example", api_key="ak_test_1", did=AGENT, retries=ONCE, http=fake.http())


def test_each_tool_is_a_function_with_a_schema_of_its_arguments(fake: FakeNode) -> None:
    definitions = {each["function"]["name"]: each["function"] for each in agent_of(fake).tools().definitions}
    assert list(definitions) == [
        "buy",
        "wait_for_approval",
        "policy_explain",
        "check_limits",
        "list_purchases",
        "check_status",
    ]
    buy = definitions["buy"]["parameters"]
    assert (buy["required"], buy["additionalProperties"]) == (["cart"], False)
    assert all("\n" not in each["description"] and each["description"] for each in definitions.values())


def test_a_model_buys_after_the_person_approved(fake: FakeNode) -> None:
    tools = agent_of(fake).tools()
    fake.say(INTENT)
    fake.say(ASKS)
    waiting = json.loads(tools.call("buy", json.dumps({"cart": CART})))
    assert (waiting["outcome"], waiting["url"]) == ("waiting", "http://node.example/approve/apr_1")
    for answer in ({"status": "approved", "hpProof": {}}, APPROVED, paid("requires_capture")):
        fake.say(answer)
    ended = json.loads(tools.call("wait_for_approval", {"approval_id": "apr_1"}))
    assert (ended["outcome"], ended["mandate_id"], ended["amount"]) == ("paid", "pm_1", 42.5)
    again = json.loads(tools.call("wait_for_approval", {"approval_id": "apr_1"}))
    assert again["error"]["code"] == "NOT_FOUND"


def test_a_refusal_tells_the_model_what_would_pass(fake: FakeNode) -> None:
    fake.say(REFUSAL)
    fake.say(TOLD)
    refused = json.loads(agent_of(fake).tools().call("buy", {"cart": CART}))
    assert refused["outcome"] == "refused"
    assert refused["would_pass"] == "It would pass with at most 200.00 USD."
    assert refused["reasons"][0]["code"] == "AMOUNT_OVER_CAP"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("sell", "{}"),
        ("buy", "{"),
        ("buy", "[]"),
        ("buy", "{}"),
        ("buy", '{"cart": {}}'),
        ("buy", '{"cart": "https://shop.example"}'),
        ("buy", '{"cart": {}, "currency": "USD"}'),
        ("policy_explain", '{"amount": -1, "currency": "USD"}'),
        ("wait_for_approval", '{"approval_id": "apr_1", "wait_seconds": 1e9}'),
        ("check_status", '{"id": "../admin"}'),
    ],
)
def test_a_mistake_of_the_model_is_told_and_nothing_is_asked(fake: FakeNode, name: str, arguments: Any) -> None:
    told = json.loads(agent_of(fake).tools().call(name, arguments))
    assert told["error"]["code"] == "BAD_REQUEST" and told["error"]["message"]
    assert fake.requests == []


def test_an_error_of_the_node_is_told_with_its_remedy(fake: FakeNode) -> None:
    fake.fail(403, "FORBIDDEN", "This key may not read.")
    told = json.loads(agent_of(fake).tools().call("check_limits", "{}"))
    assert told["error"]["code"] == "FORBIDDEN" and told["error"]["remedy"]


def test_async_agents_have_the_same_tools(fake: FakeNode) -> None:
    fake.say({"data": []})

    async def call() -> str:
        http = httpx.AsyncClient(transport=httpx.MockTransport(fake.handle))
        agent = AsyncAgent("http://node.example", api_key="ak_test_1", did=AGENT, http=http)
        return await agent.tools().call("list_purchases", {"limit": 5})

    assert json.loads(asyncio.run(call())) == {"payments": []}
    assert fake.requests[0].url.params["agentDid"] == AGENT
