"""A real node, which test/python/package.test.ts starts, with a person who approves what agents ask for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from countersign_client import Key


@dataclass(frozen=True)
class Node:
    url: str
    api_key: str

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """As the owner, with the admin key."""
        headers = {"Authorization": f"Bearer {self.api_key}"}
        answer = httpx.request(method, self.url + path, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def new_agent(self) -> Key:
        key = Key.generate()
        self.ask("POST", "/ap2/agents", {"name": "python", "publicKey": key.public_key})
        return key

    def demo_cart(self, payer: str, amount: float, domain: str = "store.example") -> dict[str, Any]:
        offer = {"payerDid": payer, "domain": domain, "amount": amount, "currency": "USD"}
        cart = self.ask("POST", "/ap2/demo/cart", offer)["cartVc"]
        assert isinstance(cart, dict)
        return cart


@pytest.fixture(scope="session")
def node() -> Node:
    if "COUNTERSIGN_URL" not in os.environ:
        pytest.skip("needs a node: node --import tsx --test test/python/package.test.ts")
    return Node(os.environ["COUNTERSIGN_URL"], os.environ["COUNTERSIGN_API_KEY"])
