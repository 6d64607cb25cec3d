"""A node's A2A gateway: sends signed messages, and accepts only what the node signed in answer to them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import httpx

from ._faults import STATUSES
from ._request import Connection, json_bytes
from ._steps import Answer, Request, Script, run, run_async
from ._transport import Retries, send
from .did import canonical_node_did
from .did_proof import make_did_proof
from .errors import CountersignError, details_in, error_of
from .keys import Key, random_id
from .messages import RESULT_OF, MandateType, sign_message
from .proof import InvalidProof, check_proof

# The JSON-RPC error code of what the policy refuses.
_POLICY_REFUSAL = -32000


class _Gateway:
    """What the sync and the async client do, as scripts."""

    def __init__(self, base_url: str, key: Key, node_did: str | None, retries: Retries | None) -> None:
        self.key = key
        self.connection = Connection(base_url, key=key, retries=retries or Retries())
        self.expected = None if node_did is None else canonical_node_did(node_did)

    def node_did(self) -> Script[str]:
        card = yield from self.connection.fetch_card()
        if self.expected is not None and self.expected != card.did:
            message = f"The node at {self.connection.address} is {card.did} and not {self.expected}."
            raise CountersignError("WRONG_NODE", message)
        return card.did

    def send(
        self, kind: MandateType, body: Mapping[str, Any], id: str | None, context_id: str | None
    ) -> Script[dict[str, Any]]:
        node_did = yield from self.node_did()
        message = sign_message(self.key, kind, body, to=node_did, id=id, context_id=context_id)
        outcome = yield from self._call("a2a/message", {"message": message}, proven=False, repeatable=True)
        if "refusal" in outcome:
            refusal: dict[str, Any] = outcome["refusal"]
            return refusal
        bound = {
            "from": node_did,
            "to": self.key.did,
            "inReplyTo": message["id"],
            "type": RESULT_OF[kind],
            "contextId": context_id,
        }
        return _body_of(outcome["result"], bound)

    def open_session(self, context_id: str, user_did: str) -> Script[dict[str, Any]]:
        yield from self.node_did()
        params = {"contextId": context_id, "userDid": user_did, "agentDid": self.key.did}
        outcome = yield from self._call("a2a/session.create", params, proven=True, repeatable=False)
        return _session_of(outcome, context_id)

    def get_session(self, context_id: str) -> Script[dict[str, Any]]:
        yield from self.node_did()
        params = {"contextId": context_id}
        outcome = yield from self._call("a2a/session.get", params, proven=True, repeatable=True)
        return _session_of(outcome, context_id)

    def _call(
        self, method: str, params: Mapping[str, Any], *, proven: bool, repeatable: bool
    ) -> Script[dict[str, Any]]:
        card = yield from self.connection.fetch_card()
        id = random_id()
        content = json_bytes({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        path = card.gateway.removeprefix(card.url)

        def make(timeout_seconds: float) -> Script[Request]:
            yield from ()
            headers = {"Content-Type": "application/json", "X-Agent-DID": self.key.did}
            if proven:
                headers["X-DID-Proof"] = make_did_proof(
                    self.key, base_url=card.url, method="POST", path=path, body=content
                )
            return Request("POST", self.connection.address + path, headers, content, timeout_seconds)

        answer = yield from send(self.connection.retries, make, repeatable=repeatable, status_of=_status_of)
        return _outcome_of(answer, id)


class A2aClient:
    """Speaks to a node's gateway with an agent's key.

    With ``node_did`` another node than that one is refused; without it the agent card of any node that answers at the
    address is believed.
    """

    def __init__(
        self,
        base_url: str,
        key: Key,
        *,
        node_did: str | None = None,
        retries: Retries | None = None,
        http: httpx.Client | None = None,
    ) -> None:
        """Raises CountersignError BAD_REQUEST for what cannot be an address or a DID."""
        self._gateway = _Gateway(base_url, key, node_did, retries)
        self._own = http is None
        self._http = httpx.Client() if http is None else http

    def node_did(self) -> str:
        """The node's DID. Raises CountersignError WRONG_NODE where another node answers than the one that was named."""
        return run(self._gateway.node_did(), self._http)

    def send(
        self, kind: MandateType, body: Mapping[str, Any], *, id: str | None = None, context_id: str | None = None
    ) -> dict[str, Any]:
        """Sends a message and returns the body of the node's answer, or its refusal (``allowed`` is False).

        An answer is taken only with the node's signature, and only to this message; refusals and errors are not signed.

        Raises CountersignError.
        """
        return run(self._gateway.send(kind, body, id, context_id), self._http)

    def open_session(self, context_id: str, user_did: str) -> dict[str, Any]:
        """Opens a session, whose ``context_id`` messages can carry. Raises CountersignError."""
        return run(self._gateway.open_session(context_id, user_did), self._http)

    def get_session(self, context_id: str) -> dict[str, Any]:
        """Raises CountersignError."""
        return run(self._gateway.get_session(context_id), self._http)

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> A2aClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncA2aClient:
    """As ``A2aClient``, for async programs."""

    def __init__(
        self,
        base_url: str,
        key: Key,
        *,
        node_did: str | None = None,
        retries: Retries | None = None,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """As ``A2aClient``."""
        self._gateway = _Gateway(base_url, key, node_did, retries)
        self._own = http is None
        self._http = httpx.AsyncClient() if http is None else http

    async def node_did(self) -> str:
        """As ``A2aClient.node_did``."""
        return await run_async(self._gateway.node_did(), self._http)

    async def send(
        self, kind: MandateType, body: Mapping[str, Any], *, id: str | None = None, context_id: str | None = None
    ) -> dict[str, Any]:
        """As ``A2aClient.send``."""
        return await run_async(self._gateway.send(kind, body, id, context_id), self._http)

    async def open_session(self, context_id: str, user_did: str) -> dict[str, Any]:
        """As ``A2aClient.open_session``."""
        return await run_async(self._gateway.open_session(context_id, user_did), self._http)

    async def get_session(self, context_id: str) -> dict[str, Any]:
        """As ``A2aClient.get_session``."""
        return await run_async(self._gateway.get_session(context_id), self._http)

    async def close(self) -> None:
        if self._own:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncA2aClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _rpc_in(text: str) -> dict[str, Any] | None:
    """The JSON-RPC answer in a text; None for anything else. Some libraries write an error that is absent as null."""
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict) or answer.get("jsonrpc") != "2.0":
        return None
    error = answer.get("error")
    if error is None:
        return {name: value for name, value in answer.items() if name != "error"}
    if isinstance(error, dict) and isinstance(error.get("code"), int) and isinstance(error.get("message"), str):
        return answer
    return None


def _data_in(rpc: Mapping[str, Any]) -> dict[str, Any]:
    data = rpc["error"].get("data") if "error" in rpc else None
    return data if isinstance(data, dict) else {}


def _status_of(answer: Answer) -> int:
    """JSON-RPC errors come with the status 200: what they would have over REST."""
    rpc = _rpc_in(answer.text)
    code = None if rpc is None else _data_in(rpc).get("code")
    return STATUSES.get(code, answer.status) if isinstance(code, str) else answer.status


def _outcome_of(answer: Answer, id: str) -> dict[str, Any]:
    """``result``, or the ``refusal`` that the error -32000 carries. Raises CountersignError for any other error."""
    rpc = _rpc_in(answer.text)
    if rpc is None:
        raise error_of(answer.status, answer.headers, answer.text)
    # An error has no id where that of the request could not be read (JSON-RPC 2.0, section 5).
    if rpc.get("id") != id and ("error" not in rpc or rpc.get("id") is not None):
        raise _invalid("The answer is to another request.")
    if "error" not in rpc:
        return {"result": rpc.get("result")}
    error, data = rpc["error"], _data_in(rpc)
    if error["code"] == _POLICY_REFUSAL and data.get("allowed") is False:
        if not isinstance(data.get("reasonCodes"), list) or not isinstance(data.get("details"), dict):
            raise _invalid("The refusal gives no reasons.")
        return {"refusal": data}
    code = data.get("code")
    raise CountersignError(
        code if isinstance(code, str) else str(error["code"]),
        error["message"],
        status=answer.status,
        request_id=answer.headers.get("x-request-id"),
        details=details_in(data.get("details")),
    )


def _body_of(result: Any, bound: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a message that answers. ``bound`` is what it must state, so that it answers this message and no other."""
    message = result.get("message") if isinstance(result, dict) else None
    reply: dict[str, Any] = message if isinstance(message, dict) else {}
    try:
        check_proof(reply, purpose="authentication", did=bound["from"])
    except InvalidProof as error:
        raise _invalid(f"The answer is not signed by {bound['from']}: {error}") from None
    for name, value in bound.items():
        if reply.get(name) != value:
            raise _invalid(f'The answer is to another message: "{name}" is {reply.get(name)}, not {value}.')
    body = reply.get("body")
    if not isinstance(body, dict):
        raise _invalid("The answer has no body.")
    return body


def _session_of(outcome: Mapping[str, Any], context_id: str) -> dict[str, Any]:
    """A session is not signed; at least it is the one that was asked for."""
    session = outcome.get("result")
    if not isinstance(session, dict) or session.get("contextId") != context_id:
        raise _invalid(f"The answer is about another session than {context_id}.")
    return session


def _invalid(message: str) -> CountersignError:
    return CountersignError("INVALID_ANSWER", message, status=200)
