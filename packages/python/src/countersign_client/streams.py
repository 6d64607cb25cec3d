"""Answers that come in pieces: what is too long to be held in memory, and changes as they happen."""

from __future__ import annotations

import asyncio
import codecs
import json
import random
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import httpx

from ._request import Connection, Row
from ._rows import ROWS
from ._steps import Request, Script, run, run_async
from ._task_events import ENDPOINT, TaskEvents, is_end, is_passing, task_call, task_fault, task_in
from ._transport import no_answer
from .errors import CountersignError, error_of, media_type_of, unusable

CsvName: TypeAlias = Literal["listPayments", "listDecisions", "showSpend"]
"""The lists that a node writes as CSV, too."""

Fault: TypeAlias = Callable[[httpx.Response], CountersignError]
"""The error of an answer that is none of what was asked for."""

_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Change:
    """What was recorded at a node."""

    cursor: str | None
    """Leads to what comes after; None where the node told none."""
    types: tuple[str, ...]
    """The types of what was recorded; none at the beginning of a stream, from whose cursor on nothing is missed."""
    events: tuple[dict[str, Any], ...] | None
    """The webhook events, for who may administer."""


class Streams:
    """What a ``Client`` reads piece by piece. A request is sent once, and without a time limit.

    Each raises CountersignError when the node does not answer, answers with an error, or breaks off.
    """

    _connection: Connection
    _http: httpx.Client

    def stream_evidence(self, members: Mapping[str, Any] | None = None) -> Iterator[str]:
        """The text of an export, cut anywhere. ``members`` are those of ``export_evidence``, as on the wire."""
        return _texts(self._pieces("exportEvidence", members or {}))

    def stream_backup(self) -> Iterator[bytes]:
        """The bytes of the backup that the node keeps (a tar file), as they come."""
        return self._pieces("downloadBackup", {})

    def stream_dispute_pack(self, mandate_id: str) -> Iterator[bytes]:
        """The bytes of the zip archive that answers a payment's disputes."""
        return self._pieces("downloadDisputePack", {"mandateId": mandate_id})

    def stream_journal(self, month: str, members: Mapping[str, Any] | None = None) -> Iterator[str]:
        """A month's journal in double entry, cut anywhere. ``members`` are ``format`` and ``timezone``, as on the wire."""
        return _texts(self._pieces("exportJournal", {**(members or {}), "month": month}))

    def stream_csv(self, name: CsvName, members: Mapping[str, Any] | None = None) -> Iterator[str]:
        """All that a list's filter finds as CSV, cut anywhere. ``members`` are the list's, as on the wire."""
        return _texts(self._pieces(name, members or {}, accept="text/csv"))

    def follow_replay(self, members: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """How far a replay of recorded requests under a draft is (``checked``, ``of``), and its ``result`` last.

        ``members`` are those of ``replay_draft``, as on the wire. It ends at the node too when the caller stops reading.
        """
        for line in _lines(_texts(self._pieces("replayDraft", {**(members or {}), "format": "ndjson"}))):
            yield _json_in(line)

    def follow_changes(self, cursor: str | None = None) -> Iterator[Change]:
        """Each change at the node, the oldest first, for as long as it is read. It goes on where a connection broke.

        ``cursor`` is that of a change before. Raises CountersignError where the node refuses the caller.
        """
        wait = _FIRST_WAIT_SECONDS
        while True:
            try:
                for change in _changes(_texts(self._pieces("streamEvents", _after(cursor)))):
                    cursor, wait = change.cursor or cursor, _FIRST_WAIT_SECONDS
                    yield change
            except CountersignError as error:
                if _is_refusal(error):
                    raise
            time.sleep(wait * random.uniform(0.5, 1))
            wait = min(wait * 2, _LONGEST_WAIT_SECONDS)

    def follow_task(self, task_id: str) -> Iterator[dict[str, Any]]:
        """A task of standard A2A as it stands, then each change, until the one that ends it.

        Each is ``{"task": …}``, ``{"statusUpdate": …}`` or ``{"artifactUpdate": …}``, as A2A 1.0 writes them. Where the connection
        breaks, or the node stops, it subscribes again, and gives the task as it stands by then. Raises CountersignError where
        the node refuses the caller or has no such task.
        """
        wait = _FIRST_WAIT_SECONDS
        while True:
            try:
                for event in self._task_changes(task_id):
                    wait = _FIRST_WAIT_SECONDS
                    yield event
                    if is_end(event):
                        return
            except CountersignError as error:
                if not is_passing(error):
                    raise
            time.sleep(wait * random.uniform(0.5, 1))
            wait = min(wait * 2, _LONGEST_WAIT_SECONDS)

    def _task_changes(self, task_id: str) -> Iterator[dict[str, Any]]:
        try:
            events = TaskEvents()
            for text in _texts(self._pieces(ENDPOINT, task_call("SubscribeToTask", task_id), fault=task_fault)):
                yield from events.take(text)
            events.end()
        except CountersignError as error:
            # There is nothing to subscribe to once a task has ended.
            if error.code != "UNSUPPORTED_OPERATION":
                raise
            got = self._pieces(ENDPOINT, task_call("GetTask", task_id), fault=task_fault)
            yield task_in("".join(_texts(got)))

    def _pieces(
        self, name: str | Row, members: Mapping[str, Any], accept: str | None = None, fault: Fault | None = None
    ) -> Iterator[bytes]:
        request = run(_request(self._connection, _row(name), members, accept), self._http)
        with _told(), self._http.stream(request.method, request.url, **_settings(request)) as response:
            if not response.is_success or media_type_of(response.headers) == "text/html":
                response.read()
                raise (fault or _fault)(response)
            yield from response.iter_bytes()


class AsyncStreams:
    """As ``Streams``, for an ``AsyncClient``. The connection is closed with the generator, as ``contextlib.aclosing`` does at once."""

    _connection: Connection
    _http: httpx.AsyncClient

    def stream_evidence(self, members: Mapping[str, Any] | None = None) -> AsyncGenerator[str, None]:
        """As ``Streams.stream_evidence``."""
        return _texts_async(self._pieces("exportEvidence", members or {}))

    def stream_backup(self) -> AsyncGenerator[bytes, None]:
        """As ``Streams.stream_backup``."""
        return self._pieces("downloadBackup", {})

    def stream_dispute_pack(self, mandate_id: str) -> AsyncGenerator[bytes, None]:
        """As ``Streams.stream_dispute_pack``."""
        return self._pieces("downloadDisputePack", {"mandateId": mandate_id})

    def stream_journal(self, month: str, members: Mapping[str, Any] | None = None) -> AsyncGenerator[str, None]:
        """As ``Streams.stream_journal``."""
        return _texts_async(self._pieces("exportJournal", {**(members or {}), "month": month}))

    def stream_csv(self, name: CsvName, members: Mapping[str, Any] | None = None) -> AsyncGenerator[str, None]:
        """As ``Streams.stream_csv``."""
        return _texts_async(self._pieces(name, members or {}, accept="text/csv"))

    async def follow_replay(self, members: Mapping[str, Any] | None = None) -> AsyncGenerator[dict[str, Any], None]:
        """As ``Streams.follow_replay``."""
        rest = ""
        pieces = self._pieces("replayDraft", {**(members or {}), "format": "ndjson"})
        async with aclosing(_texts_async(pieces)) as texts:
            async for text in texts:
                *lines, rest = (rest + text).split("\n")
                for line in lines:
                    yield _json_in(line)

    async def follow_changes(self, cursor: str | None = None) -> AsyncGenerator[Change, None]:
        """As ``Streams.follow_changes``."""
        wait = _FIRST_WAIT_SECONDS
        while True:
            try:
                rest = ""
                async with aclosing(_texts_async(self._pieces("streamEvents", _after(cursor)))) as texts:
                    async for text in texts:
                        *blocks, rest = (rest + text).split("\n\n")
                        for change in filter(None, map(_change_in, blocks)):
                            cursor, wait = change.cursor or cursor, _FIRST_WAIT_SECONDS
                            yield change
            except CountersignError as error:
                if _is_refusal(error):
                    raise
            await asyncio.sleep(wait * random.uniform(0.5, 1))
            wait = min(wait * 2, _LONGEST_WAIT_SECONDS)

    async def follow_task(self, task_id: str) -> AsyncGenerator[dict[str, Any], None]:
        """As ``Streams.follow_task``."""
        wait = _FIRST_WAIT_SECONDS
        while True:
            try:
                async with aclosing(self._task_changes(task_id)) as events:
                    async for event in events:
                        wait = _FIRST_WAIT_SECONDS
                        yield event
                        if is_end(event):
                            return
            except CountersignError as error:
                if not is_passing(error):
                    raise
            await asyncio.sleep(wait * random.uniform(0.5, 1))
            wait = min(wait * 2, _LONGEST_WAIT_SECONDS)

    async def _task_changes(self, task_id: str) -> AsyncGenerator[dict[str, Any], None]:
        try:
            events = TaskEvents()
            pieces = self._pieces(ENDPOINT, task_call("SubscribeToTask", task_id), fault=task_fault)
            async with aclosing(_texts_async(pieces)) as texts:
                async for text in texts:
                    for event in events.take(text):
                        yield event
            events.end()
        except CountersignError as error:
            # There is nothing to subscribe to once a task has ended.
            if error.code != "UNSUPPORTED_OPERATION":
                raise
            got = self._pieces(ENDPOINT, task_call("GetTask", task_id), fault=task_fault)
            yield task_in("".join([text async for text in _texts_async(got)]))

    async def _pieces(
        self, name: str | Row, members: Mapping[str, Any], accept: str | None = None, fault: Fault | None = None
    ) -> AsyncGenerator[bytes, None]:
        request = await run_async(_request(self._connection, _row(name), members, accept), self._http)
        with _told():
            async with self._http.stream(request.method, request.url, **_settings(request)) as response:
                if not response.is_success or media_type_of(response.headers) == "text/html":
                    await response.aread()
                    raise (fault or _fault)(response)
                async for piece in response.aiter_bytes():
                    yield piece


def _request(connection: Connection, row: Row, members: Mapping[str, Any], accept: str | None) -> Script[Request]:
    given = {member: value for member, value in members.items() if value is not None}
    return (yield from connection.maker(row, given, accept=accept)(connection.retries.timeout_seconds))


def _row(name: str | Row) -> Row:
    return ROWS[name] if isinstance(name, str) else name


def _settings(request: Request) -> dict[str, Any]:
    timeout = httpx.Timeout(None, connect=request.timeout_seconds)
    return {"headers": request.headers, "content": request.content, "timeout": timeout, "follow_redirects": False}


@contextmanager
def _told() -> Iterator[None]:
    """Losses as errors of the client."""
    try:
        yield
    except (httpx.ConnectError, httpx.TimeoutException) as cause:
        raise no_answer(cause) from cause
    except httpx.RequestError as cause:
        raise CountersignError("INVALID_ANSWER", "The answer broke off.") from cause


def _fault(response: httpx.Response) -> CountersignError:
    if response.is_success:
        return unusable(response.status_code, response.headers, "The answer is a page.")
    return error_of(response.status_code, response.headers, response.text)


def _after(cursor: str | None) -> dict[str, str]:
    return {} if cursor is None else {"cursor": cursor}


def _is_refusal(error: CountersignError) -> bool:
    """What another try would not change."""
    return 400 <= error.status < 500 and error.status != 429


def _texts(pieces: Iterator[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for piece in pieces:
        yield decoder.decode(piece)


async def _texts_async(pieces: AsyncGenerator[bytes, None]) -> AsyncGenerator[str, None]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    async with aclosing(pieces):
        async for piece in pieces:
            yield decoder.decode(piece)


def _lines(texts: Iterator[str]) -> Iterator[str]:
    rest = ""
    for text in texts:
        *lines, rest = (rest + text).split("\n")
        yield from lines


def _changes(texts: Iterator[str]) -> Iterator[Change]:
    rest = ""
    for text in texts:
        *blocks, rest = (rest + text).split("\n\n")
        yield from filter(None, map(_change_in, blocks))


def _change_in(block: str) -> Change | None:
    """A server-sent event; a comment is no event."""
    fields = dict(line.split(":", 1) for line in block.split("\n") if ":" in line and not line.startswith(":"))
    if "data" not in fields:
        return None
    members = _json_in(fields["data"])
    types, events = members.get("types", []), members.get("events")
    if not isinstance(types, list) or not (events is None or isinstance(events, list)):
        raise CountersignError("INVALID_ANSWER", "What came is no change of a node.", status=200)
    cursor = fields["id"].strip() if "id" in fields else None
    return Change(cursor, tuple(types), None if events is None else tuple(events))


def _json_in(text: str) -> dict[str, Any]:
    """Raises CountersignError INVALID_ANSWER for what no node sends: a proxy between has cut it, or answers itself."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise CountersignError("INVALID_ANSWER", "What came is no line of a node’s.", status=200)
    return value
