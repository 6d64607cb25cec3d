"""Answers that come in pieces, cut anywhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing

import httpx
import pytest

from countersign_client import AsyncClient, Change, Client, CountersignError

EVENTS = (
    ': hello\n\nid: 1\nevent: ready\ndata: {}\n\nid: 2\nevent: change\ndata: {"types":["INTENT_ISSUED"],"events":[{"id":"é"}]}\n\n'
)
SEEN = [Change("1", (), None), Change("2", ("INTENT_ISSUED",), ({"id": "é"},))]


class Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Bytes in pieces of three, which may break off at the end."""

    def __init__(self, text: str, breaks: bool = False) -> None:
        self.data, self.breaks, self.is_closed = text.encode(), breaks, False

    def __iter__(self) -> Iterator[bytes]:
        yield from (self.data[at : at + 3] for at in range(0, len(self.data), 3))
        if self.breaks:
            raise httpx.ReadError("cut")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    async def aclose(self) -> None:
        self.is_closed = True


def transport(*answers: httpx.Response) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    asked: list[httpx.Request] = []
    rest = list(answers)

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return rest.pop(0)

    return httpx.MockTransport(handle), asked


def client_of(*answers: httpx.Response) -> tuple[Client, list[httpx.Request]]:
    answering, asked = transport(*answers)
    return Client("http://node.example", api_key="ak_test_1", http=httpx.Client(transport=answering)), asked


def stream(text: str, breaks: bool = False, media: str = "text/event-stream") -> httpx.Response:
    return httpx.Response(200, headers={"content-type": media}, stream=Cut(text, breaks))


def forbidden() -> httpx.Response:
    return httpx.Response(403, json={"error": {"code": "FORBIDDEN", "message": "no"}})


def test_changes_go_on_where_the_connection_broke(no_pause: list[float]) -> None:
    client, asked = client_of(stream(EVENTS, breaks=True), stream(EVENTS), forbidden())
    seen: list[Change] = []
    with pytest.raises(CountersignError, match="FORBIDDEN"):
        for change in client.follow_changes():
            seen.append(change)
    assert seen == SEEN + SEEN
    assert [request.url.params.get("cursor") for request in asked] == [None, "2", "2"]
    assert len(no_pause) == 2


def test_an_async_client_follows_the_same_changes() -> None:
    async def read() -> list[Change]:
        answering, _asked = transport(stream(EVENTS))
        http = httpx.AsyncClient(transport=answering)
        client = AsyncClient("http://node.example", api_key="ak_test_1", http=http)
        seen = []
        async for change in client.follow_changes():
            seen.append(change)
            if change == SEEN[-1]:
                break
        return seen

    assert asyncio.run(read()) == SEEN


def rpc(result: object) -> str:
    return f"data: {json.dumps({'jsonrpc': '2.0', 'id': 1, 'result': result})}\n\n"


def update(state: str) -> dict[str, object]:
    return {"statusUpdate": {"taskId": "task_1", "contextId": "c", "status": {"state": f"TASK_STATE_{state}"}}}


TASK = {"task": {"id": "task_1", "contextId": "c", "status": {"state": "TASK_STATE_WORKING"}}}
# What comes after the end of a task is not read, so the connection is open by then.
FOLLOWED = (
    ": hello\n\n" + rpc(TASK),
    rpc(TASK) + rpc(update("WORKING")) + rpc(update("COMPLETED")) + ": more\n\n" * 99,
)


def test_a_task_is_followed_over_a_broken_connection_to_its_end(no_pause: list[float]) -> None:
    client, asked = client_of(stream(FOLLOWED[0], breaks=True), stream(FOLLOWED[1]))
    assert list(client.follow_task("task_1")) == [TASK, TASK, update("WORKING"), update("COMPLETED")]
    assert [json.loads(request.content)["method"] for request in asked] == ["SubscribeToTask"] * 2
    assert len(no_pause) == 1


def test_an_async_client_follows_a_task_alike_and_leaves_no_connection_open(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("asyncio.sleep", pause)
    streams = [Cut(FOLLOWED[0], breaks=True), Cut(FOLLOWED[1])]
    headers = {"content-type": "text/event-stream"}

    async def read() -> list[object]:
        answering, _asked = transport(*(httpx.Response(200, headers=headers, stream=each) for each in streams))
        client = AsyncClient("http://node.example", api_key="ak_test_1", http=httpx.AsyncClient(transport=answering))
        seen: list[object] = [event async for event in client.follow_task("task_1")]
        assert [each.is_closed for each in streams] == [True, True]
        return seen

    assert asyncio.run(read()) == [TASK, TASK, update("WORKING"), update("COMPLETED")]
    assert len(pauses) == 1


def test_an_async_client_that_stops_reading_closes_the_connection() -> None:
    cut = Cut(EVENTS * 99)

    async def read() -> None:
        answering, _asked = transport(httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=cut))
        client = AsyncClient("http://node.example", api_key="ak_test_1", http=httpx.AsyncClient(transport=answering))
        async with aclosing(client.follow_changes()) as changes:
            async for _change in changes:
                break
        assert cut.is_closed

    asyncio.run(read())


def test_csv_is_asked_for_and_comes_as_text() -> None:
    client, asked = client_of(stream("a,b\n1,ü\n", media="text/csv"))
    assert "".join(client.stream_csv("listPayments", {"status": "CAPTURED"})) == "a,b\n1,ü\n"
    assert (asked[0].headers["accept"], asked[0].url.query) == ("text/csv", b"status=CAPTURED")


def test_a_replay_tells_how_far_it_is() -> None:
    client, _asked = client_of(stream('{"checked":1,"of":2}\n{"result":{}}\n', media="application/x-ndjson"))
    assert list(client.follow_replay({"rules": {"version": "2.0"}})) == [{"checked": 1, "of": 2}, {"result": {}}]


def test_an_export_that_breaks_off_is_an_error() -> None:
    client, _asked = client_of(stream("{", breaks=True, media="application/json"))
    with pytest.raises(CountersignError, match="INVALID_ANSWER: The answer broke off"):
        list(client.stream_evidence())


def test_a_page_in_place_of_an_export_is_an_error() -> None:
    client, _asked = client_of(httpx.Response(200, html="<h1>Log in</h1>"))
    with pytest.raises(CountersignError, match="INVALID_ANSWER: The answer is a web page"):
        list(client.stream_evidence())
