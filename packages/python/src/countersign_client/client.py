"""The REST facade, with a method for each operation: typed inputs and outputs, credentials, idempotency keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import TracebackType
from typing import Any, Protocol, TypeVar

import httpx
from pydantic import TypeAdapter, ValidationError

from ._async_operations import AsyncOperations
from ._operations import Operations
from ._request import Connection, Token
from ._rows import ROWS
from ._steps import run, run_async
from ._transport import Retries
from .errors import CountersignError
from .external import AsyncExternal, External
from .keys import Key
from .streams import AsyncStreams, Streams

Item = TypeVar("Item", covariant=True)


class Client(Operations, Streams):
    """A node, for a program with an ``api_key``, the ``access_token`` of a person's login, or an agent's own ``key``."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        access_token: str | Callable[[], str] | None = None,
        key: Key | None = None,
        retries: Retries | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """``base_url`` is the node's address, such as ``http://localhost:8402``. An ``access_token`` that is a function is
        called for each request, so that it may refresh the token. ``http`` is used in place of a client of its own, and is
        left open.

        Raises CountersignError BAD_REQUEST for an address or credentials that cannot be.
        """
        self._connection = _connection(base_url, api_key, access_token, key, retries)
        self._own = http is None
        self._http = httpx.Client() if http is None else http

    @classmethod
    def _of(cls, connection: Connection, http: httpx.Client) -> Client:
        """One that shares the connection of an agent."""
        client = cls.__new__(cls)
        client._connection, client._http, client._own = connection, http, False
        return client

    @property
    def external(self) -> External:
        """Payments that are made elsewhere: reserved before, and told of afterwards."""
        return External(self)

    def _call(self, name: str, members: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        return _read(name, run(self._connection.call(ROWS[name], members, idempotency_key), self._http))

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncClient(AsyncOperations, AsyncStreams):
    """As ``Client``, for async programs."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        access_token: str | Callable[[], str | Awaitable[str]] | None = None,
        key: Key | None = None,
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """As ``Client``."""
        self._connection = _connection(base_url, api_key, access_token, key, retries)
        self._own = http is None
        self._http = httpx.AsyncClient() if http is None else http

    @classmethod
    def _of(cls, connection: Connection, http: httpx.AsyncClient) -> AsyncClient:
        """One that shares the connection of an agent."""
        client = cls.__new__(cls)
        client._connection, client._http, client._own = connection, http, False
        return client

    @property
    def external(self) -> AsyncExternal:
        """As ``Client.external``."""
        return AsyncExternal(self)

    async def _call(self, name: str, members: Mapping[str, Any], idempotency_key: str | None = None) -> Any:
        return _read(name, await run_async(self._connection.call(ROWS[name], members, idempotency_key), self._http))

    async def close(self) -> None:
        if self._own:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class Page(Protocol[Item]):
    """A page as the lists of a node have it."""

    @property
    def data(self) -> Sequence[Item]: ...

    @property
    def cursor(self) -> str | None: ...


class LogPage(Protocol[Item]):
    """A page of the log of webhooks."""

    @property
    def logs(self) -> Sequence[Item]: ...

    @property
    def cursor(self) -> str | None: ...


def each(list: Callable[..., Page[Item] | LogPage[Item]], **filters: Any) -> Iterator[Item]:
    """The records of a list, in its order: each page is asked for when the records of the one before are used up.

    ``list`` is a method of the client, such as ``node.list_payments``; ``filters`` are what it takes: ``limit`` is the size
    of a page, ``cursor`` begins behind a page.

    Raises CountersignError as the list does.
    """
    while True:
        page = list(**filters)
        yield from _records(page)
        if page.cursor is None:
            return
        filters["cursor"] = _next(page.cursor, filters)


async def each_async(
    list: Callable[..., Awaitable[Page[Item]]] | Callable[..., Awaitable[LogPage[Item]]], **filters: Any
) -> AsyncIterator[Item]:
    """As ``each``, for an ``AsyncClient``."""
    while True:
        page = await list(**filters)
        for item in _records(page):
            yield item
        if page.cursor is None:
            return
        filters["cursor"] = _next(page.cursor, filters)


def _records(page: Page[Item] | LogPage[Item]) -> Sequence[Item]:
    records: Sequence[Item] = page.logs if hasattr(page, "logs") else page.data
    return records


def _next(cursor: str, filters: Mapping[str, Any]) -> str:
    if cursor == filters.get("cursor"):
        raise CountersignError("INVALID_ANSWER", "A page leads to itself.", status=200)
    return cursor


def _connection(
    base_url: str, api_key: str | None, access_token: Token | None, key: Key | None, retries: Retries | None
) -> Connection:
    return Connection(base_url, api_key=api_key, access_token=access_token, key=key, retries=retries or Retries())


@lru_cache(maxsize=None)
def _adapter(name: str) -> TypeAdapter[Any]:
    from ._outputs import OUTPUTS

    return TypeAdapter(OUTPUTS[name])


def _read(name: str, answer: Any) -> Any:
    """An answer as its model."""
    if answer is None:
        return None
    try:
        return _adapter(name).validate_python(answer)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        message = f"The answer of {name} is not what this version of the client knows: {where}: {first['msg']}."
        raise CountersignError("INVALID_ANSWER", message, status=200) from None
