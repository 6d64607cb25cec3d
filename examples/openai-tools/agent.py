"""A model that buys by function calling: the tools of ``agent.tools()``, and one that asks the shop of ../shop for an order."""

import json
import os
import sys

import httpx
from countersign_client import Agent, Key
from openai import OpenAI

shop = httpx.Client(base_url=os.environ.get("SHOP_URL", "http://localhost:3000"))
agent = Agent(os.environ["COUNTERSIGN_URL"], key=Key.load("agent.seed"))
# The model sees neither the agent's key nor an approval token, and the policy judges what it asks for.
tools = agent.tools()
sku = {"type": "string", "enum": ["sencha", "teapot", "samovar"]}
order_tool = {
    "name": "order",
    "description": "Ask the tea shop for an offer. Give buy its cart as it is.",
    "parameters": {"type": "object", "properties": {"sku": sku}, "required": ["sku"]},
}
# By their ids, and by those of the approvals that they wait for.
orders: dict[str, dict] = {}


def call(name: str, arguments: str) -> str:
    """Does what the model asks for, and tells it how that ended."""
    given = json.loads(arguments)
    if name == "order":
        order = shop.post("/orders", json={"lines": [given]}).raise_for_status().json()
        orders[order["id"]] = order
        # A reference in place of the signed cart: a model that copies a signature may change it.
        return json.dumps({"cart": {"order": order["id"]}, "offer": order["cart"]["credentialSubject"]})
    id = given.get("cart", {}).get("order") if name == "buy" else given.get("approval_id")
    order = orders.get(id, {})
    if name == "buy":
        given["cart"] = order.get("cart", {})
    told = json.loads(tools.call(name, given))
    if told.get("outcome") == "waiting":
        orders[told["approval_id"]] = order
    if told.get("outcome") == "paid":
        # The mandate is for the shop, which ships once the node has told it that the money is held.
        shop.post(f"/orders/{order['id']}/mandate", json=told.pop("mandate")).raise_for_status()
    return json.dumps(told)


client = OpenAI()  # It reads OPENAI_API_KEY, and OPENAI_BASE_URL where another server speaks the same API.
functions = [{"type": "function", "function": order_tool}, *tools.definitions]
messages: list = [{"role": "user", "content": sys.argv[1]}]
while True:
    completion = client.chat.completions.create(
        model=os.environ.get("OPENAI_MODEL", "gpt-5"), messages=messages, tools=functions
    )
    message = completion.choices[0].message
    messages.append(message)
    if not message.tool_calls:
        break
    for asked in message.tool_calls:
        result = call(asked.function.name, asked.function.arguments)
        print(f"{asked.function.name}: {result[:100]}", flush=True)
        messages.append({"role": "tool", "tool_call_id": asked.id, "content": result})
print(message.content)
