"""Clients of httpx that pay what servers ask for (402) through a node, whichever protocol a server speaks.

A server's offer is sent to the node as it came, the policy judges the payment, and what became of it is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import httpx

from ._encodings import content_digest
from .client import AsyncClient, Client
from .errors import CountersignError
from .models import HttpPaymentResult, HttpPaymentResultAllowed, HttpPaymentResultRefused, RefusalDetails

# By method, address and digest of the body.
_PurchaseKey: TypeAlias = tuple[str, str, str | None]

OnRefusal: TypeAlias = Callable[[HttpPaymentResultRefused], object]

# Servers that ask again and again are paid so often at most for one request, each time in place of the time before.
_MOST_CREDENTIALS = 3
# Of so many purchases it is remembered how they ended.
_MOST_REMEMBERED = 1000


class PayingClient(httpx.Client):
    """An ``httpx.Client`` that pays. Each hop of redirects that says 402 is paid by its own address and method.

    Bodies are read whole before they are sent, so that what is paid for is what is sent again. What a request carries in
    ``Authorization`` is never replaced.
    """

    def __init__(
        self,
        node: Client,
        *,
        agent_did: str,
        principal_did: str | None = None,
        delegation_id: str | None = None,
        instrument: str | None = None,
        on_refusal: OnRefusal | None = None,
        transport: httpx.BaseTransport | None = None,
        **options: Any,
    ) -> None:
        """``agent_did`` buys with the money of ``principal_did``, the agent's own when absent. ``on_refusal`` is told of each
        refusal; the caller gets the server's 402 with its body. With ``approval`` a person is asked: the same request again
        is paid once they have approved. ``transport`` sends, and ``options`` are those of ``httpx.Client``.

        Its requests raise what httpx raises, and CountersignError where the node does not answer.
        """
        buyer = _buyer(agent_did, principal_did, delegation_id, instrument, on_refusal)
        super().__init__(transport=_PayingTransport(node, buyer, transport or httpx.HTTPTransport()), **options)


class AsyncPayingClient(httpx.AsyncClient):
    """As ``PayingClient``, for async programs."""

    def __init__(
        self,
        node: AsyncClient,
        *,
        agent_did: str,
        principal_did: str | None = None,
        delegation_id: str | None = None,
        instrument: str | None = None,
        on_refusal: OnRefusal | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        **options: Any,
    ) -> None:
        """As ``PayingClient``."""
        buyer = _buyer(agent_did, principal_did, delegation_id, instrument, on_refusal)
        super().__init__(transport=_AsyncPayingTransport(node, buyer, transport or httpx.AsyncHTTPTransport()), **options)


@dataclass(slots=True)
class _Buyer:
    named: Mapping[str, Any]
    """Who buys, as the node is told each time."""
    on_refusal: OnRefusal | None
    purchases: dict[_PurchaseKey, dict[str, str]] = field(default_factory=dict)
    """Of a purchase that did not come through the payment to be replaced, or the approval that was asked for."""

    def remember(self, key: _PurchaseKey, purchase: dict[str, str]) -> None:
        self.purchases.pop(key, None)
        self.purchases[key] = purchase
        if len(self.purchases) > _MOST_REMEMBERED:
            self.purchases.pop(next(iter(self.purchases)), None)

    def tell(self, refusal: HttpPaymentResultRefused) -> None:
        if self.on_refusal is not None:
            self.on_refusal(refusal)


def _buyer(
    agent_did: str,
    principal_did: str | None,
    delegation_id: str | None,
    instrument: str | None,
    on_refusal: OnRefusal | None,
) -> _Buyer:
    named = {
        "agent_did": agent_did,
        "principal_did": principal_did,
        "delegation_id": delegation_id,
        "instrument": instrument,
    }
    return _Buyer(named, on_refusal)


@dataclass(frozen=True, slots=True)
class _Send:
    """Sends a request to the server."""

    request: httpx.Request


@dataclass(frozen=True, slots=True)
class _Read:
    """Reads the body of an answer, as it came."""

    response: httpx.Response


@dataclass(frozen=True, slots=True)
class _Close:
    response: httpx.Response


@dataclass(frozen=True, slots=True)
class _Authorize:
    members: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Settle:
    report: Mapping[str, Any]


_Step: TypeAlias = _Send | _Read | _Close | _Authorize | _Settle


class _PayingTransport(httpx.BaseTransport):
    """A transport sees each hop of redirects by itself."""

    def __init__(self, node: Client, buyer: _Buyer, inner: httpx.BaseTransport) -> None:
        self._node, self._buyer, self._inner = node, buyer, inner

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        script = _pay(self._buyer, request)
        reply: object = None
        while True:
            try:
                step = script.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            reply = self._carry_out(step)

    def _carry_out(self, step: _Step) -> object:
        match step:
            case _Send():
                try:
                    return self._inner.handle_request(step.request)
                except httpx.RequestError as cause:
                    return cause
            case _Read():
                return b"".join(step.response.iter_raw())
            case _Close():
                step.response.close()
                return None
            case _Authorize():
                try:
                    return self._node.authorize_http_payment(**step.members)
                except CountersignError as error:
                    return error
            case _Settle():
                try:
                    return self._node.settle_http_payment(**step.report)
                except CountersignError:
                    return None

    def close(self) -> None:
        self._inner.close()


class _AsyncPayingTransport(httpx.AsyncBaseTransport):
    """As ``_PayingTransport``."""

    def __init__(self, node: AsyncClient, buyer: _Buyer, inner: httpx.AsyncBaseTransport) -> None:
        self._node, self._buyer, self._inner = node, buyer, inner

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        script = _pay(self._buyer, request)
        reply: object = None
        while True:
            try:
                step = script.send(reply)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            reply = await self._carry_out(step)

    async def _carry_out(self, step: _Step) -> object:
        match step:
            case _Send():
                try:
                    return await self._inner.handle_async_request(step.request)
                except httpx.RequestError as cause:
                    return cause
            case _Read():
                return b"".join([piece async for piece in step.response.aiter_raw()])
            case _Close():
                await step.response.aclose()
                return None
            case _Authorize():
                try:
                    return await self._node.authorize_http_payment(**step.members)
                except CountersignError as error:
                    return error
            case _Settle():
                try:
                    return await self._node.settle_http_payment(**step.report)
                except CountersignError:
                    return None

    async def aclose(self) -> None:
        await self._inner.aclose()


def _pay(buyer: _Buyer, request: httpx.Request) -> Generator[_Step, Any, httpx.Response]:
    """Sends a request, and pays where its server says 402."""
    response = yield from _sent(request)
    has_body = request.method not in ("GET", "HEAD") and request.content != b""
    digest = content_digest(request.content) if has_body else None
    key = (request.method, str(request.url), digest)
    for _ in range(_MOST_CREDENTIALS):
        if response.status_code != 402:
            return response
        offers = _offers_in(response.headers, request.headers)
        if offers is None:
            return response
        if isinstance(offers, HttpPaymentResultRefused):
            buyer.tell(offers)
            return response
        url = str(request.url.copy_with(fragment=None))
        asked = {"url": url, "method": request.method, "body_digest": digest, **offers}
        result = yield from _authorize(buyer, key, asked)
        if isinstance(result, HttpPaymentResultRefused):
            return response
        yield _Close(response)
        response = yield from _send_paid(buyer, request, key, result)
    return response


def _sent(request: httpx.Request) -> Generator[_Step, Any, httpx.Response]:
    answer: httpx.Response | httpx.RequestError = yield _Send(request)
    if isinstance(answer, httpx.RequestError):
        raise answer
    return answer


def _authorize(
    buyer: _Buyer, key: _PurchaseKey, asked: Mapping[str, Any]
) -> Generator[_Step, Any, HttpPaymentResult]:
    # Taken, so that another request at the same time does not replace what this one is about to send.
    purchase = buyer.purchases.pop(key, {})
    answer: HttpPaymentResult | CountersignError = yield _Authorize({**buyer.named, **asked, **purchase})
    if isinstance(answer, CountersignError):
        buyer.remember(key, purchase)
        raise answer
    if isinstance(answer, HttpPaymentResultRefused):
        approval = {} if answer.approval is None else {"approval_id": answer.approval.id}
        buyer.remember(key, {**purchase, **approval})
        buyer.tell(answer)
    return answer


def _send_paid(
    buyer: _Buyer, request: httpx.Request, key: _PurchaseKey, grant: HttpPaymentResultAllowed
) -> Generator[_Step, Any, httpx.Response]:
    """Sends what pays, and reports what the answer to it says, at any status: a server may fail after it was paid."""
    header = grant.send.header
    if header is None:
        raise CountersignError("INVALID_ANSWER", "The node gave no header to pay with.", status=200)
    headers = request.headers.copy()
    headers[header.name] = header.value
    paying = httpx.Request(
        request.method, request.url, headers=headers, content=request.content, extensions=request.extensions
    )
    try:
        response = yield from _sent(paying)
    except httpx.RequestError:
        # The money may have moved: what became of it is found at the rail, and the next try replaces this one.
        buyer.remember(key, {"replaces": grant.mandate_id})
        yield _Settle({"mandate_id": grant.mandate_id})
        raise
    problem = None
    if response.status_code >= 400 and response.headers.get("content-type", "").startswith("application/problem+json"):
        content = yield _Read(response)
        response = httpx.Response(
            response.status_code,
            headers=response.headers,
            stream=httpx.ByteStream(content),
            extensions=response.extensions,
        )
        problem = _object_in(httpx.Response(response.status_code, headers=response.headers, content=content))
    yield _Settle(_report_of(grant.mandate_id, response, problem))
    # Also where the money was taken: then the node refuses the second try, and names the first.
    if response.status_code >= 400:
        buyer.remember(key, {"replaces": grant.mandate_id})
    return response


def _report_of(mandate_id: str, response: httpx.Response, problem: dict[str, Any] | None) -> dict[str, Any]:
    headers, status = response.headers, response.status_code
    return {
        "mandate_id": mandate_id,
        "status": status,
        "receipt": headers.get("payment-receipt"),
        "payment_response": headers.get("payment-response"),
        "payment_required": headers.get("payment-required") if status == 402 else None,
        "problem": problem,
    }


def _object_in(response: httpx.Response) -> dict[str, Any] | None:
    try:
        value = response.json()
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _offers_in(answered: httpx.Headers, sent: httpx.Headers) -> dict[str, Any] | HttpPaymentResultRefused | None:
    """None where nothing is asked for that a node could pay: the answer is the caller's, with its body."""
    line = answered.get("www-authenticate", "")
    payments = [names for scheme, names in _challenges_in(line) if scheme == "payment"]
    required = answered.get("payment-required")
    # An API that takes a key by Authorization takes no second value there: nothing is made that could not be sent.
    taken = "authorization" in sent and any("header" not in names for names in payments)
    if payments and not taken:
        return {"challenges": [line], "payment_required": required}
    if required is not None:
        return {"payment_required": required}
    return _one_authorization() if payments else None


def _one_authorization() -> HttpPaymentResultRefused:
    message = "This API takes one Authorization, and the request has one: it cannot be paid by another."
    details = {"RAIL_UNAVAILABLE": RefusalDetails(message=message)}
    return HttpPaymentResultRefused(allowed=False, reason_codes=["RAIL_UNAVAILABLE"], details=details)


_ITEM = re.compile(r'(?:[^",]|"(?:[^"\\]|\\.)*"?)+', re.DOTALL)
_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_PARAMETER = re.compile(rf"({_TOKEN})[ \t]*=[ \t]*[^= \t]", re.DOTALL)
_SCHEME = re.compile(rf"({_TOKEN})(?:[ \t]+(.*))?", re.DOTALL)


def _challenges_in(line: str) -> list[tuple[str, set[str]]]:
    """The challenges of a WWW-Authenticate (RFC 9110, section 11.6.1): each scheme, and the names of its parameters."""
    challenges: list[tuple[str, set[str]]] = []
    for item in (found.group().strip(" \t") for found in _ITEM.finditer(line)):
        parameter = _PARAMETER.match(item)
        if parameter is None and (scheme := _SCHEME.fullmatch(item)) is not None:
            challenges.append((scheme[1].lower(), set()))
            parameter = _PARAMETER.match(scheme[2] or "")
        if parameter is not None and challenges:
            challenges[-1][1].add(parameter[1].lower())
    return challenges
