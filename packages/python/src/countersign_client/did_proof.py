"""X-DID-Proof: an agent authenticates one HTTP request with its own key."""

from __future__ import annotations

import hashlib
import json
import time

from ._encodings import to_base64url
from .did import key_id
from .keys import Key, random_id


def make_did_proof(
    key: Key,
    *,
    base_url: str,
    method: str,
    path: str,
    body: bytes = b"",
    now: float | None = None,
    jti: str | None = None,
) -> str:
    """The header's value: a compact JWS (RFC 7515), valid once and for 300 seconds.

    ``base_url`` is the node's public address, as its agent card says; ``path`` is without a query; ``body`` exactly as it
    will be sent; ``now`` in seconds since the epoch, this machine's clock by default; ``jti`` new by default.
    """
    claims = {
        "iss": key.did,
        "aud": base_url,
        "htm": method,
        "htu": base_url + path,
        "iat": int(time.time() if now is None else now),
        "jti": random_id() if jti is None else jti,
        "bh": to_base64url(hashlib.sha256(body).digest()),
    }
    header = {"typ": "did-proof+jwt", "alg": "EdDSA", "kid": key_id(key.did)}
    signed = f"{_encoded(header)}.{_encoded(claims)}"
    return f"{signed}.{to_base64url(key.sign(signed.encode()))}"


def _encoded(value: dict[str, object] | dict[str, str]) -> str:
    return to_base64url(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())
