"""Transports of httpx that have requests to the merchant of one purchase signed (RFC 9421): the merchant lets the agent in."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import httpx

from ._encodings import content_digest, to_base64, to_base64url
from .client import AsyncClient, Client
from .did import key_of_did
from .errors import refused_here
from .keys import Key
from .models import HttpSignature

Profile: TypeAlias = Literal["web-bot-auth", "tap"]
SignatureAgentForm: TypeAlias = Literal["string", "dictionary"]


class SigningTransport(httpx.BaseTransport):
    """Has a node sign each request before it is sent, each hop of redirects by itself, and each once.

    ``httpx.Client(transport=SigningTransport(node, intent_id=…))`` signs, and ``PayingClient`` with it signs and pays.
    Bodies are read whole before they are sent, since their digest is signed.
    """

    def __init__(
        self,
        node: Client,
        *,
        profile: Profile = "web-bot-auth",
        intent_id: str | None = None,
        mandate_id: str | None = None,
        signature_agent_form: SignatureAgentForm | None = None,
        signature_agent: str | None = None,
        key: Key | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """``intent_id`` names the purchase while the agent looks, and ``mandate_id`` once it is paid. ``key`` is the agent's
        own, which then signs in place of the node's; ``signature_agent`` says where its directory is. ``transport`` sends.

        Its requests raise what httpx raises, and CountersignError where the node does not sign, such as for another host
        than the merchant's: nothing is sent then.
        """
        self._node = node
        self._terms = _Terms(profile, intent_id, mandate_id, signature_agent_form, signature_agent, key)
        self._inner = transport or httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        signature = self._node.sign_http_request(**self._terms.asked(request))
        return self._inner.handle_request(self._terms.signed(request, signature))

    def close(self) -> None:
        self._inner.close()


class AsyncSigningTransport(httpx.AsyncBaseTransport):
    """As ``SigningTransport``, for async programs."""

    def __init__(
        self,
        node: AsyncClient,
        *,
        profile: Profile = "web-bot-auth",
        intent_id: str | None = None,
        mandate_id: str | None = None,
        signature_agent_form: SignatureAgentForm | None = None,
        signature_agent: str | None = None,
        key: Key | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """As ``SigningTransport``."""
        self._node = node
        self._terms = _Terms(profile, intent_id, mandate_id, signature_agent_form, signature_agent, key)
        self._inner = transport or httpx.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        signature = await self._node.sign_http_request(**self._terms.asked(request))
        return await self._inner.handle_async_request(self._terms.signed(request, signature))

    async def aclose(self) -> None:
        await self._inner.aclose()


@dataclass(frozen=True, slots=True)
class _Terms:
    profile: Profile
    intent_id: str | None
    mandate_id: str | None
    signature_agent_form: SignatureAgentForm | None
    signature_agent: str | None
    key: Key | None

    def asked(self, request: httpx.Request) -> dict[str, Any]:
        """What the node is asked to sign. ``tap`` covers no body."""
        has_body = request.content != b"" and self.profile != "tap"
        return {
            "method": request.method,
            "url": str(request.url.copy_with(fragment=None)),
            "profile": self.profile,
            "intent_id": self.intent_id,
            "mandate_id": self.mandate_id,
            "body_digest": content_digest(request.content) if has_body else None,
            "signature_agent_form": self.signature_agent_form,
            "signature_agent": self.signature_agent,
            "key": None if self.key is None else "agent",
        }

    def signed(self, request: httpx.Request, signature: HttpSignature) -> httpx.Request:
        """Another request, so that the headers of this hop go with no other one."""
        headers = request.headers.copy()
        headers.update(signature.headers)
        if self.key is not None:
            headers["Signature"] = _sign_own(self.key, request.url, signature)
        return httpx.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=request.extensions
        )


# A covered part of a request, a line each: nothing else that an agent signs begins so.
_LINE = re.compile(
    r'"(@method|@authority|@path|@query|content-digest|signature-agent)"(;key="[a-z0-9]+")?: [ -~]*', re.ASCII
)


def _sign_own(key: Key, url: httpx.URL, signature: HttpSignature) -> str:
    """A node that is not trusted must not have the agent sign something else by this way."""
    found = re.fullmatch(r"([a-z0-9]+)=(\(.*)", signature.headers.get("Signature-Input", ""))
    base = signature.base or ""
    *lines, last = base.split("\n")
    is_own = (
        found is not None
        and last == f'"@signature-params": {found[2]}'
        and f';keyid="{_thumbprint(key)}"' in last
        and all(_LINE.fullmatch(line) for line in lines)
        and f'"@authority": {url.netloc.decode()}' in lines
    )
    if found is None or not is_own:
        raise refused_here("The node asks for the signature of something else than this request.")
    return f"{found[1]}=:{to_base64(key.sign(base.encode()))}:"


def _thumbprint(key: Key) -> str:
    """Of the key as a JWK (RFC 7638)."""
    jwk = f'{{"crv":"Ed25519","kty":"OKP","x":"{to_base64url(key_of_did(key.did))}"}}'
    return to_base64url(hashlib.sha256(jwk.encode()).digest())
