"""Credentials (W3C Verifiable Credentials Data Model 1.1): issuing and checking."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ._time import iso_of, milliseconds_of
from .did import canonical_did
from .errors import CountersignError
from .keys import Key
from .proof import InvalidProof, check_proof, sign_document

VC_CONTEXT = "https://www.w3.org/2018/credentials/v1"
PROOF_CONTEXT = "https://w3id.org/security/suites/ed25519-2020/v1"
CredentialType: TypeAlias = Literal["IntentMandate", "CartMandate", "PaymentMandate"]
# How far the issuer's clock may run ahead of ours.
_SKEW_MS = 60_000


class InvalidCredential(Exception):
    """A credential that does not hold. Its text is one sentence that names the check which failed."""


@dataclass(frozen=True, slots=True)
class CheckedCredential:
    issuer: str
    """In canonical spelling."""
    subject: Mapping[str, Any]
    hash: str
    """``sha256:`` and the hexadecimal SHA-256 of its canonical form without the proof."""
    expired: bool
    """Whether its expirationDate has passed, which the caller must consider."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def issue_credential(
    key: Key,
    kind: CredentialType,
    subject: Mapping[str, Any],
    *,
    issued_at: int,
    id: str | None = None,
    issuer: str | None = None,
    expires_at: int | None = None,
) -> dict[str, Any]:
    """A credential with the key's proof. Times are milliseconds since the epoch; it does not expire without ``expires_at``.

    ``issuer`` is a did:web that lists the key, the key's own DID by default.

    Raises CountersignError BAD_REQUEST when the subject has no canonical JSON.
    """
    issued = iso_of(issued_at)
    document: dict[str, Any] = {"@context": [VC_CONTEXT, PROOF_CONTEXT]}
    if id is not None:
        document["id"] = id
    document["type"] = ["VerifiableCredential", kind]
    document["issuer"] = issuer or key.did
    document["issuanceDate"] = issued
    if expires_at is not None:
        document["expirationDate"] = iso_of(expires_at)
    document["credentialSubject"] = dict(subject)
    return sign_document(key, document, created=issued, purpose="assertionMethod")


def check_credential(
    document: object,
    kind: CredentialType,
    *,
    now: int | None = None,
    resolve_key: Callable[[str], str | None] = lambda _issuer: None,
) -> CheckedCredential:
    """Checks a credential: its shape and type, that it was not issued in the future, and its issuer's proof.

    ``now`` is in milliseconds since the epoch; ``resolve_key`` gives the did:key that signs for a did:web issuer.

    Raises InvalidCredential.
    """
    credential = _shaped(document)
    if kind not in credential["type"]:
        raise InvalidCredential(f"The credential is not of type {kind}.")
    now = now_ms() if now is None else now
    issued = milliseconds_of(credential["issuanceDate"])
    if issued is not None and issued > now + _SKEW_MS:
        raise InvalidCredential("The credential's issuanceDate lies in the future.")
    did, controller = _issuer_of(credential["issuer"], resolve_key)
    try:
        proven = check_proof(credential, purpose="assertionMethod", did=did, controller=controller)
    except InvalidProof as error:
        raise InvalidCredential(str(error)) from None
    expires = milliseconds_of(credential.get("expirationDate"))
    return CheckedCredential(
        issuer=controller or did,
        subject=credential["credentialSubject"],
        hash="sha256:" + proven.digest[32:].hex(),
        expired=expires is not None and expires <= now,
    )


def _shaped(document: object) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise InvalidCredential("The credential is no JSON object.")
    types, issuer = _texts(document.get("type")), document.get("issuer")
    faults = {
        "@context": _texts(document.get("@context"))[:1] != [VC_CONTEXT],
        "id": not isinstance(document.get("id", ""), str),
        "type": "VerifiableCredential" not in types,
        "issuer": not isinstance(issuer, str) or len(issuer) > 512 or not issuer.startswith(("did:key:", "did:web:")),
        "issuanceDate": milliseconds_of(document.get("issuanceDate")) is None,
        "expirationDate": "expirationDate" in document and milliseconds_of(document["expirationDate"]) is None,
        "credentialSubject": not isinstance(document.get("credentialSubject"), Mapping),
    }
    for name, is_wrong in faults.items():
        if is_wrong:
            raise InvalidCredential(f'The credential is malformed at "{name}".')
    return document


def _texts(value: object) -> list[str]:
    """A list of texts; an empty one for anything else."""
    return value if isinstance(value, list) and all(isinstance(each, str) for each in value) else []


def _issuer_of(issuer: str, resolve_key: Callable[[str], str | None]) -> tuple[str, str | None]:
    try:
        if issuer.startswith("did:key:"):
            return canonical_did(issuer), None
        key = resolve_key(issuer)
        if key is None:
            raise InvalidCredential(f"The key of the issuer {issuer} is not known.")
        return canonical_did(key), issuer
    except CountersignError as error:
        raise InvalidCredential(f"The credential's issuer cannot be read: {error.message}") from None
