"""Proofs on documents: Ed25519Signature2020 whose signature is a detached JWS (RFC 7515, RFC 7797)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ._encodings import from_base64url, to_base64url
from ._time import milliseconds_of
from .did import canonical_did, key_id, key_of_did
from .errors import CountersignError
from .jcs import canonical
from .keys import Key, verify

Purpose: TypeAlias = Literal["assertionMethod", "authentication"]

# Headers are compared as text and never parsed, so that no signer can choose another algorithm. RFC 9864 gives EdDSA by an
# Ed25519 key a name of its own, which is read as well.
_HEADER = to_base64url(b'{"alg":"EdDSA","b64":false,"crit":["b64"]}')
_READ_HEADERS = (_HEADER, to_base64url(b'{"alg":"Ed25519","b64":false,"crit":["b64"]}'))
_MEMBERS = ("type", "created", "verificationMethod", "proofPurpose", "jws")
_MOST_CHARACTERS = 512


class InvalidProof(Exception):
    """A proof that does not hold. Its text is one sentence that names the check which failed."""


@dataclass(frozen=True, slots=True)
class Proven:
    digest: bytes
    """The 64 signed bytes: SHA-256 of the proof's own members, then SHA-256 of the document."""


def sign_document(key: Key, document: Mapping[str, Any], *, created: str, purpose: Purpose) -> dict[str, Any]:
    """The document with the key's proof; a proof that it already has is replaced. ``created`` is ISO 8601, and is signed.

    Raises CountersignError BAD_REQUEST when the document has no canonical JSON.
    """
    unsigned = {
        "type": "Ed25519Signature2020",
        "created": created,
        "verificationMethod": key_id(key.did),
        "proofPurpose": purpose,
    }
    content = {name: value for name, value in document.items() if name != "proof"}
    signature = key.sign(_HEADER.encode() + b"." + _digest(unsigned, content))
    return {**content, "proof": {**unsigned, "jws": f"{_HEADER}..{to_base64url(signature)}"}}


def check_proof(document: Mapping[str, Any], *, purpose: Purpose, did: str, controller: str | None = None) -> Proven:
    """Checks a document's proof. Whether its ``created`` time is acceptable is the caller's decision.

    ``did`` is the did:key whose key must have signed; ``controller`` a DID whose document lists that key:
    ``verificationMethod`` may then also be ``<controller>#<anything>``.

    Raises InvalidProof.
    """
    proof = document.get("proof")
    if proof is None:
        raise InvalidProof("There is no proof.")
    if not isinstance(proof, Mapping) or set(proof) != set(_MEMBERS):
        raise InvalidProof(f"The proof is malformed: it has the members {', '.join(_MEMBERS)}.")
    for name in _MEMBERS:
        value = proof[name]
        if not isinstance(value, str) or len(value) > _MOST_CHARACTERS:
            raise InvalidProof(f'The proof is malformed at "proof.{name}".')
    if proof["type"] != "Ed25519Signature2020" or milliseconds_of(proof["created"]) is None:
        raise InvalidProof("The proof is malformed: its type or its time is none.")
    if proof["proofPurpose"] != purpose:
        raise InvalidProof(f"The proof's purpose must be {purpose}, not {proof['proofPurpose']}.")
    if not _names_key(proof["verificationMethod"], did, controller):
        raise InvalidProof(f"The proof's verificationMethod must be the key of {controller or did}.")
    jws = proof["jws"]
    header = next((each for each in _READ_HEADERS if jws.startswith(f"{each}..")), None)
    if header is None:
        raise InvalidProof('The proof\'s jws must have the header {"alg":"EdDSA","b64":false,"crit":["b64"]} and no payload.')
    signature = from_base64url(jws[len(header) + 2 :])
    if signature is None or len(signature) != 64:
        raise InvalidProof("The proof's jws must end in 64 bytes as base64url.")
    unsigned = {name: proof[name] for name in _MEMBERS if name != "jws"}
    content = {name: value for name, value in document.items() if name != "proof"}
    try:
        digest = _digest(unsigned, content)
        key = key_of_did(did)
    except CountersignError as error:
        raise InvalidProof(error.message) from None
    if not verify(key, header.encode() + b"." + digest, signature):
        raise InvalidProof("The signature does not match the document and its proof.")
    return Proven(digest)


def _digest(proof: Mapping[str, Any], content: Mapping[str, Any]) -> bytes:
    return b"".join(hashlib.sha256(canonical(part).encode()).digest() for part in (proof, content))


def _names_key(method: str, did: str, controller: str | None) -> bool:
    """Whether a verification method is the expected key, in either spelling of its DID."""
    if method == key_id(did):
        return True
    subject, *fragments = method.split("#")
    if len(fragments) != 1 or fragments[0] == "":
        return False
    if controller is not None and subject == controller:
        return True
    try:
        return canonical_did(subject) == did and canonical_did(f"did:key:{fragments[0]}") == did
    except CountersignError:
        return False
