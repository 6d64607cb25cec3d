"""A language model's calls, against a real node, and through LangChain."""

from __future__ import annotations

import asyncio
import json

from countersign_client import Agent, AsyncAgent
from countersign_client.langchain import langchain_tools

from .conftest import Node


def test_a_model_asks_shops_waits_and_looks(node: Node) -> None:
    key = node.new_agent()
    with Agent(node.url, key=key) as agent:
        tools = agent.tools()
        told = json.loads(tools.call("policy_explain", {"amount": 500, "currency": "USD", "merchant": "store.example"}))
        assert (told["allowed"], told["reasonCodes"]) == (False, ["AMOUNT_OVER_CAP"])
        waiting = json.loads(tools.call("buy", {"cart": node.demo_cart(key.did, 150), "description": "A chair"}))
        assert waiting["outcome"] == "waiting"
        looked = json.loads(tools.call("check_status", {"id": waiting["approval_id"]}))
        assert looked["amount"] == 150
        ended = json.loads(
            tools.call("wait_for_approval", {"approval_id": waiting["approval_id"], "wait_seconds": 60})
        )
        assert ended["outcome"] == "paid"
        assert json.loads(tools.call("check_status", {"id": ended["mandate_id"]}))["status"] == "AUTHORIZED"
        listed = json.loads(tools.call("list_purchases", "{}"))
        assert [payment["mandateId"] for payment in listed["payments"]] == [ended["mandate_id"]]
        assert "limits" in json.loads(tools.call("check_limits", "{}"))


def test_langchain_invokes_the_same_tools(node: Node) -> None:
    key = node.new_agent()
    with Agent(node.url, key=key) as agent:
        tools = {tool.name: tool for tool in langchain_tools(agent)}
        paid = json.loads(tools["buy"].invoke({"cart": node.demo_cart(key.did, 42.5)}))
        assert paid["outcome"] == "paid"
        assert tools["check_limits"].args == {}

    async def look() -> str:
        async with AsyncAgent(node.url, key=key) as later:
            by_name = {tool.name: tool for tool in langchain_tools(later)}
            return str(await by_name["check_status"].ainvoke({"id": paid["mandate_id"]}))

    assert json.loads(asyncio.run(look()))["mandateId"] == paid["mandate_id"]
