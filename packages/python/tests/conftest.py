"""What several files of tests use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from countersign_client import Retries

Handler = Callable[[httpx.Request], httpx.Response]

AGENT = "did:key:z6MkehRgf7yJbgaGfYsdoAsKdBPE3dj2CYhowQdcjqSJgvVd"
CARD = {
    "did": AGENT,
    "url": "http://node.example",
    "endpoints": {"a2a": "http://node.example/a2a/gateway"},
}
CART = {
    "credentialSubject": {
        "merchant": "store.example",
        "items": [{"name": "A", "price": 42.5, "quantity": 1}],
        "currency": "USD",
        "total": 42.5,
    }
}


class FakeNode:
    """Answers requests from a list, and keeps what was asked."""

    def __init__(self) -> None:
        self.answers: list[httpx.Response | Exception] = []
        self.requests: list[httpx.Request] = []

    def say(self, body: Any, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.answers.append(httpx.Response(status, json=body, headers=headers))

    def fail(self, status: int, code: str, message: str) -> None:
        error = {"code": code, "message": message, "requestId": "req_1", "docs": f"http://node.example/docs/errors#{code}"}
        self.say({"error": error}, status, {"x-request-id": "req_1"})

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.path == "/.well-known/agent-card.json":
            return httpx.Response(200, json=CARD)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def http(self) -> httpx.Client:
        return httpx.Client(transport=httpx.MockTransport(self.handle))

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) if request.content else None for request in self.requests]


@pytest.fixture
def fake() -> Iterator[FakeNode]:
    node = FakeNode()
    yield node
    assert node.answers == [], "the client did not ask for every answer"


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses take no time; how long each would have been, in seconds."""
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    return pauses


ONCE = Retries(attempts=1)
