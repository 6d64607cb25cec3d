"""A LangChain agent that buys at the shop of ../shop: a model, its tools, and the loop between them."""

import json
import os
import sys

import httpx
from countersign_client import Agent, Key
from countersign_client.langchain import langchain_tools
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool

shop = httpx.Client(base_url=os.environ.get("SHOP_URL", "http://localhost:3000"))
agent = Agent(os.environ["COUNTERSIGN_URL"], key=Key.load("agent.seed"))


@tool
def order(sku: str) -> str:
    """Ask the tea shop for an order of sencha, teapot or samovar. Its cart is what buy takes, unchanged."""
    return shop.post("/orders", json={"lines": [{"sku": sku}]}).raise_for_status().text


@tool
def deliver(order_id: str, mandate: dict) -> str:
    """Bring the shop the mandate of a purchase that was paid. It ships once the money is held."""
    return shop.post(f"/orders/{order_id}/mandate", json=mandate).raise_for_status().text


# The policy judges what the model asks for; it sees neither the agent's key nor an approval token.
tools = {each.name: each for each in [order, deliver, *langchain_tools(agent)]}


def scripted(messages: list[BaseMessage]) -> AIMessage:
    """Answers as a model might. In its place: ``ChatOpenAI(model=…).bind_tools(list(tools.values()))``, or another one."""
    told = [json.loads(each.content) for each in messages if isinstance(each, ToolMessage)]
    if not told:
        wanted = next((sku for sku in ("teapot", "samovar") if sku in messages[0].content), "sencha")
        return asks("order", sku=wanted)
    first, last = told[0], told[-1]
    if last is first:
        return asks("buy", cart=first["cart"], description="Tea for the office")
    if last.get("outcome") == "waiting":
        print("waiting for the person, at", last["url"], flush=True)
        return asks("wait_for_approval", approval_id=last["approval_id"])
    if last.get("outcome") == "paid":
        return asks("deliver", order_id=first["id"], mandate=last["mandate"])
    if "outcome" in last:
        return AIMessage(f"I could not buy it. {last.get('would_pass') or last['sentence']}")
    return AIMessage(f"I bought it; the order is {last['status']}.")


def asks(name: str, **arguments: object) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": name}])


model = RunnableLambda(scripted)
messages: list[BaseMessage] = [HumanMessage(sys.argv[1])]
while True:
    answer = model.invoke(messages)
    messages.append(answer)
    if not answer.tool_calls:
        break
    for asked in answer.tool_calls:
        result = tools[asked["name"]].invoke(asked)
        print(f"{asked['name']}: {result.content[:100]}", flush=True)
        messages.append(result)
print(answer.content)
