"""DIDs of Ed25519 keys (W3C did:key). Each key has one canonical DID, in whichever spelling it arrives."""

from __future__ import annotations

from ._edwards import is_public_key
from ._encodings import from_base58, to_base58
from .errors import CountersignError, refused_here

_SCHEME = "did:key:"
# The multicodec prefix of an Ed25519 public key.
_CODEC = b"\xed\x01"
# `z` and the base58 text of 34 bytes that begin with the prefix above; the text of 32 bytes has at most 44.
_MULTIBASE_LENGTH = 48
_MAX_LENGTH = 128
_NOT_A_KEY = "The 32 bytes are not an Ed25519 public key of prime order in canonical encoding."


def did_of_key(public_key: bytes) -> str:
    """The canonical DID of a public key of 32 bytes. Raises CountersignError BAD_REQUEST for bytes that are none."""
    if not is_public_key(public_key):
        raise refused_here(_NOT_A_KEY)
    return _encoded(public_key)


def canonical_did(text: str) -> str:
    """The canonical spelling, ``did:key:z6Mk…``, of a DID in that spelling, or of ``did:key:`` and the base58 of the 32 bytes.

    Raises CountersignError BAD_REQUEST that says what is wrong with it.
    """
    return _encoded(key_of_did(text))


def canonical_node_did(node_did: str) -> str:
    """As ``canonical_did``, of a node's. Raises CountersignError BAD_REQUEST that names the argument."""
    try:
        return canonical_did(node_did)
    except CountersignError as error:
        raise refused_here(f"node_did: {error.message}") from None


def key_of_did(text: str) -> bytes:
    """The public key of a DID: 32 bytes. Raises CountersignError BAD_REQUEST when it is not the DID of an Ed25519 key."""
    if len(text) > _MAX_LENGTH:
        raise refused_here(f"A DID has at most {_MAX_LENGTH} characters.")
    if not text.startswith(_SCHEME):
        raise refused_here("A DID must begin with did:key: here.")
    key = _decoded(text[len(_SCHEME) :])
    if not is_public_key(key):
        raise refused_here(_NOT_A_KEY)
    return key


def key_id(did: str) -> str:
    """The id of a DID's only key, ``did:key:z6Mk…#z6Mk…``."""
    return f"{did}#{did[len(_SCHEME) :]}"


def _decoded(text: str) -> bytes:
    multibase = len(text) == _MULTIBASE_LENGTH and text.startswith("z")
    data = from_base58(text[1:] if multibase else text)
    if data is None:
        raise refused_here("The key of a DID must be base58 text, such as did:key:z6Mk….")
    if not multibase and len(data) == 32:
        return data
    if multibase and len(data) == 34 and data.startswith(_CODEC):
        return data[len(_CODEC) :]
    raise refused_here("The DID must hold an Ed25519 key: did:key:z6Mk… or did:key: and the base58 text of its 32 bytes.")


def _encoded(key: bytes) -> str:
    return f"{_SCHEME}z{to_base58(_CODEC + key)}"
