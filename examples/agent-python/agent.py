"""An agent that buys at the shop of ../shop: paid, refused with what would pass, or waiting for the person."""

import os
import sys
import time

import httpx
from countersign_client import Agent, Declined, Key, Paid, Refused, Waiting

sku, quantity = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
shop = httpx.Client(base_url=os.environ.get("SHOP_URL", "http://localhost:3000"))

# What it costs: the shop signs the order as a cart.
answer = shop.post("/orders", json={"lines": [{"sku": sku, "quantity": quantity}]})
order = answer.raise_for_status().json()

# The agent proves itself with its own key, and needs no secret of the node.
with Agent(os.environ["COUNTERSIGN_URL"], key=Key.load("agent.seed")) as agent:
    result = agent.buy(order["cart"], description="Tea for the office", idempotency_key=order["id"])
    if isinstance(result, Waiting):
        print("waiting for the person, at", result.url, flush=True)
        result = result.wait(timeout_seconds=600)

match result:
    case Paid():
        # The shop gets what the node signed, and ships once the node has told it that the money is held.
        shop.post(f"/orders/{order['id']}/mandate", json=result.mandate).raise_for_status()
        for _ in range(50):
            status = shop.get(f"/orders/{order['id']}").json()["status"]
            if status == "shipped":
                break
            time.sleep(0.2)
        print(f"paid: {result.amount:.2f} {result.currency}, and the order is {status}")
    case Declined():
        print("declined by the rail:", result.message)
    case Refused():
        for reason in result.reasons:
            print(f"refused: {reason.code}: {reason.sentence}")
        print(result.would_pass or result.sentence)
    case Waiting():
        print("The person has not decided yet.")
