"""Buys with the stock Python client: `client.py ADDRESS KEY AGENT`. A cart comes by standard input when it is asked for."""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult


def say(word, value):
    """Tells the test something, and waits for its answer."""
    print(json.dumps({word: value}), flush=True)
    return json.loads(sys.stdin.readline())


async def touch(_context, params):
    await asyncio.to_thread(say, "touch", params.url)
    return ElicitResult(action="accept")


async def main(address, key, agent):
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(f"{address}/mcp", http_client=http)
        async with Client(transport, elicitation_callback=touch) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            intent = await client.call_tool(
                "request_intent",
                {"maxAmount": 150, "currency": "USD", "merchantDomain": "shop.example", "agentDid": agent},
            )
            cart = await asyncio.to_thread(say, "tools", tools)
            checked = await client.call_tool(
                "validate_cart", {"intentId": intent.structured_content["intentId"], "cartVc": cart}
            )
            paid = await client.call_tool("pay", {"approvalToken": checked.structured_content["approvalToken"]})
            print(json.dumps({"paid": paid.structured_content}), flush=True)


asyncio.run(main(*sys.argv[1:]))
