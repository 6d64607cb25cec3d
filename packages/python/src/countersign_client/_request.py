"""The HTTP request of an operation: its input in path, query and body, and the headers that authenticate the caller."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from ._steps import Answer, Request, Script, ask
from ._transport import Retries, send
from .did import canonical_did
from .did_proof import make_did_proof
from .errors import CountersignError, Detail, error_of, media_type_of, refused_here, unusable
from .keys import Key, random_id


@dataclass(frozen=True, slots=True)
class Row:
    """Where the members of an operation travel."""

    method: str
    path: str
    in_path: tuple[str, ...] = ()
    """Members that travel in the path; the others go into the query of a GET or DELETE, or else into the body."""
    idempotent: bool = False
    """True where a key makes it safe to send the same request again."""
    media: tuple[str, ...] = ()
    """Media types of answers that are text and not JSON."""


@dataclass(frozen=True, slots=True)
class Card:
    """What a caller needs of a node's agent card."""

    did: str
    url: str
    gateway: str


Token = str | Callable[[], str | Awaitable[str]]


@dataclass
class Connection:
    """Where a node is, and as whom a client calls it."""

    address: str
    api_key: str | None = None
    access_token: Token | None = None
    key: Key | None = None
    retries: Retries = field(default_factory=Retries)
    card: Card | None = None

    def __post_init__(self) -> None:
        self.address = address_of(self.address)
        given = [each for each in (self.api_key, self.access_token, self.key) if each is not None]
        if len(given) != 1:
            raise refused_here("A client needs one credential: api_key, access_token or key.")

    def call(self, row: Row, members: Mapping[str, Any], idempotency_key: str | None = None) -> Script[Any]:
        """Asks for an operation. The result is its JSON, its text, or None.

        Raises CountersignError when the node does not answer, or answers with an error.
        """
        given = {name: value for name, value in members.items() if value is not None}
        wait = given.get("wait")
        answer = yield from send(
            self.retries,
            self.maker(row, given, idempotency_key),
            repeatable=row.method != "POST" or row.idempotent,
            wait_seconds=wait if isinstance(wait, int | float) else 0,
        )
        if not 200 <= answer.status <= 299:
            raise error_of(answer.status, answer.headers, answer.text)
        return _output_of(row, answer)

    def maker(
        self, row: Row, given: Mapping[str, Any], idempotency_key: str | None = None, accept: str | None = None
    ) -> Callable[[float], Script[Request]]:
        """What makes the request anew for each attempt. Raises CountersignError BAD_REQUEST for what cannot be sent."""
        path, query, content = _placed(row, given)
        if idempotency_key is None and row.idempotent and "idempotencyKey" not in given:
            idempotency_key = random_id()

        def make(timeout_seconds: float) -> Script[Request]:
            headers = yield from self._credential_headers(row.method, path, content)
            if content is not None:
                headers["Content-Type"] = "application/json"
            if idempotency_key is not None:
                headers["Idempotency-Key"] = idempotency_key
            if accept is not None:
                headers["Accept"] = accept
            return Request(row.method, self.address + path + query, headers, content, timeout_seconds)

        return make

    def _credential_headers(self, method: str, path: str, content: bytes | None) -> Script[dict[str, str]]:
        if self.key is not None:
            card = yield from self.fetch_card()
            proof = make_did_proof(self.key, base_url=card.url, method=method, path=path, body=content or b"")
            return {"X-Agent-DID": self.key.did, "X-DID-Proof": proof}
        token: Any = self.api_key if self.api_key is not None else self.access_token
        if callable(token):
            token = yield from ask(token)
        return {"Authorization": f"Bearer {token}"}

    def fetch_card(self) -> Script[Card]:
        """The node's agent card, asked for once.

        Raises CountersignError when no card comes, or something else in its place.
        """
        if self.card is None:
            url = f"{self.address}/.well-known/agent-card.json"

            def make(timeout_seconds: float) -> Script[Request]:
                yield from ()
                return Request("GET", url, {}, None, timeout_seconds)

            answer = yield from send(self.retries, make, repeatable=True)
            if answer.status != 200:
                raise error_of(answer.status, answer.headers, answer.text)
            self.card = _card_in(answer, url)
        return self.card


def address_of(base_url: str) -> str:
    """The address without a slash at its end. Raises CountersignError BAD_REQUEST for what is not a node's address."""
    try:
        url = urlsplit(base_url)
        port = url.port
    except ValueError:
        url, port = urlsplit(""), None
    if url.scheme not in ("http", "https") or not url.hostname:
        raise refused_here(f'"{base_url}" is not a node’s address; one looks like http://localhost:8402.')
    if url.username is not None or url.password is not None or url.query != "" or url.fragment != "":
        raise refused_here(
            "A node’s address has no user, password, query or fragment; one looks like http://localhost:8402."
        )
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    return f"{url.scheme}://{host}{'' if port is None else f':{port}'}{url.path.rstrip('/')}"


def _card_in(answer: Answer, url: str) -> Card:
    wrong = unusable(answer.status, answer.headers, f"What {url} answers is not a node’s agent card.")
    try:
        card = json.loads(answer.text)
        did, public_url, gateway = card["did"], card["url"], card["endpoints"]["a2a"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise wrong from None
    if not all(isinstance(each, str) for each in (did, public_url, gateway)):
        raise wrong
    # The gateway is a path below the node: any other text after its address could name another host.
    if not gateway.startswith(f"{public_url}/"):
        raise wrong
    try:
        return Card(canonical_did(did), public_url, gateway)
    except CountersignError:
        raise wrong from None


def _placed(row: Row, given: Mapping[str, Any]) -> tuple[str, str, bytes | None]:
    """Puts each member of the input into the path, the query or the body."""
    path = re.sub(r":(\w+)", lambda match: _segment_of(row, match[1], given.get(match[1])), row.path)
    rest = {name: value for name, value in given.items() if name not in row.in_path}
    if not rest:
        return path, "", None
    if row.method in ("POST", "PUT"):
        return path, "", json_bytes(rest)
    pairs = [
        (name, _query_text(one))
        for name, value in rest.items()
        for one in (value if isinstance(value, list | tuple) else [value])
    ]
    return path, "?" + urlencode(pairs), None


def json_bytes(value: object) -> bytes:
    """The JSON text of a value as it is sent. Raises CountersignError BAD_REQUEST for what is not JSON."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False, default=_json_number).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise refused_here(f"The input cannot be sent as JSON: {error}.") from None


def _json_number(value: object) -> float:
    """An amount as JSON has it: a number, which carries every minor unit below 10**15 exactly."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"a {type(value).__name__} is not JSON")


def _query_text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _segment_of(row: Row, name: str, value: object) -> str:
    """A member as a part of the path. Nothing, or dots, in its place would name another address (RFC 3986, section 5.2.4)."""
    text = "" if value is None else str(value)
    if text not in ("", ".", ".."):
        return quote(text, safe="!'()*-._~")
    message = "must be given, and name something"
    raise CountersignError(
        "BAD_REQUEST", f'"{name}" {message}: it is a part of the path {row.path}.', details=[Detail(name, message)]
    )


def _output_of(row: Row, answer: Answer) -> Any:
    if answer.status == 204:
        return None
    media = media_type_of(answer.headers)
    if media in row.media:
        return answer.text
    if media != "application/json":
        raise unusable(answer.status, answer.headers, f'The answer is "{media}" and not the node’s JSON.')
    try:
        return json.loads(answer.text)
    except (ValueError, RecursionError):
        raise unusable(answer.status, answer.headers, "The answer is cut short.") from None

