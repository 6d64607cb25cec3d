"""An agent that buys: one call from the intent to the payment, with a typed end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType

import httpx

from ._purchase import Buyer, Cart, Money
from ._request import Connection
from ._steps import run, run_async
from ._transport import Retries
from .client import AsyncClient, Client
from .did import canonical_did
from .errors import refused_here
from .keys import Key
from .results import Approval, Declined, Document, Paid, Refused
from .tools import AsyncToolset, Toolset


@dataclass(frozen=True, slots=True)
class Waiting:
    """A person must approve the cart."""

    approval: Approval
    """What they are asked. Keep it to go on later with ``Agent.resume``."""
    _agent: Agent = field(repr=False, compare=False)

    @property
    def url(self) -> str:
        """The page where the person approves or denies; give it to them."""
        return self.approval.url

    @property
    def sentence(self) -> str:
        """Why the person is asked."""
        return self.approval.sentence

    def wait(self, timeout_seconds: float = 900) -> Paid | Refused | Declined | Waiting:
        """Waits until the person decides, and pays once they approved; the same ``Waiting`` where they have not by then.

        Raises CountersignError as ``Agent.buy``.
        """
        return self._agent.resume(self.approval, timeout_seconds)


@dataclass(frozen=True, slots=True)
class AsyncWaiting:
    """A person must approve the cart. As ``Waiting``, for an ``AsyncAgent``."""

    approval: Approval
    _agent: AsyncAgent = field(repr=False, compare=False)

    @property
    def url(self) -> str:
        """The page where the person approves or denies; give it to them."""
        return self.approval.url

    @property
    def sentence(self) -> str:
        """Why the person is asked."""
        return self.approval.sentence

    async def wait(self, timeout_seconds: float = 900) -> Paid | Refused | Declined | AsyncWaiting:
        """As ``Waiting.wait``."""
        return await self._agent.resume(self.approval, timeout_seconds)


def buyer_of(
    base_url: str, api_key: str | None, key: Key | None, did: str | None, principal: str | None, retries: Retries | None
) -> Buyer:
    """Raises CountersignError BAD_REQUEST for an address, a DID or credentials that cannot be."""
    connection = Connection(base_url, api_key=api_key, key=key, retries=retries or Retries())
    if key is not None:
        if did is not None and canonical_did(did) != key.did:
            raise refused_here(f"The key is {key.did}, and did names another agent.", "did")
        did = key.did
    if did is None:
        raise refused_here("An agent with an API key needs did: the agent that buys.", "did")
    agent_did = canonical_did(did)
    return Buyer(connection, agent_did, agent_did if principal is None else canonical_did(principal))


class Agent:
    """An agent at a node, by REST. It proves itself with its own ``key``, or with an ``api_key`` and the agent's ``did``."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        key: Key | None = None,
        did: str | None = None,
        principal: str | None = None,
        retries: Retries | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """``base_url`` is the node's address, such as ``http://localhost:8402``; ``principal`` the DID of whose money it is,
        the agent itself by default; ``http`` is used in place of a client of its own, and is left open.

        Raises CountersignError BAD_REQUEST for an address, a DID or credentials that cannot be.
        """
        self._buyer = buyer_of(base_url, api_key, key, did, principal, retries)
        self._own = http is None
        self._http = httpx.Client() if http is None else http

    @property
    def did(self) -> str:
        return self._buyer.agent_did

    @property
    def client(self) -> Client:
        """Every operation of the node, with this agent's credential and connections."""
        return Client._of(self._buyer.connection, self._http)

    def tools(self) -> Toolset:
        """Purchases as tools of a language model; make them once for a conversation."""
        return Toolset(self)

    def buy(
        self,
        cart: Cart | Callable[[Document], Cart],
        *,
        max_amount: Money | None = None,
        currency: str | None = None,
        merchant: str | None = None,
        description: str | None = None,
        instrument: str | None = None,
        confirm: bool = False,
        idempotency_key: str | None = None,
    ) -> Paid | Refused | Declined | Waiting:
        """Buys what a cart holds: asks for an intent, has the cart approved, and pays.

        ``cart`` is the merchant's signed cart, or a function that is given the signed intent and gets one from the merchant.
        ``max_amount`` is the most to be spent, in units of the ``currency`` (ISO 4217), and ``merchant`` the only domain
        that the cart may come from; all three are the cart's own by default. ``description`` says what is bought,
        ``instrument`` what is paid with, and ``confirm`` asks the person whatever the policy says.

        A request whose answer is lost is sent again under its idempotency key, and done once. To be able to call ``buy``
        again after an error, or a crash of the program, give the purchase an ``idempotency_key`` of at most 200 characters:
        for 24 hours the same key with the same signed cart is the same purchase.

        Raises CountersignError when the node does not answer, or answers with an error.
        """
        outcome = run(
            self._buyer.buy(
                cart,
                max_amount=max_amount,
                currency=currency,
                merchant=merchant,
                description=description,
                instrument=instrument,
                confirm=confirm,
                idempotency_key=idempotency_key,
            ),
            self._http,
        )
        return Waiting(outcome, self) if isinstance(outcome, Approval) else outcome

    def resume(self, approval: Approval, timeout_seconds: float = 900) -> Paid | Refused | Declined | Waiting:
        """Goes on with a purchase that waits for the person, also in another process. As ``Waiting.wait``."""
        outcome = run(self._buyer.decided(approval, timeout_seconds), self._http)
        return Waiting(outcome, self) if isinstance(outcome, Approval) else outcome

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> Agent:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncAgent:
    """As ``Agent``, for programs that do other things while they wait."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        key: Key | None = None,
        did: str | None = None,
        principal: str | None = None,
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """As ``Agent``."""
        self._buyer = buyer_of(base_url, api_key, key, did, principal, retries)
        self._own = http is None
        self._http = httpx.AsyncClient() if http is None else http

    @property
    def did(self) -> str:
        return self._buyer.agent_did

    @property
    def client(self) -> AsyncClient:
        """Every operation of the node, with this agent's credential and connections."""
        return AsyncClient._of(self._buyer.connection, self._http)

    def tools(self) -> AsyncToolset:
        """As ``Agent.tools``."""
        return AsyncToolset(self)

    async def buy(
        self,
        cart: Cart | Callable[[Document], Cart | Awaitable[Cart]],
        *,
        max_amount: Money | None = None,
        currency: str | None = None,
        merchant: str | None = None,
        description: str | None = None,
        instrument: str | None = None,
        confirm: bool = False,
        idempotency_key: str | None = None,
    ) -> Paid | Refused | Declined | AsyncWaiting:
        """As ``Agent.buy``; a function that gets the cart may be async."""
        outcome = await run_async(
            self._buyer.buy(
                cart,
                max_amount=max_amount,
                currency=currency,
                merchant=merchant,
                description=description,
                instrument=instrument,
                confirm=confirm,
                idempotency_key=idempotency_key,
            ),
            self._http,
        )
        return AsyncWaiting(outcome, self) if isinstance(outcome, Approval) else outcome

    async def resume(self, approval: Approval, timeout_seconds: float = 900) -> Paid | Refused | Declined | AsyncWaiting:
        """As ``Agent.resume``."""
        outcome = await run_async(self._buyer.decided(approval, timeout_seconds), self._http)
        return AsyncWaiting(outcome, self) if isinstance(outcome, Approval) else outcome

    async def close(self) -> None:
        if self._own:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncAgent:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
